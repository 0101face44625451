//! Real documentation, where testdata/fetch-corpora.sh has brought it to target/corpus.

mod drawn;
mod forms;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use ::abslink::{Settings, Syntax};
use rayon::prelude::*;
use url::Url;

use crate::oracle::directories;
use crate::support::links::abslink;
use crate::support::skip;

const BASE: &str = "https://docs.example.org/3/";

#[test]
#[ignore = "slow tier: corpora"]
fn python() {
    corpus("python3.11-doc", 500);
}

#[test]
#[ignore = "slow tier: corpora"]
fn cppreference() {
    corpus("cppreference-doc-en-html", 4000);
}

#[test]
#[ignore = "slow tier: corpora"]
fn openjdk() {
    corpus("openjdk-17-doc", 10_000);
}

#[test]
#[ignore = "slow tier: corpora"]
fn rust() {
    corpus("rust-doc", 10_000);
}

/// Rewrites a whole package with each engine and has every reference confirmed.
fn corpus(package: &str, documents: usize) {
    let Some(input) = fetched(package) else {
        return;
    };
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let output = scratch.path().join(package);

    let summary = rewrite(&input, Some(&output), "auto");
    for engine in ["memory", "stream"] {
        let other = scratch.path().join(engine);
        rewrite(&input, Some(&other), engine);
        assert_eq!(first_difference(&output, &other), None, "{engine}");
        fs::remove_dir_all(other).unwrap();
    }
    assert_eq!(summary["files_failed"], 0, "{summary}");
    let confirmed = directories::confirm(&input, &output, BASE);
    assert_eq!(summary["files"], confirmed.documents, "{summary}");
    assert!(confirmed.documents >= documents, "{summary}");
    eprintln!(
        "{package}: {} documents, {} references confirmed",
        confirmed.documents, confirmed.references
    );

    let by_command = scratch.path().join("by-command");
    let own_urls = ["--index=none", "--converted-links", "never"];
    let run = command(Some(&by_command), "auto")
        .args(own_urls)
        .arg(&input)
        .output();
    assert_eq!(run.unwrap().status.code(), Some(0));
    let documents: Vec<PathBuf> = directories::documents(&input).collect();
    let differs =
        |path: &&PathBuf| by_library(&input, path) != fs::read(by_command.join(path)).unwrap();
    assert_eq!(documents.par_iter().find_any(differs), None, "the library");
    fs::remove_dir_all(by_command).unwrap();

    let before = stamps(&output);
    let summary = rewrite(&output, None, "auto");
    assert_eq!(summary["files_changed"], 0, "{summary}");
    assert!(before == stamps(&output), "a second run touched a file");

    let check = abslink()
        .args(["check", "--base-url", BASE])
        .arg(&output)
        .output()
        .unwrap();
    let found = String::from_utf8_lossy(&check.stdout);
    let first: Vec<&str> = found.lines().take(5).collect();
    assert_eq!(check.status.code(), Some(0), "{first:#?}");
}

/// Where a package is, if it was fetched.
fn fetched(package: &str) -> Option<PathBuf> {
    let corpus = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../corpus");
    let found = corpus.join(package).canonicalize().ok();
    if found.is_none() {
        skip::data(format_args!(
            "{package} is not in target/corpus; testdata/fetch-corpora.sh {package} brings it"
        ));
    }
    found
}

/// What is known of a document, whose URL is its path below the base URL.
fn of_path(path: &Path) -> (::abslink::Context, Syntax) {
    let mut url = Url::parse(BASE).unwrap();
    let segments = path.iter().map(|segment| segment.to_str().unwrap());
    url.path_segments_mut()
        .unwrap()
        .pop_if_empty()
        .extend(segments);
    let context = ::abslink::Context::retrieved_from(url.as_str()).unwrap();
    let syntax = match path.extension().is_some_and(|ending| ending == "xhtml") {
        true => Syntax::Xml,
        false => Syntax::Html,
    };
    (context, syntax)
}

/// What the library makes of a document.
fn by_library(input: &Path, path: &Path) -> Vec<u8> {
    let (context, syntax) = of_path(path);
    let document = fs::read(input.join(path)).unwrap();
    let new = ::abslink::rewrite_bytes(&document, syntax, &context, &Settings::default());
    new.document.into_owned()
}

/// Runs `rewrite` into a directory, or in place, and gives the summary.
fn rewrite(path: &Path, output: Option<&Path>, engine: &str) -> serde_json::Value {
    let run = command(output, engine).arg(path).output().unwrap();
    let messages = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(0), "{messages}");
    serde_json::from_slice(&run.stdout).unwrap()
}

fn command(output: Option<&Path>, engine: &str) -> Command {
    let mut command = abslink();
    command.args(["rewrite", "--base-url", BASE, "--format", "json"]);
    command.args(["--engine", engine]);
    match output {
        Some(directory) => command.arg("--output").arg(directory),
        None => command.arg("--in-place"),
    };
    command
}

/// The first document that two directories do not both have, byte for byte.
fn first_difference(one: &Path, other: &Path) -> Option<PathBuf> {
    let [names, others] = [one, other].map(|directory| {
        let documents = directories::documents(directory);
        documents.collect::<BTreeSet<PathBuf>>()
    });
    if let Some(lonely) = names.symmetric_difference(&others).next() {
        return Some(lonely.clone());
    }
    let differs = |name: &PathBuf| {
        let [a, b] = [one, other].map(|directory| fs::read(directory.join(name)).unwrap());
        a != b
    };
    names.into_iter().find(differs)
}

/// What would tell that a file was written or replaced.
fn stamps(directory: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    directories::documents(directory)
        .map(|path| {
            let file = fs::metadata(directory.join(&path)).unwrap();
            (path, (file.len(), file.modified().unwrap()))
        })
        .collect()
}
