//! Data flows one way: `cli -> batch -> message | warc -> html -> base -> resolver`. A module may
//! use what stands to its right, and itself.

use std::fs;
use std::path::Path;

/// From the top to the bottom; those of one layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["cli"],
    &["batch"],
    &["message", "warc"],
    &["html"],
    &["base"],
    &["resolver"],
];

/// How a module names another one, in the library and in the binary.
const ROOTS: &[&str] = &["crate::", "abslink::"];

#[test]
fn every_arrow_points_down() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut arrows = 0;
    let mut wrong = Vec::new();
    for entry in walkdir::WalkDir::new(&src).sort_by_file_name() {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(&src).unwrap();
        let Some(from) = path.iter().next().and_then(|top| top.to_str()) else {
            continue;
        };
        let from = from.strip_suffix(".rs").unwrap_or(from);
        if !entry.file_type().is_file() || layer(from).is_none() {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        for to in modules_named(&text) {
            arrows += 1;
            if from != to && layer(from) >= layer(&to) {
                wrong.push(format!("{}: {from} uses {to}", path.display()));
            }
        }
    }
    assert!(arrows > 0, "no module was found to use another");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The modules of [`LAYERS`] that code names, in `use` lines and in paths; comments may name any.
fn modules_named(text: &str) -> Vec<String> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.to_owned() + "\n")
        .collect();
    let mut found = Vec::new();
    for root in ROOTS {
        for (at, _) in code.match_indices(root) {
            let continues = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !continues {
                found.extend(first_names(&code[at + root.len()..]));
            }
        }
    }
    found.retain(|name| layer(name).is_some());
    found
}

/// The first names of a path, or of each path of a group: `a::b`, `{a::b, c::{d, e}}`.
fn first_names(path: &str) -> Vec<String> {
    let Some(group) = path.strip_prefix('{') else {
        return vec![name(path)];
    };
    let mut depth = 0;
    let mut names = vec![name(group)];
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => {}
        }
    }
    names
}

fn name(path: &str) -> String {
    path.trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

#[test]
fn names_are_read_out_of_every_kind_of_path() {
    let text = "use crate::html::{self, Reference};\n\
                // crate::batch is only mentioned\n\
                use crate::{base::{Rung, x}, resolver};\n\
                let x = abslink::cli::y(my_crate::warc::z);\n";
    assert_eq!(modules_named(text), ["html", "base", "resolver", "cli"]);
}
