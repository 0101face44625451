//! Style sheets that are files of their own: the table testdata/sheets.tsv, and sheets made of pieces
//! of it, each read by cssparser as well.

use std::fs;

use crate::cli::Sandbox;
use crate::support::css_urls;
use crate::support::generate::Random;
use crate::support::links::links;
use crate::support::table::{self, Rewrite, hold, outcome};
use crate::support::transcription;

const URL: &str = "https://e.org/c/s.css";

/// The rows of the table.
fn rows() -> Vec<Rewrite> {
    let rows = table::rows(include_str!("../../testdata/sheets.tsv")).map(|fields| {
        let [name, sheet, expected] = fields;
        let (expected, code) = outcome(expected, sheet);
        Rewrite {
            name: name.to_owned(),
            options: ["-b", URL].map(str::to_owned).into(),
            before: bytes(sheet),
            after: bytes(expected),
            code,
        }
    });
    rows.collect()
}

/// What a field of the table spells.
fn bytes(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field;
    while let Some(at) = rest.find('\\') {
        out.extend(rest[..at].bytes());
        rest = &rest[at + 1..];
        let (byte, length) = match rest.as_bytes().first() {
            Some(b'n') => (b'\n', 1),
            Some(b'0') => (0, 1),
            Some(b'x') => (u8::from_str_radix(&rest[1..3], 16).unwrap(), 3),
            _ => (b'\\', 0),
        };
        out.push(byte);
        rest = &rest[length..];
    }
    out.extend(rest.bytes());
    out
}

#[test]
fn the_table() {
    for row in rows() {
        if let [Ok(old), Ok(new)] = [&row.before, &row.after].map(|it| str::from_utf8(it)) {
            same_by_cssparser(old, new);
        }
    }
    hold("s.css", rows());
}

/// Each reference is shown at its place in the file.
#[test]
fn where_references_are() {
    let sandbox = Sandbox::new();
    for (start, sheet) in [
        (8, &b"a{b:url(x)}"[..]),
        (18, b"\xff\xfea\0{\0b\0:\0u\0r\0l\0(\0x\0)\0}\0"),
    ] {
        sandbox.write("s.css", sheet);
        let (_, found) = links(&["-b", URL], &sandbox.path().join("s.css"))
            .next()
            .unwrap();
        assert_eq!((found[0].start, &*found[0].element), (start, "stylesheet"));
    }
}

/// Fails unless cssparser finds as many URLs in both sheets, of which each means the same, and nothing else changed.
/// What a template fills means nothing yet.
fn same_by_cssparser(old: &str, new: &str) {
    let (olds, news) = (css_urls::urls(old), css_urls::urls(new));
    assert_eq!(olds.len(), news.len(), "{old}\n{new}");
    let [mut done, mut new_done] = [0, 0];
    for ((place, url), (new_place, new_url)) in olds.iter().zip(&news) {
        let between = (&old[done..place.start], &new[new_done..new_place.start]);
        assert_eq!(between.0, between.1, "{old}\n{new}");
        if old[place.clone()] != new[new_place.clone()] && !url.contains("{{") {
            let target = transcription::resolve(URL, &abslink::pre_step(url));
            assert_eq!(*new_url, target, "{old}\n{new}");
        }
        [done, new_done] = [place.end, new_place.end];
    }
    assert_eq!(old[done..], new[new_done..], "{old}\n{new}");
}

/// cssparser agrees with what is made of sheets that nobody would write, and a
/// second run changes nothing.
#[test]
fn cssparser_finds_the_same_sheet() {
    const PIECES: &[&str] = &[
        "a{",
        "}",
        ";",
        "b:",
        "--v:",
        "--w:",
        "var(--v)",
        "url(x)",
        "url( \"y\" )",
        "url('z",
        "\"",
        "'",
        "@import ",
        "@namespace ",
        "@media (x){",
        "image-set(",
        ")",
        "(",
        "[",
        "]",
        "\\",
        "/*",
        "*/",
        " ",
        "\n",
        "src(\"q\")",
        "behavior:",
        "url(#f)",
        "url(a b)",
        "\u{e9}",
        "<!--",
        "-->",
        "@property --w{",
        "1url(n)",
        "{",
        ":",
        ",",
    ];
    let sandbox = Sandbox::new();
    for seed in 0..400 {
        let mut random = Random(seed);
        let count = 1 + random.below(24);
        let sheet: String = (0..count).map(|_| random.pick(PIECES)).collect();
        sandbox.write(format!("sheets/{seed}.css"), &sheet);
    }
    for (from, to) in [("sheets", "once"), ("once", "twice")] {
        let rewrite = "rewrite --ext css --verify -b https://e.org/c/";
        let ran = sandbox.run(&format!("{rewrite} -o {to} {from}"));
        assert_ne!(ran.code, Some(2), "{ran:?}");
        ran.says("links absolute");
    }
    for seed in 0..400 {
        let read =
            |directory| fs::read(sandbox.path().join(format!("{directory}/{seed}.css"))).unwrap();
        assert_eq!(read("once"), read("twice"), "{seed}");
        let [old, new] = ["sheets", "once"].map(|it| String::from_utf8(read(it)).unwrap());
        same_by_cssparser(&old, &new);
    }
}
