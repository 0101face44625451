//! `--format text`: for people.

use std::fmt::{self, Display};
use std::path::Path;

use crate::base::Rung;
use crate::batch::Located;
use crate::html::{Examined, Outcome, Reference};
use crate::resolver::Divergence;

use super::super::print::{OneLine, PathLine, push_line};
use super::{Item, Printer};

/// A line for each reference; for each base URL also what is known besides.
pub(super) struct Text;

impl Printer for Text {
    fn item(&self, item: &Item<'_>, out: &mut Vec<u8>) {
        match *item {
            Item::Reference(found) => push_reference(found, out),
            Item::Base(path, examined) => push_base(path, examined, out),
        }
    }
}

/// `path:line:column: <element attribute> reference -> absolute`, or why there is no absolute form.
fn push_reference(found: &Located<'_>, out: &mut Vec<u8>) {
    let described = Described {
        reference: found.reference,
        divergence: None,
        longest: usize::MAX,
    };
    push_line(
        out,
        format_args!(
            "{}:{}:{}: {described}",
            found.path.display(),
            found.line,
            found.column
        ),
    );
}

/// A reference and what it means, or what a browser gets.
pub(super) struct Described<'a> {
    pub(super) reference: &'a Reference<'a>,
    /// What a browser gets, where that is what there is to say.
    pub(super) divergence: Option<&'a Divergence>,
    /// As many characters of a value are shown; the rest is `…`.
    pub(super) longest: usize,
}

impl Display for Described<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (reference, longest) = (self.reference, self.longest);
        let element = match reference.attribute {
            "" => reference.element.to_owned(),
            attribute => format!("{} {attribute}", reference.element),
        };
        write!(f, "<{element}> {}", Cut(reference.reference, longest))?;
        let absolute = reference.absolute.map(|absolute| Cut(absolute, longest));
        let no_base = reference.base.is_none();
        match (reference.outcome, absolute) {
            (Outcome::Relative, Some(absolute)) => write!(f, " -> {absolute}")?,
            (Outcome::Unresolved, _) if no_base && reference.base_from == Rung::Embedded => {
                write!(f, " (nothing can be relative to the <base>)")?;
            }
            (Outcome::Unresolved, _) if no_base => write!(f, " (no base URL)")?,
            (Outcome::Unresolved, _) => write!(f, " (does not resolve)")?,
            (outcome, _) if self.divergence.is_none() => write!(f, " ({})", outcome.name())?,
            _ => {}
        }
        match self.divergence.map(|divergence| &divergence.browser) {
            Some(Some(url)) => write!(f, " (a browser gets {})", Cut(url, longest)),
            Some(None) => write!(f, " (a browser gets no URL)"),
            None => Ok(()),
        }
    }
}

/// So many characters of a text.
struct Cut<'a>(&'a str, usize);

impl Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cut(text, longest) = *self;
        // The count of bytes is never smaller.
        let end = match text.len() > longest {
            true => text.char_indices().nth(longest).map(|(end, _)| end),
            false => None,
        };
        match end {
            Some(end) => write!(f, "{}…", &text[..end]),
            None => f.write_str(text),
        }
    }
}

/// The rung, the path and the base URL; below them what else is known. Documents are listed as they
/// come, so that columns have fixed widths: every rung fits, and most paths.
fn push_base(path: &Path, examined: &Examined, out: &mut Vec<u8>) {
    let established = &examined.established;
    let base = established.base.as_ref();
    push_line(
        out,
        format_args!(
            "{:8}  {:40}  {}",
            established.rung.name(),
            PathLine(path).to_string(),
            OneLine(base.map_or("no base URL", |base| base.as_str())),
        ),
    );
    if let Some((href, reason)) = &established.refused {
        push_line(
            out,
            format_args!(
                "{:8}  refused: {} <base href=\"{}\">: {reason}",
                "",
                Rung::Embedded.name(),
                OneLine(href),
            ),
        );
    }
    let first = established.first();
    for evidence in &established.evidence {
        let is_first = first.is_some_and(|first| std::ptr::eq(first, evidence));
        let won = is_first && evidence.source.rung() == established.rung;
        let (source, says) = (evidence.source.rung().name(), OneLine(&evidence.says));
        let agrees = first.is_none_or(|first| evidence.agrees_with(first));
        match &evidence.url {
            _ if won => {}
            Err(reason) => {
                push_line(
                    out,
                    format_args!("{:10}refused: {source} {says}: {reason}", ""),
                );
            }
            Ok(_) => {
                let how = if agrees { "agrees" } else { "differs" };
                push_line(out, format_args!("{:10}{how}: {source} {says}", ""));
            }
        }
        for caveat in &evidence.caveats {
            push_line(out, format_args!("{:10}unsure: {source}: {caveat}", ""));
        }
    }
}
