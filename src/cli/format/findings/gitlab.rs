//! `--format gitlab`: GitLab's code quality report.

use std::io::{self, Write};

use serde_json::json;

use super::fingerprint::Fingerprints;
use super::{Finding, FindingFormat, Rule, Severity, Target};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print;

/// At most this many findings are written.
const MOST: u64 = 25_000;

#[derive(Default)]
pub(in super::super) struct Gitlab {
    fingerprints: Fingerprints,
    seen: u64,
}

fn severity(finding: &Finding<'_>) -> &'static str {
    match (finding.rule, finding.level) {
        (Rule::FailedFile, _) => "critical",
        (_, Severity::Error) => "major",
        (_, Severity::Warning) => "minor",
        (_, Severity::Note) => "info",
    }
}

impl FindingFormat for Gitlab {
    fn begin(&mut self, _: &'static str, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[")
    }

    fn finding(&mut self, finding: &Finding<'_>, to: &mut Target<'_>) -> io::Result<()> {
        let Target { roots, out } = to;
        self.seen += 1;
        if self.seen > MOST {
            return Ok(());
        }
        let path = roots.shown(&finding.path);
        let rule = finding.rule.name();
        let issue = json!({
            "description": format!("{rule}: {}", finding.message),
            "check_name": rule,
            "fingerprint": self.fingerprints.of(&path, finding),
            "severity": severity(finding),
            "location": { "path": path, "lines": { "begin": finding.line } },
        });
        let comma = if self.seen > 1 { ",\n" } else { "" };
        out.write_all(comma.as_bytes())?;
        print::json(out, &issue)
    }

    fn end(&mut self, _: &RunEnd, to: &mut Target<'_>) -> io::Result<u64> {
        let Target { out, .. } = to;
        out.write_all(b"]\n")?;
        Ok(self.seen.saturating_sub(MOST))
    }
}
