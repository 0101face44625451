//! Copies of the host of `--move-url` that are left where no link is: in text, scripts, shortcodes, JSON in attributes.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};

use abslink_html::MappedPrefixes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use memchr::{memchr_iter, memmem};

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
        moves: &MappedPrefixes,
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
        let mut found: Vec<usize> = needles(moves)
            .iter()
            .flat_map(|needle| needle.places(text))
            .filter(|at| !is_changed(*at))
            .collect();
        found.sort_unstable();
        if found.is_empty() {
            return;
        }
        self.number += found.len() as u64;
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        self.files.insert(hasher.finish());
        let (mut line, mut counted) = (1, 0);
        for at in found {
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

    pub(crate) fn merge(&mut self, other: &CopiesLeft) {
        self.number += other.number;
        self.files.extend(&other.files);
        self.places.extend_from_slice(&other.places);
        self.forget();
    }

    pub(crate) fn files(&self) -> u64 {
        self.files.len() as u64
    }

    /// The first of them, in the order of their paths.
    pub(crate) fn places(&self) -> Vec<(PathBuf, u64)> {
        let mut places = self.places.clone();
        places.sort();
        places
    }
}

/// A text that is searched for.
struct Needle {
    text: Vec<u8>,
    /// Whether it is a name, which neither goes on nor begins before it.
    is_name: bool,
}

impl Needle {
    fn places<'n>(&'n self, text: &'n [u8]) -> impl Iterator<Item = usize> + 'n {
        let ends = |at: &usize| {
            !self.is_name || begins_at(text, *at) && ends_at(text, at + self.text.len())
        };
        memmem::find_iter(text, &self.text).filter(ends)
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

/// What is searched for: each FROM without its scheme. Where a TO has that too, with its scheme, or not at all.
fn needles(moves: &MappedPrefixes) -> Vec<Needle> {
    /// Each is searched for in each file, and in each TO: of more, nothing is counted.
    const MOST: usize = 64;
    let mut needles = Vec::new();
    if moves.iter().count() > MOST {
        return needles;
    }
    for (from, _) in moves.iter().map(|prefix| prefix.parts()) {
        let (_, name) = from.split_once("://").unwrap_or(("", from));
        let is_plain = name.contains(['.', ':']);
        let short = if is_plain {
            name.to_owned()
        } else {
            format!("//{name}")
        };
        let named = |text: &str| Needle {
            text: text.as_bytes().to_owned(),
            is_name: true,
        };
        let is_in_new = |text: &&str| {
            let needle = named(text);
            (moves.iter()).any(|prefix| needle.places(prefix.parts().1.as_bytes()).next().is_some())
        };
        let Some(text) = [&*short, from].into_iter().find(|text| !is_in_new(text)) else {
            continue;
        };
        needles.push(named(text));
        if text.contains('/') {
            needles.extend([r"\/", "%2F", "%2f"].map(|slash| {
                let text = text.replace('/', slash);
                named(&if slash == r"\/" {
                    text
                } else {
                    text.replace(':', "%3A")
                })
            }));
        }
        if is_plain && text == short {
            needles.extend((0..3).filter_map(|shift| in_base64(name, shift)));
        }
    }
    needles
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
        copies.count(&moves.unwrap(), path, text.as_bytes(), Vec::new(), |line| {
            line
        });
        copies.places().into_iter().map(|(_, line)| line).collect()
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
