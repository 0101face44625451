//! Writes one format of findings.
//!
//! Workers meet references in any order, but formats write in path order, and most of them count. So workers append
//! findings as JSON to the output that the run puts in order: what waits for its turn may go to disk.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Deserializer;

use super::place::Roots;
use super::{Finding, FindingFormat, Rule, Target};
use crate::batch::Located;
use crate::cli::args::FormatName;
use crate::cli::format::{Mode, Printer};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::lock;
use crate::cli::terminal::print::{self, Count};

pub(in crate::cli::format) struct FindingPrinter {
    pub(in crate::cli::format) name: FormatName,
    pub(in crate::cli::format) mode: Mode,
    pub(in crate::cli::format) state: Mutex<State>,
}

/// The state that changes in path order.
pub(in crate::cli::format) struct State {
    pub(in crate::cli::format) format: Box<dyn FindingFormat>,
    pub(in crate::cli::format) roots: Roots,
    /// The file that findings come from, once the format has begun: a run that is not possible writes nothing.
    pub(in crate::cli::format) path: Option<PathBuf>,
    /// References of that file that lack a base URL: a finding where the first one is, and how many there are.
    pub(in crate::cli::format) no_base: Option<(Finding<'static>, u64)>,
}

impl Printer for FindingPrinter {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        // A relative reference is none if it was made absolute.
        let relative = matches!(self.mode, Mode::Check { .. });
        for finding in super::of(found, relative) {
            // Neither writing to a Vec nor serialising text and numbers fails.
            let _ = serde_json::to_writer(&mut *out, &finding);
        }
    }

    fn in_order(&self, shown: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let mut state = lock(&self.state);
        for finding in Deserializer::from_slice(shown).into_iter::<Finding<'static>>() {
            let finding = finding?;
            state.come_to(&finding.path, self.mode, out)?;
            if finding.rule == Rule::NoBaseUrl {
                // They make one finding for the whole file.
                state.no_base.get_or_insert((finding, 0)).1 += 1;
            } else {
                state.write(&finding, out)?;
            }
        }
        Ok(())
    }

    fn failed(&self, path: &Path, reason: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut state = lock(&self.state);
        state.come_to(path, self.mode, out)?;
        state.write(&super::failed(path, reason), out)
    }

    fn end(&self, end: &RunEnd, out: &mut dyn Write) -> io::Result<()> {
        let state = &mut *lock(&self.state);
        state.come_to(Path::new(""), self.mode, out)?;
        let roots = &state.roots;
        let left_out = state.format.end(end, &mut Target { roots, out })?;
        if left_out > 0 && !end.quiet {
            let (name, left_out) = (self.name.name(), Count(left_out, "problem"));
            let warning = format_args!("--format {name}: too many problems; {left_out} left out");
            print::warning(warning);
        }
        Ok(())
    }
}

impl State {
    /// Goes on to the findings of the file at `path`.
    fn come_to(&mut self, path: &Path, mode: Mode, out: &mut dyn Write) -> io::Result<()> {
        if self.path.is_none() {
            self.format.begin(mode.name(), out)?;
        }
        if self.path.as_deref() != Some(path) {
            if let Some((finding, references)) = self.no_base.take() {
                let references = Count(references, "relative link");
                let message = format!("{references}, no base URL").into();
                self.write(&Finding { message, ..finding }, out)?;
            }
            self.path = Some(path.to_owned());
        }
        Ok(())
    }

    fn write(&mut self, finding: &Finding<'_>, out: &mut dyn Write) -> io::Result<()> {
        let roots = &self.roots;
        self.format.finding(finding, &mut Target { roots, out })
    }
}
