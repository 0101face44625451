//! `pre-commit try-repo`, with the hooks of this repository on a commit of somebody else's.
//!
//! What stands in for cargo installs the program that is tested: to build it once more would take
//! minutes, and that `cargo install` works is not what is looked at.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::cli::Sandbox;
use crate::readme::text;
use crate::skip;

/// `cargo install --bins --root ROOT --path .`, as pre-commit calls it for a hook in Rust.
fn cargo() -> String {
    format!(
        "#!/bin/sh\ncase $1 in\n--version) echo cargo ;;\n\
         install) test -f Cargo.toml && mkdir -p \"$4/bin\" && cp '{}' \"$4/bin/abslink\" ;;\nesac\n",
        env!("CARGO_BIN_EXE_abslink")
    )
}

/// A command in a directory below the sandbox, which is its home as well.
fn command(sandbox: &Sandbox, mut command: Command, directory: &str) -> Command {
    let programs = sandbox.path().join("programs");
    let path = std::env::var("PATH").unwrap();
    command
        .current_dir(sandbox.path().join(directory))
        .env("PATH", format!("{}:{path}", programs.display()))
        .env("HOME", sandbox.path())
        .env("PRE_COMMIT_HOME", sandbox.path().join("cache"))
        // A hook of git's, which may have started the tests, sets these.
        .env_remove("GIT_DIR")
        .env_remove("GIT_INDEX_FILE");
    command
}

/// Makes a directory a repository with one commit.
fn commit(sandbox: &Sandbox, directory: &str) {
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
            "commit",
            "--quiet",
            "-m",
            "m",
        ],
    ] {
        let mut git = command(sandbox, Command::new("git"), directory);
        let ran = git.args(arguments).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn hooks_run_on_a_commit() {
    use std::os::unix::fs::PermissionsExt as _;

    if !skip::has(".pre-commit-hooks.yaml") || !skip::has_tool("git") {
        return;
    }
    if skip::python("pre_commit").is_none() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("programs/cargo", &cargo());
    let program = sandbox.path().join("programs/cargo");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    for file in [".pre-commit-hooks.yaml", "Cargo.toml"] {
        sandbox.write(&format!("hooks/{file}"), &text(file));
    }
    commit(&sandbox, "hooks");
    sandbox.write("work/site/a b.HTML", "<a href=g>");
    sandbox.write("work/site/ok.html", "<a href=http://h/>");
    sandbox.write("work/notes.txt", "<a href=g>");
    commit(&sandbox, "work");
    let run = |hook: &str, files: &[&str]| {
        let mut pre_commit = command(&sandbox, skip::python("pre_commit").unwrap(), "work");
        let hooks = sandbox.path().join("hooks");
        pre_commit
            .arg("try-repo")
            .arg(hooks)
            .args([hook, "--verbose"]);
        let ran = pre_commit.arg("--files").args(files).output().unwrap();
        (
            ran.status.code(),
            String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap(),
        )
    };
    let (code, said) = run(
        "abslink-check",
        &["site/a b.HTML", "site/ok.html", "notes.txt"],
    );
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("site/a b.HTML:1:9: <a href> g (no base URL)"),
        "{said}"
    );
    assert!(
        said.contains("1 relative reference in 2 documents"),
        "{said}"
    );
    let (code, said) = run("abslink-check", &["site/ok.html"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run("abslink-check", &["notes.txt"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Skipped"), "{said}");
    // Without `args` it has no base URL, and says which option gives one.
    let (code, said) = run("abslink-rewrite", &["site/a b.HTML"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("--base-url gives one"), "{said}");
    let page = Path::new("work/site/a b.HTML");
    assert_eq!(
        fs::read_to_string(sandbox.path().join(page)).unwrap(),
        "<a href=g>"
    );
}
