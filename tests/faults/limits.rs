//! Names and numbers at the end of what a system allows.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::*;

/// Runs `abslink` with these arguments under a limit that `sh` sets.
fn limited(limit: &str, arguments: &[&OsStr]) -> Output {
    let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_abslink")])
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn few_open_files_are_enough() {
    let site = Site::new(2);
    let arguments = ["rewrite", "-b", BASE, "-i"].map(OsStr::new);
    let arguments = [&arguments[..], &[site.path().as_os_str()]].concat();
    let run = limited("-n 32", &arguments);
    let (code, said) = ended(&run);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(files(site.path()), site.new);
}

/// With more jobs than there are files to open, some documents fail and none is harmed.
#[test]
fn too_many_open_files_harm_none() {
    let site = Site::new(8);
    let arguments = ["rewrite", "-b", BASE, "-j", "64", "-i"].map(OsStr::new);
    let arguments = [&arguments[..], &[site.path().as_os_str()]].concat();
    let run = limited("-n 32", &arguments);
    let (code, said) = ended(&run);
    let expected = match said.contains("Too many open files") {
        true => 2,
        false => 0,
    };
    assert_eq!(code, Some(expected), "{said}");
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
    let arguments = ["rewrite", "-b", BASE, "-i"].map(OsStr::new);
    let arguments = [&arguments[..], &[site.path().as_os_str()]].concat();
    let run = limited("-f 16", &arguments);
    let (code, said) = ended(&run);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("big.html: cannot write") && said.contains("File too large"),
        "{said}"
    );
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
    let folder = tempfile::tempdir().unwrap();
    let mailbox = folder.path().join("a.mbox");
    fs::write(
        &mailbox,
        [
            message("one", 1),
            message("two", 40_000),
            message("three", 1),
        ]
        .concat(),
    )
    .unwrap();
    let base = format!("https://e.org/{}/", "x".repeat(300));
    let arguments = ["rewrite", "--diff", "-b", &base].map(OsStr::new);
    let arguments = [&arguments[..], &[mailbox.as_os_str()]].concat();
    let run = limited("-f 10000", &arguments);
    let (code, said) = ended(&run);
    let shown = String::from_utf8_lossy(&run.stdout);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("File too large"), "{said}");
    let has = ["one", "two", "three"].map(|name| shown.contains(&format!("/{name}>")));
    assert_eq!(has, [true, false, true], "{said}");
}

/// A map of a million lines takes less than 300 MiB, of address space even.
#[test]
#[ignore = "slow tier: memory"]
fn a_map_of_a_million_lines() {
    let directory = tempfile::tempdir().unwrap();
    let mut map = "path,url\n".to_owned();
    for number in (0..1_000_000).rev() {
        map.push_str(&format!("d/{number}.html,https://h/page?id={number}\n"));
    }
    fs::write(directory.path().join("map.csv"), map).unwrap();
    fs::create_dir(directory.path().join("d")).unwrap();
    fs::write(directory.path().join("d/77.html"), "<a href=x>").unwrap();
    let place = |name: &str| directory.path().join(name).into_os_string();
    let (map, root) = (place("map.csv"), place(""));
    let arguments = [
        "links",
        "-q",
        "-j",
        "1",
        "--include",
        "77.html",
        "--url-map",
    ]
    .map(OsStr::new);
    let run = limited(
        &format!("-v {}", 300 << 10),
        &[&arguments[..], &[&map, &root]].concat(),
    );
    let (code, said) = ended(&run);
    assert_eq!(code, Some(0), "{said}");
    let line = String::from_utf8_lossy(&run.stdout);
    assert!(line.contains("\"base\":\"https://h/page?id=77\""), "{line}");
}

#[test]
fn a_name_of_255_bytes_leaves_no_room_for_a_backup() {
    let directory = tempfile::tempdir().unwrap();
    let name = format!("{}.html", "n".repeat(250));
    let path = directory.path().join(&name);
    fs::write(&path, "<a href=x>").unwrap();
    let rewrite = |options: &[&str]| {
        let run = abslink()
            .args(["rewrite", "-b", BASE, "-i"])
            .args(options)
            .arg(directory.path())
            .output()
            .unwrap();
        ended(&run)
    };
    let (code, said) = rewrite(&["--backup", ".orig"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("File name too long"), "{said}");
    assert_eq!(fs::read(&path).unwrap(), b"<a href=x>");
    assert_eq!(rewrite(&["--fsync"]).0, Some(0));
    assert_eq!(files(directory.path()).len(), 1);
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .starts_with("<a href=https://")
    );
}

#[test]
fn names_that_are_not_utf8() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory
        .path()
        .join(OsStr::from_bytes(b"d\xe9/\xff\xfe.html"));
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "<a href=x>").unwrap();
    let run = abslink()
        .args(["rewrite", "-v", "-b", BASE, "-i", "--backup", "~"])
        .arg(directory.path())
        .output()
        .unwrap();
    let (code, said) = ended(&run);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains(
            "d\u{fffd}/\u{fffd}\u{fffd}.html: base URL https://docs.example.org/d%E9/%FF%FE.html"
        ),
        "{said}"
    );
    assert_eq!(
        fs::read(&path).unwrap(),
        b"<a href=https://docs.example.org/d%E9/x>"
    );
    assert_eq!(files(directory.path()).len(), 2);
}
