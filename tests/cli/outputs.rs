//! No two inputs get one output, by whatever rule names change: each input's own mark is in the output, or an error
//! names the input.

use std::collections::HashSet;
use std::fs;

use serde_json::Value;

use super::Sandbox;
use crate::support::generate::{self, Random};

/// Names that rules change, or might: flags and sizes of Maildir, queries, what wget adds, time stamps, letter case.
const NAMES: &[&str] = &[
    "a.html",
    "A.html",
    "a.HTML",
    "a.htm",
    "a",
    "a.html?x=1",
    "a.html%3Fx=1",
    "a.html@x=1",
    "a.html?x=1.html",
    "a.1.html",
    "index.html",
    "index.html?",
    "1.M1.h:2,S",
    "1.M1.h,S=41:2,S",
    "1.M1.h,W=41:2,S",
    "1.M1.h,S=42,W=43:2,S",
    "1.M1.h,S=41:2,RS",
    "a.eml",
    "é.html",
    "%C3%A9.html",
    "e\u{301}.html",
];

const DIRECTORIES: &[&str] = &[
    "d/cur",
    "d/new",
    "e/cur",
    "d/h.example",
    "d/H.example",
    "d/20200103104500/http:/h.example",
    "d/20200103104500/http:/h.example/b",
    "d/20210103104500/http:/h.example",
    "d/web",
];

const OPTIONS: &[&str] = &[
    "-b http://h.example/ d",
    "-b http://h.example/ --to files d",
    "-b http://h.example/ --root . d e",
    "--layout wget d",
    "--layout httrack --copy-others d",
    "--layout wayback --unwrap d",
    "-b http://h.example/ -j1 --copy-others --ext +eml d",
];

#[test]
fn every_input_has_an_output_of_its_own() {
    generate::each_seed(60, |seed| {
        let mut random = Random(seed);
        let sandbox = Sandbox::new();
        for directory in ["d", "e"] {
            sandbox.write(
                format!("{directory}/new/1.M2.h"),
                format!("Content-Type: text/html\n\n<a href=x>mark{directory}"),
            );
        }
        let mut inputs = HashSet::new();
        for number in 0..4 + random.below(12) {
            let name = format!("{}/{}", random.pick(DIRECTORIES), random.pick(NAMES));
            let page = format!("<a href=\"/x/{number}\">mark{number}.</a>\n");
            let is_mail = name.contains("/cur/") || name.contains("/new/") || name.ends_with("eml");
            let head = if is_mail {
                "Content-Type: text/html\n\n"
            } else {
                ""
            };
            // A directory has the name of no file.
            if !sandbox.path().join(&name).exists() {
                sandbox.write(&name, &(head.to_owned() + &page));
                inputs.insert(name);
            }
        }
        let options = random.pick(OPTIONS);
        let ran = sandbox.run(&format!(
            "rewrite -o out --allow-empty --format json=s {options}"
        ));
        let mut marks = Vec::new();
        for file in walkdir::WalkDir::new(sandbox.path().join("out"))
            .into_iter()
            .flatten()
        {
            if file.file_type().is_file() {
                let text = fs::read_to_string(file.path()).unwrap();
                marks.extend(text.split(">mark").nth(1).map(|mark| mark.to_owned()));
            }
        }
        let count = |field: &str| {
            let summary: Value = serde_json::from_str(&sandbox.read("s")).unwrap();
            summary[field].as_u64().unwrap() as usize
        };
        let (taken, failed) = (count("files"), count("files_failed"));
        let copied = match options.contains("--copy-others") {
            true => 1 + inputs.iter().filter(|it| it.starts_with('d')).count() - taken,
            false => 0,
        };
        let written = taken - failed + copied;
        let different: HashSet<_> = marks.iter().collect();
        let is_told = failed == 0 || ran.stderr.contains("error: ");
        if different.len() == written && marks.len() == written && is_told {
            return Ok(());
        }
        Err(format!(
            "{options}: {written} {marks:?}\n{}\n{inputs:?}",
            ran.stderr
        ))
    });
}
