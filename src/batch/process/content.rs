//! What a file holds, and what reads it: one document, or a message with documents in it.
//!
//! Another kind of file with one document is a variant of [`Format`], with its arms here; `kind/format` knows its
//! names, and [`Worker`](super::worker::Worker) how much of it has to be held in memory. Files with many documents
//! are a `Kind` of their own.

use std::borrow::Cow;

use crate::batch::find::walk::Item;
use crate::batch::kind::format::Format;
use crate::batch::order::hold::Ticket;
use crate::batch::plan::Plan;
use crate::batch::read::Original;
use abslink_containers::message::{self, Examined};
use abslink_containers::{feed, markdown};
use abslink_html::base::Context;
use abslink_html::{self as html, DocumentRewriter, Reference, Syntax, sheet};

/// The reader of a file, and what it already parsed to find the URL of the file.
pub(super) enum Content {
    Html(Syntax),
    /// An SVG image: XML like XHTML, in which `#x` stays.
    Svg,
    Message,
    StyleSheet,
    Markdown,
    Feed(Box<feed::Read>),
}

impl Content {
    pub(super) fn of(format: Format, bytes: &[u8], plan: &Plan) -> Content {
        match format {
            Format::Html(syntax) => Content::Html(syntax),
            Format::Svg => Content::Svg,
            Format::Message => Content::Message,
            Format::StyleSheet => Content::StyleSheet,
            Format::Markdown => Content::Markdown,
            Format::Feed => Content::Feed(feed::Read::of(bytes, &plan.html).into()),
            Format::Manifest => Content::Feed(feed::Read::manifest(bytes, &plan.html).into()),
            Format::SpeculationRules => {
                Content::Feed(feed::Read::speculation_rules(bytes, &plan.html).into())
            }
        }
    }

    /// Shows every reference of a file.
    pub(super) fn examine(
        &self,
        plan: &Plan,
        bytes: &[u8],
        context: &Context,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> Examined {
        let html = &plan.html;
        match *self {
            Content::Html(syntax) => html::examine(bytes, syntax, context, html, each).into(),
            Content::Svg => html::examine(bytes, Syntax::Xml, context, html, each).into(),
            Content::Message => message::examine(bytes, context, html, each),
            Content::StyleSheet => sheet::examine(bytes, context, html, each).into(),
            Content::Markdown => markdown::examine(bytes, context, html, each).into(),
            Content::Feed(ref feed) => feed.examine(bytes, context, html, plan.feed_base, each),
        }
    }

    /// Appends a file with absolute references to `out`, if anything changes; returns how long it then is. If the plan only
    /// counts, a page may come without its new text.
    pub(super) fn rewrite(
        &self,
        rewriter: &mut DocumentRewriter,
        plan: &Plan,
        bytes: &[u8],
        context: &Context,
        out: &mut Vec<u8>,
    ) -> (Examined, Option<usize>) {
        let html = &plan.html;
        let rewritten = match *self {
            Content::Html(_) | Content::Svg => {
                let syntax = match *self {
                    Content::Html(syntax) => syntax,
                    _ => Syntax::Xml,
                };
                if plan.only_counts() {
                    let (examined, length) = rewriter.measure(bytes, syntax, context, html);
                    return (examined.into(), length);
                }
                let (examined, changed) = rewriter.rewrite(bytes, syntax, context, html, out);
                return (examined.into(), changed.then_some(out.len()));
            }
            Content::Message => message::rewrite(bytes, context, html),
            Content::StyleSheet | Content::Markdown => {
                let rewrite = match *self {
                    Content::Markdown => markdown::rewrite,
                    _ => sheet::rewrite,
                };
                let rewritten = rewrite(bytes, context, html);
                return (rewritten.examined.into(), take(rewritten.document, out));
            }
            Content::Feed(ref feed) => feed.rewrite(bytes, context, html, plan.feed_base),
        };
        (rewritten.examined, take(rewritten.document, out))
    }

    /// Whether nothing can be read in it.
    pub(super) fn is_damaged(&self) -> bool {
        matches!(self, Content::Feed(feed) if feed.is_damaged())
    }

    /// The URL that a feed gives for itself.
    pub(super) fn own_url(&self) -> Option<&str> {
        match self {
            Content::Feed(feed) => feed.own_url(),
            _ => None,
        }
    }
}

/// A file that is processed, and what passes on its results.
#[derive(Clone, Copy)]
pub(super) struct Job<'j, 'a> {
    pub(super) item: &'j Item<'j>,
    /// `None` for standard input.
    pub(super) original: Option<&'j Original>,
    pub(super) ticket: Ticket<'j, 'a>,
}

/// Takes a new file, which is owned if it differs from the old one; returns its length then.
fn take(new: Cow<'_, [u8]>, out: &mut Vec<u8>) -> Option<usize> {
    match new {
        Cow::Owned(new) => {
            *out = new;
            Some(out.len())
        }
        Cow::Borrowed(_) => None,
    }
}
