//! Signals, and panics.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;
use std::time::Instant;

use super::*;
use crate::support::signal::deliver;

/// `ABSLINK_KILLS` times, or a few, at moments spread over the length of a run over the first
/// documents of `ABSLINK_KILL_TREE`, or over copies of testdata/site.
#[test]
#[ignore = "slow tier: faults"]
fn killed_at_any_moment() {
    let kills = std::env::var("ABSLINK_KILLS").map_or(30, |kills| kills.parse::<u32>().unwrap());
    let site = match std::env::var_os("ABSLINK_KILL_TREE") {
        Some(tree) => Site::of(documents(tree.as_ref(), 100)),
        None => Site::new(8),
    };
    // As the default has it, files get their names together; without syncing, one after the other.
    let policies = ["--fsync=batch", "--fsync=never"].map(|policy| {
        site.restore();
        let started = Instant::now();
        site.in_place().arg(policy).output().unwrap();
        (policy, started.elapsed())
    });
    let (mut during, mut leftovers) = (0_u32, 0);
    for nth in 0..kills {
        site.restore();
        let (policy, whole) = policies[nth as usize % policies.len()];
        let mut child = site.in_place().args([policy, "-q"]).spawn().unwrap();
        // Spread evenly whatever the number; the golden ratio never falls into step.
        let part = (f64::from(nth) * 0.618_034).fract();
        std::thread::sleep(whole.mul_f64(part));
        child.kill().unwrap();
        child.wait().unwrap();
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
    // A kill before the first file or after the last one shows little.
    assert!(during * 10 >= kills, "{during} of {kills}");
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
