//! Archives that are odd: heads, lengths and members that programs seldom write.

use std::fs;
use std::io::Write as _;

use crate::cli::Sandbox;

/// A record of a page.
fn record(url: &str, page: &str) -> String {
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    let id = url.rsplit('/').next().unwrap();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{id}>\r\n\
         WARC-Date: 2026-01-31T12:00:00Z\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// What `check` finds in an archive: the targets, and how many lines say what is damaged.
fn found(archive: &[u8]) -> (Vec<String>, usize) {
    let sandbox = Sandbox::new();
    sandbox.write("x.warc.gz", archive);
    let ran = sandbox.run("check x.warc.gz");
    let targets = ran.stdout.lines().map(|line| {
        let (_, target) = line.rsplit_once(" -> ").unwrap();
        target.to_owned()
    });
    let errors = ran.stderr.lines().filter(|line| line.starts_with("error:"));
    (targets.collect(), errors.count())
}

/// A record whose length is none, with what looks like the begin of another one in it.
fn broken(inside: &str) -> String {
    format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\n{inside}\r\n\r\n")
}

/// In a member of many records, the next one is looked for by all of what it begins with.
#[test]
fn the_next_record_in_a_member_begins_as_records_do() {
    let page = |name: &str| record(&format!("http://h/{name}"), "<a href=x>");
    for inside in [
        "x\r\n\r\nabcde1 text",
        "x\r\n\r\nWARC/x text",
        "x\r\n\r\nwarc/1.0 text",
    ] {
        let archive = gzip(&[page("a"), broken(inside), page("b")].concat());
        assert_eq!(
            found(&archive),
            (vec!["http://h/x".to_owned(); 2], 1),
            "{inside:?}"
        );
    }
}

/// Wherever the damage is, the others are read, and it is told once.
#[test]
fn damage_may_be_anywhere_in_a_member() {
    let pages = ["a", "b", "c"].map(|name| record(&format!("http://h/{name}/"), "<a href=x>"));
    for at in 0..=3 {
        let mut records = pages.to_vec();
        records.insert(at, broken("y"));
        let mut archive = gzip(&records.concat());
        archive.extend(gzip(&record("http://h/d/", "<a href=x>")));
        let expected = ["a", "b", "c", "d"].map(|name| format!("http://h/{name}/x"));
        assert_eq!(found(&archive), (expected.to_vec(), 1), "{at}");
    }
}

/// A member in which something is damaged is copied as it is, and one that is whole is not.
#[test]
fn a_damaged_member_is_written_as_it_is() {
    let pages = ["a", "b"].map(|name| record(&format!("http://h/{name}/"), "<a href=x>"));
    for at in 0..=2 {
        let mut records = pages.to_vec();
        records.insert(at, broken("y"));
        let damaged = gzip(&records.concat());
        let archive = [gzip(&pages.concat()), damaged.clone()].concat();
        let sandbox = Sandbox::new();
        sandbox.write("x.warc.gz", &archive);
        let ran = sandbox.run("rewrite --warc-as response -o out x.warc.gz");
        ran.exits(2);
        let written = fs::read(sandbox.path().join("out/x.warc.gz")).unwrap();
        assert!(written.ends_with(&damaged), "{at}");
        let before = written.len() - damaged.len();
        let text = String::from_utf8(inflated(&written[..before])).unwrap();
        assert_eq!(text.matches("href=http://h/").count(), 2, "{text}");
    }
}

/// A member in which nothing can be read is copied too, in its place.
#[test]
fn a_member_without_records_is_written_as_it_is() {
    let pages = |names: [&str; 2]| {
        names
            .map(|name| record(&format!("http://h/{name}/"), "<a href=x>"))
            .concat()
    };
    let damaged = ["y", "z"].map(|inside| gzip(&broken(inside)));
    let [many, others] = [["a", "b"], ["c", "d"]].map(|names| gzip(&pages(names)));
    let archive = [&many[..], &damaged[0], &damaged[1], &others].concat();
    for form in ["append", "response"] {
        let sandbox = Sandbox::new();
        sandbox.write("x.warc.gz", &archive);
        let ran = sandbox.run(&format!("rewrite --warc-as {form} -o out x.warc.gz"));
        let errors = ran.stderr.lines().filter(|line| line.starts_with("error:"));
        assert_eq!((ran.code, errors.count()), (Some(2), 2), "{}", ran.stderr);
        let written = fs::read(sandbox.path().join("out/x.warc.gz")).unwrap();
        let damaged = damaged.concat();
        let at = memchr::memmem::find(&written, &damaged).unwrap();
        for (part, names) in [
            (&written[..at], ["a", "b"]),
            (&written[at + damaged.len()..], ["c", "d"]),
        ] {
            let text = String::from_utf8(inflated(part)).unwrap();
            for name in names {
                let url = format!("href=http://h/{name}/x");
                assert!(text.contains(&url), "{form}: {text}");
            }
        }
    }
}

/// A revisit may name what it refers to by its URL and date. Both count.
#[test]
fn a_revisit_refers_by_url_and_date() {
    for (target, date, expected) in [
        ("http://h/a", "2026-01-31T12:00:00Z", true),
        ("http://h/a", "2026-01-30T12:00:00Z", false),
        ("http://h/b", "2026-01-31T12:00:00Z", false),
    ] {
        let revisit = format!(
            "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:x:r>\r\n\
             WARC-Date: 2026-02-01T12:00:00Z\r\nWARC-Target-URI: http://h/a\r\n\
             WARC-Refers-To-Target-URI: {target}\r\nWARC-Refers-To-Date: {date}\r\n\
             Content-Length: 0\r\n\r\n\r\n\r\n"
        );
        let archive = record("http://h/a", "<a href=x>") + &revisit;
        let sandbox = Sandbox::of(&[("x.warc", &archive)]);
        let ran = sandbox.run("rewrite --warc-as response -o out x.warc");
        let is_counted = ran.stderr.contains(": 1 revisit of a changed record; ");
        assert_eq!(is_counted, expected, "{target} {date}: {}", ran.stderr);
    }
}

/// Of a document that has a conversion, the references are listed without what would become of them.
#[test]
fn what_was_converted_becomes_nothing_else() {
    let archive = record("http://h/a/p", "<a href=x>");
    let sandbox = Sandbox::of(&[("x.warc", &archive)]);
    sandbox.run("rewrite --warc-as append -o out x.warc");
    let ran = sandbox.run("links -q out/x.warc");
    let lines = ran.stdout.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let [outcome, absolute] = ["outcome", "absolute"].map(|field| &line[field]);
        format!("{outcome} {absolute}")
    });
    let expected = ["\"excluded\" null", "\"absolute\" \"http://h/a/x\""];
    assert_eq!(Vec::from_iter(lines), expected);
}

/// What is in the members of an archive.
fn inflated(archive: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(archive);
    std::io::Read::read_to_end(&mut decoder, &mut text).unwrap();
    text
}

/// An archive tells what its run was, so that somebody can repeat it.
#[test]
fn an_archive_records_the_options_of_its_run() {
    for options in [
        "--move-url http://h/=https://n/",
        "--fragments keep",
        "--resolver whatwg",
        "--attr img@data-x",
        "--exclude-url ^tel",
    ] {
        let archive = record("http://h/a", "<a href=x>");
        let sandbox = Sandbox::of(&[("x.warc", &archive)]);
        let ran = sandbox.run(&format!(
            "rewrite -q --warc-as conversions {options} -o out x.warc"
        ));
        ran.exits(0);
        let written = fs::read(sandbox.path().join("out/x.warc")).unwrap();
        let text = String::from_utf8_lossy(&written);
        let mut lines = text.lines();
        let line = lines.find(|line| line.starts_with("options:")).unwrap();
        let (option, value) = options.split_once(' ').unwrap();
        let plain = line.replace('"', "");
        assert!(plain.contains(&format!("{option} {value}")), "{line}");
    }
}
