//! What a run finds, on standard output: a file for each format.
//!
//! | format | `check`, `links`, `base` | `rewrite` |
//! |---|---|---|
//! | [`text`] | a line or a few for each item | nothing: documents or a diff may go there |
//! | [`json`] | a line for each item | the summary, as one object |
//! | [`findings`] | a finding for each relative reference (`check`) | one for each that is left |
//!
//! A new format for items is a file here with a [`Printer`], and a line in [`Listing::new`]; a new format for
//! findings is a file in [`findings`]. With `--format`, given several times or with a file, [`several`] writes
//! all of them, each to its [`target`]. Besides, `--report` makes a page of what was done: [`report`].

mod baseline;
mod files;
mod findings;
pub(super) mod frame;
mod json;
mod several;
mod spool;
pub(super) mod target;
pub(super) mod text;

use std::io::{self, Write};
use std::path::Path;

use crate::batch::{FileDone, Located};
use abslink_html::Examined;

use crate::cli::args::Format;
use crate::cli::html_report::Report;
use crate::cli::run::end::Finished;
use crate::cli::run::exit;
use crate::cli::run::exit::Exit;
pub(crate) use baseline::{Baseline, BaselineError};
pub(crate) use files::{Files, Shape};
pub(crate) use json::Summary;
pub(crate) use several::Several;
pub(crate) use target::{Sink, Target, Writes};

/// Writes what a run finds in one format.
pub(crate) trait Printer: Sync {
    /// Appends an item to `out`. Workers call this in any order; what they append goes to standard
    /// output in path order.
    fn item(&self, item: &Item<'_>, out: &mut Vec<u8>);

    /// Whether it writes colours.
    fn paints(&self) -> bool {
        false
    }

    /// Whether it also covers what a rewrite leaves.
    fn finds(&self) -> bool {
        false
    }

    /// Takes what [`Printer::item`] appended for a file, in path order.
    fn in_order(&self, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
        out.write_all(shown)
    }

    /// The file at `path` could not be processed; in path order too, after its items.
    fn failed(&self, _path: &Path, _reason: &dyn Fn() -> String) {}

    /// `--list-files` has the file at `path`; in path order too.
    fn file(&self, _path: &Path) {}

    /// Writes what comes after all items, even if a signal has ended the run.
    fn end(&self, _end: &End<'_>, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

/// Shows no items.
pub(crate) struct Silent;

impl Printer for Silent {
    fn item(&self, _: &Item<'_>, _: &mut Vec<u8>) {}
}

/// What is known at the end of a run.
pub(crate) struct End<'a> {
    pub(crate) finished: &'a Finished,
    /// What was done, in a command's words.
    pub(crate) lead: &'a str,
    pub(crate) exit: Exit,
    /// Whether only errors go to standard error.
    pub(crate) quiet: bool,
}

/// Something that a run found.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    /// A reference.
    Reference(&'a Located<'a>),
    /// The base URL of a document, with what else was known.
    Base(&'a Path, &'a Examined),
}

/// What a command shows of what a run finds, and how.
pub(crate) struct Listing {
    pub(crate) shows: Shows,
    pub(crate) printer: Box<dyn Printer>,
    /// Whether the summary for people is written too.
    pub(crate) summary: bool,
    /// `--list-files`.
    pub(crate) files: Option<Files>,
    /// `--report`.
    pub(crate) report: Option<Report>,
    /// `--baseline` or `--write-baseline`.
    pub(crate) baseline: Option<Baseline>,
}

/// The readers of frames, where there are several.
const PRINTER: u8 = 0;
const REPORT: u8 = 1;
/// A frame that is followed by what the printer gets if this is not in the baseline.
const BASELINE: u8 = 2;

/// Which items a command shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shows {
    /// References.
    References {
        /// Only those that are relative.
        only_relative: bool,
    },
    /// Base URLs.
    Bases {
        /// Only those whose evidence disagrees.
        only_conflicts: bool,
    },
    /// None.
    Nothing,
}

/// Which command a run is, as far as formats depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Check {
        /// Whether references get another form than the absolute one.
        forms: bool,
    },
    Rewrite {
        /// Whether references whose target is there are left.
        only_missing: bool,
        /// Whether files that change are listed.
        lists: bool,
    },
}

impl Command {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Command::Check { .. } => "check",
            Command::Rewrite { .. } => "rewrite",
        }
    }
}

impl Listing {
    /// What a command shows, in this format. `forms` says whether references get another form than the
    /// absolute one.
    pub(crate) fn new(shows: Shows, format: Format, forms: bool) -> Listing {
        let printer: Box<dyn Printer> = match format {
            Format::Text => Box::new(text::Text::for_stdout()),
            Format::Json => Box::new(json::Lines { forms }),
        };
        Listing::of(shows, printer)
    }

    /// What a printer shows, with a summary and nothing besides.
    pub(crate) fn of(shows: Shows, printer: Box<dyn Printer>) -> Listing {
        Listing {
            shows,
            printer,
            summary: true,
            files: None,
            report: None,
            baseline: None,
        }
    }

    /// Whether what is found has several readers, so that it is sent in frames.
    fn has_frames(&self) -> bool {
        self.report.is_some() || self.baseline.is_some()
    }

    /// A reference was found.
    pub(crate) fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let is_shown = match self.shows {
            Shows::References { only_relative } => !only_relative || exit::is_left(found.reference),
            _ => false,
        };
        let item = Item::Reference(found);
        if !self.has_frames() {
            if is_shown {
                self.printer.item(&item, out);
            }
            return;
        }
        let listed = self.baseline.as_ref();
        match listed.filter(|_| exit::is_left(found.reference)) {
            Some(baseline) => frame::push(BASELINE, out, |out| {
                frame::push(BASELINE, out, |out| baseline.push(found, out));
                self.printer.item(&item, out);
            }),
            None if is_shown => frame::push(PRINTER, out, |out| self.printer.item(&item, out)),
            None => {}
        }
        if let Some(report) = &self.report {
            report.reference(REPORT, found, out);
        }
    }

    /// A document is done; its references have been shown.
    pub(crate) fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        if let Some(report) = &self.report {
            report.document(path, examined);
        }
        if let Some(baseline) = &self.baseline {
            baseline.document(path);
        }
        if let Shows::Bases { only_conflicts } = self.shows
            && (!only_conflicts || examined.document_base.is_contested())
        {
            self.printer.item(&Item::Base(path, examined), out);
        }
    }

    /// Takes what [`Listing::reference`] and [`Listing::document`] appended for a file, in path order.
    pub(crate) fn in_order(&self, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
        if !self.has_frames() {
            return self.printer.in_order(shown, out);
        }
        for (reader, frame) in frame::each(shown) {
            match (reader, &self.report, &self.baseline) {
                (REPORT, Some(report), _) => report.take(frame)?,
                (BASELINE, _, Some(baseline)) => {
                    let (entry, shown) = frame::first(frame);
                    if !baseline.knows(entry)? {
                        self.files.iter().for_each(Files::meet_new);
                        self.printer.in_order(shown, out)?;
                    }
                }
                _ => self.printer.in_order(frame, out)?,
            }
        }
        Ok(())
    }

    /// A file is done; in path order too, after its items.
    pub(crate) fn file(&self, path: &Path, done: FileDone, out: &mut dyn Write) -> io::Result<()> {
        if let Some(files) = &self.files
            && files.has(done, self.baseline.is_some())
        {
            self.printer.file(path);
            files.print(path, out)?;
        }
        Ok(())
    }

    /// The file at `path` could not be processed; in path order too, after its items.
    pub(crate) fn failed(&self, path: &Path, reason: impl Fn() -> String) {
        self.printer.failed(path, &reason);
        if let Some(report) = &self.report {
            report.failed(path, &reason());
        }
        if let Some(baseline) = &self.baseline {
            baseline.failed(path);
        }
    }

    /// Writes what comes after all items, even if a signal has ended the run.
    pub(crate) fn end(&self, end: &End<'_>, out: &mut dyn Write) -> io::Result<()> {
        self.printer.end(end, out)?;
        if let Some(report) = &self.report {
            report.end(end)?;
        }
        match &self.baseline {
            // What was not read would count as new in the next run.
            Some(baseline) if end.finished.stopped.is_none() => baseline.end(),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
