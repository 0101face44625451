//! RFC 1738 §3.1, `user:password@host`: URLs as they may be shown to others.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use super::percent;

/// A value, such as a URL, with `***` for each password in it.
///
/// The URL may be inside another one, as in a query or after `view-source:`, even with its
/// delimiters percent-encoded. It counts even if only a browser takes it for a URL: `http:u:p@h`.
///
/// # Examples
/// ```
/// use abslink_url::password::masked;
/// assert_eq!(masked("http://u:p@h/"), "http://u:***@h/");
/// assert_eq!(masked("//u@h:80/"), "//u@h:80/");
/// ```
pub fn masked(value: &str) -> Cow<'_, str> {
    masked_until(value, |_| false)
}

/// The same for a line of text with URLs in it, which spaces and angle brackets end.
///
/// # Examples
/// ```
/// use abslink_url::password::masked_line;
/// assert_eq!(masked_line("see <ftp://u:p@h>, mail a@b"), "see <ftp://u:***@h>, mail a@b");
/// ```
pub fn masked_line(line: &str) -> Cow<'_, str> {
    masked_until(line, |byte| {
        byte.is_ascii_whitespace() || b"<>".contains(&byte)
    })
}

/// The same for what should be a URL. Without its scheme, `user:password@host/` has none of the marks of a URL, so
/// what stands before its `@` is not shown.
#[doc(hidden)]
pub fn masked_url(value: &str) -> Cow<'_, str> {
    match bare_login(value) {
        Some(login) => format!("***{}", masked(&value[login.len()..])).into(),
        None => masked(value),
    }
}

/// What stands before an `@` that comes before the first `/`, `?` or `#`, and is not an address of mail.
#[doc(hidden)]
pub fn bare_login(value: &str) -> Option<&str> {
    let end = value.find(['/', '?', '#']).unwrap_or(value.len());
    let (login, _) = value[..end].rsplit_once('@')?;
    let start = login.get(..7);
    let is_mail = start.is_some_and(|start| start.eq_ignore_ascii_case("mailto:"));
    (!login.is_empty() && !is_mail).then_some(login)
}

/// The first password in a value.
///
/// # Examples
/// ```
/// assert_eq!(abslink_url::password::first("http://u:p@h/"), Some("p"));
/// ```
pub fn first(value: &str) -> Option<&str> {
    ranges(value, |_| false).next().map(|range| &value[range])
}

fn masked_until(text: &str, ends: impl Fn(u8) -> bool) -> Cow<'_, str> {
    let (mut masked, mut copied) = (String::new(), 0);
    for password in ranges(text, ends) {
        masked.push_str(&text[copied..password.start]);
        masked.push_str("***");
        copied = password.end;
    }
    match copied {
        0 => text.into(),
        _ => (masked + &text[copied..]).into(),
    }
}

/// Where the passwords are.
fn ranges(text: &str, ends: impl Fn(u8) -> bool) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let may_have = bytes.contains(&b'@') || text.contains("%40");
    let mut at = if may_have { 0 } else { bytes.len() };
    let logins = iter::from_fn(move || {
        let (start, encoded) = start(bytes, at)?;
        let (password, end) = password(bytes, start, encoded, &ends);
        at = end;
        Some(password)
    });
    logins.flatten()
}

/// Where the password of a network location that begins at `start` is, and where the network location ends. Its
/// delimiters may be percent-encoded.
fn password(
    text: &[u8],
    start: usize,
    encoded: bool,
    ends: impl Fn(u8) -> bool,
) -> (Option<Range<usize>>, usize) {
    // The last `@` ends the password: a user name may contain one too.
    let (mut password, mut host, mut end) = (None, None, start);
    while let Some((byte, length)) = delimiter(&text[end..], encoded) {
        let is_ended = is_slash(byte) || b"?#".contains(&byte) || ends(byte);
        if is_ended || (encoded && byte == b'&') {
            break;
        }
        match byte {
            b':' if password.is_none() => password = Some(end + length),
            b'@' if password.is_some() => host = Some(end),
            _ => {}
        }
        end += length;
    }
    let range = password.zip(host).map(|(start, end)| start..end);
    (range, end)
}

/// The first byte of what is left, or the delimiter that is encoded there, and its length.
fn delimiter(rest: &[u8], encoded: bool) -> Option<(u8, usize)> {
    let escaped = percent::escape(rest).filter(|byte| encoded && b":/\\?#@".contains(byte));
    match escaped {
        Some(byte) => Some((byte, 3)),
        None => rest.first().map(|byte| (*byte, 1)),
    }
}

/// Browsers take a backslash for a slash.
fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

/// Where the next network location begins: after two slashes, or after a scheme with which browsers need none; and
/// whether its delimiters are percent-encoded, since the URL is part of another one.
fn start(text: &[u8], from: usize) -> Option<(usize, bool)> {
    let mut at = from;
    while let Some((byte, length)) = delimiter(text.get(at..)?, true) {
        let begins = byte == b':' && ends_in_scheme(&text[..at]);
        if !begins && !is_slash(byte) {
            at += length;
            continue;
        }
        let (slashes, end, encoded) = slashes(text, if begins { at + length } else { at });
        if begins || slashes > 1 {
            let encoded = encoded || (begins && length > 1);
            return Some((end, encoded));
        }
        at = end;
    }
    None
}

/// How many slashes there are, where they end, and whether one of them is encoded. Browsers ignore
/// tabs and line breaks.
fn slashes(text: &[u8], from: usize) -> (usize, usize, bool) {
    let (mut count, mut end, mut encoded) = (0, from, false);
    while let Some((byte, length)) = delimiter(&text[end..], true) {
        match byte {
            b'\t' | b'\r' | b'\n' => {}
            _ if is_slash(byte) => {
                count += 1;
                encoded |= length > 1;
            }
            _ => break,
        }
        end += length;
    }
    (count, end, encoded)
}

/// Whether text ends in a scheme that a login may follow without slashes.
fn ends_in_scheme(text: &[u8]) -> bool {
    const SCHEMES: [&str; 7] = ["http", "https", "ftp", "ws", "wss", "sip", "sips"];
    SCHEMES.iter().any(|scheme| {
        let split = text.len().checked_sub(scheme.len());
        split.is_some_and(|split| {
            let (before, name) = text.split_at(split);
            let inside = before.last().is_some_and(u8::is_ascii_alphanumeric);
            name.eq_ignore_ascii_case(scheme.as_bytes()) && !inside
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked() {
        for (value, expected) in [
            ("http://u:p@h/a@b", "http://u:***@h/a@b"),
            ("//u:p@h", "//u:***@h"),
            (r"http:\\u:p:q@r@h\x", r"http:\\u:***@h\x"),
            ("HTTP:u:p@h/", "HTTP:u:***@h/"),
            ("sip:u:p@h", "sip:u:***@h"),
            ("///u:p w@h/", "///u:***@h/"),
            ("/\t/u:\"p'<w>@h/", "/\t/u:***@h/"),
            ("http://u:é@h/é", "http://u:***@h/é"),
            ("ftp://v:@g/", "ftp://v:***@g/"),
            ("http://:p@h/", "http://:***@h/"),
            // The host begins after the last one.
            ("http://me@mail.com:p@h/", "http://me@mail.com:***@h/"),
            ("http://u%40mail:p%40%2Fw@h/", "http://u%40mail:***@h/"),
            // Inside others.
            (
                "view-source:git+ssh://u:p@h/x",
                "view-source:git+ssh://u:***@h/x",
            ),
            ("jdbc:mysql://u:p@h/x", "jdbc:mysql://u:***@h/x"),
            (
                "data:text/html,<a href=http://u:p@h/>",
                "data:text/html,<a href=http://u:***@h/>",
            ),
            (
                "http://u:p@a/http://v:q@b/",
                "http://u:***@a/http://v:***@b/",
            ),
            (
                "/x?to=http%3A%2F%2Fu%3Ap%40h%2Fy%40z&c:d@e",
                "/x?to=http%3A%2F%2Fu%3A***%40h%2Fy%40z&c:d@e",
            ),
            ("?to=%2f%2fu:p@h", "?to=%2f%2fu:***@h"),
            ("?to=ftp%3Au%3ap%40h", "?to=ftp%3Au%3a***%40h"),
        ] {
            assert_eq!(masked(value), expected);
            assert_eq!(masked(expected), expected, "twice");
        }
        let line = "x 'http://u:p@h/' <ftp://v:q@g>: c:d@e";
        let expected = "x 'http://u:***@h/' <ftp://v:***@g>: c:d@e";
        assert_eq!(masked_line(line), expected);
    }

    #[test]
    fn a_login_needs_no_scheme_in_what_should_be_a_url() {
        for (value, expected) in [
            ("u:p@h", "***@h"),
            ("u:p@x@h/a@b", "***@h/a@b"),
            ("token@h?u:p@h", "***@h?u:p@h"),
            ("u:p@h?x=//v:q@g", "***@h?x=//v:***@g"),
            ("http://u:p@h/", "http://u:***@h/"),
            ("h/u:p@h", "h/u:p@h"),
            ("@h", "@h"),
            ("MAILTO:a@h", "MAILTO:a@h"),
            ("h:80", "h:80"),
        ] {
            assert_eq!(masked_url(value), expected);
            assert_eq!(masked_url(expected), expected, "twice");
        }
    }

    #[test]
    fn what_is_no_password_stays() {
        for value in [
            "http://u@h:80/:x@y",
            "http://h:80/@u",
            "mailto:a:b@c",
            "http://h:80/?a:b@c#d:e@f",
            "http://u:p%40h/",
            "a/b:c@d",
            "%",
            "%40%2",
            "http://u:p",
            "@",
        ] {
            assert_eq!(masked(value), value);
        }
        for line in ["d//x.html:1:9: <a href> mailto:a@b", "//h:8 -> c:d@e"] {
            assert_eq!(masked_line(line), line);
        }
    }

    /// Counts, not seconds: each byte is looked at a few times, however many locations seem to
    /// begin.
    #[test]
    fn long_values_end() {
        for piece in ["//", "http:", "a:", "%2F", "//a:b", "http:a:@", "/\t"] {
            let value = piece.repeat(200_000) + "@";
            assert!(masked(&value).len() <= value.len() + 3 * 200_000);
        }
    }
}
