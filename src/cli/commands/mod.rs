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
    let mut command = args.command;
    // These show all that they are given.
    let is_exact = matches!(command, Command::Resolve(_) | Command::Parse { .. });
    passwords::show(is_exact || command.running().is_some_and(|it| it.show_passwords));
    match command {
        Command::Rewrite(args) => rewrite::run(&args, given),
        Command::Check(args) => check::run(&args, given),
        Command::Links { common, format } => links::run(&common, format),
        Command::Base {
            common,
            conflicts,
            format,
        } => base::run(&common, conflicts, format),
        Command::Restore(args) => restore::run(&args),
        Command::Resolve(args) => {
            let on_terminal = io::stdout().is_terminal();
            filter(|input, out| resolve::run(&args, on_terminal, input, out, &mut print::stderr()))
        }
        Command::Parse { format, urls } => {
            filter(|input, out| parse::run(&urls, format, input, out, &mut print::stderr()))
        }
        Command::Config { config, format } => {
            config::run(config.as_deref(), format, &mut io::stdout().lock())
        }
        Command::Completions { shell } => filter(|_, out| completions::run(shell, out)),
        Command::Man { command, output } => {
            filter(|_, out| man::run(command.as_deref(), output.as_deref(), out))
        }
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
