//! `--format FORMAT[=FILE]`, given any number of times: several formats in one run, since a second
//! run of `rewrite -i` would find nothing.
//!
//! Workers meet references in any order, but formats write in path order, and most of them count. So
//! workers append *frames* to the output that the run puts in order: finished lines for one target,
//! or a finding for every format of findings. That is in bytes too, since what waits for its turn may go to disk.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::findings::{self, Finding, Rule};
use super::target::Target;
use super::{Mode, Printer, frame};
use crate::batch::Located;
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit;
use crate::cli::terminal::print::{self, Count};

/// Writes several formats, or none.
pub(crate) struct Several {
    command: Mode,
    /// What writes lines, each with the index of its target.
    lines: Vec<(u8, Box<dyn Printer>)>,
    /// Some target gets findings.
    finds: bool,
    ordered: Mutex<Ordered>,
}

/// The state that changes in path order.
#[derive(Default)]
struct Ordered {
    targets: Vec<Target>,
    /// The formats have begun: a run that is not possible writes nothing.
    begun: bool,
    /// The file that findings come from.
    path: PathBuf,
    /// References of that file that lack a base URL: a finding where the first one is, and how many there are.
    no_base: Option<(Finding<'static>, u64)>,
    /// Why a finding could not be written.
    failed: Option<io::Error>,
}

/// The reader of a frame that holds a [`Finding`].
const FINDING: u8 = u8::MAX;

impl Several {
    pub(crate) fn new(
        lines: Vec<(u8, Box<dyn Printer>)>,
        targets: Vec<Target>,
        command: Mode,
    ) -> Several {
        Several {
            command,
            lines,
            finds: targets.iter().any(|target| target.format.is_some()),
            ordered: Mutex::new(Ordered {
                targets,
                ..Ordered::default()
            }),
        }
    }

    fn ordered(&self) -> MutexGuard<'_, Ordered> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Printer for Several {
    fn finds(&self) -> bool {
        self.finds
    }

    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        if exit::is_left(found.reference) {
            for (number, printer) in &self.lines {
                frame::push(*number, out, |out| printer.reference(found, out));
            }
        }
        if !self.finds {
            return;
        }
        // A relative reference is none if it was made absolute.
        let relative = matches!(self.command, Mode::Check { .. });
        for finding in findings::of(found, relative) {
            // Neither writing to a Vec nor serialising text and numbers fails.
            frame::push(FINDING, out, |out| {
                let _ = serde_json::to_writer(out, &finding);
            });
        }
    }

    fn in_order(&self, shown: &[u8], _: &mut dyn Write) -> io::Result<()> {
        let mut ordered = self.ordered();
        ordered.begin(self.command)?;
        for (reader, frame) in frame::each(shown) {
            if reader == FINDING {
                ordered.take(serde_json::from_slice(frame)?)?;
            } else if let Some(target) = ordered.targets.get_mut(usize::from(reader)) {
                target.sink.write_all(frame)?;
            }
        }
        ordered.failed.take().map_or(Ok(()), Err)
    }

    fn file(&self, path: &Path) {
        (self.lines.iter()).for_each(|(_, printer)| printer.file(path));
    }

    fn failed(&self, path: &Path, reason: &str) {
        (self.lines.iter()).for_each(|(_, printer)| printer.failed(path, reason));
        let mut ordered = self.ordered();
        let written = ordered
            .begin(self.command)
            .and_then(|()| ordered.come_to(path))
            .and_then(|()| ordered.write(&findings::failed(path, reason)));
        ordered.failed = ordered.failed.take().or(written.err());
    }

    fn end(&self, end: &RunEnd, _: &mut dyn Write) -> io::Result<()> {
        let mut ordered = self.ordered();
        ordered.begin(self.command)?;
        ordered.come_to(Path::new(""))?;
        ordered.failed.take().map_or(Ok(()), Err)?;
        for (target, number) in ordered.targets.iter_mut().zip(0..FINDING) {
            let Target { name, sink, format } = target;
            for (_, printer) in self.lines.iter().filter(|(of, _)| *of == number) {
                printer.end(end, sink)?;
            }
            let left_out = format
                .as_mut()
                .map(|(format, roots)| format.end(end, roots, sink));
            let left_out = left_out.transpose()?.unwrap_or_default();
            sink.finish()?;
            if left_out > 0 && !end.quiet {
                let (name, left_out) = (name.name(), Count(left_out, "problem"));
                let warning =
                    format_args!("--format {name}: too many problems; {left_out} left out");
                print::say(print::MessageLevel::Warning, warning);
            }
        }
        Ok(())
    }
}

impl Ordered {
    fn begin(&mut self, command: Mode) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) {
            return Ok(());
        }
        for Target { sink, format, .. } in &mut self.targets {
            if let Some((format, _)) = format {
                format.begin(command.name(), sink)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, finding: Finding<'static>) -> io::Result<()> {
        self.come_to(&finding.path)?;
        if finding.rule == Rule::NoBaseUrl {
            // They make one finding for the whole file.
            self.no_base.get_or_insert((finding, 0)).1 += 1;
            return Ok(());
        }
        self.write(&finding)
    }

    /// Goes on to the findings of the file at `path`.
    fn come_to(&mut self, path: &Path) -> io::Result<()> {
        if self.path != path {
            if let Some((finding, references)) = self.no_base.take() {
                let references = Count(references, "relative link");
                let message = format!("{references}, no base URL").into();
                self.write(&Finding { message, ..finding })?;
            }
            path.clone_into(&mut self.path);
        }
        Ok(())
    }

    fn write(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        for Target { sink, format, .. } in &mut self.targets {
            if let Some((format, roots)) = format {
                format.finding(finding, roots, sink)?;
            }
        }
        Ok(())
    }
}
