//! Attribute values: from their source to the text that they mean, and back.
//!
//! In HTML the tokenizer turns CR and CRLF into LF and NUL into U+FFFD, and decodes character
//! references by the attribute rule: a named one without its semicolon does not count if `=` or an
//! ASCII alphanumeric follows, so `?a=1&copy=2` stays what it looks like. XML has five names,
//! requires every semicolon, and turns whitespace into spaces.
//!
//! A named reference in an attribute therefore depends on the run of alphanumerics after its `&`
//! and the one character after the run; no shorter name in that run can match.

use std::borrow::Cow;

use crate::locate::position::{Decoder, PositionMap};
use crate::locate::xml::markup::character_reference;
use crate::locate::{Quote, Syntax};

/// HTML §13.2.5.36-38, 72-80: decodes an attribute value; `raw` is without its delimiters. Also tells where each
/// of the text's characters came from.
///
/// Nothing is copied if nothing needs decoding.
pub(crate) fn decode_attribute(raw: &str, syntax: Syntax) -> (Cow<'_, str>, PositionMap) {
    let mut decoder = Decoder::new(raw);
    match syntax {
        Syntax::Html => {
            for at in memchr::memchr3_iter(b'&', b'\r', 0, raw.as_bytes()) {
                let rest = &raw[at..];
                match rest.as_bytes()[0] {
                    b'&' => {
                        if let Some((text, length)) = html_reference(rest) {
                            let open = !rest[..length].ends_with(';');
                            decoder.replace(at, length, &text, open);
                        }
                    }
                    b'\r' => decoder.replace(at, newline(rest), "\n", false),
                    _ => decoder.replace(at, 1, "\u{fffd}", false),
                }
            }
        }
        Syntax::Xml => {
            for (at, found) in raw.match_indices(['&', '\t', '\n', '\r']) {
                let rest = &raw[at..];
                match found {
                    "&" => replace_xml_reference(&mut decoder, rest, at),
                    "\n" if raw[..at].ends_with('\r') => {}
                    _ => decoder.replace(at, newline(rest), " ", false),
                }
            }
        }
    }
    decoder.finish()
}

/// XML 1.0 §2.11, §4.1: decodes the text of an element.
pub(crate) fn decode_text(raw: &str) -> (Cow<'_, str>, PositionMap) {
    let mut decoder = Decoder::new(raw);
    for at in memchr::memchr2_iter(b'&', b'\r', raw.as_bytes()) {
        let rest = &raw[at..];
        match rest.as_bytes()[0] {
            b'&' => replace_xml_reference(&mut decoder, rest, at),
            _ => decoder.replace(at, newline(rest), "\n", false),
        }
    }
    decoder.finish()
}

/// Decodes the `&` of an XML document.
fn replace_xml_reference(decoder: &mut Decoder<'_>, rest: &str, at: usize) {
    if let Some((text, length)) = xml_reference(rest) {
        decoder.replace(at, length, text.encode_utf8(&mut [0; 4]), false);
    }
}

/// The length of the newline, or of the one character, at the start of `rest`.
fn newline(rest: &str) -> usize {
    1 + usize::from(rest.starts_with("\r\n"))
}

/// What the HTML reference at the start of `rest` stands for, and its length; `None` if the `&`
/// is only a character.
fn html_reference(rest: &str) -> Option<(Cow<'_, str>, usize)> {
    let (digits, is_part): (usize, fn(&u8) -> bool) = match rest.as_bytes()[1..] {
        [b'#', b'x' | b'X', ..] => (3, u8::is_ascii_hexdigit),
        [b'#', ..] => (2, u8::is_ascii_digit),
        _ => (1, u8::is_ascii_alphanumeric),
    };
    let run = rest.as_bytes()[digits..]
        .iter()
        .take_while(|b| is_part(b))
        .count();
    let mut end = digits + run;
    match rest.as_bytes().get(end) {
        Some(b';') => end += 1,
        Some(b'=') if digits == 1 => return None,
        _ => {}
    }
    match htmlize::unescape_attribute(&rest[..end]) {
        Cow::Owned(text) => Some((text.into(), end)),
        Cow::Borrowed(_) => None,
    }
}

/// XML 1.0 §4.1, §4.6: what the reference at the start of `rest` stands for, and its length.
/// Anything not well-formed stays as it is.
fn xml_reference(rest: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 5] = [
        ("&amp;", '&'),
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&apos;", '\''),
    ];
    let named = NAMED.iter().find(|(name, _)| rest.starts_with(name));
    let named = named.map(|(name, character)| (*character, name.len()));
    named.or_else(|| character_reference(rest.as_bytes()))
}

/// Appends `text` as an attribute value with that delimiter: encodes only what would not come back
/// as itself.
///
/// A value that [`needs_quotes`] must have quotes.
pub(crate) fn encode_attribute(text: &str, quote: Quote, syntax: Syntax, out: &mut String) {
    // Most URLs contain none of these.
    if !text
        .bytes()
        .any(|byte| matches!(byte, b'&' | b'"' | b'\'' | b'<' | b'>' | b'\t'..=b'\r'))
    {
        out.push_str(text);
        return;
    }
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let reference = match (byte, quote, syntax) {
            (b'&', ..) => "&amp;",
            (b'"', Quote::Double, _) => "&quot;",
            // HTML 4 has no name for it.
            (b'\'', Quote::Single, _) => "&#39;",
            (b'\r', ..) => "&#13;",
            // In raw text, a comment or a CDATA section around the tag they might end that.
            (b'<', ..) => "&lt;",
            (b'>', ..) => "&gt;",
            (b'\t', _, Syntax::Xml) => "&#9;",
            (b'\n', _, Syntax::Xml) => "&#10;",
            _ => continue,
        };
        out.push_str(&text[done..at]);
        out.push_str(reference);
        done = at + 1;
    }
    out.push_str(&text[done..]);
}

/// XML 1.0 §2.4: appends `text` as the text of an element.
pub(crate) fn encode_text(text: &str, out: &mut String) {
    for (at, c) in text.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '\r' => out.push_str("&#13;"),
            '>' if text[..at].ends_with("]]") => out.push_str("&gt;"),
            _ => out.push(c),
        }
    }
}

/// HTML §13.1.2.3: whether `text` cannot be an attribute value without quotes.
pub(crate) fn needs_quotes(text: &str) -> bool {
    text.is_empty() || is_special(text)
}

/// Whether `text` cannot be a part of such a value.
pub(crate) fn is_special(text: &str) -> bool {
    let special = |b: u8| b.is_ascii_whitespace() || b"\"'=<>`".contains(&b);
    text.bytes().any(special)
}

#[cfg(test)]
mod tests;
