//! What does not go together with web archives.

use std::fs;

use super::{abslink, testdata};

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
        let output = abslink(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {text}");
        assert!(text.starts_with("error: "), "{text}");
        assert!(output.stdout.is_empty(), "{:?}", output.stdout);
    }
    for seconds in ["today", "-1", "253402300800", "18446744073709551615"] {
        let mut epoch = abslink("rewrite plain.warc");
        let output = epoch.env("SOURCE_DATE_EPOCH", seconds).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

/// A file that shows by its bytes only that it is an archive, and one on standard input, are left.
#[test]
fn options_that_are_not_for_what_turns_out_to_be_an_archive() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("download");
    let archive = fs::read(testdata().join("plain.warc")).unwrap();
    fs::write(&path, &archive).unwrap();
    fs::write(
        directory.path().join("map"),
        "path,url\ndownload,http://h/\n",
    )
    .unwrap();
    for arguments in [
        "rewrite -b http://h/",
        "check -b http://h/",
        "rewrite --url-map map",
        "rewrite --only-missing",
        "rewrite -i --warc-as conversions",
    ] {
        let run = |path: &str| {
            let mut command = abslink(arguments);
            command.current_dir(directory.path()).arg(path);
            command.write_stdin(archive.clone()).output().unwrap()
        };
        let output = run("download");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(output.stdout.is_empty(), "{:?}", output.stdout);
        assert!(said.contains("download: unchanged: -"), "{said}");
        assert_eq!(fs::read(&path).unwrap(), archive);
        let output = run("-");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}

/// In a directory they are left too, and other files are done.
#[test]
fn only_missing_leaves_archives_in_a_directory() {
    let directory = tempfile::tempdir().unwrap();
    let old = directory.path().join("old");
    fs::create_dir(&old).unwrap();
    fs::copy(testdata().join("plain.warc"), old.join("a.warc")).unwrap();
    fs::write(old.join("b.html"), "<a href=b.html><a href=x>").unwrap();
    let new = directory.path().join("new");
    let mut command = abslink("rewrite -b http://h/ --only-missing -o");
    let output = command.arg(&new).arg(&old).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("a.warc: unchanged: --only-missing is not"),
        "{said}"
    );
    let page = fs::read_to_string(new.join("b.html")).unwrap();
    assert_eq!(page, "<a href=b.html><a href=http://h/x>");
}

/// In a directory, an archive is not replaced unless that is asked for, and one line says so; the other files are done.
#[test]
fn an_archive_in_a_directory_is_not_replaced_by_default() {
    let directory = tempfile::tempdir().unwrap();
    fs::copy(
        testdata().join("plain.warc"),
        directory.path().join("a.warc"),
    )
    .unwrap();
    fs::write(directory.path().join("b.html"), "<a href=x>").unwrap();
    let arguments = "rewrite -b http://h/ -i";
    let output = abslink(arguments).arg(directory.path()).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains(
            "a.warc: unchanged: -i replaces a web archive in a directory only with --warc-as"
        ),
        "{text}"
    );
    let page = fs::read_to_string(directory.path().join("b.html")).unwrap();
    assert_eq!(page, "<a href=http://h/x>");
    let old = fs::read(testdata().join("plain.warc")).unwrap();
    let path = directory.path().join("a.warc");
    assert!(fs::read(&path).unwrap() == old);
    for (form, is_replaced) in [("conversions", false), ("append", true)] {
        let mut command = abslink(&format!("rewrite -q -i --warc-as {form}"));
        let output = command.arg(directory.path()).output().unwrap();
        let code = if is_replaced { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert_eq!(fs::read(&path).unwrap() != old, is_replaced, "{form}");
    }
    // Named, it is.
    fs::write(&path, &old).unwrap();
    let output = abslink("rewrite -q -i").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let new = super::reader::records(&fs::read(&path).unwrap());
    assert!(new.len() > super::reader::records(&old).len());
}

/// The first line of the summary says what the new archive has, and so does its JSON.
#[test]
fn the_summary_says_what_an_archive_has() {
    let directory = tempfile::tempdir().unwrap();
    for (form, line) in [
        ("", "web archives: 3 responses, 2 conversions"),
        (
            "--warc-as append",
            "web archives: 3 responses, 2 conversions",
        ),
        ("--warc-as response", "web archives: 3 responses"),
        (
            "--warc-as conversions",
            "web archives: 2 conversions, without the 3 responses",
        ),
    ] {
        for task in ["-o", "--dry-run -o"] {
            let run = |more: &str| {
                let mut command = abslink(&format!("rewrite {form} {more} {task}"));
                command
                    .arg(directory.path().join("new"))
                    .arg("crawl.warc.gz");
                command.output().unwrap()
            };
            let said = String::from_utf8(run("").stderr).unwrap();
            let first = said.lines().next().unwrap();
            assert!(first.contains(&format!(" documents; {line}")), "{said}");
            let json: serde_json::Value =
                serde_json::from_slice(&run("--format json").stdout).unwrap();
            let conversions = u64::from(form != "--warc-as response") * 2;
            assert_eq!(json["responses"], 3, "{json}");
            assert_eq!(json["conversions"], conversions, "{json}");
        }
    }
    // What a second run finds there is in the new one, too.
    let path = directory.path().join("new");
    let run = |more: &str| {
        let mut command = abslink(&format!("rewrite {more}"));
        command
            .arg("-o")
            .arg(directory.path().join("again"))
            .arg(&path);
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    fs::remove_dir_all(&path).unwrap();
    abslink("rewrite -q -o")
        .arg(&path)
        .arg("crawl.warc.gz")
        .output()
        .unwrap();
    let said = run("");
    assert!(
        said.contains("web archives: 3 responses, 2 conversions"),
        "{said}"
    );
    let said = run("--warc-as conversions");
    assert!(
        said.contains("web archives: 2 conversions, without the 3 responses"),
        "{said}"
    );
}

/// -b has no part in the base URL of a record: one note says so, and no hint names it.
#[test]
fn base_url_beside_an_archive() {
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/d/\r\n\
                  WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
                  Content-Type: text/html\r\nContent-Length: 16\r\n\r\n<a href=../../x>\r\n\r\n";
    let directory = tempfile::tempdir().unwrap();
    let site = directory.path().join("site");
    fs::create_dir(&site).unwrap();
    fs::write(site.join("a.warc"), record).unwrap();
    let note = "note: --base-url is not for web archives: each record names its URL\n";
    for command in ["check", "links", "base", "rewrite -o new"] {
        let run = |options: &str| {
            let mut command = abslink(&format!("{command} {options}"));
            command.current_dir(directory.path()).arg("site");
            String::from_utf8(command.output().unwrap().stderr).unwrap()
        };
        let said = run("-b http://h/");
        assert_eq!(said.matches("--base-url").count(), 1, "{command}: {said}");
        assert!(said.contains(note), "{command}: {said}");
        assert!(!run("").contains("--base-url"), "{command}");
    }
    // With a page, the option has a part.
    fs::write(site.join("b.html"), "<a href=../../x>").unwrap();
    let mut command = abslink("check -b http://h/d/");
    let output = command.arg(&site).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("hint: abslink base -b http://h/d/") && said.contains(note),
        "{said}"
    );
}

#[test]
fn the_charset_that_the_server_gives() {
    let page = b"<meta charset=utf-8><a href=\"caf\xe9\">";
    let mut command = abslink("rewrite -q -b http://h/\u{2603}/ --charset iso-8859-1 -");
    let output = command.write_stdin(&page[..]).output().unwrap();
    let expected = b"<meta charset=utf-8><a href=\"http://h/&#9731;/caf\xe9\">";
    assert_eq!(
        output.stdout,
        expected,
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
}
