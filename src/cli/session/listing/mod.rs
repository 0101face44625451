//! What a command shows of what a run finds, and how.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use crate::batch::{FileDone, Located};
use crate::cli::args::OutputFormat;
use crate::cli::format::text::Text;
use crate::cli::format::{Baseline, Coverage, FileList, Printer, Sink, frame, json};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit;
use crate::cli::terminal::{color, lock};
use abslink_html::{Examined, Outcome};

pub(crate) struct Listing {
    pub(crate) outputs: Vec<FormatOutput>,
    /// The summary for people is written too.
    pub(crate) summary: bool,
    /// `--list-files`.
    pub(crate) files: Option<FileList>,
    /// `--baseline` or `--write-baseline`.
    pub(crate) baseline: Option<Baseline>,
    /// Why something about a file that failed could not be written.
    pub(crate) failed: Mutex<io::Result<()>>,
}

/// What is shown in one format.
pub(crate) struct FormatOutput {
    pub(crate) printer: Box<dyn Printer>,
    pub(crate) shows: ShownItems,
    /// Where it goes, if not to standard output with what the run writes there.
    pub(crate) sink: Option<Mutex<Sink>>,
}

/// The reader of frames that is no output. If what is in one is known, those up to the next one are not shown.
const BASELINE: u8 = u8::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShownItems {
    /// References and documents, and those of the baseline too.
    All,
    References,
    /// References that are relative, and paths of Windows.
    Relative,
    /// The first of these alone.
    Left,
    /// Base URLs.
    Bases,
    /// Base URLs whose evidence disagrees.
    Conflicts,
    Nothing,
}

impl FormatOutput {
    fn takes(&self, found: &Located<'_>) -> bool {
        let is_left = exit::is_left(found.reference);
        match self.shows {
            ShownItems::All | ShownItems::References => true,
            ShownItems::Relative => is_left || found.reference.outcome == Outcome::WindowsPath,
            ShownItems::Left => is_left,
            ShownItems::Bases | ShownItems::Conflicts | ShownItems::Nothing => false,
        }
    }

    fn takes_document(&self, examined: &Examined) -> bool {
        match self.shows {
            ShownItems::All | ShownItems::Bases => true,
            ShownItems::Conflicts => examined.document_base.is_contested(),
            _ => false,
        }
    }

    /// Lets the printer write to where it goes, which may be `stdout`.
    fn write(
        &self,
        stdout: &mut dyn Write,
        write: impl FnOnce(&dyn Printer, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match &self.sink {
            None => write(&*self.printer, stdout),
            Some(sink) => write(&*self.printer, &mut *lock(sink)),
        }
    }
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
        let sink = None;
        Listing::of(vec![FormatOutput {
            printer,
            shows,
            sink,
        }])
    }

    pub(crate) fn of(outputs: Vec<FormatOutput>) -> Listing {
        Listing {
            outputs,
            summary: true,
            files: None,
            baseline: None,
            failed: Mutex::new(Ok(())),
        }
    }

    pub(crate) fn paints(&self) -> bool {
        self.outputs.iter().any(|output| output.printer.paints())
    }

    /// `--format html`, which nobody's going away from standard output ends.
    pub(crate) fn has_page(&self) -> bool {
        self.outputs.iter().any(|it| it.shows == ShownItems::All)
    }

    /// Items have several readers, so they are sent in frames.
    fn has_frames(&self) -> bool {
        self.outputs.len() > 1 || self.baseline.is_some()
    }

    /// Appends what each of some outputs shows.
    fn show(
        &self,
        out: &mut Vec<u8>,
        takes: impl Fn(&FormatOutput) -> bool,
        print: impl Fn(&dyn Printer, &mut Vec<u8>),
    ) {
        let outputs = (0..BASELINE).zip(&self.outputs);
        for (number, output) in outputs.filter(|(_, output)| takes(output)) {
            if self.has_frames() {
                frame::push(number, out, |out| print(&*output.printer, out));
            } else {
                print(&*output.printer, out);
            }
        }
    }

    pub(crate) fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        if let Some(baseline) = &self.baseline {
            frame::push(BASELINE, out, |out| {
                if exit::is_left(found.reference) {
                    baseline.push(found, out);
                }
            });
        }
        let takes = |output: &FormatOutput| output.takes(found);
        self.show(out, takes, |printer, out| printer.reference(found, out));
    }

    /// A document is done; its references have been shown.
    pub(crate) fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        if let Some(baseline) = &self.baseline {
            baseline.see(path, Coverage::All);
        }
        let takes = |output: &FormatOutput| output.takes_document(examined);
        self.show(out, takes, |printer, out| {
            printer.document(path, examined, out);
        });
    }

    /// Takes what [`Listing::reference`] and [`Listing::document`] appended for a file, in path order.
    pub(crate) fn in_order(&self, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
        std::mem::replace(&mut *lock(&self.failed), Ok(()))?;
        if !self.has_frames() {
            let mut outputs = self.outputs.iter();
            return outputs.try_for_each(|it| it.write(out, |it, out| it.in_order(shown, out)));
        }
        let mut is_known = false;
        for (reader, frame) in frame::each(shown) {
            match (&self.baseline, self.outputs.get(usize::from(reader))) {
                (Some(baseline), None) => {
                    is_known = !frame.is_empty() && baseline.knows(frame)?;
                    if !frame.is_empty() && !is_known {
                        self.files.iter().for_each(FileList::meet_new);
                    }
                }
                (_, Some(output)) if !is_known || output.shows == ShownItems::All => {
                    output.write(out, |it, out| it.in_order(frame, out))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A file is done; in path order too, after its items.
    pub(crate) fn file(&self, path: &Path, done: FileDone, out: &mut dyn Write) -> io::Result<()> {
        if let Some(files) = &self.files
            && files.has(done, self.baseline.is_some())
        {
            self.outputs.iter().for_each(|it| it.printer.file(path));
            files.print(path, out)?;
        }
        Ok(())
    }

    /// The file at `path` could not be processed; in path order too, after its items.
    pub(crate) fn failed(&self, path: &Path, reason: &str) {
        for output in &self.outputs {
            let written = output.write(&mut io::sink(), |it, out| it.failed(path, reason, out));
            let mut failed = lock(&self.failed);
            if failed.is_ok() {
                *failed = written;
            }
        }
        if let Some(baseline) = &self.baseline {
            baseline.see(path, Coverage::Failed);
        }
    }

    /// Writes what comes after all items, even if a signal has ended the run.
    pub(crate) fn end(&self, end: &RunEnd, out: &mut dyn Write) -> io::Result<()> {
        std::mem::replace(&mut *lock(&self.failed), Ok(()))?;
        for output in &self.outputs {
            output.write(out, |it, out| it.end(end, out))?;
            if let Some(sink) = &output.sink {
                lock(sink).finish()?;
            }
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
