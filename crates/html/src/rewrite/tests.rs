//! Documents that come in pieces, and what is counted in them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::base::retrieval::mirror::{ConvertedLinks, Files, KnownFile, Mirror};
use crate::base::retrieval::neighbours::Neighbours;
use crate::base::retrieval::target::DocumentPlace;
use crate::base::retrieval::tree::Tree;
use crate::base::{BaseSource, Context, Retrieval};
use crate::*;
use abslink_url::BaseUrl;

fn context(url: &str) -> Context {
    Context {
        entity: Some(BaseUrl::any(url)),
        ..Context::default()
    }
}

fn facts(document: &str) -> DocumentInfo {
    let mut prescan = EncodingPrescan::new(Syntax::Html, None);
    prescan.look(document.as_bytes());
    let mut facts = prescan.finish();
    BasePrescan::new(&mut facts).look(document.as_bytes(), true);
    facts
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
    let mut document = ChunkedRewriter::new(&facts, &context, &settings);
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
    let mut document = ChunkedRewriter::new(&facts, &context, &settings);
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

/// By 16 MiB plus 256 times the length: its own if that is known, else that of what has come so
/// far.
#[test]
fn a_long_base_lets_a_document_outgrow_its_limit() {
    let settings = Settings::default();
    let grows = |references: usize, length: Option<u64>| {
        let document = "<a href=x>".repeat(references);
        let (facts, context) = (
            facts(&document),
            context(&format!("http://h/{}/", "b".repeat(99_990))),
        );
        let mut chunked = ChunkedRewriter::new(&facts, &context, &settings);
        if let Some(length) = length {
            chunked = chunked.with_length(length);
        }
        assert!(chunked.has_long_base());
        assert_eq!(chunked.outgrown(), None);
        chunked.measure(document.as_bytes(), true, false);
        assert_eq!(chunked.outgrown().is_some(), chunked.is_outgrown());
        chunked.outgrown()
    };
    // 2000 bytes may grow by half a megabyte more.
    assert_eq!(grows(170, None), None);
    assert_eq!(grows(200, None), Some(OUTGROWN));
    assert_eq!(grows(170, Some(0)), Some(OUTGROWN));
    assert_eq!(grows(200, Some(20_000)), None);

    let (facts, context) = (facts("<a href=x>"), context("http://h/"));
    assert!(!ChunkedRewriter::new(&facts, &context, &settings).has_long_base());
}

/// Some characters of a base URL may have to be spelled with more bytes. They count as that much even
/// where they are spelled with one.
#[test]
fn every_command_has_the_same_measure() {
    let base = context(&format!("http://h/{}/", "(".repeat(500)));
    let settings = Settings::default();
    for (references, is_left) in [(10_000, false), (45_000, true)] {
        let document = "<a ping=x>".repeat(references).into_bytes();
        let examined = examine(&document, Syntax::Html, &base, &settings, &mut |_| {});
        let rewritten = rewrite_bytes(&document, Syntax::Html, &base, &settings).examined;
        let facts = facts("<a href=x>");
        let length = document.len() as u64;
        let mut chunked = ChunkedRewriter::new(&facts, &base, &settings).with_length(length);
        let mut out = Vec::new();
        for piece in document.chunks(1 << 16).chain([&[][..]]) {
            chunked.rewrite(piece, piece.is_empty(), &mut out);
            out.clear();
        }
        let in_pieces = chunked.finish().0;
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
    assert_eq!(found, [(BaseSource::Embedded, Outcome::Unresolved); 2]);
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

/// Nothing of a piece in which a document outgrows its limit is written or shown.
#[test]
fn a_document_is_left_from_the_piece_on_in_which_it_outgrows_its_limit() {
    let document = "<a href=xy>".repeat(200);
    let (facts, context) = (
        facts(&document),
        context(&format!("http://h/{}/", "b".repeat(99_990))),
    );
    let settings = Settings::default();
    let chunked = |length| ChunkedRewriter::new(&facts, &context, &settings).with_length(length);
    for (length, is_left) in [(0, true), (20_000, false)] {
        let (mut new, mut passed) = (Vec::new(), 0);
        chunked(length).rewrite(document.as_bytes(), true, &mut new);
        assert_eq!(new.is_empty(), is_left);
        chunked(length).examine(document.as_bytes(), true, &mut |seen| {
            if let Seen::Passed(bytes) = seen {
                passed += bytes.len();
            }
        });
        assert_eq!(passed == 0, is_left);
    }
}

/// The length of a document that was read before is known.
#[test]
fn what_was_read_before_may_grow_by_all_of_its_length() {
    let pieces = ["<a href=xy>".repeat(200), " ".repeat(18_000)];
    let (context, settings) = (
        context(&format!("http://h/{}/", "b".repeat(99_990))),
        Settings::default(),
    );
    let mut prescan = Prescan::new(Syntax::Html, &context);
    (pieces.iter()).for_each(|piece| prescan.write(piece.as_bytes()));
    let rewriter = || Rewriter::new(Syntax::Html, &context, &settings, Vec::new()).hold(0);
    let written = rewriter().after(prescan).write(pieces[0].as_bytes());
    assert!(written.is_ok(), "{written:?}");
    let written = rewriter().write(pieces[0].as_bytes());
    assert!(matches!(written, Err(RewriteError::Left(_))), "{written:?}");
}

/// References that are resolved in the shorter way count for as much.
#[cfg(feature = "exclude")]
#[test]
fn the_short_way_counts_as_much_as_the_long_one() {
    let document =
        "<a href=./x><a href=../y/z><a href='#f'><a href=http://o/><a href=''><a href=a(b,c)^{|}>";
    let grown = |settings: &Settings| {
        let context = context("http://h/a(1),^|/b/c?d");
        let rewritten = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, settings);
        (rewritten.examined.growth, rewritten.examined.tally)
    };
    let long_way = Settings {
        exclude: "^nothing$".parse().ok(),
        ..Settings::default()
    };
    assert_eq!(grown(&Settings::default()), grown(&long_way));
}

/// The files of a tree whose URL is not known: all are there. Counts those that are looked at.
#[derive(Default)]
struct Unnamed(AtomicUsize);

impl Files for Unnamed {
    fn may_be_recorded(&self) -> bool {
        true
    }

    fn is_file(&self, _: &[u8]) -> bool {
        true
    }

    fn is_still_nameless(&self, path: &[u8]) -> bool {
        path == b"d/b.html"
    }

    fn known(&self, _: &[u8]) -> Option<Arc<KnownFile>> {
        self.0.fetch_add(1, Ordering::Relaxed);
        None
    }
}

/// There, too, bytes tell what becomes of most references: no rule has to look at a file again.
#[test]
fn the_short_way_leads_through_a_nameless_tree() {
    for (to, document, looks) in [
        (
            To::Relative,
            "<a href=b.html><a href=https://o.org/>",
            false,
        ),
        (To::Relative, "<a href=/d/b.html#x>", false),
        (To::Relative, "<a href=c.html>", true),
        (To::Files, "<a href=./b.html#x><a href=#y>", false),
    ] {
        let url = BaseUrl::any(&Tree::nameless(&[]).url(b"d/a.html"));
        let files = Arc::new(Unnamed::default());
        let place = DocumentPlace {
            path: b"d/a.html".to_vec(),
            url: url.as_str().to_owned(),
            index: Vec::new(),
            port_separator: None,
        };
        let context = Context {
            retrieval: Some(Retrieval {
                url,
                source: BaseSource::Tree,
                is_guess: false,
            }),
            mirror: Some(Mirror::new(
                place.clone(),
                files.clone(),
                ConvertedLinks::Auto,
                false,
            )),
            neighbours: Some(Neighbours::new(place, files.clone(), false)),
            ..Context::default()
        };
        let mut settings = Settings {
            to,
            ..Settings::default()
        };
        settings.site.has_own_server = true;
        let rewritten = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        let new = String::from_utf8(rewritten.document.into_owned()).unwrap();
        assert_eq!(new, document.replace("./", "").replace("/d/", ""));
        assert_eq!(
            rewritten.examined.tally.nameless,
            u64::from(document.contains("/d/"))
        );
        let looked = files.0.load(Ordering::Relaxed) > 0;
        assert_eq!(looked, looks, "{} {document}", to.name());
    }
}

/// Documents in documents are followed to a limited depth.
#[test]
fn documents_in_documents_have_an_end() {
    for (depth, is_followed) in [(0, true), (1, true), (16, true), (17, false)] {
        let document = (0..depth).fold("<a href=x>".to_owned(), |inner, _| {
            let inner = inner.replace('&', "&amp;").replace('"', "&quot;");
            format!("<iframe srcdoc=\"{inner}\"></iframe>")
        });
        let (context, settings) = (context("http://h/"), Settings::default());
        let rewritten = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        let new = String::from_utf8(rewritten.document.into_owned()).unwrap();
        assert_eq!(new.contains("href=http://h/x"), is_followed, "{depth}");
    }
}

/// A browser takes a reference where the URL Standard says, in the document's encoding.
#[test]
fn the_resolver_of_browsers_diverges_from_none() {
    let document = b"<meta charset=windows-1252><a href='?\xe9'><a href='\\x'>";
    let mut settings = Settings::default();
    for (resolver, divergent) in [(Resolver::Rfc1808, 1), (Resolver::Whatwg, 0)] {
        settings.resolver = resolver;
        let rewritten = rewrite_bytes(document, Syntax::Html, &context("http://h/"), &settings);
        assert_eq!(rewritten.examined.tally.divergent, divergent);
    }
}

/// `absolute`, and what a browser gets instead, of each reference in a document in pieces.
fn in_pieces(pieces: &[&str], context: &Context) -> Vec<(String, String)> {
    let (facts, settings) = (facts(&pieces.concat()), Settings::default());
    let mut document = ChunkedRewriter::new(&facts, context, &settings);
    let mut found = Vec::new();
    for (nth, piece) in (1..).zip(pieces) {
        document.examine(piece.as_bytes(), nth == pieces.len(), &mut |seen| {
            if let Seen::Reference(reference, _) = seen {
                let text = |url: Option<&str>| url.unwrap_or_default().to_owned();
                let browser = reference.divergent.and_then(|it| it.browser.as_deref());
                found.push((text(reference.absolute), text(browser)));
            }
        });
    }
    found
}

/// The second `base` element is put before the table, and counts from then on.
#[test]
fn the_base_of_the_moment_is_known_across_pieces() {
    let pieces = [
        "<table><tr><td><img src=v><base href=/1/><img src=w></td>",
        "<td><img src=x></td>",
        "<td><img src=y></td></tr>",
        "<base href=/2/></table><img src=z>",
    ];
    let expected = [
        ("http://h/2/v", "http://h/v"),
        ("http://h/1/", ""),
        ("http://h/2/w", "http://h/1/w"),
        ("http://h/2/x", "http://h/1/x"),
        ("http://h/2/y", "http://h/1/y"),
        ("http://h/2/", ""),
        ("http://h/2/z", ""),
    ]
    .map(|(absolute, browser)| (absolute.to_owned(), browser.to_owned()));
    let context = Context::retrieved_from("http://h/").unwrap();
    assert_eq!(in_pieces(&pieces, &context), expected);
    assert_eq!(in_pieces(&[&pieces.concat()], &context), expected);
}

/// What the document type declaration spells is shown there, once.
#[test]
fn what_is_declared_has_a_place_in_the_document() {
    let document = "<!DOCTYPE a [<!ATTLIST img src CDATA 'x' alt CDATA 'y' srcset CDATA ''>\
                    <!ATTLIST a href CDATA 'http://h/' HREF CDATA 'y'><!ENTITY e '<a href=\"z\"/>'>]>\
                    <a xmlns='http://www.w3.org/1999/xhtml'>x<img/>&e;&e;</a>";
    let mut found = Vec::new();
    let mut show = |reference: &Reference<'_>| {
        let (outcome, element) = (reference.outcome, reference.element.to_owned());
        found.push((outcome, element, &document[reference.span.clone()]));
    };
    let (context, settings) = (context("http://h/"), Settings::default());
    let bytes = document.as_bytes();
    examine(bytes, Syntax::Xml, &context, &settings, &mut show);
    let expected = [
        (Outcome::Unresolved, "img", "x"),
        (Outcome::Absolute, "a", "http://h/"),
        (Outcome::Unresolved, "!entity", "<a href=\"z\"/>"),
    ];
    let expected = expected.map(|(outcome, element, text)| (outcome, element.to_owned(), text));
    assert_eq!(found, expected);
    assert!(!rewrite_bytes(bytes, Syntax::Xml, &context, &settings).is_changed());
}

/// Markup in text is processed if its group is wanted.
#[test]
fn text_that_some_programs_parse_belongs_to_groups() {
    let noscript = "<noscript><a href=x></noscript>";
    let comment = "<!--[if (lt IE 9)|(IE 10)]><a href=x><![endif]-->";
    let (none, all) = (
        Groups::default().without(Group::Noscript),
        Groups::default(),
    );
    let all = all.with(Group::Comments);
    for (document, groups, rewritten) in [
        (noscript, none, 0),
        (noscript, all, 1),
        (comment, none, 0),
        (comment, all, 1),
    ] {
        let settings = Settings {
            groups,
            ..Settings::default()
        };
        let context = context("http://h/");
        let found = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        assert_eq!(found.examined.tally.rewritten, rewritten, "{document}");
    }
}

/// If a browser takes a reference elsewhere for another reason, its place is not blamed.
#[test]
fn divergences_before_the_base_are_those_that_come_of_it() {
    for (reference, before_base) in [("x", 1), ("\\x", 0)] {
        let document = format!("<img src='{reference}'><base href=/b/>");
        let (context, settings) = (
            Context::retrieved_from("http://h/").unwrap(),
            Settings::default(),
        );
        let found = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        let tally = found.examined.tally;
        assert_eq!((tally.divergent, tally.before_base), (1, before_base));
    }
}

#[test]
fn what_is_measured_is_as_long_as_what_is_made() {
    let utf_16: Vec<u8> = "\u{feff}<a href=x>é"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let long = "<a href=x>".repeat((16 << 20) / 10 + 1);
    let documents: [&[u8]; 6] = [
        b"<a href=x><a href='../y'><a srcset='a, b 2x'>\xff",
        b"<meta charset=windows-1252><a href=x><a href='\xe9'>",
        b"<meta charset=windows-1252><base href='/&#9731;/'><a href=x>",
        b"<a href=http://h/>",
        &utf_16,
        long.as_bytes(),
    ];
    let (context, settings) = (context("http://h/d/"), Settings::default());
    let mut rewriter = DocumentRewriter::default();
    for document in documents {
        let mut new = Vec::new();
        let (examined, changed) =
            rewriter.rewrite(document, Syntax::Html, &context, &settings, &mut new);
        let encoding = rewriter.encoding;
        let measured = rewriter.measure(document, Syntax::Html, &context, &settings);
        assert_eq!(measured, (examined, changed.then_some(new.len())));
        assert_eq!(rewriter.encoding, encoding);
    }
}
