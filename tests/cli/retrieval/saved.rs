//! Pages that a browser has saved with a folder beside them.

use std::fs;

use crate::cli::Sandbox;
use crate::support::table::rows;

const MARK: &str = "<!-- saved from url=(0018)https://h/d/p.html -->";

impl Sandbox {
    fn has(&self, name: &str) -> bool {
        self.path().join(name).is_file()
    }
}

#[test]
fn links_to_what_was_saved_with_a_page() {
    for row in rows(include_str!("../../../testdata/retrieval/saved-files.tsv")) {
        let [page, file, second, link, expected] = row[..] else {
            panic!("five columns: {row:?}");
        };
        let sandbox = Sandbox::new();
        let document = |link: &str| {
            format!("{MARK}<link xmlns='http://www.w3.org/1999/xhtml' href=\"{link}\"/>")
        };
        sandbox.write(&format!("in/{page}"), &document(link));
        sandbox.write(&format!("in/{file}"), "");
        if second != "-" {
            sandbox.write(&format!("in/{second}"), MARK);
        }
        let ran = sandbox.run("rewrite --detect html --verify -o out in");
        assert_eq!(ran.code, Some(0), "{row:?}: {}", ran.stderr);
        let expected = if expected == "stays" { link } else { expected };
        assert_eq!(
            sandbox.read(&format!("out/{page}")),
            document(expected),
            "{row:?}"
        );
        let said = "note: left 1 link to a file saved with the page unchanged\n\
                    hint: --converted-links never makes them absolute\n";
        assert_eq!(
            ran.stderr.contains(said),
            expected == link,
            "{}",
            ran.stderr
        );
        // A second run changes nothing.
        let ran = sandbox.run("rewrite --detect html --dry-run --copy-others -o again out");
        assert!(ran.stderr.contains("would make 0 links"), "{}", ran.stderr);
    }
}

/// A page with its folder, a frame in that, and links of its own.
fn saved() -> Sandbox {
    let sandbox = Sandbox::new();
    let page = "<link href=./p_files/s.css><style>b{background:url(p_files/i.png)}</style>\
                <img srcset='p_files/i.png 1x, https://h/i.png 2x'><a href=other.html>\
                <iframe srcdoc='&lt;img src=p_files/i.png>'></iframe>";
    sandbox.write("in/p.html", &format!("<!doctype html>{MARK}{page}"));
    sandbox.write(
        "in/p_files/frame.html",
        "<!-- saved from url=(0012)https://ads/ --><img src=./i.png><img src=none.png>",
    );
    for name in ["s.css", "i.png", "deep/x.js", "f.woff2"] {
        sandbox.write(&format!("in/p_files/{name}"), "");
    }
    sandbox
}

#[test]
fn the_folder_goes_with_the_page() {
    let sandbox = saved();
    let page = sandbox.read("in/p.html");
    let expected = page.replace("other", "https://h/d/other");
    let files = ["s.css", "i.png", "deep/x.js", "f.woff2"].map(|name| format!("p_files/{name}"));
    for path in [
        "in",
        "in/p.html",
        "./in/p.html --fsync=batch",
        "in --fsync=batch",
    ] {
        let ran = sandbox.run(&format!("rewrite --verify -o out {path}"));
        assert_eq!(ran.code, Some(0), "{path}: {}", ran.stderr);
        assert_eq!(sandbox.read("out/p.html"), expected, "{path}");
        for file in &files {
            assert!(sandbox.has(&format!("out/{file}")), "{path}: {file}");
        }
        let frame = sandbox.read("out/p_files/frame.html");
        assert!(frame.contains("<img src=./i.png>"), "{path}: {frame}");
        let is_done = frame.contains("<img src=https://ads/none.png>");
        assert_eq!(is_done, !path.contains("html"), "{path}: {frame}");
        fs::remove_dir_all(sandbox.path().join("out")).unwrap();
    }
    // Nothing is copied of a folder that has no such page.
    sandbox.write("in/p.html", "<a href=p_files/i.png>");
    let ran = sandbox.run("rewrite -b https://h/ -o out in");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!sandbox.has("out/p_files/i.png"));
    assert!(
        sandbox
            .read("out/p.html")
            .contains("https://h/p_files/i.png")
    );
}

#[test]
fn in_every_command_and_form() {
    let sandbox = saved();
    let page = sandbox.read("in/p.html");
    for options in [
        "-b https://h/d/",
        "--url-map map.csv",
        "-b https://h/d/ --to relative",
        "-b https://h/d/ --to root",
        "-b https://h/d/ --to files",
        "--resolver whatwg",
    ] {
        sandbox.write("map.csv", "path,url\np.html,https://h/d/p.html\n");
        let ran = sandbox.run(&format!("rewrite --verify {options} -o out in"));
        assert!(matches!(ran.code, Some(0 | 1)), "{options}: {}", ran.stderr);
        let new = sandbox.read("out/p.html");
        for link in [
            "./p_files/s.css",
            "url(p_files/i.png)",
            "'p_files/i.png 1x",
            "src=p_files/i.png",
        ] {
            assert!(new.contains(link), "{options}: {new}");
        }
        fs::remove_dir_all(sandbox.path().join("out")).unwrap();
    }
    let ran = sandbox.run("rewrite in/p.html");
    assert_eq!(ran.stdout, page.replace("other", "https://h/d/other"));
    assert!(
        ran.stderr
            .contains("note: keep the folder that was saved with the page"),
        "{}",
        ran.stderr
    );
    let ran = sandbox.run("check in/p.html");
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    let ran = sandbox.run("links in/p.html");
    assert_eq!(
        ran.stdout.matches("\"outcome\":\"present\"").count(),
        4,
        "{}",
        ran.stdout
    );
    let ran = sandbox.run("rewrite --dry-run --format json -o out in");
    assert!(ran.stdout.contains("\"present\":5"), "{}", ran.stdout);
    // In a folder that is given itself, or a file of it.
    for path in ["in/p_files", "in/p_files/frame.html"] {
        let ran = sandbox.run(&format!("check {path}"));
        assert_eq!(ran.stdout.lines().count(), 1, "{path}: {}", ran.stdout);
    }
    let ran = sandbox.run("check --converted-links never in");
    assert_eq!(ran.stdout.lines().count(), 7, "{}", ran.stdout);
}

/// What the browser would ask a server for, it does not ask the folder for.
#[test]
fn a_base_elsewhere_is_another_place() {
    let sandbox = Sandbox::new();
    sandbox.write("p_files/i.png", "");
    for (base, stays) in [
        ("<base href=.>", true),
        ("<base href='./'>", true),
        ("<base href=https://cdn.h/>", false),
        ("<base href=x/>", false),
        ("<base target=_blank>", true),
    ] {
        let page = |link: &str| format!("{MARK}{base}<img src={link}>");
        sandbox.write("p.html", &page("p_files/i.png"));
        for form in ["absolute", "relative"] {
            let ran = sandbox.run(&format!("rewrite --to {form} p.html"));
            assert_eq!(ran.code, Some(0), "{base}: {}", ran.stderr);
            let is_same = ran.stdout == page("p_files/i.png");
            assert_eq!(
                is_same || form == "relative",
                stays || form == "relative",
                "{base}: {}",
                ran.stdout
            );
        }
    }
    // The record of another program: its links are the site's.
    for mark in [
        "<!-- Mirrored from h/d/p.html by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->",
        "<!-- Saved from https://h/d/p.html at 2025-06-15T11:12:55Z using monolith v2.10.1 -->",
    ] {
        sandbox.write("p.html", &format!("{mark}<img src=p_files/i.png>"));
        let ran = sandbox.run("rewrite p.html");
        assert!(
            ran.stdout.contains("https://h/d/p_files/i.png"),
            "{}",
            ran.stdout
        );
    }
}

/// A file: URL tells where a page was on somebody's computer.
#[test]
fn what_was_no_page_of_a_server_has_no_base() {
    for url in [
        "file:///C:/Users/anna/page.html",
        "chrome-extension://abc/page.html",
    ] {
        let sandbox = Sandbox::new();
        let mark = format!("<!-- saved from url=({:04}){url} -->", url.len());
        sandbox.write(
            "page.html",
            &format!("{mark}<a href=x.html><img src=./page_files/i.png>"),
        );
        sandbox.write("page_files/i.png", "");
        let ran = sandbox.run("rewrite page.html");
        assert_eq!(ran.code, Some(1), "{}", ran.stderr);
        assert_eq!(ran.stdout, sandbox.read("page.html"));
        let ran = sandbox.run("base page.html");
        assert!(ran.stdout.contains("no base URL"), "{}", ran.stdout);
        let said = format!("refused: comment {url}: ");
        assert!(ran.stdout.contains(&said), "{}", ran.stdout);
        let ran = sandbox.run("rewrite -b https://h/d/page.html page.html");
        assert!(
            ran.stdout
                .contains("<a href=https://h/d/x.html><img src=./page_files/i.png>")
        );
    }
}

#[test]
fn a_page_in_utf_16_has_a_comment_too() {
    for encode in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let sandbox = Sandbox::new();
        let text = "\u{feff}<!-- saved from url=(0023)http://www.example.com/ -->\r\n<a href=x>";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(encode).collect();
        fs::write(sandbox.path().join("u.html"), bytes).unwrap();
        let ran = sandbox.run("base u.html");
        assert!(ran.stdout.starts_with("comment "), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("http://www.example.com/"),
            "{}",
            ran.stdout
        );
    }
}
