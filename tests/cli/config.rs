//! `abslink.toml`: options that a project keeps, what of them counts, and what they may never say.

mod conflicts;
mod files_that_are_not;
pub(crate) mod hook;
mod hostile;
#[cfg(target_os = "linux")]
mod large;
mod parts;
mod shown;
mod table;

use std::fs;

use super::{Ran, Sandbox};

/// A repository with these settings and a page in site/, which links to `sub/g`.
pub(super) fn project(settings: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join(".git")).unwrap();
    sandbox.write("abslink.toml", settings);
    sandbox
}

/// Runs a command in a directory of a sandbox.
pub(super) fn run_in(sandbox: &Sandbox, directory: &str, arguments: &str) -> Ran {
    let directory = sandbox.path().join(directory);
    fs::create_dir_all(&directory).unwrap();
    let mut command = sandbox.abslink(arguments);
    Ran::from(&command.current_dir(directory).output().unwrap())
}

/// The URLs that `links` gives for references.
#[track_caller]
pub(super) fn absolute(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines = ran.stdout.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["absolute"].as_str().unwrap_or("none").to_owned()
    });
    lines.collect()
}

#[track_caller]
pub(super) fn refused(ran: &Ran, why: &str) {
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{}", ran.stderr);
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
}

const SITE: &str = "paths = [\"site\"]\nbase-url = \"https://e.org/docs/\"\n";

#[test]
fn the_nearest_file_counts() {
    let sandbox = project("paths = [\"site\"]\n");
    sandbox.write("site/deep/er/x.html", "<a href=x>");
    // From below, with paths that start at the file.
    let ran = run_in(&sandbox, "site/deep", "check");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let mut lines: Vec<&str> = ran.stdout.lines().collect();
    lines.sort();
    let expected = [
        "../../site/deep/er/x.html:1:9: <a href> x",
        "../../site/index.html:1:9: <a href> sub/g",
    ];
    assert_eq!(lines, expected);
    let line = "settings from ../../abslink.toml: paths\n";
    assert!(ran.stderr.contains(line), "{}", ran.stderr);
    // A nearer one is the only one.
    sandbox.write("site/deep/abslink.toml", "paths = [\"er\"]\n");
    let ran = run_in(&sandbox, "site/deep/er", "check");
    let line = "../er/x.html:1:9: <a href> x\n";
    assert_eq!(ran.stdout, line, "{}", ran.stderr);
    // One that is named is too, wherever the command runs.
    let ran = run_in(
        &sandbox,
        "site/deep/er",
        "check --config ../../../abslink.toml",
    );
    assert!(
        ran.stdout.contains("../../../site/index.html:1:9: "),
        "{}",
        ran.stdout
    );
    let ran = run_in(&sandbox, "site/deep/er", "check --no-config");
    refused(&ran, "no PATH given");
}

#[test]
fn the_search_ends_at_the_repository_and_at_home() {
    let sandbox = project("paths = [\"site\"]\n");
    sandbox.write("site/.git", "gitdir: elsewhere\n");
    refused(&run_in(&sandbox, "site", "check"), "no PATH given");
    refused(&run_in(&sandbox, "site/sub", "check"), "no PATH given");
    fs::remove_file(sandbox.path().join("site/.git")).unwrap();
    assert_eq!(run_in(&sandbox, "site/sub", "check").code, Some(1));
    let mut command = sandbox.abslink("check");
    command.current_dir(sandbox.path().join("site/sub"));
    command.env("HOME", sandbox.path().join("site"));
    refused(&Ran::from(&command.output().unwrap()), "no PATH given");
    // The one in the home directory itself counts.
    sandbox.write("site/abslink.toml", "paths = [\".\"]\n");
    let ran = Ran::from(&command.output().unwrap());
    assert_eq!(ran.stdout, "../index.html:1:9: <a href> sub/g\n");
}

/// The same page has the same URL, whichever PATH is typed.
#[test]
fn the_base_url_of_a_project_is_that_of_its_tree() {
    let sandbox = project(SITE);
    sandbox.write("site/sub/p.html", "<a href=x>");
    let page = ["https://e.org/docs/sub/x"];
    for path in ["site/sub/p.html", "site/sub", "-j1 site/sub/p.html"] {
        assert_eq!(
            absolute(&sandbox.run(&format!("links {path}"))),
            page,
            "{path}"
        );
    }
    let several = sandbox.run("links site/sub/p.html site/index.html");
    assert_eq!(
        absolute(&several),
        ["https://e.org/docs/sub/x", "https://e.org/docs/sub/g"]
    );
    assert_eq!(
        absolute(&run_in(&sandbox, "site/sub", "links p.html")),
        page
    );
    // As with --root, a document elsewhere has no URL there.
    let ran = sandbox.run("links a.html");
    assert_eq!(ran.code, Some(2), "{} {}", ran.stdout, ran.stderr);
    // With several PATHs it is that of the file's directory, or of the `root` that it names.
    sandbox.write(
        "abslink.toml",
        "paths = [\"site\", \"a.html\"]\nbase-url = \"https://e.org/\"\n",
    );
    let all = absolute(&sandbox.run("links"));
    assert_eq!(
        all,
        [
            "https://e.org/site/sub/g",
            "https://e.org/site/sub/x",
            "https://e.org/g"
        ]
    );
    sandbox.write(
        "abslink.toml",
        "base-url = \"https://e.org/\"\nroot = \"site/sub\"\n",
    );
    assert_eq!(
        absolute(&sandbox.run("links site/sub")),
        ["https://e.org/x"]
    );
}
