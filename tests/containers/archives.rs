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
use std::process::Output;

use assert_cmd::Command;

use crate::support::sandbox::command;
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
fn messages(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let is_message = |line: &&str| {
        let names_archive = line.contains(".warc") && !line.starts_with("hint:");
        line.starts_with("error:") || names_archive || line.starts_with("web archives:")
    };
    text.lines()
        .filter(is_message)
        .map(|line| format!("{line}\n"))
        .collect()
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
            let output = abslink(&format!("check -j {jobs} {name}"))
                .output()
                .unwrap();
            let found = format!(
                "{}{}exit {}\n",
                String::from_utf8(output.stdout.clone()).unwrap(),
                messages(&output),
                output.status.code().unwrap()
            );
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
    let directory = tempfile::tempdir().unwrap();
    for name in [
        "heads.warc.gz",
        "plain.warc",
        "frames.warc.zst",
        "dictionary.warc.zst",
    ] {
        let expected = abslink(&format!("check {name}")).output().unwrap().stdout;
        let renamed = directory.path().join("download");
        fs::copy(testdata().join(name), &renamed).unwrap();
        let by_bytes = abslink("check").arg(&renamed).output().unwrap().stdout;
        let input = fs::read(&renamed).unwrap();
        let piped = abslink("check -")
            .write_stdin(input)
            .output()
            .unwrap()
            .stdout;
        let shown =
            |bytes: Vec<u8>, path: &str| String::from_utf8(bytes).unwrap().replace(path, name);
        let expected = String::from_utf8(expected).unwrap();
        assert!(!expected.is_empty(), "{expected:?}");
        assert_eq!(shown(by_bytes, renamed.to_str().unwrap()), expected);
        let piped = String::from_utf8(piped).unwrap();
        let piped: String = (piped.lines())
            .map(|line| format!("{name}{}\n", &line[1..]))
            .collect();
        assert_eq!(piped, expected);
    }
}

#[test]
fn bases_come_from_the_record_or_its_http_head() {
    let output = abslink("base --format json heads.warc.gz")
        .output()
        .unwrap();
    let lines: Vec<serde_json::Value> = (String::from_utf8(output.stdout).unwrap().lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let has = |base: &str, from: &str| {
        let is_it = |line: &&serde_json::Value| line["base"] == base && line["base_from"] == from;
        assert_eq!(
            lines.iter().filter(is_it).count(),
            1,
            "{base} {from} {lines:#?}"
        );
    };
    has("http://h.example/a/brackets/c", "archive");
    has("http://h.example/a/location/c", "archive");
    has("http://base.example/d/", "entity");
    has("http://base.example/e/", "entity");
}

#[test]
fn places_count_in_the_decoded_document() {
    let output = abslink("links heads.warc.gz").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let sniffed = text.lines().filter(|line| line.contains("/a/sniffed/c\""));
    let first = sniffed
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .next();
    let first = first.unwrap();
    assert_eq!((&first["line"], &first["column"]), (&1.into(), &49.into()));
    assert_eq!((&first["start"], &first["end"]), (&48.into(), &56.into()));
}

#[test]
fn the_summary_counts_records() {
    let arguments = "rewrite --dry-run -i --warc-as append --format json kinds.warc.gz";
    let output = abslink(arguments).output().unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&summary["records"], &summary["files"]),
        (&12.into(), &2.into())
    );
    assert_eq!(summary["files_changed"], 2);
    let text = String::from_utf8(abslink("check kinds.warc.gz").output().unwrap().stderr).unwrap();
    assert!(text.contains("12 records"), "{text}");
}

/// A record whose conversion follows it is done with.
#[test]
fn nothing_is_left_where_conversions_stand_behind_their_originals() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.warc.gz");
    fs::write(&path, rewritten("frames.warc.zst", "--warc-as append")).unwrap();
    let check = abslink("check").arg(&path).output().unwrap();
    assert_eq!(
        (check.status.code(), check.stdout.len()),
        (Some(0), 0),
        "{check:?}"
    );
    fs::write(&path, rewritten("frames.warc.zst", "--warc-as conversions")).unwrap();
    let check = abslink("check").arg(&path).output().unwrap();
    assert_eq!(check.status.code(), Some(0), "{check:?}");
}
