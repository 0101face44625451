//! Documents made to hurt: whole runs over them take time and memory that grow with their length
//! and no faster. [`crate::locate`] has more for the locator alone.

use std::time::{Duration, Instant};

use abslink::base::{Context, Retrieval, Rung};
use abslink::html::{Group, Groups, Rewritten, Settings, Syntax, rewrite};
use abslink::resolver::BaseUrl;

/// What a document of this many pieces may take: a hundred times what a quiet machine needs, and a
/// hundredth of what squares would.
const PIECES: usize = 100_000;
const PATIENCE: Duration = Duration::from_secs(20);

fn rewritten(document: &str, syntax: Syntax) -> (Rewritten, Vec<u8>) {
    let url = BaseUrl::parse("https://h/d/x.html").unwrap();
    let context = Context {
        retrieval: Some(Retrieval {
            url,
            rung: Rung::Layout,
        }),
        ..Context::default()
    };
    let every = [Group::Meta, Group::Lazy, Group::Comments, Group::Json];
    let settings = Settings {
        groups: every.into_iter().fold(Groups::default(), Groups::with),
        ..Settings::default()
    };
    let mut out = Vec::new();
    let started = Instant::now();
    let rewritten = rewrite(document.as_bytes(), syntax, &context, &settings, &mut out);
    let elapsed = started.elapsed();
    let start: String = document.chars().take(60).collect();
    assert!(elapsed < PATIENCE, "{elapsed:?} for {start}...");
    (rewritten, out)
}

fn survives(document: &str) {
    rewritten(document, Syntax::Html);
    rewritten(document, Syntax::Xml);
}

fn many(piece: &str) -> String {
    piece.repeat(PIECES)
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
        survives(&many(piece));
    }
    let prefixes = (0..PIECES).map(|nth| format!("<a{nth}:b xmlns:a{nth}='c'><d>"));
    survives(&prefixes.collect::<String>());
}

#[test]
fn long_values() {
    let url = many("../a/./%2e%2E/b;c/");
    for value in [
        url.clone(),
        url.replace("../", ""),
        many("&amp"),
        many("&#1"),
        many("&"),
        many(" "),
        many("\t\n"),
        many("x 1x,"),
        many(","),
        many("(,"),
        many("?#"),
    ] {
        survives(&format!(
            "<a href='{value}'><img srcset='{value}'><object archive='{value}'>"
        ));
        survives(&format!(
            "<meta http-equiv=refresh content='0;url={value}'><a ping='{value}'>"
        ));
        survives(&format!(
            "<base href='{value}'><a href='{value}'><a href=x>"
        ));
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
        let css = many(piece);
        survives(&format!(
            "<style>{css}</style><p style='{}'>",
            css.replace('\'', "&#39;")
        ));
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
        let json = many(piece);
        survives(&format!("<script type=importmap>{json}</script>"));
        survives(&format!("<script type=application/ld+json>{json}</script>"));
    }
}

#[test]
fn a_million_attributes() {
    let attributes: String = (0..1_000_000).map(|nth| format!(" a{nth}=x")).collect();
    let (found, out) = rewritten(&format!("<a{attributes} href=x>"), Syntax::Html);
    assert_eq!(found.examined.tally.rewritten, 1);
    assert!(out.ends_with(b" href=https://h/d/x>"));
    let same = format!("<a{}>", " href=x".repeat(1_000_000));
    assert_eq!(rewritten(&same, Syntax::Html).0.examined.tally.rewritten, 1);
}

#[test]
fn a_huge_attribute() {
    let value = "x".repeat(64 << 20);
    let (found, out) = rewritten(&format!("<a href='{value}'>"), Syntax::Html);
    assert!(found.changed);
    assert_eq!(out.len(), value.len() + "<a href='https://h/d/'>".len());
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
        survives(&document);
    }
}

#[test]
fn unfinished_everything() {
    let document = "<!DOCTYPE html><a href='x?y&amp;z'><style>@import url( \"a\" )</style><!-- b --><img \
        srcset='c 1x, d'><iframe srcdoc='<i src=&quot;e&quot;>'></iframe><script>f</script><svg><![CDATA[g]]>";
    for end in 0..document.len() {
        survives(&document[..end]);
    }
}
