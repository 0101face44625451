//! The tables of testdata/ against the three resolvers.

use abslink_url::{BaseUrl, Resolver, divergence};

use super::rows;

fn resolve(resolver: Resolver, base: &BaseUrl, reference: &str) -> String {
    resolver
        .resolve(base, reference)
        .map_or("-".to_owned(), String::from)
}

#[test]
fn rfc_1808_section_5() {
    let base = BaseUrl::parse("http://a/b/c/d;p?q#f").unwrap();
    let table = include_str!("../../testdata/rfc1808/examples.tsv");
    let mut examples = 0;
    for row in rows(table) {
        let [_, reference, expected] = row[..] else {
            panic!("three columns: {row:?}");
        };
        let resolved = resolve(Resolver::Rfc1808, &base, reference);
        assert_eq!(resolved, expected, "{reference}");
        examples += 1;
    }
    assert_eq!(examples, 39);
}

#[test]
fn references_that_the_standards_read_differently() {
    let table = include_str!("../../testdata/resolution.tsv");
    let mut wrong = Vec::new();
    for row in rows(table) {
        let row: Vec<_> = row.into_iter().map(unescape).collect();
        let [base, reference, rfc1808, rfc3986, whatwg, differs] = &row[..] else {
            panic!("six columns: {row:?}");
        };
        let base = BaseUrl::any(base);
        let expected = [rfc1808, rfc3986, whatwg];
        for (resolver, expected) in Resolver::ALL.into_iter().zip(expected) {
            let resolved = resolve(resolver, &base, reference);
            if resolved != *expected {
                wrong.push(format!("{resolver} {row:?}: {resolved}"));
            }
        }
        let found = divergence(&base, reference, rfc1808);
        if found.is_some() != (differs == "yes") {
            wrong.push(format!("divergence {row:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The classes by their numbers, each with the example in its documentation.
#[test]
fn every_class_of_divergence() {
    const BASE: &str = "http://a/b/c/d;p?q#f";
    let mut names = std::collections::BTreeSet::new();
    for (number, base, reference, name) in [
        (1, BASE, ";x", "leading parameters"),
        (2, BASE, "..;x", "dot segment before `;`"),
        (3, "http://a/b;x/c/d", "g", "slash in the base's parameters"),
        (4, BASE, "http:g", "scheme of the base without slashes"),
        (5, BASE, "12:30.html", "scheme that starts with no letter"),
        (6, BASE, "///x", "empty network location"),
        (7, BASE, "\\g", "backslash"),
        (8, BASE, "\n/g", "whitespace"),
        (9, BASE, "", "empty reference"),
        (10, BASE, "%2e%2e/../g", "encoded dot segments"),
        (11, "http://a/b/..", "g", "base that is not normalised"),
        (
            12,
            "http://a?q/b",
            "g",
            "`?` in the base's network location",
        ),
        (13, "mailto:x", "g", "unsuitable base"),
        (14, "file:///C:/d", "/g", "file URL"),
        (16, "foo://a", "?y", "scheme that is not special"),
        (18, BASE, "y:./z", "dot segments of an absolute URL"),
    ] {
        let resolver = match number {
            18 => Resolver::Rfc3986,
            _ => Resolver::Rfc1808,
        };
        let base = BaseUrl::any(base);
        let resolved = resolve(resolver, &base, reference);
        let found = divergence(&base, reference, &resolved).expect(name);
        assert_eq!((found.class.number(), found.class.name()), (number, name));
        names.insert(found.class.to_string());
    }
    assert_eq!(names.len(), 16, "an explanation for each");
}

/// If both a reference and its base diverge, the more surprising one counts.
#[test]
fn parameters_without_dots_are_not_why_a_reference_diverges() {
    let base = BaseUrl::any("http://a/b;x/c/d");
    for (reference, number) in [("..;y", 2), ("g;y", 3), ("..", 3)] {
        let resolved = resolve(Resolver::Rfc1808, &base, reference);
        let found = divergence(&base, reference, &resolved).unwrap();
        assert_eq!(found.class.number(), number, "{reference}");
    }
}

fn unescape(cell: &str) -> String {
    cell.replace("\\t", "\t")
        .replace("\\n", "\n")
        .replace("\\u{1}", "\u{1}")
        .replace("\\\"", "\"")
        .replace("\\\\", "\\")
}
