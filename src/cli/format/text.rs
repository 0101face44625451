//! `--format text`: for people.

use std::borrow::Cow;
use std::fmt;
use std::io::Write as _;
use std::path::Path;

use crate::batch::Located;
use abslink_html::base::BaseSource;
use abslink_html::{Examined, Outcome, Reference};
use abslink_url::Divergence;
use clap::builder::styling::Style;

use super::Printer;
use crate::cli::terminal::color;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{PathLine, end_plain_line, push_line};

/// A line for each reference; for each base URL also what else is known.
pub(crate) struct Text {
    /// With colours.
    pub(crate) paints: bool,
}

impl Text {
    fn style(&self, style: Style) -> Style {
        if self.paints { style } else { Style::new() }
    }
}

impl Printer for Text {
    fn paints(&self) -> bool {
        self.paints
    }

    /// `path:line:column: <element attribute> reference -> absolute`, or why there is no absolute form.
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        if !self.paints && push_plain(found, out) {
            return;
        }
        let [p, n] = [color::PATH, color::POSITION].map(|style| self.style(style));
        let at = PathLine(found.path);
        let (line, column) = (found.line, found.column);
        push(out, format_args!("{p}{at}{p:#}:{n}{line}:{column}{n:#}: "));
        push_line(out, described(found.reference, None, usize::MAX));
    }

    /// The source, the path and the base URL; below them what else is known. Documents are listed as
    /// they come, so columns have fixed widths: every source fits, and most paths.
    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        let styles = [color::PATH, color::POSITION, color::ATTENTION];
        let [p, n, a] = styles.map(|style| self.style(style));
        let document_base = &examined.document_base;
        let (source, path) = (document_base.source.name(), PathLine(path).to_string());
        push(out, format_args!("{n}{source:8}{n:#}  {p}{path:40}{p:#}  "));
        match &document_base.base {
            Some(base) => push_line(out, masked(base.as_str())),
            None => push(out, format_args!("{a}no base URL{a:#}\n")),
        }
        if let Some((href, reason)) = &document_base.refused {
            let (source, href) = (BaseSource::Embedded.name(), masked(href));
            let text = format_args!("{source} <base href=\"{href}\">: {reason}");
            push_more(out, a, "refused", text);
        }
        if let Some(relative) = &document_base.relative {
            let (href, source) = (masked(&relative.href), relative.source.name());
            let against = masked(relative.against.as_str());
            let text = format_args!("{:10}resolved: {href} against {source} {against}", "");
            push_line(out, text);
        }
        let first = document_base.first();
        for evidence in &document_base.evidence {
            let is_first = first.is_some_and(|first| std::ptr::eq(first, evidence));
            let won = is_first && evidence.source == document_base.source;
            let (source, says) = (evidence.source.name(), masked(&evidence.says));
            let agrees = first.is_none_or(|first| evidence.agrees_with(first));
            let text = format_args!("{source} {says}");
            match &evidence.url {
                _ if won || is_first && document_base.relative.is_some() => {}
                Err(reason) => push_more(out, a, "refused", format_args!("{text}: {reason}")),
                Ok(_) if agrees => push_more(out, Style::new(), "agrees", text),
                Ok(_) => push_more(out, a, "differs", text),
            }
            for caveat in &evidence.caveats {
                push_more(out, a, "unsure", format_args!("{source}: {caveat}"));
            }
        }
    }
}

/// Appends the beginning of a line for people, which has no text from elsewhere in it.
fn push(out: &mut Vec<u8>, text: fmt::Arguments<'_>) {
    // Writing to a Vec does not fail.
    let _ = out.write_fmt(text);
}

/// Appends a line below that of a base URL.
fn push_more(out: &mut Vec<u8>, style: Style, label: &str, text: fmt::Arguments<'_>) {
    push(out, format_args!("{:10}{style}{label}:{style:#} ", ""));
    push_line(out, text);
}

/// Appends the line of a relative reference if it has no colours and nothing in it has to be escaped, as
/// with most; returns whether it did.
fn push_plain(found: &Located<'_>, out: &mut Vec<u8>) -> bool {
    let reference = found.reference;
    let Some(to) = reference.to else {
        return false;
    };
    if reference.attribute.is_empty() || to.is_empty() {
        return false;
    }
    let start = out.len();
    // A path that is not UTF-8 is not printable ASCII either.
    out.extend_from_slice(found.path.as_os_str().as_encoded_bytes());
    for number in [found.line, found.column] {
        out.push(b':');
        // Faster than what formats it; writing to a Vec does not fail.
        let _ = serde_json::to_writer(&mut *out, &number);
    }
    for part in [
        ": <",
        reference.element,
        " ",
        reference.attribute,
        "> ",
        reference.reference,
        " -> ",
        to,
    ] {
        out.extend_from_slice(part.as_bytes());
    }
    end_plain_line(out, start)
}

/// A reference and what it means; if `divergence` is given, what a browser gets. At most `longest` characters
/// of a value are shown; the rest is `…`.
pub(crate) fn described(
    reference: &Reference<'_>,
    divergence: Option<&Divergence>,
    longest: usize,
) -> String {
    let truncated = |text| truncated(text, longest);
    let place = place(reference.element, reference.attribute);
    let mut text = format!("<{}> {}", truncated(&place), truncated(reference.reference));
    let no_base = reference.base.is_none();
    match (reference.outcome, reference.to) {
        (_, Some("")) => text.push_str(" (removed)"),
        (_, Some(to)) => text.extend([" -> ", &*truncated(to)]),
        (Outcome::Unresolved, _) if no_base && reference.base_from == BaseSource::Embedded => {
            text.push_str(" (nothing can be relative to the <base>)");
        }
        (Outcome::Unresolved, _) if no_base => {}
        (Outcome::Unresolved, _) => text.push_str(" (does not resolve)"),
        (outcome, _) if divergence.is_none() => text.extend([" (", outcome.name(), ")"]),
        _ => {}
    }
    match divergence.map(|divergence| divergence.browser.as_deref()) {
        Some(Some(url)) => text.extend([" (a browser gets ", &*truncated(url), ")"]),
        Some(None) => text.push_str(" (browsers get no URL)"),
        None => {}
    }
    text
}

/// An element and the attribute, or its text.
pub(super) fn place(element: &str, attribute: &str) -> String {
    match attribute {
        "" => element.to_owned(),
        attribute => format!("{element} {attribute}"),
    }
}

/// At most this many characters of a text.
pub(crate) fn truncated(text: &str, longest: usize) -> Cow<'_, str> {
    // The count of bytes is never smaller.
    let is_long = text.len() > longest;
    match is_long.then(|| text.char_indices().nth(longest)).flatten() {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}
