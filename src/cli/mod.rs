//! What a person types and sees.
//!
//! ```text
//! args (as typed, and as config adds to them) -> plan (validated) -> session (the run, watched) -> format, summary -> exit
//! ```
//!
//! Nothing outside this folder prints, or knows about terminals or environment variables.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

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

use crate::batch::{RunError, catch_panic};
use args::{Args, Command, tips};
use clap::CommandFactory as _;
use clap::builder::Styles;
use clap::error::ErrorKind;
use commands::{base, check, links, man, parse, resolve, restore, rewrite};
use config::Given;
use run::exit::Exit;
use terminal::{color, panic, passwords, print};

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// The settings of the project make no sense.
    #[error(transparent)]
    Config(#[from] config::ConfigError),
    /// The arguments ask for something that cannot be done.
    #[error(transparent)]
    Usage(#[from] plan::UsageError),
    /// The run as a whole was not possible.
    #[error(transparent)]
    Run(RunError),
    /// A bug ended the run.
    #[error("abslink failed ({0}); please report this")]
    Panicked(String),
    /// The output stream failed, or a file that is not a document; then the error names the file.
    #[error("{}", named(.0))]
    Output(#[from] io::Error),
}

/// An error of a stream, which names no file, or of a file: [`of_file`].
fn named(error: &io::Error) -> String {
    match error.get_ref() {
        Some(of_file) => of_file.to_string(),
        None => format!("standard output: {error}"),
    }
}

/// Why a file that is not a document cannot be written, with its path.
fn of_file(path: &Path, error: &io::Error) -> io::Error {
    let text = format!("{}: cannot write: {error}", path.display());
    io::Error::new(error.kind(), text)
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        match error {
            RunError::Output(error) => Error::Output(error),
            error => Error::Run(error),
        }
    }
}

/// Runs what was typed: the name of the program, and its arguments.
pub(crate) fn run(typed: impl IntoIterator<Item = OsString>) -> Exit {
    let typed: Vec<OsString> = typed.into_iter().collect();
    passwords::remember(&typed);
    let given = match config::add(&typed) {
        Ok(given) => given,
        Err(error) => {
            color::choose_from(&typed);
            print::error(error);
            return Exit::Failed;
        }
    };
    match given.parse() {
        Ok(args) => {
            color::choose(args.color);
            carry_out(args, &given)
        }
        Err(error) => {
            color::choose_from(&given.arguments);
            let exit = answer(error, &given.arguments);
            given.explain();
            exit
        }
    }
}

/// Stands for a typed line break while a message is split into lines: a character
/// that has no meaning, and never will.
const LINE_BREAK: &str = "\u{10ffff}";

/// Prints the help that was asked for, or why the arguments make no sense.
fn answer(error: clap::Error, typed: &[OsString]) -> Exit {
    let exit = match error.use_stderr() {
        true => Exit::Failed,
        false => Exit::Done,
    };
    match error.kind() {
        ErrorKind::DisplayVersion => return printed(&error, exit),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // The arguments are the same; only the help differs.
            let shown = args::help(typed).try_get_matches_from(typed);
            return printed(&shown.err().unwrap_or(error), exit);
        }
        _ => {
            // In a styled message clap's escapes and typed ones look the same, and so do clap's line
            // breaks and typed ones.
            let plain = Args::command().styles(Styles::plain());
            let unbroken = typed.iter().map(|typed| match typed.to_string_lossy() {
                text if text.contains('\n') => text.replace('\n', LINE_BREAK).into(),
                _ => typed.clone(),
            });
            let message = match plain.try_get_matches_from(unbroken) {
                Err(mut refused) => {
                    tips::mend(&mut refused);
                    let hint = tips::hint(&refused);
                    match tips::instead(&refused, typed) {
                        Some(message) => format!("error: {message}"),
                        None => format!("{}{}", refused.render().ansi(), hint.unwrap_or_default()),
                    }
                }
                // Only the line break is refused.
                Ok(_) => error.render().to_string().replace('\n', LINE_BREAK),
            };
            for line in message.lines().map(|line| line.replace(LINE_BREAK, "\n")) {
                let hint = line.strip_prefix("hint: ");
                match (line.strip_prefix("error: "), hint) {
                    (Some(message), _) => print::error(message),
                    (None, Some(hint)) => print::say(print::Level::Hint, hint),
                    (None, None) => print::note(line),
                }
            }
        }
    }
    exit
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

/// Carries out a command; `given` is its command line, with the settings of the project.
fn carry_out(args: Args, given: &Given) -> Exit {
    panic::silence();
    let result = catch_panic(|| command(args, &given.arguments)).map_err(Error::Panicked);
    result.flatten().unwrap_or_else(|error| match error {
        // Whoever read the output has seen enough (`| head`).
        Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        error => {
            print::error(&error);
            if let Error::Usage(usage) = &error {
                for hint in usage.hints() {
                    print::say(print::Level::Hint, hint);
                }
            }
            if matches!(error, Error::Usage(_) | Error::Run(_)) {
                given.explain();
            }
            Exit::Failed
        }
    })
}

fn command(args: Args, given: &[OsString]) -> Result<Exit, Error> {
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
        Command::Completions(args) => filter(|_, out| man::complete(&args, out)),
        Command::Man(args) => filter(|_, out| man::write(&args, out)),
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
