//! What a run of tests says, and how it ends, where a test lacks what it needs.

use std::env;
use std::fs;
use std::process::{Command, Output};

use crate::support::skip;

/// A test that needs data.
const TEST: &str = "oracle::whatwg::the_web_platform_vectors";

/// So that it is not listed at the end of the run that it is a part of.
const RUN: &str = "another-run";

/// Runs that test in a process of its own, without its data.
fn run(require_all: Option<&str>) -> Output {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", TEST]);
    command.env("ABSLINK_SUITES", "/there is no such folder");
    command.env_remove("ABSLINK_REQUIRE_ALL");
    command.env("ABSLINK_RUN", RUN);
    if let Some(value) = require_all {
        command.env("ABSLINK_REQUIRE_ALL", value);
    }
    command.output().unwrap()
}

#[test]
fn a_test_that_does_nothing_passes_and_says_so() {
    let ran = run(None);
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    let why = "there is no urltestdata-2026-07.json; testdata/fetch-suites.sh brings it";
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "");
    let list = fs::read_to_string(skip::list()).unwrap();
    let line = format!("{RUN} {TEST}: {why}");
    assert!(list.lines().any(|listed| listed == line), "{list}");
}

#[test]
fn it_fails_where_everything_is_required() {
    let ran = run(Some("1"));
    assert_eq!(ran.status.code(), Some(101), "{ran:?}");
}
