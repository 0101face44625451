use std::time::Duration;

use abslink_html::base::{BaseSource, DocumentBase, document_base};
use abslink_html::{Context, Outcome, Reference, Settings, Syntax, examine};
use abslink_url::UnsuitableBase;

use super::*;
use crate::cli::format::Summary;
use crate::cli::run::end::RunEnd;
use crate::cli::summary::tests::report;
use crate::cli::terminal::color;

/// What a reference is listed as: that of `<a href=g>` with a control character, and changed.
fn listed(
    format: OutputFormat,
    only_relative: bool,
    change: impl Fn(&mut Reference<'_>),
) -> String {
    // Tests may run on a terminal.
    color::choose(clap::ColorChoice::Never);
    let listing = Listing::new(
        if only_relative {
            ShownItems::Relative
        } else {
            ShownItems::References
        },
        format,
        false,
    );
    let mut out = Vec::new();
    let mut each = |found: &Reference<'_>| {
        let mut reference = found.clone();
        reference.span = 9..12;
        reference.reference = "g\u{1b}";
        change(&mut reference);
        listing.reference(&located(&reference), &mut out);
    };
    let context = Context::retrieved_from("http://h/").unwrap();
    let settings = Settings::default();
    examine(b"<a href=g>", Syntax::Html, &context, &settings, &mut each);
    String::from_utf8(out).expect("listings are UTF-8")
}

fn located<'a>(reference: &'a Reference<'a>) -> Located<'a> {
    Located {
        path: Path::new("d/x.html"),
        line: 1,
        column: 10,
        end_line: 1,
        end_column: 13,
        utf16_columns: (10, 13),
        row: None,
        reference,
    }
}

#[test]
fn a_line_for_people() {
    let escaped = "d/x.html:1:10: <a href> g\\u{1b} -> http://h/g\n";
    assert_eq!(listed(OutputFormat::Text, true, |_| {}), escaped);
    let in_text = |reference: &mut Reference<'_>| {
        reference.attribute = "";
        reference.element = "style";
        reference.reference = "g";
    };
    let line = "d/x.html:1:10: <style> g -> http://h/g\n";
    assert_eq!(listed(OutputFormat::Text, true, in_text), line);
}

#[test]
fn why_there_is_no_absolute_form() {
    let unresolved = |reference: &mut Reference<'_>| {
        reference.outcome = Outcome::Unresolved;
        (reference.absolute, reference.to) = (None, None);
        reference.reference = "g";
    };
    let line = listed(OutputFormat::Text, true, unresolved);
    assert!(line.ends_with("> g (does not resolve)\n"), "{line}");
    let no_base = |reference: &mut Reference<'_>| {
        unresolved(reference);
        reference.base = None;
        reference.base_from = BaseSource::None;
    };
    let line = listed(OutputFormat::Text, true, no_base);
    assert!(line.ends_with("> g\n"), "{line}");
}

#[test]
fn check_lists_what_no_url_leads_to() {
    let path = |reference: &mut Reference<'_>| {
        (reference.outcome, reference.to) = (Outcome::WindowsPath, None);
    };
    let line = listed(OutputFormat::Text, true, path);
    assert!(line.ends_with("(windows-path)\n"), "{line}");
}

#[test]
fn check_lists_what_is_relative() {
    for outcome in [
        Outcome::Absolute,
        Outcome::SameDocument,
        Outcome::Excluded,
        Outcome::Placeholder,
    ] {
        let other =
            |reference: &mut Reference<'_>| (reference.outcome, reference.to) = (outcome, None);
        assert_eq!(listed(OutputFormat::Text, true, other), "");
        let line = listed(OutputFormat::Text, false, other);
        assert!(line.ends_with(&format!("({})\n", outcome.name())), "{line}");
    }
}

/// The order of the fields is part of the contract.
#[test]
fn a_line_for_programs() {
    let plain = "{\"file\":\"d/x.html\",\"line\":1,\"column\":10,\"start\":9,\"end\":12,\
         \"element\":\"a\",\"attribute\":\"href\",\"kind\":\"url\",\"reference\":\"g\\u001b\",\
         \"absolute\":\"http://h/g\",\"base\":\"http://h/\",\"base_from\":\"layout\",\
         \"outcome\":\"relative\"}\n";
    assert_eq!(listed(OutputFormat::Json, false, |_| {}), plain);
}

fn listed_base(format: OutputFormat, document_base: DocumentBase) -> String {
    color::choose(clap::ColorChoice::Never);
    let examined = Examined::of(document_base);
    let mut out = Vec::new();
    let listing = Listing::new(ShownItems::Bases, format, false);
    listing.document(Path::new("a.html"), &examined, &mut out);
    String::from_utf8(out).expect("listings are UTF-8")
}

fn by_layout() -> DocumentBase {
    let context = Context::retrieved_from("http://h/a.html").unwrap();
    let mut document_base = document_base(None, &context, Default::default());
    document_base.refused = Some(("x".into(), UnsuitableBase::Relative));
    document_base
}

fn none() -> DocumentBase {
    document_base(None, &Context::default(), Default::default())
}

#[test]
fn a_base_for_people() {
    let path = format!("{:40}", "a.html");
    assert_eq!(
        listed_base(OutputFormat::Text, by_layout()),
        format!(
            "layout    {path}  http://h/a.html\n          \
             refused: embedded <base href=\"x\">: {}\n",
            UnsuitableBase::Relative
        )
    );
    let line = format!("none      {path}  no base URL\n");
    assert_eq!(listed_base(OutputFormat::Text, none()), line);
}

#[test]
fn a_base_for_programs() {
    let line = listed_base(OutputFormat::Json, by_layout());
    let fields = "{\"file\":\"a.html\",\"base\":\"http://h/a.html\",\"base_from\":\"layout\",\
                  \"refused\":{\"base\":\"x\",\"base_from\":\"embedded\",\"reason\":\"";
    assert!(line.starts_with(fields), "{line}");
    let line = "{\"file\":\"a.html\",\"base\":null,\"base_from\":\"none\"}\n";
    assert_eq!(listed_base(OutputFormat::Json, none()), line);
}

/// The fields and their order are part of the contract.
#[test]
fn the_summary_has_the_fields_of_the_contract() {
    let mut end = RunEnd {
        elapsed: Duration::from_micros(123_456),
        ..RunEnd::of(report())
    };
    let mut json = |only_missing| {
        let mut line = Vec::new();
        end.plan.html.only_missing = only_missing;
        Summary::new(false).end(&end, &mut line).unwrap();
        String::from_utf8(line).unwrap()
    };
    assert_eq!(
        json(false),
        "{\"files\":1030,\"files_changed\":1028,\"files_unchanged\":2,\"files_failed\":0,\
         \"files_without_base\":0,\"not_taken\":0,\"bytes_in\":34000000,\"bytes_out\":35000000,\
         \"references\":1912,\"rewritten\":1204,\"absolute\":700,\"same_document\":8,\
         \"unresolved\":0,\"excluded\":0,\"divergent\":0,\"seconds\":0.123,\"placeholders\":0,\
         \"unknown_places\":0,\"above_root\":0,\"windows_paths\":0}\n"
    );
    assert!(json(true).contains("\"excluded\":0,\"present\":0,\"divergent\":0,"));
}
