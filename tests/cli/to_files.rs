//! `--to files`: references that lead from file to file.

use std::fs;
use std::path::Path;

use super::{Ran, Sandbox};
use crate::support::links::links;
use crate::support::table::rows;

/// The tree of testdata/html/files.tsv, with this document.
fn documents(document: &str) -> Sandbox {
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
    let sandbox = Sandbox::of(&[("in/a/b.html", document)]);
    for name in names {
        sandbox.write(format!("in/{name}"), "");
    }
    sandbox
}

const TREE: &str = "--to files -b https://e.org/docs/ --also meta";

#[test]
fn each_row_leads_to_a_file() {
    for row in rows(include_str!("../../testdata/html/files.tsv")) {
        let [document, expected] = row;
        let expected = if expected == "=" { document } else { expected };
        for from in [document, expected] {
            let sandbox = documents(from);
            let ran = sandbox.run(&format!(
                "rewrite -i --verify in {TREE} --site http://www.e.org/docs/ --try-ext .html"
            ));
            ran.exits(0);
            assert_eq!(sandbox.read("in/a/b.html"), expected, "{ran:?}");
        }
    }
}

/// Bytes alone tell most of it: that is what all the rules find, which a pattern has asked about each.
#[test]
fn the_short_way_finds_what_the_long_way_does() {
    let page = "<a href=c.html><a href=c.html#f><a href=../a/c.html><a href=../a/b.html#x><a href=b.html#x>\
                <a href=b.html><a href=index.html#x><a href=../../docs/main.css><a href=q?x=1><a href=c.html?y>\
                <a href=./c.html><a href=none.html><a href=../none/c.html><a href=../a><a href=#f><a href=#a%20(b)>\
                <a href=_x.html><script src=../main.css crossorigin></script><a href=https://o.org/x>\
                <a href=https://e.org/docs/a/c.html><use href=#x><svg><use href=b.html#x></svg>";
    for name in ["in/a/b.html", "in/a/index.html"] {
        let found = |options: &str| {
            let sandbox = documents("");
            sandbox.write(name, page);
            let ran = sandbox.run(&format!("rewrite -i in {TREE} {options}"));
            let counted = ran
                .stderr
                .lines()
                .find(|line| line.starts_with("--to files"));
            (
                ran.code,
                counted.unwrap_or_default().to_owned(),
                sandbox.read(name),
            )
        };
        let short = found("");
        assert_eq!(short, found("--exclude-url ^no-such-URL$"), "{name}");
        assert!(
            short.1.contains("1 is a module or has integrity"),
            "{short:?}"
        );
    }
}

/// The host of each file is in its path, and a query in its name.
#[test]
#[ignore = "slow tier: another program"]
fn a_mirror_by_wget_leads_from_host_to_host() {
    let page = "<a href='http://h.org/v.php?id=1#f'><img src=//i.org/p.png><a href='/d?x'><a href=/d>\
                <a href=http://no.org/>";
    let sandbox = Sandbox::of(&[
        ("in/h.org/a/b.html", page),
        ("in/h.org/v.php?id=1", "<p>"),
        ("in/h.org/d/index.html", "<p>"),
        ("in/i.org/p.png", ""),
    ]);
    let ran = sandbox.run("rewrite -i in --layout wget --scheme http --to files --verify");
    ran.exits(0);
    assert_eq!(
        sandbox.read("in/h.org/a/b.html"),
        "<a href='../v.php%3Fid=1#f'><img src=../../i.org/p.png><a href='http://h.org/d?x'>\
         <a href=../d/index.html><a href=http://no.org/>",
        "{ran:?}"
    );
}

/// The second reader asks the disk as well.
#[test]
fn a_file_of_another_url_is_not_written() {
    let sandbox = documents("<a href=https://e.org/docs/main.css>");
    for to in ["./index.html", "../Main.css"] {
        let mut command = sandbox.abslink(&format!("rewrite -i --verify in {TREE}"));
        let ran = Ran::by(command.env("ABSLINK_TEST_FAULT", format!("../main.css=>{to}")));
        ran.exits(2).says("the second reader disagrees");
    }
}

/// Of a whole site, and of what `--layout` says is a mirror: every reference that is relative afterwards leads
/// to a file, and to that of the same URL; a second run changes nothing.
#[test]
fn every_reference_of_a_tree_leads_to_a_file() {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in");
    let site = site.to_str().unwrap();
    let sandbox = Sandbox::of(&[]);
    let base = "-q --copy-others --to files -b https://docs.example.org/";
    sandbox
        .run(&format!("rewrite --verify -o out {base} {site}"))
        .exits(0);
    sandbox
        .run(&format!("rewrite -o again {base} out"))
        .exits(0);
    let out = sandbox.path().join("out");
    let (mut leading, mut elsewhere) = (0, Vec::new());
    for (file, links) in links(&[], &out) {
        let other = sandbox
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
