//! `--format sarif`: SARIF 2.1.0, for code scanning.

use std::io::{self, Write};

use serde_json::json;

use super::fingerprint::Fingerprints;
use super::{Finding, FindingFormat, Rule, Severity, Target};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Exit;
use crate::cli::terminal::print::{self, Count};

/// GitHub refuses a run with more results.
const MOST: u64 = 25_000;
/// At most this many of them are notes.
const MOST_NOTES: u64 = 5_000;

#[derive(Default)]
pub(in super::super) struct Sarif {
    fingerprints: Fingerprints,
    written: u64,
    notes: u64,
    left_out: u64,
}

impl Sarif {
    /// Counts one more; `false` if there is no room for it.
    fn takes(&mut self, level: Severity) -> bool {
        let is_note = level == Severity::Note;
        let takes = self.written < MOST && (!is_note || self.notes < MOST_NOTES);
        self.written += u64::from(takes);
        self.notes += u64::from(takes && is_note);
        self.left_out += u64::from(!takes);
        takes
    }
}

/// The text of a message: unescaped, `{0}` would be replaced by an argument (§3.11.5), and `[a](b)`
/// would be a link.
fn text(message: &str) -> String {
    message
        .replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "]%28")
}

impl FindingFormat for Sarif {
    fn begin(&mut self, _: &'static str, out: &mut dyn Write) -> io::Result<()> {
        let rules = Rule::ALL.map(|rule| {
            let [name, short, full, help] = rule.told();
            json!({
                "id": name,
                "shortDescription": { "text": short },
                "fullDescription": { "text": full },
                "help": { "text": help },
            })
        });
        let driver = json!({
            "name": "abslink",
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        });
        write!(
            out,
            "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\
             \"runs\":[{{\"tool\":{{\"driver\":{driver}}},\"columnKind\":\"utf16CodeUnits\",\
             \"originalUriBaseIds\":{{\"ROOT\":{{\"description\":{{\"text\":\
             \"Where paths begin\"}}}}}},\"results\":["
        )
    }

    fn finding(&mut self, finding: &Finding<'_>, to: &mut Target<'_>) -> io::Result<()> {
        let Target { roots, out } = to;
        if !self.takes(finding.level) {
            return Ok(());
        }
        let path = &finding.path;
        let fingerprint = self.fingerprints.of(&roots.shown(path), finding);
        let (uri, is_below) = roots.uri(path);
        let result = print::without_nulls(json!({
            "ruleId": finding.rule.name(),
            "level": finding.level,
            "message": { "text": text(&finding.message) },
            "locations": [{
                "physicalLocation": {
                    "artifactLocation": {
                        "uri": uri,
                        "uriBaseId": is_below.then_some("ROOT"),
                    },
                    "region": {
                        "startLine": finding.line,
                        "startColumn": finding.utf16.0,
                        "endLine": finding.end.map(|(line, _)| line),
                        "endColumn": finding.end.map(|_| finding.utf16.1),
                    },
                },
            }],
            "partialFingerprints": { "abslinkReference/v1": fingerprint },
        }));
        let comma = if self.written > 1 { ",\n" } else { "\n" };
        out.write_all(comma.as_bytes())?;
        print::json(out, &result)
    }

    fn end(&mut self, end: &RunEnd, to: &mut Target<'_>) -> io::Result<u64> {
        let Target { out, .. } = to;
        let left_out = (self.left_out > 0).then(|| {
            let text = format!("left out: {}", Count(self.left_out, "problem"));
            json!([{ "level": Severity::Warning, "message": { "text": text } }])
        });
        let invocation = print::without_nulls(json!({
            "executionSuccessful": matches!(end.exit, Exit::Done | Exit::Left),
            "toolExecutionNotifications": left_out,
        }));
        writeln!(out, "\n],\"invocations\":[{invocation}]}}]}}")?;
        Ok(self.left_out)
    }
}
