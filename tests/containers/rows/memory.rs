//! How much memory rows take: at most two for each job, beside what any file takes.

use std::fs;
use std::process::Stdio;

use crate::support::links::abslink;
use crate::support::peak;

/// What any file may take, beside the rows in flight.
const ANY: u64 = 64 << 20;

/// The most memory that a run over one file takes; it has to end with this code.
fn peak_of(file: &[u8], arguments: &str, code: i32) -> u64 {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.jsonl"), file).unwrap();
    let mut run = abslink();
    run.args(arguments.split(' '))
        .args(["-q", "--base-url", "http://h/a/", "a.jsonl"])
        .current_dir(directory.path())
        .stdout(Stdio::null());
    let (ended, peak) = peak::run(&mut run);
    assert_eq!(ended.code(), Some(code), "{arguments}");
    peak
}

/// What is decoded of a field takes its own length, however many there are.
#[test]
fn a_row_of_many_fields() {
    let fields = vec![r#""\"<a href=x>""#; 60_000].join(",");
    let row = format!("{{\"a\":[{fields}]}}\n");
    assert!(row.len() < 1 << 20);
    let peak = peak_of(
        row.as_bytes(),
        "rewrite --html-field /a/* --jobs 1 -o out",
        0,
    );
    assert!(peak < ANY, "{} MiB", peak >> 20);
}
