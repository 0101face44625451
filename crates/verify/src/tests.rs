//! The table: what the second reader agrees with, and what it does not.

use std::ops::Range;

use abslink_html::shared::{Charset, DocumentParameters, Pair, SecondReader, document_base_in};
use abslink_html::{Context, Disagreement, Group, Groups, Settings, Syntax, base};
use abslink_url::Resolver;
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::compare::bases;
use crate::reader::Reader;

const URL: &str = "http://h/d/x.html";

/// What the first column of a row says.
struct Case {
    syntax: Syntax,
    resolver: Resolver,
    encoding: &'static Encoding,
    url: String,
}

impl Case {
    fn of(syntax: Syntax) -> Case {
        Case {
            syntax,
            resolver: Resolver::Rfc1808,
            encoding: UTF_8,
            url: URL.to_owned(),
        }
    }

    fn read(column: &str) -> Case {
        let mut case = Case::of(Syntax::Html);
        for word in column.split(' ') {
            match word {
                "html" => case.syntax = Syntax::Html,
                "xml" => case.syntax = Syntax::Xml,
                "whatwg" => case.resolver = Resolver::Whatwg,
                url if url.contains(':') => case.url = url.to_owned(),
                label => case.encoding = Encoding::for_label(label.as_bytes()).unwrap(),
            }
        }
        case
    }
}

/// A document and what was made of it.
#[derive(Default)]
struct Example {
    old: Vec<u8>,
    new: Vec<u8>,
    changes: Vec<[Range<usize>; 2]>,
}

impl Example {
    /// Of parts that are the same, or were replaced.
    fn of(parts: &[[&[u8]; 2]]) -> Example {
        let mut example = Example::default();
        for [old, new] in parts {
            let (start, new_start) = (example.old.len(), example.new.len());
            example.old.extend(*old);
            example.new.extend(*new);
            if old != new {
                let change = [start..example.old.len(), new_start..example.new.len()];
                example.changes.push(change);
            }
        }
        example
    }

    /// Of text in which ⟦x⟶y⟧ says that x became y.
    fn marked(text: &str, encoding: &'static Encoding) -> Example {
        let mut parts = Vec::new();
        for part in text.split('⟧') {
            let (same, edit) = part.split_once('⟦').unwrap_or((part, "⟶"));
            let (old, new) = edit.split_once('⟶').unwrap();
            let encode = |text| encoding.encode(text).0.into_owned();
            parts.extend([[same, same], [old, new]].map(|texts| texts.map(encode)));
        }
        let parts: Vec<_> = parts.iter().map(|[old, new]| [&**old, &**new]).collect();
        Example::of(&parts)
    }

    /// The same in pieces: a byte each, or an edit with the byte behind it.
    fn bytes(&self) -> impl Iterator<Item = Example> {
        let (mut at, mut new_at) = (0, 0);
        let mut changes = self.changes.iter().peekable();
        std::iter::from_fn(move || {
            if at == self.old.len() && changes.peek().is_none() {
                return None;
            }
            let mut parts = Vec::new();
            while let Some([old, new]) = changes.next_if(|[old, _]| old.start == at) {
                parts.push([&self.old[old.clone()], &self.new[new.clone()]]);
                (at, new_at) = (old.end, new.end);
            }
            let next = self.old.get(at..at + 1).unwrap_or_default();
            parts.push([next, next]);
            (at, new_at) = (at + next.len(), new_at + next.len());
            Some(Example::of(&parts))
        })
    }

    fn pair(&self) -> Pair<'_> {
        [&self.old, &self.new]
    }
}

/// What it says of a document with edits: as a whole, or byte by byte.
fn said(syntax: Syntax, groups: Groups, marked: &str, by_byte: bool) -> String {
    said_of(&Case::of(syntax), groups, marked, by_byte)
}

fn said_of(case: &Case, groups: Groups, marked: &str, by_byte: bool) -> String {
    let context = Context::retrieved_from(&case.url).unwrap();
    let mut settings = Settings::default();
    (settings.groups, settings.resolver) = (groups, case.resolver);
    let example = Example::marked(marked, case.encoding);
    let (old, _) = case.encoding.decode_without_bom_handling(&example.old);
    let base = bases::first(&old);
    let charset = Charset::known(case.encoding, b"");
    let parameters = DocumentParameters {
        syntax: case.syntax,
        encoding: case.encoding,
        document_base: &document_base_in(&charset, base.as_deref(), &context, &settings),
        context: &context,
        settings: &settings,
    };
    let reader = Reader::default();
    let compared = if by_byte {
        let mut pieces = reader.begin(parameters);
        let mut bytes = example.bytes();
        let compared = bytes.try_for_each(|byte| pieces.take(byte.pair(), false));
        compared.and_then(|()| pieces.take(Example::default().pair(), true))
    } else {
        reader.whole(parameters, example.pair())
    };
    compared.map_or_else(
        |it| format!("{}:{} {}", it.line, it.column, it.what),
        |()| "same".to_owned(),
    )
}

fn every_group() -> Groups {
    Group::ALL.into_iter().fold(Groups::default(), Groups::with)
}

#[test]
fn table() {
    let mut wrong = Vec::new();
    for row in rows("verify.tsv") {
        let [case, expected, marked] = &row[..] else {
            panic!("three columns: {row:?}");
        };
        let case = Case::read(case);
        for by_byte in [false, true] {
            let found = said_of(&case, every_group(), marked, by_byte);
            if found != *expected {
                wrong.push(format!("{marked}\n{found}\nnot {expected} ({by_byte})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a group is not wanted, its places stay as they are.
#[test]
fn groups_that_are_not_wanted_do_not_change() {
    for (group, document) in [
        (
            Group::Noscript,
            "<noscript><a href=⟦x⟶http://h/d/x⟧></noscript>",
        ),
        (Group::Css, "<style>@import '⟦x⟶http://h/d/x⟧';</style>"),
        (
            Group::Comments,
            "<!--[if IE]><a href=⟦x⟶http://h/d/x⟧><![endif]-->",
        ),
    ] {
        let found = said(Syntax::Html, every_group(), document, false);
        assert_eq!(found, "same");
        let found = said(Syntax::Html, every_group().without(group), document, false);
        assert_ne!(found, "same", "{document}");
    }
}

/// What it says of a document in an encoding, with edits of its bytes or of its text.
fn said_in(encoding: &'static Encoding, pair: Pair<'_>, compare: Compare) -> String {
    let (context, settings) = (Context::retrieved_from(URL).unwrap(), Settings::default());
    let parameters = DocumentParameters {
        syntax: Syntax::Html,
        encoding,
        document_base: &base::document_base(None, &context, Resolver::Rfc1808),
        context: &context,
        settings: &settings,
    };
    let compared = compare(&Reader::default(), parameters, pair);
    compared.map_or_else(|it| it.what, |()| "same".to_owned())
}

type Compare = fn(&Reader, DocumentParameters<'_, '_>, Pair<'_>) -> Result<(), Disagreement>;

const WHOLE: Compare = SecondReader::whole;

/// What is not valid is U+FFFD all the same, and some encodings have several spellings of a text.
#[test]
fn bytes_that_spell_the_same_are_not_the_same() {
    use encoding_rs::{GBK, ISO_8859_6, SHIFT_JIS};
    let url: [&[u8]; 2] = [b"x", b"http://h/d/x"];
    for (encoding, comment, other) in [
        (ISO_8859_6, &b"\xc2\xa1"[..], &b"\xc2\xa2"[..]),
        (UTF_8, b"a\xff", b"a\xfe"),
        (SHIFT_JIS, b"\x81\x22", b"\xfc\x22"),
        (GBK, b"\xa2\xe3", b"\x80"),
    ] {
        let said = |comment: [&[u8]; 2]| {
            let same = |part: &'static [u8]| [part, part];
            let (before, behind) = (same(b" */a{b:url("), same(b")}</style>"));
            let parts = [same(b"<style>/* "), comment, before, url, behind];
            said_in(encoding, Example::of(&parts).pair(), WHOLE)
        };
        assert_eq!(said([comment, comment]), "same", "{encoding:?}");
        let found = said([comment, other]);
        assert!(
            found.contains("is not a URL is spelled otherwise"),
            "{encoding:?}: {found}"
        );
    }
    // Between the bytes of a character nothing is cut.
    let parts: [[&[u8]; 2]; 5] = [
        [b"<img srcset='"; 2],
        [b"", b"http://h/d/"],
        [b"\x83\x5c\x81\x40 1x,"; 2],
        [b"", b"http://h/d/"],
        [b"\x81 2x'>"; 2],
    ];
    assert_eq!(
        said_in(SHIFT_JIS, Example::of(&parts).pair(), WHOLE),
        "same"
    );
}

#[test]
fn a_byte_order_mark_stays() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (encoding, is_marked) in [
        (UTF_8, false),
        (UTF_8, true),
        (UTF_16LE, true),
        (UTF_16LE, false),
    ] {
        let spelled = |text: &[u8], is_marked: bool| {
            let text = std::str::from_utf8(text).unwrap();
            let text = format!("{}{text}", if is_marked { "\u{feff}" } else { "" });
            if encoding == UTF_8 {
                text.into_bytes()
            } else {
                utf16(&text)
            }
        };
        for (compare, marked) in [
            (SecondReader::sheet as Compare, "a{b:url(⟦x⟶http://h/d/x⟧)}"),
            (WHOLE, "<a href=⟦x⟶http://h/d/x⟧>"),
        ] {
            let example = Example::marked(marked, UTF_8);
            let said = |new_is_marked| {
                let old = &spelled(&example.old, is_marked);
                let new = &spelled(&example.new, new_is_marked);
                said_in(encoding, [old, new], compare)
            };
            assert_eq!(said(is_marked), "same", "{encoding:?}");
            assert_ne!(said(!is_marked), "same", "{encoding:?} {is_marked}");
        }
    }
}

/// A document is written in one way in ISO-2022-JP, and what is written is valid.
#[test]
fn what_is_read_as_text_is_spelled_in_one_way() {
    let example = Example::marked("<a href=⟦x⟶http://h/d/x⟧>", UTF_8);
    let again = [&*example.new, b"\x1b(B"].concat();
    assert_eq!(said_in(ISO_2022_JP, example.pair(), WHOLE), "same");
    let says = "not spelled as its encoding requires";
    let pair = [&*example.old, &again];
    assert_eq!(said_in(ISO_2022_JP, pair, WHOLE), says);
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let (old, new) = (
        &utf16("<a href=x>\u{fffd}")[..],
        &utf16("<a href=http://h/d/x>\u{fffd}")[..],
    );
    assert_eq!(said_in(UTF_16BE, [old, new], WHOLE), "same");
    let broken = [&new[..new.len() - 2], b"\xd8\x00"].concat();
    assert_eq!(said_in(UTF_16BE, [old, &broken], WHOLE), says);
}

/// What it says where no `base` element was taken to count.
#[test]
fn a_base_element_that_nothing_moves_counts() {
    let other = "its base URL changed";
    for (document, expected) in [
        ("<base href=/b/><a href=x><table></table>", other),
        (
            "<p>y<base href=/b/><a href=x><template></template><select></select>",
            other,
        ),
        ("<base href=/b/><table><base href=/c/></table>", other),
        // It may be moved behind another one, dropped, or replaced.
        ("<table><base href=/b/></table>", "same"),
        ("<select><base href=/b/></select>", "same"),
        ("<p><base href=/b/><frameset></frameset>", "same"),
    ] {
        assert_eq!(
            said_in(UTF_8, Example::marked(document, UTF_8).pair(), WHOLE),
            expected,
            "{document}"
        );
    }
}

/// The rows of `testdata/<name>`, in which control pictures stand for control characters.
fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let control = |c: char| match c {
        '\u{2400}'..='\u{241f}' => char::from((c as u32 - 0x2400) as u8),
        '\u{2421}' => '\u{7f}',
        _ => c,
    };
    let row = |line: &str| {
        line.split('\t')
            .map(|cell| cell.chars().map(control).collect())
            .collect()
    };
    let is_row = |line: &&str| !line.is_empty() && !line.starts_with("# ");
    text.lines().filter(is_row).map(row).collect()
}
