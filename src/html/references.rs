//! Where the references of a value are, for each grammar, and how a new one is spelled in it.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::ValueKind;
use super::encoding::Charset;
use super::json::{self, Vocabulary};
use super::list::{self, Separator};
use super::{css, refresh, srcset, task};

/// One reference in a value's text.
#[derive(Debug)]
pub(super) struct FoundReference<'t> {
    /// Byte range in the text.
    pub(super) range: Range<usize>,
    /// What it spells.
    pub(super) value: Cow<'t, str>,
    /// Whether nobody can tell what it is relative to.
    pub(super) is_of_another: bool,
    form: Delimited,
}

/// How a reference is delimited within its value.
#[derive(Clone, Copy, Debug)]
enum Delimited {
    Plain,
    Css(css::UrlForm),
    Refresh(Option<char>),
    Json,
}

/// Calls `found` for each reference in a value's text, in order.
pub(super) fn each<'t>(kind: ValueKind, text: &'t str, found: &mut dyn FnMut(FoundReference<'t>)) {
    let mut found = |range, value, is_of_another, form| {
        found(FoundReference {
            range,
            value,
            is_of_another,
            form,
        });
    };
    let mut as_it_is = |range: Range<usize>, form| {
        found(range.clone(), Cow::Borrowed(&text[range]), false, form);
    };
    let mut plain = |range| as_it_is(range, Delimited::Plain);
    match kind {
        ValueKind::Url | ValueKind::HashName => plain(trimmed(text, 0..text.len())),
        ValueKind::SpaceList => list::references(text, Separator::Space).for_each(plain),
        ValueKind::CommaList => list::references(text, Separator::Comma).for_each(plain),
        ValueKind::Srcset => srcset::references(text).for_each(plain),
        ValueKind::TileTask => task::references(text).for_each(plain),
        ValueKind::Refresh => {
            if let Some(refresh::Reference { span, quote }) = refresh::reference(text) {
                as_it_is(trimmed(text, span), Delimited::Refresh(quote));
            }
        }
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            for css in css::references(text, context(kind)) {
                let form = Delimited::Css(css.form);
                found(css.span, css.value, css.is_of_another, form);
            }
        }
        ValueKind::ImportMap | ValueKind::LinkedData => {
            let vocabulary = match kind {
                ValueKind::ImportMap => Vocabulary::ImportMap,
                _ => Vocabulary::LinkedData,
            };
            for json::Reference { span, value } in json::references(text, vocabulary) {
                found(span, value, false, Delimited::Json);
            }
        }
        // A document, not a list of references.
        ValueKind::Srcdoc => {}
    }
}

/// Appends `url` as it has to be spelled in place of `found`, in a document of this encoding.
pub(super) fn encode(
    kind: ValueKind,
    found: &FoundReference<'_>,
    url: &str,
    charset: &Charset<'_>,
    out: &mut String,
) {
    let start = out.len();
    match (kind, found.form) {
        (ValueKind::SpaceList, _) => list::encode(url, Separator::Space, out),
        (ValueKind::CommaList, _) => list::encode(url, Separator::Comma, out),
        (ValueKind::Srcset, _) => srcset::encode(url, out),
        (_, Delimited::Refresh(quote)) => refresh::encode(url, quote, out),
        (_, Delimited::Css(form)) => css::encode(url, form, context(kind), out),
        (ValueKind::TileTask, _) => task::encode(url, out),
        (_, Delimited::Json) => json::encode(url, out),
        (_, Delimited::Plain) => out.push_str(url),
    }
    let escape = match found.form {
        Delimited::Css(_) => css::hexadecimal,
        Delimited::Json => json::hexadecimal,
        Delimited::Plain | Delimited::Refresh(_) => return,
    };
    // In the text of `style` and `script` a character reference would not stand for a character.
    if out[start..].chars().any(|c| charset.lacks(c)) {
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

fn context(kind: ValueKind) -> css::Context {
    match kind {
        ValueKind::CssStylesheet => css::Context::Stylesheet,
        ValueKind::CssFile => css::Context::File,
        _ => css::Context::Declarations,
    }
}

/// Without the C0 controls and spaces at both ends, which the pre-step strips: they are no part of
/// the reference, and stay.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let text = &text[range.clone()];
    let outside = |character: char| character <= ' ';
    let start = range.start + (text.len() - text.trim_start_matches(outside).len());
    let length = text.trim_matches(outside).len();
    start..start + length
}

#[cfg(test)]
mod tests {
    use super::super::encoding;
    use super::*;

    #[test]
    fn what_the_encoding_lacks_is_escaped() {
        let latin = encoding::sniff(b"<meta charset=windows-1252>", None, false);
        let encoded = |kind, text, charset: &Charset<'_>| {
            let mut encoded = String::new();
            each(kind, text, &mut |found| {
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
