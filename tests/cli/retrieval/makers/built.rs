//! Sites by real generators, which build them for the root of a server: published under a prefix, opened from a disk,
//! and absolute. Their sources are in testdata/generators.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::browsed::{Tree, copy, found, pages, words};
use crate::support::links::abslink;
use crate::support::server::Server;
use crate::support::skip;

/// The URL that the sources name as their own.
const SITE: &str = "https://docs.example.org/";

const PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>";

/// A program of an npm package that `.ci/run engines` installs; `None`, and a line, where it is missing.
pub(super) fn of_npm(program: &str) -> Option<PathBuf> {
    let test = env::current_exe().unwrap();
    let mut above = test
        .ancestors()
        .map(|above| above.join("makers/node_modules/.bin").join(program));
    let found = above.find(|program| program.is_file());
    if found.is_none() {
        skip::tool(format_args!("there is no {program}; .ci/run installs it"));
    }
    found.filter(|_| skip::has_tool("node"))
}

/// The command that builds a site, and where it puts it.
fn builder(generator: &str) -> Option<(Command, &'static str)> {
    let command = |program: &str, argument: &str| {
        let mut command = Command::new(program);
        command.arg(argument);
        skip::has_tool(program).then_some(command)
    };
    Some(match generator {
        "mkdocs" => {
            let mut mkdocs = skip::python("mkdocs")?;
            mkdocs.arg("build");
            (mkdocs, "site")
        }
        "hugo" => (command("hugo", "--quiet")?, "public"),
        "jekyll" => (command("jekyll", "build")?, "_site"),
        _ => {
            let mut vitepress = Command::new(of_npm(generator)?);
            vitepress.arg("build");
            (vitepress, ".vitepress/dist")
        }
    })
}

/// Copies the sources of a site, with the files and the body that all of them have.
fn sources(generator: &str, to: &Path) {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/generators");
    let body = fs::read_to_string(shared.join("body.html")).unwrap();
    copy(&shared.join(generator), to, ["<!--body-->", &body]);
    let others = to.join(match generator {
        "mkdocs" => "docs",
        "hugo" => "static",
        "jekyll" => "",
        _ => "public",
    });
    for (name, text) in [
        ("img/logo.svg", PICTURE),
        ("img/big one.svg", PICTURE),
        (
            "css/extra.css",
            &fs::read_to_string(shared.join("extra.css")).unwrap(),
        ),
    ] {
        let file = others.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
}

/// A site; `None`, and a line, where its generator cannot run.
fn build(generator: &str) -> Option<(TempDir, PathBuf)> {
    let (mut builder, output) = builder(generator)?;
    let folder = tempfile::tempdir().unwrap();
    sources(generator, folder.path());
    #[cfg(unix)]
    if generator == "vitepress" {
        let modules = Path::new(builder.get_program()).ancestors().nth(2).unwrap();
        std::os::unix::fs::symlink(modules, folder.path().join("node_modules")).unwrap();
    }
    let built = builder.current_dir(folder.path()).output().unwrap();
    assert!(built.status.success(), "{generator}: {built:?}");
    let output = folder.path().join(output);
    Some((folder, output))
}

/// Absolute, and anywhere on the server, each link leads where it does on the original page.
fn confirm_absolute(generator: &str, options: &str, site: &Path) {
    let [original, served] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let server = Server::of(served.path());
    let origin = format!("{}/", server.origin);
    for folder in [&original, &served] {
        copy(site, folder.path(), [SITE, &origin]);
    }
    let output = served.path().join("x/y");
    let done = abslink()
        .args(["rewrite", "-q", "-b", &origin])
        .args(words(options))
        .arg("-o")
        .args([&output, original.path()])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{generator}: {said}");
    let leads = |below: &str| -> Vec<(String, String)> {
        let pages = pages(served.path(), &output).into_iter();
        let pages: Vec<String> = pages.map(|page| page.replacen("x/y/", below, 1)).collect();
        let links = found(served.path(), &origin, &pages, None).into_iter();
        let at = format!("{origin}{below}");
        let links = links.map(|link| {
            let page = link.page.strip_prefix(&at).unwrap().to_owned();
            // An index page stands for its directory.
            (page, link.target.as_str().replace("/index.html", "/"))
        });
        links.collect()
    };
    let (was, is) = (leads(""), leads("x/y/"));
    assert!(was.len() >= 30, "{generator}: {}", was.len());
    for (was, is) in was.iter().zip(&is) {
        assert_eq!(was, is, "{generator}");
    }
    assert_eq!(was.len(), is.len(), "{generator}");
}

/// So many links of a site lead to files of it.
fn confirm(generator: &'static str, options: &str, least: usize) {
    if !skip::has_tool("chromium") {
        return;
    }
    let Some((_folder, site)) = build(generator) else {
        return;
    };
    // Without a URL, and with the one that it was built for.
    for url in [None, Some(SITE)] {
        let tree = Tree {
            name: generator,
            directory: site.clone(),
            options: words(&url.map_or(options.to_owned(), |url| format!("-b {url} {options}"))),
            site: url.map(str::to_owned),
            gone: &["/gone/"],
            least,
        };
        tree.confirm_for_a_disk();
        tree.confirm_under_a_prefix();
    }
    confirm_absolute(generator, options, &site);
}

#[test]
#[ignore = "slow tier: a browser"]
fn a_site_by_mkdocs_works_anywhere() {
    // Its page 404 has `/.`, which RFC 1808 does not resolve.
    confirm("mkdocs", "--resolver whatwg", 60);
}

#[test]
#[ignore = "slow tier: a browser"]
fn a_site_by_hugo_works_anywhere() {
    confirm("hugo", "", 60);
}

#[test]
#[ignore = "slow tier: a browser"]
fn a_site_by_jekyll_works_anywhere() {
    confirm("jekyll", "", 40);
}

#[test]
#[ignore = "slow tier: a browser"]
fn a_site_by_vitepress_works_anywhere() {
    confirm("vitepress", "", 60);
}
