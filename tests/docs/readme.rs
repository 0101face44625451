//! README.md and what it leads to: every recipe runs as it is pasted into a shell in a clone, every
//! link leads somewhere, and every test that is named exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::skip;

#[cfg(unix)]
pub(crate) mod recipes;

/// A text that people read, by its path in the package.
pub(crate) fn text(path: &str) -> String {
    fs::read_to_string(package().join(path)).unwrap()
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All of them; CHANGELOG.md speaks of what was.
fn texts() -> Vec<String> {
    let mut texts = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        .map(str::to_owned)
        .to_vec();
    texts.push("benches/README.md".to_owned());
    for folder in ["docs", "docs/dev"] {
        let docs = fs::read_dir(package().join(folder)).unwrap();
        let names = docs.map(|entry| entry.unwrap().file_name().display().to_string());
        let pages = names.filter(|name| name.ends_with(".md"));
        texts.extend(pages.map(|name| format!("{folder}/{name}")));
    }
    texts.sort();
    texts
}

/// Where the links of a text lead, as they are written: `](docs/speed.md#jobs)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let behind_names = text.split("](").skip(1);
    behind_names.filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The anchors of a text, as forges make them of its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let names = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase());
    let is_kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    names
        .map(|name| name.chars().filter(is_kept).collect::<String>())
        .map(|name| name.replace(' ', "-"))
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    // The unpacked crate has no packages in other languages.
    let is_cloned = |path: &&&str| package().join(path).exists();
    let packages = ["python/README.md", "js/README.md"];
    let others = packages
        .iter()
        .filter(is_cloned)
        .map(|&path| path.to_owned());
    for path in texts().into_iter().chain(others) {
        let folder = Path::new(&path).parent().unwrap().to_owned();
        for link in links(&text(&path)) {
            if link.contains("://") || (packages.contains(&link) && !is_cloned(&&link)) {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = match file {
                "" => PathBuf::from(&path),
                file => folder.join(file),
            };
            let file = package().join(file);
            let has_anchor =
                || anchors(&fs::read_to_string(&file).unwrap_or_default()).contains(anchor);
            let is_there = file.exists() && (anchor.is_empty() || has_anchor());
            if !is_there {
                wrong.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of the repository; .ci is not in the package.
#[test]
fn every_file_that_is_named_exists() {
    let mut folders = vec!["src/", "tests/", "testdata/", "benches/", "docs/"];
    folders.extend(skip::has("fuzz").then_some("fuzz/"));
    let mut named = 0;
    for path in texts() {
        let text = text(&path);
        for name in text.split('`').skip(1).step_by(2) {
            if folders.iter().any(|folder| name.starts_with(folder)) && !name.contains(' ') {
                named += 1;
                assert!(package().join(name).exists(), "{path}: {name}");
            }
        }
    }
    assert!(named > 20, "{named}");
}

/// The page at the top of README.md, before and after.
#[test]
fn the_first_example_is_what_rewrite_does() {
    let text = text("README.md");
    let blocks = text.split("```html\n").skip(1);
    let mut blocks = blocks.map(|rest| rest.split("```").next().unwrap());
    let mut rewrite = assert_cmd::Command::new(env!("CARGO_BIN_EXE_abslink"));
    let rewrite = rewrite.args(["rewrite", "-b", "https://docs.example.org/guide/", "-"]);
    let run = rewrite.write_stdin(blocks.next().unwrap()).assert();
    run.success().stdout(blocks.next().unwrap().to_owned());
}

/// The paths of all tests, as `cargo test` lists them: of src/ and of tests/, for every system.
fn tests() -> BTreeSet<String> {
    let mut tests = BTreeSet::new();
    // The other crates are not part of this one unpacked.
    for root in ["src", "tests", "crates"] {
        let root = package().join(root);
        if root.ends_with("crates") && !root.exists() {
            continue;
        }
        for entry in walkdir::WalkDir::new(&root) {
            let path = entry.unwrap().into_path();
            let module = || module(path.strip_prefix(&root).unwrap());
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("rs") => add_tests(&fs::read_to_string(&path).unwrap(), module(), &mut tests),
                // A page is a test.
                Some("md") => drop(tests.insert(module().join("::").replace('-', "_"))),
                _ => {}
            }
        }
    }
    tests
}

/// The module that a file is, from the root of its program.
fn module(file: &Path) -> Vec<String> {
    let file = file.with_extension("");
    let mut module: Vec<String> = file.iter().map(|name| name.display().to_string()).collect();
    // A crate's sources: crates/html/src/css.rs is html::css.
    module.retain(|name| name != "src");
    if ["mod", "lib", "main"].contains(&&**module.last().unwrap()) {
        module.pop();
    }
    module
}

/// Adds the tests of a file. Its layout is rustfmt's, so that what a line is in has less indent. A
/// macro of src/batch/write/tests/mod.rs makes a test of each name that it is given, in `here`.
fn add_tests(source: &str, file: Vec<String>, tests: &mut BTreeSet<String>) {
    let mut modules: Vec<(usize, &str)> = Vec::new();
    let mut is_test = false;
    for line in source.lines().filter(|line| !line.is_empty()) {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        modules.retain(|&(outer, _)| outer < indent);
        let words = code.trim_start_matches("pub(crate) ");
        if let Some(name) = words
            .strip_prefix("mod ")
            .and_then(|it| it.strip_suffix(" {"))
        {
            modules.push((indent, name));
        } else if code.ends_with("on_each_system! {") {
            modules.push((indent, "here"));
        } else if code == "#[test]" {
            is_test = true;
        } else {
            let name = match words.strip_prefix("fn ") {
                Some(rest) if std::mem::take(&mut is_test) => rest.split('(').next(),
                _ if modules.last().is_some_and(|&(_, module)| module == "here") => Some(code),
                _ => None,
            };
            let outer = modules.iter().map(|&(_, name)| name);
            let path = file.iter().map(|it| &**it).chain(outer).chain(name);
            if name.is_some() {
                tests.insert(path.collect::<Vec<_>>().join("::"));
            }
        }
    }
}

#[test]
fn every_test_that_is_named_exists() {
    let tests = tests();
    let this = "docs::readme::every_test_that_is_named_exists";
    assert!(tests.contains(this), "{tests:#?}");
    let pages = [
        "docs/dev/promises.md",
        "docs/dev/promises-files.md",
        "SECURITY.md",
    ];
    let promises = pages.map(text).concat();
    let rows = promises.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches(" |").rsplit_once(" | "));
    let mut named = 0;
    let mut wrong = Vec::new();
    for (_, cell) in cells {
        // Names are between backticks, and so are the variables that some tests heed.
        let quoted = cell.split('`').skip(1).step_by(2);
        for name in quoted.filter(|name| !name.starts_with("ABSLINK_")) {
            let is_elsewhere = ["containers::", "html::", "url::", "verify::"]
                .iter()
                .any(|of| name.starts_with(of));
            if is_elsewhere && !skip::has("crates") {
                continue;
            }
            named += 1;
            // As `cargo test NAME` finds it, but by whole words.
            let words = format!("::{name}::");
            if !tests
                .iter()
                .any(|test| format!("::{test}::").contains(&words))
            {
                wrong.push(name.to_owned());
            }
        }
    }
    assert!(named > 50, "{named} names");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
