//! Pages that `--to files` made, opened from a disk in Chromium: they are drawn as from a server.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use url::Url;

use super::fetched;
use crate::cli::crawl::put_in_form;
use crate::oracle::directories;
use crate::support::chromium::puppeteer;
use crate::support::server::Server;

/// The site of the tests, whose pages have pictures and style sheets.
#[test]
fn a_site_is_drawn_from_a_disk() {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site/in");
    are_drawn(&site, 3);
}

#[test]
#[ignore = "slow tier: a browser"]
fn python_is_drawn_from_a_disk() {
    if let Some(package) = fetched("python3.11-doc") {
        are_drawn(&package.join("usr/share/doc/python3.11/html"), 40);
    }
}

#[test]
#[ignore = "slow tier: a browser"]
fn rust_is_drawn_from_a_disk() {
    if let Some(package) = fetched("rust-doc") {
        are_drawn(&package.join("usr/share/doc/rust-doc/html"), 40);
    }
}

/// Makes a tree absolute, serves it, makes it one for a disk, and compares so many of its pages.
fn are_drawn(input: &Path, count: usize) {
    let scratch = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let Some(mut node) = puppeteer("tests/corpora/drawn.js", scratch.path()) else {
        return;
    };
    let [absolute, disk] = ["absolute", "disk"].map(|name| scratch.path().join(name));
    let server = Server::of(&absolute);
    let base = format!("{}/", server.origin);
    for (to, from, output) in [("absolute", input, &absolute), ("files", &absolute, &disk)] {
        put_in_form(to, &base, from, output);
    }
    let pages: Vec<PathBuf> = directories::documents(&disk).collect();
    let step = pages.len() / count;
    let root = Url::from_directory_path(&disk).unwrap();
    let (mut pairs, mut drawn, mut changed) = (String::new(), 0, 0);
    for page in pages.iter().step_by(step.max(1)).take(count) {
        let file = Url::from_file_path(disk.join(page)).unwrap();
        let served = file.as_str().replace(root.as_str(), &base);
        let [before, after] = [&absolute, &disk].map(|tree| fs::read(tree.join(page)).unwrap());
        changed += usize::from(before != after);
        drawn += 1;
        pairs += &format!("{served} {file}\n");
    }
    assert!(drawn >= count && changed > drawn / 2, "{drawn} {changed}");
    let list = scratch.path().join("pairs");
    fs::write(&list, pairs).unwrap();
    let ran = node.stdin(File::open(&list).unwrap()).output().unwrap();
    let different = String::from_utf8_lossy(&ran.stdout);
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.success() && different.is_empty(),
        "{different}{said}"
    );
}
