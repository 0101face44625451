//! What Windows does in its own way: names, paths, open files, arguments. .ci/windows runs these, and the
//! others, under wine.

use std::fs::{self, OpenOptions};
use std::os::windows::ffi::OsStringExt as _;
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::Path;

use super::{Ran, Sandbox};
use crate::support::same;

const BASE: &str = "https://h/d/";

fn read(sandbox: &Sandbox, name: &str) -> String {
    sandbox.read(name)
}

/// Lines on standard error that name a failure.
fn errors(ran: &Ran) -> Vec<&str> {
    ran.stderr
        .lines()
        .filter(|line| line.contains("a.html") && !line.contains("https://"))
        .collect()
}

#[test]
fn a_file_that_another_program_has_open_is_left() {
    let sandbox = Sandbox::new();
    sandbox.write("site/b.html", "<a href=x>");
    // As editors and browsers hold files: nobody may write to it, or remove it.
    const FILE_SHARE_READ: u32 = 1;
    let held = OpenOptions::new()
        .read(true)
        .share_mode(FILE_SHARE_READ)
        .open(sandbox.path().join("site/index.html"))
        .unwrap();
    let ran = sandbox.run(&format!("rewrite -b {BASE} -i --backup .orig site"));
    ran.exits(2);
    let lines = ran
        .stderr
        .lines()
        .filter(|line| line.contains("index.html"));
    assert_eq!(lines.count(), 1, "{ran:?}");
    drop(held);
    assert_eq!(read(&sandbox, "site/index.html"), "<a href=sub/g>");
    assert_eq!(read(&sandbox, "site/b.html"), "<a href=https://h/d/x>");
    let left = fs::read_dir(sandbox.path().join("site")).unwrap();
    let mut left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["b.html", "b.html.orig", "index.html"]);
}

#[test]
fn a_read_only_file_is_left() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("a.html");
    let mut permissions = path.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    let ran = sandbox.run(&format!("rewrite -b {BASE}a.html -i a.html"));
    ran.exits(2);
    assert_eq!(errors(&ran).len(), 1, "{ran:?}");
    assert_eq!(read(&sandbox, "a.html"), "<a href=g>");
    // Or the directory could not be removed.
    #[expect(
        clippy::permissions_set_readonly_false,
        reason = "it is the attribute of Windows"
    )]
    permissions.set_readonly(false);
    fs::set_permissions(&path, permissions).unwrap();
}

#[test]
fn names_that_the_system_takes_for_something_else_are_no_files() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "site/index.html",
        "<a href=there.html><a href=con><a href=aux.html><a href=there.html.><a href=./there.html::$DATA>\
         <a href='there.html '><a href=..%5ca.html>",
    );
    sandbox.write("site/there.html", "<p>");
    let ran = sandbox.run(&format!("rewrite -b {BASE} -o out --only-missing site"));
    ran.exits(0);
    same(
        "out/index.html",
        read(&sandbox, "out/index.html"),
        "<a href=there.html><a href=https://h/d/con><a href=https://h/d/aux.html>\
         <a href=https://h/d/there.html.><a href=https://h/d/there.html::$DATA>\
         <a href='there.html '><a href=https://h/d/..%5ca.html>",
    );
    for name in ["con", "NUL.html", "a.html.", "a.html::$DATA"] {
        let ran = sandbox.run(&format!("rewrite -b {BASE} --as html {name}"));
        ran.exits(2).prints("");
    }
}

#[test]
fn case_does_not_tell_files_apart() {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", "<a href=There.HTML><a href=gone.html>");
    sandbox.write("site/there.html", "<p>");
    let ran = sandbox.run(&format!("rewrite -b {BASE} -o out --only-missing SITE"));
    ran.exits(0);
    let expected = "<a href=There.HTML><a href=https://h/d/gone.html>";
    assert_eq!(read(&sandbox, "out/index.html"), expected);
    for [one, other] in [["index", "INDEX"], ["é", "É"]] {
        let [one, other] = [format!("site/{one}.html"), format!("other/{other}.html")];
        sandbox.write(&one, "<p>");
        sandbox.write(&other, "<p>");
        let ran = sandbox.run(&format!("rewrite -b {BASE} --root . -o new {one} {other}"));
        // One would take the place of the other.
        ran.exits(2);
    }
}

#[test]
fn paths_of_every_spelling() {
    let sandbox = Sandbox::new();
    sandbox.write(r"site\sub\b.html", "<a href=x>");
    let absolute = sandbox.path().join(r"site");
    let verbatim = absolute.canonicalize().unwrap();
    assert!(
        verbatim.to_str().unwrap().starts_with(r"\\?\"),
        "{verbatim:?}"
    );
    let drive = absolute.to_str().unwrap().replace('\\', "/");
    for (number, path) in [
        r"site\",
        r".\site",
        r"site\sub\..",
        &*drive,
        verbatim.to_str().unwrap(),
    ]
    .iter()
    .enumerate()
    {
        let mut command = sandbox.abslink(&format!("rewrite -b {BASE} -o out{number}"));
        let ran = Ran::from(&command.arg(path).output().unwrap());
        ran.exits(0);
        let written = read(&sandbox, &format!(r"out{number}\sub\b.html"));
        assert_eq!(written, "<a href=https://h/d/sub/x>", "{path}");
    }
    let ran = sandbox.run(&format!(
        r"rewrite -b {BASE} --root .\site -i site\sub\b.html"
    ));
    ran.exits(0);
    assert_eq!(
        read(&sandbox, "site/sub/b.html"),
        "<a href=https://h/d/sub/x>"
    );
    // Patterns have `/`, and so do the paths that others read.
    let ran = sandbox.run(r"check -b https://h/ --exclude site/sub --format sarif .");
    ran.shows("site/index.html");
    assert!(!ran.stdout.contains("sub/b.html"), "{ran:?}");
}

/// The system allows 260 characters for a path, unless it is spelled in a way that Rust's library chooses.
#[test]
fn long_paths() {
    let sandbox = Sandbox::new();
    let deep = format!(r"site\{}", [&*"d".repeat(60); 6].join("\\"));
    let path = sandbox.path().join(&deep);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("a.html"), "<a href=x>").unwrap();
    for arguments in ["-o out site", "-i --backup .orig site"] {
        let ran = sandbox.run(&format!("rewrite -b {BASE} {arguments}"));
        ran.exits(0);
    }
    let below = deep.strip_prefix(r"site\").unwrap().replace('\\', "/");
    let expected = format!("<a href=https://h/d/{below}/x>");
    for tree in ["site", "out"] {
        let path = sandbox.path().join(tree).join(&below).join("a.html");
        assert_eq!(fs::read_to_string(path).unwrap(), expected);
    }
}

/// cmd.exe and PowerShell hand on what was typed.
#[test]
fn wildcards_are_replaced() {
    let sandbox = Sandbox::new();
    sandbox.write("b.html", "<a href=x>");
    sandbox.write("c.txt", "no page");
    for (typed, code, files) in [
        ("*.HTML", Some(1), &["a.html", "b.html"][..]),
        (r"s*\index.h*", Some(1), &[r"site\index.html"]),
        ("?.html", Some(1), &["a.html", "b.html"]),
        ("*.xml", Some(2), &[]),
    ] {
        let ran = sandbox.run(&format!("check {typed}"));
        assert_eq!(ran.code, code, "{typed} {ran:?}");
        let mut found: Vec<_> = ran
            .stdout
            .lines()
            .filter_map(|line| line.split(':').next())
            .collect();
        found.dedup();
        assert_eq!(found, files, "{typed}");
    }
}

#[test]
fn maps_with_other_separators_and_line_ends() {
    let sandbox = Sandbox::new();
    sandbox.write("map.csv", "path,url\r\nsub\\b.html,https://h/e/b\r\n");
    sandbox.write(
        "map.jsonl",
        "{\"path\": \"sub\\\\b.html\", \"url\": \"https://h/e/b\"}\r\n",
    );
    sandbox.write("site/sub/b.html", "<a href=x>");
    for map in ["map.csv", "map.jsonl"] {
        let ran = sandbox.run(&format!(
            "rewrite --url-map {map} -o {map}.out site/sub --root site"
        ));
        ran.exits(0);
        assert_eq!(
            read(&sandbox, &format!("{map}.out/b.html")),
            "<a href=https://h/e/x>"
        );
    }
}

#[test]
fn arguments_of_any_characters() {
    let sandbox = Sandbox::new();
    for name in ["é—→ 漢字 😀", "x&y%z^"] {
        sandbox.write(&format!("{name}/p.html"), "<a href=x>");
        let mut command = sandbox.abslink("rewrite -b https://h/ -o out");
        let ran = Ran::from(
            &command
                .arg(Path::new(name).join("p.html"))
                .args(["--root", "."])
                .output()
                .unwrap(),
        );
        ran.exits(0);
        assert!(read(&sandbox, "out/p.html").starts_with("<a href=https://h/"));
    }
    // Half of a surrogate pair is no text, and no shell of others can type it.
    let half = std::ffi::OsString::from_wide(&[0x61, 0xd800]);
    let ran = Ran::by(sandbox.abslink("check").arg(half));
    ran.exits(2);
}

/// Old consoles show 256 characters. What abslink itself says has none beyond ASCII; names and URLs may.
#[test]
fn messages_are_ascii() {
    let sandbox = Sandbox::new();
    for arguments in [
        "rewrite -b https://h/ -o out --verify .",
        "check .",
        "base .",
        "--help",
        "rewrite -x",
        "restore --backup .o .",
    ] {
        let ran = sandbox.run(arguments);
        assert!(ran.stdout.is_ascii() && ran.stderr.is_ascii(), "{ran:?}");
    }
}

#[test]
fn what_may_have_been_edited_is_restored_by_force_only() {
    let sandbox = Sandbox::new();
    let before = read(&sandbox, "a.html");
    sandbox.run(&format!("rewrite -b {BASE} -i --backup .orig a.html"));
    let after = read(&sandbox, "a.html");
    assert_ne!(before, after);
    let ran = sandbox.run("restore --backup .orig a.html");
    let said = "a.html: may have been edited since the backup was made; skipped";
    assert!(ran.code == Some(1) && ran.stderr.contains(said), "{ran:?}");
    assert_eq!(read(&sandbox, "a.html"), after);
    let ran = sandbox.run("restore --backup .orig --force a.html");
    ran.exits(0);
    assert_eq!(read(&sandbox, "a.html"), before);
}

#[test]
fn colours_are_escapes_where_they_are_asked_for() {
    let sandbox = Sandbox::new();
    for (color, is_coloured) in [("always", true), ("auto", false), ("never", false)] {
        let ran = sandbox.run(&format!("check --color {color} a.html"));
        assert_eq!(ran.stdout.contains('\u{1b}'), is_coloured, "{ran:?}");
    }
}
