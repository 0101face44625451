//! A field with several URLs: where each one is.

use std::ops::Range;

use abslink_html::{Edit, splice};
use abslink_url::percent;

/// Endings of pictures and pages: a comma behind one of them ends a URL.
const ENDINGS: &str = "apng asp aspx avif bmp gif heic htm html ico jfif jpe jpeg jpg jpx jsp jxl pdf php png shtml svg \
                       tif tiff webp xht xhtml";

const NOT_SEPARATED: &str = "its new URLs could not be told apart; --to absolute keeps them apart";

/// Edits of the URLs in a list, written so that it separates the same URLs as before: blanks and bars in new text are
/// escaped, and commas where they would end a URL.
///
/// # Errors
/// Nothing that can be written does so.
pub(crate) fn separated(
    text: &str,
    urls: &[Range<usize>],
    edits: Vec<Edit>,
) -> Result<Vec<Edit>, &'static str> {
    let escaped = |escapes: fn(u8) -> bool| {
        let escaped = edits.iter().map(|(old, new)| {
            let mut out = String::new();
            percent::encode(new, |rest| !escapes(rest[0]), &mut out);
            (old.clone(), out.into_bytes())
        });
        let escaped: Vec<Edit> = escaped.collect();
        let mut at = 0;
        // Where each URL should be, and the list.
        let (mut should, mut list) = (Vec::new(), Vec::new());
        for url in urls {
            list.extend_from_slice(&text.as_bytes()[at..url.start]);
            let first = escaped.partition_point(|(old, _)| old.start < url.start);
            let inside = escaped[first..]
                .iter()
                .take_while(|(old, _)| old.end <= url.end);
            let inside = inside.map(|(old, new)| (old.start - url.start..old.end - url.start, new));
            let start = list.len();
            splice(
                &text.as_bytes()[url.clone()],
                inside,
                &mut list,
                |new, out| {
                    out.extend_from_slice(new);
                },
            );
            should.push(start..list.len());
            at = url.end;
        }
        list.extend_from_slice(&text.as_bytes()[at..]);
        let is_same = str::from_utf8(&list).is_ok_and(|list| plain(list) == should);
        is_same.then_some(escaped)
    };
    escaped(|byte| byte.is_ascii_whitespace() || byte == b'|')
        .or_else(|| escaped(|byte| byte.is_ascii_whitespace() || matches!(byte, b'|' | b',')))
        .ok_or(NOT_SEPARATED)
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
