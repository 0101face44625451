//! What a file holds, and who reads it: one document, or a message with documents in it.

use std::borrow::Cow;

use super::path;
use super::plan::{Input, Plan};
use super::report::{FileError, Report};
use super::select::{self, Format, ReadAs};
use super::sequence::Finding;
use super::walk::Item;
use crate::base::Context;
use crate::html::{self, DocumentRewriter, Reference};
use crate::message;

/// What reading a file told.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a worker has one at a time, and most are documents"
)]
pub(super) enum Told {
    Document(html::Examined),
    Message(message::Examined),
}

/// How a file is read: by `--as` where it was named itself, else by its name.
pub(super) fn format(plan: &Plan, item: &Item<'_>) -> Format {
    let name = path::name(&item.path);
    let given = match item.source.input {
        Input::Directory(_) => None,
        Input::File(_) | Input::Stdin => plan.selection.read_as,
    };
    match given {
        None => select::format(name),
        Some(ReadAs::Html) => Format::Html(select::syntax(name)),
        Some(ReadAs::Message) => Format::Message,
    }
}

/// Shows every reference of a file.
pub(super) fn examine(
    plan: &Plan,
    format: Format,
    bytes: &[u8],
    context: &Context,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Told {
    match format {
        Format::Html(syntax) => {
            Told::Document(html::examine(bytes, syntax, context, &plan.html, each))
        }
        Format::Message => Told::Message(message::examine(
            bytes,
            context,
            &plan.html,
            plan.message,
            each,
        )),
    }
}

/// Appends a file with absolute references to `out`, if anything changes; answers whether it does.
pub(super) fn rewrite(
    rewriter: &mut DocumentRewriter,
    plan: &Plan,
    format: Format,
    bytes: &[u8],
    context: &Context,
    out: &mut Vec<u8>,
) -> (Told, bool) {
    match format {
        Format::Html(syntax) => {
            let (examined, changed) = rewriter.rewrite(bytes, syntax, context, &plan.html, out);
            (Told::Document(examined), changed)
        }
        Format::Message => {
            let rewritten = message::rewrite(bytes, context, &plan.html, plan.message);
            let changed = rewritten.is_changed();
            if let Cow::Owned(new) = rewritten.message {
                *out = new;
            }
            (Told::Message(rewritten.examined), changed)
        }
    }
}

impl Told {
    /// Counts a file that was processed, unless it was left. What comes out has `length` bytes.
    pub(super) fn count(
        &self,
        changed: bool,
        length: u64,
        report: &mut Report,
    ) -> Result<(), FileError> {
        let (documents, refusals) = match self {
            Told::Document(examined) => (vec![examined], &[][..]),
            Told::Message(message) => {
                let documents = message.documents.iter();
                let documents = documents.map(|document| &document.examined).collect();
                (documents, &message.refusals[..])
            }
        };
        if let Told::Message(message) = self
            && let Some(reason) = message.left
        {
            return Err(FileError::Left(reason));
        }
        if let Some(reason) = documents.iter().find_map(|examined| examined.left) {
            return Err(FileError::Left(reason));
        }
        let (mut without_base, mut opaque, mut on_guess) = (false, false, false);
        for examined in documents {
            let tally = &examined.tally;
            report.tally.merge(tally);
            let established = &examined.established;
            on_guess |= established.is_guess && tally.rewritten > 0;
            if established.base.is_none() && tally.unresolved > 0 {
                let carries_none = established.carries_none();
                without_base |= !carries_none;
                opaque |= carries_none;
            }
        }
        report.files_on_guess += u64::from(on_guess);
        report.files_without_base += u64::from(without_base);
        report.files_with_opaque_base += u64::from(opaque);
        report.files_changed += u64::from(changed);
        report.files_unchanged += u64::from(!changed);
        report.bytes_out += length;
        match refusals {
            [] => Ok(()),
            refusals => Err(FileError::Parts(refusals.to_vec())),
        }
    }

    /// Whether the file is left as a whole.
    pub(super) fn is_left(&self) -> bool {
        match self {
            Told::Document(examined) => examined.left.is_some(),
            Told::Message(message) => message.left.is_some(),
        }
    }

    /// Hands on what is to be shown.
    pub(super) fn into_finding(self, finding: &mut Finding) {
        match self {
            Told::Document(examined) => finding.examined = Some(examined),
            Told::Message(examined) => finding.message = Some(examined),
        }
    }
}
