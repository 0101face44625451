//! `--to files`: references that lead from file to file.

use std::fs;
use std::path::Path;

use super::forms::{run, tree};
use crate::support::links::links;

/// The tree of testdata/html/files.tsv, with this document.
fn documents(document: &str) -> tempfile::TempDir {
    let names = [
        "a/c.html",
        "a/index.html",
        "a/k:v.html",
        "a/q?x=1",
        "a/50%.html",
        "index.html",
        "main.css",
        "new/page.html",
    ];
    let others = names.map(|name| (format!("in/{name}"), String::new()));
    let all = others
        .into_iter()
        .chain([("in/a/b.html".to_owned(), document.to_owned())]);
    let all: Vec<(String, String)> = all.collect();
    let all: Vec<(&str, &str)> = all.iter().map(|(name, text)| (&**name, &**text)).collect();
    tree(&all)
}

const TREE: [&str; 6] = [
    "--to",
    "files",
    "-b",
    "https://e.org/docs/",
    "--also",
    "meta",
];

#[test]
fn each_row_leads_to_a_file() {
    let table = include_str!("../../testdata/html/files.tsv");
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (document, expected) = line.split_once('\t').unwrap();
        let expected = if expected == "=" { document } else { expected };
        for (from, what) in [(document, "it"), (expected, "a second run")] {
            let folder = documents(from);
            let rest = ["--site", "http://www.e.org/docs/", "--try-ext", ".html"];
            let rewrite = [&["rewrite", "-i", "--verify", "in"][..], &TREE, &rest].concat();
            let (code, _, error) = run(&rewrite, folder.path());
            let new = fs::read_to_string(folder.path().join("in/a/b.html")).unwrap();
            if code != 0 || new != expected {
                wrong.push(format!("{from} ({what})\n  {new}\n  {error}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bytes alone tell most of it: that is what all the rules find, which a pattern has asked about each.
#[test]
fn the_short_way_finds_what_the_long_way_does() {
    let page = "<a href=c.html><a href=c.html#f><a href=../a/c.html><a href=../a/b.html#x><a href=b.html#x>\
                <a href=b.html><a href=index.html#x><a href=../../docs/main.css><a href=q?x=1><a href=c.html?y>\
                <a href=./c.html><a href=none.html><a href=../none/c.html><a href=../a><a href=#f><a href=#a%20(b)>\
                <a href=_x.html><script src=../main.css crossorigin></script><a href=https://o.org/x>\
                <a href=https://e.org/docs/a/c.html><use href=#x><svg><use href=b.html#x></svg>";
    for name in ["b.html", "index.html"] {
        let found = |options: &[&str]| {
            let folder = documents("");
            fs::write(folder.path().join("in/a").join(name), page).unwrap();
            let rewrite = [&["rewrite", "-i", "in"][..], &TREE, options].concat();
            let (code, _, error) = run(&rewrite, folder.path());
            let counted = error.lines().find(|line| line.starts_with("--to files"));
            let new = fs::read_to_string(folder.path().join("in/a").join(name)).unwrap();
            (code, counted.map(str::to_owned), new)
        };
        let short = found(&[]);
        assert_eq!(short, found(&["--exclude-url", "^no such URL$"]), "{name}");
        assert!(
            short
                .1
                .is_some_and(|it| it.contains("1 is a module or has integrity"))
        );
    }
}

/// The host of each file is in its path, and a query in its name.
#[test]
#[ignore = "slow tier: another program"]
fn a_mirror_by_wget_leads_from_host_to_host() {
    let page = "<a href='http://h.org/v.php?id=1#f'><img src=//i.org/p.png><a href='/d?x'><a href=/d>\
                <a href=http://no.org/>";
    let folder = tree(&[
        ("in/h.org/a/b.html", page),
        ("in/h.org/v.php?id=1", "<p>"),
        ("in/h.org/d/index.html", "<p>"),
        ("in/i.org/p.png", ""),
    ]);
    let mirror = [
        "--layout", "wget", "--scheme", "http", "--to", "files", "--verify",
    ];
    let (code, _, error) = run(
        &[&["rewrite", "-i", "in"][..], &mirror].concat(),
        folder.path(),
    );
    let new = fs::read_to_string(folder.path().join("in/h.org/a/b.html")).unwrap();
    assert_eq!(
        (code, &*new),
        (
            0,
            "<a href='../v.php%3Fid=1#f'><img src=../../i.org/p.png><a href='http://h.org/d?x'>\
             <a href=../d/index.html><a href=http://no.org/>"
        ),
        "{error}"
    );
}

/// A file that leads out of the tree by a link is none of the tree.
#[cfg(unix)]
#[test]
fn links_out_of_the_tree_are_not_followed() {
    let folder = documents("<a href=out/x.html><a href=c.html>");
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/x.html"), "").unwrap();
    std::os::unix::fs::symlink("../../other", folder.path().join("in/a/out")).unwrap();
    run(
        &[&["rewrite", "-i", "in"][..], &TREE].concat(),
        folder.path(),
    );
    let new = fs::read_to_string(folder.path().join("in/a/b.html")).unwrap();
    assert_eq!(
        new,
        "<a href=https://e.org/docs/a/out/x.html><a href=c.html>"
    );
}

/// The second reader asks the disk as well.
#[test]
fn a_file_of_another_url_is_not_written() {
    let folder = documents("<a href=https://e.org/docs/main.css>");
    for (from, to) in [
        ("../main.css", "./index.html"),
        ("../main.css", "../Main.css"),
    ] {
        let done = crate::support::links::abslink()
            .current_dir(folder.path())
            .env("ABSLINK_TEST_FAULT", format!("{from}=>{to}"))
            .args(["rewrite", "-i", "--verify", "in"])
            .args(TREE)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{error}");
        assert!(error.contains("the second reader disagrees"), "{error}");
    }
}

/// `/` by the URL Standard, and a part of a name by RFC 1808.
#[test]
#[cfg(unix)]
fn a_backslash_is_what_the_resolver_takes_it_for() {
    let document =
        r#"<a href="https://e.org/docs/a\c.html">c</a><a href="https://e.org/docs/b\">b</a>"#;
    let by_rfc = r#"<a href="https://e.org/docs/a\c.html">c</a><a href="../b%5C">b</a>"#;
    let by_whatwg = r#"<a href="c.html">c</a><a href="https://e.org/docs/b\">b</a>"#;
    for (resolver, expected) in [("rfc1808", by_rfc), ("whatwg", by_whatwg)] {
        let folder = tree(&[
            ("in/a/b.html", document),
            ("in/a/c.html", ""),
            (r"in/b\", ""),
        ]);
        let options = ["rewrite", "-i", "--verify", "--resolver", resolver, "in"];
        let (code, _, error) = run(&[&options[..], &TREE].concat(), folder.path());
        let new = fs::read_to_string(folder.path().join("in/a/b.html")).unwrap();
        assert_eq!((code, &*new), (0, expected), "{resolver}: {error}");
    }
}

/// Of a whole site, and of what `--layout` says is a mirror: every reference that is relative afterwards leads
/// to a file, and to that of the same URL; a second run changes nothing.
#[test]
fn every_reference_of_a_tree_leads_to_a_file() {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in");
    let site = site.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let base = ["--to", "files", "-b", "https://docs.example.org/"];
    let rewrite = [
        "rewrite",
        "-q",
        "--verify",
        "--copy-others",
        "-o",
        "out",
        site,
    ];
    let (code, _, error) = run(&[&rewrite[..], &base].concat(), folder.path());
    assert_eq!(code, 0, "{error}");
    let out = folder.path().join("out");
    let again = ["rewrite", "-q", "-o", "again", "--copy-others", "out"];
    run(&[&again[..], &base].concat(), folder.path());
    let (mut leading, mut elsewhere) = (0, Vec::new());
    for (file, links) in links(&[], &out) {
        let other = folder
            .path()
            .join("again")
            .join(file.strip_prefix(&out).unwrap());
        assert_eq!(
            fs::read(&file).unwrap(),
            fs::read(other).unwrap(),
            "{file:?}"
        );
        let unresolved = links.iter().filter(|link| link.outcome == "unresolved");
        for link in unresolved {
            let way = link.reference.split(['?', '#']).next().unwrap();
            // What opens a file decodes its URL.
            let own = url::Url::from_file_path(&file).unwrap();
            let target = match way.is_empty() {
                true => file.clone(),
                false => own.join(way).unwrap().to_file_path().unwrap(),
            };
            leading += 1;
            if !target.is_file() {
                elsewhere.push(format!("{file:?}: {}", link.reference));
            }
        }
    }
    assert!(
        leading > 50 && elsewhere.is_empty(),
        "{leading} {elsewhere:#?}"
    );
}
