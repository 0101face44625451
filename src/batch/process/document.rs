//! What a file holds, what reads it, and what becomes of it: one document, or a message with
//! documents in it.
//!
//! Another kind of file is a variant of [`Format`], with its arms here; `format`
//! knows its names and its first bytes, and `job` how much of it has to be held in memory.

use std::borrow::Cow;
use std::path::Path;

use crate::batch::Observer;
use crate::batch::kind::format::Format;
use crate::batch::plan::Plan;
use crate::batch::report::{FileError, NoteKind, Report};
use abslink_containers::feed;
use abslink_containers::message::{self, Examined, Remark};
use abslink_html::base::Context;
use abslink_html::{self as html, DocumentRewriter, Reference, Rewritten, Syntax, sheet};

/// How a file is read, with what was found in it when it was asked for its own URL.
pub(crate) enum Content {
    Html(Syntax),
    /// An SVG image: XML like XHTML, in which `#x` stays.
    Svg,
    Message,
    StyleSheet,
    Feed(Box<feed::Read>),
}

impl Content {
    /// Of a file that holds `bytes`.
    pub(crate) fn of(format: Format, bytes: &[u8], plan: &Plan) -> Content {
        match format {
            Format::Html(syntax) => Content::Html(syntax),
            Format::Svg => Content::Svg,
            Format::Message => Content::Message,
            Format::StyleSheet => Content::StyleSheet,
            Format::Feed => Content::Feed(feed::Read::of(bytes, &plan.html).into()),
            Format::Manifest => Content::Feed(feed::Read::manifest(bytes, &plan.html).into()),
            Format::SpeculationRules => {
                Content::Feed(feed::Read::speculation_rules(bytes, &plan.html).into())
            }
        }
    }

    /// The URL that the file says it has.
    pub(crate) fn own_url(&self) -> Option<&str> {
        match self {
            Content::Feed(feed) => feed.own_url(),
            _ => None,
        }
    }
}

/// The result of reading a file.
#[derive(Debug)]
pub(crate) struct FileOutcome(Examined);

/// A file that is held in memory.
#[derive(Clone, Copy)]
pub(crate) struct Held<'f> {
    pub(crate) content: &'f Content,
    pub(crate) bytes: &'f [u8],
    pub(crate) context: &'f Context,
}

/// Shows every reference of a file.
pub(crate) fn examine(
    plan: &Plan,
    file: &Held<'_>,
    each: &mut dyn FnMut(&Reference<'_>),
) -> FileOutcome {
    let (html, Held { bytes, context, .. }) = (&plan.html, *file);
    FileOutcome(match *file.content {
        Content::Html(syntax) => html::examine(bytes, syntax, context, html, each).into(),
        Content::Svg => html::examine(bytes, Syntax::Xml, context, html, each).into(),
        Content::Message => message::examine(bytes, context, html, plan.message, each),
        Content::StyleSheet => sheet::examine(bytes, context, html, each).into(),
        Content::Feed(ref feed) => feed.examine(bytes, context, html, plan.feed_base, each),
    })
}

/// Appends a file with absolute references to `out`, if anything changes; returns whether it does.
pub(crate) fn rewrite(
    rewriter: &mut DocumentRewriter,
    plan: &Plan,
    file: &Held<'_>,
    out: &mut Vec<u8>,
) -> (FileOutcome, bool) {
    let (html, Held { bytes, context, .. }) = (&plan.html, *file);
    let rewritten = match *file.content {
        Content::Html(_) | Content::Svg => {
            let syntax = match *file.content {
                Content::Html(syntax) => syntax,
                _ => Syntax::Xml,
            };
            let (examined, changed) = rewriter.rewrite(bytes, syntax, context, html, out);
            return (examined.into(), changed);
        }
        Content::Message => message::rewrite(bytes, context, html, plan.message),
        Content::StyleSheet => {
            let Rewritten {
                document, examined, ..
            } = sheet::rewrite(bytes, context, html);
            return (examined.into(), take(document, out));
        }
        Content::Feed(ref feed) => feed.rewrite(bytes, context, html, plan.feed_base),
    };
    (
        FileOutcome(rewritten.examined),
        take(rewritten.document, out),
    )
}

/// Takes a new file, which is owned if it differs from the old one; returns whether it does.
fn take(new: Cow<'_, [u8]>, out: &mut Vec<u8>) -> bool {
    let changed = matches!(new, Cow::Owned(_));
    if let Cow::Owned(new) = new {
        *out = new;
    }
    changed
}

impl From<Examined> for FileOutcome {
    fn from(examined: Examined) -> FileOutcome {
        FileOutcome(examined)
    }
}

impl From<html::Examined> for FileOutcome {
    fn from(examined: html::Examined) -> FileOutcome {
        FileOutcome(examined.into())
    }
}

impl FileOutcome {
    /// Why the file is left as a whole.
    pub(crate) fn left(&self) -> Option<FileError> {
        let damage = self.0.damage.clone().map(FileError::Feed);
        damage.or(self.0.left.map(FileError::Left))
    }

    /// Where the second reader disagrees with the new file, if the file is left for that reason. Of a
    /// message, only a part is left.
    pub(crate) fn disagreement(&self) -> Option<&html::Disagreement> {
        self.0.whole.as_ref()?.disagreement.as_ref()
    }

    /// Links that lead outside the site, and differ from it only in their scheme or in a `www.`.
    pub(crate) fn aliases(&self) -> [u64; 3] {
        let mut all = [0; 3];
        for (_, examined) in self.0.all() {
            for (all, links) in all.iter_mut().zip(examined.tally.aliases) {
                *all += links;
            }
        }
        all
    }

    /// Whether a document in the file has relative references that stay, since it has no base URL.
    pub(crate) fn lacks_base(&self) -> bool {
        let lacks = |(_, examined): (_, &html::Examined)| {
            examined.document_base.base.is_none() && examined.tally.excluded > 0
        };
        self.0.all().any(lacks)
    }

    /// Whether a run that rewrites would change the file.
    pub(crate) fn would_change(&self) -> bool {
        self.0
            .all()
            .any(|(_, examined)| examined.tally.rewritten > 0)
    }

    /// Whether references of the file are reported although it was rewritten.
    pub(crate) fn has_findings(&self) -> bool {
        let mut tallies = self.0.all().map(|(_, examined)| &examined.tally);
        tallies.any(|tally| tally.unresolved + tally.divergent > 0)
    }

    /// Counts a file that was processed, unless it was left. The output has `length` bytes.
    pub(crate) fn count(
        &self,
        path: &Path,
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
        for (_, examined) in self.0.all() {
            let tally = &examined.tally;
            report.tally.merge(tally);
            report.count_base_kept(path, tally.base_needed_by);
            let document_base = &examined.document_base;
            on_guess |= document_base.is_guess && tally.rewritten > 0;
            if document_base.base.is_none() && tally.unresolved > 0 {
                let is_opaque = document_base.is_opaque();
                without_base |= !is_opaque;
                opaque |= is_opaque;
            }
        }
        let lacks_url = self.0.lacks_url;
        report.unknown_places.merge(&self.0.unknown);
        report.files_on_guess += u64::from(on_guess);
        report.files_without_base += u64::from(without_base || lacks_url);
        report.feeds_without_url += u64::from(lacks_url);
        report.files_with_opaque_base += u64::from(opaque);
        report.files_changed += u64::from(changed);
        report.files_unchanged += u64::from(!changed);
        report.bytes_out += length;
        match &self.0.refusals[..] {
            [] => Ok(()),
            refusals => Err(FileError::Parts(refusals.to_vec())),
        }
    }

    /// Shows each document of the file at `path`.
    pub(crate) fn show(&self, path: &Path, observer: &dyn Observer, out: &mut Vec<u8>) {
        for (number, examined) in self.0.all() {
            match number {
                None => observer.document(path, examined, out),
                Some(number) => {
                    let mut name = path.as_os_str().to_owned();
                    name.push(format!("#{number}"));
                    observer.document(Path::new(&name), examined, out);
                }
            }
        }
    }

    /// Takes out what is said of signatures of DKIM; returns how many are no longer valid.
    pub(crate) fn take_broken_signatures(&mut self) -> u64 {
        let remarks = &mut self.0.remarks;
        let before = remarks.len();
        remarks.retain(|remark| !matches!(remark, Remark::Dkim));
        (before - remarks.len()) as u64
    }

    /// What else is worth a note.
    pub(crate) fn into_notes(self) -> impl Iterator<Item = NoteKind> {
        let mut remarks = self.0.remarks;
        // One is enough for a message with several signatures.
        remarks.dedup();
        remarks.into_iter().map(NoteKind::Message)
    }
}
