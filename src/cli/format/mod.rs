//! What a run finds, on standard output: a file for each format.
//!
//! | format | `check`, `links`, `base` | `rewrite` |
//! |---|---|---|
//! | [`text`] | a line or a few for each item | nothing: documents or a diff may go there |
//! | [`json`] | a line for each item | the summary, as one object |
//! | [`findings`] | a finding for each relative reference (`check`) | one for each that is left |
//!
//! A new format for items is a file here with a [`Printer`]; a new format for findings is a file in
//! [`findings`] with a [`FindingFormat`](findings::FindingFormat). [`target`] knows them all.

mod baseline;
mod files;
mod findings;
pub(super) mod frame;
pub(super) mod json;
mod spool;
pub(super) mod target;
pub(super) mod text;

use std::io::{self, Write};
use std::path::Path;

use crate::batch::Located;
use crate::cli::run::end::RunEnd;
use abslink_html::Examined;
pub(crate) use baseline::{Baseline, Coverage};
pub(crate) use files::FileList;
pub(crate) use json::Summary;
pub(crate) use target::Sink;

/// Writes what a run finds in one format.
pub(crate) trait Printer: Sync {
    /// Appends a reference to `out`. Workers call this in any order; what they append goes to standard
    /// output in path order.
    fn reference(&self, _found: &Located<'_>, _out: &mut Vec<u8>) {}

    /// A document is done; in path order, after its references. What is appended comes behind those.
    fn document(&self, _path: &Path, _examined: &Examined, _out: &mut Vec<u8>) {}

    fn paints(&self) -> bool {
        false
    }

    /// Takes what was appended for a file, in path order.
    fn in_order(&self, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(shown)
    }

    /// The file at `path` could not be processed; in path order too, after its items.
    fn failed(&self, _path: &Path, _reason: &str, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// `--list-files` has the file at `path`; in path order too.
    fn file(&self, _path: &Path) {}

    /// Writes what comes after all items, even if a signal has ended the run.
    fn end(&self, _end: &RunEnd, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// The command of a run, as far as formats depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Check {
        /// `--to` gives references another form than the absolute one.
        forms: bool,
    },
    Rewrite {
        /// `--list-files`.
        lists: bool,
    },
}

impl Mode {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Check { .. } => "check",
            Mode::Rewrite { .. } => "rewrite",
        }
    }
}
