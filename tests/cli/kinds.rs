//! What a file is that was named, and what `--detect html` takes.

use std::fs;

use super::Sandbox;

/// Some mirroring programs keep a page as the server sent it.
#[test]
fn a_page_that_is_compressed_is_not_passed_over() {
    let sandbox = Sandbox::new();
    let page = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xb3IT\xc8(JM\xb3\xad\xb0\x03\0";
    sandbox.write("site/packed.html", page);
    for arguments in [
        "check -b http://h/ site",
        "rewrite -b http://h/ -i site/packed.html",
    ] {
        let ran = sandbox.run(arguments);
        ran.exits(2);
        let line = "error: site/packed.html: skipped: a compressed file by its first bytes\nhint: unpack it first\n";
        ran.says(line);
    }
    assert_eq!(
        fs::read(sandbox.path().join("site/packed.html")).unwrap(),
        page
    );
    let ran = sandbox.run("check -b http://h/ --as html site/packed.html");
    ran.exits(0);
    // As any file that is no document.
    let ran = sandbox.run("rewrite -b http://h/ --copy-others -o out site");
    ran.exits(0);
    let copy = fs::read(sandbox.path().join("out/packed.html")).unwrap();
    assert_eq!(copy, page);
    // A page that is not held in memory, too.
    let large = [&page[..], &vec![0; 17 << 20]].concat();
    sandbox.write("site/packed.html", large);
    let ran = sandbox.run("check -b http://h/ site");
    ran.exits(2);
}

/// A web archive was looked at, even if nothing in it is a document.
#[test]
fn an_archive_without_documents_is_no_error() {
    let sandbox = Sandbox::new();
    let body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=http://h/>";
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a:1>\r\nWARC-Target-URI: http://h/\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    );
    sandbox.write("x.warc", &record);
    let ran = sandbox.run("rewrite -o d x.warc");
    ran.exits(0);
    for command in [
        "check d",
        "links d",
        "base d",
        "rewrite -o e d",
        "check d/x.warc",
    ] {
        let ran = sandbox.run(command);
        ran.exits(0);
    }
    sandbox.write("none/x.txt", "");
    sandbox.run("check none").exits(2);
}

/// Text in UTF-16 that has no mark may be anything.
#[test]
fn a_mark_tells_what_is_wide() {
    let sandbox = Sandbox::new();
    let text = "\u{feff}<a href=x>".encode_utf16();
    let wide: Vec<u8> = text.flat_map(u16::to_le_bytes).collect();
    sandbox.write("wide", &wide);
    sandbox.write("unmarked", &wide[2..]);
    sandbox.run("check wide").exits(1);
    sandbox.run("check unmarked").exits(2);
    sandbox.run("check --charset utf-16le unmarked").exits(1);
}
