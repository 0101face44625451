//! Pairs of base and reference, made up from pieces that the standards care about.
//!
//! ABSLINK_SEED pins what is generated (the seed is printed with every failure), ABSLINK_PAIRS
//! says how many pairs.

use std::env;

const BASES: [&str; 28] = [
    "http://a/b/c/d;p?q#f",
    "http://a",
    "http://a/",
    "http://a?q",
    "http://a?q/b",
    "http://a/b/../c/./d",
    "http://a/b/..",
    "http://a/b;x/c/d",
    "http://a/b//c//d",
    "http://u:p@h:80/x/y?z/../w",
    "HTTP://A/b/c",
    "http://a/%2e/b/c",
    "http://a/b\\c/d",
    "http://a/../b/c/d",
    "https://h/d/index.html",
    "ftp://h/d;type=d",
    "file:///C:/d/e",
    "file:///x/y",
    "file://h/x",
    "foo://a/b/c/d;p?q#f",
    "foo://a",
    "foo:///a//b",
    "x:/a/b",
    "x:a/b",
    "x:",
    "mailto:x",
    "/p/q",
    "",
];

const PIECES: [&str; 45] = [
    "",
    "g",
    "h",
    ".",
    "..",
    "./",
    "../",
    "/",
    "//",
    "///",
    "/.",
    "/..",
    "/../",
    "?",
    "?y",
    "#",
    "#s",
    ";",
    ";x",
    ";p=1/../",
    ":",
    "g:",
    "http:",
    "HTTP:",
    "https://",
    "file:",
    "C|",
    "1:",
    "%2e",
    "%2E%2e",
    "%zz",
    "\\",
    " ",
    "\t",
    "@",
    "&",
    "é",
    "...",
    ".g",
    "g.",
    "80",
    "a.b",
    "&",
    "'",
    "a/long-path/of.plain-names",
];

/// An endless supply of pairs.
pub(crate) struct Pairs {
    state: u64,
}

impl Pairs {
    /// How many pairs a test makes.
    pub(crate) fn count() -> usize {
        match env::var("ABSLINK_PAIRS") {
            Ok(count) => count.parse().expect("ABSLINK_PAIRS is a number"),
            Err(_) => super::rounds(20_000),
        }
    }

    /// Starts at ABSLINK_SEED, or at 1808.
    pub(crate) fn new() -> Pairs {
        let seed = match env::var("ABSLINK_SEED") {
            Ok(seed) => seed.parse().expect("ABSLINK_SEED is a number"),
            Err(_) => 1808,
        };
        println!("ABSLINK_SEED={seed}");
        Pairs { state: seed }
    }

    /// splitmix64.
    fn random(&mut self, below: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) % below as u64) as usize
    }

    /// The next reference.
    pub(crate) fn reference(&mut self) -> String {
        let pieces = self.random(7);
        (0..pieces)
            .map(|_| PIECES[self.random(PIECES.len())])
            .collect()
    }
}

impl Iterator for Pairs {
    type Item = (&'static str, String);

    fn next(&mut self) -> Option<Self::Item> {
        let base = BASES[self.random(BASES.len())];
        Some((base, self.reference()))
    }
}
