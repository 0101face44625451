//! A repository whose hook and CI job is `abslink check`, and nothing else is said there.

use std::process::Command;

use super::{refused, run_in};
use crate::cli::{Ran, Sandbox};
use crate::docs::readme::text;
use crate::support::skip;

/// The block of docs/config.md that begins with this line.
fn block(first: &str) -> String {
    let text = text("docs/config.md");
    let (_, rest) = text
        .split_once(&format!("\n{first}\n"))
        .unwrap_or_else(|| panic!("{first}"));
    format!("{first}\n{}", rest.split_once("```").unwrap().0)
}

/// Makes a directory what a repository has: the settings of docs/config.md, something that git ignores, and a
/// reference that was there before, which is written down.
pub(crate) fn repository(sandbox: &Sandbox, directory: &str) {
    let write = |name: &str, text: &str| sandbox.write(format!("{directory}/{name}"), text);
    write(".git/HEAD", "");
    write("abslink.toml", &block("# abslink.toml"));
    write(".gitignore", "build/\n");
    write("site/build/made.html", "<link rel=canonical href=made>");
    write("site/old.html", "<link rel=canonical href=old>");
    write("site/index.html", "<a href=sub/g>");
    let ran = run_in(sandbox, directory, "check --write-baseline known.jsonl");
    ran.exits(0).says("known.jsonl: 1 link\n");
    std::fs::remove_dir_all(sandbox.path().join(directory).join(".git")).unwrap();
}

#[test]
fn check_alone_does_the_job() {
    let sandbox = Sandbox::new();
    repository(&sandbox, ".");
    if !skip::has_tool("git") {
        return;
    }
    let git = Command::new("git")
        .args(["init", "-q"])
        .current_dir(sandbox.path())
        .status();
    assert!(git.unwrap().success());
    let ran = sandbox.run("check");
    ran.exits(0).prints("");
    for line in [
        "no new relative links in 2 files, 1 in the baseline (",
        "--gitignore: skipped 1 file or directory\n",
        "settings from abslink.toml: ",
    ] {
        ran.says(line);
    }
    sandbox.write("site/new.html", "<link rel=canonical href=new>");
    let ran = sandbox.run("check");
    let line = "site/new.html:1:26: <link href> new -> https://www.example.org/new\n";
    ran.exits(1).prints(line);
    // As the hook calls it: with names of files, or without any.
    let ran = sandbox.run("check --hook -- site/new.html site/old.html");
    ran.exits(1).prints(line);
    let ran = sandbox.run("check --hook --");
    ran.exits(1).prints(line);
    // A name may still not be an option.
    let ran: Ran = sandbox.run("check --hook -jx.html");
    refused(&ran, "");
    let ran = sandbox.run("check --hook");
    refused(&ran, "the hook needs `--`");
}
