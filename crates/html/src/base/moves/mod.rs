//! URLs that are moved below another prefix once they are resolved: `--move-url`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::text::splice::sort_by_number;
use abslink_url::password::masked_url;
use abslink_url::{BaseUrl, UnsuitableBase, inverse, percent, pre_step, rfc3986, whatwg};
use memchr::{memchr_iter, memchr3};

/// A prefix of URLs and what it becomes, written as `--move-url` takes it: `FROM=TO`.
///
/// Both are absolute URLs with `//`, without query and fragment; slashes at their end do not count. The
/// rest of a URL after FROM is empty, or begins with `/`, `?` or `#`. These are equal: scheme and host in
/// any letter case, a host in Unicode and in ASCII (IDNA), a default port and none, and in paths an
/// unreserved character and its escape, such as `~`, `%7E` and `%7e`. Everything else is compared byte for
/// byte, and the bytes after FROM stay as they are; where FROM has no path and the URL has none, its path is `/`. The first `=` before a scheme separates the two.
///
/// References are moved whether they were relative or absolute. What begins with a TO has been moved, so a
/// second run changes nothing.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let mut settings = Settings::default();
/// let local = "http://localhost:8000/=https://example.org/docs/".parse()?;
/// settings.moves = settings.moves.with(local)?;
/// let context = Context::retrieved_from("http://localhost:8000/a/")?;
/// let page = b"<img src=x>";
/// let rewritten = rewrite_bytes(page, Syntax::Html, &context, &settings);
/// assert_eq!(*rewritten.document, *b"<img src=https://example.org/docs/a/x>");
/// assert_eq!(rewritten.examined.tally.moved, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedPrefix {
    written: Box<str>,
    from: Prefix,
    to: Prefix,
}

/// An absolute URL without slashes at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// Its server as the URL Standard writes it, and a path in which no unreserved character is escaped.
    pub(crate) url: String,
    /// Where the path begins.
    path: usize,
}

/// Why a text is not a [`MappedPrefix`], or cannot be combined with others.
///
/// # Examples
/// ```
/// use abslink_html::{MappedPrefix, MappedPrefixError};
///
/// assert_eq!("http://old/".parse::<MappedPrefix>(), Err(MappedPrefixError::NotTwo));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MappedPrefixError {
    /// There are no two URLs.
    #[error(
        "give two absolute URLs, FROM=TO; write for example \
         http://localhost:8000/=https://example.org/"
    )]
    NotTwo,
    /// One of them cannot be the beginning of URLs.
    #[error("`{}`: {reason}", masked_url(url))]
    Unsuitable {
        /// It.
        url: String,
        /// Why not.
        reason: UnsuitableBase,
    },
    /// One of them has a query or a fragment.
    #[error("`{}` has a query or a fragment; leave out what begins with `?` or `#`", masked_url(.0))]
    TooMuch(String),
    /// TO has a character that URLs do not have, so that a second run might not know it again.
    #[error(
        "`{}`: a URL has no {what}: write {}",
        masked_url(url),
        masked_url(right)
    )]
    Spelling {
        /// TO.
        url: String,
        /// What it has.
        what: &'static str,
        /// How it is written.
        right: String,
    },
    /// Two have the same FROM.
    #[error("FROM is the same as that of `{}`; leave out one of the two", masked_url(.0))]
    Twice(String),
}

/// The prefixes that are moved ([`Settings::moves`](crate::Settings::moves)): [`MappedPrefix`] has
/// an example. If a URL begins with several of them, the longest counts, and is moved once.
///
/// # Examples
/// ```
/// use abslink_html::MappedPrefixes;
///
/// let prefixes = MappedPrefixes::default().with("http://old/=http://new/".parse()?)?;
/// assert!(prefixes.with("http://old=http://other/".parse()?).is_err());
/// # Ok::<(), abslink_html::MappedPrefixError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappedPrefixes(
    /// Longer ones first. A run and its parts share them.
    Arc<Vec<MappedPrefix>>,
);

impl FromStr for MappedPrefix {
    type Err = MappedPrefixError;

    fn from_str(written: &str) -> Result<MappedPrefix, MappedPrefixError> {
        let mut signs = written.match_indices('=').map(|(at, _)| at);
        let is_before_scheme = |at: &usize| {
            let url = &written[at + 1..];
            rfc3986::scheme(url).is_some_and(|scheme| url[scheme.len()..].starts_with("://"))
        };
        let at = signs
            .find(is_before_scheme)
            .ok_or(MappedPrefixError::NotTwo)?;
        Ok(MappedPrefix {
            written: written.into(),
            from: Prefix::parse(&written[..at])?,
            to: spelled(&written[at + 1..])?,
        })
    }
}

/// TO, whose path is written as it is. Values are written with escapes where their grammar needs them.
fn spelled(url: &str) -> Result<Prefix, MappedPrefixError> {
    let prefix = Prefix::parse(url)?;
    let is_part = |byte: u8| byte > b' ' && byte != 0x7f && !b"\"<>\\^`{|}".contains(&byte);
    let path = &prefix.url[prefix.path..];
    if path.bytes().all(is_part) {
        return Ok(prefix);
    }
    let url = pre_step(url);
    let (server, path) = split_server(&url).unwrap_or((&url, ""));
    let mut right = server.to_owned();
    percent::encode(path.as_bytes(), |rest| is_part(rest[0]), &mut right);
    Err(MappedPrefixError::Spelling {
        what: if path.contains(' ') {
            "spaces"
        } else {
            "such characters"
        },
        right,
        url: url.into_owned(),
    })
}

impl fmt::Display for MappedPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[doc(hidden)]
impl MappedPrefix {
    /// What is moved, and to where.
    pub fn parts(&self) -> (&str, &str) {
        (&self.from.url, &self.to.url)
    }

    /// A URL that was moved, by what follows FROM in it. An empty path is that of the root.
    pub fn moved(&self, rest: &str) -> String {
        let is_bare = |prefix: &Prefix| prefix.path == prefix.url.len();
        let to = &self.to.url;
        if !is_bare(&self.from) || is_bare(&self.to) {
            format!("{to}{rest}")
        } else if leads_out(rest) {
            format!("{to}{}", below_root(rest))
        } else {
            let root = if rest.starts_with('/') { "" } else { "/" };
            format!("{to}{root}{rest}")
        }
    }

    /// Whether a URL begins with FROM.
    pub fn moves(&self, url: &str) -> bool {
        self.from.rest(url).is_some()
    }

    /// Whether a path from the root of FROM's server means another one on TO's.
    pub fn changes_root(&self) -> bool {
        let [from, to] = [&self.from, &self.to].map(|prefix| prefix.url.split_at(prefix.path));
        from.0 != to.0 && from.1 != to.1
    }

    pub(crate) fn keeps_scheme(&self) -> bool {
        let [from, to] = [&self.from, &self.to].map(|prefix| prefix.url.split_once(':'));
        from.map(|(scheme, _)| scheme) == to.map(|(scheme, _)| scheme)
    }
}

impl Prefix {
    pub(crate) fn parse(url: &str) -> Result<Prefix, MappedPrefixError> {
        let url = pre_step(url);
        let unsuitable = |reason| MappedPrefixError::Unsuitable {
            url: url.to_string(),
            reason,
        };
        if url.contains(['?', '#']) {
            return Err(MappedPrefixError::TooMuch(url.into_owned()));
        }
        BaseUrl::parse(&url).map_err(unsuitable)?;
        // Without `//`, what follows could be taken for a host.
        let (server, path) = split_server(&url).ok_or(MappedPrefixError::NotTwo)?;
        let server = written_server(server);
        Ok(Prefix {
            path: server.len(),
            url: server + &with_unreserved(path.trim_end_matches('/')),
        })
    }

    /// Scheme and host of a URL, as the URL Standard writes them.
    pub(crate) fn server_of(url: &str) -> Option<Cow<'_, str>> {
        Some(SplitUrl::of(url)?.server)
    }

    /// The part of a URL after the prefix.
    pub(crate) fn rest<'u>(&self, url: &'u str) -> Option<&'u str> {
        self.rest_of(&SplitUrl::of(url)?)
    }

    fn rest_of<'u>(&self, url: &SplitUrl<'u>) -> Option<&'u str> {
        let (server, path) = self.url.split_at(self.path);
        let is_same = url.server == server;
        let rest = is_same.then(|| rest_of_path(path, url.rest))??;
        // On a server there is nothing above the root.
        let leads_out = !path.is_empty() && leads_out(rest);
        let is_inside = (rest.is_empty() || rest.starts_with(['/', '?', '#'])) && !leads_out;
        is_inside.then_some(rest)
    }
}

/// Whether what follows a prefix has dot segments that lead above it.
fn leads_out(rest: &str) -> bool {
    let path = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    // Nearly none has any.
    if !path.contains("..") && !path.contains('%') {
        return false;
    }
    segments(path).any(|(_, is_below)| !is_below)
}

/// What follows a server, without the dot segments that lead above its root: below a path they would lead out of that.
fn below_root(rest: &str) -> String {
    let (path, behind) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    let (mut below, mut is_last_below) = (String::new(), false);
    for (segment, is_below) in segments(path) {
        is_last_below = is_below;
        if is_below {
            below.extend(["/", segment]);
        }
    }
    if !is_last_below {
        below.push('/');
    }
    below + behind
}

/// The segments of a path, and whether each leads to something below its beginning.
fn segments(path: &str) -> impl Iterator<Item = (&str, bool)> {
    let segments = path.split('/').skip(1);
    segments.scan(0_usize, |depth, segment| {
        let below = match &*with_unreserved(segment) {
            "." => Some(*depth),
            ".." => depth.checked_sub(1),
            _ => Some(*depth + 1),
        };
        *depth = below.unwrap_or_default();
        Some((segment, below.is_some()))
    })
}

/// A URL as it is compared with prefixes.
struct SplitUrl<'u> {
    /// Scheme, login, host and port, as the URL Standard writes them.
    server: Cow<'u, str>,
    /// What follows them, as it is.
    rest: &'u str,
}

impl<'u> SplitUrl<'u> {
    fn of(url: &'u str) -> Option<SplitUrl<'u>> {
        let (server, rest) = split_server(url)?;
        let host = behind_scheme(server)?;
        let is_usual = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'%';
        let is_written = server.bytes().all(is_usual) && !server[host..].contains(':');
        let server = if is_written {
            Cow::Borrowed(server)
        } else {
            Cow::Owned(written_server(server))
        };
        Some(SplitUrl { server, rest })
    }
}

/// Scheme, login, host and port of a URL, and what follows them.
fn split_server(url: &str) -> Option<(&str, &str)> {
    let start = behind_scheme(url)?;
    let length = memchr3(b'/', b'?', b'#', &url.as_bytes()[start..]);
    Some(url.split_at(length.map_or(url.len(), |length| start + length)))
}

/// Where the login or host of a URL begins: every link is asked, and the first colon is nearly always the one.
fn behind_scheme(url: &str) -> Option<usize> {
    let mut colons = memchr_iter(b':', url.as_bytes());
    let colon = colons.find(|at| url[*at..].starts_with("://"))?;
    Some(colon + "://".len())
}

/// A server as the URL Standard writes it; one that it does not read, in lower case.
fn written_server(server: &str) -> String {
    let url = format!("{server}/");
    let written = match whatwg::parse(&url, None) {
        Ok(written) => written.text().to_owned(),
        Err(_) => inverse::normal(&url).unwrap_or(url),
    };
    let mut server = written.strip_suffix('/').unwrap_or(&written).to_owned();
    // The hosts of schemes that the standard does not know keep their letter case there.
    let host = server
        .rfind('@')
        .or(server.rfind('/'))
        .map_or(0, |at| at + 1);
    server[host..].make_ascii_lowercase();
    server
}

/// The unreserved character that a text begins with an escape of (RFC 3986 §2.3).
fn unescaped(text: &[u8]) -> Option<u8> {
    percent::escape(text).filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte))
}

/// A path without escapes of unreserved characters.
fn with_unreserved(path: &str) -> String {
    let mut spelled = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (before, after) = rest.split_at(at);
        spelled.push_str(before);
        let (character, length) = match unescaped(after.as_bytes()) {
            Some(byte) => (char::from(byte), 3),
            None => ('%', 1),
        };
        spelled.push(character);
        rest = &after[length..];
    }
    spelled + rest
}

/// What follows a path that has no escapes of unreserved characters, in one that may have some.
fn rest_of_path<'u>(prefix: &str, path: &'u str) -> Option<&'u str> {
    if let Some(rest) = path.strip_prefix(prefix) {
        return Some(rest);
    }
    let mut rest = path;
    for byte in prefix.bytes() {
        let (found, length) = match unescaped(rest.as_bytes()) {
            Some(found) => (found, 3),
            None => (*rest.as_bytes().first()?, 1),
        };
        rest = rest.get(length..).filter(|_| found == byte)?;
    }
    Some(rest)
}

impl MappedPrefixes {
    /// All of these: as [`MappedPrefixes::with`] one after the other, in one go.
    #[doc(hidden)]
    pub fn of(mut all: Vec<MappedPrefix>) -> Result<MappedPrefixes, MappedPrefixError> {
        let mut seen: HashMap<&str, &MappedPrefix> = HashMap::with_capacity(all.len());
        for prefix in &all {
            if let Some(other) = seen.insert(&prefix.from.url, prefix) {
                return Err(MappedPrefixError::Twice(other.to_string()));
            }
        }
        sort_by_number(&mut all, |prefix| usize::MAX - prefix.from.url.len());
        Ok(MappedPrefixes(all.into()))
    }

    /// These and one more.
    ///
    /// # Errors
    /// [`MappedPrefixError::Twice`] if one of them has the same FROM.
    pub fn with(self, prefix: MappedPrefix) -> Result<MappedPrefixes, MappedPrefixError> {
        MappedPrefixes::of([&self.0[..], &[prefix]].concat())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = &MappedPrefix> {
        self.0.iter()
    }

    /// A URL as it is compared, if there is something to compare it with.
    fn split<'u>(&self, url: &'u str) -> Option<SplitUrl<'u>> {
        (!self.is_empty()).then(|| SplitUrl::of(url)).flatten()
    }

    /// Where a URL is moved to, if it is: what begins with one of the new prefixes has been moved, unless
    /// a longer old one fits.
    pub fn moved(&self, url: &str) -> Option<String> {
        let (prefix, rest) = self.moving(url)?;
        Some(prefix.moved(rest))
    }

    /// The prefix by which a URL is moved, and what follows that.
    pub(crate) fn moving<'u>(&self, url: &'u str) -> Option<(&MappedPrefix, &'u str)> {
        let url = self.split(url)?;
        let done = (self.0.iter()).filter_map(|it| it.to.rest_of(&url).map(|_| it.to.url.len()));
        let done = done.max().unwrap_or_default();
        // The first that is longer than what has been done.
        self.0.iter().find_map(|prefix| {
            let rest = (prefix.from.rest_of(&url)).filter(|_| prefix.from.url.len() > done)?;
            Some((prefix, rest))
        })
    }

    /// The same of a reference that has a host but no scheme, whatever it is relative to: of two prefixes the
    /// one that keeps its scheme counts, or the one for https.
    #[doc(hidden)]
    pub fn moving_from_host(&self, reference: &str) -> Option<(&MappedPrefix, String)> {
        let found = ["https:", "http:"].into_iter().filter_map(|scheme| {
            let url = format!("{scheme}{reference}");
            let (prefix, rest) = self.moving(&url)?;
            Some((prefix, rest.to_owned()))
        });
        found.min_by_key(|(prefix, _)| !prefix.keeps_scheme())
    }

    /// Where a URL was before it was moved, if it was.
    pub(crate) fn unmoved(&self, url: &str) -> Option<String> {
        let url = self.split(url)?;
        self.0.iter().find_map(|MappedPrefix { from, to, .. }| {
            let rest = to.rest_of(&url)?;
            Some(format!("{}{rest}", from.url))
        })
    }

    /// Two of these of which the first leads to what the second moves on, so that a second run would
    /// change what the first has made.
    pub fn chained(&self) -> Option<[&MappedPrefix; 2]> {
        let by_url: HashMap<&str, &MappedPrefix> =
            self.0.iter().map(|it| (it.from.url.as_str(), it)).collect();
        let mut lengths: Vec<usize> = by_url.keys().map(|url| url.len()).collect();
        sort_by_number(&mut lengths, |length| usize::MAX - length);
        lengths.dedup();
        self.0.iter().find_map(|first| {
            let to = first.to.url.as_str();
            let begins = |length: &&usize| matches!(to.as_bytes().get(**length), None | Some(b'/'));
            let starts = lengths.iter().filter(begins);
            let mut others = starts.filter_map(|length| by_url.get(to.get(..*length)?));
            let second = others.find(|second| **second != first)?;
            Some([first, second])
        })
    }
}

#[cfg(test)]
mod tests;
