//! Which files of a directory are documents, and what is said about the others.

use std::fs;
use std::io;

use super::Sandbox;
use crate::support::skip;

const PAGE: &str = "<!doctype html><a href=x.html>";

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
        sandbox.write(format!("b/{name}"), PAGE);
        let in_place = "rewrite -b https://x/ -i --detect html b";
        for options in [&format!("--backup={suffix}"), ""] {
            let ran = sandbox.run(&format!("{in_place} {options}"));
            ran.exits(0);
            let backup = sandbox.read(format!("b/{name}{suffix}"));
            assert_eq!(backup, PAGE, "{name} {suffix} {options}");
        }
        // What it leaves for no other reason than that, it says.
        let ran = sandbox.run("check --detect html -b https://x/ b");
        let said =
            format!("\nnote: left 1 backup: b/{name}{suffix}\nhint: give one as PATH to read it\n");
        ran.says(&said);
        // Nothing beside it: it is a page with a strange name.
        fs::remove_file(sandbox.path().join("b").join(name)).unwrap();
        let ran = sandbox.run("check --detect html -b https://x/ b");
        ran.says("1 relative link in 1 file");
    }
}
