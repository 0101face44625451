//! Values in the text of fields: the table testdata/values.tsv, and what PHP and Python read again.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::columns;
use crate::cli::Sandbox;
use crate::support::skip;

#[test]
fn the_table() {
    let table = include_str!("../../../testdata/values.tsv");
    let sandbox = Sandbox::new();
    for line in table
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let columns = columns(line);
        let [options, old, new, code, said] = &columns[..] else {
            panic!("not five columns: {line}");
        };
        let row = format!("{}\n", json!({ "v": old }));
        let new = if new == "=" { old } else { new };
        let field = if options.contains("--field") {
            ""
        } else {
            "--field v"
        };
        for verify in ["", "--verify"] {
            let command = format!("rewrite {verify} --as jsonl {field} {options} -");
            let ran = sandbox.run_with_input(&command, &row);
            let value: Value = serde_json::from_str(&ran.stdout).unwrap();
            assert_eq!(value["v"], **new, "{line}");
            assert_eq!(ran.stdout == row, new == old, "{line}");
            let code = Some(code.parse().unwrap());
            assert_eq!(ran.code, code, "{line}: {}", ran.stderr);
            ran.says(&**said);
            // What is made is done.
            let again = sandbox.run_with_input(&command, &ran.stdout);
            again.prints(ran.stdout);
        }
    }
}

/// Runs a program over rows that it has made, and what becomes of them.
fn read_again(program: &str, script: &str, count: usize) {
    let script = format!(
        "{}/tests/containers/rows/{script}",
        env!("CARGO_MANIFEST_DIR")
    );
    let run = |arguments: &[&str]| Command::new(program).arg(&script).args(arguments).output();
    let made = run(&["make", &count.to_string()]);
    let Some(made) = made.ok().filter(|made| made.status.success()) else {
        return skip::tool(format!("there is no {program}"));
    };
    let sandbox = Sandbox::new();
    sandbox.write("old.jsonl", &made.stdout);
    let ran = sandbox.run("rewrite -q --verify --field v -b https://e.org/ old.jsonl");
    ran.exits(0);
    let mut check = Command::new(program);
    let check = check
        .arg(&script)
        .arg("check")
        .arg(sandbox.path().join("old.jsonl"));
    let mut check = check
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = check.stdin.take().unwrap();
    to.write_all(ran.stdout.trim_end().as_bytes()).unwrap();
    drop(to);
    let told = check.wait_with_output().unwrap().stdout;
    let told = String::from_utf8_lossy(&told);
    let counts: Vec<usize> = told
        .split_whitespace()
        .filter_map(|it| it.parse().ok())
        .collect();
    assert!(
        matches!(counts[..], [all, changed] if all == count && changed > count / 2),
        "{told}"
    );
}

#[test]
#[ignore = "slow tier: another program"]
fn php_reads_what_was_serialized() {
    read_again("php", "values.php", 5_000);
}

#[test]
#[ignore = "slow tier: another program"]
fn python_reads_json_in_fields() {
    read_again("python3", "values.py", 5_000);
}

#[test]
#[ignore = "slow tier: another program"]
fn wordpress_reads_blocks() {
    let root = env!("CARGO_MANIFEST_DIR");
    let modules = format!("{root}/target/blocks/node_modules");
    if !std::path::Path::new(&modules).exists() {
        return skip::tool("there is no parser of WordPress' blocks in target/blocks");
    }
    let sandbox = Sandbox::new();
    let mut node = Command::new("node");
    node.env("NODE_PATH", modules)
        .arg(format!("{root}/tests/containers/rows/blocks.js"));
    let run = node
        .arg(env!("CARGO_BIN_EXE_abslink"))
        .arg(sandbox.path())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&run.stdout);
    assert_eq!(
        told,
        "2000 4000\n",
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
}

#[test]
#[ignore = "slow tier: another program"]
fn nbformat_reads_notebooks() {
    let script = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/containers/rows/notebooks.py"
    );
    let there = Command::new("python3")
        .args(["-c", "import nbformat"])
        .output();
    if !there.is_ok_and(|there| there.status.success()) {
        return skip::tool("there is no nbformat for Python");
    }
    let sandbox = Sandbox::new();
    let mut python = Command::new("python3");
    python.args([script, env!("CARGO_BIN_EXE_abslink")]);
    let run = python.arg(sandbox.path()).arg("30").output().unwrap();
    let told = String::from_utf8_lossy(&run.stdout);
    let counts = told
        .split_once(' ')
        .map(|(all, changed)| (all, changed.trim().parse()));
    let is_right = matches!(counts, Some(("30", Ok(100_usize..))));
    assert!(is_right, "{told}{}", String::from_utf8_lossy(&run.stderr));
}

/// However deep values are, no stack ends; and time grows with the length.
#[test]
fn deep_values_end_no_run() {
    const DEPTH: usize = 200_000;
    let arrays = format!("{}i:1;{}", "a:1:{i:0;".repeat(DEPTH), "}".repeat(DEPTH));
    let lists = format!("{}\"<a href=/x>\"{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    let unclosed = "a:1:{i:0;".repeat(DEPTH);
    let mut inner = "s:10:\"<a href=x>\";".to_owned();
    for _ in 0..2_000 {
        inner = format!("s:{}:\"{inner}\";", inner.len());
    }
    let sandbox = Sandbox::new();
    for (value, code) in [(arrays, 0), (lists, 0), (unclosed, 2), (inner, 2)] {
        let row = format!("{}\n", json!({ "v": value }));
        let command = "rewrite -q --as jsonl --field v --field /v/**/u:url -b https://e.org/ -";
        let ran = sandbox.run_with_input(command, &row);
        ran.exits(code);
        assert_eq!(ran.stdout == row, code == 2 || !value.contains('<'));
    }
}
