//! What is typed and what a file sets, where the two exclude each other.

use super::{project, refused};

/// A document on standard input has no place in a tree, so that the URL can only be its own, and it is said.
#[test]
fn what_is_about_names_of_files_is_not_about_standard_input() {
    for (settings, expected, names) in [
        ("base-url = \"http://h/d/\"", "http://h/d/x", "base-url"),
        (
            "paths = [\"site\"]\nbase-url = \"http://h/d/\"\nroot = \"site\"",
            "http://h/d/x",
            "base-url",
        ),
        (
            "base-url = \"http://h/d/\"\nlayout = \"tree\"\nindex = [\"i.html\"]",
            "http://h/d/x",
            "base-url, index",
        ),
        ("layout = \"wget\"\nany-host = true", "x", ""),
        (
            "url-map = \"map.csv\"\nurl-from = [\"map\"]\nroot = \"site\"",
            "x",
            "",
        ),
    ] {
        let sandbox = project(&format!("{settings}\n"));
        sandbox.write("map.csv", "path,url\nindex.html,https://e.org/mapped/\n");
        let ran = sandbox.run_with_input("rewrite -", "<a href=x>");
        let code = i32::from(names.is_empty());
        let expected = (Some(code), format!("<a href={expected}>"));
        assert_eq!((ran.code, ran.stdout), expected, "{settings}");
        let used = format!("settings from abslink.toml: {names}");
        let note = " (`-` is taken to be at base-url; -b says where it is)\n";
        let used = (!names.is_empty()).then(|| format!("{used}{note}"));
        let said = used.is_none_or(|used| ran.stderr.contains(&used));
        assert!(said, "{}", ran.stderr);
        let ran = sandbox.run_with_input("rewrite -b http://i/ -", "<a href=x>");
        assert_eq!(ran.stdout, "<a href=http://i/x>", "{}", ran.stderr);
        assert!(!ran.stderr.contains("taken to be"), "{}", ran.stderr);
    }
}

#[test]
fn the_typed_one_of_two_that_exclude_each_other_counts() {
    let site = "paths = [\"site\"]\nbase-url = \"https://e.org/\"\n";
    for (setting, typed) in [
        ("only = [\"canonical\"]", "check --skip css"),
        ("skip = [\"all\"]", "check --only links"),
        ("quiet = true", "check -v"),
        ("index = [\"none\"]", "check --index x.html"),
        ("detect = [\"html\"]", "check --detect none --strict"),
        (
            "baseline = \"none.jsonl\"",
            "check --write-baseline new.jsonl",
        ),
        ("dry-run = true", "rewrite --diff"),
        ("copy-others = true", "rewrite -i"),
        (
            "to = \"relative\"\nsite = [\"http://e.org/\"]",
            "check --to absolute",
        ),
        (
            "to = \"files\"\ntry-ext = [\".html\"]",
            "check --to relative",
        ),
        (
            "to = \"files\"\ntry-ext = [\".html\"]",
            "check --only-missing",
        ),
        ("only-missing = true", "check --to files"),
    ] {
        let sandbox = project(&format!("{site}{setting}\n"));
        let ran = sandbox.run(typed);
        assert_ne!(ran.code, Some(2), "{setting}, {typed}: {}", ran.stderr);
        assert!(ran.stderr.contains("paths, base-url\n"), "{}", ran.stderr);
    }
}

/// A web archive has its own URLs, whatever its tree has, and however it is named.
#[test]
fn the_url_of_a_tree_is_not_about_an_archive_in_it() {
    let archive = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/d/\r\n\
                   WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
                   Content-Type: text/html\r\nContent-Length: 10\r\n\r\n<a href=x>\r\n\r\n";
    let part = "[[files]]\ninclude = [\"site\"]\nbase-url = \"http://h/\"\n";
    for settings in [
        "base-url = \"http://h/\"\n",
        "url-map = \"map.csv\"\n",
        part,
    ] {
        let sandbox = project(settings);
        sandbox.write("map.csv", "path,url\n");
        sandbox.write("site/index.html", "");
        sandbox.write("site/a.warc", archive);
        for path in ["site/a.warc", "site", "site/a.warc site/a.warc"] {
            let ran = sandbox.run(&format!("links {path}"));
            assert!(
                ran.code == Some(0) && ran.stdout.contains("\"http://a/d/x\""),
                "{settings} {path}: {}",
                ran.stderr
            );
        }
        let ran = sandbox.run_with_input("links -", archive);
        assert!(ran.stdout.contains("\"http://a/d/x\""), "{}", ran.stderr);
        // What is typed is about what is typed with it.
        refused(
            &sandbox.run("links -b http://h/ site/a.warc"),
            "--base-url is not for web archives",
        );
    }
}
