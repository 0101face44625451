//! `--list-files`, and what is left of output with `--quiet`.

use std::fs;

use serde_json::{Value, json};

use super::Sandbox;

/// Pages with relative links and without, a mail, and rows.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, content) in [
        ("d/b.html", "<a href=x><a href=y>"),
        ("d/a/z.html", "<a href=x>"),
        ("d/a/same.html", "<a href=http://h/>"),
        ("d/c.txt", "<a href=x>"),
        (
            "d/m.eml",
            "Content-Type: text/html\nContent-Transfer-Encoding: 7bit\n\n<a href=x>",
        ),
    ] {
        sandbox.write(name, content);
    }
    sandbox
}

const CHANGED: &str = "d/a/z.html\nd/b.html\nd/m.eml\n";

#[test]
fn rewrite_lists_what_changes() {
    for arguments in [
        "-l -o out d",
        "--list-files -q -o out d",
        "-l --copy-others -o out d",
        "-l -n d",
        "-l -i d",
        "-l -i --backup .orig d",
        "-l -i --fsync=batch d",
        "-l -q -i --engine stream d",
        "-l -o out --format sarif=s.sarif d",
    ] {
        // Until that is its name.
        let arguments = arguments.replace("-n", "--dry-run");
        for jobs in ["-j1", "-j8"] {
            let sandbox = sandbox();
            let ran = sandbox.run(&format!("rewrite -b http://h/ {jobs} {arguments}"));
            assert_eq!(ran.stdout, CHANGED, "{arguments} {jobs}: {}", ran.stderr);
            assert_eq!(ran.code, Some(0), "{arguments}");
            let is_quiet = arguments.contains("-q");
            assert_eq!(ran.stderr.is_empty(), is_quiet, "{}", ran.stderr);
        }
    }
    let sandbox = sandbox();
    sandbox.run("rewrite -q -b http://h/ -i d");
    let again = sandbox.run("rewrite -b http://h/ -l -i d");
    assert_eq!((again.code, &*again.stdout), (Some(0), ""));
}

/// A file that cannot be written has not changed.
#[test]
fn what_is_not_written_is_not_listed() {
    for fsync in ["never", "batch"] {
        let sandbox = sandbox();
        sandbox.write("out/b.html/x", "");
        let ran = sandbox.run(&format!("rewrite -b http://h/ --fsync={fsync} -l -o out d"));
        assert_eq!(ran.stdout, "d/a/z.html\nd/m.eml\n", "{}", ran.stderr);
        assert_eq!(ran.code, Some(2));
    }
}

#[test]
fn the_summary_for_programs_has_the_list() {
    let paths: Vec<&str> = CHANGED.lines().collect();
    let sandbox = sandbox();
    let ran = sandbox.run("rewrite -b http://h/ -l -o out --format json d");
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["files"], json!(paths));
    assert_eq!(summary["files_changed"], 3);
    assert_eq!(ran.stdout.matches("\"files\"").count(), 1, "{}", ran.stdout);
    assert!(ran.stdout.ends_with("\"d/m.eml\"]}\n"), "{}", ran.stdout);
    let ran = sandbox.run("rewrite -b http://h/ -l -o out --format json=s.json d");
    assert_eq!(ran.stdout, CHANGED);
    let summary = fs::read_to_string(sandbox.path().join("s.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["files"], json!(paths));
    // Without the option it is their number, as ever.
    let ran = sandbox.run("rewrite -b http://h/ -o out --format json d");
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["files"], 4);
    let ran = sandbox.run("rewrite -b http://h/ -l -o out --format json d/c.txt --as css");
    assert!(ran.stdout.ends_with(",\"files\":[]}\n"), "{ran:?}");
}

#[test]
fn check_lists_files_with_relative_links() {
    let sandbox = sandbox();
    for arguments in ["-l", "-l -q", "-l --format text", "-l -b http://h/ -j8"] {
        let ran = sandbox.run(&format!("check {arguments} d"));
        assert_eq!((ran.code, &*ran.stdout), (Some(1), CHANGED), "{arguments}");
    }
    let ran = sandbox.run("check -l d/a/same.html");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), ""));
    let ran = sandbox.run("check -l --format json d");
    let lines: Vec<Value> = (ran.stdout.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let paths = CHANGED.lines().map(|path| json!({ "file": path }));
    assert_eq!(lines, paths.collect::<Vec<_>>());
    // The findings of other formats stay.
    let ran = sandbox.run("check -l --format json=all.jsonl d");
    assert_eq!(ran.stdout, CHANGED);
    let all = fs::read_to_string(sandbox.path().join("all.jsonl")).unwrap();
    assert_eq!(all.lines().count(), 4, "{all}");
    let ran = sandbox.run_with_input("check -l -", "<a href=x>");
    assert_eq!(ran.stdout, "-\n");
}

/// What was there before does not count.
#[test]
fn check_lists_files_with_new_links() {
    let sandbox = sandbox();
    sandbox.run("check --write-baseline known.jsonl d");
    sandbox.write("d/b.html", "<a href=x><a href=y><a href=new>");
    sandbox.write("d/new.html", "<a href=x>");
    for jobs in ["-j1", "-j8"] {
        let ran = sandbox.run(&format!("check -l {jobs} --baseline known.jsonl d"));
        assert_eq!(ran.stdout, "d/b.html\nd/new.html\n", "{}", ran.stderr);
    }
}

#[test]
fn one_thing_goes_to_standard_output() {
    let sandbox = sandbox();
    for (arguments, error) in [
        (
            "rewrite -l a.html",
            "error: the document or the diff goes to standard output, where --list-files would print too\n\
             hint: -o DIR writes a new tree\n",
        ),
        (
            "rewrite -l --diff d",
            "error: the document or the diff goes",
        ),
        (
            "rewrite -l --diff -i d",
            "error: the document or the diff goes",
        ),
        (
            "rewrite -l -o out --format sarif d",
            "error: --list-files and --format sarif would both write to standard output\n\
             hint: --format sarif=FILE writes to a file\n",
        ),
        (
            "check -l --format github d",
            "error: --list-files and --format github would",
        ),
    ] {
        let ran = sandbox.run(arguments);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{arguments}");
        assert!(ran.stderr.starts_with(error), "{arguments}: {}", ran.stderr);
    }
    // A project's setting does not matter to a document.
    sandbox.write("abslink.toml", "[rewrite]\nlist-files = true\n");
    let ran = sandbox.run("rewrite -b http://h/ a.html");
    assert_eq!(ran.stdout, "<a href=http://h/g>");
    let ran = sandbox.run("rewrite -b http://h/ -o out d");
    assert_eq!(ran.stdout, CHANGED);
}

/// The exit code says it.
#[test]
fn a_quiet_check_prints_nothing() {
    let sandbox = sandbox();
    for (arguments, code) in [
        ("d", 1),
        ("--format text d", 1),
        ("-b http://h/ --to relative d", 1),
        ("--baseline none.jsonl d", 1),
        ("--format junit=j.xml d", 1),
        ("d/a/same.html", 0),
    ] {
        sandbox.write("none.jsonl", "");
        let ran = sandbox.run(&format!("check -q {arguments}"));
        let said = (ran.code, &*ran.stdout, &*ran.stderr);
        assert_eq!(said, (Some(code), "", ""), "{arguments}");
    }
    // A format for programs was asked for.
    let ran = sandbox.run("check -q --format json d");
    assert_eq!((ran.stdout.lines().count(), &*ran.stderr), (4, ""));
}
