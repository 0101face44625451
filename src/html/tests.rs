//! Documents that come in pieces, and what is counted of them.

use super::*;
use crate::base::Context;
use crate::resolver::BaseUrl;

fn context(url: &str) -> Context {
    Context {
        entity: Some(BaseUrl::any(url)),
        ..Context::default()
    }
}

fn facts(document: &str) -> Facts {
    let mut prepass = FirstLook::new(Syntax::Html, None);
    prepass.look(document.as_bytes());
    let mut facts = prepass.finish();
    BaseSearch::new(&mut facts).look(document.as_bytes(), true);
    facts
}

#[test]
fn tallies_add_up() {
    let outcomes = [
        Outcome::Relative,
        Outcome::Absolute,
        Outcome::SameDocument,
        Outcome::Unresolved,
        Outcome::Excluded,
        Outcome::Present,
    ];
    let mut tally = Tally {
        before_base: 9,
        file_names: 10,
        guesses: 11,
        ..Tally::default()
    };
    for (number, outcome) in (3..).zip(outcomes) {
        (0..number).for_each(|nth| tally.count(outcome, nth == 1));
    }
    let fields = |tally: Tally| {
        [
            tally.rewritten,
            tally.absolute,
            tally.same_document,
            tally.unresolved,
            tally.excluded,
            tally.present,
            tally.before_base,
            tally.file_names,
            tally.guesses,
            tally.references,
            tally.divergent,
        ]
    };
    let once = [3, 4, 5, 6, 7, 8, 9, 10, 11, 33, 6];
    assert_eq!(fields(tally), once);
    let mut sum = tally;
    sum.merge(&tally);
    assert_eq!(fields(sum), once.map(|number| 2 * number));
}

#[test]
fn only_auto_asks_how_large_a_document_is() {
    let engines = [Engine::Auto, Engine::Memory, Engine::Stream];
    let largest = engines.map(Engine::largest_held);
    assert_eq!(largest, [16 * 1024 * 1024, u64::MAX, 0]);
}

#[test]
fn what_is_not_sure_is_pending() {
    let pieces = ["<p><a hre", "f=x>bcdefg", "<p>h"];
    let (facts, context) = (facts(&pieces.concat()), context("http://h/"));
    let settings = Settings::default();
    let mut document = Piecewise::new(&facts, &context, &settings);
    let mut out = Vec::new();
    document.rewrite(pieces[0].as_bytes(), false, &mut out);
    assert_eq!((&*out, document.pending()), (&b"<p>"[..], &b"<a hre"[..]));
    assert!(!document.changed());
    document.rewrite(pieces[1].as_bytes(), false, &mut out);
    assert!(document.changed());
    document.rewrite(pieces[2].as_bytes(), true, &mut out);
    assert!(document.changed(), "a piece before it was");
    assert_eq!(
        (&*out, document.pending()),
        (&b"<p><a href=http://h/x>bcdefg<p>h"[..], &b""[..])
    );
    assert!(document.finish().1);
}

/// They follow the bytes that were passed.
#[test]
fn references_lie_in_the_bytes_that_they_come_with() {
    let pieces = ["<p>abc<a href=x>d", "ef<a href=yy>g"];
    let (facts, context) = (facts(&pieces.concat()), context("http://h/"));
    let settings = Settings::default();
    let mut document = Piecewise::new(&facts, &context, &settings);
    let (mut found, mut passed) = (Vec::new(), Vec::new());
    for (piece, last) in pieces.iter().zip([false, true]) {
        document.examine(piece.as_bytes(), last, &mut |seen| match seen {
            Seen::Reference(reference, bytes) => {
                found.push((reference.span.clone(), bytes.len()));
            }
            Seen::Passed(bytes) => passed.extend_from_slice(bytes),
        });
    }
    assert_eq!(passed, pieces.concat().as_bytes());
    let spans: Vec<_> = found.into_iter().map(|(span, _)| span).collect();
    let whole = pieces.concat();
    let expected = ["=x", "=yy"].map(|text| {
        let end = whole.find(text).unwrap() + text.len();
        end - text.len() + 1..end
    });
    assert_eq!(spans, expected);
}

/// By 16 MiB, and 256 times the length: its own if that is known, else what came of it.
#[test]
fn a_long_base_lets_a_document_outgrow_its_limit() {
    let settings = Settings::default();
    let grows = |references: usize, length: Option<u64>| {
        let document = "<a href=x>".repeat(references);
        let (facts, context) = (
            facts(&document),
            context(&format!("http://h/{}/", "b".repeat(99_990))),
        );
        let mut piecewise = Piecewise::new(&facts, &context, &settings);
        if let Some(length) = length {
            piecewise = piecewise.with_length(length);
        }
        assert!(piecewise.has_long_base());
        assert_eq!(piecewise.outgrown(), None);
        piecewise.measure(document.as_bytes(), true);
        assert_eq!(piecewise.outgrown().is_some(), piecewise.is_outgrown());
        piecewise.outgrown()
    };
    // 2000 bytes may grow by half a megabyte more.
    assert_eq!(grows(170, None), None);
    assert_eq!(grows(200, None), Some(OUTGROWN));
    assert_eq!(grows(170, Some(0)), Some(OUTGROWN));
    assert_eq!(grows(200, Some(20_000)), None);

    let (facts, context) = (facts("<a href=x>"), context("http://h/"));
    assert!(!Piecewise::new(&facts, &context, &settings).has_long_base());
}

/// Some characters of a base URL may have to be spelled with more bytes. They count as that much also
/// where they are spelled with one.
#[test]
fn every_command_has_the_same_measure() {
    let base = context(&format!("http://h/{}/", "(".repeat(500)));
    let settings = Settings::default();
    for (references, is_left) in [(10_000, false), (45_000, true)] {
        let document = "<a href=x>".repeat(references).into_bytes();
        let examined = examine(&document, Syntax::Html, &base, &settings, &mut |_| {});
        let rewritten = rewrite_bytes(&document, Syntax::Html, &base, &settings).examined;
        let facts = facts("<a href=x>");
        let length = document.len() as u64;
        let mut piecewise = Piecewise::new(&facts, &base, &settings).with_length(length);
        let mut out = Vec::new();
        for piece in document.chunks(1 << 16).chain([&[][..]]) {
            piecewise.rewrite(piece, piece.is_empty(), &mut out);
            out.clear();
        }
        let in_pieces = piecewise.finish().0;
        let left = [examined.left, rewritten.left, in_pieces.left].map(|left| left.is_some());
        assert_eq!(left, [is_left; 3], "{references}");
    }
}

/// A document inside has no base URL for the same reason as the one around it.
#[test]
fn an_opaque_base_is_that_of_documents_inside_too() {
    let document =
        b"<base href=mailto:a@b><iframe srcdoc='<a href=x><iframe srcdoc=\"<a href=y>\">'>";
    let mut found = Vec::new();
    let mut each = |reference: &Reference<'_>| {
        if reference.element == "a" {
            found.push((reference.base_from, reference.outcome));
        }
    };
    let (context, settings) = (context("http://h/"), Settings::default());
    examine(document, Syntax::Html, &context, &settings, &mut each);
    assert_eq!(found, [(Rung::Embedded, Outcome::Unresolved); 2]);
}

/// In listings and summaries.
#[test]
fn what_a_value_holds_has_a_name() {
    let document = "<style>a { b: url(x) }</style><img srcset='x'><a ping=x><meta http-equiv=refresh \
                    content='0;x'><iframe srcdoc='<a href=x>'></iframe><p style='b: url(x)'>";
    let settings = Settings::default();
    let mut found = Vec::new();
    let mut document_of = |reference: &Reference<'_>| {
        let place = format!("{} {}", reference.element, reference.attribute);
        found.push((place, reference.kind.name()));
    };
    examine(
        document.as_bytes(),
        Syntax::Html,
        &context("http://h/"),
        &settings,
        &mut document_of,
    );
    let expected = [
        ("style ", "css"),
        ("img srcset", "srcset"),
        ("a ping", "space-list"),
        ("meta content", "refresh"),
        ("a href", "url"),
        ("p style", "css"),
    ];
    assert_eq!(
        found,
        expected.map(|(place, kind)| (place.to_owned(), kind))
    );
}
