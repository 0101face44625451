//! `--dry-run` and `--diff`: the real command and one word more.

use std::fs;

use super::Sandbox;

/// The summary without its first line, which says that nothing was written, and how long it took.
fn rest(stderr: &str) -> &str {
    stderr.split_once('\n').map_or("", |(_, rest)| rest)
}

#[test]
fn they_go_with_every_destination() {
    for command in [
        "rewrite -b http://h/ -o new/out --copy-others --fsync site",
        "rewrite -b http://h/ -o old --copy-others site a.html --root .",
        "rewrite -b http://h/ -i --backup .orig site",
        "rewrite -b http://h/ a.html",
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("site/style.css", "");
        sandbox.write("site/clean.html", "");
        sandbox.write("old/site/index.html", "older");
        sandbox.write("old/gone.html", "");
        let tried = sandbox.run(&format!("{command} --dry-run"));
        let shown = sandbox.run(&format!("{command} --diff"));
        let wrote_nothing = "dry run: would make ";
        for ran in [&tried, &shown] {
            ran.exits(0).begins(wrote_nothing);
        }
        tried.prints("");
        shown.shows("\n+<a href=http://h/");
        sandbox.lacks("new");
        sandbox.lacks("site/index.html.orig");
        let read = |name| sandbox.read(name);
        assert_eq!(read("site/index.html"), "<a href=sub/g>");
        assert_eq!(read("old/site/index.html"), "older");
        sandbox.lacks("old/a.html");
        let done = sandbox.run(command);
        assert_eq!(rest(&tried.stderr), rest(&done.stderr));
        assert_eq!(rest(&shown.stderr), rest(&done.stderr));
    }
}

/// A copy of a link is in the way of a later run that follows links.
#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("elsewhere/a.html", "<a href=g>");
    let link = sandbox.path().join("site/link");
    std::os::unix::fs::symlink("../elsewhere", link).unwrap();
    let command = "rewrite -b http://h/ --copy-others -o out site";
    sandbox.run(command).exits(0);
    for option in ["--dry-run", ""] {
        let ran = sandbox.run(&format!("{command} --follow {option}"));
        ran.exits(2);
        let line = "error: site/link/a.html: cannot write out/link/a.html: link is a symbolic link, \
                    and nothing is written through one; remove it and run again";
        assert!(
            ran.stderr.lines().any(|said| said == line),
            "{}",
            ran.stderr
        );
    }
    let written = fs::read_to_string(sandbox.path().join("elsewhere/a.html"));
    assert_eq!(written.unwrap(), "<a href=g>");
}

/// What another program wrote while a run was killed is named by every command that comes by.
#[cfg(unix)]
#[test]
fn an_edit_that_was_kept_is_told() {
    let sandbox = Sandbox::new();
    let leftover = "site/.abslink-0000000000000001-2-3.old";
    sandbox.write(leftover, "an edit");
    for command in [
        "check -b http://h/ site",
        "links -b http://h/ site",
        "rewrite -b http://h/ -o out site",
        "rewrite -b http://h/ -i --dry-run site",
        "rewrite -b http://h/ -i --dry-run site/index.html",
        "rewrite -b http://h/ -i site",
    ] {
        let ran = sandbox.run(command);
        let said = ran.stderr.matches("-2-3.old was left by a killed run; ");
        assert_eq!(said.count(), 1, "{command}: {}", ran.stderr);
        assert_eq!(sandbox.read(leftover), "an edit");
    }
}
