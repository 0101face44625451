//! The proof that a shortcut leads where the long way leads: for every short text, and for long ones at random.

use super::*;
use crate::divergence::differs;
use crate::inverse::{Form, Inverse};
use crate::{BaseUrl, Resolver, whatwg};
use proptest::prelude::*;

/// Every text of up to `length` of these pieces.
fn texts(pieces: &[&str], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut longest = 0;
    for _ in 0..length {
        let next = longest..all.len();
        longest = next.end;
        for text in next {
            let longer = pieces.iter().map(|last| format!("{}{last}", all[text]));
            all.extend(longer.collect::<Vec<_>>());
        }
    }
    all
}

/// Checks a reference against the resolvers and the inverse; says whether there is a shortcut for it.
#[track_caller]
fn check(base: &BaseUrl, reference: &str) -> bool {
    let shortcut = base.shortcut().unwrap();
    let Some((before, dropped)) = shortcut.resolve(reference.as_bytes()) else {
        return false;
    };
    let tail = &reference[dropped..];
    let target = format!("{before}{tail}");
    for resolver in Resolver::ALL {
        let mut out = String::new();
        let found = resolver.resolve_by_steps(base, reference, &mut out);
        assert_eq!(
            (found, &out),
            (Ok(()), &target),
            "{resolver}: {base:?} {reference:?}"
        );
        let is_absolute = reference.starts_with(shortcut.server());
        assert_eq!(
            resolver.is_absolute(base, reference),
            is_absolute,
            "{reference:?}"
        );
    }
    assert_eq!(
        differs(base, reference, &target),
        None,
        "{base:?} {reference:?}"
    );
    for form in Form::ALL {
        for fragment_alone in [true, false] {
            let inverse = Inverse {
                form,
                fragment_alone,
            };
            let mut out = String::new();
            let (levels, path) = inverse.append(shortcut, before, tail, &mut out);
            let proved = inverse.explain(base, &target).0;
            assert_eq!(Ok(&*out), proved.as_deref(), "{base:?} {reference:?}");
            if let Some(unchanged) = inverse.unchanged(shortcut, before, dropped, tail) {
                assert_eq!((unchanged, reference), ((levels, path), &*out), "{base:?}");
            }
            assert!(out.contains(path) || out.starts_with('#'), "{out} {path}");
            let written = out.bytes().take_while(|byte| b"./".contains(byte)).count() / 3;
            assert!(form == Form::Root || levels == written, "{out} {levels}");
        }
    }
    true
}

const BASES: [&str; 12] = [
    "http://h/",
    "http://h/a",
    "https://h/a/b",
    "http://h:81/a/b/",
    "http://h/a/b?a",
    "http://h/a/b/?",
    "http://h/a;a",
    "http://h/;a?b#c",
    "http://h/a/b;?b",
    "http://h/%61/b:a",
    "http://h/b:a?a#b",
    "http://h/a/a/a/b/b/b/a/b/a/a/b/a/b/b/a",
];

#[test]
fn short_references() {
    let pieces = [
        "a", "b", ".", "/", "../", "?", "#", ":", ";", "&", "%", "%2e", "%61",
    ];
    let odd = [
        "'",
        "\\",
        "^",
        "*",
        "{",
        "|",
        " ",
        "\t",
        "\u{e9}",
        "http:",
        "http://h/",
        "//",
    ];
    let mut references = texts(&pieces, 4);
    references.extend(texts(&[&pieces[..], &odd].concat(), 3));
    let mut found = 0;
    for base in BASES {
        let base = BaseUrl::any(base);
        found += references.iter().filter(|it| check(&base, it)).count();
    }
    assert!(found > 100_000, "{found}");
}

#[test]
fn every_byte() {
    let base = BaseUrl::any(BASES[4]);
    let mut found = 0;
    for byte in 0..0x80_u8 {
        let byte = char::from(byte);
        for reference in ["", "/", "a/", "?", "#", "a?", "../a"] {
            found += usize::from(check(&base, &format!("{reference}{byte}")));
            found += usize::from(check(&base, &format!("{reference}{byte}a")));
        }
    }
    assert!(found > 1_000, "{found}");
}

/// Each base that has a shortcut is suitable, and the URL Standard writes it as it is.
#[track_caller]
fn check_base(url: &str) -> bool {
    if Shortcut::of(url).is_none() {
        return false;
    }
    let base = BaseUrl::any(url);
    let parsed = whatwg::parse(url, None).unwrap_or_else(|error| panic!("{url}: {error}"));
    let text = crate::without_fragment(parsed.text()).to_owned();
    assert_eq!(text, base.without_fragment());
    for reference in ["a", "../a", "?a", "#a", "/a", "./", "a#b"] {
        check(&base, reference);
    }
    true
}

#[test]
fn short_bases() {
    let hosts = texts(&["a", "x", "1", "-", ".", ":", "n", "0", "8"], 4);
    let hosts = hosts.iter().map(|host| format!("http://{host}/d/g"));
    let paths = texts(&["a", ".", "/", "%", "2e", ":", ";", "?", "#", "^"], 4);
    let paths = paths.iter().map(|path| format!("https://h:81/{path}"));
    let bytes = (0..0x80_u8).map(|byte| format!("http://h/d{}g", char::from(byte)));
    let found = hosts
        .chain(paths)
        .chain(bytes)
        .filter(|url| check_base(url));
    let found = found.count();
    assert!(found > 3_000, "{found}");
}

#[test]
fn bases_that_have_a_shortcut_and_others() {
    for base in [
        "http://h/",
        "https://doc-s.e1.example.org:8080/a%20b/~c/d;p.html?q=;:#f",
    ] {
        assert!(check_base(base), "{base}");
    }
    for base in [
        "HTTP://h/",
        "file:///x",
        "ftp://h/",
        "http://h",
        "http://H/",
        "http://127.0.0.1/",
        "http://xn--a/",
        "http://[::1]/",
        "http://u@h/",
        "http://h:80000/",
        "http://h:80/",
        "https://h:443/",
        "http://h:081/",
        "http://h:/",
        "http://h/a;b/c",
        "http://h/..",
        "http://h/a/../b",
        "http://h/a//b",
        "http://h/%2E/",
        "http://h/a?'",
        "http://h/^",
    ] {
        assert!(Shortcut::of(base).is_none(), "{base}");
    }
}

proptest! {
    #[test]
    fn long_references(
        base in "https?://[a-z][a-z0-9.-]{0,9}(:[1-9][0-9]{0,3})?/([a-c%:;=]{0,3}/){0,14}[a-c.;:]{0,4}([?][a-c=&;:/]{0,5})?",
        reference in "(https?://h/)?([.]{1,2}/){0,13}([a-c%:;&=!$,+~()*@_-]{0,3}/){0,9}[ -~]{0,3}[a-c:;%61.]{0,30}([?][a-c=&;:/%61]{0,20})?(#[ -~]{0,3}[a-c]{0,20})?",
    ) {
        let base = BaseUrl::any(&base);
        if base.shortcut().is_some() {
            check(&base, &reference);
        }
    }

    /// A reference made of the base's own directories.
    #[test]
    fn references_to_neighbours(
        base in "http://h/(a/|bb/|c:c/){0,6}(a|bb|c:c)?([?]q)?",
        reference in "(http://h)?/?([.][.]/){0,7}(a/|bb/|c:c/){0,6}(a|bb|c:c)?([?]q)?(#f)?",
    ) {
        check(&BaseUrl::any(&base), &reference);
    }
}

#[test]
fn the_comparisons_miss_nothing_that_is_not_plain() {
    for byte in 0..=255 {
        let is_mark = matches!(byte, b'&' | b'%' | b':' | b';');
        assert!(is_special(byte) || !is_odd(byte) && !is_mark, "{byte}");
    }
}

#[test]
fn an_odd_byte_is_found_in_every_place() {
    for length in 1..70 {
        let letters = vec![b'a'; length];
        assert!(is_plain(&letters, false));
        assert_eq!(is_ordinary::<8>(&letters), length > 8, "{length}");
        assert_eq!(is_ordinary::<16>(&letters), length > 16, "{length}");
        for at in 0..length {
            for mark in ["&", "%41"] {
                let mut reference = letters.clone();
                reference.splice(at..at, mark.bytes());
                assert_eq!(plain(&reference, false), Some(false), "{mark} at {at}");
            }
            for odd in [":", "'", "/.", "//"] {
                let mut reference = letters.clone();
                reference.splice(at..at, odd.bytes());
                assert_eq!(plain(&reference, false), None, "{odd} at {at} of {length}");
            }
        }
    }
}
