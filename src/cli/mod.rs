//! What a person types and sees.
//!
//! ```text
//! args (as typed, config adds to them) -> plan (validated) -> session (the run, watched) -> format, summary, exit code
//! ```
//!
//! Folders from the ground up; each imports only from those before it: terminal, run, args, config, format,
//! summary, html_report, session, plan, commands. Nothing outside this folder prints, or knows about terminals
//! or environment variables.

use std::ffi::OsString;
use std::io::{self, Write as _};

mod args;
pub(crate) mod bindings;
mod commands;
mod config;
mod format;
mod html_report;
mod plan;
mod run;
mod session;
mod summary;
mod terminal;

use crate::batch::catch_panic;
use args::{Args, tips};
use clap::error::ErrorKind;
use commands::Error;
use config::CommandLine;
use run::exit::Exit;
use run::used::UsedSettings;
use terminal::{color, panic, passwords, print};

/// Runs what was typed: the name of the program, and its arguments.
pub(crate) fn run(typed: impl IntoIterator<Item = OsString>) -> Exit {
    let typed: Vec<OsString> = typed.into_iter().collect();
    passwords::remember(&typed);
    args::hints::remember(&typed);
    let command_line = match config::add(&typed) {
        Ok(command_line) => command_line,
        Err(error) => {
            color::choose_from(&typed);
            return failed(&Error::Usage(error));
        }
    };
    let CommandLine {
        arguments,
        used,
        args,
    } = command_line;
    match args {
        Ok(args) => {
            color::choose(args.color);
            carry_out(args, &arguments, used)
        }
        Err(error) => {
            color::choose_from(&arguments);
            let exit = answer(error, &arguments);
            explain(used);
            exit
        }
    }
}

/// Prints the help that was asked for, or why the arguments make no sense.
fn answer(error: clap::Error, typed: &[OsString]) -> Exit {
    let exit = if error.use_stderr() {
        Exit::Failed
    } else {
        Exit::Done
    };
    match error.kind() {
        ErrorKind::DisplayVersion => printed(&error, exit),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // The arguments are the same; only the help differs.
            let shown = args::help(typed).try_get_matches_from(typed);
            printed(&shown.err().unwrap_or(error), exit)
        }
        _ => failed(&Error::Usage(tips::explain(&error, typed))),
    }
}

/// Prints what clap was asked for.
fn printed(answer: &clap::Error, exit: Exit) -> Exit {
    match answer.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            print::error(Error::Output(error));
            Exit::Failed
        }
        _ => exit,
    }
}

/// Says beside an error that there are arguments which nobody typed.
fn explain(settings: Option<UsedSettings>) {
    if let Some(line) = settings.and_then(|settings| settings.line()) {
        print::note(format_args!("{line}; --no-config ignores them"));
    }
}

fn carry_out(args: Args, arguments: &[OsString], settings: Option<UsedSettings>) -> Exit {
    panic::silence();
    let result = catch_panic(|| commands::run(args, arguments)).map_err(Error::Panicked);
    result.flatten().unwrap_or_else(|error| match error {
        // Whoever read the output has seen enough (`| head`).
        Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        error => {
            let exit = failed(&error);
            if matches!(error, Error::Usage(_) | Error::Run(_)) {
                explain(settings);
            }
            exit
        }
    })
}

fn failed(error: &Error) -> Exit {
    print::error(error);
    for hint in error.hints() {
        print::hint(hint);
    }
    Exit::Failed
}
