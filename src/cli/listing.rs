//! What `check`, `links` and `base` print for what a run finds.

use std::path::Path;

use crate::base::Rung;
use crate::batch::Located;
use crate::html::{Examined, Outcome};
use serde::Serialize;

use super::args::Format;
use super::print::{push_json, push_line};

/// A command's share of watching a run. What is appended to `out` goes to standard output, in path
/// order.
pub(crate) trait Listing: Sync {
    /// A reference was found.
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let _ = (found, out);
    }

    /// A document is done; its references have been shown.
    fn document(&self, path: &Path, examined: &Examined, out: &mut Vec<u8>) {
        let _ = (path, examined, out);
    }
}

/// Lists references, one a line.
pub(crate) struct References {
    /// For people or for programs.
    pub(crate) format: Format,
    /// Only those that are relative.
    pub(crate) only_relative: bool,
}

impl Listing for References {
    fn reference(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let relative = matches!(
            found.reference.outcome,
            Outcome::Relative | Outcome::Unresolved
        );
        if self.only_relative && !relative {
            return;
        }
        match self.format {
            Format::Text => push_text(found, out),
            Format::Json => push_json_line(found, out),
        }
    }
}

/// `path:line:column: <element attribute> reference -> absolute`, or why there is no absolute form.
fn push_text(found: &Located<'_>, out: &mut Vec<u8>) {
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

/// A line of `links`; the order of the fields is part of the contract.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
    element: &'a str,
    attribute: &'a str,
    kind: &'static str,
    reference: &'a str,
    absolute: Option<&'a str>,
    base: Option<&'a str>,
    base_from: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergent: Option<&'a str>,
}

fn push_json_line(found: &Located<'_>, out: &mut Vec<u8>) {
    let reference = found.reference;
    let line = Line {
        file: &found.path.to_string_lossy(),
        line: found.line,
        column: found.column,
        start: reference.span.start,
        end: reference.span.end,
        element: reference.element,
        attribute: reference.attribute,
        kind: reference.kind.name(),
        reference: reference.reference,
        absolute: reference.absolute,
        base: reference.base,
        base_from: reference.base_from.name(),
        outcome: reference.outcome.name(),
        // A browser that gets a failure gets no URL: the field stays text.
        divergent: (reference.divergent)
            .map(|divergence| divergence.browser.as_deref().unwrap_or_default()),
    };
    push_json(out, &line);
}

#[cfg(test)]
mod tests {
    use crate::html::{Reference, ValueKind};

    use super::*;

    fn listed(listing: &References, found: &Located<'_>) -> String {
        let mut out = Vec::new();
        listing.reference(found, &mut out);
        String::from_utf8(out).expect("listings are UTF-8")
    }

    const REFERENCE: Reference<'static> = Reference {
        span: 9..12,
        element: "a",
        attribute: "href",
        kind: ValueKind::Url,
        reference: "g\u{1b}",
        absolute: Some("http://h/g"),
        base: Some("http://h/"),
        base_from: Rung::Layout,
        outcome: Outcome::Relative,
        divergent: None,
    };

    fn located<'a>(reference: &'a Reference<'a>) -> Located<'a> {
        Located {
            path: Path::new("d/x.html"),
            line: 1,
            column: 10,
            reference,
        }
    }

    const TEXT: References = References {
        format: Format::Text,
        only_relative: true,
    };
    const JSON: References = References {
        format: Format::Json,
        only_relative: false,
    };

    #[test]
    fn a_line_for_people() {
        let escaped = "d/x.html:1:10: <a href> g\\u{1b} -> http://h/g\n";
        assert_eq!(listed(&TEXT, &located(&REFERENCE)), escaped);
        let in_text = Reference {
            attribute: "",
            element: "style",
            reference: "g",
            ..REFERENCE
        };
        let line = "d/x.html:1:10: <style> g -> http://h/g\n";
        assert_eq!(listed(&TEXT, &located(&in_text)), line);
    }

    #[test]
    fn why_there_is_no_absolute_form() {
        let unresolved = Reference {
            outcome: Outcome::Unresolved,
            absolute: None,
            reference: "g",
            ..REFERENCE
        };
        let line = listed(&TEXT, &located(&unresolved));
        assert!(line.ends_with("> g (does not resolve)\n"), "{line}");
        let no_base = Reference {
            base: None,
            base_from: Rung::None,
            ..unresolved
        };
        let line = listed(&TEXT, &located(&no_base));
        assert!(line.ends_with("> g (no base URL)\n"), "{line}");
    }

    #[test]
    fn check_lists_what_is_relative() {
        for outcome in [Outcome::Absolute, Outcome::SameDocument, Outcome::Excluded] {
            let other = Reference {
                outcome,
                ..REFERENCE
            };
            assert_eq!(listed(&TEXT, &located(&other)), "");
            let all = References {
                only_relative: false,
                ..TEXT
            };
            assert!(listed(&all, &located(&other)).ends_with(&format!("({})\n", outcome.name())));
        }
    }

    /// The order of the fields is part of the contract.
    #[test]
    fn a_line_for_programs() {
        let plain = "{\"file\":\"d/x.html\",\"line\":1,\"column\":10,\"start\":9,\"end\":12,\
             \"element\":\"a\",\"attribute\":\"href\",\"kind\":\"url\",\"reference\":\"g\\u001b\",\
             \"absolute\":\"http://h/g\",\"base\":\"http://h/\",\"base_from\":\"layout\",\
             \"outcome\":\"relative\"}\n";
        assert_eq!(listed(&JSON, &located(&REFERENCE)), plain);
    }
}
