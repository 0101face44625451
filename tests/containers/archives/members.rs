//! Members that hold several records, or damage: nothing of what cannot be read is lost, and the archive
//! stays one.

use std::fs;
use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};

use super::{EPOCH, reader};
use crate::support::sandbox::{Ran, Sandbox};

/// Records in one member.
pub(super) fn gz(records: &[&[u8]]) -> Vec<u8> {
    let mut member = GzEncoder::new(Vec::new(), Compression::fast());
    for record in records {
        member.write_all(record).unwrap();
    }
    member.finish().unwrap()
}

/// A record; `wrong` makes its length another one.
pub(super) fn record(kind: &str, number: u32, block: &str, wrong: usize) -> Vec<u8> {
    let length = block.len() - wrong;
    let media_type = match kind {
        "response" => "application/http; msgtype=response",
        _ => "text/plain",
    };
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://h/d/{number}\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: {media_type}\r\n\
         WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
         Content-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
    .into_bytes()
}

fn page(number: u32, wrong: usize) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=g{number}>");
    record("response", number, &block, wrong)
}

/// An archive of a name, what it becomes in place, and what was said.
fn in_place(name: &str, archive: &[u8], options: &str) -> (Vec<u8>, Ran) {
    let sandbox = Sandbox::of(&[]);
    sandbox.write(name, archive);
    let mut command = sandbox.abslink(&format!("rewrite -q -i {options} {name}"));
    let ran = Ran::by(command.env(EPOCH.0, EPOCH.1));
    (fs::read(sandbox.path().join(name)).unwrap(), ran)
}

/// Runs a command on an archive.
fn run(command: &str, name: &str, archive: impl AsRef<[u8]>) -> Ran {
    let sandbox = Sandbox::of(&[]);
    sandbox.write(name, archive);
    sandbox.run(&format!("{command} {name}"))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Each member of the input that is damaged is in the output, byte for byte.
#[test]
fn a_damaged_member_is_copied_as_it_is() {
    let (a, b, bad) = (page(1, 0), page(2, 0), page(3, 20));
    // What is compressed takes more than is held at a time.
    let text: String = (0..40_000)
        .map(|n| format!("{} ", n * 7_919 % 65_537))
        .collect();
    let text = record("resource", 4, &text, 0);
    let mut checksum = gz(&[&a, &b]);
    let at = checksum.len() - 6;
    checksum[at] ^= 1;
    let mut cut = gz(&[&a, &text, &b]);
    cut.truncate(cut.len() - 40);
    let members = [
        gz(&[&bad, &a, &text, &b]),
        gz(&[&a, &bad, &text, &b]),
        gz(&[&a, &text, &bad]),
        gz(&[&a, b"junk behind the record"]),
        gz(&[b"junk before the record", &a]),
        checksum,
        cut,
    ];
    let options = ["append", "response"].map(|form| [1, 3].map(|jobs| (form, jobs)));
    for (number, member) in members.iter().enumerate() {
        for (form, jobs) in options.into_iter().flatten() {
            let options = format!("--warc-as {form} -j {jobs}");
            let old = [&gz(&[&b]), member, &gz(&[&a])].map(Vec::as_slice).concat();
            let (new, ran) = in_place("a.warc.gz", &old, &options);
            ran.exits(2);
            assert!(contains(&new, member), "{number} {ran:?}");
            // What stands beside it is done, and a second run finds nothing to do.
            for url in ["http://h/d/g2", "http://h/d/g1"] {
                assert!(reader_finds(&new, url, member), "{number} {form} {url}");
            }
            let (again, ran) = in_place("a.warc.gz", &new, &options);
            ran.exits(2);
            assert!(again == new, "{number} {form}: a second run");
        }
    }
}

/// An archive may be a record of another one, and deflate keeps what is compressed already as it is: nothing
/// is written into it, whatever is wrong with what is around it.
#[test]
fn an_archive_in_a_damaged_member_stays() {
    let inner: Vec<u8> = (0..200)
        .flat_map(|number| gz(&[&page(number, 0)]))
        .collect();
    let outer = |end: &[u8]| {
        let head = format!(
            "WARC/1.1\r\nWARC-Type: resource\r\nContent-Type: application/gzip\r\n\
             WARC-Record-ID: <urn:uuid:x>\r\nContent-Length: {}\r\n\r\n",
            inner.len()
        );
        [head.as_bytes(), &inner, end].concat()
    };
    let mut stored = GzEncoder::new(Vec::new(), Compression::none());
    stored.write_all(&outer(b"\r\n\r\n")).unwrap();
    let mut checksum = stored.finish().unwrap();
    let at = checksum.len() - 6;
    checksum[at] ^= 1;
    for (name, damaged, good) in [
        ("a.warc.gz", checksum, gz(&[&page(1, 0)])),
        ("a.warc", outer(b"\r\n"), page(1, 0)),
        ("a.warc", outer(b""), page(1, 0)),
    ] {
        let old = [&good, &damaged, &good].map(Vec::as_slice).concat();
        for form in ["append", "response"] {
            let (new, ran) = in_place(name, &old, &format!("--warc-as {form} -j 2"));
            ran.exits(2);
            assert!(contains(&new, &damaged), "{ran:?}");
            assert!(new.len() > damaged.len() + 2 * good.len());
        }
    }
}

/// A length that no file can have ends nothing but its record.
#[test]
fn an_absurd_length_hides_no_record() {
    for kind in ["response", "conversion", "resource"] {
        let absurd = String::from_utf8(page(2, 0)).unwrap();
        let at = absurd.find("Content-Length: ").unwrap();
        let end = at + absurd[at..].find('\r').unwrap();
        let absurd = absurd.replacen("response", kind, 1);
        let (at, end) = (at + kind.len() - 8, end + kind.len() - 8);
        let absurd = format!(
            "{}Content-Length: {}{}",
            &absurd[..at],
            1_u64 << 62,
            &absurd[end..]
        );
        let filler = record("resource", 4, &"x".repeat(100_000), 0);
        let archive = [&page(1, 0)[..], absurd.as_bytes(), &filler, &page(3, 0)].concat();
        for command in ["check", "rewrite --warc-as conversions"] {
            let ran = run(command, "a.warc", &archive);
            ran.exits(2).never_says("os error");
            ran.says("its block does not end where");
            let found = match command {
                "check" => ran.bytes,
                _ => reader::members(&ran.bytes).concat(),
            };
            assert!(contains(&found, b"/d/g3"), "{kind} {command}");
        }
    }
}

/// What looks like an HTTP head is a part of the document where there is none.
#[test]
fn a_resource_has_no_http_head() {
    let text = "HTTP/2 explained\n\n<p><a href=x>";
    let resource = String::from_utf8(record("resource", 1, text, 0)).unwrap();
    let resource = resource.replace("text/plain", "text/html");
    let ran = run("rewrite -q --warc-as response", "a.warc", resource);
    ran.exits(0);
    let [new] = &reader::records(&ran.bytes)[..] else {
        panic!("{ran:?}");
    };
    let block = String::from_utf8_lossy(&new.block);
    assert_eq!(block, "HTTP/2 explained\n\n<p><a href=http://h/d/x>");
}

/// What `check` does not list is done.
#[test]
fn a_conversion_to_something_else_is_none_of_the_document() {
    let id = "<urn:uuid:00000000-0000-0000-0000-000000000001>";
    let conversion = |media_type: &str, refers: &str| {
        let text = String::from_utf8(record("conversion", 1, "<a href=http://h/d/g1>", 0)).unwrap();
        let text = text
            .replace("text/plain", media_type)
            .replace("-000000000001>", "-000000000009>");
        text.replacen("WARC-Date", &format!("{refers}WARC-Date"), 1)
    };
    let bare = String::from_utf8(page(1, 0))
        .unwrap()
        .replace(&format!("WARC-Record-ID: {id}\r\n"), "");
    let with_id = String::from_utf8(page(1, 0)).unwrap();
    let refers = format!("WARC-Refers-To: {id}\r\n");
    for (document, conversion, code) in [
        (&with_id, conversion("text/html", &refers), 0),
        (&with_id, conversion("image/png", &refers), 1),
        (&with_id, conversion("text/html", ""), 1),
        (&bare, conversion("text/html", ""), 0),
        (
            &bare,
            conversion("text/html", "").replace("d/1\r", "d/2\r"),
            1,
        ),
    ] {
        run("check", "a.warc", format!("{document}{conversion}")).exits(code);
    }
}

/// What a head says that is longer than what is looked at first, and several types.
#[test]
fn types_of_http() {
    let filler = |length: usize| format!("X: {}\r\n", "x".repeat(length));
    // The border of what is looked at first is anywhere in the field.
    let borders =
        (32_700..32_760).map(|length| (filler(length) + "Content-Type: text/html\r\n", true));
    let cases = [
        (
            "Content-Type: text/html, text/html; charset=utf-8\r\n",
            true,
        ),
        ("Content-Type:\r\n", true),
        ("Content-Type: text\r\nContent-Type: text/html\r\n", true),
        (
            "Content-Type: text/html\r\nContent-Type: image/png\r\n",
            false,
        ),
        ("Content-Type: text/html; x=\"a, b/c\"\r\n", true),
        ("Content-Type: image/png, text/html\r\n", true),
    ];
    let cases = cases
        .into_iter()
        .map(|(fields, is)| (fields.to_owned(), is));
    for (fields, is_document) in cases.chain(borders) {
        let block = format!("HTTP/1.1 200 OK\r\n{fields}\r\n<!doctype html><a href=x>");
        let archive = gz(&[&record("response", 1, &block, 0)]);
        let ran = run("check --allow-empty", "a.warc.gz", archive);
        let fields = fields.trim_start_matches(|c| "X: x".contains(c));
        assert_eq!(ran.code, Some(i32::from(is_document)), "{fields}: {ran:?}");
    }
}

/// Whether a text is in a member other than the damaged one.
fn reader_finds(archive: &[u8], text: &str, damaged: &[u8]) -> bool {
    let at = archive.windows(damaged.len()).position(|it| it == damaged);
    let at = at.unwrap();
    [&archive[..at], &archive[at + damaged.len()..]]
        .into_iter()
        .flat_map(reader::members)
        .any(|member| {
            let records = reader::records(&member);
            records
                .iter()
                .any(|record| contains(&record.block, text.as_bytes()))
        })
}

/// A wrong length leads nowhere, whatever it is, and hides no record behind it.
#[test]
fn a_wrong_length_hides_no_record() {
    for length in ["99999999", "9999999999999", "65000"] {
        let mut archive = page(0, 0);
        let wrong = record("metadata", 1, "via: http://h/", 0);
        let wrong = String::from_utf8(wrong).unwrap();
        let wrong = wrong.replace("Content-Length: 14", &format!("Content-Length: {length}"));
        for number in 2..1_002 {
            if number % 100 == 2 {
                archive.extend(wrong.as_bytes());
            }
            archive.extend(page(number, 0));
        }
        let ran = run("check", "a.warc", archive);
        ran.exits(2);
        assert_eq!(ran.stdout.lines().count(), 1_001, "{length}");
        let said = ran.stderr.matches("its block does not end").count();
        assert_eq!(said, 10, "{length}: {}", ran.stderr);
    }
}

/// A skippable frame that leads out of the archive is damage, and what it leads over is found.
#[test]
fn a_skippable_frame_that_is_too_long_hides_no_record() {
    let frame = |record: &[u8]| zstd::bulk::compress(record, 1).unwrap();
    for size in [0x7fff_ffff_u32, 1 << 20, 60] {
        let number = 0x184d_2a51_u32.to_le_bytes();
        let skippable = [&number[..], &size.to_le_bytes(), b"hello"].concat();
        for first in [vec![], frame(&page(1, 0))] {
            let rest = [2, 3].map(|number| frame(&page(number, 0))).concat();
            let ran = run(
                "check",
                "a.warc.zst",
                [&first[..], &skippable, &rest].concat(),
            );
            ran.exits(2).shows("http://h/d/g3");
            let has_first = ran.stdout.contains("http://h/d/g1");
            assert_eq!(has_first, !first.is_empty(), "{size:x}");
        }
    }
}
