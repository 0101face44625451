//! A reference that stays costs no allocation: never in the resolver, and not in a document where
//! its value is as it is spelled.
//!
//! A binary of its own, since the allocator that counts is the whole program's.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::hint::black_box;

use abslink::{BaseUrl, Context, Fragments, Resolver, Settings, Syntax, pre_step, rewrite_bytes};
use abslink_url::divergence;

const URL: &str = "https://docs.example.org/guide/page.html";

const ABSOLUTE: [&str; 6] = [
    "https://www.example.org/a/b?c#d",
    "HTTP://example.org",
    " mailto:ann@example.org\n",
    "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
    "javascript:void(0)",
    "tel:+1-201-555-0123",
];

/// What a document may hold any number of. Not here: values with character references or line
/// breaks inside, whose text is not in the document as it stands; `codebase`; and the contents of
/// style, noscript and srcdoc.
const STAYING: [&str; 18] = [
    "<a href='https://www.example.org/a/b?c#d'>",
    "<a href=mailto:ann@example.org>",
    "<a href=\" https://www.example.org/\n\">",
    "<a href='javascript:void(0)'>",
    "<a href='#x'>",
    "<img src=''>",
    "<img src>",
    "<img src=data:,x usemap='#x'>",
    "<script src=https://www.example.org/x.js></script>",
    "<form action=http://www.example.org/></form>",
    "<a ping='https://a.example/ https://b.example/'>",
    "<img srcset='https://a.example/x 1x, https://a.example/y 2x'>",
    "<p style='background: url(https://a.example/x)'>",
    "<p style='background: url(data:,x)'>",
    "<p style='fill: url(#x)'>",
    "<meta http-equiv=refresh content='3; url=https://a.example/'>",
    "<meta http-equiv=refresh content='3'>",
    "<svg><use href='#x'/></svg>",
];

#[track_caller]
fn allocates(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

#[test]
fn resolvers_leave_absolute_references_where_they_are() {
    let base = BaseUrl::parse(URL).unwrap();
    // What a base URL keeps for later it makes once.
    for resolver in Resolver::ALL {
        resolver.resolve(&base, "x").unwrap();
    }
    for resolver in Resolver::ALL {
        for reference in ABSOLUTE {
            let count = allocates(|| {
                let reference = pre_step(black_box(reference));
                assert!(resolver.is_absolute(&base, &reference));
                assert_eq!(divergence(&base, &reference, &reference), None);
                // The URL Standard's own answer is a new text, even where it is the same.
                if resolver != Resolver::Whatwg {
                    black_box(resolver.resolve(&base, &reference).unwrap());
                }
            });
            assert_eq!(count, 0, "{resolver}: {reference:?}");
        }
    }
}

#[test]
fn documents_of_any_number_of_staying_references() {
    let context = Context::retrieved_from(URL).unwrap();
    for resolver in Resolver::ALL {
        let mut settings = Settings::default();
        settings.resolver = resolver;
        settings.fragments = Fragments::Keep;
        for tag in STAYING {
            // What is made once per thread or per base is made before it counts.
            let [_, few, many] = [1, 500, 8000].map(|times| {
                let document = tag.repeat(times);
                allocates(|| unchanged(document.as_bytes(), &context, &settings))
            });
            // Lists that double come to 16 times their length in 4 steps.
            assert!(many < few + 20, "{resolver}: {tag} {few} -> {many}");
        }
    }
}

fn unchanged(document: &[u8], context: &Context, settings: &Settings) {
    assert!(!rewrite_bytes(document, Syntax::Html, context, settings).is_changed());
}

/// A count that is always 0 would prove nothing.
#[test]
fn a_reference_that_is_made_absolute_is_seen() {
    let base = BaseUrl::parse(URL).unwrap();
    let count = allocates(|| drop(black_box(Resolver::Rfc1808.resolve(&base, "x"))));
    assert_eq!(count, 1);
}
