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
        "rewrite -i plain.warc",
        "rewrite -i --as warc heads.warc.gz",
        "rewrite --charset nonsense plain.warc",
    ] {
        let output = abslink(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {text}");
        assert!(text.starts_with("error: "), "{text}");
        assert!(output.stdout.is_empty());
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
        "rewrite -i",
    ] {
        let run = |path: &str| {
            let mut command = abslink(arguments);
            command.current_dir(directory.path()).arg(path);
            command.write_stdin(archive.clone()).output().unwrap()
        };
        let output = run("download");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(output.stdout.is_empty());
        assert!(said.contains("download: unchanged: -"), "{said}");
        assert!(fs::read(&path).unwrap() == archive);
        let output = run("-");
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(output.stdout.is_empty());
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

/// In a directory, an archive that cannot be replaced is one line; the other files are done.
#[test]
fn conversions_in_place_of_an_archive_in_a_directory() {
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
        text.contains("a.warc: unchanged: -i replaces a web archive with --warc-as"),
        "{text}"
    );
    let page = fs::read_to_string(directory.path().join("b.html")).unwrap();
    assert_eq!(page, "<a href=http://h/x>");
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
