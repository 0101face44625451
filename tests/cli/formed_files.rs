//! What belongs to pages gets the form of their references: style sheets, SVG images, web app manifests.

use std::fs;
use std::path::Path;

use super::forms::{run, tree};

const CSS: &str = "@import \"/css/n.css\";.h{background:url(/img/b.png);--v:url(/img/b.png)}";
const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"/img/b.png\"/><use href=\"#g\"/></svg>";
const MANIFEST: &str =
    "{\"id\":\"app\",\"start_url\":\"/a/\",\"scope\":\"/\",\"icons\":[{\"src\":\"/img/b.png\"}]}";

fn site() -> tempfile::TempDir {
    tree(&[
        ("s/a/index.html", "<link rel=stylesheet href=/css/m.css>"),
        ("s/index.html", "<a href=/a/>"),
        ("s/css/m.css", CSS),
        ("s/css/n.css", "a{}"),
        ("s/img/b.png", ""),
        ("s/img/i.svg", SVG),
        ("s/site.webmanifest", MANIFEST),
        ("s/other.svg", "no image"),
        (
            "s/feed.rss",
            "<rss version=\"2.0\"><channel><link>/a/</link></channel></rss>",
        ),
    ])
}

fn read(path: &Path, name: &str) -> String {
    fs::read_to_string(path.join(name)).unwrap()
}

#[test]
fn what_belongs_to_pages_gets_their_form() {
    let folder = site();
    let path = folder.path();
    let rows = [
        (
            "relative",
            "n.css",
            "../img/b.png",
            "b.png",
            "a/",
            "./",
            "img/b.png",
        ),
        (
            "root",
            "/css/n.css",
            "/img/b.png",
            "/img/b.png",
            "/a/",
            "/",
            "/img/b.png",
        ),
        (
            "files",
            "n.css",
            "../img/b.png",
            "b.png",
            "a/index.html",
            "index.html",
            "img/b.png",
        ),
    ];
    for (to, import, url, image, start, scope, icon) in rows {
        for others in [false, true] {
            let out = format!("{to}-{others}");
            let rewrite = [
                "rewrite",
                "--verify",
                "-b",
                "https://e.org/",
                "--to",
                to,
                "-o",
                &out,
                "s",
            ];
            let copied: &[&str] = if others { &["--copy-others"] } else { &[] };
            let (code, _, error) = run(&[&rewrite[..], copied].concat(), path);
            assert_eq!(code, 0, "{to}: {error}");
            let css =
                format!("@import \"{import}\";.h{{background:url({url});--v:url(/img/b.png)}}");
            assert_eq!(read(path, &format!("{out}/css/m.css")), css);
            let svg = SVG.replace("/img/b.png", image);
            assert_eq!(read(path, &format!("{out}/img/i.svg")), svg);
            let manifest = format!(
                "{{\"id\":\"/app\",\"start_url\":\"{start}\",\"scope\":\"{scope}\",\"icons\":[{{\"src\":\"{icon}\"}}]}}"
            );
            assert_eq!(read(path, &format!("{out}/site.webmanifest")), manifest);
            // Readers of feeds do not agree on what is relative to what.
            let feed = read(path, &format!("{out}/feed.rss"));
            assert!(feed.contains("<link>https://e.org/a/</link>"), "{feed}");
            assert_eq!(path.join(&out).join("other.svg").exists(), others);
            if to == "files" && !others {
                continue; // The picture is not there.
            }
            let check = ["check", "-b", "https://e.org/", "--to", to, &out];
            let (code, found, error) = run(&check, path);
            assert_eq!((code, &*found), (0, ""), "{error}");
        }
    }
}

/// A custom property is relative to where it is used: it stays, and counts as such.
#[test]
fn custom_properties_stay() {
    let sheet = "a{--v:url(x);--w:url(https://e.org/css/y)}";
    let folder = tree(&[("s/css/m.css", sheet)]);
    let rewrite = [
        "rewrite",
        "--verify",
        "-b",
        "https://e.org/",
        "--to",
        "relative",
        "-i",
        "s",
    ];
    let (code, _, error) = run(&rewrite, folder.path());
    assert_eq!(code, 0, "{error}");
    assert!(
        error.contains("--to relative: 2 absolute because no relative link leads there\n"),
        "{error}"
    );
    assert_eq!(read(folder.path(), "s/css/m.css"), sheet);
}

/// Without another form, and where `--ext` says so, they are no documents.
#[test]
fn the_endings_are_those_that_are_given() {
    let folder = site();
    let path = folder.path();
    for options in [
        &["--to", "absolute"][..],
        &["--to", "relative", "--ext", "html"],
    ] {
        let rewrite = [
            "rewrite",
            "-b",
            "https://e.org/",
            "-o",
            "out",
            "--copy-others",
            "s",
        ];
        let (code, _, error) = run(&[&rewrite[..], options].concat(), path);
        assert_eq!(code, 0, "{error}");
        assert_eq!(read(path, "out/css/m.css"), CSS);
        assert_eq!(read(path, "out/site.webmanifest"), MANIFEST);
    }
    let added = [
        "rewrite",
        "-b",
        "https://e.org/",
        "--to",
        "relative",
        "--ext",
        "+php",
        "-o",
        "out",
        "s",
    ];
    let (_, _, error) = run(&added, path);
    assert!(
        read(path, "out/css/m.css").contains("../img/b.png"),
        "{error}"
    );
}

/// A mirroring program keeps the page that says that something is missing under the name of that.
#[test]
fn what_is_not_as_its_name_says_is_left() {
    let page =
        "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><a href=/x.html>404</a>";
    let by_entity = |inside: &str| {
        let entity = "<!DOCTYPE svg [<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">]>";
        format!("{entity}<svg xmlns='&ns_svg;'>{inside}</svg>")
    };
    let folder = tree(&[
        ("s/index.html", "<link rel=manifest href=/app.webmanifest>"),
        ("s/x.html", "<p>"),
        ("s/app.webmanifest", page),
        ("s/cut.webmanifest", "{\"icons\":["),
        ("s/empty.webmanifest", ""),
        ("s/m.css", page),
        ("s/old.css", "<!-- b{background:url(/x.html)} -->"),
        ("s/i.svg", page),
        ("s/linked.svg", &by_entity("<image xlink:href='/x.png'/>")),
        ("s/drawn.svg", &by_entity("<path/>")),
    ]);
    let path = folder.path();
    let left = [
        "app.webmanifest",
        "cut.webmanifest",
        "empty.webmanifest",
        "m.css",
        "i.svg",
        "linked.svg",
    ];
    let base = ["-b", "https://e.org/", "--to", "files"];
    let note = "note: left 6 files that cannot be read as their extensions say: s/app.webmanifest, \
                s/cut.webmanifest, s/empty.webmanifest and 3 more\n";
    let all = |first: &[&str], options: &[&str]| {
        let (code, _, error) = run(&[first, &base, options].concat(), path);
        (code, error)
    };
    for copied in [true, false] {
        let options: &[&str] = if copied { &["--copy-others"] } else { &[] };
        let out = format!("out-{copied}");
        let (code, error) = all(&["rewrite", "-o", &out, "s"], options);
        assert_eq!(code, 0, "{error}");
        assert!(error.contains(note), "{error}");
        for name in left {
            let new = fs::read_to_string(path.join(&out).join(name)).ok();
            assert_eq!(
                new,
                copied.then(|| read(path, &format!("s/{name}"))),
                "{name}"
            );
        }
        let style = read(path, &format!("{out}/old.css"));
        assert_eq!(style, "<!-- b{background:url(x.html)} -->");
    }
    let (code, error) = all(&["check", "s"], &[]);
    assert_eq!(code, 1, "{error}");
    assert!(error.contains(note), "{error}");
    // What is asked for has to be what its name says.
    for (asked, code) in [("+webmanifest", 2), ("+svg", 0)] {
        let (found, error) = all(&["rewrite", "-o", asked, "s"], &["--ext", asked]);
        assert_eq!(found, code, "{error}");
        let is_error = error.contains("s/app.webmanifest: unchanged: line 1: not JSON");
        assert_eq!(is_error, code == 2, "{error}");
    }
    let named = [
        "check",
        "--to",
        "root",
        "-b",
        "https://e.org/a",
        "s/app.webmanifest",
    ];
    assert_eq!(run(&named, path).0, 2);
    // Whatever the name is.
    let (code, error) = all(&["rewrite", "-o", "html", "s"], &["--detect", "html"]);
    assert_eq!(code, 0, "{error}");
    let new = page.replace("/x.html", "x.html");
    assert_eq!(read(path, "html/app.webmanifest"), new);
}

/// A feed without a base URL stays, which is no failure.
#[test]
fn a_feed_without_a_base_url_stays() {
    let feed = "<rss version=\"2.0\"><channel><item><description>&lt;a href=x&gt;</description></item></channel></rss>";
    let page = "<!-- saved from url=(0014)https://e.org/ -->\n<a href=https://e.org/x>";
    let folder = tree(&[("s/feed.rss", feed), ("s/p.html", page)]);
    for command in [&["rewrite", "-o", "out"][..], &["check"]] {
        let all = [command, &["--to", "root", "s"]].concat();
        let (code, out, error) = run(&all, folder.path());
        assert_eq!(code, i32::from(command[0] == "check"), "{error}");
        assert!(!out.contains("feed.rss"), "{out}");
        let note = "note: left 1 feed unchanged: relative links, but no base URL: s/feed.rss\nhint: give one with";
        assert!(error.contains(note), "{error}");
    }
    assert_eq!(read(folder.path(), "out/feed.rss"), feed);
}

/// Servers show it for any path, so that no relative reference in it is right.
#[test]
fn an_error_page_gets_paths_from_the_root() {
    let page = "<link rel=stylesheet href=https://e.org/proj/m.css><a href=x>";
    let (from_root, relative) = (
        "<link rel=stylesheet href=/proj/m.css><a href=/proj/x>",
        "<link rel=stylesheet href=../m.css><a href=x>",
    );
    let folder = tree(&[
        ("s/404.html", page),
        ("s/m.css", ""),
        ("s/b/404.html", page),
    ]);
    let path = folder.path();
    let options = ["-b", "https://e.org/proj/", "--to", "relative", "s"];
    let (code, _, error) = run(
        &[&["rewrite", "--verify", "-i"][..], &options].concat(),
        path,
    );
    assert_eq!(code, 0, "{error}");
    assert_eq!(read(path, "s/404.html"), from_root);
    assert_eq!(read(path, "s/b/404.html"), relative);
    let note = "note: links in 404.html begin at the root (as --to root writes them): servers show it for any path\n";
    assert_eq!(error.matches(note).count(), 1, "{error}");
    let (code, out, error) = run(&[&["check"][..], &options].concat(), path);
    assert_eq!((code, &*out), (0, ""), "{error}");
    // Opened from a disk it is a page like any other.
    let files = [
        "rewrite",
        "-b",
        "https://e.org/proj/",
        "--to",
        "files",
        "-o",
        "f",
        "s",
    ];
    let (_, _, error) = run(&files, path);
    assert!(read(path, "f/404.html").contains("href=m.css"), "{error}");
    // A file alone is nobody's error page.
    let alone = [
        "rewrite",
        "-b",
        "https://e.org/proj/404.html",
        "--to",
        "relative",
        "s/404.html",
    ];
    assert!(run(&alone, path).1.contains("href=m.css"));
}

/// An import map follows; only JSON-LD names pages to others.
#[test]
fn import_maps_follow_the_form() {
    let map = |x: &str, dir: &str, scope: &str, deep: &str| {
        format!(
            "<script type=importmap>{{\"imports\":{{\"x\":\"{x}\",\"vue\":\"https://cdn.example/v.js\",\"d/\":\"{dir}\",\
             \"b\":\"bare\"}},\"scopes\":{{\"{scope}\":{{\"y\":\"{deep}\"}}}}}}</script><script \
             type=speculationrules>{{\"prefetch\":[{{\"urls\":[\"{deep}\"]}}]}}</script><script \
             type=application/ld+json>{{\"url\":\"https://e.org/x.js\"}}</script>"
        )
    };
    let in_full = "https://e.org/x.js";
    let page = map(in_full, "/a/", "/a/", "/a/y.js");
    let folder = tree(&[
        ("s/p.html", &page),
        ("s/x.js", ""),
        ("s/a/y.js", ""),
        ("s/a/index.html", ""),
    ]);
    let path = folder.path();
    let rows = [
        // In the rules no name is bare.
        (
            "relative",
            map("./x.js", "./a/", "./a/", "./a/y.js").replace("[\"./a", "[\"a"),
        ),
        ("root", map("/x.js", "/a/", "/a/", "/a/y.js")),
        (
            "files",
            map("./x.js", "https://e.org/a/", "https://e.org/a/", "./a/y.js")
                .replace("[\"./a", "[\"a"),
        ),
    ];
    for (to, expected) in rows {
        let rewrite = [
            "rewrite",
            "--verify",
            "--also",
            "json",
            "-b",
            "https://e.org/",
            "--to",
            to,
            "-o",
            to,
            "s",
        ];
        let (code, _, error) = run(&rewrite, path);
        assert_eq!(code, 0, "{error}");
        assert_eq!(read(path, &format!("{to}/p.html")), expected, "{to}");
    }
}
