//! `--format json`: for programs. Fields and their order are part of the contract.

use std::io::{self, Write};
use std::path::Path;

use crate::batch::Located;
use abslink_html::Examined;
use abslink_html::base::BaseSource;
use serde_json::{Value, json};

use super::Printer;
use super::spool::Spool;
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{self, Object, with_slashes};

/// JSON Lines: an object for each item.
pub(crate) struct ItemLines {
    /// `--to` gives references another form than the absolute one.
    pub(crate) forms: bool,
}

impl Printer for ItemLines {
    /// A line of `links` and `check`. There may be millions, so no [`Value`] is made of it.
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
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

    /// A line of `base`; the names are those of `links`.
    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        let document_base = &examined.document_base;
        let base = document_base.base.as_ref();
        // Evidence that would have won, had it been a base URL.
        let refused = document_base.refused.as_ref().map(|(href, reason)| {
            json!({
                "base": masked(href),
                "base_from": BaseSource::Embedded.name(),
                "reason": reason.to_string(),
            })
        });
        // A relative URL of a `base` element, and what it was resolved against.
        let resolved = document_base.relative.as_ref().map(|relative| {
            json!({
                "reference": masked(&relative.href),
                "base": masked(relative.against.as_str()),
                "base_from": relative.source.name(),
            })
        });
        let first = document_base.first();
        // Of the retrieval URL (§3.3), used or not.
        let evidence = document_base.evidence.iter().map(|evidence| {
            let doubts: Vec<_> = evidence.caveats.iter().map(|it| it.name()).collect();
            print::without_nulls(json!({
                "base": masked(&evidence.says),
                "base_from": evidence.source.name(),
                // It may be true together with the first that names a URL.
                "agrees": first.is_none_or(|first| evidence.agrees_with(first)),
                "doubts": (!doubts.is_empty()).then_some(doubts),
                "reason": evidence.url.as_ref().err().map(ToString::to_string),
            }))
        });
        let evidence: Vec<Value> = evidence.collect();
        let mut object = Object::new(out);
        object.field("file", with_slashes(path));
        object.field("base", base.map(|base| masked(base.as_str())));
        object.field("base_from", document_base.source.name());
        object.optional("refused", refused);
        object.optional("evidence", (!evidence.is_empty()).then_some(evidence));
        object.optional("resolved", resolved);
        object.end();
    }
}

/// The summary of `rewrite`, and nothing else.
pub(crate) struct Summary {
    /// The files that change, if they are listed. They are the last field, in place of their number.
    files: Option<Spool>,
    errors: Spool,
}

impl Summary {
    pub(crate) fn new(lists: bool) -> Summary {
        Summary {
            files: lists.then(Spool::default),
            errors: Spool::default(),
        }
    }
}

impl Printer for Summary {
    fn file(&self, path: &Path) {
        if let Some(files) = &self.files {
            files.push(&with_slashes(path));
        }
    }

    fn failed(&self, path: &Path, reason: &str, _: &mut dyn Write) -> io::Result<()> {
        let failed = json!({ "file": with_slashes(path), "error": reason });
        self.errors.push(&failed);
        Ok(())
    }

    fn end(&self, end: &RunEnd, out: &mut dyn Write) -> io::Result<()> {
        let report = &end.report;
        let tally = &report.tally;
        let settings = end.settings.as_ref();
        let settings = settings.filter(|used| !used.names.is_empty());
        let if_some = |number: u64| (number > 0).then_some(number);
        let if_short = |number: u64| end.plan.html.to.is_short().then_some(number);
        let not_taken =
            report.not_taken + report.feeds_not_taken + report.lists_not_taken + report.backups;
        let summary = print::without_nulls(json!({
            "files": self.files.is_none().then_some(report.files),
            "records": if_some(report.records),
            "files_changed": report.files_changed,
            "files_unchanged": report.files_unchanged,
            "files_failed": report.files_failed,
            "files_without_base": report.files_without_base,
            "not_taken": not_taken,
            "bytes_in": report.bytes_in,
            "bytes_out": report.bytes_out,
            "references": tally.references,
            "rewritten": tally.rewritten,
            "absolute": tally.absolute,
            "same_document": tally.same_document,
            "unresolved": tally.unresolved,
            "excluded": tally.excluded,
            "present": (end.plan.html.only_missing || tally.present > 0).then_some(tally.present),
            "divergent": tally.divergent,
            "seconds": (end.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            "placeholders": tally.placeholders,
            "made_relative": if_short(tally.made_relative),
            "kept": if_short(tally.kept),
            "outside": if_short(tally.outside),
            "moved": (!end.plan.html.moves.is_empty()).then_some(tally.moved),
            "ignored": end.plan.selection.gitignore.then_some(report.ignored),
            "stale_copies": if_some(report.stale_copies),
            "settings_from": settings.map(|used| with_slashes(&used.path)),
            "settings": settings.map(|used| &used.names),
            "unknown_places": report.unknown_places.values,
            "above_root": tally.above_root,
            "unwrapped": end.plan.html.unwrap.then_some(tally.unwrapped),
            "responses": (report.records > 0).then_some(report.captures),
            "conversions": (report.records > 0).then_some(report.conversions),
            "windows_paths": tally.windows_paths,
            "copies_left": (!end.plan.html.moves.is_empty()).then_some(report.copies_left.number),
        }));
        let mut line = Vec::new();
        print::json(&mut line, &summary)?;
        // Lists that may be long are written as they are read.
        line.pop();
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
