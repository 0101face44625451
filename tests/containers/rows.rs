//! Rows: the table testdata/rows.tsv, generated documents in every spelling, damage, and what is said.

mod damage;
mod exports;
mod generated;
mod limits;
#[cfg(target_os = "linux")]
mod memory;
mod readers;
mod second;
mod values;

use std::fs;
use std::io::{Read, Write};

use crate::cli::{Ran, Sandbox};
use crate::support::table::lines;

/// The columns of a line of the table.
fn columns(line: &str) -> Vec<String> {
    let column = |column: &str| {
        let quoted = format!("\"{}\"", column.replace('"', "\\\""));
        serde_json::from_str(&quoted).unwrap_or_else(|error| panic!("{error}: {quoted}"))
    };
    line.split('\t').map(column).collect()
}

#[test]
fn the_table() {
    let table = include_str!("../../testdata/rows.tsv");
    let sandbox = Sandbox::new();
    for line in lines(table) {
        let columns = columns(line);
        let [options, input, expected, code] = &columns[..] else {
            panic!("not four columns: {line}");
        };
        for verify in ["", "--verify"] {
            let command = format!("rewrite -q {verify} {options} -");
            let ran = sandbox.run_with_input(&command, input);
            assert_eq!(ran.stdout, *expected, "{line}");
            ran.exits(code.parse().unwrap());
        }
        let words: Vec<&str> = options.split(' ').collect();
        let given = words.windows(2).map(|pair| (pair[0], pair[1]));
        let value = |option| {
            given
                .clone()
                .find(|pair| pair.0 == option)
                .map(|pair| pair.1)
        };
        let delimiter = match (value("--delimiter"), value("--as")) {
            (Some(delimiter), _) => delimiter.chars().next(),
            (None, Some("csv")) => Some(','),
            (None, Some("tsv")) => Some('\t'),
            _ => None,
        };
        if let (Some(delimiter), false) = (delimiter, expected.is_empty()) {
            let fields = given.clone().filter(|pair| pair.0 == "--field");
            let fields = fields.map(|(_, field)| field.rsplit_once(':').map_or(field, |it| it.0));
            readers::agree(input, expected, delimiter, &fields.collect::<Vec<_>>());
        }
        // A second run changes nothing.
        let again = sandbox.run_with_input(&format!("rewrite -q {options} -"), expected);
        assert_eq!(again.stdout, *expected, "{line}");
    }
}

const ROWS: &str = "{\"u\":\"http://h/1/\",\"b\":\"<a href=x>\"}\n{\"b\":\"<p>\\n<a href=y>\"}\n";

/// A file that is compressed is so afterwards; one that does not change is copied byte for byte.
#[test]
fn compressed_rows_stay_compressed() {
    let sandbox = Sandbox::new();
    let gzip = |text: &str| {
        let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        to.write_all(text.as_bytes()).unwrap();
        to.finish().unwrap()
    };
    let path = |name: &str| sandbox.path().join(name);
    let expected = ROWS
        .replace("=x", "=http://h/1/x")
        .replace("=y", "=http://k/y");
    let done = gzip(&expected);
    fs::create_dir(path("in")).unwrap();
    fs::write(path("in/a.jsonl.gz"), gzip(ROWS)).unwrap();
    fs::write(
        path("in/b.ndjson.zst"),
        zstd::encode_all(ROWS.as_bytes(), 3).unwrap(),
    )
    .unwrap();
    fs::write(path("in/c.jsonl.gz"), &done).unwrap();
    let options = "--field b --url-field u -b http://k/";
    let run = format!("rewrite {options} in --ext jsonl.gz,ndjson.zst -o out");
    let ran = sandbox.run(&run);
    ran.exits(0);
    let mut text = String::new();
    let packed = fs::read(path("out/a.jsonl.gz")).unwrap();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, expected);
    let packed = fs::read(path("out/b.ndjson.zst")).unwrap();
    assert_eq!(zstd::decode_all(&packed[..]).unwrap(), expected.as_bytes());
    assert!(fs::read(path("out/c.jsonl.gz")).unwrap() == done);
    // In place.
    let ran = sandbox.run(&format!("rewrite -i {options} in/a.jsonl.gz"));
    ran.exits(0);
    let again = fs::read(path("in/a.jsonl.gz")).unwrap();
    sandbox.run(&format!("rewrite -i {options} in/a.jsonl.gz"));
    assert!(fs::read(path("in/a.jsonl.gz")).unwrap() == again);
    // What is cut is left, and nothing takes its place.
    let cut = &done[..done.len() - 12];
    fs::write(path("in/d.jsonl.gz"), cut).unwrap();
    let ran = sandbox.run(&format!("rewrite -i {options} in/d.jsonl.gz"));
    ran.exits(2).says("error: in/d.jsonl.gz: cannot read");
    assert!(fs::read(path("in/d.jsonl.gz")).unwrap() == cut);
}

#[track_caller]
fn says(ran: &Ran, expected: &str) {
    ran.exits(2).says(expected);
}

#[test]
fn what_is_named_wrongly_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("rows.jsonl", ROWS);
    sandbox.write("rows.csv", "title,text\na,b\n");
    sandbox.write("data.json", "{\"posts\":[{\"html\":\"<a href=x>\"}]}");
    says(
        &sandbox.run("rewrite rows.jsonl --field body"),
        "error: rows.jsonl: no field `body`; this file has: /u, /b",
    );
    // Else each row would get the base URL that is given, if it is not found in any.
    for command in ["rewrite", "check", "rewrite -o out"] {
        let run = |fields: &str| sandbox.run(&format!("{command} -b http://k/ {fields}"));
        let line = "no field `v`, which --url-field names; this file has:";
        says(
            &run("rows.jsonl --field b --url-field v"),
            &format!("{line} /u, /b"),
        );
        says(
            &run("rows.csv --field text --url-field v"),
            &format!("{line} title, text"),
        );
    }
    sandbox.lacks("out/rows.jsonl");
    sandbox.write("twice.csv", "u,text,u\n,<a href=x>,\n");
    says(
        &sandbox.run("rewrite twice.csv --field text --url-field u"),
        "two columns are called \"u\", so the URL is ambiguous",
    );
    sandbox.write("none.json", "");
    says(
        &sandbox.run("check none.json --field b"),
        "none.json#1: unchanged: not JSON",
    );
    sandbox.write("none.jsonl.gz", "");
    says(&sandbox.run("check none.jsonl.gz --field b"), "but empty");
    says(
        &sandbox.run("check rows.csv --field body"),
        "this file has: title, text",
    );
    says(
        &sandbox.run("check --as json data.json"),
        "this file has: /posts/*/html",
    );
    says(
        &sandbox.run("check data.json"),
        "skipped: JSON by its name\nhint: abslink check --field NAME",
    );
    says(
        &sandbox.run("rewrite rows.csv"),
        "skipped: rows of data by its name\nhint: abslink rewrite --field NAME",
    );
    says(
        &sandbox.run("check - --field b"),
        "add --as json, jsonl, csv or tsv",
    );
    says(
        &sandbox.run("check rows.csv --field text --delimiter xy"),
        "one ASCII character",
    );
    says(
        &sandbox.run("check rows.csv --field text --delimiter ,, "),
        "one ASCII character",
    );
    says(
        &sandbox.run("rewrite rows.jsonl --field b --to files -b http://h/ -o out"),
        "--to files",
    );
    let fields = " --field f".repeat(64);
    let many = format!("check rows.jsonl{fields} --field b -b http://h/");
    sandbox.run(&many).exits(1);
}
