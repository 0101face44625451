//! `--format sarif`: SARIF 2.1.0, for code scanning.

use std::io::{self, Write};

use serde_json::json;

use super::fingerprint::Fingerprints;
use super::place::Roots;
use super::{Finding, FindingFormat, Rule, Severity};
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

/// What a rule is about, in short and in full, and what helps.
fn about(rule: Rule) -> [&'static str; 3] {
    match rule {
        Rule::RelativeReference => [
            "A relative link",
            "The link is relative: where it leads depends on where the page lies.",
            "`abslink rewrite` makes it absolute if it knows the base URL of the page.",
        ],
        Rule::NoBaseUrl => [
            "No base URL",
            "The page has relative links, and nothing says which URL they are relative to (RFC 1808 \
             section 3.4).",
            "Give the URL that the pages were retrieved from: --base-url, --layout or --url-map.",
        ],
        Rule::UnresolvableReference => [
            "A link that does not resolve",
            "The link cannot be made absolute against the base URL of its page.",
            "Correct the link, or leave it alone with --exclude-url.",
        ],
        Rule::DivergentReference => [
            "A link that browsers resolve differently",
            "Browsers follow the URL Standard and get another URL from this link than RFC 1808 gives.",
            "Correct the link, or resolve as browsers do with --resolver whatwg.",
        ],
        Rule::FailedFile => [
            "A file that could not be processed",
            "The file was not read, or not written, and is as it was.",
            "The message says why; every other file was processed.",
        ],
        Rule::WrongForm => [
            "A link in another form",
            "The link does not have the form that --to asks for, or its target has moved (--move-url).",
            "`abslink rewrite` with the same options writes the link that the message shows.",
        ],
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
            let [short, full, help] = about(rule);
            json!({
                "id": rule.name(),
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

    fn finding(
        &mut self,
        finding: &Finding<'_>,
        roots: &Roots,
        out: &mut dyn Write,
    ) -> io::Result<()> {
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

    fn end(&mut self, end: &RunEnd, _: &Roots, out: &mut dyn Write) -> io::Result<u64> {
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
