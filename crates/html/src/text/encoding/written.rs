//! Text as it is written in an encoding, so that reading the bytes gives this text again.
//!
//! An encoder may have bytes for a character that its decoder takes for another one. Shift_JIS
//! writes the yen sign as a backslash, ISO-2022-JP narrow katakana as wide ones, and GBK some
//! private characters as what they became in later editions. Only a round trip shows it.

use std::borrow::Cow;
use std::fmt::Write;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::HEAD;

/// Whether text is the same again when its bytes are read.
pub(super) fn reads_back(text: &str, encoding: &'static Encoding) -> bool {
    let (bytes, written_in, lacks) = encoding.encode(text);
    !lacks && written_in.decode_without_bom_handling(&bytes).0 == text
}

/// Appends text in `encoding`, without a byte order mark. A character that cannot be written becomes
/// `&#N;`.
pub(super) fn encode(text: &str, encoding: &'static Encoding, out: &mut Vec<u8>) {
    // encoding_rs writes UTF-8 for these.
    if encoding == UTF_16LE {
        out.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    } else if encoding == UTF_16BE {
        out.extend(text.encode_utf16().flat_map(u16::to_be_bytes));
    } else {
        out.extend_from_slice(&encoding.encode(&with_references(text, encoding)).0);
    }
}

fn with_references<'t>(text: &'t str, encoding: &'static Encoding) -> Cow<'t, str> {
    if reads_back(text, encoding) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if reads_back(c.encode_utf8(&mut [0; 4]), encoding) {
            out.push(c);
        } else {
            // Writing to a String does not fail.
            let _ = write!(out, "&#{};", u32::from(c));
        }
    }
    Cow::Owned(out)
}

/// How many bytes of its decoded text the first [`HEAD`] bytes of a document say, behind a byte order mark of `bom`
/// bytes.
pub(crate) fn decoded_head(document: &[u8], bom: usize, encoding: &'static Encoding) -> usize {
    let head = document.get(bom..HEAD.min(document.len()));
    let (text, _) = encoding.decode_without_bom_handling(head.unwrap_or_default());
    // The last character may be cut.
    text.trim_end_matches(char::REPLACEMENT_CHARACTER).len()
}

/// Decodes a whole document (without its byte order mark), if that loses nothing.
pub(crate) fn transcode(document: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(document)?;
    let mut again = Vec::with_capacity(document.len());
    encode(&text, encoding, &mut again);
    (again == document).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use encoding_rs::{GB18030, ISO_2022_JP, SHIFT_JIS};

    use super::*;

    #[test]
    fn what_reads_as_another_character_is_a_numeric_reference() {
        for (encoding, text, expected) in [
            (SHIFT_JIS, "/¥é~\\", &b"/&#165;&#233;~\\"[..]),
            (SHIFT_JIS, "日", b"\x93\xfa"),
            (ISO_2022_JP, "¥ｱx", b"\x1b(J\\&#65393;x\x1b(B"),
            (ISO_2022_JP, "a\x1bb", b"a&#27;b"),
            (GB18030, "\u{e81e}€", b"&#59422;\xa2\xe3"),
        ] {
            let mut out = Vec::new();
            encode(text, encoding, &mut out);
            assert_eq!(out, expected, "{text}: {}", out.escape_ascii());
        }
    }

    #[test]
    fn transcoding_refuses_what_it_would_change() {
        assert_eq!(transcode(b"a\0\xe9\0", UTF_16LE).as_deref(), Some("aé"));
        assert_eq!(transcode(b"a\0\0\xd8", UTF_16LE), None);
        assert_eq!(
            transcode(b"\x1b$BF|K\\\x1b(B", ISO_2022_JP).as_deref(),
            Some("日本")
        );
        assert_eq!(transcode(b"\x1b(B\x1b(Bx", ISO_2022_JP), None);
    }
}
