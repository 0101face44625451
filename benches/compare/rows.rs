//! Rows: abslink on JSON Lines, beside reading them and beside Python with lxml.

use std::borrow::Cow;
use std::env;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::Setting;
use crate::machine::cores;
use crate::run::{Program, abslink, grouped, in_turn, seconds};
use crate::tree;

/// What is read of a row, borrowed where nothing in it is escaped.
#[derive(Deserialize)]
struct Row<'r> {
    #[serde(borrow)]
    url: Cow<'r, str>,
    #[serde(borrow)]
    body: Cow<'r, str>,
}

/// Reads all rows, with serde_json: what any program has to do.
pub(crate) fn read(rows: &Path) {
    let file = File::open(rows).expect("the rows are there");
    let mut from = BufReader::with_capacity(1 << 20, file);
    let (mut line, mut length) = (Vec::new(), 0);
    while from.read_until(b'\n', &mut line).expect("readable") > 0 {
        let row: Row<'_> = serde_json::from_slice(&line).expect("a row");
        length += row.url.len() + row.body.len();
        line.clear();
    }
    assert!(length > 0);
}

/// All programs on the same rows, in turn.
pub(crate) fn compare(setting: &Setting) {
    let room = setting.scratch.path();
    let [all, part, out] = ["rows.jsonl", "part.jsonl", "out"].map(|name| room.join(name));
    let length: u64 = if setting.quick { 20 << 20 } else { 2 << 30 };
    let pages = &setting.pages;
    let (rows, bytes) = make(pages, &all, length);
    // Python takes minutes for all of them.
    let (_, few) = make(pages, &part, length / 16);
    println!(
        "### Rows\n\n{} rows, {} MB in all; lxml on the first {} MB.\n\n\
         | program | time | processor time | MB/s | memory |\n|---|---|---|---|---|",
        grouped(rows),
        grouped(bytes / 1_000_000),
        grouped(few / 1_000_000),
    );
    let reading = || {
        let mut command = Command::new(env::current_exe().expect("this program has a path"));
        command.arg("--read-rows").arg(&all);
        command
    };
    // Reading writes no file, and so neither does the rewriting that is compared with it: standard output is /dev/null.
    let shown = |jobs: usize| {
        let mut command = abslink("rewrite");
        command.args(["-q", "--field", "body", "--url-field", "url"]);
        command.arg(format!("-j{jobs}")).arg(&all);
        command
    };
    let written = |jobs: usize| {
        let mut command = shown(jobs);
        command.arg("-o").arg(&out);
        command
    };
    let copy = || {
        let mut command = Command::new("cp");
        command.arg(&all).arg(room.join("copy.jsonl"));
        command
    };
    let python = || {
        let mut command = Command::new("python3");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/compare/rows.py");
        command.arg(script).arg(&part).arg(room.join("lxml.jsonl"));
        command
    };
    let many = ["", " with -o"].map(|how| format!("abslink, {} jobs{how}", cores()));
    // References that do not resolve make the exit code 1.
    let programs: [Program<'_>; 7] = [
        ("serde_json, reading alone", &reading, &[0]),
        ("abslink, 1 job", &|| shown(1), &[0, 1]),
        (&many[0], &|| shown(cores()), &[0, 1]),
        ("abslink, 1 job with -o", &|| written(1), &[0, 1]),
        (&many[1], &|| written(cores()), &[0, 1]),
        ("cp", &copy, &[0]),
        ("json and lxml", &python, &[0]),
    ];
    let taken = in_turn(setting.runs, &programs, &out);
    let sizes = [bytes, bytes, bytes, bytes, bytes, bytes, few];
    for (((name, ..), runs), bytes) in programs.iter().zip(&taken).zip(sizes) {
        if !runs.is_empty() {
            println!(
                "| {name} | {} | {} | {:.0} | {:.0} MiB |",
                seconds(runs.median()),
                seconds(runs.processor()),
                bytes as f64 / runs.median() / 1e6,
                runs.mebibytes()
            );
        }
    }
    let [reading, one, many, ..] = &taken;
    if [reading, one, many].iter().all(|runs| !runs.is_empty()) {
        println!(
            "\nTo rewrite takes {:.2} times the processor time of reading; {} jobs are {:.2} times as fast as one.",
            one.processor() / reading.processor(),
            cores(),
            one.median() / many.median(),
        );
    }
}

/// Writes rows with the pages of a corpus, again and again; returns how many rows and bytes there are.
fn make(pages: &Path, to: &Path, length: u64) -> (u64, u64) {
    let mut out = BufWriter::new(File::create(to).expect("rows can be written"));
    let (mut rows, mut bytes) = (0, 0);
    while bytes < length {
        let before = bytes;
        let entries = walkdir::WalkDir::new(pages).sort_by_file_name();
        for entry in entries.into_iter().filter_map(Result::ok) {
            let path = entry.path();
            // Rows are UTF-8.
            let is_document = path.extension().is_some_and(|it| it == "html");
            let Some(body) = is_document.then(|| fs::read_to_string(path).ok()).flatten() else {
                continue;
            };
            let name = path.strip_prefix(pages).expect("below the pages");
            let url = format!("{}{}", tree::BASE, name.display());
            let row = serde_json::json!({"id": rows, "url": url, "body": body, "score": 0.5});
            let line = format!("{row}\n");
            out.write_all(line.as_bytes()).expect("rows can be written");
            rows += 1;
            bytes += line.len() as u64;
            if bytes >= length {
                break;
            }
        }
        assert!(bytes > before, "there are no pages");
    }
    out.flush().expect("rows can be written");
    (rows, bytes)
}
