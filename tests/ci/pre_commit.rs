//! `pre-commit try-repo`, with the hooks of this repository on a commit of somebody else's.
//!
//! What stands in for cargo installs the program that is tested: to build it once more would take
//! minutes, and that `cargo install` works is not what is looked at.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::cli::Sandbox;
#[cfg(unix)]
use crate::cli::config::hook::repository;
use crate::docs::readme::text;
use crate::support::skip;

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

/// The hooks of this repository as another one's, beside a directory `work` that is still to be made;
/// nothing where something is missing.
#[cfg(unix)]
fn hooks() -> Option<Sandbox> {
    use std::os::unix::fs::PermissionsExt as _;

    if !skip::has(".pre-commit-hooks.yaml") || !skip::has_tool("git") {
        return None;
    }
    skip::python("pre_commit")?;
    let sandbox = Sandbox::new();
    sandbox.write("programs/cargo", cargo());
    let program = sandbox.path().join("programs/cargo");
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    for file in [".pre-commit-hooks.yaml", "Cargo.toml"] {
        sandbox.write(format!("hooks/{file}"), text(file));
    }
    commit(&sandbox, "hooks");
    Some(sandbox)
}

/// Runs pre-commit in `work`.
#[cfg(unix)]
fn pre_commit(sandbox: &Sandbox, arguments: &[&str]) -> (Option<i32>, String) {
    let mut pre_commit = command(sandbox, skip::python("pre_commit").unwrap(), "work");
    let ran = pre_commit.args(arguments).output().unwrap();
    (
        ran.status.code(),
        String::from_utf8([ran.stdout, ran.stderr].concat()).unwrap(),
    )
}

#[cfg(unix)]
#[test]
#[ignore = "slow tier: another program"]
fn hooks_run_on_a_commit() {
    let Some(sandbox) = hooks() else {
        return;
    };
    sandbox.write("work/site/a b.HTML", "<a href=g>");
    sandbox.write("work/site/ok.html", "<a href=http://h/>");
    sandbox.write("work/notes.txt", "<a href=g>");
    sandbox.write("work/README.md", "[x](y)");
    commit(&sandbox, "work");
    let run = |hook: &str, files: &[&str]| {
        let fixed = ["try-repo", "../hooks", hook, "--verbose", "--files"];
        pre_commit(&sandbox, &[&fixed, files].concat())
    };
    let (code, said) = run(
        "abslink-check",
        &["site/a b.HTML", "site/ok.html", "notes.txt"],
    );
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("site/a b.HTML:1:9: <a href> g"), "{said}");
    assert!(said.contains("1 relative link in 2 files"), "{said}");
    let (code, said) = run("abslink-check", &["site/ok.html"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = run("abslink-check-markdown", &["README.md", "site/ok.html"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("README.md:1:5: <link> y"), "{said}");
    assert!(said.contains("1 relative link in 1 file"), "{said}");
    let (code, said) = run("abslink-check", &["notes.txt"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Skipped"), "{said}");
    // Without `args` it has no base URL, and says which option gives one.
    let (code, said) = run("abslink-rewrite", &["site/a b.HTML"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("hint: abslink rewrite --base-url URL"),
        "{said}"
    );
    let page = Path::new("work/site/a b.HTML");
    assert_eq!(sandbox.read(page), "<a href=g>");
}

/// A repository that has abslink.toml needs no args, and its CI job is `abslink check`.
#[cfg(unix)]
#[test]
#[ignore = "slow tier: another program"]
fn a_project_needs_no_args() {
    let Some(sandbox) = hooks() else {
        return;
    };
    repository(&sandbox, "work");
    sandbox.write("work/site/new.html", "<link rel=canonical href=new>");
    commit(&sandbox, "work");
    let fixed = ["try-repo", "../hooks", "abslink-check", "--verbose"];
    let run = |more: &[&str]| pre_commit(&sandbox, &[&fixed, more].concat());
    let (code, said) = run(&["--files", "site/old.html", "site/index.html"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("settings from abslink.toml: "), "{said}");
    let (code, said) = run(&["--all-files"]);
    let line = "site/new.html:1:26: <link href> new -> https://www.example.org/new";
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(line), "{said}");
    assert!(!said.contains("made.html:"), "{said}");
}

/// Names that strangers choose: a pull request may add any file.
#[cfg(unix)]
#[test]
#[ignore = "slow tier: another program"]
fn no_name_of_a_file_is_an_option() {
    let Some(sandbox) = hooks() else {
        return;
    };
    const HOSTILE: [&str; 7] = [
        "--exclude-url=|.html",
        "--format=html=../pwned.html",
        "--format=json=..\u{2215}pwned.html",
        "-jx.html",
        "-V.html",
        "--color=x\n::stop-commands::x.html",
        "--.html",
    ];
    for name in HOSTILE {
        sandbox.write(format!("work/{name}"), "<a href=g>");
    }
    sandbox.write("work/a.html", "<a href=g>");
    commit(&sandbox, "work");
    let (code, said) = pre_commit(
        &sandbox,
        &[
            "try-repo",
            "../hooks",
            "abslink-check",
            "--verbose",
            "--all-files",
        ],
    );
    assert_eq!(code, Some(1), "{said}");
    let all = format!("{0} relative links in {0} files", HOSTILE.len() + 1);
    assert!(said.contains(&all), "{said}");
    sandbox.lacks("pwned.html");

    // Own args: refused without `--`, whatever the names are.
    let mut git = command(&sandbox, Command::new("git"), "hooks");
    let head = git.args(["rev-parse", "HEAD"]).output().unwrap().stdout;
    let head = String::from_utf8(head).unwrap();
    let run = |id: &str, args: &str| {
        let config = format!(
            "repos: [{{repo: ../hooks, rev: {}, hooks: [{{id: {id}, args: [{args}]}}]}}]\n",
            head.trim()
        );
        sandbox.write("work/config.yaml", &config);
        let arguments = ["run", "--config", "config.yaml", "--verbose", "--all-files"];
        pre_commit(&sandbox, &arguments)
    };
    let (code, said) = run("abslink-check", "--strict");
    assert_eq!(code, Some(1), "{said}");
    let (_, refused) = run("abslink-rewrite", "--base-url=http://h/, --root=.");
    for name in HOSTILE.into_iter().chain(["a.html"]) {
        let page = fs::read_to_string(sandbox.path().join("work").join(name)).unwrap();
        assert_eq!(page, "<a href=g>", "{refused}");
    }
    sandbox.write("work/-V.html", "<a href=http://h/g>");
    let (code, said) = run("abslink-rewrite", "--base-url=http://h/, --root=., --");
    assert_eq!(code, Some(1), "it changed files: {said}");
    for name in HOSTILE.into_iter().chain(["a.html"]) {
        let page = fs::read_to_string(sandbox.path().join("work").join(name)).unwrap();
        assert!(page.contains("http://h/"), "{name}: {said}");
    }
    sandbox.lacks("pwned.html");
}

/// A hook whose args were replaced, and end without `--`, says what to do.
#[test]
#[ignore = "slow tier: another program"]
fn a_hook_without_the_mark_is_refused() {
    let sandbox = Sandbox::new();
    for line in [
        "check --hook a.html",
        "rewrite -i --hook -b http://h/ a.html",
    ] {
        let ran = sandbox.run(line);
        ran.exits(2).says("the hook needs `--`");
    }
    sandbox.run("check --hook -- a.html").exits(1);
}
