//! `abslink completions`: a completion script, made from the definition of the arguments.

use std::io::{self, Write};

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::cli::args::Args;
use crate::cli::run::exit::Exit;

/// Writes the completions of a shell.
pub(crate) fn run(shell: Shell, out: &mut dyn Write) -> io::Result<Exit> {
    // clap_complete panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "abslink", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}
