//! What a person types and sees.
//!
//! ```text
//! args (as typed) -> plan (validated) -> session (the run, watched) -> summary -> exit
//! ```
//!
//! One file a command: [`rewrite`], [`check`], [`links`], [`base`], [`resolve`], [`parse`]. Nothing
//! outside this folder prints, or knows of a terminal or an environment variable.

use std::io::{self, Write as _};

pub(crate) mod args;
mod base;
mod check;
mod exit;
mod glob;
mod links;
mod listing;
mod parse;
mod plan;
mod print;
mod progress;
mod quiet;
mod references;
mod resolve;
mod rewrite;
mod session;
mod stop;
mod summary;

use abslink::batch::RunError;
use args::{Args, Command};
use exit::Exit;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
enum Error {
    /// The arguments ask for something that cannot be done.
    #[error(transparent)]
    Usage(#[from] plan::UsageError),
    /// The run as a whole was not possible.
    #[error(transparent)]
    Run(RunError),
    /// A bug ended the run.
    #[error("abslink failed ({0}); please report this")]
    Panicked(String),
    /// The output stream failed.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        match error {
            RunError::Output(error) => Error::Output(error),
            error => Error::Run(error),
        }
    }
}

/// Carries out what was typed.
pub(crate) fn run(args: Args) -> Exit {
    quiet::panics();
    let result = quiet::catch(|| command(args)).flatten();
    result.unwrap_or_else(|error| match error {
        // Whoever read the output has seen enough (`| head`).
        Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Done,
        error => {
            print::error(&error);
            Exit::Failed
        }
    })
}

fn command(args: Args) -> Result<Exit, Error> {
    match args.command {
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Links(args) => links::run(&args),
        Command::Base(args) => base::run(&args),
        Command::Resolve(args) => {
            let (mut input, mut err) = (io::stdin().lock(), print::stderr());
            buffered(|out| resolve::run(&args.into(), &mut input, out, &mut err))
        }
        Command::Parse(args) => {
            buffered(|out| parse::run(&args.into(), &mut io::stdin().lock(), out))
        }
    }
}

/// Gives a command standard output through a buffer, and writes out what is left in it.
fn buffered(
    command: impl FnOnce(&mut io::BufWriter<io::Stdout>) -> io::Result<Exit>,
) -> Result<Exit, Error> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let exit = command(&mut out)?;
    out.flush()?;
    Ok(exit)
}
