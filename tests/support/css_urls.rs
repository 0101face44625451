//! Where the URLs of style sheets are, as cssparser sees them.

use std::ops::Range;

use cssparser::{ParseError, Parser, ParserInput, Token};

/// Where a URL is, as it is spelled, and what it is.
pub(crate) type CssUrl = (Range<usize>, String);

/// The URLs of a style sheet, or of declarations.
pub(crate) fn urls(css: &str) -> Vec<CssUrl> {
    let mut input = ParserInput::new(css);
    let mut found = Vec::new();
    block(&mut Parser::new(&mut input), Strings::Text, &mut found);
    found
}

/// What is a URL that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// `url(x)` is, and a string is not.
    Text,
    /// Strings are as well.
    Urls,
    /// Nothing is: it gives a name.
    Names,
}

/// Finds the URLs up to the end of a block.
fn block(css: &mut Parser<'_, '_>, outside: Strings, found: &mut Vec<CssUrl>) {
    let mut strings = outside;
    loop {
        let start = css.position();
        let Ok(token) = css.next_including_whitespace_and_comments().cloned() else {
            return;
        };
        let (text, at) = (css.slice_from(start), start.byte_index());
        let inside = match &token {
            _ if strings == Strings::Names => Strings::Names,
            Token::Function(name) if is_one_of(&FUNCTIONS, name) => Strings::Urls,
            _ => Strings::Text,
        };
        match &token {
            Token::UnquotedUrl(url) if strings != Strings::Names => {
                found.push(url_at(at, in_brackets(text), url));
            }
            Token::QuotedString(url) if strings == Strings::Urls => {
                found.push(url_at(at, in_quotes(text), url));
            }
            Token::AtKeyword(name) => {
                strings = match strings {
                    Strings::Names => Strings::Names,
                    _ if is_one_of(&NAMING, name) => Strings::Names,
                    _ if name.eq_ignore_ascii_case("import") => Strings::Urls,
                    _ => outside,
                };
            }
            Token::Semicolon => strings = outside,
            Token::CurlyBracketBlock => {
                strings = outside;
                let inside = match outside {
                    Strings::Names => Strings::Names,
                    _ => Strings::Text,
                };
                nested(css, inside, found);
            }
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => {
                nested(css, inside, found);
            }
            _ => {}
        }
    }
}

fn nested(css: &mut Parser<'_, '_>, inside: Strings, found: &mut Vec<CssUrl>) {
    // The parser's own result says nothing more.
    let _ = css.parse_nested_block(|css| {
        block(css, inside, found);
        Ok::<(), ParseError<'_, ()>>(())
    });
}

fn url_at(at: usize, place: Range<usize>, url: &str) -> CssUrl {
    (at + place.start..at + place.end, url.to_owned())
}

/// What CSS takes for blanks.
const BLANKS: [char; 5] = [' ', '\t', '\n', '\r', '\x0c'];

/// What stands in the brackets of `url(x)`, without blanks around it, but with one that ends an
/// escape or is escaped. The end of a style sheet also closes them.
fn in_brackets(text: &str) -> Range<usize> {
    let open = text.find('(').map_or(text.len(), |at| at + 1);
    let inside = text[open..].trim_start_matches(BLANKS);
    let start = text.len() - inside.len();
    let inside = inside.strip_suffix(')').unwrap_or(inside);
    let url = inside.trim_end_matches(BLANKS);
    // CSS Syntax 3 §4.3.7: up to six digits.
    let digits = url.bytes().rev().take_while(u8::is_ascii_hexdigit).count();
    let before = &url[..url.len() - digits];
    let slashes = before.len() - before.trim_end_matches('\\').len();
    let is_escape = digits <= 6 && slashes % 2 == 1;
    let blank = inside[url.len()..].chars().next().filter(|_| is_escape);
    start..start + url.len() + blank.map_or(0, char::len_utf8)
}

/// What stands in the quotes of a string. The end of a style sheet also closes it.
fn in_quotes(text: &str) -> Range<usize> {
    let quote = text.chars().next().map_or(0, char::len_utf8);
    let closing = text[quote..].ends_with(&text[..quote]);
    quote..text.len() - usize::from(closing)
}

fn is_one_of(names: &[&str], name: &str) -> bool {
    names.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// Functions in which strings are URLs.
const FUNCTIONS: [&str; 7] = [
    "url",
    "src",
    "image",
    "image-set",
    "-webkit-image-set",
    "cross-fade",
    "-webkit-cross-fade",
];

/// Rules that begin with URLs which are names only, and are not asked for.
const NAMING: [&str; 3] = ["namespace", "document", "-moz-document"];
