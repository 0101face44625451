//! How much memory rows take: at most two for each job, beside what any file takes.

use std::fs;
use std::process::Stdio;

use crate::support::generate::page;
use crate::support::links::abslink;
use crate::support::peak;

/// What any file may take, beside the rows in flight.
const ANY: u64 = 64 << 20;

/// The most memory that a run over one file takes; it has to end with this code.
fn peak_of(name: &str, file: &[u8], arguments: &str, code: i32) -> u64 {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(name), file).unwrap();
    let mut run = abslink();
    run.args(arguments.split(' '))
        .args(["-q", "--base-url", "http://h/a/", name])
        .current_dir(directory.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let (ended, peak) = peak::run(&mut run);
    assert_eq!(ended.code(), Some(code), "{arguments}");
    peak
}

/// What is decoded of a field takes its own length, however many there are.
#[test]
#[ignore = "slow tier: memory"]
fn a_row_of_many_fields() {
    let fields = vec![r#""\"<a href=x>""#; 60_000].join(",");
    let row = format!("{{\"a\":[{fields}]}}\n");
    assert!(row.len() < 1 << 20);
    let arguments = "rewrite --field /a/* --jobs 1 -o out";
    let peak = peak_of("a.jsonl", row.as_bytes(), arguments, 0);
    assert!(peak < ANY, "{} MiB", peak >> 20);
}

/// Fields that no column is for are counted, not kept.
#[test]
#[ignore = "slow tier: memory"]
fn a_record_of_many_fields() {
    let record = ",".repeat(5 << 20);
    let file = format!("body,url\n{record}\n<a href=x>,http://h/\n");
    let arguments = "rewrite --field body --jobs 1 -o out";
    let peak = peak_of("a.csv", file.as_bytes(), arguments, 2);
    assert!(peak < ANY + 2 * record.len() as u64, "{} MiB", peak >> 20);
    let file = format!("{record}\n");
    peak_of("a.csv", file.as_bytes(), arguments, 2);
}

/// What is open in a row that is deeply nested takes little more than the row.
#[test]
#[ignore = "slow tier: memory"]
fn a_row_that_is_nested_deeply() {
    const DEPTH: usize = 4 << 20;
    let objects = format!("{}1{}\n", "{\"a\":".repeat(DEPTH), "}".repeat(DEPTH));
    let arrays = format!("{}{}\n", "[".repeat(4 * DEPTH), "]".repeat(4 * DEPTH));
    for (row, code) in [
        (objects, 2),
        (arrays.clone(), 2),
        (arrays.replace(']', ""), 2),
    ] {
        for field in ["b", "/a/*/b", "/*/*/b:urls"] {
            let arguments = format!("rewrite --field {field} --jobs 1 -o out");
            let peak = peak_of("a.jsonl", row.as_bytes(), &arguments, code);
            let most = ANY + 2 * row.len() as u64;
            let mebibytes = [peak, most].map(|bytes| bytes >> 20);
            assert!(peak < most, "{field}: {mebibytes:?} MiB");
        }
    }
    // The members of a feed and of a manifest are found in the same way.
    for (kind, code) in [("feed", 2), ("manifest", 0)] {
        let arguments = format!("rewrite --as {kind} --jobs 1 -o out");
        let peak = peak_of("a.json", arrays.as_bytes(), &arguments, code);
        let most = ANY + 3 * arrays.len() as u64;
        assert!(peak < most, "{kind}: {} MiB", peak >> 20);
    }
}

#[test]
#[ignore = "slow tier: memory"]
fn large_rows_take_two_for_each_job() {
    for (rows, length) in [(2_000, 10 << 10), (12, 6 << 20), (8, 12 << 20)] {
        let row = format!("{}\n", serde_json::json!({ "html": page(length) }));
        let file = row.repeat(rows);
        for jobs in [1, 2] {
            for (command, code) in [("check", 1), ("rewrite -o out", 0)] {
                let arguments = format!("{command} --field html --jobs {jobs}");
                let peak = peak_of("a.jsonl", file.as_bytes(), &arguments, code);
                let most = ANY + 2 * jobs * row.len() as u64;
                let mebibytes = [peak, most].map(|bytes| bytes >> 20);
                assert!(peak < most, "{arguments}: {mebibytes:?} MiB of {length}");
            }
        }
    }
}
