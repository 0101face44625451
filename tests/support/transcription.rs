//! RFC 1808 §2.4 and §4 transcribed word by word, slowly: the judge of the resolver.
//!
//! It shares no code with the library. Step 6 is the string rewriting of the RFC, and step 7 pastes
//! everything together.

use std::borrow::Cow;

#[derive(Clone, Default)]
struct Parts<'u> {
    scheme: Option<&'u str>,
    net_loc: Option<&'u str>,
    /// Whether a slash precedes the path.
    slash: bool,
    path: Cow<'u, str>,
    params: Option<&'u str>,
    query: Option<&'u str>,
    fragment: Option<&'u str>,
}

fn parse(url: &str) -> Parts<'_> {
    let mut parts = Parts::default();
    let mut rest = url;
    // 2.4.1
    let find = |mark: u8, text: &str| memchr::memchr(mark, text.as_bytes());
    if let Some(at) = find(b'#', rest) {
        parts.fragment = Some(&rest[at + 1..]);
        rest = &rest[..at];
    }
    // 2.4.2
    if let Some(at) = find(b':', rest) {
        let allowed = |c: u8| c.is_ascii_alphanumeric() || b"+.-".contains(&c);
        if at > 0 && rest[..at].bytes().all(allowed) {
            parts.scheme = Some(&rest[..at]);
            rest = &rest[at + 1..];
        }
    }
    // 2.4.3
    if let Some(after) = rest.strip_prefix("//") {
        let end = find(b'/', after).unwrap_or(after.len());
        parts.net_loc = Some(&after[..end]);
        rest = &after[end..];
    }
    // 2.4.4
    if let Some(at) = find(b'?', rest) {
        parts.query = Some(&rest[at + 1..]);
        rest = &rest[..at];
    }
    // 2.4.5
    if let Some(at) = find(b';', rest) {
        parts.params = Some(&rest[at + 1..]);
        rest = &rest[..at];
    }
    // 2.4.6
    parts.slash = rest.starts_with('/');
    parts.path = rest.strip_prefix('/').unwrap_or(rest).into();
    parts
}

/// Section 4, in the reading "preserve".
pub(crate) fn resolve(base_text: &str, embedded_text: &str) -> String {
    // Step 1
    if base_text.is_empty() {
        return embedded_text.to_owned();
    }
    // Step 2
    let base = parse(base_text);
    let mut embedded = parse(embedded_text);
    if embedded_text.is_empty() {
        return base_text.to_owned();
    }
    if embedded.scheme.is_some() {
        return embedded_text.to_owned();
    }
    embedded.scheme = base.scheme;
    steps_3_to_6(&base, &mut embedded);
    step_7(&embedded)
}

fn steps_3_to_6<'u>(base: &Parts<'u>, embedded: &mut Parts<'u>) {
    // Step 3
    if !embedded.net_loc.unwrap_or_default().is_empty() {
        return;
    }
    embedded.net_loc = base.net_loc;
    // Step 4
    if embedded.slash {
        return;
    }
    // Step 5
    if embedded.path.is_empty() {
        embedded.slash = base.slash;
        embedded.path = base.path.clone();
        if embedded.params.is_some() {
            return;
        }
        embedded.params = base.params;
        if embedded.query.is_none() {
            embedded.query = base.query;
        }
        return;
    }
    // Step 6
    let kept = base.path.rfind('/').map_or(0, |at| at + 1);
    embedded.slash = base.slash || base.net_loc.is_some();
    let path = [&base.path[..kept], &embedded.path].concat();
    embedded.path = step_6(&path).into();
}

/// Step 6a to 6d, a segment at a time: rewriting strings takes time that grows with the square of
/// their length.
fn step_6(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::with_capacity(16);
    let mut start = 0;
    for end in memchr::memchr_iter(b'/', path.as_bytes()).chain([path.len()]) {
        let (segment, is_last) = (&path[start..end], end == path.len());
        start = end + 1;
        let can_go = kept.last().is_some_and(|before| *before != "..");
        match (segment, is_last) {
            // a)
            (".", false) => {}
            // b)
            (".", true) => kept.push(""),
            // c)
            ("..", false) if can_go => drop(kept.pop()),
            // d)
            ("..", true) if can_go => {
                kept.pop();
                kept.push("");
            }
            _ => kept.push(segment),
        }
    }
    kept.join("/")
}

fn step_7(parts: &Parts<'_>) -> String {
    let more = parts.params.is_some() || parts.query.is_some();
    let slash = match parts.net_loc {
        Some(_) if parts.path.is_empty() && more => "/",
        None if parts.slash && parts.path.starts_with('/') => "/./",
        None if parts.path.starts_with("//") => "/.",
        _ if parts.slash => "/",
        _ => "",
    };
    let mut url = String::with_capacity(256);
    for (before, part, after) in [
        ("", parts.scheme, ":"),
        ("//", parts.net_loc, ""),
        (slash, Some(&*parts.path), ""),
        (";", parts.params, ""),
        ("?", parts.query, ""),
        ("#", parts.fragment, ""),
    ] {
        if let Some(part) = part {
            url += before;
            url += part;
            url += after;
        }
    }
    url
}

#[cfg(test)]
mod tests {
    use super::step_6;

    /// Step 6a to 6d as string rewriting. A complete segment begins at the start or behind a slash.
    fn literal_step_6(path: &str) -> String {
        let mut path = path.to_owned();
        // a)
        while let Some(at) = find_segment(&path, "./", |_| true) {
            path.replace_range(at..at + 2, "");
        }
        // b)
        if path == "." || path.ends_with("/.") {
            path.pop();
        }
        // c)
        while let Some((at, length)) = leftmost_pair(&path) {
            path.replace_range(at..at + length, "");
        }
        // d)
        if let Some(before) = path.strip_suffix("/..") {
            let at = before.rfind('/').map_or(0, |at| at + 1);
            if &before[at..] != ".." {
                path.truncate(at);
            }
        }
        path
    }

    fn find_segment(path: &str, pattern: &str, more: impl Fn(usize) -> bool) -> Option<usize> {
        (0..path.len()).find(|&at| {
            path.is_char_boundary(at)
                && (at == 0 || path[..at].ends_with('/'))
                && path[at..].starts_with(pattern)
                && more(at)
        })
    }

    /// The leftmost "<segment>/../" whose segment is not "..": where it begins, how long it is.
    fn leftmost_pair(path: &str) -> Option<(usize, usize)> {
        let mut at = 0;
        for segment in path.split('/') {
            if segment != ".." && path[at + segment.len()..].starts_with("/../") {
                return Some((at, segment.len() + 4));
            }
            at += segment.len() + 1;
        }
        None
    }

    #[test]
    fn both_ways_of_step_6_are_the_same() {
        let segments = ["a", ".", "..", ""];
        for length in 1..7_u32 {
            for number in 0..4_usize.pow(length) {
                let path: Vec<&str> = (0..length)
                    .map(|at| segments[number / 4_usize.pow(at) % 4])
                    .collect();
                let path = path.join("/");
                assert_eq!(step_6(&path), literal_step_6(&path), "{path}");
            }
        }
    }
}
