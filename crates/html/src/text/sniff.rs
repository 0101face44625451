//! Whether bytes are HTML, by the MIME Sniffing Standard §7.1 ("identifying a resource with an
//! unknown MIME type"), as far as it leads to `text/html`.

/// How many bytes the standard looks at (§5.2, the resource header).
pub const HEADER: usize = 1445;

/// What an HTML document starts with, after whitespace, in any case; each is followed by a
/// tag-terminating byte.
const TAGS: [&[u8]; 16] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
];

/// Whether the first bytes of a file are HTML.
pub fn is_html(bytes: &[u8]) -> bool {
    let header = &bytes[..bytes.len().min(HEADER)];
    // In the standard, text with a byte order mark is plain text, since servers label it; a file
    // has no label, and pages saved with a mark are HTML all the same.
    let header = header.strip_prefix(b"\xef\xbb\xbf").unwrap_or(header);
    let start = header
        .iter()
        .position(|byte| !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' '))
        .unwrap_or(header.len());
    let header = &header[start..];
    header.starts_with(b"<!--") || TAGS.iter().any(|tag| starts_with_tag(header, tag))
}

/// Whether `bytes` start with `tag` in any case and a tag-terminating byte.
fn starts_with_tag(bytes: &[u8], tag: &[u8]) -> bool {
    bytes
        .split_at_checked(tag.len())
        .is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(tag) && matches!(rest.first(), Some(b' ' | b'>'))
        })
}

#[cfg(test)]
mod tests {
    use super::super::sniff::{HEADER, is_html};

    #[test]
    fn html() {
        for text in [
            "<!DOCTYPE html>",
            "\r\n\t\x0c <!doctype HTML PUBLIC>",
            "<hTmL>",
            "<p >",
            "<!--x",
            "<A HREF=x>",
            "\u{feff}<html>",
        ] {
            assert!(is_html(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn not_html() {
        for text in [
            "",
            "<",
            "<p",
            "<p\n>",
            "<abbr>",
            "<!doctypehtml>",
            "<?xml ?>",
            "x<p>",
            "\u{a0}<p>",
        ] {
            assert!(!is_html(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn only_the_header_counts() {
        let mut text = vec![b' '; HEADER - 3];
        text.extend(b"<p>");
        assert!(is_html(&text));
        text.insert(0, b' ');
        assert!(!is_html(&text));
    }
}
