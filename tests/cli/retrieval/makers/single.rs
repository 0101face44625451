//! Pages that programs saved as one file each, with a comment that names the URL: `--to files` leads from one to the
//! other, and absolute they mean what the page on the server means.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::browsed::{Tree, copy, found, pages};
use super::built::of_npm;
use crate::support::links::abslink;
use crate::support::server::Server;
use crate::support::skip;

/// What is saved: two of them lead to each other.
const PAGES: [&str; 3] = [
    "guide/index.html",
    "guide/install.html",
    "gallery/index.html",
];

/// Saves pages of testdata/site/in with a program, and confirms what becomes of them.
fn confirm(save: impl Fn(&str, &Path)) {
    let [served, mirror] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let server = Server::of(served.path());
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in");
    let origin = format!("{}/", server.origin);
    copy(&site, served.path(), ["", ""]);
    for page in PAGES {
        save(&format!("{origin}{page}"), mirror.path());
    }
    let tree = Tree {
        name: "pages in one file each",
        directory: mirror.path().to_owned(),
        options: Vec::new(),
        site: None,
        gone: &[],
        least: 4,
    };
    tree.confirm_for_a_disk();

    // Anywhere else on the server.
    let output = served.path().join("x/y");
    let done = abslink()
        .args(["rewrite", "-q", "-o"])
        .args([&output, mirror.path()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    let leads = |pages: &[String]| -> BTreeSet<String> {
        let links = found(served.path(), &origin, pages, None).into_iter();
        // Not what they have put into the page, and not a place in the page itself.
        let links = links.filter(|link| {
            let target = link.target.as_str();
            link.target.scheme() != "data" && target.split('#').next() != Some(&link.page)
        });
        let targets = links.map(|link| link.target.as_str().replace("/index.html", "/"));
        targets.collect()
    };
    let saved = pages(served.path(), &output);
    assert_eq!(saved.len(), PAGES.len());
    let mut was = leads(&PAGES.map(str::to_owned));
    // A link to its own page has the page's URL now.
    was.extend(PAGES.map(|page| format!("{origin}{page}").replace("/index.html", "/")));
    // monolith takes a picture's `data-src` for its `src`.
    was.insert(format!("{origin}gallery/thumbs/3.jpg"));
    let is = leads(&saved);
    let new: Vec<&String> = is.difference(&was).collect();
    assert!(new.is_empty(), "{new:?}");
    assert!(is.len() >= 15, "{}", is.len());
}

#[test]
#[ignore = "slow tier: a browser"]
fn pages_by_single_file_keep_their_meaning() {
    let Some(program) = of_npm("single-file") else {
        return;
    };
    if !skip::has_tool("chromium") {
        return;
    }
    confirm(|url, folder| {
        let count = || fs::read_dir(folder).unwrap().count();
        let before = count();
        let mut said = String::new();
        // One time in four it loses a race with the browser, and exits with 0 all the same.
        for _ in 0..20 {
            let saved = Command::new(&program)
                .args(["--browser-executable-path", "chromium"])
                .args(["--browser-arg=--no-sandbox", url])
                .current_dir(folder)
                .env("HOME", tempfile::tempdir().unwrap().path())
                .output()
                .unwrap();
            if count() > before {
                return;
            }
            said = String::from_utf8_lossy(&saved.stderr).into_owned();
        }
        panic!("it saves nothing of {url}: {said}");
    });
}

#[test]
#[ignore = "slow tier: another program"]
fn pages_by_monolith_keep_their_meaning() {
    let Some(program) = monolith() else {
        return;
    };
    if !skip::has_tool("chromium") {
        return;
    }
    confirm(|url, folder| {
        let name = url.replace([':', '/'], "_");
        let saved = Command::new(&program)
            .args(["-o", &name, url])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(saved.status.success(), "{saved:?}");
    });
}

/// The program, if one of the nightly steps has installed it.
fn monolith() -> Option<PathBuf> {
    let test = env::current_exe().unwrap();
    let mut above = test
        .ancestors()
        .map(|above| above.join("monolith/bin/monolith"));
    let found = above.find(|program| program.is_file());
    if found.is_none() {
        skip::absent("there is no monolith; .ci/run monolith installs it");
    }
    found
}
