//! `--list-files`: the paths of the files that change, or have relative links.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::batch::FileDone;
use crate::cli::args::OutputFormat;
use crate::cli::terminal::print::{self, PathLine, with_slashes};

/// Lists files instead of what is in them.
pub(crate) struct FileList {
    /// How, on standard output; `None` where they are part of the summary.
    pub(crate) format: Option<OutputFormat>,
    /// Files count that have relative links, and not only those that change.
    pub(crate) is_check: bool,
    /// The current file has something that is not in the baseline.
    has_new: AtomicBool,
}

impl FileList {
    pub(crate) fn new(format: Option<OutputFormat>, is_check: bool) -> FileList {
        FileList {
            format,
            is_check,
            has_new: AtomicBool::new(false),
        }
    }

    /// A reference was found that is not in the baseline.
    pub(crate) fn meet_new(&self) {
        self.has_new.store(true, Ordering::Relaxed);
    }

    /// Whether a file is listed; with a baseline only what is not in it counts.
    pub(crate) fn has(&self, done: FileDone, has_baseline: bool) -> bool {
        let has_new = self.has_new.swap(false, Ordering::Relaxed);
        if self.is_check {
            done.is_relative && (has_new || !has_baseline)
        } else {
            done.is_changed
        }
    }

    pub(crate) fn print(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        match self.format {
            Some(OutputFormat::Text) => writeln!(out, "{}", PathLine(path)),
            Some(OutputFormat::Json) => {
                print::json_line(out, &json!({ "file": with_slashes(path) }))
            }
            None => Ok(()),
        }
    }
}
