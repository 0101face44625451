//! What the first bytes of a file say if abslink does not read it: patterns of the MIME Sniffing
//! Standard (§6 and §7.1), some more, and the roots of XML documents.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::report::NotRead;
use abslink_containers::feed;

/// How many bytes are searched for a NUL.
const LOOKED_THROUGH: usize = 4 << 10;

const fn tells(what: &'static str) -> NotRead {
    NotRead::by_bytes(what, NotRead::AS_HTML)
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
const CONTAINERS: [(&[u8], usize, &[u8], NotRead); 4] = [
    (b"RIFF", 8, b"WEBPVP", PICTURE),
    (b"RIFF", 8, b"AVI ", SOUND),
    (b"RIFF", 8, b"WAVE", SOUND),
    (b"", 4, b"ftyp", SOUND),
];

/// What a file is that begins like this, if that is not HTML or text. `charset` is the encoding that the
/// user gave.
pub(super) fn other(head: &[u8], charset: Option<&str>) -> Option<NotRead> {
    by_pattern(head)
        .or_else(|| has_nul(head, charset).then_some(tells("binary data")))
        .or_else(|| by_root(head))
        .or_else(|| is_json(head).then_some(tells("JSON")))
}

fn by_pattern(head: &[u8]) -> Option<NotRead> {
    let plain = PATTERNS.iter().find(|(bytes, _)| head.starts_with(bytes));
    let held = || {
        let mut containers = CONTAINERS.iter();
        containers.find(|(bytes, at, inside, _)| {
            let rest = head.get(*at..).unwrap_or_default();
            head.starts_with(bytes) && rest.starts_with(inside)
        })
    };
    let plain = plain.map(|(_, what)| *what);
    plain.or_else(|| held().map(|(.., what)| *what))
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

/// Whether the root of a document is that of an SVG image.
pub(super) fn is_svg(head: &[u8]) -> bool {
    let is_root = |local: &[u8], namespace: Option<&[u8]>| {
        local == b"svg" && namespace == Some(b"http://www.w3.org/2000/svg")
    };
    feed::with_root(head, is_root) == Some(true)
}

/// What an XML document is by its root element. Without an XML declaration only known roots count.
pub(super) fn by_root(head: &[u8]) -> Option<NotRead> {
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

/// Whether a document begins with an XML declaration, in UTF-16 too.
fn is_declared_xml(head: &[u8]) -> bool {
    let mut ascii = head
        .iter()
        .filter(|byte| !matches!(byte, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff));
    b"<?xml".iter().all(|byte| ascii.next() == Some(byte))
}

/// Whether text is JSON: an object, or an array of objects.
fn is_json(head: &[u8]) -> bool {
    is_json_object(head)
        || unmarked(head)
            .strip_prefix(b"[")
            .is_some_and(|array| is_json_object(array.trim_ascii_start()))
}

/// Whether text begins like a JSON object that has a member.
pub(super) fn is_json_object(head: &[u8]) -> bool {
    let object = unmarked(head).strip_prefix(b"{");
    object.is_some_and(|object| object.trim_ascii_start().starts_with(b"\""))
}

/// The text after a byte order mark and white space.
fn unmarked(head: &[u8]) -> &[u8] {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    text.trim_ascii_start()
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
    fn json_is_no_template() {
        is(b" {\n \"a\": 1}", Some("JSON"));
        is(b"[ {\"a\": 1}]", Some("JSON"));
        is(b"{{ a }}", None);
        is(b"{% a %}", None);
        is(b"[[a]]", None);
    }
}
