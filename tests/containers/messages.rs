//! Messages with HTML in them. Every directory of testdata/message is a case, as in
//! [`crate::document::fixtures`]; a reader of mail that shares no code with abslink gives a second opinion.

mod damage;

use std::fs;

use abslink::{BaseUrl, Context, Settings, Syntax, message, rewrite_bytes};
use mail_parser::{Message, MessageParser, PartType};

use crate::document::fixtures::{Case, each_case_of, same_bytes, same_code};
use crate::support::generate::{self, Random};
use crate::support::sandbox::{Ran, Sandbox};

#[test]
fn cases_give_the_expected_bytes() {
    each_case_of("message", |case| {
        let ran = Ran::of(&mut case.command("rewrite", &case.input));
        same_bytes(&ran.bytes, &case.expected)?;
        same_code(ran.code, case.code)
    });
}

#[test]
fn a_second_run_changes_nothing() {
    each_case_of("message", |case| {
        let output = case.command("rewrite", &case.output).output().unwrap();
        same_bytes(&output.stdout, &case.expected)
    });
}

/// The same parts, of which only HTML has changed; and in that stand the new URLs.
#[test]
fn another_reader_finds_the_same_parts() {
    each_case_of("message", |case| {
        if case.name == "xhtml" {
            // Which is HTML to us, and not to the other reader.
            return Ok(());
        }
        let input = fs::read(case.path(&case.input)).unwrap();
        let (before, after) = (parts(&input), parts(&case.expected));
        let others = |parts: &[Part]| -> Vec<Part> {
            parts.iter().filter(|part| !part.is_html).cloned().collect()
        };
        if before.len() != after.len() || others(&before) != others(&after) {
            return Err(format!("\n  before {before:?}\n  after {after:?}"));
        }
        if case.code == 2 || case.name.contains("utf-16") {
            return Ok(());
        }
        for link in case.links(&case.input) {
            let is_there = |url: &str| {
                let in_html = |part: &Part| part.is_html && part.text().contains(&escaped(url));
                after.iter().any(in_html)
            };
            if let ("relative", Some(url)) = (&*link.outcome, &link.absolute)
                && !is_there(url)
            {
                return Err(format!("{url} is not in the output"));
            }
        }
        Ok(())
    });
}

/// As it is written in the attributes of the cases.
fn escaped(url: &str) -> String {
    url.replace('&', "&amp;")
}

/// A part that encloses no others.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    is_html: bool,
    content: Vec<u8>,
}

impl Part {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.content).into_owned()
    }
}

fn parts(message: &[u8]) -> Vec<Part> {
    let mut found = Vec::new();
    if let Some(message) = MessageParser::default().parse(message) {
        collect(&message, &mut found);
    }
    found
}

fn collect(message: &Message<'_>, found: &mut Vec<Part>) {
    for part in &message.parts {
        match &part.body {
            PartType::Message(inner) => collect(inner, found),
            PartType::Multipart(_) => {}
            body => found.push(Part {
                is_html: matches!(body, PartType::Html(_)),
                content: part.contents().to_vec(),
            }),
        }
    }
}

/// RFC 2781 §4.3, and for HTTP the Encoding Standard: without a mark and without markup, `utf-16`
/// is big-endian in mail and little-endian in HTTP. Read the other way round, Ø is half a character.
#[test]
fn utf_16_has_an_order_where_nothing_tells_it() {
    for (mail, octets, is_read) in [
        (true, "\0\u{d8}", true),
        (true, "\u{d8}\0", false),
        (false, "\u{d8}\0", true),
        (false, "\0\u{d8}", false),
    ] {
        let start = if mail { "" } else { "HTTP/1.1 200 OK\n" };
        let mut message =
            format!("{start}Content-Type: text/html; charset=utf-16\n\n").into_bytes();
        message.extend(octets.chars().map(|octet| octet as u8));
        let (context, html) = (Context::default(), Settings::default());
        let examined = message::examine(&message, &context, &html, &mut |_| {});
        let was_read = examined.refusals.is_empty();
        assert_eq!(
            was_read, is_read,
            "{mail} {octets:?}: {:?}",
            examined.refusals
        );
    }
}

/// The references of an encoded part are located by what spells them in the file.
#[test]
fn references_are_located_in_the_message() {
    let cases: [(&str, &[&str]); 3] = [
        (
            "chrome-mhtml",
            &[
                "cid:css-77@mhtml.blink",
                "img/paper.png",
                "cid:frame-3C4D@mhtml.blink",
                "https://example.=\r\norg/guide/img/logo.png",
                "img/logo-small.png?width=3D120&amp;v=\r\n=3D2",
                "dot.png",
            ],
        ),
        // The digits that hold bits of "g", and those that hold bits of "/i.gif".
        ("base64", &["Zy", "i9pLmdpZi"]),
        (
            "content-base-nested",
            &["outer", "inner", "location", "base", "outer"],
        ),
    ];
    for (name, expected) in cases {
        let case = Case::named("message", name);
        let bytes = fs::read(case.path(&case.input)).unwrap();
        let links = case.links(&case.input);
        let spelled = links.iter().map(|link| &bytes[link.start..link.end]);
        let spelled: Vec<_> = spelled.map(String::from_utf8_lossy).collect();
        assert_eq!(spelled, expected, "{name}");
    }
}

#[test]
fn the_charset_of_the_heading_decides_what_a_reference_is() {
    let case = Case::named("message", "charset-of-the-heading");
    assert_eq!(case.links(&case.input)[0].reference, "../café\\x");
}

/// What standard error says, case by case; nothing for all others.
#[test]
fn what_is_worth_a_word() {
    let mut told = 0;
    each_case_of("message", |case| {
        let stderr = Ran::of(case.command("rewrite", &case.input).arg("-q")).stderr;
        let expected = match &*case.name {
            "base-header-relative" => "`Base: docs/` gives no base URL: not absolute",
            "lost-match" => {
                "part 1 led to other parts of the message and no longer do: 1, the \
                             first was i.gif and is now http://h/dir/i.gif"
            }
            "word" => "part 1 was saved at file:///C:/5A0C3F12/report.htm",
            "signed" => "part 1.1 unchanged: signed",
            "sealed" => "part 1 unchanged: signed or encrypted as a whole",
            "base64-damaged" => "its base64 is damaged",
            "transfer-unknown" => "its transfer encoding `x-uuencode` is unknown",
            "http-compressed" => "its `Content-Encoding: gzip` is not decoded",
            "seven-bit" => "a new URL is not ASCII",
            "quoted-printable-boundary" => "read as a boundary of the message",
            "dkim" => "its DKIM-Signature is no longer valid",
            _ if stderr.is_empty() => return Ok(()),
            _ => "nothing",
        };
        told += 1;
        if !stderr.contains(expected) || stderr.lines().count() != 1 {
            return Err(format!("{stderr:?}"));
        }
        Ok(())
    });
    assert_eq!(told, 11);
}

#[test]
fn a_message_is_replaced_in_place_even_if_a_part_is_left() {
    let sandbox = Sandbox::of(&[]);
    sandbox.copy("message/signed/in.eml", "m.eml");
    let ran = sandbox.run("rewrite -i --format json m.eml");
    ran.exits(2);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    for (field, value) in [
        ("files", 1),
        ("files_changed", 1),
        ("files_failed", 1),
        ("rewritten", 1),
        ("unresolved", 1),
    ] {
        assert_eq!(summary[field], value, "{field}");
    }
    let written = fs::read(sandbox.path().join("m.eml")).unwrap();
    assert!(written == Case::named("message", "signed").expected);
}

#[test]
fn base_lists_every_document_of_a_message() {
    let case = Case::named("message", "content-base-nested");
    let ran = Ran::of(&mut case.command("base", &case.input));
    ran.exits(0);
    let columns: Vec<_> = ran.stdout.split_whitespace().collect();
    let expected = [
        ("in.eml#1", "http://outer/"),
        ("in.eml#2.1", "http://inner/a/"),
        ("in.eml#2.2", "http://location/a/b"),
        ("in.eml#2.3", "http://base/"),
        ("in.eml#3", "http://outer/"),
    ];
    let expected: Vec<_> = expected
        .iter()
        .flat_map(|&(part, base)| ["entity", part, base])
        .collect();
    assert_eq!(columns, expected);
}

/// The first commands of docs/messages.md, as they are pasted into a shell in a clone.
#[cfg(unix)]
#[test]
fn the_recipe_for_messages() {
    let clone =
        crate::docs::readme::recipes::follow("docs/messages.md", "# Messages: MHTML and mail");
    let written = fs::read_to_string(clone.path().join("target/archive/in.mht")).unwrap();
    let read = fs::read_to_string(clone.path().join("testdata/message/chrome-mhtml/in.mht"));
    assert_ne!(written, read.unwrap());
}

/// What is in the document after the transfer encoding is undone is what [`html::rewrite`] makes of
/// it, whatever the encoding and however it was spelled.
#[test]
fn generated_documents_survive_every_transfer_encoding() {
    let mut seed = 0;
    generate::documents(200, |document| {
        seed += 1;
        let mut random = Random(seed);
        let mut context = Context::default();
        context.entity = BaseUrl::parse("http://h/a/").ok();
        let bytes = document.as_bytes();
        let settings = Settings::default();
        let expected = rewrite_bytes(bytes, Syntax::Html, &context, &settings).document;
        for (transfer, body) in [
            ("base64", base64(bytes, 4 * (1 + random.below(19)))),
            ("quoted-printable", quoted_printable(bytes, &mut random)),
        ] {
            let message = format!(
                "Content-Base: http://h/a/\r\nContent-Type: text/html; charset=utf-8\r\n\
                 Content-Transfer-Encoding: {transfer}\r\n\r\n{body}"
            );
            let (message, context) = (message.as_bytes(), Context::default());
            let out = message::rewrite(message, &context, &settings).document;
            let found = parts(&out);
            if *found[0].content != *expected {
                return Err(format!("{transfer}: {}", found[0].text()));
            }
        }
        Ok(())
    });
}

fn base64(bytes: &[u8], line: usize) -> String {
    use ::base64::Engine as _;
    let digits = ::base64::engine::general_purpose::STANDARD.encode(bytes);
    let lines = digits.as_bytes().chunks(line);
    lines
        .map(|line| String::from_utf8_lossy(line).into_owned() + "\r\n")
        .collect()
}

/// With more escapes and more soft line breaks than there have to be.
fn quoted_printable(bytes: &[u8], random: &mut Random) -> String {
    let mut out = String::new();
    for &byte in bytes {
        match byte {
            b'!'..=b'<' | b'>'..=b'~' if !random.one_in(9) => out.push(char::from(byte)),
            _ if random.one_in(2) => out.push_str(&format!("={byte:02X}")),
            _ => out.push_str(&format!("={byte:02x}")),
        }
        if random.one_in(30) {
            out.push_str(if random.one_in(3) {
                "= \t\r\n"
            } else {
                "=\r\n"
            });
        }
    }
    out
}
