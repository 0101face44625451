//! A map from paths to URLs: CSV, TSV, JSON Lines, or HTTrack's `hts-cache/new.txt`.

#![cfg_attr(
    not(feature = "url-map"),
    allow(dead_code, reason = "there are no maps")
)]

mod failed;
#[cfg(feature = "url-map")]
mod format;
#[cfg(feature = "url-map")]
mod read;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::url_evidence::{Caveat, UrlEvidence};
use crate::base::BaseSource;
use abslink_url::percent;
use failed::FileName;

/// A map from paths to URLs.
///
/// Paths are relative to PATH (or to `--root`), with `/` between their components. A million lines
/// are not a problem: the texts are stored one after another, and each entry takes 24 bytes more.
/// Without the feature `url-map` none can be read.
///
/// # Examples
#[cfg_attr(feature = "url-map", doc = "```")]
#[cfg_attr(not(feature = "url-map"), doc = "```ignore")]
/// use abslink_html::retrieval::UrlMap;
/// let map = UrlMap::read(&b"path,url\na/b.html,http://h/b?c=1\n"[..])?;
/// let evidence = map.evidence(b"a/b.html").expect("there is a line");
/// assert_eq!(evidence.says, "http://h/b?c=1");
/// assert!(map.evidence(b"a/c.html").is_none());
/// # Ok::<(), abslink_html::retrieval::MapError>(())
/// ```
#[derive(Debug, Default)]
pub struct UrlMap {
    /// The path and the URL of each entry.
    text: Vec<u8>,
    /// Sorted by path, no path twice.
    entries: Vec<Span>,
    /// Other URLs of these paths, sorted by URL.
    others: Vec<Span>,
    /// Which entries were asked for.
    asked: Vec<AtomicBool>,
    /// Pages that failed, whose names are not known for sure; sorted by path, then by number.
    failed: Vec<FailedPage>,
    /// The paths that were asked for and have one of several such pages.
    guessed: Mutex<BTreeSet<Vec<u8>>>,
    /// Whether it is HTTrack's, in which paths may be written as HTTrack escapes them.
    #[doc(hidden)]
    pub by_httrack: bool,
    /// The numbers of the entries, sorted by URL, once that is asked for.
    by_url: OnceLock<Vec<u32>>,
}

/// A page that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FailedPage {
    /// Its path is without the ending.
    entry: Span,
    /// Its place in the order of the requests.
    number: u32,
    /// The length of its media type, which follows the URL.
    media_type: u16,
}

impl FailedPage {
    fn media_type(self) -> Range<usize> {
        let start = self.entry.url().end;
        start..start + usize::from(self.media_type)
    }
}

/// Where an entry is in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: usize,
    path: u32,
    url: u32,
    /// Whether there is, or was, a file.
    stays: bool,
}

impl Span {
    fn path(self) -> Range<usize> {
        self.start..self.start + self.path as usize
    }

    fn url(self) -> Range<usize> {
        let start = self.path().end;
        start..start + self.url as usize
    }
}

/// Why a map cannot be used.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::{MapError, UrlMap};
///
/// let error = UrlMap::read("a.html http://h/a".as_bytes()).unwrap_err();
/// assert!(matches!(error, MapError::Header), "{error}");
/// ```
#[cfg(feature = "url-map")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// It cannot be read.
    #[error("cannot read: {0}")]
    Read(#[from] std::io::Error),
    /// Its first line is not the header of a map.
    #[error(
        "the first line names no columns `path` and `url`; a map is CSV or TSV with such a header, \
         JSON Lines like {{\"path\": \"a.html\", \"url\": \"https://h/a\"}}, or HTTrack's \
         hts-cache/new.txt"
    )]
    Header,
    /// A line that does not fit the format.
    #[error("line {line}: {reason}")]
    Line {
        /// Which, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl UrlMap {
    /// What the map says about `path`, which still counts as not asked for.
    pub(super) fn says_about(&self, path: &[u8]) -> Option<UrlEvidence> {
        match self.find(path) {
            Some(found) => Some(self.says(self.entries[found])),
            None => self.failed(path),
        }
    }

    /// §3.3: what the map says about the document at `path`.
    pub fn evidence(&self, path: &[u8]) -> Option<UrlEvidence> {
        let Some(found) = self.find(path) else {
            return self.failed(path);
        };
        self.asked[found].store(true, Ordering::Relaxed);
        Some(self.says(self.entries[found]))
    }

    /// What the map says about a page that failed, whose line has a temporary name. If there are
    /// several such lines, their order decides: HTTrack gives a page the next name that no
    /// other file has.
    fn failed(&self, path: &[u8]) -> Option<UrlEvidence> {
        if self.failed.is_empty() {
            return None;
        }
        let find = |path: &[u8]| FileName::read(path).find_map(|named| self.pages(&named));
        let (page, is_only) = find(path).or_else(|| find(&escaped(path)))?;
        let mut evidence = self.says(page);
        if !is_only {
            evidence.caveats.push(Caveat::Failed);
            let mut guessed = self.guessed.lock().unwrap_or_else(PoisonError::into_inner);
            guessed.insert(path.to_owned());
        }
        Some(evidence)
    }

    /// The page that failed and has this name, and whether it is the only one that may have it.
    fn pages(&self, named: &FileName<'_>) -> Option<(Span, bool)> {
        let path = |failed: &FailedPage| &self.text[failed.entry.path()];
        let start = (self.failed).partition_point(|failed| path(failed) < named.stem);
        let mut pages = (self.failed[start..].iter())
            .take_while(|failed| path(failed) == named.stem)
            .filter(|failed| named.is_of(&self.text[failed.media_type()]))
            .peekable();
        pages.peek()?;
        let free = (1..named.number).filter(|&number| self.find(&named.numbered(number)).is_none());
        let before = free.count();
        let page = pages.nth(before)?;
        let is_only = before == 0 && pages.next().is_none();
        Some((page.entry, is_only))
    }

    fn find(&self, path: &[u8]) -> Option<usize> {
        let find = |path: &[u8]| {
            let by_path = |entry: &Span| self.text[entry.path()].cmp(path);
            self.entries.binary_search_by(by_path).ok()
        };
        find(path).or_else(|| find(&self.by_httrack.then(|| escaped(path))?))
    }

    /// The paths that the map names for a URL.
    #[doc(hidden)]
    pub fn paths_of(&self, url: &str) -> Vec<Vec<u8>> {
        let url_of = |number: &u32| &self.text[self.entries[*number as usize].url()];
        let by_url = self.by_url.get_or_init(|| {
            let mut numbers: Vec<u32> = (0..self.entries.len() as u32).collect();
            numbers.sort_by_key(url_of);
            numbers
        });
        let start = by_url.partition_point(|number| url_of(number) < url.as_bytes());
        let same = by_url[start..]
            .iter()
            .take_while(|number| url_of(number) == url.as_bytes());
        same.flat_map(|&number| names(self, &self.text[self.entries[number as usize].path()]))
            .map(Cow::into_owned)
            .collect()
    }

    /// The URL of the file that the map names for another URL of it.
    #[doc(hidden)]
    pub fn own_url(&self, other: &str) -> Option<String> {
        let by_url = |entry: &Span| self.text[entry.url()].cmp(other.as_bytes());
        let other = self.others[self.others.binary_search_by(by_url).ok()?];
        let own = self.entries[self.find(&self.text[other.path()])?];
        Some(self.says(own).says)
    }

    fn says(&self, entry: Span) -> UrlEvidence {
        let url = String::from_utf8_lossy(&self.text[entry.url()]);
        UrlEvidence::plain(BaseSource::Map, &url)
    }
}

/// Maps are equal if they say the same, whatever they were asked for so far.
impl PartialEq for UrlMap {
    fn eq(&self, other: &UrlMap) -> bool {
        (self.by_httrack, &self.text, &self.entries, &self.failed)
            == (other.by_httrack, &other.text, &other.entries, &other.failed)
    }
}

/// The paths for which a map has several failed pages, sorted, as far as they were asked for.
pub fn guessed(map: &UrlMap) -> Vec<Vec<u8>> {
    let guessed = map.guessed.lock().unwrap_or_else(PoisonError::into_inner);
    guessed.iter().cloned().collect()
}

/// The paths of a map that nobody has asked for, sorted.
pub fn unasked(map: &UrlMap) -> impl Iterator<Item = &[u8]> {
    let entries = map.entries.iter().zip(&map.asked);
    entries
        .filter(|(_, asked)| !asked.load(Ordering::Relaxed))
        .map(|(entry, _)| &map.text[entry.path()])
}

/// The names that a file in a map may have: as written there, and unescaped if the map has escapes.
pub fn names<'p>(map: &UrlMap, path: &'p [u8]) -> Vec<Cow<'p, [u8]>> {
    let mut names = vec![Cow::Borrowed(path)];
    let unescaped = std::str::from_utf8(path).map(percent::decode);
    names.extend(unescaped.ok().filter(|_| map.by_httrack).map(Cow::Owned));
    names
}

/// A path as HTTrack's new.txt has it: `a b.html` as `a%20b.html`, and `x%20y.html` as it is.
fn escaped(path: &[u8]) -> Vec<u8> {
    super::path::escaped(path, |byte| !byte.is_ascii_graphic())
}
