//! A file for each command.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};

mod base;
mod check;
mod completions;
mod components;
mod config;
mod error;
mod input;
mod links;
mod man;
mod parse;
mod resolve;
mod restore;
mod rewrite;

use crate::cli::args::{Args, Command};
use crate::cli::run::exit::Exit;
use crate::cli::terminal::{passwords, print};
pub(crate) use error::Error;

/// Carries out a command; `given` is its command line, with the settings of the project.
pub(crate) fn run(args: Args, given: &[OsString]) -> Result<Exit, Error> {
    passwords::show(args.command.shows_passwords());
    match args.command {
        Command::Rewrite(args) => rewrite::run(&args, given),
        Command::Check(args) => check::run(&args, given),
        Command::Links(args) => links::run(&args),
        Command::Base(args) => base::run(&args),
        Command::Restore(args) => restore::run(&args),
        Command::Resolve(args) => {
            let on_terminal = io::stdout().is_terminal();
            filter(|input, out| resolve::run(&args, on_terminal, input, out, &mut print::stderr()))
        }
        Command::Parse(args) => {
            filter(|input, out| parse::run(&args, input, out, &mut print::stderr()))
        }
        Command::Config(args) => config::run(&args, &mut io::stdout().lock()),
        Command::Completions(args) => filter(|_, out| completions::run(&args, out)),
        Command::Man(args) => filter(|_, out| man::run(&args, out)),
    }
}

/// Gives a command standard input, and standard output through a buffer, which is flushed at the
/// end.
fn filter(
    command: impl FnOnce(&mut io::StdinLock<'_>, &mut io::BufWriter<io::Stdout>) -> io::Result<Exit>,
) -> Result<Exit, Error> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let exit = command(&mut io::stdin().lock(), &mut out)?;
    out.flush()?;
    Ok(exit)
}
