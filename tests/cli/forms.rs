//! `--to`, `--site` and `--move-url`, by the command.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::links::abslink;

pub(super) fn run(arguments: &[&str], folder: &Path) -> (i32, String, String) {
    let done = abslink()
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        done.status.code().unwrap(),
        text(done.stdout),
        text(done.stderr),
    )
}

pub(super) fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

const PAGE: &str = "<a href=https://e.org/docs/x><a href=y><a href=/blog/><a href=https://o.org/>";

/// Below a directory PATH the tree is what --base-url stands for.
#[test]
fn a_tree_gets_relative_references() {
    let folder = tree(&[("in/a/b.html", PAGE)]);
    let to = ["--to", "relative", "-b", "https://e.org/docs/"];
    let rewrite = [&["rewrite", "-o", "out", "in"][..], &to].concat();
    let (code, out, error) = run(&rewrite, folder.path());
    assert_eq!((code, &*out), (0, ""), "{error}");
    assert!(
        error.starts_with("changed 2 links in 1 of 1 file ("),
        "{error}"
    );
    let counted = "\n--to relative: 1 written this way, 2 outside the tree\n";
    assert!(error.contains(counted), "{error}");
    let new = fs::read_to_string(folder.path().join("out/a/b.html")).unwrap();
    assert_eq!(
        new,
        "<a href=../x><a href=y><a href=https://e.org/blog/><a href=https://o.org/>"
    );
    // Nothing is left to do there.
    let check = [&["check", "out"][..], &to].concat();
    let (code, out, error) = run(&check, folder.path());
    assert_eq!((code, &*out), (0, ""), "{error}");
    assert!(error.starts_with("nothing to change in 1 file"), "{error}");
}

#[test]
fn check_lists_what_has_another_form() {
    let folder = tree(&[("in/a/b.html", PAGE)]);
    let to = ["check", "--to", "root", "-b", "https://e.org/docs/", "in"];
    let (code, out, error) = run(&to, folder.path());
    assert_eq!(code, 1, "{error}");
    assert_eq!(
        out,
        "in/a/b.html:1:9: <a href> https://e.org/docs/x -> /docs/x\n\
         in/a/b.html:1:38: <a href> y -> /docs/a/y\n"
    );
    assert!(error.starts_with("2 links to change in 1 file"), "{error}");
    let (_, out, _) = run(&[&to[..], &["--format", "github"]].concat(), folder.path());
    assert!(
        out.starts_with("::error file=in/a/b.html,line=1,col=9,endColumn=29,title=wrong-form::"),
        "{out}"
    );
    let (code, out, _) = run(&[&to[..], &["--format", "json"]].concat(), folder.path());
    let found: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((code, found.len()), (1, 2));
    assert_eq!(found[0]["outcome"], "absolute");
    assert!(
        out.lines()
            .next()
            .unwrap()
            .ends_with(r#""outcome":"absolute","to":"/docs/x"}"#),
        "{out}"
    );
    // Without the option there is no such field.
    let plain = [
        "check",
        "-b",
        "https://e.org/docs/",
        "--format",
        "json",
        "in",
    ];
    assert!(!run(&plain, folder.path()).1.contains("\"to\""));
}

#[test]
fn the_summary_for_programs_has_the_counts() {
    let folder = tree(&[("in/a/b.html", PAGE)]);
    let run = |options: &[&str]| {
        let all = [
            "rewrite",
            "--dry-run",
            "--format",
            "json",
            "-b",
            "https://e.org/docs/",
            "in",
        ];
        let (_, out, error) = run(&[&all[..], options].concat(), folder.path());
        serde_json::from_str::<Value>(&out).unwrap_or_else(|_| panic!("{error}"))
    };
    let summary = run(&[
        "--to",
        "relative",
        "--site",
        "https://o.org/",
        "--move-url",
        "https://x/=https://y/",
    ]);
    let counts = ["rewritten", "made_relative", "kept", "outside", "moved"].map(|it| &summary[it]);
    assert_eq!(counts, [3, 2, 0, 1, 0].map(Value::from).each_ref());
    let plain = run(&[]);
    assert!(
        plain.get("made_relative").is_none() && plain.get("moved").is_none(),
        "{plain}"
    );
}

/// A file or standard input is in no tree: its server is.
#[test]
fn a_file_is_on_its_server() {
    let folder = tree(&[("b.html", PAGE)]);
    let to = [
        "rewrite",
        "-q",
        "--to",
        "relative",
        "-b",
        "https://e.org/docs/a/b.html",
        "b.html",
    ];
    let expected = "<a href=../x><a href=y><a href=../../blog/><a href=https://o.org/>";
    assert_eq!(run(&to, folder.path()).1, expected);
    let sites = [&to[..], &["--site", "https://e.org/docs/"]].concat();
    let expected = "<a href=../x><a href=y><a href=https://e.org/blog/><a href=https://o.org/>";
    assert_eq!(run(&sites, folder.path()).1, expected);
}

/// A run with the wrong base URL is repaired, and the tree moves too.
#[test]
fn a_site_moves() {
    let folder = tree(&[("in/a/b.html", "<a href=https://wrong.org/d/a/c><a href=x>")]);
    let moves = [
        "-b",
        "https://wrong.org/d/",
        "--move-url",
        "https://wrong.org/=https://right.org/",
    ];
    let diff = [&["rewrite", "-q", "-o", "out", "in"][..], &moves].concat();
    let (code, ..) = run(&diff, folder.path());
    let new = fs::read_to_string(folder.path().join("out/a/b.html")).unwrap();
    assert_eq!(
        (code, &*new),
        (
            0,
            "<a href=https://right.org/d/a/c><a href=https://right.org/d/a/x>"
        )
    );
    let relative = [
        &["rewrite", "-q", "--to", "relative", "-o", "rel", "in"][..],
        &moves,
    ]
    .concat();
    run(&relative, folder.path());
    let new = fs::read_to_string(folder.path().join("rel/a/b.html")).unwrap();
    assert_eq!(new, "<a href=c><a href=x>");
    // What is absolute has no need of a base URL.
    let bare = [
        &["rewrite", "-q", "--verify", "-o", "bare", "in"][..],
        &moves[2..],
    ]
    .concat();
    let (code, _, error) = run(&bare, folder.path());
    let new = fs::read_to_string(folder.path().join("bare/a/b.html")).unwrap();
    let expected = "<a href=https://right.org/d/a/c><a href=x>";
    assert_eq!((code, &*new), (1, expected), "{error}");
}

#[test]
fn what_cannot_be_combined_is_said() {
    let folder = tree(&[("in/x.html", "<a href=x>")]);
    for (options, expected) in [
        (
            "--to root --only-missing",
            "--only-missing does not go with --to root",
        ),
        (
            "--site http://a/",
            "--site says what is in the tree for --to relative",
        ),
        ("--to relative --site docs/", "no scheme in --site docs/"),
        (
            "--move-url http://a/=http://b/c --move-url http://b/=http://d/",
            "one moves what the other has moved; give the final URL",
        ),
    ] {
        let line = format!("rewrite --dry-run -b http://h/ in {options}");
        let (code, _, error) = run(&line.split(' ').collect::<Vec<_>>(), folder.path());
        assert!(code == 2 && error.contains(expected), "{options}: {error}");
    }
}

/// What is read from elsewhere, or by readers that do not agree, has absolute references only.
#[test]
fn feeds_archives_and_named_parts_are_left() {
    let feed = "<rss><channel><item><link>http://h/p</link></item></channel></rss>";
    let named = "Content-Type: text/html\nContent-Location: http://h/a\n\n<a href=http://h/b>";
    let plain = "Content-Type: text/html\nContent-Base: http://h/a/\n\n<a href=http://h/b>";
    let folder = tree(&[
        ("in/f.rss", feed),
        ("in/n.eml", named),
        ("in/p.eml", plain),
        ("in/w.warc", ""),
    ]);
    let (code, _, error) = run(
        &["rewrite", "--to", "relative", "-o", "out", "in"],
        folder.path(),
    );
    assert_eq!(code, 2, "{error}");
    let written = fs::read_to_string(folder.path().join("out/f.rss")).unwrap();
    assert_eq!(written, feed);
    assert!(
        error.contains("in/n.eml: unchanged: its parts have URLs of their own"),
        "{error}"
    );
    assert!(
        error.contains("in/w.warc: unchanged: --to is not for web archives"),
        "{error}"
    );
    let new = fs::read_to_string(folder.path().join("out/p.eml")).unwrap();
    assert!(
        new.ends_with("<a href=\"../b\">") || new.ends_with("<a href=../b>"),
        "{new}"
    );
    let (code, _, error) = run(
        &["rewrite", "--to", "relative", "-o", "o2", "in/w.warc"],
        folder.path(),
    );
    assert!(
        code == 2 && error.contains("--to relative is not for web archives"),
        "{error}"
    );
}

/// No form shows a password that the absolute one does not.
#[test]
fn no_form_shows_a_password() {
    let page = "<a href=http://u:s3cr3t@h/d/x><a href=//u:s3cr3t@h/y><a href=http://h/z>";
    let folder = tree(&[("b.html", page)]);
    let moves = ["--move-url", "http://h/=http://u:s3cr3t@o/"];
    for options in [&["--to", "relative"][..], &["--to", "root"], &moves] {
        for format in [
            "text", "json", "github", "sarif", "gitlab", "junit", "markdown",
        ] {
            let check = [
                "check",
                "-b",
                "http://u:s3cr3t@h/d/b.html",
                "--format",
                format,
                "b.html",
            ];
            let (code, out, error) = run(&[&check[..], options].concat(), folder.path());
            assert_eq!(code, 1, "{error}");
            assert!(
                !out.contains("s3cr3t") && !error.contains("s3cr3t"),
                "{options:?} {out}{error}"
            );
        }
    }
}

/// What is remembered of the files around does not grow with the tree.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn many_files_take_no_more_memory() {
    let folder = tempfile::tempdir().unwrap();
    let tree = |name: &str, directories: usize| {
        for directory in 0..directories {
            let path = folder.path().join(name).join(format!("d{directory}"));
            fs::create_dir_all(&path).unwrap();
            for file in 0..50 {
                let other = (directory * 7 + file * 11 + 1) % directories;
                let page = format!(
                    "<a href=https://e.org/d{other}/f{file}.html><a href=../d{other}/f1.html>"
                );
                fs::write(path.join(format!("f{file}.html")), page).unwrap();
            }
        }
    };
    tree("few", 10);
    tree("many", 120);
    for form in ["relative", "root", "files"] {
        let peak = |name: &str| {
            let mut command = abslink();
            command.args(["rewrite", "-q", "--dry-run", "--to", form]);
            command.args(["-b", "https://e.org/", name]);
            let (ended, peak) = crate::support::peak::run(command.current_dir(folder.path()));
            assert!(ended.success(), "{form} {name}");
            peak
        };
        let (few, many) = (peak("few"), peak("many"));
        assert!(many < few + (6 << 20), "{form}: {few} {many}");
    }
}
