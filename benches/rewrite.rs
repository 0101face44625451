//! Bytes a second of locating, resolving and splicing in memory, on one core, over real pages.

mod pages;

use abslink::internals::html::DocumentRewriter;
use abslink::retrieval::Tree;
use abslink::{Context, Settings, Syntax};
use divan::Bencher;
use divan::counter::BytesCount;
use pages::{corpora, pages};

fn main() {
    divan::main();
}

#[divan::bench(args = corpora(), sample_count = 10, sample_size = 1)]
fn whole_documents(bencher: Bencher<'_, '_>, corpus: &str) {
    let tree = Tree::new("https://docs.example.org/3/", &["index.html".into()]).expect("suitable");
    let pages: Vec<_> = pages(corpus)
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
