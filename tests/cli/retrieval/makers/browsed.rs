//! Trees that were made for a disk, or for any place on a server, as Chromium finds them: the judge here is a browser,
//! and not a parser.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use url::Url;

use super::{serve, wget};
use crate::oracle::opened::files;
use crate::support::chromium::chromium;
use crate::support::links::abslink;
use crate::support::server::Server;
use crate::support::skip;

/// A link, as the browser resolves it in a page.
pub(super) struct Link {
    pub(super) page: String,
    pub(super) target: Url,
}

/// A tree, and the options that make another of it.
pub(super) struct Tree {
    pub(super) name: &'static str,
    pub(super) directory: PathBuf,
    pub(super) options: Vec<String>,
    /// The URL that its root stands for, if it has one.
    pub(super) site: Option<String>,
    /// What is in no file of it, and has no URL that could be written: the paths on a server.
    pub(super) gone: &'static [&'static str],
    /// So many links lead to files.
    pub(super) least: usize,
}

pub(super) fn words(options: &str) -> Vec<String> {
    options.split_whitespace().map(str::to_owned).collect()
}

/// Small trees, and a mirror by wget if it can be had; `_mirror` is where that lies. Below a host's directory each
/// page is where it is on its server.
fn trees(is_at_root: bool) -> (Vec<Tree>, Option<TempDir>) {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let site = "https://docs.example.org/";
    let mut trees = vec![
        Tree {
            name: "a site whose URL nobody knows",
            directory: testdata.join("built"),
            options: Vec::new(),
            site: None,
            gone: &["/gone"],
            least: 6,
        },
        Tree {
            name: "a site with absolute links",
            directory: testdata.join("site/out"),
            options: words(&format!("-b {site}")),
            site: Some(site.to_owned()),
            gone: &[],
            least: 10,
        },
    ];
    let (server, other) = (serve(), serve().replace("127.0.0.1", "localhost"));
    let mirror = wget::mirror(&server, &other, &[]);
    if let Some(mirror) = &mirror {
        let host = server.strip_prefix("http://").unwrap();
        let url = format!("{server}/");
        let (directory, options, site) = match is_at_root {
            true => (mirror.path().join(host), format!("-b {url}"), Some(url)),
            false => (
                mirror.path().to_owned(),
                "--layout wget --scheme http".to_owned(),
                None,
            ),
        };
        trees.push(Tree {
            name: "a mirror by wget",
            directory,
            options: words(&options),
            site,
            gone: &[],
            least: 80,
        });
    }
    (trees, mirror)
}

impl Tree {
    fn rewrite(&self, to: &str, output: &Path) {
        let done = abslink()
            .args(["rewrite", "-q", "--copy-others", "--detect=html"])
            .args(["--to", to])
            .args(&self.options)
            .arg("-o")
            .args([output, &self.directory])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{}: {said}", self.name);
    }
}

/// The links of pages, which are named from where a page of our own lies; with `site` it asks for each of them on its
/// server, where that URL stands for a path.
pub(super) fn found(
    folder: &Path,
    url: &str,
    pages: &[String],
    site: Option<[&str; 2]>,
) -> Vec<Link> {
    let script = include_str!("browsed.js");
    let site = site.map_or(String::new(), |[site, at]| {
        format!(" data-site=\"{site}\" data-at=\"{at}\"")
    });
    // Nothing in the pages runs or leads away.
    let frames = pages
        .iter()
        .map(|page| format!("<iframe sandbox=allow-same-origin src=\"{page}\"></iframe>"));
    let frames: String = frames.collect();
    let own =
        format!("<!DOCTYPE html><meta charset=utf-8><body{site}>{frames}<script>{script}</script>");
    fs::write(folder.join("browsed.html"), own).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let ran = chromium(profile.path())
        .args(["--allow-file-access-from-files", "--dump-dom"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")
        .env("HOME", profile.path())
        .arg(format!("{url}browsed.html"))
        .output()
        .unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    let lines = text
        .split_once("<pre>")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let (lines, _) = lines.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&ran.stderr)));
    let decoded = |word: &str| {
        let bytes = abslink_url::percent::decode(word);
        String::from_utf8(bytes).unwrap()
    };
    let links = lines.lines().filter_map(|line| {
        let (page, target) = line.split_once(' ')?;
        let (page, target) = (decoded(page), Url::parse(&decoded(target)).ok()?);
        Some(Link { page, target })
    });
    links.collect()
}

/// The pages below a directory, as URLs relative to `folder`.
pub(super) fn pages(folder: &Path, directory: &Path) -> Vec<String> {
    let root = Url::from_directory_path(folder).unwrap();
    let pages = files(directory).into_iter().filter(|file| {
        let bytes = fs::read(file).unwrap();
        let head = bytes[..bytes.len().min(512)].to_ascii_lowercase();
        let name = file.to_string_lossy();
        name.contains(".htm")
            || head.trim_ascii_start().starts_with(b"<!doctype html")
            || head.trim_ascii_start().starts_with(b"<html")
    });
    let pages = pages.map(|page| Url::from_file_path(page).unwrap());
    pages
        .map(|page| root.make_relative(&page).unwrap())
        .collect()
}

/// Copies a tree with another URL in it, as it would be on that server.
pub(super) fn copy(from: &Path, to: &Path, [old, new]: [&str; 2]) {
    for file in files(from) {
        let copy = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        let bytes = fs::read(&file).unwrap();
        match String::from_utf8(bytes) {
            Ok(text) => fs::write(copy, text.replace(old, new)).unwrap(),
            Err(error) => fs::write(copy, error.as_bytes()).unwrap(),
        }
    }
}

impl Tree {
    /// Made for a disk, each of its links leads to a file.
    pub(super) fn confirm_for_a_disk(&self) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let output = folder.join("out");
        self.rewrite("files", &output);
        let url = Url::from_directory_path(&folder).unwrap();
        let links = found(&folder, url.as_str(), &pages(&folder, &output), None);
        let (mut to_files, mut wrong) = (0, Vec::new());
        for link in links.iter().filter(|link| link.target.scheme() == "file") {
            let file = link.target.to_file_path().unwrap();
            to_files += 1;
            let path = link.target.path();
            // What a template fills is nobody's link yet.
            let is_gone = self.gone.contains(&path) || path.contains("%7B%7B");
            if !(is_gone || file.is_file() && file.starts_with(&output)) {
                wrong.push(format!("{} {}", link.page, link.target));
            }
        }
        assert!(wrong.is_empty(), "{}: {}", self.name, wrong.join("\n"));
        assert!(to_files >= self.least, "{}: {to_files}", self.name);
    }

    /// Made relative and served under a prefix, it lacks nothing that is there at its root.
    pub(super) fn confirm_under_a_prefix(&self) {
        let [before, after] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let output = after.path().join("x/y");
        self.rewrite("relative", &output);
        let servers = [&before, &after].map(|folder| Server::of(folder.path()));
        let site = self.site.as_deref().unwrap_or("https://site.invalid/");
        copy(
            &self.directory,
            before.path(),
            [site, &format!("{}/", servers[0].origin)],
        );
        let mut asked = 0;
        let mut missing = |server: &Server, folder: &Path, directory: &Path, prefix: &str| {
            let mut pages = pages(folder, directory);
            // Servers show it for any path.
            pages.retain(|page| !page.ends_with("404.html"));
            let origin = format!("{}/", server.origin);
            asked = found(folder, &origin, &pages, Some([site, prefix])).len();
            let missing = server.missing().into_iter().map(|path| {
                let rest = path.strip_prefix(prefix);
                rest.map_or(path.clone(), |rest| format!("/{rest}"))
            });
            // The browser asks for that by itself.
            missing
                .filter(|path| path != "/favicon.ico")
                .collect::<BTreeSet<String>>()
        };
        let had = missing(&servers[0], before.path(), before.path(), "/");
        let has = missing(&servers[1], after.path(), &output, "/x/y/");
        let new: Vec<&String> = has.difference(&had).collect();
        assert!(new.is_empty(), "{}: {new:?}", self.name);
        assert!(asked >= self.least, "{}: {asked}", self.name);
    }
}

#[test]
#[ignore = "slow tier: a browser"]
fn each_link_for_a_disk_leads_to_a_file() {
    if skip::has_tool("chromium") {
        let (trees, _mirror) = trees(false);
        trees.iter().for_each(Tree::confirm_for_a_disk);
    }
}

#[test]
#[ignore = "slow tier: a browser"]
fn a_relative_tree_lacks_nothing_that_is_there_at_its_root() {
    if skip::has_tool("chromium") {
        let (trees, _mirror) = trees(true);
        trees.iter().for_each(Tree::confirm_under_a_prefix);
    }
}
