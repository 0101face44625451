//! The small site of testdata/site: a tree in, and the tree that must come out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::oracle::directories;
use crate::support::links::abslink;
use crate::support::same;

const BASE: &str = "https://docs.example.org/";

fn testdata(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/site")
        .join(name)
}

fn rewrite(options: &[&str], path: &Path, output: &Path) -> Output {
    abslink()
        .args(["rewrite", "-b", BASE])
        .args(options)
        .arg("-o")
        .arg(output)
        .arg(path)
        .output()
        .unwrap()
}

/// Every file below a directory, relative to it and sorted.
fn files(directory: &Path) -> Vec<PathBuf> {
    walkdir::WalkDir::new(directory)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| entry.path().strip_prefix(directory).unwrap().to_owned())
        .collect()
}

#[test]
fn the_site_becomes_the_expected_one() {
    let target = tempfile::tempdir().unwrap();
    let output = target.path().join("site");
    let run = rewrite(&["--copy-others"], &testdata("in"), &output);
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    assert_eq!(files(&output), files(&testdata("out")));
    for file in files(&output) {
        let [found, expected] =
            [&output, &testdata("out")].map(|root| fs::read(root.join(&file)).unwrap());
        assert_eq!(
            String::from_utf8_lossy(&found),
            String::from_utf8_lossy(&expected),
            "{}",
            file.display()
        );
        assert_eq!(found, expected, "{}", file.display());
    }
}

#[test]
fn only_documents_are_written_unless_asked_for_more() {
    let target = tempfile::tempdir().unwrap();
    let output = target.path().join("site");
    rewrite(&[], &testdata("in"), &output);
    let others = ["css", "js", "png", "txt", "svg"];
    let documents: Vec<PathBuf> = files(&testdata("out"))
        .into_iter()
        .filter(|file| !others.iter().any(|it| file.extension().unwrap() == *it))
        .collect();
    assert_eq!(files(&output), documents);
}

/// The name that wget gives a page with a query; it cannot stand in a checkout on Windows, so it is
/// made here.
#[cfg(unix)]
#[test]
fn a_name_with_a_query_is_a_document() {
    let scratch = tempfile::tempdir().unwrap();
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    fs::create_dir(&input).unwrap();
    fs::write(
        input.join("list.html?page=2"),
        "<a href=x>x</a><a href='#y'>y</a>",
    )
    .unwrap();
    rewrite(&[], &input, &output);
    same(
        "list.html?page=2",
        fs::read_to_string(output.join("list.html?page=2")).unwrap(),
        "<a href=https://docs.example.org/x>x</a>\
         <a href='https://docs.example.org/list.html%3Fpage=2#y'>y</a>",
    );
}

#[test]
#[ignore = "slow tier: a browser"]
fn a_browser_finds_the_same_targets() {
    let confirmed = directories::confirm(&testdata("in"), &testdata("out"), BASE);
    assert!(confirmed.documents >= 30);
}

#[test]
fn nothing_relative_is_left() {
    let check = abslink()
        .args(["check", "-b", BASE])
        .arg(testdata("out"))
        .output()
        .unwrap();
    assert_eq!(check.status.code(), Some(0), "{check:?}");
    assert_eq!(String::from_utf8_lossy(&check.stdout), "");
}

#[test]
fn a_second_run_changes_no_file() {
    let run = abslink()
        .args(["rewrite", "-b", BASE, "--dry-run", "--format", "json"])
        .arg(testdata("out"))
        .output()
        .unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(summary["files_changed"], 0, "{summary}");
    assert_eq!(summary["files_failed"], 0, "{summary}");
}
