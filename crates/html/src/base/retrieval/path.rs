//! The path of a file below a directory whose URL is known, for every layout.

use super::url_evidence::UrlEvidence;
use crate::base::BaseSource;
use abslink_url::percent;

/// Whether the last name of a path looks like one that a program has given by a URL with a query; `marks` spell the
/// question mark.
pub(in crate::base) fn names_query(path: &str, marks: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut queries = marks.iter().filter_map(|mark| name.split_once(mark));
    queries.next().is_some_and(|(_, query)| query.contains('='))
}

/// What a path says below a directory whose URL ends with a slash. The last name of the path is left
/// out if it is one of `index`; `stays` is as for [`percent::encode`].
pub(super) fn below(
    mut url: String,
    path: &[u8],
    query: Option<&[u8]>,
    index: &[String],
    stays: impl Fn(&[u8]) -> bool,
) -> UrlEvidence {
    let query = query.map_or_else(String::new, |spelled| {
        let mut query = "?".to_owned();
        let stays = |rest: &[u8]| stays(rest) || rest.starts_with(b"?");
        percent::encode(spelled, stays, &mut query);
        query
    });
    let (parents, name) = split_name(path);
    percent::encode(parents, &stays, &mut url);
    let mut whole = String::with_capacity(url.len() + name.len() + query.len());
    whole.push_str(&url);
    percent::encode(name, &stays, &mut whole);
    whole.push_str(&query);
    if !index.iter().any(|index| index.as_bytes() == name) {
        return UrlEvidence::plain(BaseSource::Layout, &whole);
    }
    UrlEvidence {
        index: Some(whole),
        ..UrlEvidence::plain(BaseSource::Layout, &(url + &query))
    }
}

/// A name with `%` and two small digits for some of its bytes.
pub(super) fn escaped(name: &[u8], is_escaped: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(name.len());
    for &byte in name {
        if is_escaped(byte) {
            escaped.extend(format!("%{byte:02x}").bytes());
        } else {
            escaped.push(byte);
        }
    }
    escaped
}

/// Splits a path after its last slash.
pub(super) fn split_name(path: &[u8]) -> (&[u8], &[u8]) {
    let slash = path.iter().rposition(|&byte| byte == b'/');
    path.split_at(slash.map_or(0, |slash| slash + 1))
}

/// Bytes that stand for themselves in every segment, under each of the three resolvers: RFC 1808's
/// `pchar` without `%`, and `/`. `;` would start parameters, `?` a query.
pub(super) fn is_path_byte(rest: &[u8]) -> bool {
    matches!(
        rest,
        [
            b'!' | b'$' | b'&'..=b':' | b'=' | b'@'..=b'Z' | b'_' | b'a'..=b'z' | b'~',
            ..,
        ]
    )
}
