//! Documents made to hurt: whole runs over them take time and memory that grow with their length
//! and no faster. [`crate::oracle::locate`] has more for the locator alone.

use abslink::{
    Context, Group, Groups, Rewriter, Rewritten, Settings, Syntax, examine, rewrite_bytes,
};

use crate::support::growth::is_linear;

const PIECES: usize = 100_000;

fn rewritten(document: &str, syntax: Syntax) -> Rewritten<'_> {
    let context = Context::retrieved_from("https://h/d/x.html").unwrap();
    let every = [Group::Meta, Group::Lazy, Group::Comments, Group::Json];
    let mut settings = Settings::default();
    settings.groups = every.into_iter().fold(Groups::default(), Groups::with);
    rewrite_bytes(document.as_bytes(), syntax, &context, &settings)
}

fn reads(document: &str) {
    rewritten(document, Syntax::Html);
    rewritten(document, Syntax::Xml);
}

/// What is made of this many pieces takes time that grows as their number does.
fn survives(make: impl Fn(usize) -> String) {
    let start = make(1);
    for syntax in [Syntax::Html, Syntax::Xml] {
        let work = |document: &String| drop(rewritten(document, syntax));
        is_linear(&start, PIECES, &make, work);
    }
}

#[test]
fn deep_nesting() {
    for piece in [
        "<div>",
        "<a href=x>",
        "<b><p>",
        "<svg><foreignObject>",
        "<math><annotation-xml encoding=text/html>",
        "<template><base href=y/>",
        "<table><tr><td>",
        "<iframe srcdoc='",
        "<!--[if IE]>",
        "<noscript>",
    ] {
        survives(|count| piece.repeat(count));
    }
    let prefix = |nth| format!("<a{nth}:b xmlns:a{nth}='c'><d>");
    survives(|count| (0..count).map(prefix).collect());
}

/// Of attributes with one name the first counts, and the others are not looked at again.
#[test]
fn attributes_that_repeat_a_name() {
    let namespaces =
        "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:l='http://www.w3.org/1999/xlink'>";
    for (tag, attribute) in [
        ("a", "href='x' "),
        ("base", "href='x' "),
        ("link", "href='x' "),
        ("object", "data='x' "),
        (
            "svg xmlns='http://www.w3.org/2000/svg'",
            "l:href='x' href='x' ",
        ),
        ("style", "href='x' "),
    ] {
        let make = |count: usize| {
            format!(
                "{namespaces}<{tag} {}/><base href='/y'/>",
                attribute.repeat(count)
            )
        };
        for syntax in [Syntax::Html, Syntax::Xml] {
            is_linear(tag, PIECES, make, |document: &String| {
                let context = Context::retrieved_from("https://h/d/x.html").unwrap();
                let mut settings = Settings::default();
                settings.remove_base = true;
                rewrite_bytes(document.as_bytes(), syntax, &context, &settings);
            });
        }
    }
}

/// XML 1.0 §3.3.2: what a document declares of attributes, and as many elements.
#[test]
fn attributes_by_default() {
    for declared in ["#IMPLIED", "'v'"] {
        survives(|count| {
            let names = (0..count / 10).map(|nth| format!(" x{nth} CDATA {declared}"));
            let names: String = names.collect();
            let elements = "<a/>".repeat(count);
            format!(
                "<!DOCTYPE a [<!ATTLIST a{names}>]><a xmlns='http://www.w3.org/1999/xhtml'>{elements}</a>"
            )
        });
    }
}

#[test]
#[ignore = "slow tier: time"]
fn long_values() {
    for piece in [
        "../a/./%2e%2E/b;c/",
        "a/./%2e%2E/b;c/",
        "&amp",
        "&#1",
        "&",
        " ",
        "\t\n",
        "x 1x,",
        ",",
        "(,",
        "?#",
    ] {
        for [before, between, after] in [
            ["<a href='", "'><img srcset='", "'>"],
            ["<object archive='", "'><a ping='", "'>"],
            ["<meta http-equiv=refresh content='0;url=", "", "'>"],
            ["<base href='", "'><a href='", "'><a href=x>"],
        ] {
            survives(|count| {
                let value = piece.repeat(count);
                let second = if between.is_empty() { "" } else { &value };
                format!("{before}{value}{between}{second}{after}")
            });
        }
    }
}

#[test]
fn long_style_sheets() {
    for piece in [
        "url(",
        "url(a)",
        "(",
        "{",
        "[",
        "'",
        "\"\n",
        "/*",
        "*/",
        "\\",
        "@import '",
        "@namespace ",
        "image-set(",
        "url(\\",
        "u\\72l(",
        "src('a'",
        "<!--",
        "a:",
    ] {
        survives(|count| {
            let css = piece.repeat(count);
            let value = css.replace('\'', "&#39;");
            format!("<style>{css}</style><p style='{value}'>")
        });
    }
}

/// Text that is not its bytes: in an encoding of another time, or damaged. In memory, in pieces, and
/// where each reference is shown.
#[test]
fn values_that_have_to_be_decoded() {
    let context = Context::retrieved_from("https://h/d/x.html").unwrap();
    let settings = Settings::default();
    for (charset, odd) in [
        ("windows-1252", &b"\xe9"[..]),
        ("utf-8", b"\xe9"),
        ("iso-2022-jp", b"\x1b$BF|\x1b(B"),
    ] {
        for [before, piece, after] in [
            ["<style>/*", "*/a{b:url(q)}\n", "</style>"],
            ["<p style='&eacute;", ";a:url(q);b:&eacute", "'>"],
            ["<p style=", "a:url(q);", ">"],
            ["<iframe srcdoc='", "<a href=q>", "'>"],
        ] {
            let make = |count| {
                let head = format!("<meta charset={charset}>{before}");
                [
                    head.as_bytes(),
                    odd,
                    piece.repeat(count).as_bytes(),
                    after.as_bytes(),
                ]
                .concat()
            };
            let what = format!("{charset} {before}");
            is_linear(&what, 8_000, make, |document: &Vec<u8>| {
                let rewritten = rewrite_bytes(document, Syntax::Html, &context, &settings);
                assert!(rewritten.is_changed());
            });
            is_linear(&what, 8_000, make, |document: &Vec<u8>| {
                let mut rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
                document
                    .chunks(65_536)
                    .for_each(|piece| rewriter.write(piece).unwrap());
                assert!(rewriter.end().unwrap().is_changed);
            });
            is_linear(&what, 8_000, make, |document: &Vec<u8>| {
                let mut last = 0;
                examine(
                    document,
                    Syntax::Html,
                    &context,
                    &settings,
                    &mut |reference| {
                        assert!(last < reference.span.start);
                        last = reference.span.end;
                    },
                );
                assert!(last > 0);
            });
        }
    }
}

#[test]
fn long_scripts() {
    for piece in [
        "{\"imports\":",
        "[",
        "{\"url\":[",
        "\"\\",
        "\"a\":\"./b\",",
        "{\"a\":{\"@id\":\"b\",\"c\":",
    ] {
        for kind in ["importmap", "application/ld+json"] {
            survives(|count| format!("<script type={kind}>{}</script>", piece.repeat(count)));
        }
    }
}

/// A key counts for all arrays below it, and the name of a custom property for all URLs in its value.
#[test]
fn long_names_of_many() {
    survives(|count| {
        let (key, arrays) = ("\\u0061".repeat(count), "[".repeat(count));
        format!("<script type=application/ld+json>{{\"{key}\":{arrays}")
    });
    let (context, settings) = (Context::default(), Settings::default());
    let sheet = |count| {
        format!(
            "a{{--{}:{}}}",
            "x".repeat(10 * count),
            "url(y) ".repeat(count)
        )
    };
    is_linear("a custom property", PIECES, sheet, |sheet: &String| {
        abslink_html::sheet::rewrite(sheet.as_bytes(), &context, &settings);
    });
}

#[test]
#[ignore = "slow tier: time"]
fn a_million_attributes() {
    let attributes: String = (0..1_000_000).map(|nth| format!(" a{nth}=x")).collect();
    let document = format!("<a{attributes} href=x>");
    let found = rewritten(&document, Syntax::Html);
    assert_eq!(found.examined.tally.rewritten, 1);
    assert!(found.document.ends_with(b" href=https://h/d/x>"));
    let same = format!("<a{}>", " href=x".repeat(1_000_000));
    assert_eq!(rewritten(&same, Syntax::Html).examined.tally.rewritten, 1);
}

#[test]
fn a_huge_attribute() {
    let value = "x".repeat(64 << 20);
    let document = format!("<a href='{value}'>");
    let found = rewritten(&document, Syntax::Html);
    assert!(found.is_changed());
    assert_eq!(
        found.document.len(),
        value.len() + "<a href='https://h/d/'>".len()
    );
}

/// Each level spells its ampersands and quotes longer, as it must.
#[test]
fn srcdoc_in_srcdoc() {
    let mut document = "<a href=x>".to_owned();
    for _ in 0..40 {
        // Only what has to be: else each level would be twice as long as the one inside it.
        let inner = document.replace('&', "&amp;").replace('"', "&quot;");
        document = format!("<iframe srcdoc=\"{inner}\"></iframe>");
        if document.len() > 8 << 20 {
            break;
        }
        reads(&document);
    }
}

#[test]
fn unfinished_everything() {
    let document = "<!DOCTYPE html><a href='x?y&amp;z'><style>@import url( \"a\" )</style><!-- b --><img \
        srcset='c 1x, d'><iframe srcdoc='<i src=&quot;e&quot;>'></iframe><script>f</script><svg><![CDATA[g]]></svg>\
        <mjml><mj-style>h:url(i)</mj-style><!-- wp:j {\"k\":\"/l\"} /--><math><annotation-xml>";
    for end in 0..document.len() {
        reads(&document[..end]);
    }
}

/// The second reader looks once at a value, however many references in it were replaced.
#[test]
#[ignore = "slow tier: memory"]
fn many_references_in_one_value_are_confirmed() {
    let context = Context::retrieved_from("https://h/d/x.html").unwrap();
    let mut settings = Settings::default();
    settings.groups = settings.groups.with(Group::Json);
    settings.verify = abslink_verify::second_reader();
    let shapes: [(&str, &str, &str); 8] = [
        ("<img srcset='", "a 1x,", "'>"),
        ("<style>", "a{b:url(c)}", "</style>"),
        ("<p style='", "b:url(c);", "'>"),
        (
            "<script type='application/ld+json'>[",
            "{\"@id\":\"a\"},",
            "0]</script>",
        ),
        ("<a ping='", "a ", "'>"),
        ("<applet codebase='/c/' archive='", "a,", "'>"),
        ("<noscript>", "<a href=b>", "</noscript>"),
        ("<iframe srcdoc=\"", "<a href=b>", "\">"),
    ];
    for (before, piece, after) in shapes {
        for syntax in [Syntax::Html, Syntax::Xml] {
            let make = |count| match syntax {
                Syntax::Html => format!("{before}{}{after}", piece.repeat(count)),
                Syntax::Xml => {
                    let piece = piece.replace("=b>", "='b'/>");
                    let after = after.replace("'>", "'/>");
                    let inside = format!("{before}{}{after}", piece.repeat(count));
                    format!("<html xmlns='http://www.w3.org/1999/xhtml'>{inside}</html>")
                }
            };
            // What takes longest for each reference shows with many only.
            let pieces = match syntax {
                Syntax::Html => 200_000,
                Syntax::Xml => 25_000,
            };
            is_linear(before, pieces, make, |document: &String| {
                drop(rewrite_bytes(
                    document.as_bytes(),
                    syntax,
                    &context,
                    &settings,
                ));
            });
        }
    }
}

/// What the user names: the text of elements in each other, and attributes of an element with a long prefix.
#[test]
fn what_is_named_by_the_user() {
    let context = Context::retrieved_from("https://h/d/x.html").unwrap();
    let mut settings = Settings::default();
    settings.custom_attributes = ["a", "p@x"]
        .map(|it| it.parse().unwrap())
        .into_iter()
        .collect();
    settings.verify = abslink_verify::second_reader();
    type Make = fn(usize) -> String;
    let shapes: [(&str, Make); 4] = [
        ("elements in each other", |count| {
            "<a>x".repeat(count) + &"</a>".repeat(count)
        }),
        ("elements in a row", |count| "<a>x</a>".repeat(count)),
        ("style sheets in each other", |count| {
            "<style>a{b:url(c)}".repeat(count) + &"</style>".repeat(count)
        }),
        ("a long prefix", |count| {
            let attributes = (0..count).map(|nth| format!(" y{nth}='x'"));
            format!(
                "<{}:p{}/>",
                "q".repeat(count),
                attributes.collect::<String>()
            )
        }),
    ];
    for (what, make) in shapes {
        let make = |count| {
            let inside = make(count);
            format!("<html xmlns='http://www.w3.org/1999/xhtml'>{inside}</html>")
        };
        is_linear(what, 20_000, make, |document: &String| {
            drop(rewrite_bytes(
                document.as_bytes(),
                Syntax::Xml,
                &context,
                &settings,
            ));
        });
    }
}
