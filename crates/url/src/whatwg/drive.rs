//! Segments that look like a Windows drive (`C:`, `C|`) but are not.
//!
//! Only a `file:` URL has a drive by the standard, which a following `..` does not remove. The crate
//! takes others for drives too, and in a build with assertions even fails one of its own. So if there
//! is one, dot segments are removed before the crate sees the path.

use memchr::memchr2;
use url::{Position, Url};

use super::file::{dots, is_drive};
use super::is_absolute;
use crate::rfc3986;

/// The URL that `input` stands for, with a path that has no dot segments; `None` where the crate
/// needs no help.
pub(super) fn without_dots(input: &str, base: Option<&Url>) -> Option<String> {
    let base_path = base.map_or("", Url::path);
    let after_scheme = rfc3986::scheme(input).map_or(0, |scheme| scheme.len() + 1);
    if !has_drive(&input[after_scheme..]) && !has_drive(base_path) {
        return None;
    }
    let (text, path) = absolute(input, base)?;
    let scheme = rfc3986::scheme(&text).unwrap_or_default();
    let special = super::is_special(scheme);
    let end = memchr2(b'?', b'#', &text.as_bytes()[path..]).map_or(text.len(), |at| path + at);
    let segments = text[path..end].split(|c| is_slash(c, special)).skip(1);
    let removed = remove_dots(segments);
    // Without an authority, a second slash would start one.
    let needs_dot = removed.starts_with('/') && !text[..path].contains("//");
    let dot = if needs_dot { "/." } else { "" };
    Some([&text[..path], dot, "/", &removed, &text[end..]].concat())
}

/// Whether one of the segments of `text` looks like a drive.
fn has_drive(text: &str) -> bool {
    memchr2(b':', b'|', text.as_bytes()).is_some()
        && text.split(['/', '\\', '?', '#']).any(is_drive)
}

fn is_slash(c: char, special: bool) -> bool {
    c == '/' || (special && c == '\\')
}

/// The text of an absolute URL that means the same as `input`, and where its path begins; `None` if
/// there is no real path.
fn absolute(input: &str, base: Option<&Url>) -> Option<(String, usize)> {
    let scheme = rfc3986::scheme(input);
    if let Some(scheme) = scheme
        && base.is_none_or(|base| is_absolute(base.as_str(), input))
    {
        let path = path_start(input, scheme)?;
        return Some((input.to_owned(), path));
    }
    let base = base.filter(|base| !base.cannot_be_a_base())?;
    let relative = &input[scheme.map_or(0, |scheme| scheme.len() + 1)..];
    let special = base.is_special();
    let mut characters = relative.chars();
    let root = &base[..Position::BeforePath];
    match (characters.next()?, characters.next()) {
        ('?' | '#', _) => None,
        (first, Some(second)) if is_slash(first, special) && is_slash(second, special) => {
            let text = format!("{}:{relative}", base.scheme());
            let path = path_start(&text, base.scheme())?;
            Some((text, path))
        }
        (first, _) if is_slash(first, special) => Some((format!("{root}{relative}"), root.len())),
        _ => {
            let (directory, _) = base.path().rsplit_once('/').unwrap_or_default();
            Some((format!("{root}{directory}/{relative}"), root.len()))
        }
    }
}

/// Where the path of an absolute URL begins.
fn path_start(url: &str, scheme: &str) -> Option<usize> {
    let special = super::is_special(scheme);
    let after_scheme = &url[scheme.len() + 1..];
    let authority = if special {
        after_scheme.trim_start_matches(['/', '\\'])
    } else {
        match after_scheme.strip_prefix("//") {
            Some(authority) => authority,
            None => return after_scheme.starts_with('/').then_some(scheme.len() + 1),
        }
    };
    let path = authority.find(|c| is_slash(c, special) || c == '?' || c == '#')?;
    let start = url.len() - authority.len() + path;
    let has_path = url[start..].starts_with(|c| is_slash(c, special));
    has_path.then_some(start)
}

/// The standard's path state: `.` and `..` are applied, even if percent-encoded.
fn remove_dots<'a>(segments: impl Iterator<Item = &'a str>) -> String {
    let mut left: Vec<&str> = Vec::new();
    let mut ends_with_dots = false;
    for segment in segments {
        let count = dots(segment);
        ends_with_dots = count.is_some();
        match count {
            Some(2) => {
                left.pop();
            }
            Some(_) => {}
            None => left.push(segment),
        }
    }
    if ends_with_dots {
        left.push("");
    }
    left.join("/")
}

#[cfg(test)]
mod tests {
    use crate::{BaseUrl, Resolver};

    #[test]
    fn what_looks_like_a_drive_is_a_name() {
        for (base, reference, expected) in [
            ("http://a/b/", "C|/..", "http://a/b/"),
            ("http://a/b/", "C|/x/../..", "http://a/b/"),
            ("http://a/b/", "/g:/../", "http://a/"),
            ("http://a/b/", "C|/./../x", "http://a/b/x"),
            ("http://a/b/", "foo://h?C|", "foo://h?C|"),
            ("http://a/C:/x", "../y?q#f", "http://a/y?q#f"),
            ("http://a/b/", "http:C|\\%2e.", "http://a/b/"),
            ("http://a/b/", "//h/C|/../x", "http://h/x"),
            ("http://a/b/", "foo://h/C|/../x", "foo://h/x"),
            ("x:/a/b", "C|/../..//g", "x:/.//g"),
            ("file:///C:/d", "../..", "file:///C:/"),
            ("file:/7/p:?q", "../../g", "file:///g"),
            ("file:///a/p:/x", "..", "file:///a/"),
            ("file:///a/b", "p|/../g", "file:///p:/g"),
            ("file:///a/b", "/x/p|/../g", "file:///x/g"),
            ("file:///a/p:", "../../C|/../g", "file:///C:/g"),
            ("file:e:/7/p:?/<!/", "../.", "file:///e:/"),
            ("file:///e:/7/p:/x", "../../../g", "file:///e:/g"),
            ("file:///e:/p:/x", "../p|/../y", "file:///e:/y"),
            ("file:///e:/p:/x", "/g", "file:///e:/g"),
            ("file:///e:", "7/p|", "file:///e:/7/p|"),
            ("file:///e:", "x/p|/..", "file:///e:/x/"),
        ] {
            let base = BaseUrl::any(base);
            let resolved = Resolver::Whatwg.resolve(&base, reference);
            assert_eq!(resolved.as_deref(), Ok(expected), "{base:?} + {reference}");
        }
    }
}
