//! `--format json`: for programs. Fields and their order are part of the contract.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use crate::batch::Located;
use abslink_html::Examined;
use abslink_html::base::BaseSource;
use serde::Serialize;

use super::spool::Spool;
use super::{Observation, Printer};
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{Object, with_slashes};

/// JSON Lines: an object for each item.
pub(crate) struct ItemLines {
    /// `--to` gives references another form than the absolute one.
    pub(crate) forms: bool,
}

impl Printer for ItemLines {
    fn item(&self, item: &Observation<'_>, out: &mut Vec<u8>) {
        match *item {
            Observation::Reference(found) => self.push_reference(found, out),
            Observation::Base(path, examined) => push_base(path, examined, out),
        }
    }
}

impl ItemLines {
    /// A line of `links` and `check`.
    fn push_reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let reference = found.reference;
        // If a browser fails it gets no URL; the field is text all the same.
        let divergent = (reference.divergent)
            .map(|divergence| divergence.browser.as_deref().unwrap_or_default());
        let mut object = Object::new(out);
        object.field("file", with_slashes(found.path));
        object.field("line", found.line);
        object.field("column", found.column);
        object.field("start", reference.span.start);
        object.field("end", reference.span.end);
        object.field("element", reference.element);
        object.field("attribute", reference.attribute);
        object.field("kind", reference.kind.name());
        object.field("reference", reference.reference);
        object.field("absolute", reference.absolute);
        object.field("base", reference.base);
        object.field("base_from", reference.base_from.name());
        object.field("outcome", reference.outcome.name());
        object.optional("divergent", divergent);
        object.optional("to", reference.to.filter(|_| self.forms));
        object.optional("row", found.row);
        object.end();
    }
}

/// The summary of `rewrite`, and nothing else.
pub(crate) struct Summary {
    /// `--only-missing`.
    only_missing: bool,
    /// The files that change, if they are listed. They are the last field, in place of their number.
    files: Option<Spool>,
    errors: Spool,
}

impl Summary {
    pub(crate) fn new(only_missing: bool, lists: bool) -> Summary {
        Summary {
            only_missing,
            files: lists.then(Spool::default),
            errors: Spool::default(),
        }
    }
}

#[derive(Serialize)]
struct FailedFile<'a> {
    file: Cow<'a, str>,
    error: String,
}

impl Printer for Summary {
    fn item(&self, _: &Observation<'_>, _: &mut Vec<u8>) {}

    fn file(&self, path: &Path) {
        if let Some(files) = &self.files {
            files.push(&with_slashes(path));
        }
    }

    fn failed(&self, path: &Path, reason: &dyn Fn() -> String) {
        let (file, error) = (with_slashes(path), reason());
        self.errors.push(&FailedFile { file, error });
    }

    fn end(&self, end: &RunEnd, out: &mut dyn Write) -> io::Result<()> {
        let report = &end.report;
        let tally = &report.tally;
        let seconds = (end.elapsed.as_secs_f64() * 1000.0).round() / 1000.0;
        let mut line = Vec::new();
        let mut object = Object::new(&mut line);
        let is_number = self.files.is_none();
        object.optional("files", is_number.then_some(report.files));
        object.optional("records", (report.records > 0).then_some(report.records));
        object.field("files_changed", report.files_changed);
        object.field("files_unchanged", report.files_unchanged);
        object.field("files_failed", report.files_failed);
        object.field("files_without_base", report.files_without_base);
        object.field(
            "not_taken",
            report.not_taken + report.feeds_not_taken + report.lists_not_taken + report.backups,
        );
        object.field("bytes_in", report.bytes_in);
        object.field("bytes_out", report.bytes_out);
        object.field("references", tally.references);
        object.field("rewritten", tally.rewritten);
        object.field("absolute", tally.absolute);
        object.field("same_document", tally.same_document);
        object.field("unresolved", tally.unresolved);
        object.field("excluded", tally.excluded);
        object.optional(
            "present",
            (self.only_missing || tally.present > 0).then_some(tally.present),
        );
        object.field("divergent", tally.divergent);
        object.field("seconds", seconds);
        object.field("placeholders", tally.placeholders);
        let forms = end.to.is_short();
        object.optional("made_relative", forms.then_some(tally.made_relative));
        object.optional("kept", forms.then_some(tally.kept));
        object.optional("outside", forms.then_some(tally.outside));
        object.optional("moved", end.moves.then_some(tally.moved));
        object.optional("ignored", end.gitignore.then_some(report.ignored));
        let stale = report.stale_copies;
        object.optional("stale_copies", (stale > 0).then_some(stale));
        let settings = end.settings.as_ref();
        let settings = settings.filter(|used| !used.names.is_empty());
        object.optional(
            "settings_from",
            settings.map(|used| with_slashes(&used.path)),
        );
        object.optional("settings", settings.map(|used| &used.names));
        object.field("unknown_places", report.unknown_places.values);
        object.field("above_root", tally.above_root);
        object.optional("unwrapped", end.unwraps.then_some(tally.unwrapped));
        object.end();
        // Lists that may be long are written as they are read.
        line.truncate(line.len() - b"}\n".len());
        out.write_all(&line)?;
        let errors = Some(&self.errors).filter(|errors| !errors.is_empty());
        for (name, list) in [("errors", errors), ("files", self.files.as_ref())] {
            if let Some(list) = list {
                write!(out, ",\"{name}\":")?;
                list.write(out)?;
            }
        }
        out.write_all(b"}\n")
    }
}

/// A piece of evidence of the retrieval URL (§3.3), used or not.
#[derive(Serialize)]
struct EvidenceLine<'a> {
    base: Cow<'a, str>,
    base_from: &'static str,
    /// Whether it may be true together with the first that names a URL.
    agrees: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doubts: Vec<&'static str>,
    /// Why it is no base URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Evidence that would have won, had it been a base URL.
#[derive(Serialize)]
struct RefusedBase<'a> {
    base: Cow<'a, str>,
    base_from: &'static str,
    reason: String,
}

/// A relative URL of a `base` element, and what it was resolved against.
#[derive(Serialize)]
struct ResolvedBase<'a> {
    reference: Cow<'a, str>,
    base: Cow<'a, str>,
    base_from: &'static str,
}

/// A line of `base`; the names are those of `links`.
fn push_base(path: &Path, examined: &Examined, out: &mut Vec<u8>) {
    let document_base = &examined.document_base;
    let refused = document_base
        .refused
        .as_ref()
        .map(|(href, reason)| RefusedBase {
            base: masked(href),
            base_from: BaseSource::Embedded.name(),
            reason: reason.to_string(),
        });
    let relative = document_base
        .relative
        .as_ref()
        .map(|relative| ResolvedBase {
            reference: masked(&relative.href),
            base: masked(relative.against.as_str()),
            base_from: relative.source.name(),
        });
    let first = document_base.first();
    let evidence = document_base.evidence.iter().map(|evidence| EvidenceLine {
        base: masked(&evidence.says),
        base_from: evidence.source.name(),
        agrees: first.is_none_or(|first| evidence.agrees_with(first)),
        doubts: evidence
            .caveats
            .iter()
            .map(|caveat| caveat.name())
            .collect(),
        reason: evidence.url.as_ref().err().map(ToString::to_string),
    });
    let evidence: Vec<_> = evidence.collect();
    let mut object = Object::new(out);
    object.field("file", with_slashes(path));
    object.field(
        "base",
        document_base
            .base
            .as_ref()
            .map(|base| masked(base.as_str())),
    );
    object.field("base_from", document_base.source.name());
    object.optional("refused", refused);
    object.optional("evidence", (!evidence.is_empty()).then_some(evidence));
    object.optional("resolved", relative);
    object.end();
}
