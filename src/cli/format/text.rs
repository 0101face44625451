//! `--format text`: for people.

use std::path::Path;

use crate::base::Rung;
use crate::batch::Located;
use crate::html::{Examined, Outcome};

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
    let reference = found.reference;
    let space = if reference.attribute.is_empty() {
        ""
    } else {
        " "
    };
    let meaning = match (reference.outcome, reference.absolute) {
        (Outcome::Relative, Some(absolute)) => format!("-> {absolute}"),
        (Outcome::Unresolved, _)
            if reference.base.is_none() && reference.base_from == Rung::Embedded =>
        {
            "(nothing can be relative to the <base>)".to_owned()
        }
        (Outcome::Unresolved, _) if reference.base.is_none() => "(no base URL)".to_owned(),
        (Outcome::Unresolved, _) => "(does not resolve)".to_owned(),
        (outcome, _) => format!("({})", outcome.name()),
    };
    push_line(
        out,
        format_args!(
            "{}:{}:{}: <{}{space}{}> {} {meaning}",
            found.path.display(),
            found.line,
            found.column,
            reference.element,
            reference.attribute,
            reference.reference,
        ),
    );
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
