use crate::base::Context;
use crate::locate::Syntax;
use crate::report::outcome::Outcome;
use crate::rewrite::chunked::ChunkedRewriter;
use crate::rewrite::document::{examine, rewrite_bytes};
use crate::rewrite::prescan::{BasePrescan, EncodingPrescan};
use crate::rewrite::rewriter::Rewriter;
use crate::settings::Settings;

fn context() -> Context {
    Context::retrieved_from("http://h/d/").unwrap()
}

fn settings() -> Settings {
    Settings {
        groups: super::super::groups::Groups::default().with(super::super::groups::Group::Json),
        ..Settings::default()
    }
}

/// The references that do not stay, and how many are excluded.
fn taken(document: &str, syntax: Syntax) -> (String, u64) {
    let mut taken = Vec::new();
    let examined = examine(
        document.as_bytes(),
        syntax,
        &context(),
        &settings(),
        &mut |it| {
            assert_eq!(it.outcome == Outcome::Excluded, it.absolute.is_none());
            if it.outcome != Outcome::Excluded {
                taken.push(it.reference.to_owned());
            }
        },
    );
    assert_eq!(examined.tally.rewritten, taken.len() as u64, "{document}");
    (taken.join(" "), examined.tally.excluded)
}

/// The same document however it is cut, by a rewriter that has seen it before and by one that has not.
#[track_caller]
fn is_the_same_in_pieces(document: &str, syntax: Syntax) {
    let (context, settings) = (context(), settings());
    let bytes = document.as_bytes();
    let whole = rewrite_bytes(bytes, syntax, &context, &settings);
    for length in (1..40).chain([1000, 1023, 1024, 1025]) {
        let mut prescan = EncodingPrescan::new(syntax, None);
        bytes.chunks(length).for_each(|piece| prescan.look(piece));
        let mut facts = prescan.finish();
        if facts.need_search() {
            BasePrescan::new(&mut facts).look(bytes, true);
        }
        let mut rewriter = ChunkedRewriter::new(&facts, &context, &settings);
        let mut out = Vec::new();
        bytes
            .chunks(length)
            .for_each(|piece| rewriter.rewrite(piece, false, &mut out));
        rewriter.rewrite(b"", true, &mut out);
        assert_eq!(
            String::from_utf8_lossy(&out),
            String::from_utf8_lossy(&whole.document),
            "by {length}"
        );
        let (examined, _) = rewriter.finish();
        assert_eq!(examined.tally, whole.examined.tally, "by {length}");
        let mut rewriter = Rewriter::new(syntax, &context, &settings, Vec::new());
        bytes
            .chunks(length)
            .for_each(|piece| rewriter.write(piece).unwrap());
        let ended = rewriter.end().unwrap();
        assert_eq!(ended.out, *whole.document, "by {length}");
        // Where nothing is held back, HTML's tree may be asked for too late.
        let mut rewriter = Rewriter::new(syntax, &context, &settings, Vec::new()).hold(0);
        let mut pieces = bytes.chunks(length);
        if pieces.all(|piece| rewriter.write(piece).is_ok())
            && let Ok(ended) = rewriter.end()
        {
            assert_eq!(ended.out, *whole.document, "by {length}");
        }
    }
}

const ELEMENTS: [(&str, &str, u64); 30] = [
    ("<!-- abslink-ignore --><a href=a><a href=b>", "b", 1),
    (
        "<!--abslink-ignore--> text\n<img src=a srcset='b 1x, c 2x'><a href=d>",
        "d",
        3,
    ),
    ("<!-- abslink-ignore: a demo --><a href=a>", "", 1),
    (
        "<!-- abslink-ignore since it is a demo --><a href=a><a href=b>",
        "b",
        1,
    ),
    ("<!-- abslink-ignored --><a href=a>", "a", 0),
    ("<!-- ABSLINK-IGNORE --><a href=a>", "a", 0),
    ("<!-- please abslink-ignore --><a href=a>", "a", 0),
    // The next element is the one that follows, whether it carries a URL or not.
    ("<!-- abslink-ignore --><p><a href=a>", "a", 0),
    ("<!-- abslink-ignore --></p><a href=a><a href=b>", "b", 1),
    ("<!-- abslink-ignore --><P CLASS=x>1 < 2<a href=a>", "a", 0),
    (
        "<!-- abslink-ignore -->1 < 2 <3 <a href=a><a href=b>",
        "b",
        1,
    ),
    (
        "<!-- abslink-ignore --><!-- <p> --><a href=a><a href=b>",
        "b",
        1,
    ),
    ("<!-- abslink-ignore --><p><!-- x --><a href=a>", "a", 0),
    (
        "<!-- abslink-ignore --><!-- abslink-ignore --><a href=a><a href=b>",
        "b",
        1,
    ),
    // Nor is markup in what HTML takes for a comment, up to the first `>`, or in a CDATA section.
    (
        "<!-- abslink-ignore --><?php echo '<b'; ?><a href=a><a href=b>",
        "b",
        1,
    ),
    (
        "<!-- abslink-ignore --><!ELEMENT <b><a href=a><a href=b>",
        "b",
        1,
    ),
    ("<!-- abslink-ignore --></ <b><a href=a><a href=b>", "b", 1),
    (
        "<svg><!-- abslink-ignore --><![CDATA[<b><c>]]><a href=a></a><a href=b></svg>",
        "b",
        1,
    ),
    (
        "<!-- abslink-ignore --><![CDATA[<b><c>]]><a href=a></a><a href=b>",
        "a b",
        0,
    ),
    (
        "<!-- abslink-ignore --><?x ><b><a href=a></a><a href=b>",
        "a b",
        0,
    ),
    ("<!-- abslink-ignore -->", "", 0),
    ("<a href=a><!-- abslink-ignore", "a", 0),
    // The text of an element is its own, and the elements in it are not.
    (
        "<!-- abslink-ignore --><style>p{background:url(a)}</style><p style='background:url(b)'>",
        "b",
        1,
    ),
    (
        "<!-- abslink-ignore --><script type=importmap>{\"imports\":{\"x\":\"./a\"}}</script><script src=b></script>",
        "b",
        1,
    ),
    (
        "<!-- abslink-ignore --><noscript><img src=a></noscript><img src=b>",
        "a b",
        0,
    ),
    (
        "<noscript><!-- abslink-ignore --><img src=a><img src=b></noscript><img src=c>",
        "b c",
        1,
    ),
    (
        "<noscript><!-- abslink-ignore --></noscript><img src=c>",
        "c",
        0,
    ),
    (
        "<!-- abslink-ignore --><iframe srcdoc='<a href=a>'></iframe><iframe srcdoc='<a href=b>'>",
        "b",
        1,
    ),
    (
        "<iframe srcdoc='<!-- abslink-ignore --><a href=a><a href=b>'></iframe><a href=c>",
        "b c",
        1,
    ),
    (
        "<svg><!-- abslink-ignore --><a xlink:href=a><style>x{fill:url(b)}</style></svg>",
        "b",
        1,
    ),
];

#[test]
fn the_next_element_stays() {
    for (document, expected, excluded) in ELEMENTS {
        let expected = (expected.to_owned(), excluded);
        assert_eq!(taken(document, Syntax::Html), expected, "{document}");
        is_the_same_in_pieces(document, Syntax::Html);
    }
}

#[test]
fn so_it_does_in_xml() {
    const OPEN: &str = "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:s='http://www.w3.org/2000/svg' \
                        xmlns:xlink='http://www.w3.org/1999/xlink'>";
    for (document, expected, excluded) in [
        ("<!-- abslink-ignore --><a href='a'/><a href='b'/>", "b", 1),
        ("<!-- abslink-ignore --><p/><a href='a'/>", "a", 0),
        (
            "<!-- abslink-ignore --><s:a xlink:href='a'/><a href='b'/>",
            "b",
            1,
        ),
        (
            "<!-- abslink-ignore --><![CDATA[<p>]]> x <?y <p>?><a href='a'/><a href='b'/>",
            "b",
            1,
        ),
        (
            "<!-- abslink-ignore --><?y <p>?><p/><a href='a'/><a href='b'/>",
            "a b",
            0,
        ),
        (
            "<!-- abslink-ignore --><x xmlns='' href='a'/><a href='b'/>",
            "b",
            0,
        ),
        (
            "<!-- abslink-ignore --><style>p{background:url(a)}</style><img src='b'/>",
            "b",
            1,
        ),
        (
            "<!-- abslink-ignore-file --><a href='a'/><img src='b'/>",
            "",
            2,
        ),
    ] {
        let document = format!("{OPEN}{document}</html>");
        let expected = (expected.to_owned(), excluded);
        assert_eq!(taken(&document, Syntax::Xml), expected, "{document}");
        is_the_same_in_pieces(&document, Syntax::Xml);
    }
}

#[test]
fn a_document_stays_by_its_beginning() {
    let links =
        "<a href=a><p style='background:url(b)'><style>p{background:url(c)}</style><img src=d>";
    let mark = "<!-- abslink-ignore-file -->";
    for (document, expected, excluded) in [
        (format!("{mark}{links}"), "", 4),
        (format!("{links}{mark}{links}"), "", 8),
        (format!("<!-- abslink-ignore-file: demo -->{links}"), "", 4),
        (
            format!("<!-- abslink-ignore-file of a demo --!>{links}"),
            "",
            4,
        ),
        (
            format!("<!-- abslink-ignore-files -->{links}"),
            "a b c d",
            0,
        ),
        (format!("<script>'{mark}'</script>{links}"), "a b c d", 0),
        (
            format!("<noscript>{mark}<a href=x></noscript>{links}"),
            "x a b c d",
            0,
        ),
        (format!("<a title='{mark}'>{links}"), "a b c d", 0),
        (
            format!("<iframe srcdoc='{mark}<a href=x>'></iframe>{links}"),
            "a b c d",
            1,
        ),
    ] {
        assert_eq!(
            taken(&document, Syntax::Html),
            (expected.to_owned(), excluded),
            "{document}"
        );
        is_the_same_in_pieces(&document, Syntax::Html);
    }
    // It is there in time, or it is not.
    let length = 1024 - mark.len();
    for (before, excluded) in [(length, 4), (length + 1, 0)] {
        let document = format!("{}{mark}{links}", " ".repeat(before));
        assert_eq!(taken(&document, Syntax::Html).1, excluded, "{before}");
        is_the_same_in_pieces(&document, Syntax::Html);
    }
    // Its bytes count, whatever they have to be decoded to.
    for (before, changes) in [
        (0, false),
        (511 - mark.len(), false),
        (512 - mark.len(), true),
    ] {
        for filler in ["x", "漢"] {
            let before = filler.repeat(before);
            let utf16: Vec<u8> = format!("\u{feff}{before}{mark}{links}")
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect();
            let rewritten = rewrite_bytes(&utf16, Syntax::Html, &context(), &settings());
            assert_eq!(rewritten.is_changed(), changes, "{before}");
        }
    }
}

/// The document after an ignored one, in the same memory.
#[test]
fn nothing_is_left_of_it() {
    let mut rewriter = crate::rewrite::document::DocumentRewriter::default();
    let (context, settings) = (context(), settings());
    for (document, rewritten) in [
        ("<!-- abslink-ignore-file --><a href=a>", 0),
        ("<a href=a>", 1),
        ("<a href=a><!-- abslink-ignore -->", 1),
        ("<a href=a>", 1),
        ("<!-- abslink-ignore --><style></style>", 0),
        ("<style>p{background:url(a)}</style>", 1),
    ] {
        let bytes = document.as_bytes();
        let (examined, _) =
            rewriter.rewrite(bytes, Syntax::Html, &context, &settings, &mut Vec::new());
        assert_eq!(examined.tally.rewritten, rewritten, "{document}");
    }
}

/// An ignored `base` still says what the others are relative to, and is not taken out.
#[test]
fn a_base_element_counts_all_the_same() {
    let document = "<!-- abslink-ignore --><base href=x/><a href=a>";
    let context = context();
    let rewritten = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings());
    let expected = "<!-- abslink-ignore --><base href=x/><a href=http://h/d/x/a>";
    assert_eq!(String::from_utf8_lossy(&rewritten.document), expected);
    let settings = Settings {
        remove_base: true,
        ..settings()
    };
    let rewritten = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
    assert_eq!(String::from_utf8_lossy(&rewritten.document), expected);
}
