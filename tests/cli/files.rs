//! Which files of a directory are documents, and what is said about the others.

use std::fs;
use std::io;

use super::Sandbox;
use crate::support::skip;

const PAGE: &str = "<!doctype html><a href=x.html>";
const DONE: &str = "<!doctype html><a href=https://x/x.html>";

/// A run with an option that the next one is without must not cost the originals.
#[test]
fn a_backup_is_not_rewritten_by_later_runs() {
    let sandbox = Sandbox::new();
    sandbox.write("b/p.html", PAGE);
    let in_place = "rewrite -q -b https://x/ -i --detect html b";
    for options in ["--backup .orig", "--backup .orig", "", "--backup .bak"] {
        let ran = sandbox.run(&format!("{in_place} {options}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(sandbox.read("b/p.html"), DONE);
        assert_eq!(sandbox.read("b/p.html.orig"), PAGE);
    }
    // Who names it means it.
    let ran = sandbox.run("rewrite -q -b https://x/ -i b/p.html.orig");
    assert_eq!(
        (ran.code, sandbox.read("b/p.html.orig").as_str()),
        (Some(0), "<!doctype html><a href=https://x/x.html>")
    );
}

/// Nothing of the original would be left.
#[test]
fn what_has_the_name_of_a_backup_and_is_none() {
    let sandbox = Sandbox::new();
    sandbox.write("a.html", "<a href=x>");
    fs::create_dir(sandbox.path().join("a.html.orig")).unwrap();
    let ran = sandbox.run("rewrite -b http://h/a.html -i --backup .orig a.html");
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("a.html.orig should be its backup"),
        "{}",
        ran.stderr
    );
    assert_eq!(sandbox.read("a.html"), "<a href=x>");
}

/// Whether files in a sandbox can have abslink's mark.
fn has_attributes(sandbox: &Sandbox) -> bool {
    let has = set_attribute(sandbox, "a.html", "user.abslink.probe", b"").is_ok();
    if !has {
        skip::tool("the file system of temporary files has no extended attributes");
    }
    has
}

#[cfg(unix)]
fn set_attribute(sandbox: &Sandbox, name: &str, attribute: &str, value: &[u8]) -> io::Result<()> {
    xattr::set(sandbox.path().join(name), attribute, value)
}

#[cfg(not(unix))]
fn set_attribute(_: &Sandbox, _: &str, _: &str, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Suffixes that make documents of backups, by their names or by their first bytes.
#[test]
fn a_backup_with_any_suffix_is_no_document() {
    for (name, suffix) in [
        ("p.html", ".html"),
        ("p.html", ".old"),
        ("p.html", "~"),
        ("p.html", ".x"),
        ("view", "-old"),
        ("view.php?id=3", ".bak"),
        ("view.php?id=3", ".orig"),
    ] {
        let sandbox = Sandbox::new();
        if !has_attributes(&sandbox) {
            return;
        }
        sandbox.write(&format!("b/{name}"), PAGE);
        let in_place = "rewrite -b https://x/ -i --detect html b";
        for options in [&format!("--backup={suffix}"), ""] {
            let ran = sandbox.run(&format!("{in_place} {options}"));
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let backup = sandbox.read(&format!("b/{name}{suffix}"));
            assert_eq!(backup, PAGE, "{name} {suffix} {options}");
        }
        // What it leaves for no other reason than that, it says.
        let ran = sandbox.run("check --detect html -b https://x/ b");
        let said =
            format!("\nnote: left 1 backup: b/{name}{suffix}\nhint: give one as PATH to read it\n");
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
        // Nothing beside it: it is a page with a strange name.
        fs::remove_file(sandbox.path().join("b").join(name)).unwrap();
        let ran = sandbox.run("check --detect html -b https://x/ b");
        assert!(
            ran.stderr.contains("1 relative link in 1 file"),
            "{}",
            ran.stderr
        );
    }
}

/// A tree with three pages that only their first bytes tell, and much that is none.
fn passed_over() -> Sandbox {
    let sandbox = Sandbox::new();
    for page in ["about", "view.php?id=3", "sub/show.aspx"] {
        sandbox.write(&format!("site/{page}"), PAGE);
    }
    // No page by their names; or by their first bytes.
    for other in [
        "a.css",
        "logo.png",
        "a.js?v=3",
        "index.html.bak",
        "index.html.orig",
    ] {
        sandbox.write(&format!("site/{other}"), PAGE);
    }
    sandbox.write("site/LICENSE", "As is.");
    sandbox.write("site/drafts/page", PAGE);
    sandbox
}

#[test]
fn every_command_says_what_was_not_taken() {
    let sandbox = passed_over();
    let line = "note: skipped 3 files that look like HTML\nhint: abslink ";
    for command in [
        "check",
        "links",
        "base",
        "rewrite --dry-run",
        "rewrite -o out",
    ] {
        let ran = sandbox.run(&format!("{command} -b http://h/ --exclude drafts site"));
        assert!(ran.stderr.contains(line), "{command}: {}", ran.stderr);
    }
    for option in ["--detect=html", "--include *.html"] {
        let ran = sandbox.run(&format!("check -b http://h/ {option} site"));
        assert!(
            !ran.stderr.contains("look like HTML"),
            "{option}: {}",
            ran.stderr
        );
    }
    let ran = sandbox.run("rewrite --dry-run -b http://h/ --format json site");
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["not_taken"], 4, "{summary}");
    // A file that is named is read, whatever it is called.
    let ran = sandbox.run("check -b http://h/ site/about");
    assert!(ran.stdout.starts_with("site/about:1:"), "{}", ran.stdout);
}

#[test]
fn a_ci_job_can_fail_on_what_was_not_taken() {
    let sandbox = passed_over();
    sandbox.write("site/index.html", "<a href=http://h/>");
    for command in ["check", "rewrite -o out -b http://h/"] {
        assert_eq!(sandbox.run(&format!("{command} site")).code, Some(0));
        for format in ["text", "json"] {
            let ran = sandbox.run(&format!("{command} --strict --format {format} site"));
            assert_eq!(ran.code, Some(2), "{ran:?}");
            let line = "error: skipped 4 files that look like HTML (an error with --strict)\nhint: abslink ";
            assert_eq!(ran.stderr.matches(line).count(), 1, "{}", ran.stderr);
        }
        let ran = sandbox.run(&format!("{command} -q --strict site"));
        assert!(
            ran.stderr.starts_with("error: skipped 4 files"),
            "{}",
            ran.stderr
        );
    }
    // With nothing passed over, it changes nothing.
    sandbox.write("clean/index.html", "<a href=http://h/>");
    assert_eq!(sandbox.run("check --strict clean").code, Some(0));
}

/// What may be a backup by its ending may be a page as well: that is not for a CI job to pass over.
#[test]
fn a_ci_job_can_fail_on_what_may_be_a_backup() {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", "<a href=http://h/>");
    sandbox.write("site/about", "As is.");
    sandbox.write("site/about_old", PAGE);
    for option in ["", "--detect=html"] {
        let command = format!("check {option} site");
        assert_eq!(sandbox.run(&command).code, Some(0));
        let ran = sandbox.run(&format!("{command} --strict"));
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let line =
            "error: skipped 1 file that looks like a backup by its name (an error with --strict)\n";
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    let ran = sandbox.run("rewrite --dry-run -b http://h/ --format json site");
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["not_taken"], 1, "{summary}");
}
