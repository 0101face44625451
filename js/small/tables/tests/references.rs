//! htmlize: what the crate makes that it stands for.

#![allow(clippy::unwrap_used)]

use htmlize::Context;
use original_htmlize as original;

fn same(text: &str) {
    assert_eq!(htmlize::unescape(text), original::unescape(text), "{text}");
    assert_eq!(
        htmlize::unescape_attribute(text),
        original::unescape_attribute(text),
        "{text}"
    );
    let bytes = text.as_bytes();
    let pairs = [
        (Context::General, original::Context::General),
        (Context::Attribute, original::Context::Attribute),
    ];
    for (ours, theirs) in pairs {
        let expected = original::unescape_bytes_in(bytes, theirs);
        assert_eq!(htmlize::unescape_bytes_in(bytes, ours), expected, "{text}");
    }
}

#[test]
fn every_name() {
    for name in original::ENTITIES.keys() {
        let name = str::from_utf8(name).unwrap();
        let open = name.trim_end_matches(';');
        for (before, after) in [
            ("", ""),
            ("", ";"),
            ("é", "="),
            ("&", "x"),
            ("&x", "é"),
            ("&#;", "&"),
            ("", ";;"),
            (" ", " "),
        ] {
            same(&[before, name, after].concat());
            same(&[before, open, after].concat());
        }
        for end in 1..name.len() {
            same(&name[..end]);
            same(&[&name[..end], ";"].concat());
        }
    }
}

#[test]
fn every_number() {
    for number in (0..0x1_1000).chain(0x10_fff0..0x11_0010) {
        same(&format!("&#{number};"));
        same(&format!("a&#X{number:x}b&#x{number:X}"));
    }
    for text in [
        "&#",
        "&#;",
        "&#x;",
        "&#xg",
        "&#4294967296;",
        "&#99999999999999999999",
        "&#x110000000000041;",
        "&#00065",
        "&#-1;",
    ] {
        same(text);
    }
}

#[test]
fn mixed_text() {
    const PARTS: [&str; 16] = [
        "&",
        "amp",
        ";",
        "#",
        "x",
        "65",
        "not",
        "in",
        "=",
        "é",
        "&lt",
        "&copy",
        "&notin;",
        "NotEqualTilde",
        " ",
        "abcdefghijklmnopqrstuvwxyzabcdefg",
    ];
    let mut seed = 3_u64;
    for _ in 0..50_000 {
        let text: String = (0..6)
            .map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                PARTS[(seed >> 40) as usize % PARTS.len()]
            })
            .collect();
        same(&text);
    }
}

#[test]
fn bytes_that_are_no_text() {
    let bytes = b"\xff&amp\xfe&eacute;\x80";
    let expected = original::unescape_bytes_in(&bytes[..], original::Context::General);
    assert_eq!(
        htmlize::unescape_bytes_in(&bytes[..], Context::General),
        expected
    );
}
