//! What holds for every input, on generated ones: the pieces below in any order. `ABSLINK_SEED`
//! pins them and `ABSLINK_DOCUMENTS` says how many (see [`generate`]).

mod check;

use abslink::html::Syntax;

use crate::generate;
use crate::pairs::Pairs;

#[test]
fn resolvers() {
    for (base, reference) in Pairs::new().take(Pairs::count()) {
        if let Err(wrong) = check::resolver(base, &reference) {
            panic!("{base} + {reference:?}: {wrong}");
        }
    }
}

#[test]
fn locators() {
    generate::documents(1_000, |document| check::locators(document.as_bytes()));
}

#[test]
fn documents() {
    generate::documents(2_000, |document| {
        check::document(document.as_bytes(), Syntax::Html)?;
        check::document(document.as_bytes(), Syntax::Xml)
    });
}

#[test]
fn srcsets() {
    let pieces = [
        "a.png", "b,c", "d", "/", "#", " ", "\t", "\n", ",", ",,", ", ", "(", ")", "1x", "2x,",
        "100w", "data:x,y", "//h/", "?", "&amp;", "é", "\u{1}",
    ];
    generate::texts(&pieces, 3_000, check::srcset);
}

#[test]
fn refreshes() {
    let pieces = [
        "0", "3", ".", "5.5", ";", ",", " ", "\t", "url", "URL", "u", "=", "'", "\"", "a.html",
        "#x", "http:", "//h/", "?", "é", "\u{1}",
    ];
    generate::texts(&pieces, 3_000, check::refresh);
}

#[test]
fn style_sheets() {
    let pieces = [
        "url(",
        "URL(",
        "src(",
        "image-set(",
        "image(",
        "f(",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "'",
        "a.png",
        "#x",
        ";",
        ":",
        ",",
        " ",
        "\n",
        "/*",
        "*/",
        "\\",
        "\\29 ",
        "@import ",
        "@namespace ",
        "x",
        "1px",
        "</style",
        "é",
        "<!--",
    ];
    generate::texts(&pieces, 3_000, check::css);
}

#[test]
fn character_references() {
    let pieces = [
        "&",
        "&amp",
        "&amp;",
        "&lt",
        "&not",
        "&notin;",
        "&copy=",
        "&#",
        "&#x",
        "41",
        "80",
        ";",
        "x",
        "=",
        "/",
        "?",
        "#",
        "'",
        "é",
        " ",
        "\n",
        "d800",
        "\u{1}",
        "&NewLine;",
        "&Tab;",
    ];
    generate::texts(&pieces, 3_000, check::entities);
}

#[test]
fn encodings() {
    let labels = [
        "utf-8",
        "utf-16",
        "windows-1252",
        "shift_jis",
        "gb18030",
        "iso-2022-jp",
        "big5",
        "x",
        "x-user-defined",
        "euc-kr",
    ];
    let bytes: [&[u8]; 18] = [
        b"<a href=",
        b"<a href='",
        b"'",
        b">",
        b"x",
        b"&amp;",
        b"\0",
        b"<\0a\0",
        b" \0h\0r\0e\0f\0=\0",
        b"\0>",
        b"\xff",
        b"\x81",
        b"\x5c",
        b"\x1b$B",
        b"\x1b(B",
        b"\xc3\xa9",
        b"<style>url(",
        b")",
    ];
    let mut number = 0;
    generate::pieces(&bytes, 1_000, |bytes| {
        number += 1;
        check::encoding(labels[number % labels.len()], bytes)
    });
}
