//! Layout `wayback`: `host[:port]/path[?query]`, as programs write it that fetch a site from the Wayback Machine.
//!
//! waybackpack puts a directory for the timestamp before the host, and leaves the query out.
//! wayback_machine_downloader keeps the query, undoes all escapes, makes a directory with an index page of every
//! URL whose last segment has no dot, and with all timestamps puts theirs after the host. On Windows it writes
//! `%3f` and the like for what names cannot have there. Its fork (2.4) does that everywhere, with capitals, and
//! names a query by its hash: `list__q0123456789ab.php`.

use std::borrow::Cow;

use super::super::Assumptions;
use super::super::host::{self, Host};
use super::super::path::{self, is_path_byte};
use super::super::url_evidence::{Caveat, UrlEvidence};

/// The separator between host and port.
pub(crate) const PORT_SEPARATOR: char = ':';

/// What wayback_machine_downloader escapes on Windows, and its fork, which has the quote too, everywhere.
const ESCAPED: &[u8] = b":*?&=<>\\|\"";

/// How the fork begins and how long it makes the hash of a query.
const HASH: (&[u8], usize) = (b"__q", 12);

/// §3.3: what the path of a document says.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::wayback;
/// use abslink_html::retrieval::Assumptions;
///
/// let says = |path: &[u8]| Some(wayback::evidence(path, &Assumptions::default())?.says);
/// assert_eq!(says(b"h.org/a.php?b=c").as_deref(), Some("https://h.org/a.php?b=c"));
/// assert_eq!(says(b"20200103104500/h.org/a.html").as_deref(), Some("https://h.org/a.html"));
/// assert_eq!(says(b"20200103104500/a.html"), None);
/// ```
pub fn evidence(path: &[u8], assumptions: &Assumptions) -> Option<UrlEvidence> {
    let path = match host::split_first(path) {
        Some((first, rest)) if is_timestamp(first.as_bytes()) => rest,
        _ => path,
    };
    let (directory, rest) = host::split_first(path)?;
    let directory = unescaped(directory.as_bytes());
    let directory = std::str::from_utf8(&directory).ok()?;
    let host = Host::read(directory, PORT_SEPARATOR, assumptions.any_host)?;
    let rest = match host::split_first(rest) {
        Some((first, below)) if is_timestamp(first.as_bytes()) => below,
        _ => rest,
    };
    let rest = &*unescaped(rest);
    let mut caveats: Vec<Caveat> = assumptions.scheme_caveat().into_iter().collect();
    // Which escapes were undone, nothing tells.
    let has_blank = memchr::memchr2(b'%', b' ', rest).is_some();
    caveats.extend(has_blank.then_some(Caveat::Unescaped));
    let without_index = |query: &'_ [u8]| {
        let mut endings = assumptions.index.iter().map(|index| format!("/{index}"));
        let ending = endings.find(|ending| query.ends_with(ending.as_bytes()));
        query.len() - ending.map_or(0, |ending| ending.len())
    };
    let without_hash = hash(rest).map(|[from, to]| {
        caveats.push(Caveat::Query);
        let after = &rest[to..];
        [&rest[..from], &after[..without_index(after)]].concat()
    });
    let rest = without_hash.as_deref().unwrap_or(rest);
    let (path, query) = match memchr::memchr(b'?', rest) {
        Some(mark) => (&rest[..mark], Some(&rest[mark + 1..])),
        None => (rest, None),
    };
    let query = query.map(|query| &query[..without_index(query)]);
    let has_mark = query.is_some_and(|query| query.contains(&b'?'));
    caveats.extend(has_mark.then_some(Caveat::Query));
    let url = host.root(assumptions.scheme());
    let evidence = path::below(url, path, query, &assumptions.index, is_path_byte);
    Some(evidence.with(caveats).with(host.caveat))
}

/// Where a path has the hash of a query, which tells nothing of it.
fn hash(path: &[u8]) -> Option<[usize; 2]> {
    let (mark, length) = HASH;
    let mut marks = memchr::memmem::find_iter(path, mark);
    marks.find_map(|at| {
        let from = at + mark.len();
        let digits = path.get(from..from + length)?;
        let is_hash = digits
            .iter()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_whole = matches!(path.get(from + length), None | Some(b'.' | b'/'));
        (is_hash && is_whole).then_some([at, from + length])
    })
}

/// The directory of a path that says when its file was archived: the first, or the one below the host.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::wayback::moment;
///
/// assert_eq!(moment(b"20200103104500/h.org/a"), Some(&b"20200103104500"[..]));
/// assert_eq!(moment(b"h.org/20200103104500/a"), Some(&b"20200103104500"[..]));
/// assert_eq!(moment(b"h.org/20200103104500"), None);
/// ```
pub fn moment(path: &[u8]) -> Option<&[u8]> {
    let directories = path.rsplitn(2, |&byte| byte == b'/').nth(1)?;
    let mut first = directories.split(|&byte| byte == b'/').take(2);
    first.find(|name| is_timestamp(name))
}

/// Whether a directory is one for a moment.
pub(crate) fn is_timestamp(name: &[u8]) -> bool {
    name.len() == 14 && name.iter().all(u8::is_ascii_digit)
}

/// The names that a page with a query may have: as it is or as on Windows, perhaps a directory with an index page.
pub(crate) fn names(name: &[u8], query: &str, index: &[String]) -> Vec<Vec<u8>> {
    let decoded = abslink_url::percent::decode(query);
    let whole = [name, b"?", &decoded].concat();
    let mut names = Vec::new();
    for whole in [escaped(&whole), whole] {
        let pages = index.iter();
        names.extend(pages.map(|index| [&whole, &b"/"[..], index.as_bytes()].concat()));
        names.push(whole);
    }
    names
}

fn escaped(name: &[u8]) -> Vec<u8> {
    path::escaped(name, |byte| ESCAPED.contains(&byte))
}

fn unescaped(path: &[u8]) -> Cow<'_, [u8]> {
    if !path.contains(&b'%') {
        return Cow::Borrowed(path);
    }
    let mut unescaped = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).unwrap_or_default();
        let of_windows =
            |byte: &&u8| digits.eq_ignore_ascii_case(format!("{:02x}", **byte).as_bytes());
        match ESCAPED.iter().find(of_windows).filter(|_| first == b'%') {
            Some(&byte) => {
                unescaped.push(byte);
                rest = &after[2..];
            }
            None => {
                unescaped.push(first);
                rest = after;
            }
        }
    }
    Cow::Owned(unescaped)
}
