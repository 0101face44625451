//! Tests that cannot do their work because this machine lacks a program, data or a permission: they
//! say so here, and nowhere else.
//!
//! A test that lacks something calls [`tool`], [`data`] or [`right`] and returns. With
//! `ABSLINK_REQUIRE_ALL=1` it fails instead; only missing permissions are not a failure for an
//! ordinary user, who cannot change them. Each line goes to a list, of which the test target `skipped` prints
//! the causes at the end of the run.

#![allow(dead_code, reason = "the unit tests share this file, and need less")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs, thread};

/// Set to make a test fail that cannot do its work.
const REQUIRE_ALL: &str = "ABSLINK_REQUIRE_ALL";

/// Says that a test does nothing because a program is missing, or the file system or the kernel
/// cannot do something.
#[track_caller]
pub(crate) fn tool(lacking: impl Display) {
    skip(lacking, true);
}

/// Says that a test does nothing because data is not here, and names what fetches it.
#[track_caller]
pub(crate) fn data(lacking: impl Display) {
    skip(lacking, true);
}

/// Where a file or folder of the standards' own tests is; reports if it is not here.
#[track_caller]
pub(crate) fn suite(name: &str) -> Option<PathBuf> {
    let path = match env::var_os("ABSLINK_SUITES") {
        Some(suites) => Some(PathBuf::from(suites).join(name)),
        // In the build directory, wherever that is.
        None => env::current_exe().ok().and_then(|program| {
            let mut above = program.ancestors().map(|above| above.join("suites"));
            Some(above.find(|suites| suites.is_dir())?.join(name))
        }),
    };
    let found = path.filter(|path| path.exists());
    if found.is_none() {
        data(format_args!(
            "there is no {name}; testdata/fetch-suites.sh brings it"
        ));
    }
    found
}

/// Says that a test does nothing because the user lacks a permission for it.
#[track_caller]
pub(crate) fn right(lacking: impl Display) {
    skip(lacking, is_root());
}

/// Says that a test does nothing because of something that the packed crate lacks.
#[track_caller]
pub(crate) fn absent(lacking: impl Display) {
    skip(lacking, false);
}

/// Whether a part of the repository is here; reports if it is not: the packed crate lacks some.
#[track_caller]
pub(crate) fn has(part: &str) -> bool {
    let there = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(part)
        .exists();
    if !there {
        absent(format_args!("{part} is not part of an unpacked crate"));
    }
    there
}

/// Whether a program can be run; reports if it cannot.
#[track_caller]
pub(crate) fn has_tool(program: &str) -> bool {
    let run = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if let Err(error) = &run {
        tool(format_args!("{program} cannot be run ({error})"));
    }
    run.is_ok()
}

/// A Python module that is a command, if it is there; reports if it is not.
#[track_caller]
pub(crate) fn python(module: &str) -> Option<Command> {
    let command = || {
        let mut python = Command::new("python3");
        python.args(["-m", module]);
        python
    };
    let run = command().arg("--version").output();
    let found = run.is_ok_and(|ran| ran.status.success());
    if !found {
        tool(format_args!("Python has no {module}; .ci/run installs it"));
    }
    found.then(command)
}

/// Whether the tests run as the superuser.
#[cfg(unix)]
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// Whether the tests run as the superuser.
#[cfg(not(unix))]
pub(crate) fn is_root() -> bool {
    false
}

#[track_caller]
#[allow(
    clippy::print_stderr,
    reason = "the harness keeps it, and the end of the run has it"
)]
fn skip(lacking: impl Display, required: bool) {
    assert!(
        !(required && all_required()),
        "{lacking}, and {REQUIRE_ALL} is set"
    );
    // With one thread for all tests the harness runs them in its own.
    let thread = thread::current();
    let test = match thread.name() {
        Some(name) if name != "main" => name.to_owned(),
        _ => std::panic::Location::caller().file().to_owned(),
    };
    let line = format!("{test}: {lacking}\n");
    eprint!("not tested: {line}");
    let list = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(list());
    // If that cannot be written, it has still been said.
    let _ = list.and_then(|mut list| list.write_all(format!("{} {line}", run()).as_bytes()));
}

/// Whether a test that cannot do its work must fail.
pub(crate) fn all_required() -> bool {
    env::var_os(REQUIRE_ALL).is_some_and(|value| value == "1")
}

/// The list of skipped tests of the last runs: in `target/tmp`, where every user who runs tests may
/// write.
pub(crate) fn list() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3).unwrap_or(&program);
    target.join("tmp/not-tested")
}

/// Put before each line of a run: `ABSLINK_RUN` if that names the run, else the process that
/// started all its programs, which is cargo.
pub(crate) fn run() -> String {
    #[cfg(unix)]
    let parent = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let parent = 0;
    env::var("ABSLINK_RUN").unwrap_or_else(|_| parent.to_string())
}

/// Runs a test, or a part of it, without the superuser's right to read and write every file, so
/// that it finds the same as for an ordinary user.
#[cfg(unix)]
pub(crate) fn without_override(test: impl FnOnce() + Send) {
    let in_thread = || {
        #[cfg(target_os = "linux")]
        give_up_override();
        test();
    };
    // The right belongs to a thread, and this one may have another test to run.
    let ended = thread::scope(|scope| scope.spawn(in_thread).join());
    if let Err(panic) = ended {
        std::panic::resume_unwind(panic);
    }
}

#[cfg(target_os = "linux")]
fn give_up_override() {
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
    let mut sets = capabilities(None).expect("the rights of a thread can be asked for");
    sets.effective
        .remove(CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH);
    set_capabilities(None, sets).expect("a thread may give up rights");
}

/// What the list says of a run: a line for each cause.
pub(crate) fn told(list: &str, run: impl Display) -> String {
    let run = format!("{run} ");
    let mut causes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in list.lines().filter_map(|line| line.strip_prefix(&run)) {
        let (test, cause) = line.split_once(": ").unwrap_or(("", line));
        causes.entry(cause).or_default().insert(test);
    }
    let mut told = match (causes.is_empty(), all_required()) {
        (true, _) => "\nNothing was skipped.\n",
        (false, true) => "\nNot tested here, since it takes the rights of root:\n",
        (false, false) => {
            "\nNot tested here (ABSLINK_REQUIRE_ALL=1 makes each of these a failure):\n"
        }
    }
    .to_owned();
    for (cause, tests) in causes {
        let first = tests.first().unwrap_or(&"");
        told += &match tests.len() {
            1 => format!("  {cause}: {first}\n"),
            many => format!("  {cause}: {many} tests, such as {first}\n"),
        };
    }
    told
}

#[test]
fn a_cause_is_told_once() {
    let list = "7 b: no wget\n6 z: no php\n7 a: no wget\n7 c: no lxml\n7 a: no wget\n";
    let told = told(list, 7);
    let lines: Vec<&str> = told.lines().skip(2).collect();
    assert_eq!(lines, ["  no lxml: c", "  no wget: 2 tests, such as a"]);
}
