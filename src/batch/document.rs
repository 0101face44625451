//! What a file holds, what reads it, and what becomes of it: one document, or a message with
//! documents in it.
//!
//! Another kind of file is a variant of [`Format`] and of [`FileOutcome`], with its arms here; `format`
//! knows its names and its first bytes, and `job` how much of it has to be held in memory.

use std::borrow::Cow;
use std::path::Path;

use super::Observer;
use super::format::Format;
use super::plan::Plan;
use super::report::{FileError, NoteKind, Report};
use abslink_containers::{feed, message};
use abslink_html::base::Context;
use abslink_html::{self as html, DocumentRewriter, Reference, Syntax, sheet};

/// How a file is read, with what was found in it when it was asked for its own URL.
pub(super) enum Content {
    Html(Syntax),
    Message,
    StyleSheet,
    Feed(Box<feed::Read>),
}

impl Content {
    /// Of a file that holds `bytes`.
    pub(super) fn of(format: Format, bytes: &[u8], plan: &Plan) -> Content {
        match format {
            Format::Html(syntax) => Content::Html(syntax),
            Format::Message => Content::Message,
            Format::StyleSheet => Content::StyleSheet,
            Format::Feed => Content::Feed(feed::Read::of(bytes, &plan.html).into()),
        }
    }

    /// The URL that the file says it has.
    pub(super) fn own_url(&self) -> Option<&str> {
        match self {
            Content::Feed(feed) => feed.own_url(),
            _ => None,
        }
    }
}

/// The result of reading a file.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a worker has one at a time, and most are documents"
)]
pub(super) enum FileOutcome {
    Document(html::Examined),
    Message(message::Examined),
    Feed(feed::Examined),
}

/// Shows every reference of a file.
pub(super) fn examine(
    plan: &Plan,
    content: &Content,
    bytes: &[u8],
    context: &Context,
    each: &mut dyn FnMut(&Reference<'_>),
) -> FileOutcome {
    match *content {
        Content::Html(syntax) => {
            FileOutcome::Document(html::examine(bytes, syntax, context, &plan.html, each))
        }
        Content::Message => FileOutcome::Message(message::examine(
            bytes,
            context,
            &plan.html,
            plan.message,
            each,
        )),
        Content::StyleSheet => {
            FileOutcome::Document(sheet::examine(bytes, context, &plan.html, each))
        }
        Content::Feed(ref feed) => {
            FileOutcome::Feed(feed.examine(bytes, context, &plan.html, plan.feed_base, each))
        }
    }
}

/// Appends a file with absolute references to `out`, if anything changes; returns whether it does.
pub(super) fn rewrite(
    rewriter: &mut DocumentRewriter,
    plan: &Plan,
    content: &Content,
    bytes: &[u8],
    context: &Context,
    out: &mut Vec<u8>,
) -> (FileOutcome, bool) {
    match *content {
        Content::Html(syntax) => {
            let (examined, changed) = rewriter.rewrite(bytes, syntax, context, &plan.html, out);
            (FileOutcome::Document(examined), changed)
        }
        Content::Message => {
            let rewritten = message::rewrite(bytes, context, &plan.html, plan.message);
            let changed = take(rewritten.message, out);
            (FileOutcome::Message(rewritten.examined), changed)
        }
        Content::StyleSheet => {
            let rewritten = sheet::rewrite(bytes, context, &plan.html);
            let changed = take(rewritten.document, out);
            (FileOutcome::Document(rewritten.examined), changed)
        }
        Content::Feed(ref feed) => {
            let rewritten = feed.rewrite(bytes, context, &plan.html, plan.feed_base);
            let changed = take(rewritten.feed, out);
            (FileOutcome::Feed(rewritten.examined), changed)
        }
    }
}

/// Takes a new file, which is owned if it differs from the old one; returns whether it does.
fn take(new: Cow<'_, [u8]>, out: &mut Vec<u8>) -> bool {
    let changed = matches!(new, Cow::Owned(_));
    if let Cow::Owned(new) = new {
        *out = new;
    }
    changed
}

impl FileOutcome {
    /// The documents in the file; one that is part of it comes with its place there.
    fn documents(&self) -> impl Iterator<Item = (Option<Cow<'_, str>>, &html::Examined)> {
        let (whole, parts, items) = match self {
            FileOutcome::Document(examined) => (Some(examined), &[][..], &[][..]),
            FileOutcome::Message(message) => (None, &message.documents[..], &[][..]),
            FileOutcome::Feed(feed) => (Some(&feed.feed), &[][..], &feed.items[..]),
        };
        let whole = whole.into_iter().map(|examined| (None, examined));
        let parts = parts.iter();
        let parts = parts.map(|part| (Some(part.section.as_str().into()), &part.examined));
        let items = items.iter().zip(1..);
        let items = items.map(|(item, number)| (Some(format!("{number}").into()), item));
        whole.chain(parts).chain(items)
    }

    /// Why the file is left as a whole.
    pub(super) fn left(&self) -> Option<FileError> {
        let reason = match self {
            FileOutcome::Document(examined) => examined.left,
            FileOutcome::Message(message) => message.left,
            FileOutcome::Feed(feed) => match &feed.damage {
                Some(damage) => return Some(FileError::Feed(damage.clone())),
                None => feed.feed.left,
            },
        };
        reason.map(FileError::Left)
    }

    /// Where the second reader disagrees with the new file, if the file is left for that reason. Of a
    /// message, only a part is left.
    pub(super) fn disagreement(&self) -> Option<&html::Disagreement> {
        match self {
            FileOutcome::Document(examined) => examined.disagreement.as_ref(),
            FileOutcome::Feed(feed) => feed.feed.disagreement.as_ref(),
            FileOutcome::Message(_) => None,
        }
    }

    /// Whether references of the file are reported although it was rewritten.
    pub(super) fn has_findings(&self) -> bool {
        let mut tallies = self.documents().map(|(_, examined)| &examined.tally);
        tallies.any(|tally| tally.unresolved + tally.divergent > 0)
    }

    /// Counts a file that was processed, unless it was left. The output has `length` bytes.
    pub(super) fn count(
        &self,
        changed: bool,
        length: u64,
        report: &mut Report,
    ) -> Result<(), FileError> {
        if let Some(error) = self.left() {
            return Err(error);
        }
        if let Some(disagreement) = self.disagreement() {
            return Err(FileError::Disagreement(disagreement.clone()));
        }
        let (mut without_base, mut opaque, mut on_guess) = (false, false, false);
        for (_, examined) in self.documents() {
            let tally = &examined.tally;
            report.tally.merge(tally);
            let document_base = &examined.document_base;
            on_guess |= document_base.is_guess && tally.rewritten > 0;
            if document_base.base.is_none() && tally.unresolved > 0 {
                let is_opaque = document_base.is_opaque();
                without_base |= !is_opaque;
                opaque |= is_opaque;
            }
        }
        report.files_on_guess += u64::from(on_guess);
        report.files_without_base += u64::from(without_base);
        report.files_with_opaque_base += u64::from(opaque);
        report.files_changed += u64::from(changed);
        report.files_unchanged += u64::from(!changed);
        report.bytes_out += length;
        match self {
            FileOutcome::Message(message) if !message.refusals.is_empty() => {
                Err(FileError::Parts(message.refusals.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Shows each document of the file at `path`.
    pub(super) fn show(&self, path: &Path, observer: &dyn Observer, out: &mut Vec<u8>) {
        for (place, examined) in self.documents() {
            match place {
                None => observer.document(path, examined, out),
                Some(place) => {
                    let mut name = path.as_os_str().to_owned();
                    name.push(format!("#{place}"));
                    observer.document(Path::new(&name), examined, out);
                }
            }
        }
    }

    /// What else is worth a note.
    pub(super) fn into_notes(self) -> impl Iterator<Item = NoteKind> {
        let remarks = match self {
            FileOutcome::Document(_) | FileOutcome::Feed(_) => Vec::new(),
            FileOutcome::Message(message) => message.remarks,
        };
        remarks.into_iter().map(NoteKind::Message)
    }
}
