//! `--format text`: for people.

use std::fmt::{self, Display};
use std::io::Write as _;
use std::path::Path;

use crate::batch::Located;
use abslink_html::base::BaseSource;
use abslink_html::{Examined, Outcome, Reference};
use abslink_url::Divergence;
use clap::builder::styling::Style;

use super::{Observation, Printer};
use crate::cli::terminal::color;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{PathLine, end_plain_line, push_line, push_number};

/// A line for each reference; for each base URL also what else is known.
#[derive(Default)]
pub(crate) struct Text {
    path: Style,
    position: Style,
    attention: Style,
}

impl Text {
    /// With the colours that standard output has.
    pub(crate) fn for_stdout() -> Text {
        if color::on_stdout() {
            Text {
                path: color::PATH,
                position: color::POSITION,
                attention: color::ATTENTION,
            }
        } else {
            Text::default()
        }
    }
}

impl Printer for Text {
    fn paints(&self) -> bool {
        !self.path.is_plain()
    }

    fn item(&self, item: &Observation<'_>, out: &mut Vec<u8>) {
        match *item {
            Observation::Reference(found) => self.push_reference(found, out),
            Observation::Base(path, examined) => self.push_base(path, examined, out),
        }
    }
}

/// Appends the beginning of a line for people, which has no text from elsewhere in it.
fn push(out: &mut Vec<u8>, text: fmt::Arguments<'_>) {
    // Writing to a Vec does not fail.
    let _ = out.write_fmt(text);
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
        push_number(out, number);
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

impl Text {
    /// `path:line:column: <element attribute> reference -> absolute`, or why there is no absolute form.
    fn push_reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        if self.path.is_plain() && push_plain(found, out) {
            return;
        }
        let described = ReferenceLine {
            reference: found.reference,
            divergence: None,
            longest: usize::MAX,
        };
        let (
            Text {
                path: p,
                position: n,
                ..
            },
            at,
        ) = (self, PathLine(found.path));
        let (line, column) = (found.line, found.column);
        push(out, format_args!("{p}{at}{p:#}:{n}{line}:{column}{n:#}: "));
        push_line(out, described);
    }

    /// The source, the path and the base URL; below them what else is known. Documents are listed as
    /// they come, so columns have fixed widths: every source fits, and most paths.
    fn push_base(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        let Text {
            path: p,
            position: n,
            attention: a,
        } = self;
        let document_base = &examined.document_base;
        let (source, path) = (document_base.source.name(), PathLine(path).to_string());
        push(out, format_args!("{n}{source:8}{n:#}  {p}{path:40}{p:#}  "));
        match &document_base.base {
            Some(base) => push_line(out, masked(base.as_str())),
            None => push(out, format_args!("{a}no base URL{a:#}\n")),
        }
        if let Some((href, reason)) = &document_base.refused {
            push(out, format_args!("{:8}  {a}refused:{a:#} ", ""));
            let (source, href) = (BaseSource::Embedded.name(), masked(href));
            push_line(
                out,
                format_args!("{source} <base href=\"{href}\">: {reason}"),
            );
        }
        if let Some(relative) = &document_base.relative {
            let (href, source) = (masked(&relative.href), relative.source.name());
            let against = masked(relative.against.as_str());
            push_line(
                out,
                format_args!("{:10}resolved: {href} against {source} {against}", ""),
            );
        }
        let first = document_base.first();
        for evidence in &document_base.evidence {
            let is_first = first.is_some_and(|first| std::ptr::eq(first, evidence));
            let won = is_first && evidence.source == document_base.source;
            let (source, says) = (evidence.source.name(), masked(&evidence.says));
            let agrees = first.is_none_or(|first| evidence.agrees_with(first));
            match &evidence.url {
                _ if won || is_first && document_base.relative.is_some() => {}
                Err(reason) => {
                    push(out, format_args!("{:10}{a}refused:{a:#} ", ""));
                    push_line(out, format_args!("{source} {says}: {reason}"));
                }
                Ok(_) if agrees => {
                    push_line(out, format_args!("{:10}agrees: {source} {says}", ""));
                }
                Ok(_) => {
                    push(out, format_args!("{:10}{a}differs:{a:#} ", ""));
                    push_line(out, format_args!("{source} {says}"));
                }
            }
            for caveat in &evidence.caveats {
                push(out, format_args!("{:10}{a}unsure:{a:#} ", ""));
                push_line(out, format_args!("{source}: {caveat}"));
            }
        }
    }
}

/// A reference and what it means, or what a browser gets.
pub(crate) struct ReferenceLine<'a> {
    pub(crate) reference: &'a Reference<'a>,
    /// Given if the line says what a browser gets.
    pub(crate) divergence: Option<&'a Divergence>,
    /// At most this many characters of a value are shown; the rest is `…`.
    pub(crate) longest: usize,
}

impl Display for ReferenceLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (reference, longest) = (self.reference, self.longest);
        let element = match reference.attribute {
            "" => reference.element.to_owned(),
            attribute => format!("{} {attribute}", reference.element),
        };
        let (element, reference_text) = (
            Truncated(&element, longest),
            Truncated(reference.reference, longest),
        );
        write!(f, "<{element}> {reference_text}")?;
        let to = reference.to.map(|to| Truncated(to, longest));
        let no_base = reference.base.is_none();
        match (reference.outcome, to) {
            (_, Some(_)) if reference.to == Some("") => write!(f, " (removed)")?,
            (_, Some(to)) => write!(f, " -> {to}")?,
            (Outcome::Unresolved, _) if no_base && reference.base_from == BaseSource::Embedded => {
                write!(f, " (nothing can be relative to the <base>)")?;
            }
            (Outcome::Unresolved, _) if no_base => write!(f, " (no base URL)")?,
            (Outcome::Unresolved, _) => write!(f, " (does not resolve)")?,
            (outcome, _) if self.divergence.is_none() => write!(f, " ({})", outcome.name())?,
            _ => {}
        }
        match self.divergence.map(|divergence| &divergence.browser) {
            Some(Some(url)) => write!(f, " (a browser gets {})", Truncated(url, longest)),
            Some(None) => write!(f, " (browsers get no URL)"),
            None => Ok(()),
        }
    }
}

/// At most this many characters of a text.
pub(crate) struct Truncated<'a>(pub(crate) &'a str, pub(crate) usize);

impl Display for Truncated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Truncated(text, longest) = *self;
        // The count of bytes is never smaller.
        let end = if text.len() > longest {
            text.char_indices().nth(longest).map(|(end, _)| end)
        } else {
            None
        };
        match end {
            Some(end) => write!(f, "{}…", &text[..end]),
            None => f.write_str(text),
        }
    }
}
