//! RFC 3986 §5.2.2 to the letter, with the split of its Appendix B.
//!
//! The split accepts any text, as real pages need: spaces, `|`, `%zz`, `[` in paths. Grammar is not
//! checked. What follows from the letter of §5.2: dot segments are removed even from an absolute
//! reference, surplus `..` vanish, `%2e` is not a dot, and a path that begins with `//` without an
//! authority is written as it is (`x:/a/b` and `..//g` give `x://g`).

use memchr::memchr;

use super::rfc1808::resolve::Base;
use super::rfc1808::{Components, parse};

/// Appendix B: splits any text into the five components of §3. The network location is what §3.2 calls the authority,
/// and parameters are part of the path. A scheme must be one by §3.1, which the expression of the appendix takes for
/// granted: `1:g` is a relative path.
///
/// # Examples
/// ```
/// let uri = abslink_url::rfc3986::split("http://a?q/b;c");
/// assert_eq!((uri.net_loc, uri.path, uri.query), (Some("a"), "", Some("q/b;c")));
/// ```
pub fn split(uri: &str) -> Components<'_> {
    let mut rest = uri;
    let fragment = parse::fragment(&mut rest);
    let query = parse::query(&mut rest);
    let scheme = scheme(rest);
    rest = scheme.map_or(rest, |scheme| &rest[scheme.len() + 1..]);
    Components {
        scheme,
        net_loc: parse::net_loc(&mut rest),
        path: rest,
        params: None,
        query,
        fragment,
    }
}

/// §3.1: the scheme of a URI; `None` if `uri` is a relative reference.
pub fn scheme(uri: &str) -> Option<&str> {
    let starts_right = |scheme: &&str| scheme.as_bytes()[0].is_ascii_alphabetic();
    parse::scheme(&mut &*uri).filter(starts_right)
}

/// A base URI as §5.2.2 needs it; its directory is what §5.2.3 takes of it.
pub(crate) fn base(text: &str) -> Base {
    let parts = split(text);
    let scheme = parts.scheme.map_or(0, |scheme| scheme.len() + 1);
    let net_loc = scheme + parts.net_loc.map_or(0, |authority| authority.len() + 2);
    let path = net_loc + parts.path.len();
    let mut directory = text[..net_loc].to_owned();
    let merged = match parts.path.rfind('/') {
        Some(slash) => &parts.path[..=slash],
        None if parts.net_loc.is_some() => "/",
        None => "",
    };
    remove_dot_segments(&mut directory, net_loc, merged);
    Base {
        scheme,
        net_loc,
        path,
        params: path,
        query: path + parts.query.map_or(0, |query| query.len() + 1),
        directory,
        bottom: net_loc,
    }
}

/// §5.2.2: appends the target of `reference` to `out`. `text` is what `base` was made from.
pub(crate) fn resolve_into(base: &Base, text: &str, reference: &str, out: &mut String) {
    let parts = split(reference);
    let tail = &reference[reference.len() - after_path(&parts)..];
    let start = out.len();
    // "if defined(R.scheme)"
    if let Some(scheme) = parts.scheme {
        let own = scheme.len() + 1 + parts.net_loc.map_or(0, |authority| authority.len() + 2);
        out.push_str(&reference[..own]);
        remove_dot_segments(out, start + own, parts.path);
    }
    // "if defined(R.authority)"
    else if let Some(authority) = parts.net_loc {
        out.push_str(&text[..base.scheme]);
        out.push_str(&reference[..authority.len() + 2]);
        let bottom = out.len();
        remove_dot_segments(out, bottom, parts.path);
    }
    // "if (R.path == "")"
    else if parts.path.is_empty() {
        let has_query = parts.query.is_some();
        let inherited = if has_query { base.path } else { base.query };
        out.push_str(&text[..inherited]);
    }
    // "if (R.path starts-with "/")"
    else if parts.path.starts_with('/') {
        out.push_str(&text[..base.net_loc]);
        remove_dot_segments(out, start + base.net_loc, parts.path);
    }
    // §5.2.3: "merge(Base.path, R.path)"
    else {
        out.push_str(&base.directory);
        append_segments(out, start + base.bottom, parts.path);
    }
    out.push_str(tail);
}

/// Whether §5.2.2 leaves an absolute `reference` as it is.
pub(crate) fn is_fixed(reference: &str) -> bool {
    let mut segments = split(reference).path.split('/');
    segments.all(|segment| segment != "." && segment != "..")
}

/// The length of query and fragment with their delimiters.
fn after_path(parts: &Components<'_>) -> usize {
    parts.query.map_or(0, |query| query.len() + 1)
        + parts.fragment.map_or(0, |fragment| fragment.len() + 1)
}

/// §5.2.4: appends `path` to `out[bottom..]`, which is empty, without its dot segments.
fn remove_dot_segments(out: &mut String, bottom: usize, path: &str) {
    match path.strip_prefix('/') {
        Some(path) => {
            out.push('/');
            append_segments(out, bottom, path);
        }
        None => append_segments(out, bottom, path),
    }
}

/// §5.2.4: the loop, on an output `out[bottom..]` that is empty or ends with a slash.
fn append_segments(out: &mut String, bottom: usize, path: &str) {
    let mut rest = path;
    loop {
        let slash = memchr(b'/', rest.as_bytes());
        let after = slash.map_or(rest.len(), |slash| slash + 1);
        match &rest[..slash.unwrap_or(rest.len())] {
            // 2A (at the beginning), 2B, 2D
            "." => {}
            // 2A (at the beginning), 2C, 2D
            ".." => remove_last_segment(out, bottom),
            // 2E
            _ => out.push_str(&rest[..after]),
        }
        if slash.is_none() {
            return;
        }
        rest = &rest[after..];
    }
}

/// §5.2.4 2C: "remove the last segment and its preceding "/" (if any) from the output buffer"; the
/// slash with which the input buffer then begins is appended at once. So `a/..` gives `/`.
fn remove_last_segment(out: &mut String, bottom: usize) {
    let Some(output) = out[bottom..].strip_suffix('/') else {
        return;
    };
    let end = output.rfind('/').unwrap_or(0);
    out.truncate(bottom + end);
    out.push('/');
}
