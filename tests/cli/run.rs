//! Whole runs: what goes to which stream, and the exit code.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Ran, Sandbox};
use crate::support::links::abslink;

#[test]
fn a_document_goes_from_standard_input_to_standard_output() {
    let ran = Sandbox::new().run_with_input("rewrite -b http://h/d/ -", "<a href=g>\r\n");
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(0), "<a href=http://h/d/g>\r\n")
    );
    let lead = "made 1 link absolute in 1 of 1 file (";
    ran.begins(lead);
}

#[cfg(unix)]
#[test]
fn a_file_name_does_not_command_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.write("site/\u{1b}[2J\n.html", "<a href=g>");
    let ran = sandbox.run("check -v site");
    assert!(
        !ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'),
        "{ran:?}"
    );
    assert!(
        ran.stdout.starts_with("site/\\u{1b}[2J\\n.html:1:9: "),
        "{}",
        ran.stdout
    );
}

/// A browser gets a failure for `//`, which is no URL.
#[test]
fn a_failure_in_a_browser_is_a_divergence() {
    let ran = Sandbox::new().run_with_input("check --format json -b http://h/d -", "<a href='//'>");
    assert!(
        ran.stdout.ends_with("\"divergent\":\"\"}\n"),
        "{}",
        ran.stdout
    );
}

/// The result of each line is on the line of the same number.
#[test]
fn a_line_of_standard_input_that_is_not_utf8_is_an_error() {
    let sandbox = Sandbox::new();
    let mut resolve = sandbox.abslink("resolve --base-url http://h/");
    let output = resolve
        .write_stdin(b"a\n\xe9t\xe9\n\xc3\xa9\n".as_slice())
        .output();
    let ran = Ran::from(&output.unwrap());
    ran.prints("http://h/a\n\nhttp://h/\u{e9}\n");
    let told = "error: standard input, line 2: byte 1 of the line is not UTF-8; convert the input to UTF-8\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), told));
}

/// A CI job that looks at the wrong directory must not pass.
#[test]
fn no_document_is_an_error_unless_allowed() {
    let sandbox = Sandbox::new();
    let commands = [
        "check -q",
        "links -q",
        "base -q",
        "rewrite --dry-run -q",
        "rewrite --dry-run --format json",
    ];
    for command in commands {
        let ran = sandbox.run(&format!("{command} --ext php site"));
        let message = "error: no HTML found in site\nhint: --ext";
        ran.begins(message).exits(2);
        let ran = sandbox.run(&format!("{command} --allow-empty --ext php site"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

/// Both runs wait for a reader of what they write until the second has logged two lines, one a second.
#[test]
fn progress_stays_out_of_a_pipe_unless_it_is_asked_for() {
    let sandbox = Sandbox::new();
    large(&sandbox);
    let [auto, mut always] =
        ["auto", "always"].map(|when| piped(&sandbox, &format!("links large --progress {when}")));
    let mut log = BufReader::new(always.stderr.take().unwrap()).lines();
    for _ in 0..2 {
        let line = log.next().unwrap().unwrap();
        assert!(line.ends_with(" left"), "{line}");
    }
    let ran = Ran::from(&auto.wait_with_output().unwrap());
    let logged = ran.stderr.lines().filter(|line| line.ends_with(" left"));
    assert_eq!((ran.code, logged.count()), (Some(0), 0), "{}", ran.stderr);
    Ran::from(&always.wait_with_output().unwrap()).exits(0);
}

/// Of a document that is read in pieces, each of them counts.
#[test]
fn progress_grows_within_a_document() {
    let sandbox = Sandbox::new();
    sandbox.write("one.html", "<a href=some/where/else.html>".repeat(400_000));
    let mut run = piped(&sandbox, "links one.html --engine stream --progress always");
    let mut log = BufReader::new(run.stderr.take().unwrap()).lines();
    let line = log.next().unwrap().unwrap();
    let done = line.strip_prefix("0 of 1 file, ");
    assert!(
        done.is_some_and(|done| !done.starts_with("0 bytes")),
        "{line}"
    );
    drop(run.stdout.take());
    Ran::from(&run.wait_with_output().unwrap()).exits(0);
}

/// More than a pipe holds, so that who writes it has to wait for its reader.
fn large(sandbox: &Sandbox) {
    for number in 0..400 {
        let name = format!("large/{number}.html");
        sandbox.write(&name, "<a href=some/where/else.html>".repeat(40));
    }
}

/// A command whose output goes into a pipe that nobody reads yet.
fn piped(sandbox: &Sandbox, arguments: &str) -> std::process::Child {
    abslink()
        .current_dir(sandbox.path())
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::new();
    large(&sandbox);
    let mut child = piped(&sandbox, "links large");
    drop(child.stdout.take());
    let ran = Ran::from(&child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let sandbox = Sandbox::new();
    large(&sandbox);
    let full = fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    for arguments in ["links large", "rewrite --dry-run --format json large"] {
        let output = abslink()
            .current_dir(sandbox.path())
            .args(arguments.split_whitespace())
            .stdout(full.try_clone().unwrap())
            .output()
            .unwrap();
        let ran = Ran::from(&output);
        ran.exits(2);
        let message = "error: standard output: No space left on device";
        ran.begins(message);
    }
}

#[cfg(unix)]
mod signals {
    use std::io::{Read as _, Write as _};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Child;

    use super::*;
    use crate::support::signal::{deliver, send};

    /// Waits until the run writes: then it is in its middle, since nobody reads the rest yet.
    fn wait_until_it_writes(child: &mut Child) -> u8 {
        let mut first = [0];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut first)
            .unwrap();
        first[0]
    }

    #[test]
    fn the_first_one_ends_the_run_between_two_files() {
        for (signal, code) in [("INT", 130), ("TERM", 143)] {
            let sandbox = Sandbox::new();
            large(&sandbox);
            let mut child = piped(&sandbox, "links large");
            let first = wait_until_it_writes(&mut child);
            deliver(&child, signal);
            let ran = Ran::from(&child.wait_with_output().unwrap());
            ran.exits(code).says("warning: interrupted: ");
            let lines = format!("{}{}", char::from(first), ran.stdout);
            assert!(lines.ends_with("}\n"), "a whole line is the last");
            assert_eq!(
                lines.lines().count() % 40,
                0,
                "a whole document is the last"
            );
        }
    }

    /// What was begun for a program to read is brought to an end that it can read.
    #[test]
    fn a_report_is_closed_when_the_run_is_stopped() {
        let sandbox = Sandbox::new();
        large(&sandbox);
        let mut child = piped(&sandbox, "check large --format sarif");
        let first = wait_until_it_writes(&mut child);
        deliver(&child, "INT");
        let ran = Ran::from(&child.wait_with_output().unwrap());
        ran.exits(130);
        let report = format!("{}{}", char::from(first), ran.stdout);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let invocation = &report["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_second_one_ends_it_at_once() {
        let sandbox = Sandbox::new();
        large(&sandbox);
        let mut child = piped(&sandbox, "links large");
        wait_until_it_writes(&mut child);
        deliver(&child, "INT");
        deliver(&child, "INT");
        assert!(is_ended_by_it(&child), "it still runs");
        assert_eq!(child.wait().unwrap().code(), Some(130));
    }

    /// Whether a signal that was sent has ended a program, which otherwise waits for somebody to read
    /// what it writes.
    #[cfg(target_os = "linux")]
    fn is_ended_by_it(child: &Child) -> bool {
        loop {
            let threads = fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
            let states = threads.flatten().filter_map(|thread| {
                // One that has just ended has no state.
                let status = fs::read_to_string(thread.path().join("status")).ok()?;
                let state = status.lines().find_map(|line| line.strip_prefix("State:"));
                state.unwrap_or_default().trim().chars().next()
            });
            let states: Vec<char> = states.collect();
            match &states[..] {
                states if states.iter().all(|state| *state == 'Z') => return true,
                states if states.iter().all(|state| *state == 'S') => return false,
                _ => std::thread::yield_now(),
            }
        }
    }

    #[test]
    fn one_document_is_not_waited_for() {
        let sandbox = Sandbox::new();
        let mut child = abslink()
            .args(["rewrite", "-"])
            .stdin(Stdio::piped())
            .current_dir(sandbox.path())
            .spawn()
            .unwrap();
        // More than a pipe holds: when it is written, the run has begun to read.
        let document = vec![b' '; 1 << 20];
        child.stdin.as_mut().unwrap().write_all(&document).unwrap();
        send(&child, "TERM");
        // By the signal itself: nothing was begun that would have to be ended.
        assert_eq!(child.wait().unwrap().signal(), Some(15));
    }
}

/// What a browser drops from a URL that was pasted with it.
#[test]
fn a_base_url_loses_the_space_around_it() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.abslink("rewrite a.html -b");
    let ran = Ran::from(&command.arg(" http://h/\n").output().unwrap());
    ran.prints("<a href=http://h/g>");
}
