//! What a file is that was named, and what `--detect html` takes.

mod unknown;

use std::fs;

use super::{Ran, Sandbox};

const ZIP: &[u8] = b"PK\x03\x04\x14\0\0\0<a href=x>";

impl Sandbox {
    fn write_bytes(&self, name: &str, content: &[u8]) {
        fs::write(self.path().join(name), content).unwrap();
    }
}

/// Each is left to the byte with one line that says what it is, and the pages beside it are done.
#[test]
fn what_is_no_html_is_refused() {
    let html = b"<!doctype html><a href=x>".as_slice();
    for (name, content, said) in [
        (
            "app.js",
            html,
            "skipped: JavaScript by its name\nhint: abslink ",
        ),
        ("app.js?v=3", html, "skipped: JavaScript by its name"),
        ("data.json", html, "skipped: JSON by its name"),
        (
            "README.mdx",
            b"<p align=center><a href=x>",
            "skipped: MDX by its name",
        ),
        ("notes.txt", html, "skipped: plain text by its name"),
        ("main.rs", html, "skipped: source code by its name"),
        ("logo.png", html, "skipped: a picture by its name"),
        ("a.woff2", html, "skipped: a font by its name"),
        ("pom.xml", html, "skipped: XML by its name\nhint: abslink "),
        (
            "y.zip",
            ZIP,
            "skipped: an archive by its name\nhint: unpack it first",
        ),
        (
            "page.html.gz",
            html,
            "skipped: a compressed file by its name",
        ),
        (
            "wiki.zim",
            b"ZIM\x04",
            "skipped: a ZIM archive by its name\nhint: zimdump takes it apart",
        ),
        (
            "book.epub",
            ZIP,
            "skipped: a book in a ZIP file (EPUB) by its name\nhint: unpack it",
        ),
        (
            "rows.jsonl",
            b"{\"html\":\"<a href=x>\"}",
            "skipped: rows of data by its name\nhint: abslink ",
        ),
        (
            "rows.csv",
            html,
            "skipped: rows of data by its name\nhint: abslink ",
        ),
        (
            "feeds.opml",
            html,
            "skipped: a list of feeds (OPML) by its name, but not by its root element",
        ),
        (
            "i.svg",
            html,
            "skipped: an SVG image by its name, but not by its root element",
        ),
        ("nginx.conf.j2", html, "skipped: data by its name"),
        ("app.js.erb", html, "skipped: JavaScript by its name"),
        (
            "tool.py",
            b"print('<a href=x>')",
            "skipped: a program by its name",
        ),
        ("a", ZIP, "skipped: an archive by its first bytes"),
        (
            "b",
            b"\x89PNG\r\n\x1a\n<a href=x>",
            "skipped: a picture by its first bytes",
        ),
        (
            "c",
            b"%PDF-1.7 <a href=x>",
            "skipped: a PDF or PostScript file by its first bytes",
        ),
        (
            "d",
            b"\x7fELF<a href=x>",
            "skipped: a program by its first bytes",
        ),
        (
            "e",
            b"wOF2\0<a href=x>",
            "skipped: a font by its first bytes",
        ),
        (
            "f",
            b"text\0<a href=x>",
            "skipped: binary data by its first bytes",
        ),
        (
            "g",
            b"<?xml version='1.0'?><feeds><link href='x'/></feeds>",
            "skipped: XML by its first",
        ),
        (
            "sitemap.xml",
            b"<urlset><url><loc>/p</loc></url></urlset>",
            "skipped: a sitemap by its first bytes, but its root is not in the namespace",
        ),
        (
            "i",
            b"{\"html\": \"<a href=x>\"}",
            "skipped: JSON by its first bytes",
        ),
        ("page.hbs", ZIP, "skipped: an archive by its first bytes"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write_bytes(name, content);
        let ran = sandbox.run(&format!("rewrite -i -b http://h/ --root . {name} a.html"));
        assert_eq!(ran.code, Some(2), "{name}: {}", ran.stderr);
        let line = format!("error: {name}: {said}");
        assert_eq!(
            ran.stderr.matches(&line).count(),
            1,
            "{name}: {}",
            ran.stderr
        );
        assert!(
            fs::read(sandbox.path().join(name)).unwrap() == content,
            "{name}"
        );
        let page = fs::read_to_string(sandbox.path().join("a.html")).unwrap();
        assert_eq!(page, "<a href=http://h/g>", "{name}");
        let ran = sandbox.run(&format!("check {name}"));
        assert_eq!(
            (ran.code, &*ran.stdout),
            (Some(2), ""),
            "{name}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(&line), "{name}: {}", ran.stderr);
        // Whoever says what it is has the last word.
        let ran = sandbox.run(&format!("links --as html {name}"));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
    }
}

#[test]
fn what_may_be_html_is_read_as_html() {
    for (name, content) in [
        ("fragment.unknown", "<x-y><a href=x>"),
        ("www.example.org", "<!doctype html><a href=x>"),
        ("v1.2", "<p><a href=x>"),
        ("a.html", "{\"a\": 1}\0<a href=x>"),
        ("view.php", "<?php f() ?><a href=x>"),
        ("view.pl?id=3", "<!doctype html><a href=x>"),
        ("page.html.j2", "{% block a %}<a href=x>"),
        ("page.hbs", "{{#if a}}<a href=x>{{/if}}"),
        ("mail.mjml", "<mjml><a href=x>"),
        ("App.vue", "<template><a href=x></template>"),
        (
            "xhtml",
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><a href=x>",
        ),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(name, content);
        let ran = sandbox.run(&format!("check {name}"));
        let lines: Vec<&str> = ran.stdout.lines().collect();
        assert_eq!((ran.code, lines.len()), (Some(1), 1), "{name}: {ran:?}");
        assert!(lines[0].ends_with("<a href> x"), "{name}: {ran:?}");
    }
    let wide: Vec<u8> = "\u{feff}<a href=x>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let sandbox = Sandbox::new();
    sandbox.write_bytes("wide", &wide);
    sandbox.write_bytes("unmarked", &wide[2..]);
    assert_eq!(sandbox.run("check wide").code, Some(1));
    assert_eq!(sandbox.run("check unmarked").code, Some(2));
    assert_eq!(
        sandbox.run("check --charset utf-16le unmarked").code,
        Some(1)
    );
}

#[test]
fn standard_input_goes_by_its_first_bytes() {
    let sandbox = Sandbox::new();
    for (input, code) in [
        ("<a href=x>", 1),
        ("{{ x }}<a href=x>", 1),
        ("\u{0}<a href=x>", 2),
    ] {
        let ran = sandbox.run_with_input("check -", input);
        assert_eq!(ran.code, Some(code), "{input:?}: {}", ran.stderr);
    }
    let output = sandbox
        .abslink("rewrite -b http://h/ -")
        .write_stdin(ZIP)
        .output()
        .unwrap();
    let ran = Ran::from(&output);
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
    let line = "error: -: skipped: an archive by its first bytes\nhint: unpack it first\n";
    assert!(ran.stderr.contains(line), "{}", ran.stderr);
}

/// Some mirroring programs keep a page as the server sent it.
#[test]
fn a_page_that_is_compressed_is_not_passed_over() {
    let sandbox = Sandbox::new();
    let page = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xb3IT\xc8(JM\xb3\xad\xb0\x03\0";
    fs::write(sandbox.path().join("site/packed.html"), page).unwrap();
    for arguments in [
        "check -b http://h/ site",
        "rewrite -b http://h/ -i site/packed.html",
    ] {
        let ran = sandbox.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
        let line = "error: site/packed.html: skipped: a compressed file by its first bytes\nhint: unpack it first\n";
        assert!(ran.stderr.contains(line), "{arguments}: {}", ran.stderr);
    }
    assert_eq!(
        fs::read(sandbox.path().join("site/packed.html")).unwrap(),
        page
    );
    let ran = sandbox.run("check -b http://h/ --as html site/packed.html");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    // As any file that is no document.
    let ran = sandbox.run("rewrite -b http://h/ --copy-others -o out site");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let copy = fs::read(sandbox.path().join("out/packed.html")).unwrap();
    assert_eq!(copy, page);
    // A page that is not held in memory, too.
    let large = [&page[..], &vec![0; 17 << 20]].concat();
    fs::write(sandbox.path().join("site/packed.html"), large).unwrap();
    let ran = sandbox.run("check -b http://h/ site");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
}

/// What the summary counts is what the option takes, whatever is in the directory.
#[test]
fn what_is_counted_is_what_the_option_takes() {
    let page = "<!doctype html><a href=x>";
    let sandbox = Sandbox::new();
    for (name, content) in [
        ("about", page),
        ("view.php", page),
        ("mail.mjml", "<mjml><a href=x>"),
        ("page.hbs", "{{#if a}}<a href=x>{{/if}}"),
        ("base.html.j2", "{% block a %}<a href=x>"),
        ("show.html.erb", "<%= a %><a href=x>"),
        // None of these.
        ("index.html.old", page),
        ("app.js", "<!-- old --><a href=x>"),
        ("README.md", "<p align=center><a href=x>"),
        ("code.php", "<?php f('<a href=x>');"),
        ("nginx.conf.j2", page),
        ("app.css", "<!-- a{} -->"),
        ("LICENSE", "text <a href=x>"),
        (
            "feed.xml",
            "<!-- a --><rss><channel><link>/s</link></channel></rss>",
        ),
        (
            "fake",
            "<!-- a --><rss><channel><link>/s</link></channel></rss>",
        ),
        ("page.tmpl", "\u{0}"),
    ] {
        sandbox.write(&format!("d/{name}"), content);
    }
    sandbox.write("d/index.html", "<a href=x>");
    for (ext, count) in [("", 6), ("--ext htm", 7)] {
        let said = |option: &str| sandbox.run(&format!("check {ext} {option} d")).stderr;
        let line = format!(
            "note: skipped {count} files that look like HTML\nhint: abslink check --detect html {ext}"
        );
        assert!(said("").contains(&line), "{}", said(""));
        let said = said("--detect=html");
        assert!(said.contains(" in 7 files "), "{said}");
        assert!(!said.contains("look like HTML"), "{said}");
    }
    let ran = sandbox.run("check --detect html d");
    let mut taken: Vec<&str> = ran
        .stdout
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    taken.sort_unstable();
    let expected = [
        "about",
        "base.html.j2",
        "index.html",
        "mail.mjml",
        "page.hbs",
        "show.html.erb",
        "view.php",
    ];
    assert_eq!(taken, expected.map(|name| format!("d/{name}")));
}

/// An ending that `--ext` names is a document's, wherever the file is.
#[test]
fn an_ending_that_is_given_is_none_of_something_else() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a.txt", "<a href=x>");
    sandbox.write("d/b.txt", "\u{0}<a href=x>");
    for path in ["d", "d/a.txt"] {
        let ran = sandbox.run(&format!("check --ext txt {path}"));
        assert_eq!(ran.stdout, "d/a.txt:1:9: <a href> x\n", "{path}");
    }
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
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for command in [
        "check d",
        "links d",
        "base d",
        "rewrite -o e d",
        "check d/x.warc",
    ] {
        let ran = sandbox.run(command);
        assert_eq!(ran.code, Some(0), "{command}: {}", ran.stderr);
    }
    sandbox.write("none/x.txt", "");
    assert_eq!(sandbox.run("check none").code, Some(2));
}

#[test]
fn markdown_that_is_not_utf_8_is_left() {
    for bytes in [&b"[x](y) \xe4"[..], b"\xff\xfe[\0x\0]\0(\0y\0)\0"] {
        let sandbox = Sandbox::new();
        sandbox.write_bytes("a.md", bytes);
        let ran = sandbox.run("rewrite -i -b http://h/ a.md");
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(
            ran.stderr.contains("error: a.md: unchanged: not UTF-8"),
            "{}",
            ran.stderr
        );
        assert_eq!(fs::read(sandbox.path().join("a.md")).unwrap(), bytes);
    }
}
