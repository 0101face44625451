//! `--format markdown`: a summary for a job's page or a comment.

use std::io::{self, Write};

use super::{Finding, FindingFormat, Rule, Target};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print::{Count, Number, OneLine};

/// At most this many findings are written.
const MOST: usize = 100;
/// At most this many bytes of them: 64 KiB with what stands above and below. A summary may have 1
/// MiB.
const BYTES: usize = 60 << 10;

#[derive(Default)]
pub(in super::super) struct Markdown {
    command: &'static str,
    /// How many findings there are of each rule.
    seen: [u64; Rule::ALL.len()],
    rows: String,
    written: usize,
}

/// A code span in a cell of a table. Its fence is longer than every run of backticks in it.
fn code(text: &str) -> String {
    let runs = text.split(|character| character != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

impl FindingFormat for Markdown {
    fn begin(&mut self, command: &'static str, _: &mut dyn Write) -> io::Result<()> {
        self.command = command;
        Ok(())
    }

    fn finding(&mut self, finding: &Finding<'_>, to: &mut Target<'_>) -> io::Result<()> {
        let roots = to.roots;
        self.seen[finding.rule as usize] += 1;
        if self.written == MOST {
            return Ok(());
        }
        let path = OneLine(roots.shown(&finding.path));
        let (line, column) = (finding.line, finding.column);
        let place = code(&format!("{path}:{line}:{column}"));
        let row = format!("| {place} | {} |\n", code(&finding.message));
        if self.rows.len() + row.len() <= BYTES {
            self.rows.push_str(&row);
            self.written += 1;
        }
        Ok(())
    }

    fn end(&mut self, end: &RunEnd, to: &mut Target<'_>) -> io::Result<u64> {
        let Target { out, .. } = to;
        writeln!(out, "### abslink {}: {}", self.command, &end.lead)?;
        let total: u64 = self.seen.iter().sum();
        if total == 0 {
            return Ok(0);
        }
        writeln!(out, "| rule | problems |\n|---|--:|")?;
        for rule in Rule::ALL {
            match self.seen[rule as usize] {
                0 => {}
                seen => writeln!(out, "| `{}` | {} |", rule.name(), Number(seen))?,
            }
        }
        write!(out, "\n| place | problem |\n|---|---|\n{}", self.rows)?;
        let left_out = total - self.written as u64;
        if left_out > 0 {
            writeln!(out, "\nNot shown here: {}", Count(left_out, "problem"))?;
        }
        Ok(left_out)
    }
}
