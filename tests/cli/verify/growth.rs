//! What `--verify` costs: nothing that grows faster than the document.

use abslink::{Context, MappedPrefixes};

use super::*;
use crate::support::growth::is_linear;

/// Rewrites a page, which the second reader has to agree with.
fn agreed(page: &str, settings: &Settings) {
    let context = Context::retrieved_from("http://h/d/x.html").unwrap();
    let rewritten = rewrite_bytes(page.as_bytes(), Syntax::Html, &context, settings);
    assert_eq!(rewritten.examined.disagreement, None);
}

#[test]
fn many_slashes_take_no_time() {
    let none = MappedPrefixes::default();
    let one = none.clone().with("http://o=http://n".parse().unwrap());
    for moves in [none, one.unwrap()] {
        let mut settings = settings(Resolver::Rfc1808, Groups::default());
        settings.moves = moves;
        is_linear(
            "slashes",
            1 << 18,
            |slashes| format!("<a href='http://h{}'>", "/".repeat(slashes)),
            |page| agreed(page, &settings),
        );
    }
}

/// A document in so many others.
fn nested(depth: usize) -> String {
    let inner = format!("<a href='x'>{}", "y".repeat(4_000));
    (0..depth).fold(inner, |inner, _| {
        let inner = inner.replace('&', "&amp;").replace('\'', "&#39;");
        format!("<iframe srcdoc='{inner}'>")
    })
}

#[test]
fn documents_in_documents_are_read_once() {
    let settings = settings(Resolver::Rfc1808, Groups::default());
    is_linear("documents in documents", 16, nested, |page| {
        agreed(page, &settings)
    });
}

/// Nor does it take longer where something is wrong in the innermost.
#[cfg(debug_assertions)]
#[test]
fn what_is_wrong_in_documents_in_documents_is_found_at_once() {
    let mut settings = settings(Resolver::Rfc1808, Groups::default());
    settings.verify = abslink_verify::planted("http://h/d/x", "http://h/x");
    let context = Context::retrieved_from("http://h/d/x.html").unwrap();
    is_linear("documents in documents", 16, nested, |page| {
        let rewritten = rewrite_bytes(page.as_bytes(), Syntax::Html, &context, &settings);
        let said = rewritten.examined.disagreement.unwrap().what;
        assert!(said.contains("`x` means http://h/d/x"), "{said}");
    });
}
