//! Where in a link or a definition its destination stands: CommonMark 0.31 §4.7 and §6.3.
//!
//! The parser says what the destination is, so that what is found is what it means: otherwise the document is left.

use std::ops::Range;

use abslink_html::Syntax;
use abslink_html::shared::{Charset, Delimiter, Destination, Value, ValueContext};

/// Why a document is left.
pub(super) const UNCLEAR: &str =
    "the place of a link in it is not clear; please report this with the file";

pub(super) type DestinationPlace = (Range<usize>, Option<Destination>);

/// The destination of an inline link. `within` begins behind its text.
pub(super) fn of_link(
    document: &str,
    within: Range<usize>,
    expected: &str,
    in_cell: bool,
) -> Result<DestinationPlace, &'static str> {
    let text = document.get(within.clone()).ok_or(UNCLEAR)?;
    let opens = memchr::memmem::find(text.as_bytes(), b"](").ok_or(UNCLEAR)?;
    find(
        document,
        within.start + opens + 2..within.end,
        expected,
        in_cell,
    )
}

/// The destination of a link reference definition.
pub(super) fn of_definition(
    document: &str,
    span: &Range<usize>,
    expected: &str,
) -> Result<DestinationPlace, &'static str> {
    let bytes = document.as_bytes();
    let mut at = span.start;
    while at < span.end && !bytes[at..].starts_with(b"]:") {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    find(document, at + 2..span.end.max(at + 2), expected, false)
}

fn find(
    document: &str,
    within: Range<usize>,
    expected: &str,
    in_cell: bool,
) -> Result<DestinationPlace, &'static str> {
    let bytes = document.as_bytes().get(..within.end).ok_or(UNCLEAR)?;
    let (mut start, mut in_prefix) = (within.start, false);
    // Behind the end of a line stands what the quotes and lists around it require.
    while let Some(byte) = bytes.get(start) {
        match byte {
            b'\n' | b'\r' => in_prefix = true,
            b' ' | b'\t' => {}
            b'>' if in_prefix => {}
            _ => break,
        }
        start += 1;
    }
    let is_angled = bytes.get(start) == Some(&b'<');
    start += usize::from(is_angled);
    let (mut end, mut open) = (start, 0_usize);
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\\' if bytes.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 1,
            b'>' if is_angled => break,
            b'\n' | b'\r' => break,
            _ if is_angled => {}
            0x01..=b' ' => break,
            // To the parser it is a part of a link, to CommonMark there is none.
            0x7f => return Ok((start..start, None)),
            b'(' => open += 1,
            b')' if open == 0 => break,
            b')' => open -= 1,
            _ => {}
        }
        end += 1;
    }
    let destination = Destination { is_angled, in_cell };
    let range = start..end.min(bytes.len());
    let raw = &bytes[range.clone()];
    let charset = Charset::known(encoding_rs::UTF_8, raw);
    let value_context = ValueContext {
        charset: &charset,
        syntax: Syntax::Html,
        doctype: None,
    };
    let value = Value::decode(raw, Delimiter::Markdown(destination), &value_context);
    match value.text == expected {
        true => Ok((range, Some(destination))),
        // The parser replaces it in links, and not in definitions.
        false if raw.contains(&b'\0') => Ok((start..start, None)),
        false => Err(UNCLEAR),
    }
}
