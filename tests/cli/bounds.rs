//! What bounds a run: the memory for a listing, and the number of threads.

use std::fs;
use std::process::Stdio;

use super::Sandbox;
use crate::support::links::abslink;
use crate::support::peak;

/// A listing that one value makes long is written as it is made, like one that many make.
#[test]
#[ignore = "slow tier: memory"]
fn a_long_listing_of_one_value_is_not_held() {
    let directory = tempfile::tempdir().unwrap();
    let candidates: Vec<String> = (1..50_000).map(|width| format!("a.png {width}w")).collect();
    let page = format!("<img srcset=\"{}\">", candidates.join(", "));
    fs::write(directory.path().join("a.html"), page).unwrap();
    let base = format!("http://h/{}", "d/".repeat(700));
    for command in ["links", "check --format json"] {
        let listing = fs::File::create(directory.path().join("listing")).unwrap();
        let mut run = abslink();
        run.args(command.split(' '))
            .args(["-q", "-j1", "-b", &base, "a.html"])
            .current_dir(directory.path())
            .stdout(listing);
        let (ended, peak) = peak::run(&mut run);
        assert!(ended.code() != Some(2));
        let length = directory.path().join("listing").metadata().unwrap().len();
        assert!(length > 100 << 20, "{length}");
        assert!(peak < 64 << 20, "{command}: {} MiB", peak >> 20);
    }
}

/// The number of threads is that of -j or of the cores, whatever the environment says for other programs.
#[test]
fn the_environment_gives_no_threads() {
    for (jobs, most) in [("", 200), ("-j3", 8)] {
        let mut run = abslink();
        run.args(["check", "-q"])
            .args(jobs.split_terminator(' '))
            .arg("-");
        run.env("RAYON_NUM_THREADS", "400")
            .env("RAYON_RS_NUM_CPUS", "400");
        let mut run = run
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let tasks = format!("/proc/{}/task", run.id());
        let count = || fs::read_dir(&tasks).map_or(0, Iterator::count);
        // It waits for standard input.
        let mut threads = 0;
        for _ in 0..200 {
            threads = count().max(threads);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        drop(run.stdin.take());
        run.wait().unwrap();
        assert!(threads > 1 && threads < most, "{jobs}: {threads}");
    }
    for jobs in ["-j0", "-j1025"] {
        let ran = Sandbox::new().run(&format!("check {jobs} a.html"));
        ran.exits(2);
    }
}

/// What was asked for and could not be printed did not succeed; a reader that has seen enough is no error.
#[test]
fn help_that_cannot_be_printed_is_an_error() {
    for line in [
        "--help",
        "-h",
        "--version",
        "rewrite --help",
        "check -h",
        "help links",
        "man",
        "config",
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut run = abslink();
        run.args(line.split(' '))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(full);
        let sandbox = Sandbox::new();
        sandbox.write("abslink.toml", "jobs = 1");
        let ran = run.current_dir(sandbox.path()).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{line}: {said}");
        assert!(
            said.starts_with("error: standard output: "),
            "{line}: {said}"
        );
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        if line == "config" {
            continue;
        }
        let pipe = format!("{} {line} | true", abslink().get_program().display());
        let ran = std::process::Command::new("sh")
            .args(["-c", &pipe])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stderr), "", "{line}");
    }
}
