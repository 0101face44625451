//! What `rewrite` makes of archives.

use std::fs;

use data_encoding::BASE32;
use sha1::{Digest, Sha1};

use super::reader::{self, records};
use super::{DATE, EPOCH, Record, abslink, archives, rewritten, run, testdata};
use crate::support::sandbox::{Ran, Sandbox};

/// Those in which nothing is damaged, so that every record can be read in the output too.
const WHOLE: [&str; 7] = [
    "codings.warc.gz",
    "heads.warc.gz",
    "bare.warc.gz",
    "kinds.warc.gz",
    "plain.warc",
    "frames.warc.zst",
    "one-member.warc.gz",
];

fn sha1(bytes: &[u8]) -> String {
    format!("sha1:{}", BASE32.encode(&Sha1::digest(bytes)))
}

fn kind(record: &Record) -> &str {
    record.get("WARC-Type")
}

#[test]
fn conversions_are_a_new_archive() {
    for name in WHOLE {
        let new = records(&rewritten(name, "--warc-as conversions"));
        let (info, conversions) = new.split_first().unwrap();
        assert_eq!((kind(info), info.get("WARC-Filename")), ("warcinfo", name));
        let software = format!("software: abslink/{}\r\n", env!("CARGO_PKG_VERSION"));
        assert!(String::from_utf8_lossy(&info.block).starts_with(&software));
        assert!(!conversions.is_empty(), "{conversions:?}");
        for record in conversions {
            assert_eq!(kind(record), "conversion");
            assert!(record.head.starts_with("WARC/1.1\r\n"));
            assert_eq!(record.get("WARC-Date"), DATE);
            assert_eq!(record.get("WARC-Block-Digest"), sha1(&record.block));
            assert_eq!(record.get("WARC-Payload-Digest"), sha1(&record.block));
            let refers = record.get("WARC-Refers-To");
            assert!(refers.starts_with("<urn:uuid:00000000-"), "{refers}");
            let id = record.get("WARC-Record-ID");
            let uuid = id
                .strip_prefix("<urn:uuid:")
                .and_then(|id| id.strip_suffix('>'));
            assert_eq!(uuid.unwrap().as_bytes()[14], b'5', "{id}");
            let forbidden = [
                "WARC-Concurrent-To",
                "WARC-IP-Address",
                "WARC-Refers-To-Target-URI",
                "WARC-Refers-To-Date",
            ];
            assert!(forbidden.iter().all(|field| record.get(field).is_empty()));
            let media_type = record.get("Content-Type");
            assert!(media_type.contains("; charset="), "{media_type}");
        }
    }
}

#[test]
fn a_conversion_names_its_type_and_the_charset_that_counted() {
    let new = records(&rewritten("heads.warc.gz", "--warc-as conversions"));
    let types = |target: &str| {
        let target = format!("http://h.example/a/{target}/c");
        let record = new
            .iter()
            .find(|record| record.get("WARC-Target-URI") == target);
        record.unwrap().get("Content-Type").to_owned()
    };
    for (target, expected) in [
        ("xhtml", "application/xhtml+xml; charset=UTF-8"),
        ("charset", "text/html; charset=windows-1252"),
        ("utf-16", "text/html; charset=UTF-16LE"),
        ("utf-16-bare", "text/html; charset=UTF-16BE"),
        ("sniffed", "text/html; charset=UTF-8"),
    ] {
        assert_eq!(types(target), expected, "{target}");
    }
}

/// Every input record, then its conversion; what is copied stays as it is to the byte.
#[test]
fn append_adds_conversions_and_nothing_else() {
    for name in WHOLE {
        let old = fs::read(testdata().join(name)).unwrap();
        let appended = rewritten(name, "--warc-as append");
        let conversions = records(&rewritten(name, "--warc-as conversions"));
        let new = records(&appended);
        let (made, kept): (Vec<Record>, Vec<Record>) =
            (new.into_iter()).partition(|record| conversions[1..].contains(record));
        assert_eq!(made, conversions[1..], "{name}");
        if name != "one-member.warc.gz" {
            assert_eq!(kept, records(&old), "{name}");
        } else {
            assert_eq!(
                kept,
                records(&fs::read(testdata().join("plain.warc")).unwrap())
            );
        }
        let all = records(&appended);
        for pair in all.windows(2).filter(|pair| made.contains(&pair[1])) {
            assert_eq!(pair[0].get("WARC-Record-ID"), pair[1].get("WARC-Refers-To"));
        }
    }
}

/// Also what is damaged, and what stands between members.
#[test]
fn what_is_copied_is_copied_as_it_is() {
    for name in [
        "kinds.warc.gz",
        "damage.warc.gz",
        "damage.warc",
        "dictionary.warc.zst",
    ] {
        let old = fs::read(testdata().join(name)).unwrap();
        let mut new = rewritten(name, "--warc-as append");
        for member in &reader::members(&rewritten(name, "--warc-as conversions"))[1..] {
            let at = memchr::memmem::find(&new, member).unwrap();
            new.drain(at..at + member.len());
        }
        assert!(new == old, "{name}");
    }
}

/// Who reads the archive sees the same records, with other documents.
#[test]
fn responses_are_changed_where_they_stand() {
    for name in WHOLE {
        let old = match name {
            "one-member.warc.gz" => "plain.warc",
            _ => name,
        };
        let old = records(&fs::read(testdata().join(old)).unwrap());
        let new = records(&rewritten(name, "--warc-as response"));
        let conversions = records(&rewritten(name, "--warc-as conversions"));
        let conversion = |record: &Record| {
            let id = record.get("WARC-Record-ID");
            conversions
                .iter()
                .find(|other| other.get("WARC-Refers-To") == id)
        };
        assert_eq!(old.len(), new.len());
        for (old, new) in old.iter().zip(&new) {
            let Some(conversion) = conversion(old) else {
                assert_eq!(old, new);
                continue;
            };
            let body = match old.block.starts_with(b"HTTP/") {
                true => new.body(),
                false => &new.block,
            };
            assert_eq!(body, conversion.block);
            assert_ne!(new.get("WARC-Record-ID"), old.get("WARC-Record-ID"));
            for field in ["WARC-Type", "WARC-Date", "WARC-Target-URI", "Content-Type"] {
                assert_eq!(new.get(field), old.get(field));
            }
            assert_eq!(new.get("WARC-Block-Digest"), sha1(&new.block));
            assert_eq!(new.get("WARC-Payload-Digest"), sha1(body));
            let text = String::from_utf8_lossy(&new.block[..new.block.len() - body.len()]);
            if !text.is_empty() {
                assert!(
                    text.contains(&format!("\r\nContent-Length: {}\r\n", body.len())),
                    "{text}"
                );
                assert!(!text.contains("\r\nTransfer-Encoding:"), "{text}");
                assert!(!text.contains("\r\nContent-Encoding:"), "{text}");
            }
        }
    }
}

/// The same with any number of jobs, and from one run to the next; ids are told apart by options.
#[test]
fn the_same_bytes_twice() {
    for name in archives() {
        for form in ["conversions", "append", "response"] {
            let run = |options: &str| rewritten(&name, &format!("--warc-as {form} {options}"));
            let once = run("-j 1");
            assert!(once == run("-j 1") && once == run("-j 4"), "{name} {form}");
        }
    }
    let ids = |options: &str| -> Vec<String> {
        let new = records(&rewritten(
            "plain.warc",
            &format!("--warc-as conversions {options}"),
        ));
        new.iter()
            .map(|record| record.get("WARC-Record-ID").to_owned())
            .collect()
    };
    let (plain, other) = (ids(""), ids("--resolver whatwg"));
    assert!(plain.iter().zip(&other).all(|(one, other)| one != other));
}

#[test]
fn the_date_comes_from_the_environment() {
    let date = |epoch: Option<&str>| {
        let mut command = abslink("rewrite -q --warc-as conversions plain.warc");
        command.envs(epoch.map(|epoch| ("SOURCE_DATE_EPOCH", epoch)));
        let new = records(&Ran::by(&mut command).bytes);
        new.last().unwrap().get("WARC-Date").to_owned()
    };
    assert_eq!(date(Some("86400")), "1970-01-02T00:00:00Z");
    let now = date(None);
    assert!(now.as_str() > "2025", "{now}");
}

/// In place, an archive that has its conversions already is not touched.
#[test]
fn a_second_run_adds_nothing() {
    for (name, form) in [
        ("heads.warc.gz", "append"),
        ("frames.warc.zst", "append"),
        ("plain.warc", "append"),
        ("damage.warc.gz", "append"),
        ("one-member.warc.gz", "append"),
        ("heads.warc.gz", "response"),
    ] {
        let sandbox = Sandbox::of(&[]);
        sandbox.copy(&format!("warc/{name}"), name);
        let path = sandbox.path().join(name);
        let run = |jobs: u8| {
            let arguments = format!("rewrite -i --warc-as {form} -j {jobs} {name}");
            Ran::by(sandbox.abslink(&arguments).env(EPOCH.0, EPOCH.1));
            let modified = path.metadata().unwrap().modified().unwrap();
            (fs::read(&path).unwrap(), modified)
        };
        let old = fs::read(&path).unwrap();
        let once = run(1);
        assert!(once.0 != old, "{name}");
        let expected = rewritten(name, &format!("--warc-as {form}"));
        assert!(once.0 == expected, "{name}");
        assert!(once == run(2), "{name}");
    }
}

#[test]
fn an_archive_keeps_its_name_below_the_output() {
    let sandbox = Sandbox::of(&[("site/c.html", "<a href=http://h/>")]);
    let archives = [("b.WARC", "plain.warc"), ("a.warc.zst", "frames.warc.zst")];
    for (name, from) in archives {
        sandbox.copy(&format!("warc/{from}"), &format!("site/{name}"));
    }
    let counts = |dry: &str| {
        let mut command =
            sandbox.abslink(&format!("rewrite --warc-as conversions {dry} -o out site"));
        let ran = Ran::by(command.env(EPOCH.0, EPOCH.1));
        ran.exits(0);
        let (_, lead) = ran.stderr.split_once("ma").unwrap();
        let lead = lead.split_once(" (").unwrap().0;
        let lead = lead.split(", written").next().unwrap();
        lead.trim_start_matches(['k', 'd', 'e', ' ']).to_owned()
    };
    assert_eq!(counts("--dry-run"), counts(""));
    for (name, from) in archives {
        let new = fs::read(sandbox.path().join("out").join(name)).unwrap();
        let expected = records(&rewritten(from, "--warc-as conversions"));
        assert_eq!(records(&new)[1..], expected[1..]);
    }
    sandbox.read("out/c.html");
}

#[test]
fn a_diff_shows_decoded_text() {
    let text = run("rewrite --diff codings.warc.gz").stdout;
    assert!(
        text.starts_with("--- a/codings.warc.gz#0\n+++ b/codings.warc.gz#0\n@@ -1,3 +1,3 @@\n")
    );
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines("+++"), lines("-<!doctype html>")), (15, 45));
    assert!(text.contains(
        r#"+<!doctype html><title>t</title><p>text <a href="http://h.example/a/x?a=1">"#
    ));
}

/// What the second reader disagrees with stays, and so does every byte of it.
#[test]
fn verify_leaves_one_record() {
    let (plain, verified) = (
        rewritten("heads.warc.gz", "--warc-as conversions"),
        rewritten("heads.warc.gz", "--warc-as conversions --verify"),
    );
    assert_eq!(plain, verified);
    if !cfg!(debug_assertions) {
        return;
    }
    let run = |form: &str| {
        let mut command = abslink(&format!("rewrite --verify {form} heads.warc.gz"));
        command.env(EPOCH.0, EPOCH.1);
        command.env(
            "ABSLINK_TEST_FAULT",
            "h.example/a/status/i.png=>h.example/a/status/j.png",
        );
        Ran::by(&mut command)
    };
    let ran = run("--warc-as conversions");
    ran.exits(2);
    let errors = ran.stderr.matches("error: heads.warc.gz#").count();
    assert_eq!(errors, 1, "{}", ran.stderr);
    let (all, new) = (records(&plain), records(&ran.bytes));
    assert_eq!(all.len(), new.len() + 1);
    let left = all.iter().find(|record| !new.contains(record)).unwrap();
    assert!(left.get("WARC-Target-URI").contains("/status/"));
    assert!(!records(&run("--warc-as append").bytes).contains(left));
}

/// Records that refer to a changed one are counted, and revisits that would be wrong.
#[test]
fn what_refers_to_a_changed_record_is_counted() {
    let ran = run("rewrite --warc-as response kinds.warc.gz");
    ran.exits(1)
        .says(": 2 fields refer to a changed record by its old id")
        .says(": 1 revisit of a changed record;")
        .says(": 1 revisit of a changed record at another URL;")
        .says(": 1 segment of a larger record;");
    run("rewrite --warc-as append kinds.warc.gz").exits(0);
}
