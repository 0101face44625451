//! `abslink.toml`: options that a project keeps, what of them counts, and what they may never say.

mod conflicts;
mod files_that_are_not;
pub(crate) mod hook;
mod hostile;
#[cfg(target_os = "linux")]
mod large;
mod table;

use std::fs;

use super::{Ran, Sandbox};

/// A repository with these settings and a page in site/, which links to `sub/g`.
pub(super) fn project(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join(".git")).unwrap();
    sandbox.write("abslink.toml", settings);
    sandbox
}

/// Runs a command in a directory of a sandbox.
pub(super) fn run_in(sandbox: &Sandbox, directory: &str, arguments: &str) -> Ran {
    let directory = sandbox.path().join(directory);
    fs::create_dir_all(&directory).unwrap();
    let mut command = sandbox.abslink(arguments);
    Ran::by(command.current_dir(directory))
}

#[track_caller]
pub(super) fn refused(ran: &Ran, why: &str) {
    ran.exits(2).prints("").says(why);
}
