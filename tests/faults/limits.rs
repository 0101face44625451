//! Names and numbers at the end of what a system allows.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::*;
use crate::support::sandbox::Sandbox;

/// Runs `abslink` with these arguments under a limit that `sh` sets.
fn limited(limit: &str, arguments: &str, path: &Path) -> Ran {
    let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_abslink")]);
    Ran::of(shell.args(arguments.split(' ')).arg(path))
}

#[test]
fn few_open_files_are_enough() {
    let site = Site::new(2);
    limited("-n 32", IN_PLACE, site.path()).exits(0);
    assert_eq!(files(site.path()), site.new);
}

/// With more jobs than there are files to open, some documents fail and none is harmed.
#[test]
fn too_many_open_files_harm_none() {
    let site = Site::new(8);
    let ran = limited("-n 32", &format!("{IN_PLACE} -j 64"), site.path());
    let has_failed = ran.stderr.contains("Too many open files");
    ran.exits(if has_failed { 2 } else { 0 });
    let (_, others) = site.look();
    assert!(others.is_empty(), "{others:?}");
    site.finish();
}

/// What a quota does: a file may not grow beyond some size, and the system says so.
#[test]
fn a_file_that_may_not_grow_is_told() {
    let site = Site::new(1);
    let big = site.path().join("big.html");
    let old = format!("<a href=x>{}", "x".repeat(60_000));
    fs::write(&big, &old).unwrap();
    // In blocks of 512 bytes, or of 1024.
    let ran = limited("-f 16", IN_PLACE, site.path());
    ran.exits(2).says("big.html: cannot write");
    ran.says("File too large");
    assert_eq!(fs::read_to_string(&big).unwrap(), old);
    fs::remove_file(big).unwrap();
    assert_eq!(files(site.path()), site.new);
}

/// The diff of one message has no room; those before and behind it are shown whole.
#[test]
fn a_diff_that_has_no_room_is_not_shown_in_part() {
    let message = |name: &str, links: usize| {
        let html = format!("<a href={name}>\n").repeat(links);
        format!("From a@b Thu Jan  1 00:00:00 2026\nContent-Type: text/html\n\n{html}\n")
    };
    let mails = [
        message("one", 1),
        message("two", 40_000),
        message("three", 1),
    ];
    let sandbox = Sandbox::of(&[("a.mbox", &mails.concat())]);
    let command = format!("rewrite --diff -b https://e.org/{}/", "x".repeat(300));
    let ran = limited("-f 10000", &command, &sandbox.path().join("a.mbox"));
    ran.exits(2).says("File too large");
    let has = ["one", "two", "three"].map(|name| ran.stdout.contains(&format!("/{name}>")));
    assert_eq!(has, [true, false, true], "{}", ran.stderr);
}

/// A map of a million lines takes less than 300 MiB, of address space even.
#[test]
#[ignore = "slow tier: memory"]
fn a_map_of_a_million_lines() {
    let mut map = "path,url\n".to_owned();
    for number in (0..1_000_000).rev() {
        map.push_str(&format!("d/{number}.html,https://h/page?id={number}\n"));
    }
    let sandbox = Sandbox::of(&[("map.csv", &map), ("d/77.html", "<a href=x>")]);
    let map = sandbox.path().join("map.csv");
    let command = format!(
        "links -q -j 1 --include 77.html --url-map {}",
        map.display()
    );
    let ran = limited(&format!("-v {}", 300 << 10), &command, sandbox.path());
    ran.exits(0).shows("\"base\":\"https://h/page?id=77\"");
}

#[test]
fn a_name_of_255_bytes_leaves_no_room_for_a_backup() {
    let name = format!("{}.html", "n".repeat(250));
    let sandbox = Sandbox::of(&[(&name, "<a href=x>")]);
    let ran = sandbox.run(&format!("{IN_PLACE} --backup .orig ."));
    ran.exits(2).says("File name too long");
    assert_eq!(sandbox.read(&name), "<a href=x>");
    sandbox.run(&format!("{IN_PLACE} --fsync .")).exits(0);
    assert_eq!(files(sandbox.path()).len(), 1);
    let new = sandbox.read(&name);
    assert!(new.starts_with("<a href=https://"), "{new}");
}

#[test]
fn names_that_are_not_utf8() {
    let sandbox = Sandbox::of(&[]);
    let name = Path::new(OsStr::from_bytes(b"d\xe9/\xff\xfe.html"));
    write(
        sandbox.path(),
        &[(name.into(), b"<a href=x>".to_vec())].into(),
    );
    let ran = sandbox.run(&format!("{IN_PLACE} -v --backup ~ ."));
    ran.exits(0).says(
        "d\u{fffd}/\u{fffd}\u{fffd}.html: base URL https://docs.example.org/d%E9/%FF%FE.html",
    );
    let files = files(sandbox.path());
    assert_eq!(files[name], b"<a href=https://docs.example.org/d%E9/x>");
    assert_eq!(files.len(), 2);
}
