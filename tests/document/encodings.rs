//! Which encoding a document is in, and what becomes of queries in it, judged by tables that a
//! browser has answered.

use abslink::{
    Context, Group, Groups, Reference, Resolver, Settings, Syntax, examine, rewrite_bytes,
};
use abslink_html::{BasePrescan, ChunkedRewriter, EncodingPrescan, Seen};
use encoding_rs::Encoding;
use regex::{Captures, Regex};

use crate::support::table::{lines, rows};

const URL: &str = "https://h.example/d/p.html";

fn context() -> Context {
    Context::retrieved_from(URL).unwrap()
}

/// The bytes of a document of the table.
fn spelled(document: &str) -> Vec<u8> {
    let parts = Regex::new(r"\{comment:(\d+)\}|\{(comments?|text)\}").unwrap();
    let comment = |length: usize| format!("<!--{}-->", "x".repeat(length));
    let document = parts.replace_all(document, |part: &Captures<'_>| match &part[0] {
        "{comment}" => comment(1_100),
        "{comments}" => comment(1_100).repeat(10),
        "{text}" => "x ".repeat(600),
        _ => comment(part[1].parse().unwrap()),
    });
    let byte = regex::bytes::Regex::new(r"\\x(..)|\\\\").unwrap();
    let spelled = byte.replace_all(document.as_bytes(), |byte: &regex::bytes::Captures<'_>| {
        byte.get(1).map_or(vec![b'\\'], |digits| {
            let digits = std::str::from_utf8(digits.as_bytes()).unwrap();
            vec![u8::from_str_radix(digits, 16).unwrap()]
        })
    });
    spelled.into_owned()
}

/// The first `href` of a document, as its encoding reads it.
fn link(document: &[u8], encoding: &'static Encoding) -> String {
    let (text, _) = encoding.decode_without_bom_handling(document);
    let (_, rest) = text.split_once("href=\"").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

#[test]
fn a_later_declaration_changes_the_encoding() {
    let (context, settings) = (context(), Settings::default());
    let mut wrong = Vec::new();
    for row in lines(include_str!("../../testdata/html/declarations.tsv")) {
        let row: Vec<&str> = row.split('\t').collect();
        let document = spelled(row[0]);
        let encoding = Encoding::for_label(row[1].as_bytes()).unwrap();
        let mut found = None;
        let mut each = |reference: &Reference<'_>| {
            let is_link = reference.element == "a";
            found = is_link.then(|| reference.reference.to_owned());
        };
        examine(&document, Syntax::Html, &context, &settings, &mut each);
        if found != Some(link(&document, encoding)) {
            wrong.push(format!("{}: {found:?}, not as {}", row[0], row[1]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is read in pieces is read in the same encoding.
#[test]
fn a_later_declaration_counts_in_pieces_too() {
    let (context, settings) = (context(), Settings::default());
    let mut decoded_whole = 0;
    for row in lines(include_str!("../../testdata/html/declarations.tsv")) {
        let row: Vec<&str> = row.split('\t').collect();
        let document = spelled(row[0]);
        let encoding = Encoding::for_label(row[1].as_bytes()).unwrap();
        for length in [7, 1_024, 4_096] {
            let pieces = || {
                let pieces = document.chunks(length).map(|piece| (piece, false));
                pieces.chain([([].as_slice(), true)])
            };
            let mut prescan = EncodingPrescan::new(Syntax::Html, None);
            pieces().for_each(|(piece, _)| prescan.look(piece));
            let mut facts = prescan.finish();
            if facts.need_search() {
                let mut search = BasePrescan::new(&mut facts);
                pieces().any(|(piece, last)| search.look(piece, last));
            }
            if facts.need_whole() {
                assert!(row[0].contains("iso-2022-jp"), "{}", row[0]);
                decoded_whole += 1;
                continue;
            }
            let mut found = None;
            let mut examined = ChunkedRewriter::new(&facts, &context, &settings);
            for (piece, last) in pieces() {
                examined.examine(piece, last, &mut |seen| {
                    if let Seen::Reference(reference, _) = seen {
                        found = Some(reference.reference.to_owned());
                    }
                });
            }
            assert_eq!(found, Some(link(&document, encoding)), "{}", row[0]);
        }
    }
    // The late declaration, and what only the prescan takes for one.
    assert_eq!(decoded_whole, 2 * 3);
}

/// URL Standard, "percent-encode after encoding".
#[test]
fn queries_are_spelled_as_a_browser_spells_them() {
    let mut settings = Settings::default();
    settings.resolver = Resolver::Whatwg;
    let mut wrong = Vec::new();
    for row in rows::<3>(include_str!("../../testdata/html/queries.tsv")) {
        let query: String = serde_json::from_str(&format!("\"{}\"", row[1])).unwrap();
        let query: String = query
            .chars()
            .map(|character| format!("&#{};", u32::from(character)))
            .collect();
        let before_fragment = row[2].split('#').next().unwrap();
        for (body, expected) in [
            (format!("<a href='?{query}'>"), row[2].to_owned()),
            // HTML, "set the frozen base URL", step 2. Chromium departs from it.
            (
                format!("<base href='?{query}'><a href='#x'>"),
                format!("{before_fragment}#x"),
            ),
        ] {
            let document = format!("<!doctype html><meta charset={}>{body}", row[0]);
            let mut found = None;
            let mut each = |reference: &Reference<'_>| {
                found = reference.absolute.map(str::to_owned);
            };
            examine(
                document.as_bytes(),
                Syntax::Html,
                &context(),
                &settings,
                &mut each,
            );
            if found != Some(format!("{URL}?{expected}")) {
                wrong.push(format!("{} {}: {found:?}, not {expected}", row[0], row[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// HTML, "parse a URL-like import specifier", parses without an encoding.
#[test]
fn queries_in_json_are_utf8() {
    let mut settings = Settings::default();
    settings.resolver = Resolver::Whatwg;
    settings.groups = Groups::default().with(Group::Json);
    settings.verify = abslink_verify::second_reader();
    for (old, new) in [
        (
            r#"<script type=importmap>{"imports": {"a": "./é?é"}}</script>"#,
            r#"<script type=importmap>{"imports": {"a": "https://h.example/d/%C3%A9?%C3%A9"}}</script>"#,
        ),
        (
            r##"<script type=application/ld+json>{"@context": {"@base": "?é"}, "@id": "#x"}</script>"##,
            r#"<script type=application/ld+json>{"@context": {"@base": "?é"}, "@id": "https://h.example/d/p.html?%C3%A9#x"}</script>"#,
        ),
        // The attribute is spelled as the document is.
        (
            r##"<object codebase="?é" archive="#x"></object>"##,
            r#"<object codebase="https://h.example/d/p.html?%E9" archive="https://h.example/d/p.html?%E9#x"></object>"#,
        ),
    ] {
        let spelled = |body: &str| {
            let document = format!("<!doctype html><meta charset=windows-1252>{body}");
            encoding_rs::WINDOWS_1252.encode(&document).0.into_owned()
        };
        let old = spelled(old);
        let rewritten = rewrite_bytes(&old, Syntax::Html, &context(), &settings);
        let found = encoding_rs::WINDOWS_1252.decode(&rewritten.document).0;
        assert_eq!(found, encoding_rs::WINDOWS_1252.decode(&spelled(new)).0);
        assert_eq!(rewritten.examined.disagreement, None);
    }
}
