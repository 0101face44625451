//! `--format github`: workflow commands, which GitHub's runner shows as annotations.

use std::io::{self, Write};

use super::{Finding, FindingFormat, Target};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print::{Count, list, with_breaks};

/// The runner keeps ten annotations of each kind for a step.
const SHOWN: u64 = 10;

/// The command of each [`Severity`](super::Severity), and how many of it are shown: one notice says what is left out.
const COMMANDS: [(&str, u64); 3] = [("error", SHOWN), ("warning", SHOWN), ("notice", SHOWN - 1)];

#[derive(Default)]
pub(in super::super) struct Github {
    /// How many there were so far for each command.
    seen: [u64; COMMANDS.len()],
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
    fn finding(&mut self, finding: &Finding<'_>, to: &mut Target<'_>) -> io::Result<()> {
        let Target { roots, out } = to;
        let level = finding.level as usize;
        let (command, most) = COMMANDS[level];
        self.seen[level] += 1;
        if self.seen[level] > most {
            return Ok(());
        }
        write!(out, "::{command} ")?;
        if finding.path.as_os_str() != "-" {
            let path = with_breaks(&roots.shown(&finding.path));
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

    fn end(&mut self, _: &RunEnd, to: &mut Target<'_>) -> io::Result<u64> {
        let Target { out, .. } = to;
        let left = COMMANDS.iter().zip(self.seen);
        let left = left.map(|(&(command, most), seen)| Count(seen.saturating_sub(most), command));
        let left: Vec<Count> = left.filter(|left| left.0 > 0).collect();
        let total = left.iter().map(|left| left.0).sum();
        if total > 0 {
            writeln!(
                out,
                "::notice title=abslink::not shown here: {}",
                list(left)
            )?;
        }
        Ok(total)
    }
}
