//! `--format json`: for programs. Fields and their order are part of the contract.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use crate::base::Rung;
use crate::batch::{Located, Report};
use crate::html::Examined;
use serde::Serialize;

use super::super::finished::Finished;
use super::super::print::push_json;
use super::{Item, Printer};

/// JSON Lines: an object for each item.
pub(super) struct Lines;

impl Printer for Lines {
    fn item(&self, item: &Item<'_>, out: &mut Vec<u8>) {
        match *item {
            Item::Reference(found) => push_reference(found, out),
            Item::Base(path, examined) => push_base(path, examined, out),
        }
    }
}

/// The summary of `rewrite`, and nothing else.
pub(crate) struct Summary {
    /// Whether references whose target is there are left.
    pub(crate) only_missing: bool,
}

impl Printer for Summary {
    fn item(&self, _: &Item<'_>, _: &mut Vec<u8>) {}

    fn end(&self, finished: &Finished, out: &mut dyn Write) -> io::Result<()> {
        let report = &finished.report;
        let summary = SummaryLine::new(report, finished.elapsed, self.only_missing);
        let mut line = Vec::new();
        push_json(&mut line, &summary);
        out.write_all(&line)
    }
}

/// A line of `links` and `check`.
#[derive(Serialize)]
struct ReferenceLine<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
    element: &'a str,
    attribute: &'a str,
    kind: &'static str,
    reference: &'a str,
    absolute: Option<&'a str>,
    base: Option<&'a str>,
    base_from: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergent: Option<&'a str>,
}

fn push_reference(found: &Located<'_>, out: &mut Vec<u8>) {
    let reference = found.reference;
    let line = ReferenceLine {
        file: &found.path.to_string_lossy(),
        line: found.line,
        column: found.column,
        start: reference.span.start,
        end: reference.span.end,
        element: reference.element,
        attribute: reference.attribute,
        kind: reference.kind.name(),
        reference: reference.reference,
        absolute: reference.absolute,
        base: reference.base,
        base_from: reference.base_from.name(),
        outcome: reference.outcome.name(),
        // A browser that gets a failure gets no URL: the field stays text.
        divergent: (reference.divergent)
            .map(|divergence| divergence.browser.as_deref().unwrap_or_default()),
    };
    push_json(out, &line);
}

/// A line of `base --format json`; the names are those of `links`.
#[derive(Serialize)]
struct BaseLine<'a> {
    file: &'a str,
    base: Option<&'a str>,
    base_from: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<Refused<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    evidence: Vec<EvidenceLine<'a>>,
}

/// A piece of evidence of the retrieval URL (§3.3), used or not.
#[derive(Serialize)]
struct EvidenceLine<'a> {
    base: &'a str,
    base_from: &'static str,
    /// Whether it may be true together with the first that names a URL.
    agrees: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<&'static str>,
    /// Why it is no base URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Evidence that a better rung would have won with, had it been a base URL.
#[derive(Serialize)]
struct Refused<'a> {
    base: &'a str,
    base_from: &'static str,
    reason: String,
}

fn push_base(path: &Path, examined: &Examined, out: &mut Vec<u8>) {
    let established = &examined.established;
    let refused = established.refused.as_ref().map(|(href, reason)| Refused {
        base: href,
        base_from: Rung::Embedded.name(),
        reason: reason.to_string(),
    });
    let first = established.first();
    let evidence = established.evidence.iter().map(|evidence| EvidenceLine {
        base: &evidence.says,
        base_from: evidence.source.rung().name(),
        agrees: first.is_none_or(|first| evidence.agrees_with(first)),
        doubts: evidence
            .caveats
            .iter()
            .map(|caveat| caveat.name())
            .collect(),
        reason: evidence.url.as_ref().err().map(ToString::to_string),
    });
    let line = BaseLine {
        file: &path.to_string_lossy(),
        base: established.base.as_ref().map(|base| base.as_str()),
        base_from: established.rung.name(),
        refused,
        evidence: evidence.collect(),
    };
    push_json(out, &line);
}

/// The summary of `rewrite`.
#[derive(Serialize)]
struct SummaryLine {
    files: u64,
    files_changed: u64,
    files_unchanged: u64,
    files_failed: u64,
    files_without_base: u64,
    not_taken: u64,
    bytes_in: u64,
    bytes_out: u64,
    references: u64,
    rewritten: u64,
    absolute: u64,
    same_document: u64,
    unresolved: u64,
    excluded: u64,
    /// With --only-missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    present: Option<u64>,
    divergent: u64,
    seconds: f64,
}

impl SummaryLine {
    fn new(report: &Report, elapsed: Duration, only_missing: bool) -> SummaryLine {
        let tally = &report.tally;
        SummaryLine {
            files: report.files,
            files_changed: report.files_changed,
            files_unchanged: report.files_unchanged,
            files_failed: report.files_failed,
            files_without_base: report.files_without_base,
            not_taken: report.not_taken + report.backups,
            bytes_in: report.bytes_in,
            bytes_out: report.bytes_out,
            references: tally.references,
            rewritten: tally.rewritten,
            absolute: tally.absolute,
            same_document: tally.same_document,
            unresolved: tally.unresolved,
            excluded: tally.excluded,
            present: only_missing.then_some(tally.present),
            divergent: tally.divergent,
            seconds: (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        }
    }
}
