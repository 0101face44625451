//! A field with several URLs: where each one is.

use std::ops::Range;

use abslink_html::json::{Scanner, Token};
use abslink_html::shared::Delimiter;
use serde::de::IgnoredAny;

/// Endings of pictures and pages: a comma behind one of them ends a URL.
const ENDINGS: &str = "apng asp aspx avif bmp gif heic htm html ico jfif jpe jpeg jpg jpx jsp jxl pdf php png shtml svg \
                       tif tiff webp xht xhtml";

/// Why a field is left.
const NO_LIST: &str = "it begins with `[`, and is not a JSON array of URLs";

/// Where the URLs of a text are, and how they are delimited: as strings of a JSON array, without their quotes, or as
/// they are.
///
/// # Errors
/// The text is some other list, and nothing tells where its URLs are.
pub(super) fn find(text: &str) -> Result<(Vec<Range<usize>>, Delimiter), &'static str> {
    // `[[` opens a placeholder.
    let start = text.trim_start();
    if !start.starts_with('[') || start.starts_with("[[") {
        return Ok((plain(text), Delimiter::RawText));
    }
    serde_json::from_str::<Vec<IgnoredAny>>(text).map_err(|_| NO_LIST)?;
    let mut scanner = Scanner::new(text.as_bytes());
    let mut strings = Vec::new();
    while let Some(token) = scanner.next() {
        match token {
            Token::String(span) if scanner.depth() == 1 => strings.push(span),
            _ => {}
        }
    }
    Ok((strings, Delimiter::JsonString))
}

/// The URLs between blanks, bars and commas.
fn plain(text: &str) -> Vec<Range<usize>> {
    let mut urls = Vec::new();
    let mut at = 0;
    for word in text.split(|c: char| c.is_ascii_whitespace() || c == '|') {
        let (mut start, mut looked) = (0, 0);
        // The comma of a data URL is its own.
        let data = |start: usize| {
            let rest = &word[start..];
            let is_data = rest
                .get(..5)
                .is_some_and(|it| it.eq_ignore_ascii_case("data:"));
            is_data
                .then(|| rest.find(','))
                .flatten()
                .map(|comma| start + comma + 1)
        };
        looked = data(start).unwrap_or(looked);
        while let Some(comma) = word[looked..].find(',') {
            let comma = looked + comma;
            looked = comma + 1;
            if ends(&word[start..comma], &word[looked..]) {
                urls.push(at + start..at + comma);
                start = looked;
                looked = data(start).unwrap_or(looked);
            }
        }
        urls.push(at + start..at + word.len());
        at += word.len() + 1;
    }
    urls.retain(|url| !url.is_empty());
    urls
}

/// Whether a comma between these, without a blank, ends a URL: many URLs have commas.
fn ends(before: &str, after: &str) -> bool {
    let has_scheme = || {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        after.starts_with(|c: char| c.is_ascii_alphabetic())
            && after.trim_start_matches(is_part).starts_with("://")
    };
    let is_known = || {
        ENDINGS.split(' ').any(|known| {
            let at = before.len().checked_sub(known.len() + 1);
            at.and_then(|at| before.get(at..)).is_some_and(|ending| {
                ending.starts_with('.') && ending[1..].eq_ignore_ascii_case(known)
            })
        })
    };
    after.is_empty()
        || ["/", "./", "../"]
            .iter()
            .any(|start| after.starts_with(start))
        || has_scheme()
        || is_known()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_where_the_table_has_them() {
        let table = include_str!("../../../../testdata/url-lists.tsv");
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let (text, expected) = line.split_once('\t').unwrap();
            let text = text.replace("\\n", "\n");
            let found = match find(&text) {
                Ok((urls, _)) => {
                    let urls = urls.into_iter().map(|url| format!("<{}>", &text[url]));
                    urls.collect::<String>()
                }
                Err(_) => "refused".to_owned(),
            };
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_long_list_takes_time_by_its_length() {
        let text = "a,".repeat(1 << 20);
        assert_eq!(plain(&text).len(), 1);
        let text = "a://b,".repeat(1 << 18);
        assert_eq!(plain(&text).len(), 1 << 18);
    }
}
