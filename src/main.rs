//! The command `abslink`: arguments in, exit code out.

// In a test, an `unwrap` that fails is a test that fails.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run(std::env::args_os()).into()
}
