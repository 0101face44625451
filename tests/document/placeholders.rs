//! Placeholders of templates: the table testdata/html/placeholders.tsv through the library, as a whole
//! and in pieces, and what the command says of it, in every kind of file.

use abslink::{
    Context, MappedPrefixes, Outcome, Placeholders, Resolver, Rewriter, Settings, Syntax, examine,
    rewrite_bytes,
};

use crate::cli::Sandbox;
use crate::support::growth::is_linear;
use crate::support::table::{self, syntax};

const TABLE: &str = include_str!("../../testdata/html/placeholders.tsv");
const URL: &str = "https://h.example/d/p.html";

/// The document, what it becomes, and how many references begin with a placeholder.
fn rows() -> impl Iterator<Item = (String, String, u64)> {
    table::rows(TABLE).map(|[document, expected, number]| {
        let expected = if expected == "=" { document } else { expected };
        let [document, expected] = [document, expected].map(|text| text.replace('␊', "\n"));
        (document, expected, number.parse().unwrap())
    })
}

fn settings(resolver: Resolver) -> Settings {
    let mut settings = Settings::default();
    settings.resolver = resolver;
    settings.verify = abslink_verify::second_reader();
    settings
}

/// All three resolvers agree on them, but that the URL Standard encodes what is no placeholder, and RFC
/// 1808 alone keeps surplus dot segments.
#[test]
fn the_table() {
    let context = Context::retrieved_from(URL).unwrap();
    let mut wrong = Vec::new();
    for (document, expected, number) in rows() {
        for resolver in Resolver::ALL {
            if resolver == Resolver::Whatwg && number == 0 && !expected.contains("{{") {
                continue;
            }
            let (settings, syntax) = (settings(resolver), syntax(&document));
            let new = rewrite_bytes(document.as_bytes(), syntax, &context, &settings);
            let tally = new.examined.tally;
            let found = String::from_utf8(new.document.into_owned()).unwrap();
            let disagreement = new.examined.disagreement;
            if (&found, tally.placeholders) != (&expected, number) || disagreement.is_some() {
                let what = (found, tally.placeholders, disagreement);
                wrong.push(format!(
                    "{resolver}: {document}\n  {what:?}\n  {expected:?}"
                ));
            }
            let mut rewriter = Rewriter::new(syntax, &context, &settings, Vec::new());
            for byte in document.as_bytes().chunks(1) {
                rewriter.write(byte).unwrap();
            }
            let ended = rewriter
                .end()
                .map(|ended| String::from_utf8(ended.out).unwrap());
            if ended.as_ref().ok() != Some(&expected) {
                wrong.push(format!("{resolver} in pieces: {document}\n  {ended:?}"));
            }
            let mut outcomes = 0;
            examine(
                document.as_bytes(),
                syntax,
                &context,
                &settings,
                &mut |it| {
                    outcomes += u64::from(it.outcome == Outcome::Placeholder);
                    assert!(it.outcome != Outcome::Placeholder || it.absolute.is_none());
                },
            );
            assert_eq!(outcomes, number, "{document}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn they_are_text_where_that_is_asked_for() {
    let context = Context::retrieved_from(URL).unwrap();
    let mut settings = settings(Resolver::Rfc1808);
    settings.placeholders = Placeholders::Resolve;
    let document = b"<base href='{{ b }}/'><a href='{{ a }}/../c'><a href='__X__'>";
    let new = rewrite_bytes(document, Syntax::Html, &context, &settings);
    let expected = "<base href='https://h.example/d/{{ b }}/'><a href='https://h.example/d/{{ b }}/c'>\
                    <a href='https://h.example/d/{{ b }}/__X__'>";
    assert_eq!(String::from_utf8_lossy(&new.document), expected);
    assert_eq!(new.examined.tally.placeholders, 0);
    assert!(new.examined.disagreement.is_none(), "{new:?}");
}

#[test]
fn a_base_element_with_one_leaves_what_is_relative() {
    let context = Context::retrieved_from(URL).unwrap();
    for href in ["{{ b }}", "/{{ b }}/", "/x?{{ b }}"] {
        let document = format!("<base href='{href}'><a href=x>");
        let settings = settings(Resolver::Rfc1808);
        let new = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        assert_eq!(new.examined.tally.unresolved, 1, "{href}");
        assert!(new.document.ends_with(b"<a href=x>"), "{href}");
        assert!(new.examined.disagreement.is_none(), "{href}");
    }
}

#[test]
fn what_comes_before_one_is_moved() {
    let context = Context::retrieved_from(URL).unwrap();
    let mut settings = settings(Resolver::Rfc1808);
    let prefix = "https://h.example/d/a=https://n.example".parse().unwrap();
    settings.moves = MappedPrefixes::default().with(prefix).unwrap();
    let document = b"<a href='a/{{ x }}'><a href='a{{ x }}'><a href='{{ x }}'>";
    let new = rewrite_bytes(document, Syntax::Html, &context, &settings);
    let expected = "<a href='https://n.example/{{ x }}'><a href='https://h.example/d/a{{ x }}'>\
                    <a href='{{ x }}'>";
    assert_eq!(String::from_utf8_lossy(&new.document), expected);
    assert!(new.examined.disagreement.is_none(), "{new:?}");
}

/// The second reader looks at placeholders, too.
#[test]
fn one_that_changed_is_seen() {
    let context = Context::retrieved_from(URL).unwrap();
    for document in [
        "<a href='a{{ x }}'>",
        "<img srcset='a{{ x }} 1x'>",
        "<style>a{b:url(c{{ x }})}</style>",
    ] {
        let mut settings = settings(Resolver::Rfc1808);
        settings.verify = abslink_verify::planted("{{ x }}", "{{ y }}");
        let new = rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
        assert!(new.examined.disagreement.is_some(), "{document}");
    }
}

#[test]
fn the_command_counts_them() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "mail.html",
        "<a href='{{ b }}'><a href='{{ a }}'><a href='http://h/'>",
    );
    for (command, code) in [("check", 0), ("rewrite -q", 0), ("links", 0)] {
        let ran = sandbox.run(&format!("{command} -b http://h/ mail.html"));
        ran.exits(code);
    }
    let ran = sandbox.run("rewrite -b http://h/ mail.html");
    let said = "left 2 links that begin with a template placeholder unchanged ({{ a }})";
    ran.says(said);
    let ran = sandbox.run("links -b http://h/ --format json mail.html");
    assert_eq!(
        ran.stdout.matches("\"outcome\":\"placeholder\"").count(),
        2,
        "{ran:?}"
    );
    let ran = sandbox.run("rewrite -b http://h/ --dry-run --format json mail.html");
    ran.shows("\"placeholders\":2");
    let ran = sandbox.run("check -b http://h/ --placeholders resolve mail.html");
    ran.exits(1);
}

/// Whatever file a reference stands in, it goes the same way.
#[test]
fn every_kind_of_file() {
    let sandbox = Sandbox::new();
    let mail = "MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
                <a href='{{ x }}'><a href='y{{ x }}'>\r\n";
    sandbox.write("a.eml", mail);
    sandbox.write("a.css", "a{b:url({{ x }}) url(y{{ x }})}");
    let feed = "<rss><channel><item><link>http://h/i</link><description>&lt;a href='{{ x }}'>&lt;a \
                href='y{{ x }}'></description></item></channel></rss>";
    sandbox.write("a.rss", feed);
    let body = "<a href='{{ x }}'><a href='y{{ x }}'>";
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nWARC-Date: \
         2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:92283950-ef2f-4d72-b224-f54c6ec90bb0>\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    );
    sandbox.write("a.warc", &record);
    for name in ["a.eml", "a.css", "a.rss", "a.warc"] {
        let base = if name == "a.warc" { "" } else { "-b http://h/" };
        let ran = sandbox.run(&format!("rewrite {base} --verify {name}"));
        ran.exits(0);
        let new = &ran.stdout;
        assert!(new.contains("http://h/y{{ x }}"), "{name}: {ran:?}");
        assert!(
            new.contains("'{{ x }}'") || new.contains("url({{ x }})"),
            "{name}: {ran:?}"
        );
        let said = "left 1 link that begins with a template placeholder unchanged ({{ x }})";
        ran.says(said);
    }
}

/// Twice as many take twice the time, whatever they look like.
#[test]
fn openers_without_end_take_no_time() {
    let context = Context::retrieved_from(URL).unwrap();
    let makes: [fn(&str, usize) -> String; 3] = [
        |opener, number| format!("<style>a{{b:url(x){}}}</style>", opener.repeat(number)),
        |opener, number| format!("<img srcset='{}'>", format!("{opener} 1x, ").repeat(number)),
        |opener, number| {
            format!(
                "<img srcset='{}'>",
                format!("a{opener} 1x, ").repeat(number)
            )
        },
    ];
    for opener in ["{{", "[[", "*|", "%%x", "%recipient.", "<%", "#{", "{%{{"] {
        for make in makes {
            let rewrite = |document: &String| {
                let settings = Settings::default();
                rewrite_bytes(document.as_bytes(), Syntax::Html, &context, &settings);
            };
            is_linear(opener, 16_000, |number| make(opener, number), rewrite);
        }
    }
}
