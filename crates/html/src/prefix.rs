//! URLs that are moved below another prefix once they are resolved: `--map-url`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use abslink_url::{BaseUrl, UnsuitableBase, pre_step};

/// A prefix of URLs and what it becomes, written as `--map-url` takes it: `FROM=TO`.
///
/// Both are absolute URLs with `//`, without query and fragment; slashes at their end do not count. The
/// rest of a URL after FROM is empty, or begins with `/`, `?` or `#`. The scheme and the host may be in
/// any letter case, everything else is compared byte for byte. The first `=` before a scheme separates
/// the two.
///
/// Only references that were relative are mapped, and never the URL of a `base` element: so what stays
/// relative means what it meant, and a second run changes nothing.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let mut settings = Settings::default();
/// let local = "http://localhost:8000/=https://example.org/docs/".parse()?;
/// settings.prefixes = settings.prefixes.with(local)?;
/// let context = Context::retrieved_from("http://localhost:8000/a/")?;
/// let page = b"<img src=x>";
/// let rewritten = rewrite_bytes(page, Syntax::Html, &context, &settings);
/// assert_eq!(*rewritten.document, *b"<img src=https://example.org/docs/a/x>");
/// assert_eq!(rewritten.examined.tally.mapped, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedPrefix {
    /// As it was written.
    written: Box<str>,
    from: Prefix,
    to: Prefix,
}

/// An absolute URL without slashes at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Prefix {
    /// Scheme and host in lower case.
    url: String,
    /// Where the host is, with its port.
    host: Range<usize>,
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
    #[error("`{url}`: {reason}")]
    Unsuitable {
        /// It.
        url: String,
        /// Why not.
        reason: UnsuitableBase,
    },
    /// One of them has a query or a fragment.
    #[error("`{0}` has a query or a fragment; leave out what begins with `?` or `#`")]
    TooMuch(String),
    /// Two have the same FROM.
    #[error("FROM is the same as that of `{0}`; leave out one of the two")]
    Twice(String),
}

/// The prefixes that are mapped ([`Settings::prefixes`](super::Settings::prefixes)): [`MappedPrefix`] has
/// an example. If a URL begins with several of them, the longest counts, and is mapped once.
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
    /// Longer ones first.
    Vec<MappedPrefix>,
);

impl FromStr for MappedPrefix {
    type Err = MappedPrefixError;

    fn from_str(written: &str) -> Result<MappedPrefix, MappedPrefixError> {
        let mut signs = written.match_indices('=').map(|(at, _)| at);
        let is_before_scheme = |at: &usize| {
            let scheme = written[at + 1..]
                .split_once("://")
                .map(|(scheme, _)| scheme);
            scheme.is_some_and(|scheme| {
                scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                    && scheme
                        .chars()
                        .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            })
        };
        let at = signs
            .find(is_before_scheme)
            .ok_or(MappedPrefixError::NotTwo)?;
        Ok(MappedPrefix {
            written: written.into(),
            from: Prefix::parse(&written[..at])?,
            to: Prefix::parse(&written[at + 1..])?,
        })
    }
}

impl fmt::Display for MappedPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl MappedPrefix {
    /// What is mapped, and to what.
    #[doc(hidden)]
    pub fn parts(&self) -> (&str, &str) {
        (&self.from.url, &self.to.url)
    }
}

impl Prefix {
    pub(super) fn parse(url: &str) -> Result<Prefix, MappedPrefixError> {
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
        let (scheme, rest) = url.split_once("://").ok_or(MappedPrefixError::NotTwo)?;
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let user = authority.rfind('@').map_or(0, |at| at + 1);
        let start = scheme.len() + "://".len();
        let host = start + user..start + authority.len();
        let mut url = format!("{scheme}://{authority}{}", path.trim_end_matches('/'));
        url[..scheme.len()].make_ascii_lowercase();
        url[host.clone()].make_ascii_lowercase();
        Ok(Prefix { url, host })
    }

    /// It, without slashes at its end.
    pub(super) fn as_str(&self) -> &str {
        &self.url
    }

    /// The part of a URL after the prefix.
    pub(super) fn rest<'u>(&self, url: &'u str) -> Option<&'u str> {
        let begin = url.as_bytes().get(..self.url.len())?;
        let prefix = self.url.as_bytes();
        let user = self.url.find("://")? + "://".len()..self.host.start;
        let is_same = begin.eq_ignore_ascii_case(prefix)
            && begin[user.clone()] == prefix[user]
            && begin[self.host.end..] == prefix[self.host.end..];
        let rest = url.get(self.url.len()..).filter(|_| is_same)?;
        (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(rest)
    }
}

impl MappedPrefixes {
    /// These and one more.
    ///
    /// # Errors
    /// [`MappedPrefixError::Twice`] if one of them has the same FROM.
    pub fn with(mut self, prefix: MappedPrefix) -> Result<MappedPrefixes, MappedPrefixError> {
        if let Some(other) = self.0.iter().find(|other| other.from == prefix.from) {
            return Err(MappedPrefixError::Twice(other.to_string()));
        }
        let length = prefix.from.url.len();
        let at = (self.0).partition_point(|other| other.from.url.len() >= length);
        self.0.insert(at, prefix);
        Ok(self)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[doc(hidden)]
    pub fn iter(&self) -> impl Iterator<Item = &MappedPrefix> {
        self.0.iter()
    }

    /// What a URL is mapped to, if it is.
    pub(super) fn map(&self, url: &str) -> Option<String> {
        self.map_longer(url, 0)
    }

    /// Where a URL is moved to, if it is: what begins with one of the new prefixes has been moved, unless
    /// a longer old one fits.
    pub fn moved(&self, url: &str) -> Option<String> {
        let done = (self.0.iter()).filter_map(|it| it.to.rest(url).map(|_| it.to.url.len()));
        self.map_longer(url, done.max().unwrap_or_default())
    }

    /// Where a URL was before it was moved, if it was.
    pub(super) fn unmoved(&self, url: &str) -> Option<String> {
        self.0.iter().find_map(|MappedPrefix { from, to, .. }| {
            let rest = to.rest(url)?;
            Some(format!("{}{rest}", from.url))
        })
    }

    /// What a URL is mapped to by the first prefix that has more bytes than that.
    fn map_longer(&self, url: &str, bytes: usize) -> Option<String> {
        self.0.iter().find_map(|MappedPrefix { from, to, .. }| {
            let rest = from.rest(url).filter(|_| from.url.len() > bytes)?;
            Some(format!("{}{rest}", to.url))
        })
    }

    /// Two of these of which the first leads to what the second moves on, so that a second run would
    /// change what the first has made.
    pub fn chained(&self) -> Option<[&MappedPrefix; 2]> {
        self.0.iter().find_map(|first| {
            let begins = |second: &&MappedPrefix| second.from.rest(&first.to.url).is_some();
            let mut others = self.0.iter().filter(|second| *second != first);
            Some([first, others.find(begins)?])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::rows;
    use super::*;

    #[test]
    fn urls_are_mapped_or_prefixes_refused() {
        for row in rows("map-url.tsv") {
            let [prefixes, url, expected] = &row[..] else {
                panic!("three columns: {row:?}");
            };
            let mut all = prefixes.split(' ').map(str::parse::<MappedPrefix>);
            let mapped = all
                .try_fold(MappedPrefixes::default(), |all, prefix| all.with(prefix?))
                .map(|all| all.map(url).unwrap_or_else(|| "=".to_owned()))
                .unwrap_or_else(|error| error.to_string());
            match expected.strip_suffix('…') {
                Some(begin) => assert!(mapped.starts_with(begin), "{prefixes}: {mapped}"),
                None => assert_eq!(&mapped, expected, "{prefixes} {url}"),
            }
        }
    }

    #[test]
    fn order_does_not_count() {
        let all = |prefixes: &[&str]| {
            let mut prefixes = prefixes.iter().map(|prefix| prefix.parse().unwrap());
            prefixes.try_fold(MappedPrefixes::default(), MappedPrefixes::with)
        };
        let (short, long) = ("http://h=http://x", "http://h/a=http://y");
        assert_eq!(all(&[short, long]), all(&[long, short]));
        assert_eq!(all(&[short]).unwrap().0[0].to_string(), short);
        assert!(!all(&[short]).unwrap().is_empty());
    }
}
