//! Documents that would grow with the square of their length are left, and cost next to nothing.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use abslink::{Context, Reference, Settings, message};

use crate::cli::{Ran, Sandbox};
use crate::support::links::abslink;

const LENGTH: usize = 250_000;
const REFERENCES: usize = 20_000;
const REASON: &str = "its base URL is too long for so many references";

fn long_url() -> String {
    format!("http://h/{}/", "b".repeat(LENGTH))
}

/// Half a megabyte whose references come to 5 gigabytes.
fn hostile() -> String {
    format!(
        "<base href='{}'>{}",
        long_url(),
        "<a href=x>".repeat(REFERENCES)
    )
}

/// A sandbox with such a document, and one that is like others.
fn sandbox(document: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("d/bad.html", document);
    sandbox.write("d/good.html", "<a href=x>");
    sandbox
}

/// Runs a line of shell with 64 MiB of memory for each process.
fn limited(sandbox: &Sandbox, line: &str) -> Ran {
    limited_to(64 << 10, sandbox, line)
}

/// The same with so many KiB.
fn limited_to(memory: u32, sandbox: &Sandbox, line: &str) -> Ran {
    let program = PathBuf::from(abslink().get_program());
    let folder = program.parent().unwrap().to_str().unwrap();
    let mut shell = std::process::Command::new("sh");
    let shell = shell
        .args(["-c", &format!("ulimit -d {memory} && {line}")])
        .current_dir(sandbox.path())
        .env("PATH", format!("{folder}:/usr/bin:/bin"))
        .stdin(Stdio::null());
    Ran::from(&shell.output().unwrap())
}

/// The bad document is left with the reason, and the run goes on to its end.
#[track_caller]
fn leaves(sandbox: &Sandbox, line: &str) -> Ran {
    let ran = limited(sandbox, line);
    ran.exits(2).says(REASON);
    assert!(ran.stderr.len() < 10_000, "{line}");
    ran
}

#[test]
#[ignore = "slow tier: memory"]
fn every_command_leaves_it_and_does_the_rest() {
    for engine in ["memory", "stream"] {
        let document = hostile();
        let sandbox = sandbox(&document);
        let run = |line: &str| {
            leaves(
                &sandbox,
                &format!("{line} -j1 --engine {engine} -b http://k/ d"),
            )
        };
        let read = |name: &str| sandbox.read(name);

        run("abslink rewrite -o out");
        assert!(read("out/bad.html") == document);
        assert_eq!(read("out/good.html"), "<a href=http://k/x>");

        let ran = run("abslink rewrite --diff");
        ran.shows("+<a href=http://k/x>");
        let ran = run("abslink rewrite --dry-run");
        ran.says("in 1 of 2 files");
        let good = "d/good.html:1:9: <a href> x -> http://k/x\n";
        assert_eq!(run("abslink check").stdout, good);
        let links = run("abslink links").stdout;
        assert_eq!(links.lines().count(), 1);
        assert!(links.contains("\"d/good.html\""), "{links}");

        run("abslink rewrite -i");
        assert!(read("d/bad.html") == document);
        assert_eq!(read("d/good.html"), "<a href=http://k/x>");

        let one = format!("abslink rewrite --engine {engine} d/bad.html");
        assert!(leaves(&sandbox, &one).stdout == document);
        let piped = format!("abslink rewrite --engine {engine} - < d/bad.html");
        assert!(leaves(&sandbox, &piped).stdout == document);
    }
}

/// Wherever the long URL comes from, and whatever stands against it.
#[test]
#[ignore = "slow tier: memory"]
fn every_long_url_is_met() {
    let (url, links) = (long_url(), "<a href=x>".repeat(REFERENCES));
    // Comments are looked for at the beginning of a document.
    let short = format!("{}/", &url[..14_000]);
    let saved = format!("<!-- saved from url=({}){short} -->", short.len());
    let inner = hostile().replace('\'', "");
    let bases = "<base href=x>".repeat(REFERENCES);
    let archive = "x ".repeat(REFERENCES);
    let twice = format!("<object codebase='{url}'></object>").repeat(2);
    let before = format!("<base href='{url}'><frameset>");
    for (what, document) in [
        ("a comment", format!("{saved}{links}")),
        (
            "a document inside",
            format!("<iframe srcdoc=\"{inner}\"></iframe>"),
        ),
        (
            "a codebase",
            format!("<object codebase='{url}' archive='{archive}'></object>"),
        ),
        ("other bases", format!("{saved}{bases}")),
        (
            "one list",
            format!("<base href='{url}'><a ping='{archive}'>"),
        ),
        (
            "a style sheet",
            format!("<base href='{url}'><style>{}", "url(x)".repeat(REFERENCES)),
        ),
        ("UTF-16", String::new()),
    ] {
        let sandbox = sandbox(&document);
        if what == "UTF-16" {
            let units = hostile();
            let units = units.encode_utf16().flat_map(u16::to_le_bytes);
            let bytes: Vec<u8> = [0xff, 0xfe].into_iter().chain(units).collect();
            sandbox.write("d/bad.html", bytes);
        }
        println!("{what}");
        leaves(&sandbox, "abslink rewrite -j1 -o out d");
        leaves(&sandbox, "abslink check -q --format json -j1 d > /dev/null");
        leaves(
            &sandbox,
            "abslink links -q -j1 --engine stream d > /dev/null",
        );
    }
    // These are long, and harmless.
    for document in [twice, before, format!("<base href='{url}'><a href=x>")] {
        let ran = limited(&sandbox(&document), "abslink rewrite -j1 -o out d");
        ran.never_says(REASON);
        assert_ne!(ran.code, Some(2), "{}", ran.stderr);
    }
}

/// `--base-url` is as long as the system lets an argument be.
#[test]
fn a_long_base_url_is_met() {
    let sandbox = sandbox(&"<a href=x>".repeat(REFERENCES));
    let url = format!("http://h/{}/", "b".repeat(100_000));
    leaves(&sandbox, &format!("abslink rewrite -j1 -o out -b {url} d"));
    assert!(sandbox.read("out/good.html").len() > 100_000);
}

/// `links` names the base URL beside each reference, whatever becomes of that; and what one command
/// leaves, all do.
#[test]
fn a_base_url_that_is_only_shown_counts_for_listings() {
    let document = format!(
        "<base href='{}'>{}",
        long_url(),
        "<a href=http://x/>".repeat(30_000)
    );
    let sandbox = sandbox(&document);
    for engine in ["memory", "stream"] {
        for command in ["links", "check"] {
            let line = format!("abslink {command} -j1 --engine {engine} -b http://k/ d");
            leaves(&sandbox, &line);
        }
        // A document whose references stay does not grow.
        let line = format!("abslink rewrite --dry-run -j1 --engine {engine} -b http://k/ d");
        let ran = limited(&sandbox, &line);
        ran.exits(0);
    }
}

/// The base URL that a browser has for what stands before a late `<base>` is shown as well.
#[test]
fn what_a_browser_gets_counts_for_listings() {
    let images = "<img src=x>".repeat(3_000);
    let sandbox = sandbox(&format!("{images}<base href='http://o/'>"));
    let url = format!("http://h/{}/", "b".repeat(14_000));
    let ran = leaves(&sandbox, &format!("abslink links -b {url} d"));
    assert!(ran.stdout.len() < 100_000);
}

/// Markup that entities stand for is counted once, however often they are used.
#[test]
fn markup_of_entities_is_not_expanded() {
    let sandbox = sandbox("");
    let entity = "<a href='x'/>".repeat(60);
    let uses = "&e;".repeat(150_000);
    let document = format!(
        "<!DOCTYPE html [<!ENTITY e \"{entity}\">]><html xmlns='http://www.w3.org/1999/xhtml'>{uses}</html>"
    );
    sandbox.write("d/bad.xhtml", &document);
    for engine in ["memory", "stream"] {
        let ran = limited(
            &sandbox,
            &format!("abslink check --engine {engine} -b http://h/ d"),
        );
        ran.exits(1);
        let of_entity = ran.stdout.matches("d/bad.xhtml:").count();
        assert_eq!(of_entity, 1, "{}", ran.stdout);
        ran.shows("d/good.html");
    }
}

#[test]
fn parts_of_messages_are_met() {
    let part = |fields: &str, body: &str| {
        format!("--a\r\nContent-Type: text/html\r\n{fields}\r\n{body}\r\n")
    };
    let message = |fields: &str, parts: &str| {
        format!("Content-Type: multipart/mixed; boundary=a\r\n{fields}\r\n\r\n{parts}--a--\r\n")
    };
    let (url, links) = (long_url(), "<a href=x>".repeat(REFERENCES));
    // One part of two, and the other is done.
    let one = message(
        "Base: http://k/",
        &(part("", &hostile()) + &part("", "<a href=y>")),
    );
    let heading = message(&format!("Base: {url}"), &part("", &links));
    let mut many = String::new();
    for nth in 0..2_000 {
        write!(
            many,
            "{}",
            part(&format!("Content-Location: {nth}.html\r\n"), "<a href=x>")
        )
        .unwrap();
    }
    let locations = message(&format!("Base: {url}"), &many);
    for (name, text) in [("one", one), ("heading", heading), ("locations", locations)] {
        let sandbox = Sandbox::new();
        sandbox.write("d/bad.eml", &text);
        sandbox.write("d/good.html", "<a href=x>");
        println!("{name}");
        leaves(&sandbox, "abslink rewrite -j1 -b http://k/ -o out d");
        let out = sandbox.read("out/bad.eml");
        if name == "one" {
            assert!(out == text.replace("<a href=y>", "<a href=http://k/y>"));
        } else {
            assert_eq!(out, text);
        }
        leaves(
            &sandbox,
            "abslink check -q --format json -j1 -b http://k/ d > /dev/null",
        );
    }
}

/// No new document of more than 256 MiB is made in memory, though so much shorter a document may grow by
/// that: what has to be held is left, and the rest is done.
#[test]
fn what_would_take_too_much_memory_is_left() {
    // Each of these characters may take six bytes.
    let url = format!("http://h/{}/", "^".repeat(100_000));
    let links = "<img srcset=x>".repeat(480);
    let padding = "x".repeat(1_200_000);
    let page = format!("{links}{padding}");
    let record = |url: &str, page: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )
    };
    let archive = record(&url, &page) + &record("http://h/", "<a href=x>");
    let feed = format!("<rss><item><description><![CDATA[{page}]]></description></item></rss>");
    let sheet = format!("{}/*{padding}*/", "a{b:url(x)}".repeat(480));
    let mail = format!("Content-Type: text/html\r\n\r\n{page}");
    let sandbox = Sandbox::new();
    sandbox.write("d/a.warc", &archive);
    sandbox.write("d/b.eml", &mail);
    sandbox.write("d/c.rss", &feed);
    sandbox.write("d/e.css", &sheet);
    sandbox.write("d/good.html", "<a href=x>");
    let line = format!("-j1 --ext +css -b '{url}' d");
    let files = ["a.warc#0", "b.eml", "c.rss", "e.css"];
    let ran = leaves(
        &sandbox,
        &format!("abslink rewrite --warc-as append -o out {line}"),
    );
    assert_eq!(ran.stderr.matches(REASON).count(), files.len());
    for file in files {
        ran.says(format!("d/{file}: "));
    }
    let read = |name: &str| sandbox.read(name);
    assert!(read("out/a.warc").contains("<a href=http://h/x>"));
    assert!(read("out/good.html").len() > url.len());
    for (name, old) in [("b.eml", mail), ("c.rss", feed), ("e.css", sheet)] {
        assert!(read(&format!("out/{name}")) == old, "{name}");
    }
}

/// A page whose new text is large goes on in pieces, whatever is done with it.
#[test]
#[ignore = "slow tier: memory"]
fn what_would_take_too_much_memory_is_written_as_it_comes() {
    const LINKS: usize = 120;
    let url = format!("http://h/{}/", "^".repeat(100_000));
    let old = format!("{}{}", "<img srcset=x>".repeat(LINKS), "x".repeat(300_000));
    let new = old.replace("srcset=x", &format!("srcset={url}x"));
    let sandbox = Sandbox::new();
    sandbox.write("d.html", &old);
    let run = |line: &str| {
        let line = line.replace("{B}", &format!("-q -j1 -b '{url}'"));
        let ran = limited(&sandbox, &line);
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        ran
    };
    assert!(run("abslink rewrite {B} d.html").stdout == new);
    assert!(run("abslink rewrite {B} - < d.html").stdout == new);
    assert_eq!(
        run("abslink links {B} d.html").stdout.lines().count(),
        LINKS
    );
    run("abslink rewrite {B} -o out d.html");
    assert!(sandbox.read("out/d.html") == new);
    run("abslink rewrite {B} --dry-run d.html");
    run("abslink rewrite {B} -i d.html");
    assert!(sandbox.read("d.html") == new);
}

/// What is shown of a message or feed cannot come in pieces of it, and is not held either.
#[test]
#[ignore = "slow tier: memory"]
fn long_lists_are_shown_as_they_come() {
    let url = format!("http://h/{}/", "b".repeat(100_000));
    let mail = format!(
        "Content-Type: text/html\r\n\r\n{}{}",
        "<a href=x>".repeat(400),
        "x".repeat(300_000)
    );
    let sandbox = Sandbox::new();
    sandbox.write("d/a.eml", &mail);
    sandbox.write("d/b.html", "<a href=y>");
    let line = format!("abslink links -q -j2 -b {url} d");
    let ran = limited_to(160 << 10, &sandbox, &line);
    ran.exits(0);
    let files: Vec<bool> = (ran.stdout.lines().map(|line| line.contains("b.html"))).collect();
    assert_eq!(files.len(), 401);
    assert!(files[400] && !files[..400].contains(&true));
}

/// Each reference is shown with the name of its element, however long that is.
#[test]
fn long_names_of_elements_are_shown_by_their_beginning() {
    let name = "n".repeat(48_000);
    let urls = "url(x) ".repeat(12_000);
    let sandbox = Sandbox::new();
    sandbox.write("d.html", format!("<{name} style='background:{urls}'>"));
    for engine in ["memory", "stream"] {
        let line = format!("abslink links --engine {engine} -b http://h/ d.html");
        let ran = limited(&sandbox, &line);
        ran.exits(0);
        assert_eq!(ran.stdout.lines().count(), 12_000);
        assert!(ran.stdout.len() < 12_000 * 1_000);
        ran.shows(format!("\"{}…\"", &name[..256]));
    }
    sandbox.write("d.html", format!("<{0} src=x><{0}x src=x>", &name[..256]));
    let ran = limited(&sandbox, "abslink links -b http://h/ d.html");
    let shown = |name: &str| ran.stdout.contains(&format!("\"element\":\"{name}\""));
    assert!(shown(&name[..256]) && shown(&format!("{}…", &name[..256])));
}

/// What is shown of a message is what can be made absolute in it.
#[test]
fn references_of_parts_without_room_are_not_shown() {
    let part = "--a\r\nContent-Type: text/html\r\n\r\n<a href=x>\r\n";
    let parts = part.repeat(30);
    let mail = format!("Content-Type: multipart/mixed; boundary=a\r\n\r\n{parts}--a--\r\n");
    let context = Context::retrieved_from(&format!("http://h/{}/", "b".repeat(1 << 20))).unwrap();
    let html = Settings::default();
    let mut shown = 0;
    let mut each = |_: &Reference<'_>| shown += 1;
    let examined = message::examine(mail.as_bytes(), &context, &html, &mut each);
    let refused = examined.refusals.len();
    assert!((10..20).contains(&refused), "{refused}");
    assert_eq!(shown + refused, 30);
    let rewritten = message::rewrite(mail.as_bytes(), &context, &html).examined;
    assert_eq!(rewritten.refusals.len(), refused);
    let counted = rewritten
        .documents
        .iter()
        .map(|part| part.examined.tally.rewritten);
    assert_eq!(counted.sum::<u64>(), 30 - refused as u64);
}
