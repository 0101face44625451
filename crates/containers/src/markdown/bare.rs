//! GFM §6.9: URLs in plain text.

use std::ops::Range;

const SCHEMES: [&[u8]; 3] = [b"http", b"https", b"ftp"];

/// The first URL that begins within `range`, which may go on behind it.
pub(super) fn next(bytes: &[u8], range: Range<usize>) -> Option<Range<usize>> {
    let with_scheme = memchr::memmem::find_iter(&bytes[range.clone()], b"://").find_map(|colon| {
        let colon = range.start + colon;
        let letters = bytes[range.start..colon].iter().rev();
        let scheme = colon
            - letters
                .take_while(|byte| byte.is_ascii_alphabetic())
                .count();
        let is_known = SCHEMES
            .iter()
            .any(|it| bytes[scheme..colon].eq_ignore_ascii_case(it));
        let start = colon + "://".len();
        let length = is_known.then(|| length(&bytes[start..])).flatten()?;
        Some(scheme..start + length)
    });
    let end = with_scheme.as_ref().map_or(range.end, |url| url.start);
    let without = memchr::memmem::find_iter(&bytes[range.start..end], b"www.").find_map(|at| {
        let start = range.start + at;
        let before = start.checked_sub(1).map(|before| bytes[before]);
        let may_begin = before.is_none_or(|it| it.is_ascii_whitespace() || b"*_~(|".contains(&it));
        let length = may_begin.then(|| length(&bytes[start..])).flatten()?;
        Some(start..start + length)
    });
    without.or(with_scheme)
}

/// How long a URL is behind its `://`, if it is one.
fn length(rest: &[u8]) -> Option<usize> {
    let end = rest
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b'<');
    let mut rest = &rest[..end.unwrap_or(rest.len())];
    let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
    if !rest.first().is_some_and(|first| is_of_host(*first)) {
        return None;
    }
    let is_part = |byte: &&u8| is_of_host(**byte) || matches!(byte, b'-' | b'_' | b'.');
    let host = &rest[..rest.iter().take_while(is_part).count()];
    let mut labels = host.rsplit(|byte| *byte == b'.');
    let last = labels.by_ref().take(2);
    let has_underscore = last.flatten().any(|byte| *byte == b'_');
    if has_underscore && labels.count() < 9 {
        return None;
    }
    let count = |of| memchr::memchr_iter(of, rest).count();
    let mut surplus = count(b')').saturating_sub(count(b'('));
    while let Some(last) = rest.last() {
        let cut = match last {
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => 1,
            b';' => {
                let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
                let name = rest[..rest.len() - 1]
                    .iter()
                    .rev()
                    .take_while(is_letter)
                    .count();
                let is_reference =
                    name > 0 && rest.len() > name + 1 && rest[rest.len() - name - 2] == b'&';
                if is_reference { name + 2 } else { 1 }
            }
            b')' if surplus > 0 => {
                surplus -= 1;
                1
            }
            _ => 0,
        };
        if cut == 0 {
            break;
        }
        rest = &rest[..rest.len() - cut];
    }
    Some(rest.len())
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn urls_in_text() {
        for (text, url) in [
            ("see https://a.b/c?d=e. f", Some("https://a.b/c?d=e")),
            ("(HTTP://a/b(c))", Some("HTTP://a/b(c)")),
            ("ftp://a/&hl;", Some("ftp://a/")),
            ("xhttp://a/", None),
            ("1http://a/", Some("http://a/")),
            ("http://a_b/ http://c/", Some("http://c/")),
            ("http:/// https://", None),
            ("http://a/b<c", Some("http://a/b")),
            ("http://a/**b**", Some("http://a/**b")),
            ("(www.a/b) http://c/", Some("www.a/b")),
            ("xwww.a/", None),
        ] {
            let found = next(text.as_bytes(), 0..text.len());
            assert_eq!(found.map(|it| &text[it]), url, "{text}");
        }
    }
}
