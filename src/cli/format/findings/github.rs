//! `--format github`: workflow commands, which GitHub's runner shows as annotations.

use std::io::{self, Write};
use std::path::Path;

use super::place::Roots;
use super::{Finding, FindingFormat, Severity};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print::{Count, list, with_breaks};

/// The runner keeps ten annotations of each kind for a step.
const KEPT: u64 = 10;

pub(in super::super) struct Github {
    roots: Roots,
    /// Errors, warnings and notices so far.
    seen: [u64; 3],
}

impl Github {
    pub(in super::super) fn new() -> Github {
        Github {
            roots: Roots::of(Some("GITHUB_WORKSPACE")),
            seen: [0; 3],
        }
    }
}

/// The command of a level.
fn command(level: Severity) -> &'static str {
    match level {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// At most this many of a level are shown. One notice says what is left out.
fn most(level: Severity) -> u64 {
    match level {
        Severity::Error | Severity::Warning => KEPT,
        Severity::Note => KEPT - 1,
    }
}

/// The text of a command, as the runner reads it.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

impl FindingFormat for Github {
    fn finding(
        &mut self,
        path: &Path,
        finding: &Finding<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let seen = &mut self.seen[finding.level as usize];
        *seen += 1;
        if *seen > most(finding.level) {
            return Ok(());
        }
        write!(out, "::{} ", command(finding.level))?;
        if path.as_os_str() != "-" {
            let path = with_breaks(&self.roots.shown(path));
            write!(out, "file={},", property(&path))?;
        }
        let &Finding { line, column, .. } = finding;
        write!(out, "line={line}")?;
        match finding.end {
            // The runner accepts no columns for a value over several lines.
            Some((end, _)) if end > line => write!(out, ",endLine={end}")?,
            Some((_, end)) => write!(out, ",col={column},endColumn={end}")?,
            None => write!(out, ",col={column}")?,
        }
        let rule = finding.rule.name();
        writeln!(out, ",title={rule}::{}", data(&finding.message))
    }

    fn end(&mut self, _: &RunEnd, out: &mut dyn Write) -> io::Result<u64> {
        let levels = [Severity::Error, Severity::Warning, Severity::Note];
        let left = levels.map(|level| {
            let left = self.seen[level as usize].saturating_sub(most(level));
            (left, command(level))
        });
        let total = left.iter().map(|(left, _)| left).sum();
        if total > 0 {
            let kinds = left.iter().filter(|(left, _)| *left > 0);
            let kinds = list(kinds.map(|&(left, command)| Count(left, command).to_string()));
            writeln!(out, "::notice title=abslink::not shown here: {kinds}")?;
        }
        Ok(total)
    }
}
