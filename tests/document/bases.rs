//! `base` elements where browsers and a plain reading of RFC 1808 part: which one counts, when, and
//! what it says. The expectations are what Chromium does with the same documents.

use std::iter;

use serde_json::Value;

use crate::cli::{Ran, Sandbox};

const URL: &str = "-b http://h/a/c.html";

/// Runs a command on a document with either engine; both say the same.
#[track_caller]
fn run(command: &str, document: &str) -> Ran {
    let sandbox = Sandbox::new();
    sandbox.write("c.html", document);
    let [memory, stream] = ["memory", "stream"]
        .map(|engine| sandbox.run(&format!("{command} --engine {engine} c.html")));
    memory.prints(stream.stdout);
    assert_eq!(memory.code, stream.code, "{document}");
    memory
}

/// The document with absolute references.
#[track_caller]
fn rewritten(document: &str) -> String {
    run(&format!("rewrite -q {URL}"), document).stdout
}

/// The references and what a browser gets, where that is another target.
#[track_caller]
fn divergent(options: &str, document: &str) -> Vec<(String, String)> {
    let ran = run(&format!("links -q {URL} {options}"), document);
    let lines = ran.stdout.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| line[field].as_str().map(str::to_owned);
        Some((text("reference")?, text("divergent")?))
    });
    lines.flatten().collect()
}

#[track_caller]
fn leads_to(document: &str, target: &str) {
    let document = format!("{document}<a href=x>");
    let out = rewritten(&document);
    let link = format!("<a href={target}>");
    assert!(out.ends_with(&link), "{document}\n{out}");
}

/// RFC 1808 §2.3 knows no relative form there, and browsers resolve nothing.
#[test]
fn a_base_that_carries_no_relative_urls() {
    for href in [
        "mailto:a@b",
        "MAILTO:a@b",
        "news:x",
        "telnet://h/",
        "urn:isbn:1",
        "foo:bar",
        "x:",
        "about:blank",
        "gopher:x",
    ] {
        let document = format!("<base href='{href}'><a href=x><a href='#y'><img src=/z>");
        for resolver in ["rfc1808", "rfc3986", "whatwg"] {
            let ran = run(&format!("rewrite {URL} --resolver {resolver}"), &document);
            ran.prints(&document).exits(1);
            let said = "1 page has a <base> that nothing can be relative to";
            ran.says(said).says("3 links left relative: 1 page has");
            ran.never_says("no base URL for");
        }
        let listed = run(&format!("check {URL}"), &document);
        listed.shows("x (nothing can be relative to the <base>)");
        let base = run(&format!("base -q {URL}"), &document);
        assert!(base.stdout.starts_with("embedded  c.html"), "{base:?}");
        base.shows("  no base URL\n")
            .shows("refused: embedded <base href=");
    }
    // What stands inside is dead too; what is absolute is not.
    let document = "<base href=mailto:a><iframe srcdoc='<a href=x><base href=http://i/>'></iframe>\
                    <iframe srcdoc='<a href=y>'></iframe><a href=http://k/>";
    let expected = document.replace("href=x", "href=http://i/x");
    assert_eq!(rewritten(document), expected);
}

#[test]
fn a_base_of_these_schemes_is_ignored() {
    for href in ["data:text/html,x", "javascript:x", "JavaScript:x/y"] {
        leads_to(&format!("<base href='{href}'>"), "http://h/a/x");
    }
}

#[test]
fn a_file_base_has_a_root() {
    leads_to("<base href='file:'>", "file:///x");
    leads_to("<base href='FILE:d/'>", "file:///d/x");
    leads_to("<base href='file:///d/'>", "file:///d/x");
}

#[test]
fn divergence_is_judged_against_the_base_of_browsers() {
    let links = "<a href=g><img src=/k><a href=http://z/>";
    for (base, expected) in [
        ("http:/x/y", vec![("g", "http://h/x/g")]),
        (
            "https:/x/y",
            vec![("g", "https://x/g"), ("/k", "https://x/k")],
        ),
        (r"\\b\\", vec![("g", "http://b//g"), ("/k", "http://b/k")]),
        ("///b/", vec![("g", "http://b/g"), ("/k", "http://b/k")]),
        ("http://b/", vec![]),
        ("../d/", vec![]),
    ] {
        let found = divergent("", &format!("<base href='{base}'>{links}"));
        let found: Vec<_> = found
            .iter()
            .map(|(reference, browser)| (&**reference, &**browser))
            .filter(|(reference, _)| *reference != base)
            .collect();
        assert_eq!(found, expected, "{base}");
    }
    // A document inside inherits what browsers have.
    let inner = r"<base href='\\b\'><iframe srcdoc='<a href=g>'></iframe>";
    assert!(divergent("", inner).contains(&("g".into(), "http://b/g".into())));
    // This resolver has the base that browsers have.
    let out = run(
        &format!("rewrite -q {URL} --resolver whatwg"),
        "<base href='https:/x/y'><a href=g>",
    );
    assert!(out.stdout.ends_with("<a href=https://x/g>"), "{out:?}");
}

/// What a browser fetches while it parses has the base URL of that moment.
#[test]
fn what_is_fetched_before_a_late_base() {
    let fetched = [
        "<link rel=stylesheet href=X>",
        "<link href=X rel='alternate STYLESHEET'>",
        "<link rel=icon href=X>",
        "<link rel=preload as=image imagesrcset='X 1x'>",
        "<script src=X></script>",
        "<img src=X>",
        "<img srcset='X 2x'>",
        "<picture><source srcset='X 2x'></picture>",
        "<iframe src=X></iframe>",
        "<object data=X></object>",
        "<embed src=X>",
        "<video src=X></video>",
        "<video poster=X></video>",
        "<video><source src=X><track src=k></video>",
        "<input type=image src=X>",
        "<style>@import 'X';</style>",
        "<style>p{background:url(X)}</style>",
        "<p style='background:url(X)'>",
        "<table background=X></table>",
        "<svg><image href=X /><use href='X#k'/><script xlink:href=X></script></svg>",
        "<svg><path fill='url(X#k)'/></svg>",
        "<meta http-equiv=refresh content='1;X'>",
        "<div><template shadowrootmode=open><img src=X></template></div>",
        "<div><template shadowRootMode='CLOSED'><style>p{background:url(X)}</style></template></div>",
        "<p><template shadowrootmode=open><b><template shadowrootmode=open><img src=X></template></template>",
        "<table><td><template shadowrootmode=open><template></template><img src=X></template></table>",
    ];
    let later = [
        "<a href=X>",
        "<map><area href=X></map>",
        "<form action=X></form>",
        "<blockquote cite=X></blockquote>",
        "<link rel=canonical href=X>",
        "<link rel=next href=X>",
        "<input src=X>",
        "<template><img src=X></template>",
        "<template><style>p{background:url(X)}</style></template>",
        "<template shadowrootmode=no><img src=X></template>",
        "<template><p><template shadowrootmode=open><img src=X></template></template>",
        "<div><template shadowrootmode=open><template><img src=X></template></template></div>",
        "<div><template shadowrootmode=open></template></div><template><img src=X></template>",
        "<noscript><img src=X></noscript>",
        "<noscript><style>p{background:url(X)}</style></noscript>",
        "<img src=http://z/X>",
        "<x-y src=X></x-y>",
    ];
    // Behind other tags a template is read by HTML's tree.
    let with_tree = |place: &&str| {
        let place = (*place).to_owned();
        let behind = format!("<svg><title><b></b></title></svg>{place}");
        let has_template = place.contains("<template");
        iter::once(place).chain(has_template.then_some(behind))
    };
    for resolver in ["", "--resolver rfc3986", "--resolver whatwg"] {
        for place in fetched.iter().flat_map(with_tree) {
            let found = divergent(resolver, &format!("{place}<base href=/b/>"));
            let found: Vec<_> = found.iter().filter(|(it, _)| it.starts_with('X')).collect();
            assert_eq!(
                found.len(),
                place.matches('X').count(),
                "{resolver} {place}"
            );
            for (_, browser) in found {
                assert!(browser.starts_with("http://h/a/X"), "{place}: {browser}");
            }
            assert_eq!(divergent(resolver, &format!("<base href=/b/>{place}")), []);
        }
        for place in later.iter().flat_map(with_tree) {
            let found = divergent(resolver, &format!("{place}<base href=/b/>"));
            assert_eq!(found, [], "{resolver} {place}");
        }
    }
    // Where it makes no difference there is none.
    assert_eq!(divergent("", "<img src=/x><base href=/b/>"), []);
    assert_eq!(divergent("", "<img src=x><base href=d.html>"), []);
    assert_eq!(divergent("", "<img src=x><svg><base href=/b/></svg>"), []);
}

/// RFC 1808 has one base URL for a document, so that the result stays; the summary says so.
#[test]
fn the_summary_counts_what_is_fetched_before_the_base() {
    let document = "<link rel=stylesheet href=s.css><img src=i.png><a href=x><base href=/b/>";
    let ran = run(&format!("rewrite {URL}"), document);
    let expected = "<link rel=stylesheet href=http://h/b/s.css><img src=http://h/b/i.png>\
                    <a href=http://h/b/x><base href=http://h/b/>";
    assert_eq!((&*ran.stdout, ran.code), (expected, Some(0)));
    ran.says("browsers resolve 2 links differently");
    let said = "2 of these are above the <base> of their pages";
    ran.says(said).never_says("--resolver");
    // Where the document's own URL is not known, nobody can say where a browser looks.
    let unknown = run("links -q", "<img src=i.png><base href=http://h/b/>");
    unknown.shows("\"divergent\":\"\"");
}

#[test]
fn a_document_inside_keeps_the_base_of_its_moment() {
    let iframe = |href: &str| format!("<iframe srcdoc='<a href={href}>'></iframe>");
    let late = rewritten(&format!("{}<base href=/b/>{}", iframe("x"), iframe("y")));
    let expected = format!(
        "{}<base href=http://h/b/>{}",
        iframe("http://h/a/x"),
        iframe("http://h/b/y")
    );
    assert_eq!(late, expected);
    let without_url = run(
        "rewrite -q",
        &format!("{}<base href=http://i/>", iframe("x")),
    );
    without_url.exits(1).shows("<a href=x>");
}

#[test]
fn the_first_base_in_tree_order_counts() {
    for (document, base) in [
        // Put before the table, and so before what is in it.
        (
            "<table><tr><td><base href='/1/'></td></tr><base href='/2/'></table>",
            2,
        ),
        (
            "<table><tr><td><base href='/1/'></td></tr></table><base href='/2/'>",
            1,
        ),
        (
            "<table><base href='/1/'><tr><td><base href='/2/'></table>",
            1,
        ),
        (
            "<base href='/1/'><table><tr><td></td></tr><base href='/2/'></table>",
            1,
        ),
        (
            "<table><caption><base href='/1/'></caption><base href='/2/'></table>",
            2,
        ),
        // With an element that is put there.
        (
            "<table><td><base href='/1/'></td><div><base href='/2/'></div></table>",
            2,
        ),
        (
            "<table><td><base href='/1/'></td></tr><div><p><base href='/2/'></table>",
            2,
        ),
        // Before the inner table, in the outer one.
        (
            "<table><td><base href='/1/'><table><td><base href='/2/'></td></tr><base href='/3/'>",
            1,
        ),
        (
            "<table><td><table><td><base href='/1/'></td></tr><base href='/2/'></table></td></tr>\
             <base href='/3/'>",
            3,
        ),
        // One without `href` counts nowhere; neither do those in templates.
        (
            "<table><td><base href='/1/'></td></tr><base target=x></table>",
            1,
        ),
        (
            "<table><td><base href='/1/'></td></tr><template><base href='/2/'></template></table>",
            1,
        ),
        // A frameset replaces the body, and not the head.
        ("<p><base href='/1/'><frameset><frame src=f>", 0),
        (
            "<head><base href='/1/'></head><p><frameset><frame src=f>",
            1,
        ),
        ("<p>text<base href='/1/'><frameset>", 1),
    ] {
        let out = rewritten(&format!(
            "{document}<noscript><a href=x></noscript><noframes><a href=x>"
        ));
        let expected = match base {
            0 => "http://h/a/x".to_owned(),
            number => format!("http://h/{number}/x"),
        };
        let last = out.rsplit("<a href=").next().unwrap_or_default();
        assert_eq!(last, format!("{expected}>"), "{document}");
    }
}
