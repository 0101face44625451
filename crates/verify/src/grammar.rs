//! Values before and after, taken apart by a second reading of each grammar: what is no URL is the
//! same, and each URL means the same.

use std::ops::Range;

use cssparser::{ParseError, Parser, ParserInput, SourcePosition, Token};

use super::spelled::Change;
use abslink_html::ValueKind;

/// Says whether two URLs, before and after, mean the same, or what is wrong.
pub(crate) type Same<'s> = &'s mut dyn FnMut(Old<'_>, &str) -> Result<(), String>;

/// A URL of the old value.
#[derive(Clone, Copy)]
pub(crate) struct Old<'v> {
    pub(crate) text: &'v str,
    /// The same with the escapes of the grammar.
    pub(crate) spelled: &'v str,
}

/// The URLs of two values that differ.
struct Urls<'s> {
    same: Same<'s>,
    changes: Vec<Change>,
}

impl Urls<'_> {
    /// Two URLs, and where the values have them.
    fn changed(&mut self, old: Old<'_>, new: &str, change: Change) -> Result<(), String> {
        (self.same)(old, new)?;
        self.changes.push(change);
        Ok(())
    }
}

/// Compares two values of a kind that is a list of URLs and other text. The answer is where the URLs
/// stand that changed.
pub(crate) fn compare(
    kind: ValueKind,
    old: &str,
    new: &str,
    same: Same<'_>,
) -> Result<Vec<Change>, String> {
    let changes = Vec::new();
    let mut urls = Urls { same, changes };
    match kind {
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            css(old, new, &mut urls)?;
        }
        ValueKind::ImportMap | ValueKind::SpeculationRules | ValueKind::LinkedData => {
            json(old, new, &mut urls)?
        }
        _ => parts(kind, old, new, &mut urls)?,
    }
    Ok(urls.changes)
}

/// Compares two values that are pieces one after the other.
fn parts(kind: ValueKind, old: &str, new: &str, urls: &mut Urls<'_>) -> Result<(), String> {
    let (xs, ys) = (pieces(kind, old), pieces(kind, new));
    if xs.len() != ys.len() {
        return Err(format!("`{old}` has other parts than `{new}`"));
    }
    let [mut at, mut new_at] = [0, 0];
    for (x, y) in xs.iter().zip(&ys) {
        let change = [at..at + x.text().len(), new_at..new_at + y.text().len()];
        [at, new_at] = [change[0].end, change[1].end];
        match (x, y) {
            _ if x == y => {}
            (Piece::Url(x), Piece::Url(y)) => {
                let (text, spelled) = (*x, *x);
                urls.changed(Old { text, spelled }, y, change)?;
            }
            _ => {
                return Err(format!(
                    "`{}` is no URL, and became `{}`",
                    x.text(),
                    y.text()
                ));
            }
        }
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Piece<'v> {
    Text(&'v str),
    Url(&'v str),
}

impl<'v> Piece<'v> {
    fn text(&self) -> &'v str {
        match self {
            Piece::Text(text) | Piece::Url(text) => text,
        }
    }
}

/// All that a value consists of.
fn pieces(kind: ValueKind, value: &str) -> Vec<Piece<'_>> {
    let blank = |c: char| c.is_ascii_whitespace();
    match kind {
        ValueKind::Url => trimmed(value).into(),
        ValueKind::SpaceList => list(value, &blank),
        ValueKind::CommaList => list(value, &|c| c == ',' || blank(c)),
        ValueKind::SemicolonList => list(value, &|c| c == ';' || blank(c)),
        ValueKind::Srcset => srcset(value),
        ValueKind::Refresh => refresh(value),
        ValueKind::TileTask => task(value),
        _ => vec![Piece::Text(value)],
    }
}

/// A URL, and the blanks around it.
fn trimmed(value: &str) -> [Piece<'_>; 3] {
    // For NUL the HTML standard puts another character.
    let is_blank = |c: char| c <= ' ' && c != '\0';
    let start = value.len() - value.trim_start_matches(is_blank).len();
    let (before, rest) = value.split_at(start);
    let (url, after) = rest.split_at(rest.trim_end_matches(is_blank).len());
    [Piece::Text(before), Piece::Url(url), Piece::Text(after)]
}

fn list<'v>(value: &'v str, separates: &dyn Fn(char) -> bool) -> Vec<Piece<'v>> {
    let parts = value.split_inclusive(separates).flat_map(|part| {
        let url = part.trim_end_matches(separates);
        [Piece::Url(url), Piece::Text(&part[url.len()..])]
    });
    parts.collect()
}

/// HTML, "parse a srcset attribute".
fn srcset(value: &str) -> Vec<Piece<'_>> {
    let blank = |c: char| c.is_ascii_whitespace();
    let mut pieces = Vec::new();
    let mut rest = value;
    loop {
        let start = rest.trim_start_matches(|c: char| c == ',' || blank(c));
        pieces.push(Piece::Text(&rest[..rest.len() - start.len()]));
        if start.is_empty() {
            return pieces;
        }
        let (run, after) = start.split_at(start.find(blank).unwrap_or(start.len()));
        let url = run.trim_end_matches(',');
        let descriptors = match url.len() == run.len() {
            true => descriptors(after),
            false => 0,
        };
        let (descriptors, next) = after.split_at(descriptors);
        pieces.push(Piece::Url(url));
        pieces.push(Piece::Text(&run[url.len()..]));
        pieces.push(Piece::Text(descriptors));
        rest = next;
    }
}

/// How long a candidate's descriptors are: up to the first comma outside parentheses.
fn descriptors(text: &str) -> usize {
    let mut inside = false;
    let end = text.find(|c| {
        match c {
            '(' => inside = true,
            ')' => inside = false,
            _ => {}
        }
        c == ',' && !inside
    });
    end.unwrap_or(text.len())
}

/// HTML, "shared declarative refresh steps".
fn refresh(value: &str) -> Vec<Piece<'_>> {
    let blank = |c: char| c.is_ascii_whitespace();
    let after_time = || {
        let time = value.trim_start_matches(blank);
        let rest = time.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let ends = rest.starts_with(|c: char| c == ';' || c == ',' || blank(c));
        let rest = rest.trim_start_matches(blank);
        let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
        (time.len() > rest.len() && ends).then(|| rest.trim_start_matches(blank))
    };
    let Some(rest) = after_time() else {
        return vec![Piece::Text(value)];
    };
    let named = rest.get(.."url".len()).and_then(|word| {
        let after = rest["url".len()..].trim_start_matches(blank);
        let after = after.strip_prefix('=')?.trim_start_matches(blank);
        word.eq_ignore_ascii_case("url").then_some(after)
    });
    let url = named.unwrap_or(rest);
    let quote = url.chars().next().filter(|c| matches!(c, '"' | '\''));
    let url = &url[quote.map_or(0, char::len_utf8)..];
    let end = quote.and_then(|quote| url.find(quote)).unwrap_or(url.len());
    let start = value.len() - url.len();
    let mut pieces = vec![Piece::Text(&value[..start])];
    pieces.extend(trimmed(&url[..end]));
    pieces.push(Piece::Text(&url[end..]));
    pieces
}

/// `msapplication-task`.
fn task(value: &str) -> Vec<Piece<'_>> {
    let pairs = value.split_inclusive(';').flat_map(|pair| {
        let (start, end) = (pair.find('=').map_or(pair.len(), |at| at + 1), pair.len());
        let end = end - usize::from(pair.ends_with(';'));
        let start = start.min(end);
        let is_url = |name: &str| {
            let name = name.trim().trim_end_matches('=').trim_end();
            let name = name.to_ascii_lowercase();
            let polling = name.strip_prefix("polling-uri");
            ["action-uri", "icon-uri"].contains(&&*name)
                || polling.is_some_and(|number| ["", "2", "3", "4", "5"].contains(&number))
        };
        let value = match is_url(&pair[..start]) {
            true => Piece::Url(&pair[start..end]),
            false => Piece::Text(&pair[start..end]),
        };
        [
            Piece::Text(&pair[..start]),
            value,
            Piece::Text(&pair[end..]),
        ]
    });
    pairs.collect()
}

/// JSON: the same but for strings that mean the same URLs. Which strings are URLs is not asked.
fn json(old: &str, new: &str, urls: &mut Urls<'_>) -> Result<(), String> {
    let is_valid = |text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if is_valid(old) != is_valid(new) {
        return Err("it was JSON, and is none any more".to_owned());
    }
    let lengths = [old.len(), new.len()];
    let (mut old, mut new) = (old, new);
    loop {
        let ([before, x, rest], [after, y, next]) = (split_string(old), split_string(new));
        if before != after {
            return Err(format!(
                "JSON `{}` became `{}`",
                before.trim(),
                after.trim()
            ));
        }
        if x != y {
            let ends = [lengths[0] - rest.len(), lengths[1] - next.len()];
            let change = [ends[0] - x.len()..ends[0], ends[1] - y.len()..ends[1]];
            match (
                serde_json::from_str::<String>(x),
                serde_json::from_str::<String>(y),
            ) {
                (Ok(text), Ok(y)) => {
                    let (text, spelled) = (&*text, x.trim_matches('"'));
                    urls.changed(Old { text, spelled }, &y, change)?;
                }
                _ => return Err(format!("JSON `{x}` became `{y}`")),
            }
        }
        if rest.is_empty() && next.is_empty() {
            return Ok(());
        }
        (old, new) = (rest, next);
    }
}

/// What stands before the first string, that string with its quotes, and the rest.
fn split_string(text: &str) -> [&str; 3] {
    let start = text.find('"').unwrap_or(text.len());
    let (before, rest) = text.split_at(start);
    let mut escaped = true;
    let end = rest.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    let (string, rest) = rest.split_at(end.map_or(rest.len(), |at| at + 1));
    [before, string, rest]
}

/// CSS: the same tokens, but for URLs that mean the same.
fn css(old: &str, new: &str, urls: &mut Urls<'_>) -> Result<(), String> {
    let (mut old, mut new) = (ParserInput::new(old), ParserInput::new(new));
    let (mut old, mut new) = (Parser::new(&mut old), Parser::new(&mut new));
    tokens(&mut old, &mut new, Strings::Text, DEPTH, urls)?;
    Ok(())
}

/// Blocks in blocks are followed so deep.
const DEPTH: usize = 128;

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

/// Compares the tokens up to the end of the block; the answer is where in both what ends it begins.
fn tokens(
    old: &mut Parser<'_, '_>,
    new: &mut Parser<'_, '_>,
    outside: Strings,
    depth: usize,
    urls: &mut Urls<'_>,
) -> Result<[SourcePosition; 2], String> {
    let mut strings = outside;
    loop {
        let (start, new_start) = (old.position(), new.position());
        let x = old.next_including_whitespace_and_comments().cloned();
        let y = new.next_including_whitespace_and_comments().cloned();
        let (x, y) = match (x, y) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(_), Err(_)) => return Ok([start, new_start]),
            _ => return Err(OTHER_TOKENS.to_owned()),
        };
        let texts = [old.slice_from(start), new.slice_from(new_start)];
        if texts[0] != texts[1] {
            let starts = [start, new_start].map(|start| start.byte_index());
            let change = url_token([&x, &y], texts, strings).map(|[(x, place), (y, new_place)]| {
                let spelled = texts[0][place.clone()].trim_end_matches(|c| BLANKS.contains(c));
                let x = Old { text: x, spelled };
                let shifted = |place: Range<usize>, by| place.start + by..place.end + by;
                let change = [shifted(place, starts[0]), shifted(new_place, starts[1])];
                urls.changed(x, y, change)
            });
            change.ok_or_else(|| format!("`{}` became `{}`", texts[0], texts[1]))??;
        }
        let inside = match &x {
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock
                if strings == Strings::Names =>
            {
                Strings::Names
            }
            Token::Function(name) if is_one_of(&FUNCTIONS, name) => Strings::Urls,
            Token::Function(_) | Token::ParenthesisBlock | Token::SquareBracketBlock => {
                Strings::Text
            }
            Token::CurlyBracketBlock => {
                strings = outside;
                match outside {
                    Strings::Names => Strings::Names,
                    _ => Strings::Text,
                }
            }
            Token::AtKeyword(name) => {
                strings = match strings {
                    Strings::Names => Strings::Names,
                    _ if is_one_of(&NAMING, name) => Strings::Names,
                    _ if name.eq_ignore_ascii_case("import") => Strings::Urls,
                    _ => outside,
                };
                continue;
            }
            Token::Semicolon => {
                strings = outside;
                continue;
            }
            _ => continue,
        };
        block(old, new, inside, depth, urls)?;
    }
}

const OTHER_TOKENS: &str = "the style sheet has other tokens";

/// Compares what is in a block that begins, and how it ends.
fn block(
    old: &mut Parser<'_, '_>,
    new: &mut Parser<'_, '_>,
    inside: Strings,
    depth: usize,
    urls: &mut Urls<'_>,
) -> Result<(), String> {
    if depth == 0 {
        return Err("the style sheet nests too deep".to_owned());
    }
    let mut result = Ok([old.position(), new.position()]);
    // The parser's own result says nothing more.
    let _ = old.parse_nested_block(|old| {
        let _ = new.parse_nested_block(|new| {
            result = tokens(old, new, inside, depth - 1, urls);
            Ok::<(), ParseError<'_, ()>>(())
        });
        Ok::<(), ParseError<'_, ()>>(())
    });
    let [end, new_end] = result?;
    // At the end of a style sheet a block may lack the bracket that closes it.
    match old.slice_from(end) == new.slice_from(new_end) {
        true => Ok(()),
        false => Err(OTHER_TOKENS.to_owned()),
    }
}

/// What two tokens that differ are as URLs, and where these stand in `texts`, if all else in them is
/// the same.
fn url_token<'x>(
    tokens: [&'x Token<'_>; 2],
    texts: [&str; 2],
    strings: Strings,
) -> Option<[(&'x str, Range<usize>); 2]> {
    let [text, new_text] = texts;
    let [(x, place), (y, new_place)] = match tokens {
        _ if strings == Strings::Names => return None,
        [Token::UnquotedUrl(x), Token::UnquotedUrl(y)] => {
            // A blank behind an escape may be a part of it.
            let has_escapes = texts.iter().any(|text| text.contains('\\'));
            let blanks = if has_escapes { "" } else { BLANKS };
            [
                (x, in_brackets(text, blanks)),
                (y, in_brackets(new_text, blanks)),
            ]
        }
        [Token::QuotedString(x), Token::QuotedString(y)] if strings == Strings::Urls => {
            [(x, in_quotes(text)), (y, in_quotes(new_text))]
        }
        _ => return None,
    };
    let begins = text.get(..place.start)? == new_text.get(..new_place.start)?;
    let ends = text.get(place.end..)? == new_text.get(new_place.end..)?;
    (begins && ends).then_some([(&**x, place), (&**y, new_place)])
}

/// What CSS takes for blanks.
const BLANKS: &str = " \t\n\r\x0c";

/// What stands in the brackets of `url(x)`, without `blanks` at its end. The end of a style sheet
/// also closes them.
fn in_brackets(text: &str, blanks: &str) -> Range<usize> {
    let open = text.find('(').map_or(text.len(), |at| at + 1);
    let inside = text[open..].trim_start_matches(|c| BLANKS.contains(c));
    let start = text.len() - inside.len();
    let inside = inside.strip_suffix(')').unwrap_or(inside);
    let inside = inside.trim_end_matches(|c| blanks.contains(c));
    start..start + inside.len()
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
