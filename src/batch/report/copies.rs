//! Copies of the host of `--move-url` that are left where no link is: in text, scripts, shortcodes, JSON in attributes.

use std::collections::{BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use abslink_html::MappedPrefixes;
use abslink_html::shared::Merge;
use aho_corasick::AhoCorasick;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use memchr::memchr_iter;

/// What was left, in the files of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CopiesLeft {
    pub(crate) number: u64,
    /// By the hashes of their paths.
    files: BTreeSet<u64>,
    places: Vec<(PathBuf, u64)>,
}

impl CopiesLeft {
    /// So many places are remembered.
    const NAMED: usize = 10_000;

    /// Counts those in a document that was read; what is at `changed` gets another URL. `line_of` says which line
    /// of the file one of its lines is.
    pub(crate) fn count(
        &mut self,
        finder: &CopyFinder,
        path: &Path,
        text: &[u8],
        mut changed: Vec<Range<usize>>,
        line_of: impl Fn(u64) -> u64,
    ) {
        changed.sort_unstable_by_key(|range| range.start);
        let is_changed = |at: usize| {
            let before = changed.partition_point(|range| range.start <= at);
            before > 0 && changed[before - 1].contains(&at)
        };
        let mut found = finder.places(text);
        found.retain(|at| !is_changed(*at));
        self.add(path, text, &found, line_of);
    }

    /// Adds those that were found there.
    fn add(&mut self, path: &Path, text: &[u8], found: &[usize], line_of: impl Fn(u64) -> u64) {
        if found.is_empty() {
            return;
        }
        self.number += found.len() as u64;
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        self.files.insert(hasher.finish());
        let (mut line, mut counted) = (1, 0);
        for &at in found {
            line += memchr_iter(b'\n', &text[counted..at]).count() as u64;
            counted = at;
            self.places.push((path.to_owned(), line_of(line)));
        }
        self.forget();
    }

    fn forget(&mut self) {
        if self.places.len() > 2 * CopiesLeft::NAMED {
            self.places.sort();
            self.places.truncate(CopiesLeft::NAMED);
        }
    }

    #[cfg(feature = "cli")]
    pub(crate) fn files(&self) -> u64 {
        self.files.len() as u64
    }

    /// The first of them, in the order of their paths.
    #[cfg(feature = "cli")]
    pub(crate) fn places(&self) -> Vec<(PathBuf, u64)> {
        let mut places = self.places.clone();
        places.sort();
        places
    }
}

impl Merge for CopiesLeft {
    fn add_up(&mut self, other: &CopiesLeft) {
        self.number += other.number;
        self.files.extend(&other.files);
        self.places.extend_from_slice(&other.places);
        self.forget();
    }
}

/// Whether a name may begin there: behind an escape a letter may stand, and an `@` is that of a mail address.
fn begins_at(text: &[u8], at: usize) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._@".contains(byte);
    match &text[..at] {
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => true,
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [.., last] => !is_of_name(last),
        [] => true,
    }
}

fn ends_at(text: &[u8], at: usize) -> bool {
    match &text[at..] {
        [b'.', next, ..] => !next.is_ascii_alphanumeric(),
        [next, ..] => !next.is_ascii_alphanumeric() && !b"-_".contains(next),
        [] => true,
    }
}

/// A text that is searched for.
#[derive(Debug)]
struct Needle {
    text: Vec<u8>,
    /// Whether it is a name, which neither goes on nor begins before it.
    is_name: bool,
}

/// Finds copies of all hosts at once.
#[derive(Debug)]
pub(crate) struct CopyFinder {
    needles: Vec<Needle>,
    /// `None` if there are too many.
    automaton: Option<AhoCorasick>,
}

impl CopyFinder {
    fn of(needles: Vec<Needle>) -> CopyFinder {
        let automaton = AhoCorasick::new(needles.iter().map(|needle| &needle.text)).ok();
        CopyFinder { needles, automaton }
    }

    /// Each FROM without its scheme is searched for. Where a TO has that too, with its scheme, or not at all.
    fn new(moves: &MappedPrefixes) -> CopyFinder {
        let name = |text: &str| Needle {
            text: text.as_bytes().to_owned(),
            is_name: true,
        };
        let parts = || moves.iter().map(|prefix| prefix.parts());
        let names = parts().map(|(from, _)| {
            let (_, host) = from.split_once("://").unwrap_or(("", from));
            let is_plain = host.contains(['.', ':']);
            let short = format!("{}{host}", if is_plain { "" } else { "//" });
            (host, short, from, is_plain)
        });
        let names: Vec<_> = names.collect();
        let candidates = names
            .iter()
            .flat_map(|(_, short, from, _)| [name(short), name(from)]);
        let candidates = CopyFinder::of(candidates.collect());
        let of_new = parts().flat_map(|(_, to)| candidates.found(to.as_bytes()));
        let text = |(needle, _): (usize, usize)| &*candidates.needles[needle].text;
        let of_new: HashSet<&[u8]> = of_new.map(text).collect();
        let mut needles = Vec::new();
        for (host, short, from, is_plain) in &names {
            let is_new = |text: &&str| !of_new.contains(text.as_bytes());
            let Some(text) = [&**short, *from].into_iter().find(is_new) else {
                continue;
            };
            needles.push(name(text));
            if text.contains('/') {
                let spelled = [(r"\/", ":"), ("%2F", "%3A"), ("%2f", "%3A")];
                needles.extend(
                    spelled
                        .map(|(slash, colon)| name(&text.replace('/', slash).replace(':', colon))),
                );
            }
            if *is_plain && text == short {
                needles.extend((0..3).filter_map(|shift| in_base64(host, shift)));
            }
        }
        needles.sort_unstable_by(|one, other| one.text.cmp(&other.text));
        needles.dedup_by(|one, other| one.text == other.text);
        CopyFinder::of(needles)
    }

    /// Which needles are in a text, and where.
    fn found<'f>(&'f self, text: &'f [u8]) -> impl Iterator<Item = (usize, usize)> + 'f {
        let automaton = self.automaton.iter();
        let found = automaton.flat_map(move |automaton| automaton.find_overlapping_iter(text));
        found.filter_map(move |found| {
            let needle = found.pattern().as_usize();
            let is_whole = || begins_at(text, found.start()) && ends_at(text, found.end());
            (!self.needles[needle].is_name || is_whole()).then(|| (needle, found.start()))
        })
    }

    fn places(&self, text: &[u8]) -> Vec<usize> {
        let mut places: Vec<usize> = self.found(text).map(|(_, at)| at).collect();
        places.sort_unstable();
        places
    }
}

/// The finder of a run, made when the first file needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunFinder(OnceLock<Arc<CopyFinder>>);

impl RunFinder {
    pub(crate) fn of(&self, moves: &MappedPrefixes) -> &CopyFinder {
        self.0.get_or_init(|| Arc::new(CopyFinder::new(moves)))
    }
}

impl PartialEq for RunFinder {
    fn eq(&self, _: &RunFinder) -> bool {
        true
    }
}

/// Counts the copies in a document that comes in pieces.
pub(crate) struct PiecesFinder<'f> {
    finder: &'f CopyFinder,
    longest: usize,
    path: &'f Path,
    pub(crate) left: CopiesLeft,
    held: Vec<u8>,
    /// How much of it was searched.
    done: usize,
    /// How many lines are before it.
    lines: u64,
}

impl<'f> PiecesFinder<'f> {
    pub(crate) fn new(finder: &'f CopyFinder, path: &'f Path) -> PiecesFinder<'f> {
        let lengths = finder.needles.iter().map(|needle| needle.text.len());
        PiecesFinder {
            finder,
            longest: lengths.max().unwrap_or(0),
            path,
            left: CopiesLeft::default(),
            held: Vec::new(),
            done: 0,
            lines: 0,
        }
    }

    /// Takes the next piece, or the last.
    pub(crate) fn take(&mut self, piece: &[u8], last: bool) {
        /// As much is looked at before a name and behind it.
        const AROUND: usize = 4;
        if self.longest == 0 {
            return;
        }
        self.held.extend_from_slice(piece);
        let behind = if last { 0 } else { self.longest + AROUND };
        let end = self.held.len().saturating_sub(behind).max(self.done);
        let mut found = self.finder.places(&self.held);
        found.retain(|at| (self.done..end).contains(at));
        let lines = self.lines;
        (self.left).add(self.path, &self.held, &found, |line| lines + line);
        let passed = end.saturating_sub(AROUND);
        self.lines += memchr_iter(b'\n', &self.held[..passed]).count() as u64;
        self.held.drain(..passed);
        self.done = end - passed;
    }
}

/// How a name is written in base64 where so many bytes of a group stand before it; too short a text may stand anywhere.
fn in_base64(name: &str, shift: usize) -> Option<Needle> {
    let bytes = [&[0; 2][..shift], name.as_bytes()].concat();
    let (start, end) = ((shift * 8).div_ceil(6), bytes.len() * 8 / 6);
    let text = STANDARD_NO_PAD.encode(&bytes)[start..end].to_owned();
    (text.len() >= 8).then_some(Needle {
        text: text.into_bytes(),
        is_name: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(moves: &str, text: &str) -> Vec<u64> {
        let moves = MappedPrefixes::default().with(moves.parse().unwrap());
        let mut copies = CopiesLeft::default();
        let path = Path::new("a");
        let finder = CopyFinder::new(&moves.unwrap());
        copies.count(&finder, path, text.as_bytes(), Vec::new(), |line| line);
        for length in 1..text.len() {
            let mut pieces = PiecesFinder::new(&finder, path);
            text.as_bytes()
                .chunks(length)
                .for_each(|piece| pieces.take(piece, false));
            pieces.take(b"", true);
            assert_eq!(pieces.left.places(), copies.places(), "{text} by {length}");
        }
        copies.places().into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn thousands_of_hosts_are_searched_for_at_once() {
        let moves = (0..5_000).fold(MappedPrefixes::default(), |moves, number| {
            let prefix = format!("http://h{number}.old.example/=https://h{number}.new.example/");
            moves.with(prefix.parse().unwrap()).unwrap()
        });
        let finder = CopyFinder::new(&moves);
        let text = b"h1.old.example h4999.old.example h5000.old.example h1.new.example";
        assert_eq!(finder.places(text), [0, 15]);
    }

    #[test]
    fn a_host_is_found_however_it_is_written() {
        let host = "http://old.example/=https://new.example/";
        for text in [
            "http://old.example/x",
            "[video mp4=\"http://old.example/a.mp4\"]",
            r#"{"u":"http:\/\/old.example\/x"}"#,
            "u=http%3A%2F%2Fold.example%2Fx",
            "see old.example.",
            r"a\nold.example",
            "aHR0cDovL29sZC5leGFtcGxlL3g=",
            "IGh0dHA6Ly9vbGQuZXhhbXBsZS94",
            "ICBodHRwOi8vb2xkLmV4YW1wbGUveA==",
        ] {
            assert_eq!(lines(host, text), [1], "{text}");
        }
        for text in [
            "http://www.old.example/",
            "http://bold.example/",
            "http://old.example.com/",
            "http://old.examples/",
            "me@old.example",
            "old-example",
        ] {
            assert!(lines(host, text).is_empty(), "{text}");
        }
        assert_eq!(lines(host, "\nold.example\n\nold.example"), [2, 4]);
    }

    #[test]
    fn what_the_new_urls_have_is_not_counted() {
        let secure = "http://h.example/=https://h.example/";
        assert_eq!(lines(secure, "https://h.example/ http://h.example/"), [1]);
        let below = "http://h.example/=http://h.example/new/";
        assert!(lines(below, "http://h.example/new/x").is_empty());
        let directory = "http://h.example/a/=http://n.example/";
        assert_eq!(
            lines(directory, "http://h.example/b\nhttp:\\/\\/h.example\\/a"),
            [2]
        );
        let local = "http://localhost/=https://h.example/";
        assert_eq!(lines(local, "localhost //localhost/x").len(), 1);
        let port = "http://localhost:8000/=https://h.example/";
        assert_eq!(lines(port, "localhost:80001\nlocalhost:8000"), [2]);
    }
}
