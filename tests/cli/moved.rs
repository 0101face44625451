//! `--move-url`, `--unwrap` and `--to keep`, by the command.

use super::{Ran, Sandbox};
use crate::support::table::rows;

#[test]
fn each_row_is_moved() {
    for row in rows(include_str!("../../testdata/html/moved.tsv")) {
        let [options, document, expected] = row;
        let expected = if expected == "=" { document } else { expected };
        for from in [document, expected] {
            let sandbox = Sandbox::of(&[("p.html", from)]);
            let ran = sandbox.run(&format!(
                "rewrite --verify -i -b https://h.org/d/p.html p.html {options}"
            ));
            ran.exits(0);
            assert_eq!(sandbox.read("p.html"), expected, "{ran:?}");
        }
    }
}

#[test]
fn the_second_reader_knows_where_references_go() {
    let sandbox = Sandbox::new();
    sandbox.write("p.html", "<a href=y>");
    let line = "rewrite --verify -b http://h/b/ --move-url http://h/=http://o/ p.html";
    let fault = "http://o/b/y=>http://h/b/y";
    let ran = Ran::by(sandbox.abslink(line).env("ABSLINK_TEST_FAULT", fault));
    ran.exits(2)
        .says("`y` means http://o/b/y, but `http://h/b/y` was written");
}

/// A link is taken out of an archive's URL before it is moved, in any spelling, with and without a base URL; and
/// that is all: a second run changes nothing.
#[test]
fn what_is_unwrapped_is_moved_afterwards() {
    for (reference, expected) in [
        ("/web/20200103104500/http:/host/x", "http://host/x"),
        ("web/20200103104500/http:/host/x", "http://host/x"),
        ("//old/web/20200103104500/http://q/x", "http://q/x"),
        ("//old/web/20200103104500/http:/q/x", "http://q/x"),
        ("http://old/web/20200103104500/http://q/x", "http://q/x"),
        ("//h/web/20200103104500/http://old/x", "http://new/n/x"),
        ("/web/20200103104500/http://old#f", "http://new/n/#f"),
        ("/web/20200103104500//http:/host/x", "="),
    ] {
        for options in [
            "",
            "-b http://archive/",
            "-b http://old/ --resolver whatwg",
            "-b http://old/ --resolver rfc3986",
            "--to keep",
            "--to keep -b http://old/",
            "--to root -b http://h/",
            "--to relative -b http://h/a/b",
        ] {
            let stays =
                expected == "=" || !options.contains("-b") && !reference.starts_with(['/', 'h']);
            if stays {
                continue;
            }
            let sandbox = Sandbox::new();
            sandbox.write("p.html", format!("<a href={reference}>"));
            for _ in ["first", "second"] {
                let ran = sandbox.run(&format!(
                    "rewrite -i --verify --unwrap --move-url http://old/=http://new/n {options} p.html"
                ));
                ran.exits(0);
                let new = sandbox.read("p.html");
                assert_eq!(new, format!("<a href={expected}>"), "{reference} {options}");
            }
        }
    }
}

/// The path of `http://old#f` is `/`, for each resolver and for both readers.
#[test]
fn the_root_is_moved_below_a_path() {
    for resolver in ["rfc1808", "rfc3986", "whatwg"] {
        for to in ["absolute", "keep"] {
            let page =
                "<a href=http://old#f><a href=http://old?q><a href=//old><a href=http://old/#f>";
            let sandbox = Sandbox::new();
            let line = format!(
                "rewrite -q --verify --to {to} --resolver {resolver} -b http://h/ \
                 --move-url http://old=https://new/n -"
            );
            let ran = sandbox.run_with_input(&line, page);
            let new = "<a href=https://new/n/#f><a href=https://new/n/?q><a href=https://new/n/>\
                       <a href=https://new/n/#f>";
            ran.prints(new);
        }
    }
}

/// Other forms are not for archives; this one gives none.
#[test]
fn keeping_takes_web_archives() {
    let record = |host: &str| {
        let body = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x><a href={host}/y><link rel=canonical href=z>"
        );
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a:1>\r\nWARC-Target-URI: http://old.example/\r\n\
             WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let sandbox = Sandbox::of(&[("in/w.warc", &record("http://old.example"))]);
    let keep = "--to keep --move-url http://old.example/=https://new.example/";
    for from in ["in", "in/w.warc"] {
        sandbox
            .run(&format!("rewrite --verify -o out {keep} {from}"))
            .exits(0);
        let new = sandbox.read("out/w.warc");
        let page = "<a href=x><a href=https://new.example/y><link rel=canonical href=z>";
        assert!(new.contains(page), "{from}: {new}");
        sandbox.run(&format!("check {keep} {from}")).exits(1);
        sandbox.run(&format!("check {keep} out")).exits(0);
    }
    // So do links of an archive that shows others.
    sandbox.write(
        "in/w.warc",
        record("http://a.example/web/20200101000000/http://e.org"),
    );
    sandbox.run("rewrite --to keep --unwrap -o out in").exits(0);
    let new = sandbox.read("out/w.warc");
    assert!(new.contains("<a href=x><a href=http://e.org/y>"), "{new}");
}
