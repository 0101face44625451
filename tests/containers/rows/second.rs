//! A second reader of testdata/rows.tsv: serde_json and the crate csv for rows, lol_html for links, and the crate
//! `url` for where they lead.

use lol_html::{RewriteStrSettings, element, rewrite_str};
use serde_json::{Map, Value};
use url::Url;

/// The links of a document.
fn links(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    let handler = element!("*", |element| {
        let names = ["href", "src"].into_iter();
        found.extend(names.filter_map(|name| element.get_attribute(name)));
        Ok(())
    });
    let settings = RewriteStrSettings::new().append_element_content_handler(handler);
    rewrite_str(html, settings).unwrap();
    found
}

/// The rows of a file.
fn rows(text: &str, format: &str, delimiter: u8) -> Vec<Value> {
    let text = text.trim_start_matches('\u{feff}');
    if format == "json" {
        return vec![serde_json::from_str(text).unwrap()];
    }
    if format == "jsonl" {
        let lines = text.lines().filter(|line| !line.is_empty());
        // serde_json has no string for half a surrogate pair.
        let lines = lines.map(|line| {
            line.replace("\\ud800", "\\ufffd")
                .replace("\\udc00", "\\ufffd")
        });
        return lines
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect();
    }
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(delimiter).from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let records = reader.records().map(|record| {
        let record = record.unwrap();
        // A name that is there twice is another one.
        let members = header
            .iter()
            .zip(&record)
            .enumerate()
            .map(|(nth, (name, value))| {
                let name = match header.iter().position(|it| it == name) {
                    Some(first) if first == nth => name.to_owned(),
                    _ => format!("{name} {nth}"),
                };
                (name, Value::from(value))
            });
        Value::Object(members.collect::<Map<_, _>>())
    });
    records.collect()
}

/// Compares two values; returns how many links have changed.
fn compare(old: &Value, new: &Value, base: Option<&Url>, shown: &str) -> usize {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            assert!(old.keys().eq(new.keys()), "{shown}");
            let url = ["u", "url"].iter().find_map(|name| old.get(*name));
            let url = url.and_then(Value::as_str).filter(|url| !url.is_empty());
            let own = url.and_then(|url| match base {
                Some(base) => base.join(url).ok(),
                None => Url::parse(url).ok(),
            });
            let inner = if url.is_some() { own.as_ref() } else { base };
            let members = old.iter().zip(new.values()).map(|((name, old), new)| {
                // The URL is not relative to itself.
                let base = if name == "u" { base } else { inner };
                compare(old, new, base, shown)
            });
            members.sum()
        }
        (Value::Array(old), Value::Array(new)) => {
            assert_eq!(old.len(), new.len(), "{shown}");
            let elements = old.iter().zip(new);
            elements
                .map(|(old, new)| compare(old, new, base, shown))
                .sum()
        }
        (Value::String(old), Value::String(new)) if old != new => {
            let joined = |link: &str| match base {
                Some(base) => base.join(link),
                None => Url::parse(link),
            };
            if !old.contains('<') {
                assert_eq!(Url::parse(new), joined(old), "{shown}");
                return 1;
            }
            let (old, new) = (links(old), links(new));
            assert_eq!(old.len(), new.len(), "{shown}");
            for (old, new) in old.iter().zip(&new) {
                let new = htmlize::unescape_attribute(new);
                let old = htmlize::unescape_attribute(old);
                assert_eq!(Url::parse(&new), joined(&old), "{shown}");
            }
            old.len()
        }
        _ => {
            assert_eq!(old, new, "{shown}");
            0
        }
    }
}

#[test]
fn a_second_reader_finds_the_same_targets() {
    let table = include_str!("../../../testdata/rows.tsv");
    let mut changed = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns = super::columns(line);
        let [options, before, after, code] = &columns[..] else {
            panic!("not four columns: {line}");
        };
        let words: Vec<&str> = options.split(' ').collect();
        let given = |option: &str| {
            let at = words.iter().position(|word| *word == option)?;
            Some(words[at + 1])
        };
        // Their rows are no rows; lol_html reads neither feeds nor style sheets, and no `base` is looked for.
        let is_other = ["feed", "css", "urls"].map(|kind| options.contains(&format!(":{kind}")));
        if code == "2"
            || given("--to").is_some()
            || is_other.contains(&true)
            || before.contains("<base")
        {
            continue;
        }
        let format = given("--as").unwrap();
        let delimiter = match (given("--delimiter"), format) {
            (Some(delimiter), _) => delimiter.as_bytes()[0],
            (None, "tsv") => b'\t',
            (None, _) => b',',
        };
        let base = given("-b").map(|base| Url::parse(base).unwrap());
        let [old, new] = [before, after].map(|text| rows(text, format, delimiter));
        assert_eq!(old.len(), new.len(), "{line}");
        for (old, new) in old.iter().zip(&new) {
            changed += compare(old, new, base.as_ref(), line);
        }
    }
    assert!(changed > 20, "{changed}");
}
