//! `--format sarif`: SARIF 2.1.0, for code scanning.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

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

pub(in super::super) struct Sarif {
    roots: Roots,
    fingerprints: Fingerprints,
    written: u64,
    notes: u64,
    left_out: u64,
}

impl Sarif {
    pub(in super::super) fn new() -> Sarif {
        Sarif {
            roots: Roots::of(Some("GITHUB_WORKSPACE")),
            fingerprints: Fingerprints::default(),
            written: 0,
            notes: 0,
            left_out: 0,
        }
    }

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

/// SARIF's objects, as far as they are written; the order of fields is that of the output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Message,
    full_description: Message,
    help: Message,
}

#[derive(Serialize)]
struct Message {
    text: Cow<'static, str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    level: Severity,
    message: Message,
    locations: [ResultLocation; 1],
    partial_fingerprints: Fingerprint,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultLocation {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: TextRegion,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri_base_id: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TextRegion {
    start_line: usize,
    start_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
}

#[derive(Serialize)]
struct Fingerprint {
    #[serde(rename = "abslinkReference/v1")]
    reference: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_execution_notifications: Option<[Notification; 1]>,
}

#[derive(Serialize)]
struct Notification {
    level: Severity,
    message: Message,
}

impl Message {
    fn new(text: impl Into<Cow<'static, str>>) -> Message {
        Message { text: text.into() }
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

fn rules() -> Vec<Descriptor> {
    let rules = Rule::ALL.iter().map(|rule| {
        let [short, full, help] = about(*rule);
        Descriptor {
            id: rule.name(),
            short_description: Message::new(short),
            full_description: Message::new(full),
            help: Message::new(help),
        }
    });
    rules.collect()
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
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let driver = Driver {
            name: "abslink",
            semantic_version: env!("CARGO_PKG_VERSION"),
            rules: rules(),
        };
        let driver = serde_json::to_string(&driver)?;
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
        path: &Path,
        finding: &Finding<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !self.takes(finding.level) {
            return Ok(());
        }
        let place = self.roots.place(path);
        let reference = self.fingerprints.of(&place.path, finding);
        let region = &finding.region;
        let artifact_location = ArtifactLocation {
            uri: place.uri,
            uri_base_id: place.inside.then_some("ROOT"),
        };
        let region = TextRegion {
            start_line: region.line,
            start_column: region.utf16.0,
            end_line: region.end.map(|(line, _)| line),
            end_column: region.end.map(|_| region.utf16.1),
        };
        let result = SarifResult {
            rule_id: finding.rule.name(),
            level: finding.level,
            message: Message::new(text(&finding.message)),
            locations: [ResultLocation {
                physical_location: PhysicalLocation {
                    artifact_location,
                    region,
                },
            }],
            partial_fingerprints: Fingerprint { reference },
        };
        let comma = if self.written > 1 { ",\n" } else { "\n" };
        out.write_all(comma.as_bytes())?;
        print::json(out, &result)
    }

    fn end(&mut self, end: &RunEnd, out: &mut dyn Write) -> io::Result<u64> {
        let left_out = (self.left_out > 0).then(|| {
            let left = format!("left out: {}", Count(self.left_out, "problem"));
            [Notification {
                level: Severity::Warning,
                message: Message::new(left),
            }]
        });
        let invocation = serde_json::to_string(&Invocation {
            execution_successful: matches!(end.exit, Exit::Done | Exit::Left),
            tool_execution_notifications: left_out,
        })?;
        writeln!(out, "\n],\"invocations\":[{invocation}]}}]}}")?;
        Ok(self.left_out)
    }
}
