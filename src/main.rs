//! The command `abslink`: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    abslink::command(std::env::args_os()).into()
}
