//! `file:` URLs, by the states of the URL Standard's parser (§4.4) that only they have.
//!
//! The crate drops empty segments at the start of their paths, and takes the path of a URL with a
//! host and a Windows drive for one without a host. Its type cannot hold such URLs, so only their
//! hosts are parsed by the crate.

use url::{Host, ParseError};

use super::host;
use crate::rfc3986;
use crate::text::{percent, split};

const SLASHES: [char; 2] = ['/', '\\'];

/// The `file:` URL that `input` stands for against `base`, another one; `None` where its scheme is not `file`. Its host
/// is never null and its path never empty.
pub(super) fn parse(input: &str, base: Option<&str>) -> Option<Result<String, ParseError>> {
    let scheme = input.get(.."file:".len());
    if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        return Some(parse_after_scheme(&input["file:".len()..], base));
    }
    let base = base.filter(|_| rfc3986::scheme(input).is_none())?;
    Some(parse_after_scheme(input, Some(base)))
}

/// The file state.
fn parse_after_scheme(input: &str, base: Option<&str>) -> Result<String, ParseError> {
    let base = base.map(rfc3986::split).unwrap_or_default();
    let (before, fragment) = split(input, '#');
    let (hierarchy, mut query) = split(before, '?');
    let mut url = String::from("file://");
    let mut path = String::new();
    let inherited_host = base.net_loc.unwrap_or_default();
    if let Some(after) = hierarchy.strip_prefix(SLASHES) {
        if let Some(after) = after.strip_prefix(SLASHES) {
            let rest = push_host(after, &mut url)?;
            push_segments(rest, &mut path);
        } else {
            // The file slash state.
            url.push_str(inherited_host);
            let drive = first_segment(base.path);
            if is_normal_drive(drive) && !is_drive(first_segment(hierarchy)) {
                path.extend(["/", drive]);
            }
            push_segments(after, &mut path);
        }
    } else {
        url.push_str(inherited_host);
        if !is_drive(hierarchy.split(SLASHES).next().unwrap_or_default()) {
            path.push_str(base.path);
        }
        if hierarchy.is_empty() && !path.is_empty() {
            // The base's query is encoded already, and nothing in it is encoded again.
            query = query.or(base.query);
        } else {
            shorten(&mut path);
            push_segments(hierarchy, &mut path);
        }
    }
    url.push_str(&path);
    if let Some(query) = query {
        url.push('?');
        encode(query, b"\"#<>'", &mut url);
    }
    if let Some(fragment) = fragment {
        url.push('#');
        encode(fragment, b"\"<>`", &mut url);
    }
    Ok(url)
}

/// The file host state and the path start state. Returns what the path state reads.
fn push_host<'a>(input: &'a str, url: &mut String) -> Result<&'a str, ParseError> {
    let end = input.find(SLASHES).unwrap_or(input.len());
    let (host, rest) = input.split_at(end);
    if is_drive(host) {
        return Ok(input);
    }
    if !host.is_empty() {
        let host = parse_host(host)?;
        url.push_str(if host == "localhost" { "" } else { &host });
    }
    Ok(rest.strip_prefix(SLASHES).unwrap_or(rest))
}

fn parse_host(text: &str) -> Result<String, ParseError> {
    match Host::parse(text) {
        Ok(host) => Ok(host.to_string()),
        Err(error) => {
            let (stand_in, host) = host::refused(text).ok_or(error)?;
            Host::parse(&stand_in)?;
            Ok(host)
        }
    }
}

/// The path state.
fn push_segments(text: &str, path: &mut String) {
    let mut segments = text.split(SLASHES).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match dots(segment) {
            Some(count) => {
                if count == 2 {
                    shorten(path);
                }
                if is_last {
                    path.push('/');
                }
            }
            None if path.is_empty() && is_drive(segment) => {
                path.extend(["/", &segment[..1], ":"]);
            }
            None => {
                path.push('/');
                encode(segment, b"\"#<>?^`{}", path);
            }
        }
    }
}

/// Removes the last segment, unless it is a drive and the only one.
fn shorten(path: &mut String) {
    let is_only_drive = path.strip_prefix('/').is_some_and(is_normal_drive);
    if !is_only_drive {
        path.truncate(path.rfind('/').unwrap_or(0));
    }
}

/// 1 for a single-dot and 2 for a double-dot URL path segment, in which `%2e` is a dot.
pub(crate) fn dots(segment: &str) -> Option<usize> {
    let mut rest = segment;
    let mut count = 0;
    while !rest.is_empty() {
        let escape = rest.get(..3);
        let is_escaped = escape.is_some_and(|escape| escape.eq_ignore_ascii_case("%2e"));
        if count == 2 || !is_escaped && !rest.starts_with('.') {
            return None;
        }
        rest = &rest[if is_escaped { 3 } else { 1 }..];
        count += 1;
    }
    (count > 0).then_some(count)
}

/// Whether a segment is a Windows drive letter.
pub(super) fn is_drive(segment: &str) -> bool {
    matches!(segment.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Whether a segment is a normalized Windows drive letter.
fn is_normal_drive(segment: &str) -> bool {
    is_drive(segment) && segment.ends_with(':')
}

/// The first segment of a path that begins with a slash.
fn first_segment(path: &str) -> &str {
    path.split(SLASHES).nth(1).unwrap_or_default()
}

/// UTF-8 percent-encodes what is in the percent-encode set of C0 controls, space and `set`.
fn encode(text: &str, set: &[u8], to: &mut String) {
    let stays = |rest: &[u8]| rest[0].is_ascii_graphic() && !set.contains(&rest[0]);
    percent::encode(text.as_bytes(), stays, to);
}

#[cfg(test)]
mod tests {
    use crate::{BaseUrl, Resolver, divergence};

    #[test]
    fn paths_hosts_and_drives() {
        for (base, reference, expected) in [
            ("file:///a", "////b", Some("file:////b")),
            ("file:////", "file:///.//", Some("file:////")),
            ("file:///a//b", "../..", Some("file:///")),
            ("file:////b/c", "d", Some("file:////b/d")),
            ("file:////b/c", "/d", Some("file:///d")),
            ("file:////b/c?q", "#f", Some("file:////b/c?q#f")),
            ("file://h//b?q", "", Some("file://h//b?q")),
            ("file://h//b?q", "?", Some("file://h//b?")),
            ("x:", "FILE:.//p", Some("file:////p")),
            ("file://h/a", "c|/d", Some("file://h/c:/d")),
            ("file://h/a", "//C|/d", Some("file:///C:/d")),
            ("file://h/C:/a/b", "/", Some("file://h/C:/")),
            ("file://h/C:/a/b", "../../..", Some("file://h/C:/")),
            ("file://h/C|/a/b", "/d|/", Some("file://h/d:/")),
            ("file://h/a", "//[::1]/C:/..", Some("file://[::1]/C:/")),
            ("file://h/a", "\\\\LOCALhost\\\\p", Some("file:////p")),
            ("file://h/a", "//%61%62.XN--/p", Some("file://ab.xn--/p")),
            ("file://h/a", "//h:80/p", None),
            ("file://h/a", "//u@h/p", None),
            ("file://h/a", "//%3A/p", None),
            ("file://h/a", "http:x", Some("http://x/")),
            ("http://h/a", "file:x", Some("file:///x")),
            (
                "file://h/",
                " \"#<>?^`{|}~%é\0'/x?\"<>?^`{|}'é#\"<>#?^`{|}'é",
                Some(
                    "file://h/%22#%3C%3E?^%60{|}~%%C3%A9%00'/x?%22%3C%3E?^%60{|}'%C3%A9\
                     #%22%3C%3E#?^%60{|}'%C3%A9",
                ),
            ),
            (
                "file://h/",
                "\"<>^`{|}~%'é\0/x?\"<>?^`{|}'é\u{7f}",
                Some("file://h/%22%3C%3E%5E%60%7B|%7D~%'%C3%A9%00/x?%22%3C%3E?^`{|}%27%C3%A9%7F"),
            ),
        ] {
            let base = BaseUrl::any(base);
            let resolved = Resolver::Whatwg.resolve(&base, reference).ok();
            assert_eq!(resolved.as_deref(), expected, "{base:?} + {reference}");
            if let Some(expected) = expected {
                let again = Resolver::Whatwg.resolve(&BaseUrl::any(""), expected);
                assert_eq!(again.as_deref(), Ok(expected));
                assert_eq!(divergence::differs(&base, reference, expected), None);
            }
        }
    }

    #[test]
    fn what_a_browser_gets_has_the_empty_segments() {
        let base = BaseUrl::any("file:///a/b");
        for (reference, resolved) in [("////c", "file:///c"), ("/..//c", "file:///c")] {
            let found = divergence(&base, reference, resolved).unwrap();
            assert_eq!(found.browser.as_deref(), Some("file:////c"), "{reference}");
        }
    }
}
