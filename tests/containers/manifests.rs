//! Web app manifests, and speculation rules in files of their own: the table testdata/manifests.tsv, and which
//! files are manifests.

use serde_json::Value;
use url::Url;

use crate::cli::Sandbox;
use crate::support::table::{self, Rewrite, hold, outcome};

struct Row {
    name: String,
    options: String,
    file: String,
    expected: String,
    code: i32,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../../testdata/manifests.tsv")
        .replace("{D}", "-b https://e.org/b/f.webmanifest")
        .replace("{H}", "https://e.org");
    let rows = table::rows(&table).map(|fields| {
        let [name, options, file, expected] = fields;
        let (expected, code) = outcome(expected, file);
        Row {
            name: name.to_owned(),
            options: options.to_owned(),
            file: file.to_owned(),
            expected: expected.to_owned(),
            code,
        }
    });
    rows.collect()
}

#[test]
fn the_table() {
    let rows = rows().into_iter().map(|row| Rewrite {
        name: row.name,
        options: row.options.split_whitespace().map(str::to_owned).collect(),
        before: row.file.into_bytes(),
        after: row.expected.into_bytes(),
        code: row.code,
    });
    hold("f.webmanifest", rows);
}

/// The places of a manifest, as JSON pointers; `*` is each element of a list.
const PLACES: [&str; 12] = [
    "/start_url",
    "/scope",
    "/id",
    "/icons/*/src",
    "/screenshots/*/src",
    "/shortcuts/*/url",
    "/shortcuts/*/icons/*/src",
    "/share_target/action",
    "/file_handlers/*/action",
    "/file_handlers/*/icons/*/src",
    "/protocol_handlers/*/url",
    "/related_applications/*/url",
];

/// All strings in JSON, each with its pointer.
fn strings(value: &Value, pointer: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((pointer.to_owned(), text.clone())),
        Value::Array(values) => {
            for value in values {
                strings(value, &format!("{pointer}/*"), found);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                strings(value, &format!("{pointer}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// serde_json finds the same strings before and after, each URL with the target that the crate `url` tells; and
/// nothing else has changed.
#[test]
fn a_second_reader_finds_the_same_targets() {
    let own = Url::parse("https://e.org/b/f.webmanifest").unwrap();
    let mut met = Vec::new();
    for row in rows().iter().filter(|row| row.code == 0) {
        let is_special = row.file.contains("mailto:a@b");
        if is_special || row.options.contains("--as") || row.options.contains("--skip") {
            continue;
        }
        let [old, new] = [&row.file, &row.expected].map(|text| {
            let mut found = Vec::new();
            strings(&serde_json::from_str(text).unwrap(), "", &mut found);
            found
        });
        let start = old.iter().find(|(pointer, _)| pointer == "/start_url");
        let start = start.map_or(own.clone(), |(_, start)| own.join(start).unwrap());
        assert_eq!(old.len(), new.len(), "{}", row.name);
        for ((pointer, was), (also, is)) in old.iter().zip(&new) {
            assert_eq!(pointer, also, "{}", row.name);
            if !PLACES.contains(&&**pointer) || was.is_empty() {
                assert_eq!(was, is, "{}", row.name);
                continue;
            }
            // The standard: `id` is relative to the origin of `start_url`.
            let base = match &**pointer {
                "/id" => start.join("/").unwrap(),
                _ => own.clone(),
            };
            assert_eq!(Url::parse(is), base.join(was), "{}", row.name);
            met.extend((was != is).then(|| pointer.clone()));
        }
    }
    for place in PLACES {
        assert!(met.iter().any(|it| it == place), "{place}");
    }
}

/// The second reader finds a fault, and the manifest is left.
#[cfg(debug_assertions)]
#[test]
fn a_fault_is_found() {
    let sandbox = Sandbox::new();
    let manifest = "{\"start_url\":\"/s\",\"id\":\"i\",\"name\":\"n\"}";
    for fault in ["e.org/s=>e.org/t", "e.org/i=>e.org/b/i", "\"n\"=>\"o\""] {
        sandbox.finds_fault("f.webmanifest", manifest, "https://e.org/b/", fault);
    }
}
