//! Why a command ended early.

use std::io;

use crate::batch::RunError;
use crate::cli::args::UsageError;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The arguments or the settings of the project ask for something that cannot be done.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// The run as a whole was not possible.
    #[error(transparent)]
    Run(RunError),
    /// A bug ended the run.
    #[error("internal error ({0}); please report this")]
    Panicked(String),
    /// The output stream failed, or a file that is not a document; then the error names the file.
    #[error("{}", named(.0))]
    Output(#[from] io::Error),
}

impl Error {
    /// What to do about it.
    pub(crate) fn hints(&self) -> &[String] {
        match self {
            Error::Usage(error) => &error.hints,
            _ => &[],
        }
    }
}

/// An error of a stream, which names no file, or of a file: [`cannot_write`](crate::cli::terminal::print::cannot_write).
fn named(error: &io::Error) -> String {
    match error.get_ref() {
        Some(of_file) => of_file.to_string(),
        None => format!("standard output: {error}"),
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        match error {
            RunError::Output(error) => Error::Output(error),
            error => Error::Run(error),
        }
    }
}
