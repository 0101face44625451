//! What .ci/release refuses before it builds anything, and how .ci/released compares what two runs have made.
//!
//! That a release can be made, and is the same twice, is .ci/run's to find out: `release` and `released`.

use std::fs;
use std::process::Command;

use crate::cli::{Ran, Sandbox};
use crate::support::skip;

/// The manifests that .ci/release looks at.
const MANIFESTS: [&str; 4] = [
    "Cargo.toml",
    "python/Cargo.toml",
    "js/Cargo.toml",
    "js/package.json",
];

/// A repository of what .ci/release looks at, with this changelog.
fn repository(changelog: &str) -> Option<Sandbox> {
    if !skip::has(".ci") || !skip::has_tool("git") {
        return None;
    }
    let sandbox = Sandbox::new();
    for file in MANIFESTS
        .into_iter()
        .chain([".ci/release", ".ci/release-cannot"])
    {
        let path = sandbox.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        fs::copy(source, path).unwrap();
    }
    sandbox.write("CHANGELOG.md", changelog);
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &["commit", "--quiet", "--message", "all"],
    ] {
        let mut git = Command::new("git");
        git.current_dir(sandbox.path()).args([
            "-c",
            "user.name=n",
            "-c",
            "user.email=m@example.org",
        ]);
        assert!(git.args(arguments).status().unwrap().success());
    }
    Some(sandbox)
}

/// What it says when it refuses: it has to, since none of its programs is there.
fn refused(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let mut release = Command::new(sandbox.path().join(".ci/release"));
    release
        .args(arguments)
        .env("ABSLINK_RELEASE_TOOLS", sandbox.path().join("no-tools"))
        .env("PATH", "/usr/bin:/bin")
        .env_remove("DEBFULLNAME")
        .env_remove("CARGO_TARGET_DIR");
    let ran = Ran::from(&release.output().unwrap());
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{}", ran.stderr);
    assert!(!sandbox.path().join("target").exists(), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn only_what_the_commit_says_is_released() {
    let version = env!("CARGO_PKG_VERSION");
    let Some(sandbox) = repository("## [Unreleased]\n") else {
        return;
    };
    let says = |arguments: &[&str], expected: &str| {
        let said = refused(&sandbox, arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
    };
    says(&[], "which version?");
    says(&["--trail", version], "there is no option --trail");
    says(&["0.0.0"], "Cargo.toml has another version than 0.0.0");
    says(&[version], "CHANGELOG.md has no heading");
    // A trial does without, and comes to what is missing on this machine.
    says(&["--trial", version], "there is no cargo-");
    sandbox.write("out", "");
    says(&["--trial", version, "out"], "not committed");
}

#[test]
fn a_package_of_another_version_is_named() {
    let version = env!("CARGO_PKG_VERSION");
    for manifest in MANIFESTS {
        let Some(sandbox) = repository("") else {
            return;
        };
        let path = sandbox.path().join(manifest);
        let text = fs::read_to_string(&path).unwrap();
        let first = format!("\"{version}\"");
        fs::write(&path, text.replace(&first, "\"9.9.9\"")).unwrap();
        let git = ["-c", "user.name=n", "-c", "user.email=m@example.org"];
        let commit = Command::new("git")
            .current_dir(sandbox.path())
            .args(git)
            .args(["commit", "--quiet", "--all", "--message", "more"])
            .status();
        assert!(commit.unwrap().success());
        let said = refused(&sandbox, &["--trial", version]);
        assert!(said.contains(&format!("{manifest} has another")), "{said}");
    }
}

#[test]
fn what_differs_between_two_runs_is_named() {
    if !skip::has(".ci") {
        return;
    }
    let sandbox = Sandbox::new();
    for (file, text) in [
        ("one/same", "a"),
        ("other/same", "a"),
        ("one/changed", "a"),
        ("other/changed", "b"),
        ("one/gone", "a"),
        ("other/new", "a"),
    ] {
        sandbox.write(file, text);
    }
    let compare = |one: &str, other: &str| {
        let path = |name: &str| sandbox.path().join(name);
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/released");
        let mut released = Command::new(script);
        // Without diffoscope, which would say more.
        released.env("PATH", "/usr/bin:/bin").arg("--same");
        Ran::from(&released.args([path(one), path(other)]).output().unwrap())
    };
    let ran = compare("one", "other");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    for line in [
        "differs: changed",
        "differs: gone",
        "differs: new",
        "1 files are the same, 3 differ",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.stdout);
    }
    assert_eq!(compare("one", "one").code, Some(0));
    // Nothing is not the same as nothing.
    fs::create_dir(sandbox.path().join("empty")).unwrap();
    assert_eq!(compare("empty", "empty").code, Some(1));
}
