//! Rows that are cut or damaged, and files of them that are compressed: what is still good is done, and all else
//! stays. What is good, serde_json and the crate csv say.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};

use abslink::{Context, Settings, Syntax, rewrite_bytes};
use serde_json::Value;

use super::readers;
use crate::cli::{Ran, Sandbox};
use crate::support::rounds;

const ROWS: usize = 40;

/// How often each kind of file is damaged.
fn places() -> usize {
    let asked = std::env::var("ABSLINK_PLACES").ok();
    asked.map_or_else(|| rounds(2_000), |places| places.parse().unwrap())
}

/// A file that is damaged in one place.
struct Damaged {
    text: String,
    at: usize,
    /// What is there too much, or `""` where a byte is missing; `None` is the end of the file.
    what: Option<&'static str>,
}

/// A file damaged at many places.
fn damaged(old: &str) -> Vec<Damaged> {
    const WHAT: [Option<&str>; 6] = [
        None,
        Some("\""),
        Some("x"),
        Some("\n"),
        Some("\\"),
        Some(""),
    ];
    let places = places();
    let damages = (0..places).map(|place| {
        let (at, what) = (place * old.len() / places, WHAT[place % WHAT.len()]);
        let (before, after) = old.split_at(at);
        let text = match what {
            None => before.to_owned(),
            Some("") => format!("{before}{}", &after[1..]),
            Some(more) => format!("{before}{more}{after}"),
        };
        Damaged { text, at, what }
    });
    damages.collect()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut to = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    to.write_all(text.as_bytes()).unwrap();
    to.finish().unwrap()
}

fn gunzip(packed: &[u8]) -> String {
    let mut text = String::new();
    let mut from = flate2::read::MultiGzDecoder::new(packed);
    from.read_to_string(&mut text).unwrap();
    text
}

/// Each file of this many is there compressed, too.
const PACKED: usize = 10;

/// Rewrites all files in one run; every error is on standard error, as for programs.
fn named(sandbox: &Sandbox, options: &str) -> Ran {
    let fields = "--field body --url-field url";
    let mut ran = sandbox.run(&format!(
        "rewrite -q -o out d {options} {fields} --format json"
    ));
    let summary: Value = serde_json::from_str(&ran.stdout).unwrap();
    let errors = summary["errors"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let line = |it: &Value| format!("error: {}: {}\n", text(&it["file"]), text(&it["error"]));
    ran.stderr = errors.iter().map(line).collect();
    ran
}

/// Rewrites all files in one run. The answers are what became of each, and what was said.
fn rewritten<'t>(files: impl Iterator<Item = &'t str>, ending: &str) -> (Vec<String>, Ran) {
    let sandbox = Sandbox::new();
    let mut number = 0;
    for file in files {
        sandbox.write(format!("d/{number}.{ending}"), file);
        if number % PACKED == 0 {
            let packed = format!("d/{number}.{ending}.gz");
            sandbox.write(packed, gzip(file));
        }
        number += 1;
    }
    let ran = named(&sandbox, &format!("--ext {ending},{ending}.gz"));
    assert!(matches!(ran.code, Some(0..=2)), "{ran:?}");
    let read = |name: String| fs::read(sandbox.path().join(name)).unwrap();
    let new = (0..number).map(|number| {
        let plain = String::from_utf8(read(format!("out/{number}.{ending}"))).unwrap();
        if number % PACKED == 0 {
            let packed = read(format!("out/{number}.{ending}.gz"));
            assert!(gunzip(&packed) == plain, "{number}: {plain}");
        }
        plain
    });
    (new.collect(), ran)
}

fn document(nth: usize, link: &str) -> String {
    let line = if nth.is_multiple_of(4) { "\n" } else { " " };
    format!("<p>{line}<a href=\"{link}\">, {nth}</a>")
}

/// A file without what follows each `href=` in its tag, whose quotes may be damaged: all other bytes stay.
fn masked(text: &str) -> String {
    let links = regex::Regex::new("(?i)(href[^=>]*=)[^>]*").unwrap();
    links.replace_all(text, "$1").into_owned()
}

/// What serde_json makes of a row, with the document that the library makes of the one in it; `None` if it is
/// no JSON.
fn expected(line: &str) -> Option<Value> {
    let mut row: Value = serde_json::from_str(line).ok()?;
    let url = row.get("url").and_then(Value::as_str);
    let context = url.and_then(|url| Context::retrieved_from(url).ok());
    let mut context = context.unwrap_or_default();
    context.charset = Some("utf-8".to_owned());
    if let Some(Value::String(body)) = row.get_mut("body") {
        let bytes = body.as_bytes();
        let new = rewrite_bytes(bytes, Syntax::Html, &context, &Settings::default());
        *body = String::from_utf8(new.document.into_owned()).unwrap();
    }
    Some(row)
}

#[test]
fn lines_of_json() {
    let rows = (0..ROWS).map(|nth| {
        let body = serde_json::to_string(&document(nth, "x")).unwrap();
        format!("{{\"url\":\"http://h/{nth}/\",\"body\":{body}}}\n")
    });
    let files = damaged(&rows.collect::<String>());
    let (new, ran) = rewritten(files.iter().map(|file| &*file.text), "jsonl");
    let mut bad = BTreeSet::new();
    for (number, (file, new)) in files.iter().zip(&new).enumerate() {
        assert_eq!(masked(new), masked(&file.text));
        assert_eq!(new.matches('\n').count(), file.text.matches('\n').count());
        for (nth, (was, is)) in file.text.lines().zip(new.lines()).enumerate() {
            if was.is_empty() {
                continue;
            }
            match expected(was) {
                Some(row) => assert_eq!(serde_json::from_str::<Value>(is).unwrap(), row),
                None => {
                    assert_eq!(was, is);
                    let row = nth + 1;
                    bad.insert(format!("d/{number}.jsonl#{row}"));
                    if number % PACKED == 0 {
                        bad.insert(format!("d/{number}.jsonl.gz#{row}"));
                    }
                }
            }
        }
    }
    // Those rows are named, and no others.
    let named = ran.stderr.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("error: ")?.split_once(": ")?;
        Some(name.to_owned())
    });
    assert_eq!(named.collect::<BTreeSet<_>>(), bad);
    ran.exits(2);
}

/// Some are over several lines, which damage may tear.
#[test]
fn records_of_csv() {
    let record = |nth: usize, link: &str| {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let url = format!("http://h/{nth}/");
        writer
            .write_record([&nth.to_string(), &document(nth, link), &url])
            .unwrap();
        String::from_utf8(writer.into_inner().unwrap()).unwrap()
    };
    let rows: Vec<_> = (0..ROWS)
        .map(|nth| (record(nth, "x"), record(nth, &format!("http://h/{nth}/x"))))
        .collect();
    let old: String = rows.iter().map(|(old, _)| &**old).collect();
    let files = damaged(&old);
    let header = "id,body,url\n";
    let texts: Vec<_> = files
        .iter()
        .map(|file| format!("{header}{}", file.text))
        .collect();
    let (new, ran) = rewritten(texts.iter().map(|text| &**text), "csv");
    let read = |text: &str| -> Option<Vec<csv::StringRecord>> {
        csv::Reader::from_reader(text.as_bytes())
            .records()
            .collect::<Result<_, _>>()
            .ok()
    };
    let mut compared = 0;
    for (number, ((file, text), new)) in files.iter().zip(&texts).zip(&new).enumerate() {
        let Damaged { at, what, .. } = file;
        assert_eq!(masked(new), masked(text));
        readers::agree(text, new, ',', &["body"]);
        let mut start = 0;
        for (nth, (old, done)) in rows.iter().enumerate() {
            let end = start + old.len();
            let is_cut = what.is_none() && *at < end;
            // Without its line break, the row before goes on in this one.
            let is_joined = *what == Some("") && at + 1 == start;
            let is_touched = (start..end).contains(at) || is_cut || is_joined;
            assert!(
                is_touched || new.contains(done.as_str()),
                "{what:?} at {at}: row {nth} is not done: {done}{new}"
            );
            start = end;
        }
        // Where no record is bad, they are what the crate csv reads.
        if ran.stderr.contains(&format!("error: d/{number}.csv#")) {
            continue;
        }
        let (Some(old), Some(new)) = (read(text), read(new)) else {
            panic!("{what:?} at {at} makes a bad record: {text}");
        };
        assert_eq!(old.len(), new.len());
        compared += 1;
        for (old, new) in old.iter().zip(&new) {
            let row = serde_json::json!({"body": &old[1], "url": &old[2]}).to_string();
            assert_eq!(expected(&row).unwrap()["body"], new[1]);
            assert_eq!([&old[0], &old[2]], [&new[0], &new[2]]);
        }
    }
    assert!(compared > places() / 4, "{compared}");
}

/// What is damaged in the compressed bytes is left, unless it does not matter.
#[test]
fn compressed_files() {
    for ending in ["jsonl", "csv"] {
        let [old, new] = ["x", "http://h/7/x"].map(|link| match ending {
            "jsonl" => {
                let body = serde_json::to_string(&document(7, link)).unwrap();
                format!("{{\"body\":{body},\"url\":\"http://h/7/\"}}\n").repeat(ROWS)
            }
            _ => {
                let body = document(7, link).replace('"', "\"\"");
                format!(
                    "body,url\n{}",
                    format!("\"{body}\",http://h/7/\n").repeat(ROWS)
                )
            }
        });
        let packed = gzip(&old);
        let sandbox = Sandbox::new();
        fs::create_dir(sandbox.path().join("d")).unwrap();
        let places = places().min(packed.len() * 8);
        for place in 0..places {
            let bit = place * packed.len() * 8 / places;
            let mut wrong = packed.clone();
            match place % 3 {
                0 => wrong.truncate(bit / 8),
                _ => wrong[bit / 8] ^= 1 << (bit % 8),
            }
            sandbox.write(format!("d/{place}.{ending}.gz"), wrong);
        }
        let ran = named(&sandbox, &format!("--ext {ending}.gz"));
        ran.exits(2);
        let (mut done, mut missing) = (0, 0);
        for place in 0..places {
            let name = format!("{place}.{ending}.gz");
            let Ok(out) = fs::read(sandbox.path().join("out").join(&name)) else {
                missing += 1;
                continue;
            };
            // Nothing is left of a file that is cut at its beginning, and of what is no longer compressed.
            if out.starts_with(b"\x1f\x8b") {
                assert!(gunzip(&out) == new, "{name}");
                done += 1;
            }
        }
        assert!(done > 0 && done < places / 4, "{done} of {places}");
        // The first ten of a kind are named.
        let line = ran.stderr.lines().find(|line| line.starts_with("… and "));
        let more = line.and_then(|line| line.split(' ').nth(2)?.replace(',', "").parse().ok());
        let named = ran.stderr.matches("error: d/").count();
        assert!(named + more.unwrap_or(0) >= missing, "{missing}: {ran:?}");
    }
}
