//! Bytes a second of the locators over real pages.

mod pages;
#[path = "../tests/oracle/witness.rs"]
mod witness;

use std::ops::Range;

use abslink_html::locate;
use abslink_html::locate::{Handler, RawText, Spelling, StartTag};
use divan::Bencher;
use divan::counter::BytesCount;
use pages::{corpora, pages};

fn main() {
    divan::main();
}

/// Counts the tags with an `href` or a `src`.
#[derive(Default)]
struct Links<'d> {
    document: &'d [u8],
    count: u64,
}

impl Handler for Links<'_> {
    fn wants(&self, name: &[u8]) -> bool {
        name.eq_ignore_ascii_case(b"href") || name.eq_ignore_ascii_case(b"src")
    }
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let carries = tag
            .attributes
            .iter()
            .any(|attribute| self.wants(&self.document[attribute.name.clone()]));
        self.count += u64::from(carries);
    }
    fn raw_text(&mut self, _: RawText, _: Spelling, _: Range<usize>) {}
    fn comment(&mut self, _: Range<usize>) {}
}

fn links<'d>(document: &'d [u8], locate: Locate<'d>) -> u64 {
    let mut links = Links { document, count: 0 };
    locate(document, true, &mut links);
    links.count
}

fn read(corpus: &str) -> Vec<Vec<u8>> {
    pages(corpus).into_iter().map(|(_, page)| page).collect()
}

#[divan::bench(args = corpora(), sample_count = 10, sample_size = 1)]
fn memory(bencher: Bencher<'_, '_>, corpus: &str) {
    run(bencher, &read(corpus), locate::html::locate);
}

/// The second witness, for the ratio.
#[divan::bench(args = corpora(), sample_count = 10, sample_size = 1)]
fn lol_html(bencher: Bencher<'_, '_>, corpus: &str) {
    run(bencher, &read(corpus), witness::locate);
}

/// With HTML's tree: what a page costs that needs it.
#[divan::bench(args = corpora(), sample_count = 10, sample_size = 1)]
fn memory_with_tree(bencher: Bencher<'_, '_>, corpus: &str) {
    let mut pages = read(corpus);
    for page in &mut pages {
        page.splice(..0, *b"<!DOCTYPE html><svg></x></svg>");
    }
    run(bencher, &pages, locate::html::locate);
}

type Locate<'d> = fn(&'d [u8], bool, &mut Links<'d>);

fn run<'d>(bencher: Bencher<'_, '_>, pages: &'d [Vec<u8>], locate: Locate<'d>) {
    let bytes: usize = pages.iter().map(Vec::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| pages.iter().map(|page| links(page, locate)).sum::<u64>());
}
