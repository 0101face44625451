//! The locators against html5ever.

pub(crate) mod compare;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use abslink_html::locate::html::locate;
use abslink_html::locate::{Handler, Namespace, RawText, Spelling, StartTag};
use rayon::prelude::*;
use regex::Regex;

use crate::oracle::html5lib;
use crate::support::generate;
use crate::support::growth::is_linear;
use crate::support::skip;
use compare::{Collect, collect, compare, compare_but_for_departures, departures_are_few};

#[test]
fn generated_documents() {
    let (mut documents, mut departures) = (0, 0);
    generate::documents(3_000, |document| {
        documents += 1;
        departures += usize::from(compare_but_for_departures(document)?);
        Ok(())
    });
    departures_are_few(departures, documents);
}

#[test]
fn html5lib_tokenizer_inputs() {
    for document in html5lib::tokenizer_inputs() {
        if let Err(difference) = compare_but_for_departures(&document) {
            panic!("{document:?}\n{difference}");
        }
    }
}

/// Each input up to each of its tags. What follows asks what is open there and which tags count: an
/// end tag in SVG closes what is open, or is ignored, and after it a style sheet is raw text, or not.
#[test]
fn html5lib_tree_construction_inputs() {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("</?([A-Za-z][-A-Za-z0-9]*)").unwrap());
    const OTHERS: [&str; 3] = [
        "",
        "<base href=x><a href=y><col><script><a href=x></script><base href=z>",
        "<frameset><frame src=x><a href=y>",
    ];
    let mut starts = BTreeSet::new();
    for input in html5lib::tree_construction_inputs() {
        let tags = input.match_indices('>').take(20);
        starts.extend(tags.map(|(at, _)| input[..=at].to_owned()));
        starts.insert(input);
    }
    let (mut documents, mut departures) = (0, 0);
    for start in starts {
        let names = TAG.captures_iter(&start).map(|tag| tag.extract::<1>().1[0]);
        let asked = names
            .collect::<BTreeSet<_>>()
            .into_iter()
            .map(|name| format!("<svg></{name}><style><a href=x></style><a href=y>"));
        for after in OTHERS.map(str::to_owned).into_iter().chain(asked) {
            let document = format!("{start}{after}");
            documents += 1;
            match compare_but_for_departures(&document) {
                Ok(departs) => departures += usize::from(departs),
                Err(difference) => panic!("{document:?}\n{difference}"),
            }
        }
    }
    departures_are_few(departures, documents);
}

#[test]
#[ignore = "slow tier: corpora"]
fn corpora() {
    let named = std::env::var_os("ABSLINK_CORPUS").map(PathBuf::from);
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let folder = named.unwrap_or(fetched);
    if !folder.is_dir() {
        skip::data(format_args!(
            "{} is not there; testdata/fetch-corpora.sh brings it, or ABSLINK_CORPUS names another",
            folder.display()
        ));
        return;
    }
    let files = walkdir::WalkDir::new(&folder).into_iter();
    let pages: Vec<PathBuf> = files
        .filter_map(|file| Some(file.ok()?.into_path()))
        .filter(|file| file.extension().is_some_and(|it| it == "html") && file.is_file())
        .collect();
    pages.par_iter().for_each(|file| {
        let page = std::fs::read(file).unwrap();
        if let Err(difference) = compare(&String::from_utf8_lossy(&page)) {
            panic!("{}: {difference}", file.display());
        }
    });
    let pages = pages.len();
    println!("{pages} pages in {}", folder.display());
}

/// Every row of the table: what the locator finds, and that html5ever agrees.
#[test]
fn cases() {
    let table = include_str!("../../testdata/locate/cases.tsv");
    let mut wrong = Vec::new();
    for row in table
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'))
    {
        let row = row.replace('"', "\\\"");
        let row: String = serde_json::from_str(&format!("\"{}\"", row.replace('\t', "\\u001f")))
            .unwrap_or_else(|error| panic!("{error}: {row}"));
        let Some((document, expected)) = row.split_once('\u{1f}') else {
            panic!("not two columns: {row}");
        };
        let found = links(document);
        if found != expected {
            wrong.push(format!("{document:?} gives {found:?}, not {expected:?}"));
        }
        if let Err(difference) = compare_but_for_departures(document) {
            wrong.push(format!("{document:?}\n{difference}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `element=value` for each `href` and `src` of a document, with the namespace of a foreign
/// element before it, and `!` before a `base` that does not count.
fn links(document: &str) -> String {
    let found = collect(document);
    let mut links = Vec::new();
    for tag in &found.tags {
        let is_link = |name: &str| ["href", "src", "xlink:href"].contains(&name);
        for (_, value) in tag.attributes.iter().filter(|(name, _)| is_link(name)) {
            let prefix = match tag.namespace {
                Namespace::Html if tag.name == "base" && !tag.base_applies => "!",
                Namespace::Html => "",
                Namespace::Svg => "svg:",
                Namespace::MathMl => "math:",
            };
            links.push(format!("{prefix}{}={value}", tag.name));
        }
    }
    links.join(" ")
}

/// What the header of the locator says of formatting elements: 64 are remembered, and one is moved
/// over 64 open elements at most.
#[test]
fn formatting_elements_have_a_limit() {
    let style = "<svg></b><style><a href=x></style>";
    // Those that are remembered are opened again by the text, and closed one by one.
    let remembered = |count: usize, closed: usize| {
        let tags: String = (0..count).map(|nth| format!("<b id={nth}>")).collect();
        links(&format!("<p>{tags}</p>x{}{style}", "</b>".repeat(closed)))
    };
    for count in [64, 65, 66, 80] {
        assert_eq!(remembered(count, 63), "", "{count}");
        assert_eq!(remembered(count, 64), "svg:a=x", "{count}");
    }
    // One that is moved comes to stand in the eighth `div`, and is what the SVG is in in the end.
    let moved = |count: usize| {
        let (open, close) = ("<div>".repeat(count), "</div>".repeat(count - 8));
        links(&format!("<b>{open}</b>{close}{style}"))
    };
    assert_eq!(moved(63), "");
    assert_eq!(moved(64), "svg:a=x");
}

/// Names are numbered, and some numbers stand for bits.
#[test]
fn there_may_be_many_names() {
    let tags: String = (0..300).map(|nth| format!("<x{nth}>")).collect();
    let document = format!("<svg><desc>{tags}</desc><a href=x>");
    assert_eq!(links(&document), "a=x");
    assert_eq!(compare(&document), Ok(()));
}

/// `noscript` is an element as others are.
#[test]
fn without_scripting() {
    for (document, expected) in [
        ("<noscript><a href=x></noscript>", 1),
        ("<p><noscript><svg></noscript><style><a href=x></style>", 0),
        ("<p><svg></noscript><style><a href=x></style>", 1),
    ] {
        let mut found = Collect {
            document: document.as_bytes(),
            ..Collect::default()
        };
        locate(document.as_bytes(), false, &mut found);
        let links = found.tags.iter().filter(|tag| tag.name == "a").count();
        assert_eq!(links, expected, "{document}");
    }
}

/// Tags are found on bytes: trail bytes of other encodings are no quotes and no brackets to it.
#[test]
fn other_encodings() {
    let document = "<p title=表>é</p><a href=\"表é.html\" title='ソ\\'>表<img src=十/予></a>";
    for label in [
        "windows-1252",
        "shift_jis",
        "gb18030",
        "big5",
        "euc-jp",
        "euc-kr",
        "gbk",
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, ..) = encoding.encode(document);
        let mut found = Collect {
            document: &bytes,
            ..Collect::default()
        };
        locate(&bytes, true, &mut found);
        let names: Vec<&str> = found.tags.iter().map(|tag| &*tag.name).collect();
        assert_eq!(names, ["p", "a", "img"], "{label}");
        let attributes: usize = found.tags.iter().map(|tag| tag.attributes.len()).sum();
        assert_eq!(attributes, 4, "{label}");
    }
}

/// Text and comments, by byte range.
#[test]
fn text_and_comments() {
    #[derive(Default)]
    struct Ranges(Vec<(Option<RawText>, Spelling, Range<usize>)>);
    impl Handler for Ranges {
        fn start_tag(&mut self, _: &StartTag<'_>) {}
        fn raw_text(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
            self.0.push((Some(element), spelling, text));
        }
        fn comment(&mut self, data: Range<usize>) {
            self.0.push((None, Spelling::Raw, data));
        }
    }
    let found = |document: &str| {
        let mut ranges = Ranges::default();
        locate(document.as_bytes(), true, &mut ranges);
        ranges
            .0
            .into_iter()
            .map(|(element, spelling, range)| (element, spelling, document[range].to_owned()))
            .collect::<Vec<_>>()
    };
    let literal = |element, text: &str| (element, Spelling::Raw, text.to_owned());
    let references = |element, text: &str| (Some(element), Spelling::References, text.to_owned());
    assert_eq!(
        found("<style>a{}</STYLE >"),
        [literal(Some(RawText::Style), "a{}")]
    );
    assert_eq!(found("<noscript><a href=x></noscript>")[0].2, "<a href=x>");
    assert_eq!(
        found("<noframes>&lt;</noframes>"),
        [literal(Some(RawText::Noframes), "&lt;")]
    );
    assert_eq!(found("<script>x"), [literal(Some(RawText::Script), "x")]);
    assert_eq!(
        found("<script></script>"),
        [literal(Some(RawText::Script), "")]
    );
    assert_eq!(found("<title>x</title><xmp>y</xmp>"), []);
    assert_eq!(
        found("<svg><style>a<![CDATA[b]]>c<!--d--><g>e</g>f</style>g"),
        [
            references(RawText::Style, "a"),
            literal(Some(RawText::Style), "b"),
            references(RawText::Style, "c"),
            literal(None, "d"),
            references(RawText::Style, "f"),
        ],
        "text of a foreign style element"
    );
    assert_eq!(
        found("<svg></x><style>a</style><script>b</script>"),
        [
            references(RawText::Style, "a"),
            references(RawText::Script, "b"),
        ],
        "text of style and script behind a broken svg"
    );
    assert_eq!(found("<!---->"), [literal(None, "")]);
    assert_eq!(
        found("<!--a--!><!-- b --"),
        [literal(None, "a"), literal(None, " b ")]
    );
    assert_eq!(found("<!--><!---><!----><!x>"), vec![literal(None, ""); 3]);
}

/// No input costs time that grows with the square of its length.
#[test]
#[ignore = "slow tier: time"]
fn hostile_documents_take_linear_time() {
    const PIECES: usize = 200_000;
    /// From here on there is a tree.
    const TREE: &str = "<svg></x></svg>";
    let each = |make: &dyn Fn(usize) -> String| {
        for start in ["", TREE] {
            let make = |count| start.to_owned() + &make(count);
            is_linear(&make(1), PIECES, make, |document| {
                drop(collect(document));
            });
        }
    };
    // What stands before, and what comes as often as wanted.
    for (before, pieces) in [
        ("", &["<svg>"][..]),
        ("", &["<svg>", "</x>", "</svg>"]),
        ("", &["<svg><desc>"]),
        ("<template>", &["<div>", "</p></x></b>"]),
        ("<template>", &["<div>", "<li></li>"]),
        ("<template><p><button>", &["<span>", "<div>"]),
        ("<template>", &["<x1>", "</x2>"]),
        ("<template><b>", &["<div>", "</b>"]),
        ("<template>", &["<b><p></b>"]),
        ("<template>", &["<table><td><a>"]),
        ("<template>", &["<table><td>", "<b><x><p></b>"]),
        ("<template><form>", &["<div><form></form>"]),
        ("<template>", &["<template>", "</template>"]),
        ("", &["<template>"]),
        ("<template>", &["<svg>", "</template>", "<template>"]),
        ("", &["<!--"]),
        ("", &["<!-- --"]),
        ("", &["<a b='"]),
        ("", &["<title>"]),
        ("", &["<script><!--<script>"]),
        ("", &["<![CDATA["]),
        ("<svg>", &["<![CDATA["]),
        ("", &["</"]),
        ("", &["<"]),
    ] {
        each(&|count| {
            let pieces = pieces.iter().map(|piece| piece.repeat(count));
            before.to_owned() + &pieces.collect::<String>()
        });
    }
    let numbered = |before: &str, piece: &dyn Fn(usize) -> String, after: &str| {
        each(&|count| {
            format!(
                "{before}{}{after}",
                (0..count).map(piece).collect::<String>()
            )
        });
    };
    numbered("<a", &|nth| format!(" a{nth}=x"), ">");
    numbered("", &|nth| format!("<template><b a={nth}><p>x</p>"), "");
    numbered("<template>", &|nth| format!("<p><b a={nth}></p>x"), "");
}
