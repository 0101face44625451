//! The Debian package that .ci/package makes: by lintian, and installed into an empty system and removed
//! again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::Ran;
use crate::support::skip;

/// The package, if it was made.
fn package() -> Option<PathBuf> {
    let program = std::env::current_exe().unwrap();
    let mut above = program.ancestors().map(|above| above.join("package"));
    let files = above.find_map(|package| fs::read_dir(package).ok());
    let mut files = files.into_iter().flatten().map(|file| file.unwrap().path());
    let found = files.find(|file| file.extension().is_some_and(|it| it == "deb"));
    if found.is_none() {
        skip::data("there is no Debian package; .ci/package makes it");
    }
    found
}

/// Files below a directory, without it.
fn files(directory: &Path) -> Vec<String> {
    let files = walkdir::WalkDir::new(directory).sort_by_file_name();
    let files = files.into_iter().map(Result::unwrap);
    let files = files.filter(|file| file.file_type().is_file());
    let below = |file: walkdir::DirEntry| {
        let path = file.path().strip_prefix(directory).unwrap();
        path.to_str().unwrap().to_owned()
    };
    files.map(below).collect()
}

#[test]
#[ignore = "slow tier: another program"]
fn lintian_finds_nothing_wrong() {
    let Some(package) = package() else { return };
    if !skip::has_tool("lintian") {
        return;
    }
    let mut lintian = Command::new("lintian");
    // There is no bug that asks for the package.
    lintian.args(["--suppress-tags", "initial-upload-closes-no-bugs"]);
    if skip::is_root() {
        lintian.arg("--allow-root");
    }
    let ran = lintian
        .args(["--fail-on", "error,warning"])
        .arg(package)
        .output();
    let ran = Ran::from(&ran.unwrap());
    ran.exits(0).prints("");
}

#[test]
#[ignore = "slow tier: another program"]
fn it_is_installed_and_removed() {
    let Some(package) = package() else { return };
    if !skip::has_tool("dpkg") {
        return;
    }
    if !skip::is_root() {
        skip::right("only root may install a package");
        return;
    }
    let system = tempfile::tempdir().unwrap();
    let root = system.path();
    for directory in ["updates", "info", "triggers"] {
        fs::create_dir_all(root.join("var/lib/dpkg").join(directory)).unwrap();
    }
    fs::write(root.join("var/lib/dpkg/status"), "").unwrap();
    let dpkg = |arguments: &[&str]| {
        let mut dpkg = Command::new("dpkg");
        // What it depends on is not in the empty system.
        dpkg.arg(format!("--root={}", root.display()))
            .args(["--force-depends", "--log=/dev/null"])
            .args(arguments);
        let ran = Ran::from(&dpkg.output().unwrap());
        ran.exits(0);
    };
    dpkg(&["--install", package.to_str().unwrap()]);
    let installed = files(&root.join("usr"));
    for expected in [
        "bin/abslink",
        "share/bash-completion/completions/abslink",
        "share/doc/abslink/copyright",
        "share/fish/vendor_completions.d/abslink.fish",
        "share/man/man1/abslink-rewrite.1.gz",
        "share/man/man1/abslink.1.gz",
        "share/zsh/vendor-completions/_abslink",
    ] {
        assert!(
            installed.iter().any(|file| file == expected),
            "{expected} of {installed:#?}"
        );
    }
    let version = Command::new(root.join("usr/bin/abslink"))
        .arg("--version")
        .output();
    let version = Ran::from(&version.unwrap());
    version.prints(concat!("abslink ", env!("CARGO_PKG_VERSION"), "\n"));
    dpkg(&["--purge", "abslink"]);
    assert!(!root.join("usr").exists(), "nothing is left");
}
