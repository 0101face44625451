//! Documents made from seeds, for tests that hold for every document.

mod html;
pub(crate) mod odd;
mod words;
pub(crate) mod xhtml;

pub(crate) use html::document;

use super::rounds;

/// Runs `check` on generated documents: `ABSLINK_DOCUMENTS` of them, or the [`rounds`] of `full`, from the seed
/// `ABSLINK_SEED`, or 1808, so that a change alone decides what fails. The seed of a document that fails
/// is in the message.
pub(crate) fn documents(full: usize, mut check: impl FnMut(&str) -> Result<(), String>) {
    each_seed(full, |seed| {
        let document = document(seed);
        check(&document).map_err(|difference| format!("{difference}\n{document:?}"))
    });
}

/// Runs `check` on up to twelve pieces in any order, as [`documents`] does on documents.
pub(crate) fn pieces(
    pieces: &[&[u8]],
    full: usize,
    mut check: impl FnMut(&[u8]) -> Result<(), String>,
) {
    each_seed(full, |seed| {
        let mut random = Random(seed);
        let count = random.below(13);
        let bytes: Vec<u8> = (0..count)
            .flat_map(|_| random.pick(pieces))
            .copied()
            .collect();
        let shown = bytes.escape_ascii();
        check(&bytes).map_err(|difference| format!("{difference}\n\"{shown}\""))
    });
}

/// Runs `check` on pieces of text, as [`pieces`] does.
pub(crate) fn texts(
    texts: &[&str],
    full: usize,
    mut check: impl FnMut(&str) -> Result<(), String>,
) {
    let bytes: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
    pieces(&bytes, full, |bytes| check(&String::from_utf8_lossy(bytes)));
}

pub(crate) fn each_seed(full: usize, mut check: impl FnMut(u64) -> Result<(), String>) {
    let number = |name| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let first = number("ABSLINK_SEED").unwrap_or(1808);
    let count = number("ABSLINK_DOCUMENTS").unwrap_or(rounds(full) as u64);
    println!("ABSLINK_SEED={first} ABSLINK_DOCUMENTS={count}");
    for seed in (0..count).map(|nth| first.wrapping_add(nth)) {
        if let Err(difference) = check(seed) {
            panic!("ABSLINK_SEED={seed} ABSLINK_DOCUMENTS=1\n{difference}");
        }
    }
}

/// SplitMix64: small, and good enough to choose with.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A page of this length: a paragraph in each line, with a link.
pub(crate) fn page(length: usize) -> String {
    let mut page = String::new();
    // So different that a page is longer than what one thread works on at a time, where it is compressed.
    let mut state = 1_u64;
    while page.len() < length {
        page.push_str("<p class=x>Some text");
        for _ in 0..5 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            page.push_str(&format!(" {:x}", state >> 16));
        }
        page.push_str(" and <a href=\"../chapter/7.html#s\">the section</a>.</p>\n");
    }
    page.truncate(length);
    page
}
