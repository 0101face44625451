//! Web archives. testdata/warc/make.py makes those of testdata/warc; beside each stands what `abslink
//! check` says about it, in `NAME.check` (`ABSLINK_BLESS=1` writes these files anew).

mod damage;
#[cfg(unix)]
mod kill;
mod large;
mod members;
#[cfg(target_os = "linux")]
mod memory;
mod odd;
mod reader;
#[cfg(unix)]
mod replay;
mod rewrite;
mod streams;
mod usage;
mod wacz;
mod witness;

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::support::sandbox::{Ran, Sandbox, command};
use reader::Record;

/// The date of what tests write.
const DATE: &str = "2026-01-31T12:00:00Z";

/// [`DATE`] for `SOURCE_DATE_EPOCH`.
const EPOCH: (&str, &str) = ("SOURCE_DATE_EPOCH", "1769860800");

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/warc")
}

/// `abslink` in the directory of the archives, with arguments that have no spaces in them.
fn abslink(arguments: &str) -> Command {
    command(&testdata(), arguments)
}

fn run(arguments: &str) -> Ran {
    Ran::by(&mut abslink(arguments))
}

/// The archives, without those that take long in some tests.
fn archives() -> Vec<String> {
    let names = fs::read_dir(testdata()).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        name.into_string().unwrap()
    });
    let is_archive = |name: &String| {
        let endings = [".warc", ".warc.gz", ".warc.zst", ".arc"];
        endings.iter().any(|ending| name.ends_with(ending))
    };
    let mut names: Vec<String> = names.filter(is_archive).collect();
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    names
}

/// What a command wrote to standard error, without the summary.
fn messages(ran: &Ran) -> String {
    let is_message = |line: &&str| {
        let names_archive = line.contains(".warc") && !line.starts_with("hint:");
        line.starts_with("error:") || names_archive || line.starts_with("web archives:")
    };
    let lines = ran.stderr.lines().filter(is_message);
    lines.map(|line| format!("{line}\n")).collect()
}

/// Writes an archive anew, to standard output.
fn rewritten(name: &str, options: &str) -> Vec<u8> {
    let mut command = abslink(&format!("rewrite -q {options} {name}"));
    command.env(EPOCH.0, EPOCH.1).output().unwrap().stdout
}

#[test]
fn check_says_what_is_expected() {
    let mut wrong = Vec::new();
    for name in archives() {
        for jobs in [1, 3] {
            let ran = run(&format!("check -j {jobs} {name}"));
            let code = ran.code.unwrap();
            let found = format!("{}{}exit {code}\n", ran.stdout, messages(&ran));
            // 40 MiB have many lines.
            let found = match found.lines().count() {
                0..1000 => found,
                many => format!("{many} lines\n{}", found.lines().next().unwrap()),
            };
            let expected = testdata().join(format!("{name}.check"));
            if std::env::var_os("ABSLINK_BLESS").is_some() {
                fs::write(&expected, &found).unwrap();
            }
            if fs::read_to_string(&expected).unwrap_or_default() != found {
                wrong.push(format!("{name} with {jobs} jobs:\n{found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever a file is called, its first bytes tell.
#[test]
fn an_archive_is_known_by_its_first_bytes() {
    let sandbox = Sandbox::of(&[]);
    for name in [
        "heads.warc.gz",
        "plain.warc",
        "frames.warc.zst",
        "dictionary.warc.zst",
    ] {
        let expected = run(&format!("check {name}")).stdout;
        assert!(!expected.is_empty(), "{name}");
        sandbox.copy(&format!("warc/{name}"), "download");
        let by_bytes = sandbox.run("check download");
        assert_eq!(by_bytes.stdout.replace("download", name), expected);
        let input = fs::read(testdata().join(name)).unwrap();
        let piped = sandbox.run_with_input("check -", input).stdout;
        let piped = piped.lines().map(|line| format!("{name}{}\n", &line[1..]));
        assert_eq!(piped.collect::<String>(), expected);
    }
}

#[test]
fn bases_come_from_the_record_or_its_http_head() {
    let ran = run("base --format json heads.warc.gz");
    let lines = ran.stdout.lines().map(serde_json::from_str);
    let lines: Vec<serde_json::Value> = lines.map(Result::unwrap).collect();
    let has = |base: &str, from: &str| {
        let is_it = |line: &&serde_json::Value| line["base"] == base && line["base_from"] == from;
        let count = lines.iter().filter(is_it).count();
        assert_eq!(count, 1, "{base} {from} {lines:#?}");
    };
    has("http://h.example/a/brackets/c", "archive");
    has("http://h.example/a/location/c", "archive");
    has("http://base.example/d/", "entity");
    has("http://base.example/e/", "entity");
}

#[test]
fn places_count_in_the_decoded_document() {
    let text = run("links heads.warc.gz").stdout;
    let mut lines = text.lines();
    let first = lines.find(|line| line.contains("/a/sniffed/c\""));
    let first: serde_json::Value = serde_json::from_str(first.unwrap()).unwrap();
    assert_eq!((&first["line"], &first["column"]), (&1.into(), &49.into()));
    assert_eq!((&first["start"], &first["end"]), (&48.into(), &56.into()));
}

#[test]
fn the_summary_counts_records() {
    let arguments = "rewrite --dry-run -i --warc-as append --format json kinds.warc.gz";
    let summary: serde_json::Value = serde_json::from_str(&run(arguments).stdout).unwrap();
    for (field, number) in [("records", 12), ("files", 2), ("files_changed", 2)] {
        assert_eq!(summary[field], number, "{summary}");
    }
    run("check kinds.warc.gz").says("12 records");
}

/// A record whose conversion follows it is done with.
#[test]
fn nothing_is_left_where_conversions_stand_behind_their_originals() {
    let sandbox = Sandbox::of(&[]);
    for form in ["append", "conversions"] {
        let new = rewritten("frames.warc.zst", &format!("--warc-as {form}"));
        sandbox.write("a.warc.gz", new);
        sandbox.run("check a.warc.gz").exits(0).prints("");
    }
}
