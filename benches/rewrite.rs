//! Bytes a second of locating, resolving and splicing in memory, on one core, over real pages.
//!
//! The cost of a tag `template` shows in comparison with the same bytes with another tag, and that
//! of a document in pieces in comparison with the same pages one by one.

mod pages;

use std::path::PathBuf;

use abslink::retrieval::Tree;
use abslink::{Context, Settings, Syntax};
use abslink_html::{BasePrescan, ChunkedRewriter, DocumentInfo, DocumentRewriter, EncodingPrescan};
use divan::Bencher;
use divan::counter::BytesCount;
use pages::{components, corpora, pages};

fn main() {
    divan::main();
}

#[divan::bench(args = corpora(), sample_count = 10, sample_size = 1)]
fn whole_documents(bencher: Bencher<'_, '_>, corpus: &str) {
    one_by_one(bencher, pages(corpus));
}

/// Pages that have a `template`, and the same with a meaningless tag.
#[divan::bench(args = tags_of_mdbook(), sample_count = 10, sample_size = 1)]
fn mdbook(bencher: Bencher<'_, '_>, tag: &str) {
    let mut pages = pages("mdbook");
    pages.retain(|(_, page)| memchr::memmem::find(page, b"<template").is_some());
    one_by_one(bencher, with_tag(pages, tag));
}

/// None if the corpus is not there.
fn tags_of_mdbook() -> Vec<&'static str> {
    let is_there = corpora().iter().any(|corpus| corpus == "mdbook");
    let tags = ["template", "plain"].into_iter();
    tags.filter(|_| is_there).collect()
}

/// A page of shadow roots, and the same with a meaningless tag.
#[divan::bench(args = ["template", "plain"], sample_count = 10, sample_size = 1)]
fn web_components(bencher: Bencher<'_, '_>, tag: &str) {
    let page = (PathBuf::from("shop.html"), components());
    one_by_one(bencher, with_tag(vec![page], tag));
}

/// All pages of a corpus as one document of 200 MB, which is read in pieces.
#[divan::bench(args = corpora(), sample_count = 5, sample_size = 1)]
fn in_pieces(bencher: Bencher<'_, '_>, corpus: &str) {
    const LENGTH: usize = 200_000_000;
    const PIECE: usize = 256 << 10;
    let pages = pages(corpus);
    let mut document = Vec::with_capacity(LENGTH);
    for (_, page) in pages.iter().cycle() {
        if document.len() + page.len() > LENGTH {
            break;
        }
        document.extend_from_slice(page);
    }
    let mut context = Context::default();
    context.retrieval = tree().evidence(b"large.html").retrieval();
    let settings = Settings::default();
    let mut out = Vec::new();
    let length = BytesCount::new(document.len());
    bencher.counter(length).bench_local(|| {
        let pieces = || {
            let pieces = document.chunks(PIECE).map(|piece| (piece, false));
            pieces.chain([([].as_slice(), true)])
        };
        let mut is_rewritten = |facts: &DocumentInfo| {
            let mut rewritten = ChunkedRewriter::new(facts, &context, &settings);
            let is_as_presumed = pieces().all(|(piece, last)| {
                out.clear();
                rewritten.rewrite(piece, last, &mut out);
                rewritten.late().is_none()
            });
            is_as_presumed && rewritten.changed()
        };
        // As `batch::job::stream` does it.
        let mut first = EncodingPrescan::new(Syntax::Html, None);
        first.look(&document[..PIECE]);
        let presumed = first.presume(&document[..PIECE]);
        if presumed.is_some_and(|facts| is_rewritten(&facts)) {
            return;
        }
        let mut prescan = EncodingPrescan::new(Syntax::Html, None);
        document.chunks(PIECE).for_each(|piece| prescan.look(piece));
        let mut facts = prescan.finish();
        if facts.need_search() {
            let mut search = BasePrescan::new(&mut facts);
            pieces().any(|(piece, last)| search.look(piece, last));
        }
        assert!(is_rewritten(&facts), "nothing was rewritten");
    });
}

fn tree() -> Tree {
    Tree::new("https://docs.example.org/3/", &["index.html".into()]).expect("suitable")
}

/// The pages with another tag of the same length for `template`.
fn with_tag(mut pages: Vec<(PathBuf, Vec<u8>)>, tag: &str) -> Vec<(PathBuf, Vec<u8>)> {
    if tag != "template" {
        for (_, page) in &mut pages {
            for name in [b"<template".as_slice(), b"</template"] {
                let found: Vec<_> = memchr::memmem::find_iter(page, name).collect();
                for at in found {
                    page[at + name.len() - 1] = b'a';
                }
            }
        }
    }
    pages
}

fn one_by_one(bencher: Bencher<'_, '_>, pages: Vec<(PathBuf, Vec<u8>)>) {
    let tree = tree();
    let pages: Vec<_> = pages
        .into_iter()
        .map(|(path, page)| {
            let retrieval = tree
                .evidence(path.as_os_str().as_encoded_bytes())
                .retrieval();
            let mut context = Context::default();
            context.retrieval = retrieval;
            (page, context)
        })
        .collect();
    let bytes: usize = pages.iter().map(|(page, _)| page.len()).sum();
    let settings = Settings::default();
    let mut rewriter = DocumentRewriter::default();
    let mut out = Vec::new();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let mut rewritten = 0;
        for (page, context) in &pages {
            out.clear();
            let done = rewriter.rewrite(page, Syntax::Html, context, &settings, &mut out);
            rewritten += done.0.tally.rewritten;
        }
        assert!(rewritten > 0, "nothing was rewritten");
        rewritten
    });
}
