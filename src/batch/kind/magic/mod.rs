//! What the first bytes of a file say if abslink does not read it: patterns of the MIME Sniffing
//! Standard (§6 and §7.1), some more, and the roots of XML documents.

mod json;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use crate::batch::report::NotRead;
use abslink_containers::{feed, message};
use abslink_html::{Syntax, sniff};
pub(crate) use json::is_object as is_json_object;

/// How many bytes are searched for a NUL.
const LOOKED_THROUGH: usize = 4 << 10;

const fn tells(what: &'static str) -> NotRead {
    NotRead::by_bytes(what, "")
}

const fn packed(what: &'static str) -> NotRead {
    NotRead::by_bytes(what, NotRead::PACKED)
}

const PICTURE: NotRead = tells("a picture");
const FONT: NotRead = tells("a font");
const SOUND: NotRead = tells("a sound or a film");
const PRINTED: NotRead = tells("a PDF or PostScript file");
const PROGRAM: NotRead = tells("a program");
const ARCHIVE: NotRead = packed("an archive");
const COMPRESSED: NotRead = packed("a compressed file");

/// First bytes, and what a file is that begins with them. Patterns that are also short words (`BM`,
/// `ID3`) are left out: such files have NULs.
const PATTERNS: [(&[u8], NotRead); 27] = [
    (b"\0\0\x01\0", PICTURE),
    (b"\0\0\x02\0", PICTURE),
    (b"GIF87a", PICTURE),
    (b"GIF89a", PICTURE),
    (b"\x89PNG\r\n\x1a\n", PICTURE),
    (b"\xff\xd8\xff", PICTURE),
    (b"II*\0", PICTURE),
    (b"MM\0*", PICTURE),
    (b"OggS\0", SOUND),
    (b"MThd\0\0\0\x06", SOUND),
    (b"\x1a\x45\xdf\xa3", SOUND),
    (b"\0\x01\0\0", FONT),
    (b"OTTO\0", FONT),
    (b"ttcf\0", FONT),
    (b"wOFF\0", FONT),
    (b"wOF2\0", FONT),
    (b"\x1f\x8b\x08", COMPRESSED),
    (b"\x28\xb5\x2f\xfd", COMPRESSED),
    (b"\xfd7zXZ\0", COMPRESSED),
    (b"BZh91AY&SY", COMPRESSED),
    (b"PK\x03\x04", ARCHIVE),
    (b"PK\x05\x06", ARCHIVE),
    (b"Rar!\x1a\x07", ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", ARCHIVE),
    (b"%PDF-", PRINTED),
    (b"%!PS-Adobe-", PRINTED),
    (b"\x7fELF", PROGRAM),
];

/// The bytes before and after the length in a container.
type Container = (&'static [u8], usize, &'static [u8], NotRead);

const CONTAINERS: [Container; 4] = [
    (b"RIFF", 8, b"WEBPVP", PICTURE),
    (b"RIFF", 8, b"AVI ", SOUND),
    (b"RIFF", 8, b"WAVE", SOUND),
    (b"", 4, b"ftyp", SOUND),
];

const WORDS: [Container; 3] = [
    (b"BM", 0, b"", PICTURE),
    (b"ID3", 0, b"", SOUND),
    (b"FORM", 8, b"AIFF", SOUND),
];

/// What a file is that begins like this, if that is not HTML or text. `charset` is the encoding that the
/// user gave.
pub(crate) fn other(head: &[u8], charset: Option<&str>) -> Option<NotRead> {
    by_pattern(head)
        .or_else(|| has_nul(head, charset).then_some(tells("binary data")))
        .or_else(|| by_root(head))
        .or_else(|| json::begins(head).then_some(JSON))
}

/// What a file is whose name says that it is HTML, although its first bytes are those of something else. Some patterns
/// are words, with which a page may begin (MIME Sniffing Standard §6, and §3 on binary data bytes).
pub(crate) fn not_html(head: &[u8]) -> Option<NotRead> {
    let is_binary = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    let is_sure = |what: &NotRead| *what == COMPRESSED || head.starts_with(b"%PDF-");
    // Patterns of the MIME Sniffing Standard that are words, or stand behind the beginning.
    let is_font = || head.get(34..36) == Some(b"LP") && head[..34].contains(&0);
    let by_word = || first_of(WORDS, head).or_else(|| is_font().then_some(FONT));
    let what = by_pattern(head).or_else(by_word)?;
    let is_other = is_sure(&what) || head.iter().take(sniff::HEADER).any(is_binary);
    is_other.then_some(what)
}

/// Whether a file begins like HTML (MIME Sniffing Standard §7.1).
pub(crate) fn is_html(head: &[u8]) -> bool {
    sniff::is_html(head) && !has_other_doctype(head)
}

/// Whether a file begins like a fragment of HTML.
pub(crate) fn is_markup(head: &[u8]) -> bool {
    let text = ascii(head);
    let is_tag = |first: &u8| first.is_ascii_alphabetic() || matches!(first, b'!' | b'/');
    let tag = text.trim_ascii_start().strip_prefix(b"<");
    tag.is_some_and(|tag| tag.first().is_some_and(is_tag)) && !has_other_doctype(head)
}

/// Whether a file whose name says something else is a page. Style sheets may begin as HTML does: in a comment of HTML, or,
/// by mistake, in a `style` element.
pub(crate) fn is_page(head: &[u8]) -> bool {
    let text = ascii(head);
    let is_style = |rest: &[u8]| rest.len() >= 6 && rest[..6].eq_ignore_ascii_case(b"<style");
    behind_comments(&text).is_some_and(|rest| is_html(rest) && !is_style(rest))
}

/// What follows the comments and processing instructions at the beginning of a text; `None` if one has no end.
fn behind_comments(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b">",
            _ => return Some(rest),
        };
        let found = memchr::memmem::find(rest, end)?;
        rest = rest[found + end.len()..].trim_ascii_start();
    }
}

/// Whether a document type is declared that is not HTML's: that of a property list, for example.
fn has_other_doctype(head: &[u8]) -> bool {
    const DOCTYPE: &[u8] = b"<!doctype";
    let text = ascii(head);
    let rest = behind_comments(&text);
    let parts = rest.and_then(|rest| rest.split_at_checked(DOCTYPE.len()));
    let Some((start, name)) = parts else {
        return false;
    };
    let name = name.trim_ascii_start();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'[');
    let length = name.iter().position(ends).unwrap_or(name.len());
    start.eq_ignore_ascii_case(DOCTYPE) && !name[..length].eq_ignore_ascii_case(b"html")
}

/// The rules for a document that says that it is XML, and has the root of XHTML: those of HTML if it is HTML by its
/// quotes, as what servers call HTML may be.
pub(crate) fn xhtml(head: &[u8]) -> Option<Syntax> {
    let is_root = |local: &[u8], namespace: Option<&[u8]>| {
        local == b"html" && namespace == Some(b"http://www.w3.org/1999/xhtml")
    };
    let is_xhtml = is_declared_xml(head) && feed::with_root(head, is_root) == Some(true);
    is_xhtml.then(|| {
        if has_unquoted_value(&ascii(head)) {
            Syntax::Html
        } else {
            Syntax::Xml
        }
    })
}

/// Whether a tag has an attribute value without quotes.
fn has_unquoted_value(markup: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &markup[at..]) {
        let tag = at + found + 1;
        at = tag;
        if !markup.get(tag).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        while let Some(byte) = markup.get(at) {
            at += 1;
            match byte {
                b'>' => break,
                b'=' => {
                    let rest = markup[at..].trim_ascii_start();
                    let Some((quote @ (b'"' | b'\''), value)) = rest.split_first() else {
                        return !rest.is_empty();
                    };
                    let length = memchr::memchr(*quote, value).unwrap_or(value.len());
                    at = (markup.len() - value.len() + length + 1).min(markup.len());
                }
                _ => {}
            }
        }
    }
    false
}

/// Whether text is CSV with HTML in it, which is told by its doubled quotes: the first line has a delimiter and no tag, and
/// a later line has a field with `=""` in it. More follows if there are as many bytes as `full`.
pub(crate) fn is_csv(head: &[u8], full: usize) -> bool {
    let end = memchr::memchr2(b'\n', b'\r', head).unwrap_or(head.len());
    let (first, rest) = head.split_at(end);
    let may_be = |delimiter: &u8| {
        first.contains(delimiter) && has_quoted_html(rest, *delimiter, head.len() < full)
    };
    !first.contains(&b'<') && [b',', b'\t', b';'].iter().any(may_be)
}

/// Whether a quoted field holds `=""`.
fn has_quoted_html(text: &[u8], delimiter: u8, is_all: bool) -> bool {
    let ends = |byte: u8| matches!(byte, b'\n' | b'\r') || byte == delimiter;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'"', &text[at..]) {
        let open = at + found;
        at = open + 1;
        if open
            .checked_sub(1)
            .is_some_and(|before| !ends(text[before]))
        {
            continue;
        }
        let mut holds = false;
        loop {
            let Some(found) = memchr::memchr(b'"', &text[at..]) else {
                return holds && !is_all;
            };
            let quote = at + found;
            at = quote + 1;
            match text.get(at) {
                Some(b'"') => {
                    holds |= quote > open + 1 && text[quote - 1] == b'=';
                    at += 1;
                }
                Some(byte) if !ends(*byte) => {}
                _ if holds => return true,
                _ => break,
            }
        }
    }
    false
}

fn by_pattern(head: &[u8]) -> Option<NotRead> {
    let mut plain = PATTERNS.iter().filter(|(bytes, _)| head.starts_with(bytes));
    let plain = plain.next().map(|(_, what)| *what);
    plain.or_else(|| first_of(CONTAINERS, head))
}

fn first_of<const N: usize>(containers: [Container; N], head: &[u8]) -> Option<NotRead> {
    let mut all = containers.into_iter();
    let found = all.find(|(bytes, at, inside, _)| {
        let rest = head.get(*at..).unwrap_or_default();
        head.starts_with(bytes) && rest.starts_with(inside)
    });
    found.map(|(.., what)| what)
}

/// Whether there is a NUL, which text has only in UTF-16.
fn has_nul(head: &[u8], charset: Option<&str>) -> bool {
    let wide = [Some(UTF_16LE), Some(UTF_16BE)];
    let marked = Encoding::for_bom(head).map(|(encoding, _)| encoding);
    let labelled = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let is_wide = wide.contains(&marked) || wide.contains(&labelled);
    let looked_through = &head[..head.len().min(LOOKED_THROUGH)];
    !is_wide
        && !looked_through.starts_with(b"<\0?\0")
        && !looked_through.starts_with(b"\0<\0?")
        && memchr::memchr(0, looked_through).is_some()
}

/// Whether messages follow each other in a file, each behind a line of its own; empty lines may come first.
pub(crate) fn is_mbox(head: &[u8]) -> bool {
    let is_blank = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    let blank = head.iter().take_while(is_blank).count();
    message::framing(&head[blank..]) == Some(message::Framing::Mbox)
}

/// Whether the root of a document is that of an SVG image.
pub(crate) fn is_svg(head: &[u8]) -> bool {
    has_svg_root(head, |namespace| namespace == b"http://www.w3.org/2000/svg")
}

/// The same with an entity for its namespace.
pub(crate) fn is_svg_by_entity(head: &[u8]) -> bool {
    has_svg_root(head, |namespace| namespace.starts_with(b"&"))
}

fn has_svg_root(head: &[u8], is_its: impl Fn(&[u8]) -> bool) -> bool {
    let is_root =
        |local: &[u8], namespace: Option<&[u8]>| local == b"svg" && namespace.is_some_and(&is_its);
    feed::with_root(head, is_root) == Some(true)
}

/// What an XML document is by its root element. Without an XML declaration only known roots count.
pub(crate) fn by_root(head: &[u8]) -> Option<NotRead> {
    let of_root = |local: &[u8], _: Option<&[u8]>| match local {
        b"urlset" | b"sitemapindex" => Some(NotRead::by_bytes("a sitemap", NO_NAMESPACE)),
        local if local.eq_ignore_ascii_case(b"html") => None,
        _ => is_declared_xml(head).then_some(XML),
    };
    match feed::with_root(head, of_root) {
        Some(told) => told,
        None => is_declared_xml(head).then_some(XML),
    }
}

const NO_NAMESPACE: &str = ", but its root is not in the namespace of sitemaps: add \
                            xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

const XML: NotRead = NotRead::by_bytes("XML", NotRead::AS_XHTML);

const JSON: NotRead = NotRead::by_bytes(
    "JSON",
    ": --as json --field NAME (--as jsonl, if it has a value in each line) reads the HTML in a field",
);

/// Whether a document begins with an XML declaration, in UTF-16 too.
fn is_declared_xml(head: &[u8]) -> bool {
    ascii(head).starts_with(b"<?xml")
}

/// What is ASCII in the beginning of a text, in UTF-16 too.
fn ascii(head: &[u8]) -> Vec<u8> {
    let beginning = head.iter().take(LOOKED_THROUGH);
    let is_ascii = |byte: &&u8| !matches!(byte, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff);
    beginning.filter(is_ascii).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn is(head: &[u8], expected: Option<&str>) {
        let told = other(head, None).map(|what| what.to_string());
        let text = String::from_utf8_lossy(head);
        match (&told, expected) {
            (None, None) => {}
            (Some(told), Some(expected)) if told.contains(expected) => {}
            _ => panic!("{text:?}: {told:?}"),
        }
    }

    #[test]
    fn each_pattern_is_found() {
        for (bytes, what) in PATTERNS {
            assert_eq!(other(bytes, None), Some(what), "{bytes:?}");
        }
        is(b"RIFF\x01\x02\x03\x04WEBPVP8 ", Some("a picture"));
        is(b"\0\0\0\x20ftypisom", Some("a sound or a film"));
        is(b"RIFF, a poem", None);
    }

    #[test]
    fn a_nul_is_in_no_text() {
        is(b"text\0text", Some("binary data"));
        is(b"\xff\xfe<\0p\0>\0", None);
        is(b"<\0p\0>\0", Some("binary data"));
        assert_eq!(other(b"<\0p\0>\0", Some("utf-16le")), None);
        let far = [&[b' '; LOOKED_THROUGH][..], b"\0"].concat();
        is(&far, None);
    }

    #[test]
    fn roots_tell() {
        is(b"<urlset>", Some("a sitemap"));
        assert!(is_svg(
            b"<?xml version='1.0'?><s:svg xmlns:s='http://www.w3.org/2000/svg'>"
        ));
        assert!(!is_svg(b"<svg><a href=x></svg>"));
        is(b"<svg><a href=x></svg>", None);
        is(b"<?xml version='1.0'?><project>", Some("XML"));
        is(b"\xff\xfe<\0?\0x\0m\0l\0 \0", Some("XML"));
        is(
            b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
            None,
        );
        is(b"<project>", None);
        is(b"<?php echo 1 ?><p>", None);
    }

    #[test]
    fn a_fragment_begins_with_a_tag() {
        for (text, expected) in [
            ("<x-y>", true),
            ("\u{feff}\n </p>", true),
            ("<!-- a --><b>", true),
            ("<!DOCTYPE HTML>", true),
            ("<!doctype html[", true),
            ("<!DOCTYPE plist PUBLIC \"-//Apple//\">", false),
            ("<!-- a --> <!-- b --><!DOCTYPE plist>", false),
            ("< b>", false),
            ("<<b>", false),
            ("<3", false),
            ("<?php ?><b>", false),
            ("a <b>", false),
            ("<", false),
            ("", false),
        ] {
            assert_eq!(is_markup(text.as_bytes()), expected, "{text}");
        }
        assert!(!is_html(b"<!-- a --><!DOCTYPE plist>"));
        for (text, expected) in [
            ("\r\n<!DOCTYPE HTML PUBLIC>", true),
            ("<!-- a --><?xml version='1.0'?> <html>", true),
            ("<h1>404</h1>", true),
            ("<!-- a{} -->", false),
            ("<!-- a{}", false),
            ("<style>a{}", false),
            ("@import 'x'; /* <html> */", false),
            ("<!DOCTYPE svg><svg>", false),
            ("{}", false),
            ("", false),
        ] {
            assert_eq!(is_page(text.as_bytes()), expected, "{text}");
        }
        assert!(is_markup(b"\xff\xfe<\0p\0"));
    }

    #[test]
    fn quotes_that_are_doubled_tell_csv() {
        for (text, expected) in [
            ("a,b\n1,\"<a href=\"\"x\"\">\"\n", true),
            ("a,b\r\n\"<a\nhref=\"\"x\"\">\",1", true),
            ("a\tb\n1\t\"<a href=\"\"x\"\">\"", true),
            ("a;b\n1;\"x\"\n2;\"<a href=\"\"x\"\">\"", true),
            ("a\n\"<a href=\"\"x\"\">\"\n", false),
            ("<a>,b\n1,\"<a href=\"\"x\"\">\"\n", false),
            ("a,b\n1,\"<a href='x'>\"\n", false),
            ("a,b\n1;\"<a href=\"\"x\"\">\"\n", false),
            ("a, b\n<a alt=\"\", href=\"x\">\n", false),
            ("a, b\n\"c\" <a alt=\"\" href=\"x\">\n", false),
            ("a,b\n1,\"<a href=\"\"x", false),
        ] {
            assert_eq!(is_csv(text.as_bytes(), 1 << 16), expected, "{text}");
        }
        // The field goes on in what was not read.
        let text = b"a,b\n1,\"<a href=\"\"x";
        assert!(is_csv(text, text.len()));
    }
}
