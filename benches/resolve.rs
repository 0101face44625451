//! References a second, on one core: `cargo bench --bench resolve`.

use std::hint::black_box;

use abslink::{BaseUrl, Resolver};
use abslink_url::divergence;
use divan::Bencher;
use divan::counter::ItemsCount;

/// What pages of a documentation tree contain, in about the proportions found there.
const REFERENCES: [&str; 10] = [
    "#section",
    "../a/b.html#x",
    "page.html",
    "../../genindex.html",
    "library/os.path.html#os.path.join",
    "../_static/style.css?v=4.1",
    "https://www.example.org/",
    "/index.html",
    "./",
    "struct.Vec.html#method.push",
];

const BASE: &str = "https://docs.example.org/3/library/stdtypes.html";

fn main() {
    let base = BaseUrl::parse(BASE).expect("the base is suitable");
    let resolved = Resolver::default().resolve(&base, REFERENCES[1]);
    assert_eq!(
        resolved.as_deref(),
        Ok("https://docs.example.org/3/a/b.html#x")
    );
    divan::main();
}

/// What rewriting a document needs: whether a reference is absolute, and if not, its absolute form.
#[divan::bench(args = Resolver::ALL)]
fn resolve(bencher: Bencher, resolver: Resolver) {
    let base = BaseUrl::any(BASE);
    let mut out = String::with_capacity(4096);
    bencher
        .counter(ItemsCount::new(REFERENCES.len()))
        .bench_local(|| {
            for reference in black_box(REFERENCES) {
                out.clear();
                if !resolver.is_absolute(&base, reference) {
                    let _ = resolver.resolve_into(&base, reference, &mut out);
                }
                black_box(out.as_str());
            }
        });
}

/// The same with the test for divergence.
#[divan::bench]
fn resolve_and_compare(bencher: Bencher) {
    let base = BaseUrl::any(BASE);
    let resolver = Resolver::default();
    let mut out = String::with_capacity(4096);
    bencher
        .counter(ItemsCount::new(REFERENCES.len()))
        .bench_local(|| {
            for reference in black_box(REFERENCES) {
                out.clear();
                let resolved = if resolver.is_absolute(&base, reference) {
                    reference
                } else {
                    let _ = resolver.resolve_into(&base, reference, &mut out);
                    out.as_str()
                };
                black_box(divergence(&base, reference, resolved));
            }
        });
}
