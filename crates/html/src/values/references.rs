//! Where the references of a value are, for each grammar, and how a new one is spelled in it.

use std::borrow::Cow;
use std::ops::Range;

use super::found::{FoundReference, Template};
use super::{css, json, list, refresh, srcset, task};
use crate::places::attributes::ValueKind;
use crate::settings::placeholder::{self, LETTER, Placeholders};
use crate::text::encoding::Charset;
use crate::text::json_string;

/// Calls `found` for each reference in a value's text, in order.
pub(crate) fn each(
    kind: ValueKind,
    text: &str,
    placeholders: Placeholders,
    found: &mut dyn FnMut(FoundReference<'_>),
) {
    let looks_for_none = placeholders == Placeholders::Resolve && !placeholder::is_json(kind);
    if looks_for_none || !placeholder::may_hold(text) {
        return split(kind, text, found);
    }
    // JSON alone gets here where placeholders are resolved, and has none as a whole.
    let masked = placeholder::masked(kind, text);
    use ValueKind::{CssDeclarations, CssFile, CssStylesheet};
    split(kind, &masked, &mut |masked| {
        let spelled = &text[masked.span.clone()];
        let Some(at) = placeholder::first(spelled, kind, placeholders) else {
            return found(masked);
        };
        // In CSS a backslash before it escapes it.
        let backslashes = spelled.as_bytes()[..at].iter().rev();
        let backslashes = backslashes.take_while(|byte| **byte == b'\\').count();
        let escapes =
            matches!(kind, CssDeclarations | CssStylesheet | CssFile) && backslashes % 2 == 1;
        let at = at - usize::from(escapes);
        let (before, template) = spelled.split_at(at);
        found(FoundReference {
            value: decode(kind, before),
            template: Some(Template {
                at: masked.span.start + at,
                text: decode(kind, template),
            }),
            ..masked
        });
    });
}

/// Where the references of a value's text are, in order, and where in it what a placeholder decides of one begins.
pub fn urls(
    kind: ValueKind,
    text: &str,
    placeholders: Placeholders,
) -> Vec<(Range<usize>, Option<usize>)> {
    let mut urls = Vec::new();
    each(kind, text, placeholders, &mut |found| {
        urls.push((found.span, found.template.map(|template| template.at)));
    });
    urls
}

/// A part of a reference, with the escapes of the grammar decoded.
pub fn decode(kind: ValueKind, spelled: &str) -> Cow<'_, str> {
    match kind {
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            css::unescape(spelled)
        }
        ValueKind::ImportMap | ValueKind::SpeculationRules | ValueKind::LinkedData => {
            json_string::decode_with_places(spelled).0
        }
        _ => Cow::Borrowed(spelled),
    }
}

/// Calls `found` for each reference in a value's text, in order, placeholders or not.
fn split<'t>(kind: ValueKind, text: &'t str, found: &mut dyn FnMut(FoundReference<'t>)) {
    let mut plain = |span| found(FoundReference::plain(text, span));
    match kind {
        ValueKind::Url | ValueKind::HashName => plain(trimmed(text, 0..text.len())),
        ValueKind::SpaceList | ValueKind::CommaList | ValueKind::SemicolonList => {
            list::references(text, kind).for_each(plain);
        }
        ValueKind::Srcset => srcset::references(text).for_each(plain),
        ValueKind::TileTask => task::references(text).for_each(plain),
        ValueKind::Refresh => {
            if let Some(FoundReference { span, quote, .. }) = refresh::reference(text) {
                let plain = FoundReference::plain(text, trimmed(text, span));
                found(FoundReference { quote, ..plain });
            }
        }
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            css::references(text, kind).for_each(found);
        }
        ValueKind::ImportMap | ValueKind::SpeculationRules | ValueKind::LinkedData => {
            json::references(text, kind).into_iter().for_each(found);
        }
        // A document, not a list of references.
        ValueKind::Srcdoc | ValueKind::Html | ValueKind::EncodedHtml => {}
    }
}

/// Appends `url` as it has to be spelled in place of `found`, in a document in this encoding.
pub(crate) fn encode(
    kind: ValueKind,
    found: &FoundReference<'_>,
    url: &str,
    charset: &Charset<'_>,
    out: &mut String,
) {
    let start = out.len();
    let mut escape: Option<fn(char, &mut String)> = None;
    match kind {
        ValueKind::SpaceList
        | ValueKind::CommaList
        | ValueKind::SemicolonList
        | ValueKind::TileTask => list::encode(url, kind, out),
        ValueKind::Srcset => srcset::encode(url, out),
        ValueKind::Refresh => refresh::encode(url, found.quote, out),
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            css::encode(url, found.quote, kind, out);
            escape = Some(css::hexadecimal);
        }
        ValueKind::ImportMap | ValueKind::SpeculationRules | ValueKind::LinkedData => {
            json::encode(url, out);
            if found.ends_without_slash && url.ends_with('/') {
                out.push('.');
            }
            escape = Some(json_string::hexadecimal);
        }
        ValueKind::Url
        | ValueKind::HashName
        | ValueKind::Srcdoc
        | ValueKind::Html
        | ValueKind::EncodedHtml => {
            out.push_str(url);
        }
    }
    let Some(escape) = escape else { return };
    // In the text of `style` and `script` a character reference would not stand for a character.
    if !charset.has(&out[start..]) {
        let text = out.split_off(start);
        for c in text.chars() {
            if charset.lacks(c) {
                escape(c, out);
            } else {
                out.push(c);
            }
        }
    }
}

/// [`encode`] or [`encode_beginning`].
pub(crate) type Encode = fn(ValueKind, &FoundReference<'_>, &str, &Charset<'_>, &mut String);

/// The same for a URL that something follows.
pub(crate) fn encode_beginning(
    kind: ValueKind,
    found: &FoundReference<'_>,
    url: &str,
    charset: &Charset<'_>,
    out: &mut String,
) {
    encode(kind, found, &[url, LETTER].concat(), charset, out);
    out.truncate(out.len() - LETTER.len());
}

/// The range without the C0 controls and spaces at both ends, which the pre-step strips: they are
/// not part of the reference, and stay.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let text = &text[range.clone()];
    let outside = |character: char| character <= ' ';
    let start = range.start + (text.len() - text.trim_start_matches(outside).len());
    let length = text.trim_matches(outside).len();
    start..start + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::encoding;

    #[test]
    fn what_the_encoding_lacks_is_escaped() {
        let latin = encoding::sniff(b"<meta charset=windows-1252>", None, false);
        let encoded = |kind, text, charset: &Charset<'_>| {
            let mut encoded = String::new();
            each(kind, text, Placeholders::Keep, &mut |found| {
                encode(kind, &found, "/é\u{2603}\u{1f600}", charset, &mut encoded);
            });
            encoded
        };
        let (css, json) = ("@import 'x'", r#"{"url": "x"}"#);
        assert_eq!(
            encoded(ValueKind::CssStylesheet, css, &latin),
            r"/é\2603 \1f600 "
        );
        assert_eq!(
            encoded(ValueKind::LinkedData, json, &latin),
            r"/é\u2603\ud83d\ude00"
        );
        let japanese = Charset::transcoded("", encoding_rs::ISO_2022_JP);
        assert_eq!(
            encoded(ValueKind::CssStylesheet, css, &japanese),
            r"/\e9 \2603 \1f600 "
        );
    }

    #[test]
    fn the_space_around_a_url_is_no_part_of_it() {
        assert_eq!(trimmed(" \n\u{1}a b ", 0..7), 3..6);
        assert_eq!(trimmed("  ", 0..2), 2..2);
    }
}
