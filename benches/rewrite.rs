//! Bytes a second of locating, resolving and splicing in memory, on one core, over real pages.
//!
//! The cost of a tag `template` shows in comparison with the same bytes with another tag, and that
//! of a document in pieces in comparison with the same pages one by one.

mod pages;

use std::path::PathBuf;

use abslink::retrieval::Tree;
use abslink::{Context, Settings, Syntax, markdown};
use abslink_containers::rows::{Fields, Format, Holds, Table};
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
    let context = Context::retrieved_from(&tree().url(b"large.html")).expect("a base URL");
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

/// The Markdown of the packages in cargo's registry on this machine.
#[divan::bench(sample_count = 10, sample_size = 1)]
fn markdown_of_packages(bencher: Bencher<'_, '_>) {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")));
    let registry = home.unwrap_or_default().join("registry/src");
    let files = walkdir::WalkDir::new(registry).into_iter().flatten();
    let files = files.filter(|file| file.path().extension().is_some_and(|it| it == "md"));
    let texts: Vec<_> = files
        .filter_map(|file| std::fs::read(file.path()).ok())
        .collect();
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let context = Context::retrieved_from("https://h/docs/a.md").expect("suitable");
    let settings = Settings::default();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        let done = texts
            .iter()
            .map(|text| markdown::rewrite(text, &context, &settings));
        done.map(|it| it.examined.tally.rewritten).sum::<u64>()
    });
}

/// Rows with what PHP has serialized, and the same rows read by serde_json: what any program has to do.
#[divan::bench(args = ["rewrite", "serde_json"], sample_count = 10, sample_size = 1)]
fn serialized_rows(bencher: Bencher<'_, '_>, by: &str) {
    let string = |text: &str| format!("s:{}:\"{text}\";", text.len());
    let rows: Vec<String> = (0..20_000)
        .map(|nth| {
            let words = "what the widget shows ".repeat(nth % 30);
            let html =
                format!("<p>{words}<a href=\"/shop/{nth}\">é</a> {words}</p>\n").repeat(nth % 5);
            let [title, text] = ["title", "text"].map(string);
            let pairs = format!(
                "{title}{}{text}{}i:0;b:1;",
                string("A widget"),
                string(&html)
            );
            let value = format!("a:3:{{{pairs}}}");
            serde_json::json!({"id": nth, "option_value": value}).to_string()
        })
        .collect();
    let bytes: usize = rows.iter().map(String::len).sum();
    let bencher = bencher.counter(BytesCount::new(bytes));
    if by == "serde_json" {
        return bencher.bench_local(|| {
            let read = rows
                .iter()
                .map(|row| serde_json::from_str::<serde_json::Value>(row));
            read.filter(Result::is_ok).count()
        });
    }
    let documents = vec![(Holds::Html, "option_value".to_owned())];
    let fields = Fields {
        documents,
        ..Fields::default()
    };
    let table = Table::new(Format::JsonLines, &fields);
    let context = Context::retrieved_from("https://h/").expect("suitable");
    let settings = Settings::default();
    let (mut rewriter, mut texts) = (DocumentRewriter::default(), None);
    bencher.bench_local(|| {
        let mut out = Vec::new();
        for row in &rows {
            let (fields, _) = table.fields(row.as_bytes()).expect("rows");
            let mut copied = 0;
            for field in fields {
                let base = Default::default();
                let read = field.edits(&context, base, &settings, &mut rewriter, &mut texts);
                copied = field.splice(row.as_bytes(), copied, &read.edits, &mut out);
            }
            out.extend_from_slice(&row.as_bytes()[copied..]);
        }
        out.len()
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
            let url = tree.url(path.as_os_str().as_encoded_bytes());
            (page, Context::retrieved_from(&url).expect("a base URL"))
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
