//! A field with several URLs: where each one is.

use std::ops::Range;

use abslink_html::{Edit, splice};
use abslink_url::percent;

/// Endings of pictures and pages: a comma behind one of them ends a URL.
const ENDINGS: &str = "apng asp aspx avif bmp gif heic htm html ico jfif jpe jpeg jpg jpx jsp jxl pdf php png shtml svg \
                       tif tiff webp xht xhtml";

const NOT_SEPARATED: &str = "its new URLs could not be told apart; --to absolute keeps them apart";

/// The URLs of a list that edits of the text change, as they are then; written so that it separates the same URLs as before:
/// blanks and bars in new text are escaped, and commas where they would end a URL.
///
/// # Errors
/// Nothing that can be written does so.
pub(crate) fn separated(
    text: &str,
    urls: &[Range<usize>],
    edits: &[Edit],
) -> Result<Vec<Edit>, &'static str> {
    let escaped = |escapes: fn(u8) -> bool| {
        let new = by_url(text, urls, edits, escapes);
        let (mut list, mut changed) = (Vec::new(), new.iter().peekable());
        let all = new.iter().map(|(old, new)| (old.clone(), new));
        splice(text.as_bytes(), all, &mut list, |new, out| {
            out.extend_from_slice(new)
        });
        let (mut old_ends, mut new_ends) = (0, 0);
        let should = urls.iter().map(|url| {
            let start = new_ends + url.start - old_ends;
            let new = changed.next_if(|(old, _)| old == url);
            (old_ends, new_ends) = (url.end, start + new.map_or(url.len(), |(_, new)| new.len()));
            start..new_ends
        });
        let should: Vec<_> = should.collect();
        let is_same = str::from_utf8(&list).is_ok_and(|list| plain(list) == should);
        is_same.then_some(new)
    };
    escaped(|byte| byte.is_ascii_whitespace() || byte == b'|')
        .or_else(|| escaped(|byte| byte.is_ascii_whitespace() || matches!(byte, b'|' | b',')))
        .ok_or(NOT_SEPARATED)
}

/// The URLs that edits of the text change, each as a whole.
pub(crate) fn by_url(
    text: &str,
    urls: &[Range<usize>],
    edits: &[Edit],
    escapes: fn(u8) -> bool,
) -> Vec<Edit> {
    let url_of = |edit: &Edit| {
        urls.partition_point(|url| url.start <= edit.0.start)
            .saturating_sub(1)
    };
    let of_urls = edits.chunk_by(|one, next| url_of(one) == url_of(next));
    let of_urls = of_urls.map(|edits| {
        let url = &urls[url_of(&edits[0])];
        let inside = edits
            .iter()
            .map(|(old, new)| (old.start - url.start..old.end - url.start, new));
        let mut whole = Vec::new();
        splice(
            &text.as_bytes()[url.clone()],
            inside,
            &mut whole,
            |new, out| {
                let mut escaped = String::new();
                percent::encode(new, |rest| !escapes(rest[0]), &mut escaped);
                out.extend_from_slice(escaped.as_bytes());
            },
        );
        (url.clone(), whole)
    });
    of_urls.collect()
}

/// The URLs between blanks, bars and commas.
pub(crate) fn plain(text: &str) -> Vec<Range<usize>> {
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

/// Whether a path ends as that of a picture or page does.
pub(crate) fn is_file(path: &[u8]) -> bool {
    // The longest is `.xhtml`.
    let path = &path[path.len().saturating_sub(6)..];
    let dot = path.iter().rposition(|byte| *byte == b'.');
    dot.is_some_and(|dot| {
        let ending = path[dot + 1..].to_ascii_lowercase();
        ENDINGS.split(' ').any(|known| known.as_bytes() == ending)
    })
}

/// Whether a comma between these, without a blank, ends a URL: many URLs have commas.
fn ends(before: &str, after: &str) -> bool {
    let has_scheme = || {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        after.starts_with(|c: char| c.is_ascii_alphabetic())
            && after.trim_start_matches(is_part).starts_with("://")
    };
    after.is_empty()
        || ["/", "./", "../"]
            .iter()
            .any(|start| after.starts_with(start))
        || has_scheme()
        || is_file(before.as_bytes())
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
            let urls = plain(&text).into_iter();
            let found: String = urls.map(|url| format!("<{}>", &text[url])).collect();
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
