//! testdata/rooms.txt has the order of each crate's rooms. An import against it fails here, as do a circle between
//! the entries of a folder, a folder of more than 16 entries, and a module that is `name.rs` beside `name/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::support::skip;

/// Comments, the tests at the end of a file, and what a macro names for all crates.
static NOT_CODE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"//.*|\$crate|(?s)\n#\[cfg\((?:all\()?test[^\]]*\]\s*mod \w+ \{.*").unwrap()
});
/// A path, and what it is the beginning of.
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b((?:crate|super(?:::super)*)(?:::\w+)*)(?:::\{([^}]*))?").unwrap()
});
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\s*(\w+(?:::\w+)*)").unwrap());

#[test]
fn rooms_stand_on_those_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = fs::read_to_string(root.join("testdata/rooms.txt")).unwrap();
    let list = Regex::new(r"(?m)^#.*\n").unwrap().replace_all(&list, "");
    let crates = list.split("\n\n").filter(|lines| !lines.trim().is_empty());
    for mut lines in crates.map(str::lines) {
        let src = lines.find(|line| !line.is_empty()).unwrap();
        let rooms: Vec<&str> = lines
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        if src.starts_with("crates/") && !skip::has(src) {
            continue;
        }
        let mut files = BTreeMap::new();
        for entry in walkdir::WalkDir::new(root.join(src)) {
            let path = entry.unwrap().into_path();
            if path.extension().is_some_and(|extension| extension == "rs") {
                let file = path
                    .strip_prefix(root.join(src))
                    .unwrap()
                    .with_extension("");
                let module: Vec<&str> = file.iter().map(|name| name.to_str().unwrap()).collect();
                files.insert(module.join("::"), fs::read_to_string(path).unwrap());
            }
        }
        let root = src
            .strip_prefix("src/")
            .map_or("crate".to_owned(), |it| format!("crate::{it}"));
        assert_eq!(faults(&root, &rooms, &files), [""; 0], "in {src}");
    }
}

/// What is wrong with the files of `root`: paths of modules below it, and their text.
fn faults(root: &str, rooms: &[&str], files: &BTreeMap<String, String>) -> Vec<String> {
    let mut faults = Vec::new();
    let mut folders: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for file in files.keys() {
        let names: Vec<&str> = file.split("::").collect();
        for depth in 0..names.len() {
            let folder = folders.entry(names[..depth].join("::")).or_default();
            folder.insert(names[depth]);
        }
        if files.contains_key(&format!("{file}::mod")) {
            faults.push(format!("{file} is a file beside a folder"));
        }
    }
    for (folder, entries) in folders.iter().filter(|(_, entries)| entries.len() > 16) {
        faults.push(format!("{folder} has {} entries", entries.len()));
    }
    let unknown = (folders[""].iter())
        .filter(|name| !rooms.contains(name) && **name != "lib" && **name != "mod");
    faults.extend(unknown.map(|name| format!("{name} is not in testdata/rooms.txt")));
    let mut arrows: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
    let is_test = |file: &str| file.split("::").any(|name| name == "tests");
    for (file, text) in files.iter().filter(|(file, _)| !is_test(file)) {
        let module = file.strip_suffix("::mod").unwrap_or(file);
        let room = rooms
            .iter()
            .position(|room| module.split("::").next() == Some(room));
        for target in room
            .iter()
            .flat_map(|_| imports(text, &format!("{root}::{module}")))
        {
            let Some(target) = target
                .strip_prefix(root)
                .and_then(|it| it.strip_prefix("::"))
            else {
                continue;
            };
            let order = rooms
                .iter()
                .position(|room| target.split("::").next() == Some(room));
            if order.is_none() || order > room {
                faults.push(format!("{file} imports {target}"));
            }
            let names = || module.split("::").zip(target.split("::"));
            let shared = names().take_while(|(one, other)| one == other).count();
            let folder: Vec<&str> = target.split("::").take(shared).collect();
            let folder = folder.join("::");
            if shared > 0
                && let Some((from, to)) = names().nth(shared)
                && folders
                    .get(&folder)
                    .is_some_and(|entries| entries.contains(to))
            {
                let arrows = arrows.entry(folder).or_default();
                arrows.insert((from.to_owned(), to.to_owned()));
            }
        }
    }
    for (folder, mut arrows) in arrows {
        let mut before = usize::MAX;
        while arrows.len() < before {
            before = arrows.len();
            let from: BTreeSet<String> = arrows.iter().map(|(from, _)| from.clone()).collect();
            arrows.retain(|(_, to)| from.contains(to));
        }
        if !arrows.is_empty() {
            faults.push(format!("{folder} has a circle among {arrows:?}"));
        }
    }
    faults
}

/// The paths that the code of a module names from `crate` or `super`.
fn imports(text: &str, module: &str) -> Vec<String> {
    let mut found = Vec::new();
    for import in PATH.captures_iter(&NOT_CODE.replace_all(text, "")) {
        let mut from = module;
        let mut path = &import[1];
        while let Some(rest) = path.strip_prefix("super") {
            path = rest.strip_prefix("::").unwrap_or(rest);
            from = from.rsplit_once("::").map_or("", |(above, _)| above);
        }
        let path = match path {
            absolute if absolute.starts_with("crate") => absolute.to_owned(),
            "" => from.to_owned(),
            relative => format!("{from}::{relative}"),
        };
        match import.get(2) {
            None => found.push(path),
            Some(group) => {
                let names = group
                    .as_str()
                    .split(',')
                    .filter_map(|part| NAME.captures(part));
                found.extend(names.map(|name| match &name[1] {
                    "self" => path.clone(),
                    name => format!("{path}::{name}"),
                }));
            }
        }
    }
    found
}

#[test]
fn a_planted_import_is_found() {
    let mut files = BTreeMap::from(
        [
            ("lib", "mod low; mod high; pub use high::A;"),
            (
                "low::mod",
                "use crate::low::x::X; mod x; mod y; // use crate::high",
            ),
            ("low::x", "use super::Low; use crate::text;"),
            (
                "low::y",
                "use super::x::{self, X};\n#[cfg(test)]\nmod tests { use crate::high; }",
            ),
            ("low::tests", "use crate::high::A;"),
            ("high", "use crate::low::{y::Y, Low}; use super::low;"),
            ("text", ""),
        ]
        .map(|(file, text)| (file.to_owned(), text.to_owned())),
    );
    let rooms = ["text", "low", "high"];
    assert_eq!(faults("crate", &rooms, &files), [""; 0]);
    for (file, import, expected) in [
        ("text", "use super::low::Low;", "text imports low::Low"),
        (
            "low::x",
            "fn f(it: super::super::high::A) {}",
            "low::x imports high::A",
        ),
        (
            "low::x",
            "use super::{X, y};",
            r#"low has a circle among {("x", "y"), ("y", "x")}"#,
        ),
        ("high", "use crate::A;", "high imports A"),
        ("high::mod", "", "high is a file beside a folder"),
        ("other", "", "other is not in testdata/rooms.txt"),
    ] {
        let before = files.insert(file.to_owned(), import.to_owned());
        assert_eq!(
            faults("crate", &rooms, &files),
            [expected],
            "{file}: {import}"
        );
        match before {
            Some(before) => files.insert(file.to_owned(), before),
            None => files.remove(file),
        };
    }
    files.extend((0..20).map(|number| (format!("low::of{number}"), String::new())));
    assert_eq!(faults("crate", &rooms, &files), ["low has 24 entries"]);
}
