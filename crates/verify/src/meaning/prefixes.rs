//! Where `--move-url` and `--unwrap` take a URL.

use abslink_html::{MappedPrefix, MappedPrefixes};
use abslink_url::percent;
use url::Url;

use super::resolvers::has_scheme;

/// What the longest prefix of a URL becomes, with what follows it; `None` if it has none of them.
fn longest<'p>(prefixes: impl Iterator<Item = &'p MappedPrefix>, url: &str) -> Option<String> {
    let known = prefixes.filter_map(|prefix| {
        let (from, to) = prefix.parts();
        Some((from.len(), format!("{to}{}", after(from, url)?)))
    });
    let longest = known.max_by_key(|(length, _)| *length)?;
    Some(longest.1)
}

/// A URL where it is moved to, or itself. What was moved already stays.
pub(super) fn moved(moves: &MappedPrefixes, url: &str) -> String {
    let done = moves.iter().filter_map(|prefix| {
        let to = prefix.parts().1;
        after(to, url).map(|_| to.len())
    });
    let done = done.max().unwrap_or_default();
    let longer = moves.iter().filter(|prefix| prefix.parts().0.len() > done);
    longest(longer, url).unwrap_or_else(|| url.to_owned())
}

/// What follows a prefix that has no final slash: nothing, or it begins with one.
pub(super) fn after(prefix: &str, url: &str) -> Option<String> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let (server, path) = split(&url[..end])?;
    let (of_prefix, begin) = split(prefix)?;
    let depth = begin.matches('/').count();
    let ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    let (begins, rest) = path.split_at(ends.into_iter().nth(depth)?);
    let is_same = server == of_prefix && percent::decode(begins) == percent::decode(begin);
    let climbs = !begin.is_empty() && climbs(rest);
    (is_same && !climbs).then(|| format!("{rest}{}", &url[end..]))
}

/// Whether the dot segments of a path lead above where it begins.
fn climbs(path: &str) -> bool {
    let segments = path.split('/').skip(1).map(percent::decode);
    let mut depth = 0_i64;
    segments.into_iter().any(|segment| {
        depth += match &segment[..] {
            b"." => 0,
            b".." => -1,
            _ => 1,
        };
        depth < 0
    })
}

/// A URL as its server, by the URL Standard, and what follows it.
pub(super) fn split(url: &str) -> Option<(String, &str)> {
    let (scheme, after) = url.split_once("://")?;
    if scheme.contains([':', '/', '?', '#']) {
        return None;
    }
    let (authority, rest) = after.split_at(after.find(['/', '?', '#']).unwrap_or(after.len()));
    let server = format!("{scheme}://{authority}/");
    let server = Url::parse(&server).map_or(server, String::from);
    let server = server.trim_end_matches('/');
    let (user, host) = server.split_at(server.rfind(['@', '/']).map_or(0, |at| at + 1));
    Some((format!("{user}{}", host.to_ascii_lowercase()), rest))
}

/// A URL with its server by the URL Standard, and with the slash of the root.
pub(super) fn normal(url: &str) -> String {
    let Some((server, rest)) = split(url) else {
        return url.to_owned();
    };
    let root = if rest.starts_with('/') { "" } else { "/" };
    format!("{server}{root}{rest}")
}

/// The URL after the last timestamp in the path of a web archive's URL, or the URL itself.
pub(super) fn unwrapped(url: String) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let scheme = url.find(':').filter(|_| has_scheme(&url));
    let is_of_web = |at| ["http", "https"].contains(&&*url[..at].to_ascii_lowercase());
    if scheme.is_some_and(|at| !is_of_web(at)) {
        return url;
    }
    let scheme = scheme.map_or(0, |at| at + 1);
    let slashes = url[scheme..end].len() - url[scheme..end].trim_start_matches('/').len();
    let host = scheme + slashes;
    let start = url[host..end].find('/').map_or(end, |at| host + at);
    let path = &url[start..end];
    let found = path.rmatch_indices(":/").find_map(|(at, colon)| {
        let mut back = path[..at].rsplit('/');
        let (scheme, stamp, above) = (back.next()?, back.next()?, back.next());
        let behind = at + colon.len();
        let slashes = path[behind..].len() - path[behind..].trim_start_matches('/').len();
        let has_host = slashes < 2 && behind + slashes < path.len();
        let is_url = ["http", "https"].contains(&&*scheme.to_ascii_lowercase()) && has_host;
        (is_url && is_timestamp(stamp, above)).then(|| (scheme, start + behind + slashes))
    });
    match found {
        Some((scheme, at)) => format!("{scheme}://{}", &url[at..]),
        None => url,
    }
}

fn is_timestamp(segment: &str, above: Option<&str>) -> bool {
    let flags = segment.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = segment.len() - flags.len();
    let is_flagged = flags.len() == 3
        && flags.ends_with('_')
        && flags[..2].bytes().all(|byte| byte.is_ascii_alphabetic());
    (digits == 14 || above == Some("web") && (1..14).contains(&digits))
        && (flags.is_empty() || is_flagged)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_is_mapped() {
        let mut prefixes = MappedPrefixes::default();
        for prefix in [
            "http://h/=http://n/",
            "http://h/a/b=http://m/c",
            "http://u@h=http://o",
        ] {
            prefixes = prefixes.with(prefix.parse().unwrap()).unwrap();
        }
        for (target, expected) in [
            ("http://h", Some("http://n")),
            ("HTTP://H/a?x#y", Some("http://n/a?x#y")),
            ("http://h/a/b", Some("http://m/c")),
            ("http://h/a/b/d?http://h/", Some("http://m/c/d?http://h/")),
            ("http://h/a/bc", Some("http://n/a/bc")),
            ("http://hh/a", None),
            ("http://u@h/a", Some("http://o/a")),
            ("http://U@h/a", None),
            ("mailto:x", None),
        ] {
            let mapped = longest(prefixes.iter(), target);
            assert_eq!(mapped.as_deref(), expected, "{target}");
        }
    }
}
