//! The inverse of RFC 1808 §4: its table, and the RFC's own examples. Generated pairs are in the
//! workspace's tests, with readers that share no code.

use abslink_url::inverse::{Form, Inverse, from_root, relative};
use abslink_url::{BaseUrl, Resolver};

use super::rows;

#[test]
fn the_table() {
    let mut wrong = Vec::new();
    for row in rows(include_str!("../../testdata/inverse.tsv")) {
        let [base, target, expected @ ..] = &row[..] else {
            panic!("four columns: {row:?}");
        };
        let base = BaseUrl::parse(base).unwrap();
        let found = [relative(&base, target), from_root(&base, target)];
        let found = found.map(|it| it.unwrap_or_else(|kept| format!("!{kept}")));
        if found != expected {
            wrong.push(format!("{row:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// RFC 1808 §5: from each answer back to a reference, which leads to that answer.
#[test]
fn the_examples_of_the_rfc() {
    let base = BaseUrl::parse("http://a/b/c/d;p?q#f").unwrap();
    let mut proved = 0;
    for row in rows(include_str!("../../testdata/rfc1808/examples.tsv")) {
        for found in [relative(&base, row[2]), from_root(&base, row[2])] {
            let Ok(reference) = found else { continue };
            let back = Resolver::Rfc1808.resolve(&base, &reference).unwrap();
            let with_root = back.replace("http://a?", "http://a/?");
            assert_eq!(with_root, row[2], "{reference}");
            proved += 1;
        }
    }
    // The others lead to another server, or have dot segments in the answer.
    assert!(proved >= 50, "{proved}");
}

#[test]
fn a_fragment_stands_alone_where_it_may() {
    let base = BaseUrl::parse("http://h/a/b?q").unwrap();
    for (form, with_segment) in [(Form::Relative, "b?q#x"), (Form::Root, "/a/b?q#x")] {
        for (fragment_alone, expected) in [(true, "#x"), (false, with_segment)] {
            let inverse = Inverse {
                form,
                fragment_alone,
            };
            let found = inverse.reference(&base, "http://h/a/b?q#x");
            assert_eq!(found.as_deref(), Ok(expected));
        }
    }
}

#[test]
fn each_step_is_told() {
    let told = |base: &str, target: &str| {
        let base = BaseUrl::parse(base).unwrap();
        let (_, steps) = Inverse::of(Form::Relative).explain(&base, target);
        let told = steps.iter().map(|it| format!("{} {}", it.number, it.text));
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        told("http://h/a/b/c", "http://h/a/x:y"),
        [
            "1 both are of http://h",
            "2 it is not the base",
            "3 the paths share /a/; ../ for each of b: ../x:y",
            "5 all three resolvers lead back to the target",
        ],
        "the steps for a path that looks like a scheme"
    );
    assert_eq!(
        told("http://h/a/b", "http://h/a/x:y")[2..4],
        ["3 the paths share /a/: x:y", "4 `./` before it: ./x:y"]
    );
    assert_eq!(
        told("http://h/a/b", "http://h/a/b#c")[1],
        "2 it is the base but for a fragment: #c"
    );
    assert_eq!(
        told("http://h/a/b", "https://h/"),
        ["1 it stays absolute: it has another scheme, host, port or login than the base URL"],
        "the step for another scheme"
    );
}
