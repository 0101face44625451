//! What abslink promises of a document, on generated ones, judged by html5ever: the same tree, the
//! same target at every place, the same bytes elsewhere, and nothing left to do for a second run.
//! In encodings of every kind.

use std::sync::LazyLock;

use abslink::{Context, Settings, Syntax, edits, examine, rewrite_bytes};
use encoding_rs::{BIG5, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, WINDOWS_1252};
use regex::Regex;
use url::Url;

use crate::oracle::html5lib;
use crate::oracle::locate::compare::{compare, departures_are_few};
use crate::oracle::{bytes, decode, directories::elsewhere, trees};
use crate::support::links::Link;
use crate::support::{generate, skip};

const URL: &str = "https://h.example/d/e/p.html?q";

/// The tags around text that only browsers without scripts or frames parse.
static RAW: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?i)<(/?)no(script|frames)").unwrap());

/// An end tag in a style sheet.
static CUT: LazyLock<Regex> = LazyLock::new(|| Regex::new("<style[^>]*>[^<]+</[^s]").unwrap());

#[test]
fn generated_documents() {
    let context = context();
    let (mut documents, mut departures) = (0_usize, 0_usize);
    generate::documents(3_000, |document| {
        documents += 1;
        // The tree has U+FFFD for a NUL in the text of noscript and noframes, and the oracle parses
        // the text that the tree has.
        let document = match document.to_ascii_lowercase() {
            lower if lower.contains("<nosc") || lower.contains("<nofr") => {
                document.replace('\0', "")
            }
            _ => document.to_owned(),
        };
        // What the header of the locator names: SVG's style sheets are read run by run.
        let lower = document.to_ascii_lowercase();
        if lower.contains("<svg") && CUT.is_match(&lower) {
            return Ok(());
        }
        let spelled = spell(&document, documents);
        if let Err(broken) = promise(&spelled, None, &context) {
            // Where html5ever sees other elements than the standard does, it is no judge; nor is it
            // where it would see them in text that only some browsers parse.
            let text = decode::text(&spelled);
            let opened = RAW.replace_all(&text, "<${1}x-$2");
            if compare(&text).is_ok() && compare(&opened).is_ok() {
                return Err(broken);
            }
            departures += 1;
        }
        Ok(())
    });
    departures_are_few(departures, documents);
}

#[test]
fn html5lib_tokenizer_inputs() {
    let context = context();
    for document in html5lib::tokenizer_inputs() {
        if let Err(broken) = promise(document.as_bytes(), None, &context) {
            assert!(compare(&document).is_err(), "{broken}\n{document:?}");
        }
    }
}

#[test]
fn html5lib_tree_construction_inputs() {
    let context = context();
    for document in html5lib::tree_construction_inputs() {
        // Links at the end, in whatever state the document leaves the tree.
        let document = document + "<a href=\"x?y\"><base href=d/><img srcset='a 1x, b'>";
        if let Err(broken) = promise(document.as_bytes(), None, &context) {
            assert!(compare(&document).is_err(), "{broken}\n{document:?}");
        }
    }
}

#[test]
fn html5lib_encoding_inputs() {
    let Some(folder) = skip::suite("html5lib-tests/encoding") else {
        return;
    };
    let mut inputs = 0;
    for file in html5lib::files(&folder, "dat") {
        let file = std::fs::read(file).unwrap();
        for test in between(&file, b"#data\n", b"\n\n") {
            let Some(at) = memchr::memmem::find(test, b"\n#encoding\n") else {
                continue;
            };
            let (document, label) = (&test[..at], &test[at + b"\n#encoding\n".len()..]);
            // A link at the end, in whatever state the document leaves the tokenizer.
            let document = [document, b"<a href=\"x?y\"><img srcset='a 1x, b'>"].concat();
            inputs += 1;
            let encoding = Encoding::for_label(label);
            if let Err(broken) = promise(&document, encoding, &context()) {
                panic!("{broken}\n{encoding:?} \"{}\"", document.escape_ascii());
            }
        }
    }
    assert!(inputs > 50, "only {inputs}");
}

/// A document that is transcoded is replaced as a whole, but only if a reference in it changes.
#[test]
fn where_nothing_changes_there_are_no_edits() {
    let count = |document: &str| {
        let units = "\u{feff}".encode_utf16().chain(document.encode_utf16());
        let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
        let settings = Settings::default();
        edits(&bytes, Syntax::Html, &context(), &settings, &mut |_| {})
            .1
            .len()
    };
    assert_eq!(count("<p>é"), 0);
    assert_eq!(count("<a href=http://h/>"), 0);
    assert_eq!(count("<a href=x>"), 1);
}

/// What stands between each `start` and the `end` after it.
fn between<'f>(file: &'f [u8], start: &'f [u8], end: &'f [u8]) -> impl Iterator<Item = &'f [u8]> {
    memchr::memmem::find_iter(file, start).filter_map(move |at| {
        let rest = &file[at + start.len()..];
        memchr::memmem::find(rest, end).map(|length| &rest[..length])
    })
}

fn context() -> Context {
    Context::retrieved_from(URL).unwrap()
}

/// The document in the encoding whose turn it is.
pub(crate) fn spell(document: &str, turn: usize) -> Vec<u8> {
    let declared = |encoding: &'static Encoding| {
        let head = format!("<meta charset={}>", encoding.name());
        [head.as_bytes(), &encoding.encode(document).0].concat()
    };
    match turn % 12 {
        0 => declared(WINDOWS_1252),
        1 => declared(SHIFT_JIS),
        2 => declared(BIG5),
        3 => declared(GB18030),
        4 => declared(ISO_2022_JP),
        5 => "\u{feff}"
            .encode_utf16()
            .chain(document.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect(),
        6 => "\u{feff}"
            .encode_utf16()
            .chain(document.encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect(),
        7 => [b"\xef\xbb\xbf", document.as_bytes()].concat(),
        8 => document
            .replace('é', "\u{fffd}")
            .into_bytes()
            .into_iter()
            .filter(|&byte| byte != 0xbf)
            .collect(),
        _ => document.as_bytes().to_vec(),
    }
}

fn links(document: &[u8], context: &Context) -> Vec<Link> {
    let mut links = Vec::new();
    examine(
        document,
        Syntax::Html,
        context,
        &Settings::default(),
        &mut |found| {
            links.push(Link {
                file: "generated.html".into(),
                element: found.element.to_owned(),
                attribute: found.attribute.to_owned(),
                start: found.span.start,
                end: found.span.end,
                reference: found.reference.to_owned(),
                absolute: found.absolute.map(str::to_owned),
                outcome: found.outcome.name().to_owned(),
                divergent: found
                    .divergent
                    .map(|it| it.browser.clone().unwrap_or_default()),
            });
        },
    );
    links
}

/// `encoding` is the document's, where a test knows it.
fn promise(
    input: &[u8],
    encoding: Option<&'static Encoding>,
    context: &Context,
) -> Result<(), String> {
    let settings = Settings::default();
    let output = rewrite_bytes(input, Syntax::Html, context, &settings).document;
    let again = rewrite_bytes(&output, Syntax::Html, context, &settings);
    if again.is_changed() {
        return Err(format!(
            "a second run makes\n\"{}\" of\n\"{}\"",
            again.document.escape_ascii(),
            output.escape_ascii()
        ));
    }
    let (before, after) = (links(input, context), links(&output, context));
    bytes::outside(input, &before, &output, &after)
        .map_err(|what| format!("{what}\n\"{}\"", output.escape_ascii()))?;
    let url = Url::parse(URL).unwrap();
    let input = trees::Page {
        bytes: input,
        url: &url,
        links: &before,
        also: &[],
    };
    let output_page = trees::Page {
        bytes: &output,
        url: &elsewhere(),
        links: &after,
        also: &[],
    };
    let found = match encoding {
        Some(encoding) => trees::differences_in(encoding, input, output_page),
        None => trees::differences(input, output_page),
    };
    match found.first() {
        Some(what) => Err(format!("{what}\n\"{}\"", output.escape_ascii())),
        None => Ok(()),
    }
}
