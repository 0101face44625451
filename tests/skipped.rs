//! The end of a run of all tests: what this machine could not test. It has no harness, which would
//! show nothing of a test that passes, and its name makes it the last one.

#![allow(clippy::print_stdout, reason = "what it is for")]

#[path = "support/skip.rs"]
mod skip;

use std::collections::{BTreeMap, BTreeSet};
use std::{env, fs};

fn main() {
    // A runner that asks which tests there are.
    if env::args().any(|argument| argument == "--list") {
        return;
    }
    let all = fs::read_to_string(skip::list()).unwrap_or_default();
    let _ = fs::remove_file(skip::list());
    let run = format!("{} ", skip::run());
    let mut causes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in all.lines().filter_map(|line| line.strip_prefix(&run)) {
        let (test, cause) = line.split_once(": ").unwrap_or(("", line));
        causes.entry(cause).or_default().insert(test);
    }
    if causes.is_empty() {
        println!("\nNothing was skipped.");
        return;
    }
    match skip::all_required() {
        true => println!("\nNot tested here, since it takes the rights of root:"),
        false => {
            println!("\nNot tested here (ABSLINK_REQUIRE_ALL=1 makes each of these a failure):");
        }
    }
    for (cause, tests) in causes {
        let first = tests.first().unwrap_or(&"");
        match tests.len() {
            1 => println!("  {cause}: {first}"),
            many => println!("  {cause}: {many} tests, such as {first}"),
        }
    }
    println!();
}
