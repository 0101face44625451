//! Where the references of a value are, for each grammar, and how a new one is spelled in it.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::Kind;
use super::encoding::Charset;
use super::json::{self, Vocabulary};
use super::list::{self, Separator};
use super::{css, refresh, srcset, task};

/// One reference in a value's text.
#[derive(Debug)]
pub(super) struct Found<'t> {
    /// Byte range in the text.
    pub(super) range: Range<usize>,
    /// What it spells.
    pub(super) value: Cow<'t, str>,
    form: Form,
}

/// How a reference is delimited within its value.
#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    Css(css::Form),
    Refresh(Option<char>),
    Json,
}

/// Calls `found` for each reference in a value's text, in order.
pub(super) fn each<'t>(kind: Kind, text: &'t str, found: &mut dyn FnMut(Found<'t>)) {
    let mut plain = |range: Range<usize>| {
        let value = Cow::Borrowed(&text[range.clone()]);
        found(Found {
            range,
            value,
            form: Form::Plain,
        });
    };
    match kind {
        Kind::Url | Kind::HashName => plain(trimmed(text, 0..text.len())),
        Kind::SpaceList => list::references(text, Separator::Space).for_each(plain),
        Kind::CommaList => list::references(text, Separator::Comma).for_each(plain),
        Kind::Srcset => srcset::references(text).for_each(plain),
        Kind::Refresh => {
            if let Some(reference) = refresh::reference(text) {
                let range = trimmed(text, reference.span);
                let value = Cow::Borrowed(&text[range.clone()]);
                found(Found {
                    range,
                    value,
                    form: Form::Refresh(reference.quote),
                });
            }
        }
        Kind::CssDeclarations | Kind::CssStylesheet => {
            for css::Reference { span, value, form } in css::references(text, context(kind)) {
                found(Found {
                    range: span,
                    value,
                    form: Form::Css(form),
                });
            }
        }
        Kind::TileTask => task::references(text).for_each(plain),
        Kind::ImportMap | Kind::LinkedData => {
            let vocabulary = match kind {
                Kind::ImportMap => Vocabulary::ImportMap,
                _ => Vocabulary::LinkedData,
            };
            for json::Reference { span, value } in json::references(text, vocabulary) {
                found(Found {
                    range: span,
                    value,
                    form: Form::Json,
                });
            }
        }
        // A document, not a list of references.
        Kind::Srcdoc => {}
    }
}

/// Appends `url` as it has to be spelled in place of `found`, in a document of this encoding.
pub(super) fn encode(
    kind: Kind,
    found: &Found<'_>,
    url: &str,
    charset: &Charset<'_>,
    out: &mut String,
) {
    let start = out.len();
    match (kind, found.form) {
        (Kind::SpaceList, _) => list::encode(url, Separator::Space, out),
        (Kind::CommaList, _) => list::encode(url, Separator::Comma, out),
        (Kind::Srcset, _) => srcset::encode(url, out),
        (_, Form::Refresh(quote)) => refresh::encode(url, quote, out),
        (_, Form::Css(form)) => css::encode(url, form, context(kind), out),
        (Kind::TileTask, _) => task::encode(url, out),
        (_, Form::Json) => json::encode(url, out),
        (_, Form::Plain) => out.push_str(url),
    }
    let escape = match found.form {
        Form::Css(_) => css::hexadecimal,
        Form::Json => json::hexadecimal,
        Form::Plain | Form::Refresh(_) => return,
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

fn context(kind: Kind) -> css::Context {
    match kind {
        Kind::CssStylesheet => css::Context::Stylesheet,
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
        let latin = encoding::sniff(b"<meta charset=windows-1252>", false);
        let encoded = |kind, text, charset: &Charset<'_>| {
            let mut encoded = String::new();
            each(kind, text, &mut |found| {
                encode(kind, &found, "/é\u{2603}\u{1f600}", charset, &mut encoded);
            });
            encoded
        };
        let (css, json) = ("@import 'x'", r#"{"url": "x"}"#);
        assert_eq!(
            encoded(Kind::CssStylesheet, css, &latin),
            r"/é\2603 \1f600 "
        );
        assert_eq!(
            encoded(Kind::LinkedData, json, &latin),
            r"/é\u2603\ud83d\ude00"
        );
        let japanese = Charset::transcoded("", encoding_rs::ISO_2022_JP);
        assert_eq!(
            encoded(Kind::CssStylesheet, css, &japanese),
            r"/\e9 \2603 \1f600 "
        );
    }

    #[test]
    fn the_space_around_a_url_is_no_part_of_it() {
        assert_eq!(trimmed(" \n\u{1}a b ", 0..7), 3..6);
        assert_eq!(trimmed("  ", 0..2), 2..2);
    }
}
