//! What a command shows of what a run finds, and how.

use std::io::{self, Write};
use std::path::Path;

use crate::batch::{FileDone, Located};
use crate::cli::args::OutputFormat;
use crate::cli::format::text::Text;
use crate::cli::format::{Baseline, Coverage, FileList, Printer, frame, json};
use crate::cli::html_report::HtmlReport;
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit;
use crate::cli::terminal::color;
use abslink_html::{Examined, Outcome};

pub(crate) struct Listing {
    pub(crate) shows: ShownItems,
    pub(crate) printer: Box<dyn Printer>,
    /// The summary for people is written too.
    pub(crate) summary: bool,
    /// `--list-files`.
    pub(crate) files: Option<FileList>,
    /// `--format html`.
    pub(crate) report: Option<HtmlReport>,
    /// `--baseline` or `--write-baseline`.
    pub(crate) baseline: Option<Baseline>,
}

/// The readers of frames, where there are several.
const PRINTER: u8 = 0;
const REPORT: u8 = 1;
/// If this is in the baseline, the frame after it is not for the printer.
const BASELINE: u8 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownItems {
    References,
    /// References that are relative.
    Relative,
    /// Base URLs.
    Bases,
    /// Base URLs whose evidence disagrees.
    Conflicts,
    Nothing,
}

impl Listing {
    /// `forms` says whether references get another form than the
    /// absolute one.
    pub(crate) fn new(shows: ShownItems, format: OutputFormat, forms: bool) -> Listing {
        let printer: Box<dyn Printer> = match format {
            OutputFormat::Text => Box::new(Text {
                paints: color::on_stdout(),
            }),
            OutputFormat::Json => Box::new(json::ItemLines { forms }),
        };
        Listing::of(shows, printer)
    }

    pub(crate) fn of(shows: ShownItems, printer: Box<dyn Printer>) -> Listing {
        Listing {
            shows,
            printer,
            summary: true,
            files: None,
            report: None,
            baseline: None,
        }
    }

    /// Items have several readers, so they are sent in frames.
    fn has_frames(&self) -> bool {
        self.report.is_some() || self.baseline.is_some()
    }

    pub(crate) fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let is_shown = match self.shows {
            ShownItems::References => true,
            ShownItems::Relative => {
                exit::is_left(found.reference) || found.reference.outcome == Outcome::WindowsPath
            }
            _ => false,
        };
        if !self.has_frames() {
            if is_shown {
                self.printer.reference(found, out);
            }
            return;
        }
        if let Some(baseline) = &self.baseline
            && exit::is_left(found.reference)
        {
            frame::push(BASELINE, out, |out| baseline.push(found, out));
        }
        if is_shown {
            frame::push(PRINTER, out, |out| self.printer.reference(found, out));
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
            baseline.see(path, Coverage::All);
        }
        let is_contested = || examined.document_base.is_contested();
        if self.shows == ShownItems::Bases || self.shows == ShownItems::Conflicts && is_contested()
        {
            self.printer.base(path, examined, out);
        }
    }

    /// Takes what [`Listing::reference`] and [`Listing::document`] appended for a file, in path order.
    pub(crate) fn in_order(&self, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
        if !self.has_frames() {
            return self.printer.in_order(shown, out);
        }
        let mut is_known = false;
        for (reader, frame) in frame::each(shown) {
            match (reader, &self.report, &self.baseline) {
                (REPORT, Some(report), _) => report.take(frame)?,
                (BASELINE, _, Some(baseline)) => {
                    is_known = baseline.knows(frame)?;
                    if !is_known {
                        self.files.iter().for_each(FileList::meet_new);
                    }
                }
                _ if std::mem::take(&mut is_known) => {}
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
    pub(crate) fn failed(&self, path: &Path, reason: &str) {
        self.printer.failed(path, reason);
        if let Some(report) = &self.report {
            report.failed(path, reason);
        }
        if let Some(baseline) = &self.baseline {
            baseline.see(path, Coverage::Failed);
        }
    }

    /// Writes what comes after all items, even if a signal has ended the run.
    pub(crate) fn end(&self, end: &RunEnd, out: &mut dyn Write) -> io::Result<()> {
        self.printer.end(end, out)?;
        if let Some(report) = &self.report {
            report.end(end)?;
        }
        match &self.baseline {
            // What was not read would count as new in the next run.
            Some(baseline) if end.stopped.is_none() => baseline.end(),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
