//! Values before and after, taken apart by a second reading of each grammar: what is no URL is the
//! same, and each URL means the same.

use cssparser::{ParseError, Parser, ParserInput, Token};

use super::super::ValueKind;

/// Says whether two URLs, before and after, mean the same, or what is wrong.
pub(super) type Same<'s> = &'s mut dyn FnMut(&str, &str) -> Result<(), String>;

/// Compares two values of a kind that is a list of URLs and other text.
pub(super) fn compare(kind: ValueKind, old: &str, new: &str, same: Same<'_>) -> Result<(), String> {
    match kind {
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile => {
            return css(old, new, same);
        }
        ValueKind::ImportMap | ValueKind::LinkedData => return json(old, new, same),
        _ => {}
    }
    let (xs, ys) = (pieces(kind, old), pieces(kind, new));
    if xs.len() != ys.len() {
        return Err(format!("`{old}` has other parts than `{new}`"));
    }
    for pair in xs.iter().zip(&ys) {
        match pair {
            (Piece::Text(x), Piece::Text(y)) | (Piece::Url(x), Piece::Url(y)) if x == y => {}
            (Piece::Url(x), Piece::Url(y)) => same(x, y)?,
            (Piece::Text(x) | Piece::Url(x), Piece::Text(y) | Piece::Url(y)) => {
                return Err(format!("`{x}` is no URL, and became `{y}`"));
            }
        }
    }
    Ok(())
}

enum Piece<'v> {
    Text(&'v str),
    Url(&'v str),
}

fn pieces(kind: ValueKind, value: &str) -> Vec<Piece<'_>> {
    let blank = |c: char| c.is_ascii_whitespace();
    match kind {
        ValueKind::Url => vec![Piece::Url(value)],
        ValueKind::SpaceList => list(value, &blank),
        ValueKind::CommaList => list(value, &|c| c == ',' || blank(c)),
        ValueKind::Srcset => srcset(value),
        ValueKind::Refresh => refresh(value),
        ValueKind::TileTask => task(value),
        _ => vec![Piece::Text(value)],
    }
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
    vec![
        Piece::Text(&value[..start]),
        Piece::Url(&url[..end]),
        Piece::Text(&url[end..]),
    ]
}

/// `msapplication-task`.
fn task(value: &str) -> Vec<Piece<'_>> {
    let pairs = value.split_inclusive(';').flat_map(|pair| {
        let (start, end) = (pair.find('=').map_or(pair.len(), |at| at + 1), pair.len());
        let end = end - usize::from(pair.ends_with(';'));
        let start = start.min(end);
        let is_url = |name: &str| {
            let name = name.trim().trim_end_matches('=').trim_end();
            ["action-uri", "icon-uri"]
                .iter()
                .any(|it| it.eq_ignore_ascii_case(name))
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
fn json(old: &str, new: &str, same: Same<'_>) -> Result<(), String> {
    let is_valid = |text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if is_valid(old) != is_valid(new) {
        return Err("it was JSON, and is none any more".to_owned());
    }
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
            match (
                serde_json::from_str::<String>(x),
                serde_json::from_str::<String>(y),
            ) {
                (Ok(x), Ok(y)) => same(&x, &y)?,
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
fn css(old: &str, new: &str, same: Same<'_>) -> Result<(), String> {
    let (mut old, mut new) = (ParserInput::new(old), ParserInput::new(new));
    let (mut old, mut new) = (Parser::new(&mut old), Parser::new(&mut new));
    tokens(&mut old, &mut new, false, DEPTH, same)
}

/// Blocks in blocks are followed so deep.
const DEPTH: usize = 128;

fn tokens(
    old: &mut Parser<'_, '_>,
    new: &mut Parser<'_, '_>,
    mut strings_are_urls: bool,
    depth: usize,
    same: Same<'_>,
) -> Result<(), String> {
    let in_function = strings_are_urls;
    loop {
        let (start, new_start) = (old.position(), new.position());
        let x = old.next_including_whitespace_and_comments().cloned();
        let y = new.next_including_whitespace_and_comments().cloned();
        let (x, y) = match (x, y) {
            (Ok(x), Ok(y)) => (x, y),
            (Err(_), Err(_)) => return Ok(()),
            _ => return Err("the style sheet has other tokens".to_owned()),
        };
        let (old_text, new_text) = (old.slice_from(start), new.slice_from(new_start));
        if old_text != new_text {
            match (&x, &y) {
                (Token::UnquotedUrl(x), Token::UnquotedUrl(y)) => same(x, y)?,
                (Token::QuotedString(x), Token::QuotedString(y)) if strings_are_urls => same(x, y)?,
                _ => return Err(format!("`{old_text}` became `{new_text}`")),
            }
        }
        let inside = match &x {
            Token::Function(name) => FUNCTIONS.iter().any(|it| it.eq_ignore_ascii_case(name)),
            Token::ParenthesisBlock | Token::SquareBracketBlock => false,
            Token::CurlyBracketBlock => {
                strings_are_urls = in_function;
                false
            }
            Token::AtKeyword(name) => {
                strings_are_urls = in_function || name.eq_ignore_ascii_case("import");
                continue;
            }
            Token::Semicolon => {
                strings_are_urls = in_function;
                continue;
            }
            _ => continue,
        };
        if depth == 0 {
            return Err("the style sheet nests too deep".to_owned());
        }
        let mut result = Ok(());
        // How the block ends does not matter: what follows is compared as well.
        let _ = old.parse_nested_block(|old| {
            let _ = new.parse_nested_block(|new| {
                result = tokens(old, new, inside, depth - 1, same);
                Ok::<(), ParseError<'_, ()>>(())
            });
            Ok::<(), ParseError<'_, ()>>(())
        });
        result?;
    }
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
