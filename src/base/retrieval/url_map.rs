//! A map from paths to URLs: CSV, TSV, JSON Lines, or HTTrack's `hts-cache/new.txt`.

mod format;

use std::borrow::Cow;
use std::io::BufRead;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Source;
use super::target::percent_decode;
use super::testimony::Testimony;

/// A map from paths to URLs.
///
/// Paths are relative to PATH (or to `--root`), with `/` between their components. A million lines
/// are no burden: the texts lie one after another, and an entry has 24 bytes beside them.
///
/// # Examples
/// ```
/// use abslink::base::retrieval::url_map::UrlMap;
/// let map = UrlMap::read(&b"path,url\na/b.html,http://h/b?c=1\n"[..])?;
/// let testimony = map.testimony(b"a/b.html").expect("there is a line");
/// assert_eq!(testimony.says, "http://h/b?c=1");
/// assert!(map.testimony(b"a/c.html").is_none());
/// # Ok::<(), abslink::base::retrieval::url_map::MapError>(())
/// ```
#[derive(Debug, Default)]
pub struct UrlMap {
    /// The path and the URL of each entry.
    text: Vec<u8>,
    /// Sorted by path, no path twice.
    entries: Vec<Entry>,
    /// Which entries were asked for.
    asked: Vec<AtomicBool>,
    /// Whether paths may be written as [`escaped`] does.
    escaped: bool,
}

/// Where an entry lies in the text.
#[derive(Clone, Copy, Debug)]
struct Entry {
    start: usize,
    path: u32,
    url: u32,
    /// Whether there is, or was, a file.
    stays: bool,
}

impl Entry {
    fn path(self) -> Range<usize> {
        self.start..self.start + self.path as usize
    }

    fn url(self) -> Range<usize> {
        let start = self.path().end;
        start..start + self.url as usize
    }
}

/// Why a map cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// It cannot be read.
    #[error("cannot read: {0}")]
    Read(#[from] std::io::Error),
    /// Its first line is no header of a map.
    #[error(
        "the first line names no columns `path` and `url`; a map is CSV or TSV with such a header, \
         JSON Lines like {{\"path\": \"a.html\", \"url\": \"https://h/a\"}}, or HTTrack's \
         hts-cache/new.txt"
    )]
    Header,
    /// A line that is none of its format.
    #[error("line {line}: {reason}")]
    Line {
        /// Which, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl UrlMap {
    /// Reads a map; its first line says in which format. Of several lines with one path the last
    /// counts, in HTTrack's map the last of those whose file stays, if there are any.
    ///
    /// # Errors
    /// [`MapError`] names the line that is not understood.
    pub fn read(reader: impl BufRead) -> Result<UrlMap, MapError> {
        let mut map = UrlMap::default();
        let prefix = format::read(reader, &mut |path, url, stays| map.push(path, url, stays))?;
        if let Some(prefix) = prefix {
            map.cut(&prefix);
            map.escaped = true;
        }
        map.sort();
        Ok(map)
    }

    fn push(&mut self, path: &[u8], url: &[u8], stays: bool) {
        let path = path.strip_prefix(b"./").unwrap_or(path);
        // Longer ones are no paths and no URLs.
        let (Ok(path_length), Ok(url_length)) = (path.len().try_into(), url.len().try_into())
        else {
            return;
        };
        self.entries.push(Entry {
            start: self.text.len(),
            path: path_length,
            url: url_length,
            stays,
        });
        self.text.extend(path);
        self.text.extend(url);
    }

    /// Takes away what paths begin with.
    fn cut(&mut self, prefix: &[u8]) {
        for entry in &mut self.entries {
            if self.text[entry.path()].starts_with(prefix) {
                entry.start += prefix.len();
                // No more than there is.
                entry.path -= prefix.len() as u32;
            }
        }
    }

    /// Sorts the entries; of one path the last is kept, of those whose file stays if there are any.
    fn sort(&mut self) {
        let text = &self.text;
        (self.entries).sort_unstable_by(|a, b| {
            let by_path = text[a.path()].cmp(&text[b.path()]);
            by_path.then((b.stays, b.start).cmp(&(a.stays, a.start)))
        });
        self.entries
            .dedup_by(|later, kept| text[later.path()] == text[kept.path()]);
        let asked = (self.entries.iter()).map(|entry| AtomicBool::new(!entry.stays));
        self.asked = asked.collect();
    }

    /// §3.3: what the map says about the document at `path`.
    pub fn testimony(&self, path: &[u8]) -> Option<Testimony> {
        let found = self.find(path)?;
        self.asked[found].store(true, Ordering::Relaxed);
        Some(self.says(found))
    }

    /// What the map says about `path`, which still counts as not asked for.
    pub fn peek(&self, path: &[u8]) -> Option<Testimony> {
        self.find(path).map(|found| self.says(found))
    }

    fn find(&self, path: &[u8]) -> Option<usize> {
        let find = |path: &[u8]| {
            let by_path = |entry: &Entry| self.text[entry.path()].cmp(path);
            self.entries.binary_search_by(by_path).ok()
        };
        find(path).or_else(|| find(&self.escaped.then(|| escaped(path))?))
    }

    fn says(&self, found: usize) -> Testimony {
        let url = String::from_utf8_lossy(&self.text[self.entries[found].url()]);
        Testimony::plain(Source::Map, &url)
    }

    /// The paths that nobody has asked for, sorted.
    pub fn unasked(&self) -> impl Iterator<Item = &[u8]> {
        let entries = self.entries.iter().zip(&self.asked);
        entries
            .filter(|(_, asked)| !asked.load(Ordering::Relaxed))
            .map(|(entry, _)| &self.text[entry.path()])
    }

    /// The names that a file in the map may have: as it is written there, and without escapes where
    /// the map has some.
    pub fn names<'p>(&self, path: &'p [u8]) -> Vec<Cow<'p, [u8]>> {
        let mut names = vec![Cow::Borrowed(path)];
        let unescaped = std::str::from_utf8(path).map(percent_decode);
        names.extend(unescaped.ok().filter(|_| self.escaped).map(Cow::Owned));
        names
    }
}

/// A path as HTTrack's new.txt has it: `a b.html` as `a%20b.html`, and `x%20y.html` as it is.
fn escaped(path: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(path.len());
    for &byte in path {
        if byte.is_ascii_graphic() {
            escaped.push(byte);
        } else {
            escaped.extend(format!("%{byte:02x}").bytes());
        }
    }
    escaped
}
