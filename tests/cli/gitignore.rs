//! `--gitignore`: what git or ripgrep would leave out is left out, and counted.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::Sandbox;
use crate::support::skip;

/// A repository with a page in each of these files.
fn repository(files: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path().join(".git")).unwrap();
    for file in files {
        sandbox.write(file, "<a href=x>");
    }
    sandbox
}

/// The files that `check` lists references of.
fn checked(sandbox: &Sandbox, arguments: &str) -> BTreeSet<String> {
    let ran = sandbox.run(&format!("check {arguments}"));
    assert!(ran.code != Some(2), "{}", ran.stderr);
    let lines = ran.stdout.lines();
    lines
        .filter_map(|line| Some(line.split_once(':')?.0.to_owned()))
        .collect()
}

const FILES: [&str; 8] = [
    "top/a.html",
    "top/b.html",
    "top/build/c.html",
    "top/docs/a.html",
    "top/docs/build/d.html",
    "top/docs/keep.tmp.html",
    "top/docs/x.tmp.html",
    "top/only.html",
];

fn with_patterns() -> Sandbox {
    let sandbox = repository(&FILES);
    // Above PATH, in it, and in a directory below; the nearest that says something counts.
    sandbox.write(
        ".gitignore",
        "# generated\n/top/build/\n*.tmp.html\na.html\n",
    );
    sandbox.write("top/.gitignore", "!a.html\n/only.html\n");
    sandbox.write("top/docs/.gitignore", "!keep.tmp.html\n");
    sandbox.write("top/docs/.ignore", "build\n");
    sandbox.write("top/.ignore", "!/only.html\n");
    sandbox
}

/// git itself leaves out the same files.
#[test]
fn git_agrees() {
    if !skip::has_tool("git") {
        return;
    }
    let sandbox = with_patterns();
    fs::remove_file(sandbox.path().join("top/.ignore")).unwrap();
    fs::remove_file(sandbox.path().join("top/docs/.ignore")).unwrap();
    fs::remove_dir(sandbox.path().join(".git")).unwrap();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(sandbox.path());
        git.env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        let output = git.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    let listed = git(&["ls-files", "--others", "--exclude-standard", "top/*.html"]);
    let listed = listed.lines().map(str::to_owned).collect();
    assert_eq!(checked(&sandbox, "--gitignore top"), listed);
}

/// What a longer file leaves out is not known, so nothing beside or below it is read.
#[test]
fn a_file_of_patterns_has_a_limit() {
    const MOST: usize = 64 << 10;
    let sandbox = repository(&[
        "top/a.html",
        "top/b/b.html",
        "top/c/c.html",
        "top/c/d/d.html",
    ]);
    let patterns = |length: usize| "#\n".repeat(length / 2) + &"#".repeat(length % 2);
    sandbox.write("top/c/.ignore", patterns(MOST));
    assert_eq!(checked(&sandbox, "--gitignore top").len(), 4);
    sandbox.write("top/c/.ignore", patterns(MOST + 1));
    let ran = sandbox.run("check --gitignore top");
    ran.exits(2)
        .says("top/c/.ignore: cannot read: more than 64 KiB of patterns");
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    assert_eq!(checked(&sandbox, "top").len(), 4);
    // Above PATH as well; and so for several that are shorter.
    let ran = sandbox.run("check --gitignore top/c/d top/b");
    assert_eq!(
        (ran.code, ran.stdout.lines().count()),
        (Some(2), 1),
        "{}",
        ran.stderr
    );
    for (name, code) in [
        ("top/.ignore", 1),
        (".ignore", 1),
        (".gitignore", 1),
        ("top/c/.gitignore", 2),
    ] {
        sandbox.write("top/c/.ignore", patterns(MOST - 2));
        sandbox.write(name, patterns(MOST));
        sandbox.run("check --gitignore top").exits(code);
    }
    // Without a repository .gitignore says nothing.
    fs::remove_dir(sandbox.path().join(".git")).unwrap();
    sandbox.write(".gitignore", patterns(9 * MOST));
    sandbox.run("check --gitignore top").exits(1);
}

/// Whatever the number of PATHs, the files above them are read once.
#[cfg(target_os = "linux")]
#[test]
fn patterns_above_several_paths_are_read_once() {
    if !skip::has_tool("strace") {
        return;
    }
    let sandbox = repository(&["top/a/a.html", "top/b/b.html", "top/c/c.html"]);
    sandbox.write("top/.ignore", "x\n");
    let log = sandbox.path().join("log");
    let mut strace = Command::new("strace");
    let ran = strace
        .args(["-f", "-qq", "-e", "trace=openat", "-o"])
        .arg(&log)
        .arg(crate::support::links::abslink().get_program())
        .args(["check", "-q", "--gitignore", "top/a", "top/b", "top/c"])
        .current_dir(sandbox.path())
        .output();
    if !ran.is_ok_and(|ran| ran.status.code() == Some(1)) {
        return skip::right("strace may not trace here");
    }
    let calls = fs::read_to_string(log).unwrap();
    assert_eq!(calls.matches("/top/.ignore\"").count(), 1, "{calls}");
}
