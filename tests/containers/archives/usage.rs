//! What does not go together with web archives.

use super::abslink;
use super::reader::records;
use crate::support::sandbox::{Ran, Sandbox};

#[test]
fn options_that_are_not_for_archives() {
    for arguments in [
        "rewrite -b http://h/ plain.warc",
        "check --url-map x plain.warc",
        "links --base-url http://h/ heads.warc.gz",
        "rewrite --only-missing plain.warc",
        "rewrite --converted-links always plain.warc",
        "rewrite -i --warc-as conversions plain.warc",
        "rewrite -i --warc-as conversions --as warc heads.warc.gz",
        "rewrite --charset nonsense plain.warc",
    ] {
        let ran = Ran::by(&mut abslink(arguments));
        ran.exits(2).begins("error: ").prints("");
    }
    for seconds in ["today", "-1", "253402300800", "18446744073709551615"] {
        let mut epoch = abslink("rewrite plain.warc");
        Ran::by(epoch.env("SOURCE_DATE_EPOCH", seconds)).exits(2);
    }
}

/// A file that shows by its bytes only that it is an archive, and one on standard input, are left.
#[test]
fn options_that_are_not_for_what_turns_out_to_be_an_archive() {
    let sandbox = Sandbox::of(&[("map", "path,url\ndownload,http://h/\n")]);
    sandbox.copy("warc/plain.warc", "download");
    let archive = sandbox.read("download");
    for arguments in [
        "rewrite -b http://h/",
        "check -b http://h/",
        "rewrite --url-map map",
        "rewrite --only-missing",
        "rewrite -i --warc-as conversions",
    ] {
        let ran = sandbox.run(&format!("{arguments} download"));
        ran.exits(2).prints("").says("download: unchanged: -");
        assert_eq!(sandbox.read("download"), archive);
        let ran = sandbox.run_with_input(&format!("{arguments} -"), &archive);
        ran.exits(2).prints("");
    }
}

/// In a directory they are left too, and other files are done.
#[test]
fn only_missing_leaves_archives_in_a_directory() {
    let sandbox = Sandbox::of(&[("old/b.html", "<a href=b.html><a href=x>")]);
    sandbox.copy("warc/plain.warc", "old/a.warc");
    let ran = sandbox.run("rewrite -b http://h/ --only-missing -o new old");
    ran.exits(2)
        .says("a.warc: unchanged: --only-missing is not");
    let page = sandbox.read("new/b.html");
    assert_eq!(page, "<a href=b.html><a href=http://h/x>");
}

/// In a directory, an archive is not replaced unless that is asked for, and one line says so; the other files are done.
#[test]
fn an_archive_in_a_directory_is_not_replaced_by_default() {
    let sandbox = Sandbox::of(&[("b.html", "<a href=x>")]);
    sandbox.copy("warc/plain.warc", "a.warc");
    let old = sandbox.read("a.warc");
    let said = "a.warc: unchanged: -i replaces a web archive in a directory only with --warc-as";
    let ran = sandbox.run("rewrite -b http://h/ -i .");
    ran.exits(2).says(said);
    assert_eq!(sandbox.read("b.html"), "<a href=http://h/x>");
    assert_eq!(sandbox.read("a.warc"), old);
    for (form, code) in [("conversions", 2), ("append", 0)] {
        let ran = sandbox.run(&format!("rewrite -q -i --warc-as {form} ."));
        ran.exits(code);
        assert_eq!(sandbox.read("a.warc") != old, code == 0, "{form}");
    }
    // Named, it is.
    sandbox.write("a.warc", &old);
    sandbox.run("rewrite -q -i a.warc").exits(0);
    let new = records(sandbox.read("a.warc").as_bytes());
    assert!(new.len() > records(old.as_bytes()).len());
}

/// The first line of the summary says what the new archive has, and so does its JSON.
#[test]
fn the_summary_says_what_an_archive_has() {
    let sandbox = Sandbox::of(&[]);
    sandbox.copy("warc/crawl.warc.gz", "crawl.warc.gz");
    let both = "web archives: 3 responses, 2 conversions";
    let conversions = "web archives: 2 conversions, without the 3 responses";
    for (form, line) in [
        ("", both),
        ("--warc-as append", both),
        ("--warc-as response", "web archives: 3 responses"),
        ("--warc-as conversions", conversions),
    ] {
        for task in ["-o", "--dry-run -o"] {
            let run = |more: &str| {
                let run = format!("rewrite {form} {more} {task} new crawl.warc.gz");
                sandbox.run(&run)
            };
            let ran = run("");
            let first = ran.stderr.lines().next().unwrap();
            let expected = format!(" documents; {line}");
            assert!(first.contains(&expected), "{ran:?}");
            let json: serde_json::Value =
                serde_json::from_str(&run("--format json").stdout).unwrap();
            let conversions = u64::from(form != "--warc-as response") * 2;
            assert_eq!(json["responses"], 3, "{json}");
            assert_eq!(json["conversions"], conversions, "{json}");
        }
    }
    // What a second run finds there is in the new one, too.
    sandbox.run("rewrite -q -o first crawl.warc.gz").exits(0);
    sandbox.run("rewrite -o again first").says(both);
    let ran = sandbox.run("rewrite --warc-as conversions -o again first");
    ran.says(conversions);
}

/// -b has no part in the base URL of a record: one note says so, and no hint names it.
#[test]
fn base_url_beside_an_archive() {
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/d/\r\n\
                  WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
                  Content-Type: text/html\r\nContent-Length: 16\r\n\r\n<a href=../../x>\r\n\r\n";
    let sandbox = Sandbox::of(&[("site/a.warc", record)]);
    let note = "note: --base-url is not for web archives: each record names its URL\n";
    for command in ["check", "links", "base", "rewrite -o new"] {
        let ran = sandbox.run(&format!("{command} -b http://h/ site"));
        assert_eq!(ran.stderr.matches("--base-url").count(), 1, "{ran:?}");
        ran.says(note);
        let ran = sandbox.run(&format!("{command} site"));
        ran.never_says("--base-url");
    }
    // With a page, the option has a part.
    sandbox.write("site/b.html", "<a href=../../x>");
    let ran = sandbox.run("check -b http://h/d/ site");
    ran.says("hint: abslink base -b http://h/d/").says(note);
}

#[test]
fn the_charset_that_the_server_gives() {
    let page = b"<meta charset=utf-8><a href=\"caf\xe9\">";
    let mut command = abslink("rewrite -q -b http://h/\u{2603}/ --charset iso-8859-1 -");
    let ran = Ran::by(command.write_stdin(&page[..]));
    let expected = b"<meta charset=utf-8><a href=\"http://h/&#9731;/caf\xe9\">";
    assert_eq!(ran.bytes, expected, "{ran:?}");
}
