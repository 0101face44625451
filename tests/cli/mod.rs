//! The command line from outside: streams, messages, exit codes.

mod baseline;
mod batch;
#[cfg(target_os = "linux")]
mod bounds;
#[cfg(unix)]
mod color;
pub(crate) mod config;
#[cfg(unix)]
pub(crate) mod crawl;
mod doors;
mod files;
mod forms;
mod gitignore;
mod hints;
mod kinds;
mod list_files;
mod moved;
mod nameless;
mod outputs;
mod own_files;
mod passwords;
mod repeats;
mod retrieval;
mod run;
mod site;
mod stream;
mod terminal;
mod to_files;
mod trial;
mod usage;
pub(crate) mod verify;
mod wayback;
#[cfg(windows)]
mod windows;

pub(crate) use crate::support::sandbox::{Ran, Sandbox};
