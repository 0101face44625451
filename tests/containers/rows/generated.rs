//! Generated documents in rows: what comes out is what comes of each document alone.

use std::collections::BTreeMap;

use abslink::{Context, Settings, Syntax, rewrite_bytes};
use abslink_html::UnquotedField;

use super::readers;
use crate::cli::Sandbox;
use crate::support::generate;

const DOCUMENTS: usize = 1_500;

/// Documents, and what becomes of each that was retrieved from `http://h.example/N/`; in a field without quotes, if it
/// could be in one.
fn documents(delimiter: Option<u8>) -> (Vec<String>, Vec<String>) {
    let field = delimiter.map(|delimiter| UnquotedField { delimiter });
    let (mut old, mut new) = (Vec::new(), Vec::new());
    generate::documents(DOCUMENTS, |document| {
        let url = format!("http://h.example/{}/", old.len());
        let mut context = Context::retrieved_from(&url).unwrap();
        context.charset = Some("utf-8".to_owned());
        context.field = field.filter(|field| !document.bytes().any(|byte| field.lacks(byte)));
        let settings = Settings::default();
        let rewritten = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        new.push(String::from_utf8(rewritten.document.into_owned()).unwrap());
        old.push(document.to_owned());
        Ok(())
    });
    assert!(old != new);
    (old, new)
}

/// Runs the command with several numbers of jobs, of which nothing depends.
fn rewritten(name: &str, rows: &[u8]) -> Vec<u8> {
    let sandbox = Sandbox::new();
    sandbox.write(name, rows);
    let run = |jobs: u32| {
        let options = "--field body --url-field url -q";
        let mut command = sandbox.abslink(&format!("rewrite -j{jobs} {options} {name}"));
        let ran = command.output().unwrap();
        // A document that is left as it is makes the exit code 2, and is copied.
        assert!(matches!(ran.status.code(), Some(0..=2)), "{ran:?}");
        ran.stdout
    };
    let out = run(3);
    assert_eq!(out, run(1));
    out
}

/// In JSON as serde_json reads it, spelled in three ways.
#[test]
fn json_lines() {
    let (old, new) = documents(None);
    let mut rows = String::new();
    for (number, document) in old.iter().enumerate() {
        let quoted = serde_json::to_string(document).unwrap();
        let quoted = match number % 3 {
            0 => quoted,
            1 => quoted.replace('<', "\\u003C").replace('/', "\\/"),
            _ => {
                let escaped = quoted.chars().map(|character| {
                    let mut units = [0; 2];
                    match character.is_ascii() {
                        true => character.to_string(),
                        false => (character.encode_utf16(&mut units).iter())
                            .map(|unit| format!("\\u{unit:04x}"))
                            .collect(),
                    }
                });
                escaped.collect()
            }
        };
        let url = format!("\"url\": \"http://h.example/{number}/\"");
        let row = format!("{{\"n\": {number}.0e0 ,\"body\":{quoted}, {url}}}\n");
        rows.push_str(&row);
    }
    let out = String::from_utf8(rewritten("rows.jsonl", rows.as_bytes())).unwrap();
    for ((number, line), expected) in out.lines().enumerate().zip(&new) {
        let row: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        assert_eq!(row["body"], **expected, "{number}");
        assert!(
            line.starts_with(&format!("{{\"n\": {number}.0e0 ,\"body\":\"")),
            "{line}"
        );
    }
    assert_eq!(out.lines().count(), new.len());
}

/// In CSV as the crate of that name reads it.
#[test]
fn csv() {
    let (old, new) = documents(Some(b','));
    let mut rows = csv::WriterBuilder::new().from_writer(Vec::new());
    rows.write_record(["n", "body", "url"]).unwrap();
    for (number, document) in old.iter().enumerate() {
        let url = format!("http://h.example/{number}/");
        rows.write_record([&number.to_string(), document, &url])
            .unwrap();
    }
    let rows = rows.into_inner().unwrap();
    let out = rewritten("rows.csv", &rows);
    let [before, after] = [&rows, &out].map(|rows| String::from_utf8(rows.clone()).unwrap());
    readers::agree(&before, &after, ',', &["body"]);
    let mut read = csv::Reader::from_reader(&out[..]);
    let mut rows = 0;
    for (number, record) in read.records().enumerate() {
        let record = record.unwrap();
        assert_eq!(record[1], new[number], "{number}");
        assert_eq!(record[0], number.to_string());
        rows += 1;
    }
    assert_eq!(rows, new.len());
}
