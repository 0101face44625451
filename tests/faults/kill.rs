//! Signals, and panics.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use super::*;
use crate::support::kills::{self, Length};
use crate::support::signal::deliver;

/// At moments spread over the length of a run over the first documents of `ABSLINK_KILL_TREE`, or over copies of
/// testdata/site.
#[test]
#[ignore = "slow tier: faults"]
fn killed_at_any_moment() {
    let wanted = kills::how_many(30);
    let site = match std::env::var_os("ABSLINK_KILL_TREE") {
        Some(tree) => Site::of(documents(tree.as_ref(), 100)),
        None => Site::new(8),
    };
    // As the default has it, files get their names together; without syncing, one after the other.
    let run = |policy| {
        let mut command = site.in_place();
        command.args([policy, "-q"]);
        command
    };
    let mut policies = ["--fsync=batch", "--fsync=never"].map(|policy| {
        site.restore();
        (policy, Length::of(run(policy)))
    });
    let (mut kills, mut during, mut leftovers) = (0, 0, 0);
    // A kill before the first file or after the last one shows little.
    while kills < wanted || (during * 10 < wanted && kills < wanted * kills::TRIALS) {
        site.restore();
        let (policy, length) = &mut policies[kills as usize % 2];
        length.kill(run(policy), kills);
        kills += 1;
        let (replaced, others) = site.look();
        during += u32::from(replaced > 0 && site.old.len() > replaced);
        for leftover in &others {
            let name = leftover.file_name().unwrap().to_string_lossy();
            assert!(name.starts_with(".abslink-"), "{name}");
        }
        leftovers += others.len();
        site.finish();
    }
    println!(
        "{kills} kills over {} files, {during} between the first and the last; {leftovers} leftovers, \
         none after the next run",
        site.old.len()
    );
    assert!(during * 10 >= wanted, "{during} of {kills}");
}

/// The first documents of a tree.
fn documents(tree: &Path, count: usize) -> Files {
    let entries = walkdir::WalkDir::new(tree).sort_by_file_name();
    let entries = entries.into_iter().map(Result::unwrap);
    let is_document = |path: &Path| {
        path.extension()
            .is_some_and(|extension| extension == "html")
    };
    let files: Files = entries
        .filter(|entry| entry.file_type().is_file() && is_document(entry.path()))
        .take(count)
        .map(|entry| {
            let name = entry.path().strip_prefix(tree).unwrap();
            (name.to_owned(), fs::read(entry.path()).unwrap())
        })
        .collect();
    assert!(!files.is_empty(), "{} has no documents", tree.display());
    files
}

/// Standard error is a pipe that fills with what `-v` says, so that the signal finds the run in its
/// middle.
#[test]
#[ignore = "slow tier: faults"]
fn a_signal_ends_the_run_between_two_files() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let site = Site::new(60);
        let mut child = site
            .in_place()
            .args(["-v", "-j", "2"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        deliver(&child, signal);
        said.read_to_string(&mut line).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(code), "{line}");
        assert!(line.contains("made "), "it says how far it came: {line}");
        assert!(line.contains("interrupted: "), "{line}");
        let (replaced, others) = site.look();
        assert!(replaced > 0 && others.is_empty(), "{replaced} {others:?}");
        assert_ne!(files(site.path()), site.new);
        site.finish();
    }
}

/// The switch is not there in a release.
#[cfg(debug_assertions)]
#[test]
fn a_panic_in_one_document_is_one_line() {
    let site = Site::new(1);
    let mut check = site.command(&format!("check -b {BASE}"));
    let ran = Ran::of(check.env("ABSLINK_TEST_PANIC", "install.html"));
    ran.exits(2).never_says("panicked at");
    let lines = ran.stderr.lines();
    let about: Vec<&str> = lines
        .filter(|line| line.contains("as the test wants"))
        .collect();
    assert!(
        matches!(about[..], [line] if line.starts_with("error: ")),
        "{ran:?}"
    );
    ran.says("install.html: skipped: internal error (");
    ran.shows("first-steps.html");
    assert!(!ran.stdout.contains("install.html:"), "{ran:?}");
}
