//! A second opinion on a rewritten document, from an HTML parser and a URL parser that abslink's
//! own code has no part in.
//!
//! [`trees`] parses input and output with html5ever as a browser with scripting would, and asks of
//! every place whether it leads where it led before, or where `links` says of that very place that
//! it does ([`marks`]). [`bytes`] asks whether anything but references changed. Both take pairs of documents, so that they serve fixtures, the site and whole corpora;
//! [`directories`] does so for every document of a tree.

pub(crate) mod browser;
pub(crate) mod bytes;
mod css;
pub(crate) mod decode;
pub(crate) mod directories;
mod engines;
mod html5lib;
mod inverse;
mod locate;
mod marks;
pub(crate) mod opened;
pub(crate) mod places;
pub(crate) mod promises;
pub(crate) mod properties;
mod resolver_properties;
pub(crate) mod trees;
mod whatwg;
pub(crate) mod witness;
mod written;
mod xml;

use crate::support::links::Link;

/// An oracle that finds nothing wrong anywhere would be agreeable, and useless.
#[test]
fn planted_errors_are_found() {
    let errors = [
        ("a link that stays", "<a href=x>", "<a href=x>"),
        (
            "another target",
            "<a href=x>",
            "<a href=https://e.example/y>",
        ),
        (
            "the base not heeded",
            "<base href=d/><a href=x>",
            "<a href=https://e.example/x>",
        ),
        ("a new attribute", "<p>", "<p id=x>"),
        ("text", "<p>x", "<p>y"),
        ("an element", "<p><b></b>", "<p><i></i>"),
        ("an element less", "<p><b></b>", "<p>"),
        (
            "in a template",
            "<template><p>x</template>",
            "<template><p>y</template>",
        ),
        (
            "in noscript",
            "<noscript><img src=x></noscript>",
            "<noscript><img src=x></noscript>",
        ),
        (
            "in srcdoc",
            "<iframe srcdoc='<a href=x>'>",
            "<iframe srcdoc='<a href=x>'>",
        ),
        (
            "a descriptor",
            "<img srcset='//a/x 1x'>",
            "<img srcset='https://a/x 2x'>",
        ),
        (
            "one of a list",
            "<a ping='//a/x y'>",
            "<a ping='https://a/x y'>",
        ),
        (
            "a style sheet",
            "<style>p{a:url(x)}</style>",
            "<style>p{a:url(x)}</style>",
        ),
        (
            "an escape",
            "<p style='a:url(x\\29)'>",
            "<p style='a:url(https://e.example/x)'>",
        ),
        (
            "a refresh",
            "<meta http-equiv=refresh content='0;x'>",
            "<meta http-equiv=refresh content='0;x'>",
        ),
        (
            "svg",
            "<svg><use href='#x'/></svg>",
            "<svg><use href='https://e.example/#x'/></svg>",
        ),
    ];
    let urls = [
        url::Url::parse("https://e.example/").unwrap(),
        directories::elsewhere(),
    ];
    for (what, input, output) in errors {
        let page = |text: &'static str, url| trees::Page {
            bytes: text.as_bytes(),
            url,
            links: &[],
            also: &[],
        };
        let (input, output) = (page(input, &urls[0]), page(output, &urls[1]));
        let found = trees::differences(input, output);
        assert!(!found.is_empty(), "{what} was not found");
    }
}

/// What `links` says of one place is no excuse for another one with the same text, nor for another
/// target at its own.
#[test]
fn an_excuse_counts_for_its_own_place() {
    let urls = [
        url::Url::parse("https://e.example/d/").unwrap(),
        directories::elsewhere(),
    ];
    let (input, output) = ("<a href=g><a href=g>", "<a href=//b/g><a href=//b/g>");
    let link = |start, reference: &str| Link {
        start,
        end: start + reference.len(),
        reference: reference.into(),
        absolute: Some("//b/g".into()),
        outcome: "relative".into(),
        ..Link::default()
    };
    let complaints = |browser: [Option<&str>; 2]| {
        let mut before = [link(8, "g"), link(18, "g")];
        for (link, browser) in before.iter_mut().zip(browser) {
            link.divergent = browser.map(str::to_owned);
        }
        let after = [link(8, "//b/g"), link(22, "//b/g")];
        let page = |text: &'static str, url, links| trees::Page {
            bytes: text.as_bytes(),
            url,
            links,
            also: &[],
        };
        let [url, elsewhere] = &urls;
        trees::differences(page(input, url, &before), page(output, elsewhere, &after)).len()
    };
    let right = Some("https://e.example/d/g");
    assert_eq!(complaints([None, None]), 2);
    assert_eq!(complaints([right, None]), 1);
    assert_eq!(complaints([right, right]), 0);
    assert_eq!(complaints([right, Some("https://e.example/g")]), 1);
}

#[test]
fn bytes_outside_references_are_compared() {
    let link = |start, end, reference: &str, absolute: &str| Link {
        start,
        end,
        reference: reference.into(),
        absolute: Some(absolute.into()),
        outcome: "relative".into(),
        ..Link::default()
    };
    let before = [link(8, 9, "x", "//a/x")];
    let quoted = [link(9, 14, "//a/x", "//a/x")];
    let check = |output: &str, after: &[Link]| {
        bytes::outside(b"<a href=x>y", &before, output.as_bytes(), after)
    };
    assert_eq!(check("<a href=\"//a/x\">y", &quoted), Ok(()));
    assert!(check("<A href=\"//a/x\">y", &quoted).is_err());
    assert!(check("<a href=\"//a/x\">z", &quoted).is_err());
    assert!(check("<a href=\"//a/x\">y", &[]).is_err());
    assert!(check("<a href=\"//a/z\">y", &[link(9, 14, "//a/z", "//a/z")]).is_err());
}
