//! `--attr`: the table testdata/html/attr.tsv through the library, as a whole and in pieces, and what
//! the command says of it, in every kind of file.

use abslink::{
    Context, CustomAttribute, Group, Resolver, Rewriter, Settings, Syntax, examine, rewrite_bytes,
};

use crate::cli::Sandbox;
use crate::support::table::{self, syntax};

const TABLE: &str = include_str!("../../testdata/html/attr.tsv");
const URL: &str = "https://h.example/d/p.html";

/// What is given, the document, and what it becomes.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    table::rows(TABLE).map(|[given, document, expected]| {
        let expected = if expected == "=" { document } else { expected };
        (given, document, expected)
    })
}

fn settings(given: &str) -> Settings {
    let mut settings = Settings::default();
    let groups = |name: &str| match name {
        "all" => Group::ALL.to_vec(),
        name => vec![name.parse().unwrap()],
    };
    for word in given.split(' ') {
        let groups_before = settings.groups;
        settings.groups = match word.split_at(1) {
            ("-", name) => {
                (groups(name).into_iter()).fold(groups_before, |it, group| it.without(group))
            }
            ("+", name) => {
                (groups(name).into_iter()).fold(groups_before, |it, group| it.with(group))
            }
            _ => groups_before,
        };
        if !word.starts_with(['-', '+']) {
            settings.custom_attributes = settings.custom_attributes.with(word.parse().unwrap());
        }
    }
    settings.verify = abslink_verify::second_reader();
    settings
}

#[test]
fn the_table() {
    let context = Context::retrieved_from(URL).unwrap();
    let mut wrong = Vec::new();
    for (given, document, expected) in rows() {
        for resolver in [Resolver::Rfc1808, Resolver::Rfc3986, Resolver::Whatwg] {
            let mut settings = settings(given);
            settings.resolver = resolver;
            let syntax = syntax(document);
            let whole = |document: &str| {
                let new = rewrite_bytes(document.as_bytes(), syntax, &context, &settings);
                let new_text = String::from_utf8(new.document.into_owned()).unwrap();
                (new_text, new.examined.disagreement)
            };
            let mut rewriter = Rewriter::new(syntax, &context, &settings, Vec::new());
            for byte in document.as_bytes().chunks(1) {
                rewriter.write(byte).unwrap();
            }
            let streamed = rewriter
                .end()
                .map(|ended| String::from_utf8(ended.out).unwrap());
            let whole_once = whole(document);
            let expected = (expected.to_owned(), None);
            if whole_once != expected || whole(&whole_once.0) != expected {
                wrong.push(format!(
                    "{given} {resolver:?}\n  {document}\n  {whole_once:?}"
                ));
            }
            if streamed.as_ref().ok() != Some(&expected.0) {
                wrong.push(format!("{given} {resolver:?} in pieces\n  {streamed:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn references_have_the_name_and_the_kind() {
    let settings = settings("p@Data-X:css @y");
    let context = Context::retrieved_from(URL).unwrap();
    let mut found = Vec::new();
    let document = b"<p DATA-X='a:url(b)'><q Y=c>";
    examine(document, Syntax::Html, &context, &settings, &mut |it| {
        found.push(format!(
            "{} {} {}",
            it.element,
            it.attribute,
            it.kind.name()
        ));
    });
    assert_eq!(found, ["p data-x css", "q y url"]);
    assert_eq!(settings.custom_attributes.unused().count(), 0);
}

/// Browsers fetch `src` where they meet it, whoever names it; what only a script reads they do not.
#[test]
fn what_browsers_fetch_is_divergent_before_the_base() {
    let context = Context::retrieved_from(URL).unwrap();
    let settings = settings("img@src img@data-src p@style2:css");
    let document = b"<img src=a data-src=b><p style2='c:url(d)'><base href=/b/>";
    let new = rewrite_bytes(document, Syntax::Html, &context, &settings);
    assert_eq!(
        (new.examined.tally.rewritten, new.examined.tally.divergent),
        (4, 1)
    );
}

#[test]
fn what_is_compared_is_what_was_given() {
    let own = |given: &str| settings(given).custom_attributes;
    assert_eq!(own("@x @y"), own("@x @y"));
    assert_ne!(own("@x @y"), own("@y @x"));
    assert_eq!(
        "img@x".parse::<CustomAttribute>().unwrap().to_string(),
        "img@x"
    );
}

#[test]
fn commands_take_it() {
    let sandbox = Sandbox::new();
    sandbox.write("a.html", "<p x=a y='b'>");
    let ran = sandbox.run("check --attr p@x a.html");
    ran.exits(1).prints("a.html:1:6: <p x> a\n");
    let ran = sandbox.run("links -q -b http://h/ --attr p@x --attr @y:srcset a.html");
    let attributes: Vec<_> = (ran.stdout.lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|link| {
            format!(
                "{} {} {}",
                link["attribute"], link["kind"], link["absolute"]
            )
        })
        .collect();
    let expected = [r#""x" "url" "http://h/a""#, r#""y" "srcset" "http://h/b""#];
    assert_eq!(attributes, expected);
    let ran = sandbox.run("rewrite -q -b http://h/ --attr p@x --exclude-url b --attr @y a.html");
    ran.prints("<p x=http://h/a y='b'>");
    let ran = sandbox.run("rewrite --engine stream --verify -q -b http://h/ --attr @x a.html");
    ran.prints("<p x=http://h/a y='b'>");
}

#[test]
fn one_that_met_nothing_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("site/p.html", "<p x=http://h/>");
    let line = |attr: &str| {
        let what = if attr.contains('@') {
            "attribute"
        } else {
            "element"
        };
        format!("warning: --attr {attr}: no file has this {what}\n")
    };
    for command in [
        "check",
        "links",
        "rewrite --dry-run",
        "rewrite --dry-run --format json",
    ] {
        let given = "--attr @x --attr p@zoom --attr @Data-Y:css --attr g:link:url";
        let ran = sandbox.run(&format!("{command} -b http://h/ {given} site"));
        ran.says(line("p@zoom")).says(line("@Data-Y:css"));
        ran.says(line("g:link:url")).never_says("--attr @x:");
        let quiet = sandbox.run(&format!("{command} -q -b http://h/ {given} site"));
        assert_eq!(quiet.stderr, "");
        assert_eq!(quiet.code, ran.code);
    }
    assert!(!sandbox.run("base --help").stdout.contains("--attr"));
}

#[test]
fn what_is_no_place_is_refused() {
    for (attr, message) in [
        (":url", "expected an attribute"),
        ("g:link", "`link` is not a kind of value"),
        ("@x:ulr", "`ulr` is not a kind of value"),
        ("img@", "missing after the `@`"),
        ("@xlink:href", "`href` is not a kind of value"),
        ("@a=b", "names have no blanks"),
        ("base@href", "always made absolute"),
    ] {
        let ran = Sandbox::new().run(&format!("check --attr {attr} site"));
        ran.exits(2).prints("").says("--attr").says(message);
    }
}

/// In HTML that is a part of something else.
#[test]
fn other_containers_have_it_too() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "mixed/m.mht",
        "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\
         Content-Transfer-Encoding: quoted-printable\n\
         Content-Location: http://m/d/\n\n<p x=3Da>\n--b--\n",
    );
    let html = "&lt;p x=a>";
    sandbox.write(
        "mixed/a.atom",
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://f/' x='z'><entry>\
             <content type='html'>{html}</content><summary type='xhtml'>\
             <div xmlns='http://www.w3.org/1999/xhtml' x='b'/></summary></entry></feed>"
        ),
    );
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p x=a>";
    let length = http.len();
    sandbox.write(
        "mixed/w.warc",
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\n\
             WARC-Target-URI: http://w/d/\r\nContent-Type: application/http; msgtype=response\r\n\
             WARC-Date: 2026-01-31T12:00:00Z\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n"
        ),
    );
    let ran = sandbox.run("check --attr @x mixed");
    let found: Vec<_> = (ran.stdout.lines())
        .map(|line| line.split_once("<").unwrap().1)
        .collect();
    let expected = [
        "feed x> z -> http://f/z",
        "content > p x> a -> http://f/a",
        "div x> b -> http://f/b",
        "p x> a -> http://m/d/a",
        "p x> a -> http://w/d/a",
    ];
    assert_eq!(found, expected, "{}", ran.stdout);
    let ran = sandbox.run("rewrite -q --verify --attr @x --warc-as response -o out mixed");
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    let again = sandbox.run("check --attr @x out");
    again.exits(0).prints("");
    // An element of the feed itself has it as well.
    let feed = sandbox.read("out/a.atom");
    assert!(
        feed.contains("x='http://f/z'") && feed.contains("x='http://f/b'"),
        "{feed}"
    );
}
