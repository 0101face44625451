//! `[[files]]`: documents of a part of the tree that are read in another way.

use super::{absolute, project, run_in};
use crate::cli::Sandbox;

/// Pages in blog/ and docs/, and one beside them.
fn site(settings: &str) -> Sandbox {
    let sandbox = project(settings);
    sandbox.write("site/index.html", "<a href=x>");
    sandbox.write("site/blog/p.html", "<a href=x><link rel=canonical href=y>");
    sandbox.write("site/docs/d.html", "<a href=x>");
    sandbox
}

const PARTS: &str = "\
paths = [\"site\"]
base-url = \"https://e.org/\"

[[files]]
include = [\"site/blog/**\"]
base-url = \"https://blog.e.org/\"
root = \"site/blog\"
only = [\"canonical\"]

[[files]]
include = [\"docs\", \"blog\"]
base-url = \"https://d.e.org/a/\"
";

#[test]
fn the_first_part_that_matches_counts() {
    let sandbox = site(PARTS);
    let all = [
        "https://blog.e.org/y",
        // Its URL stands for the directory of the file.
        "https://d.e.org/a/site/docs/x",
        "https://e.org/x",
    ];
    for jobs in ["-j1", "-j3"] {
        let mut found = absolute(&sandbox.run(&format!("links {jobs}")));
        found.sort();
        assert_eq!(found, all);
    }
    let ran = sandbox.run("links");
    assert!(
        ran.stderr.contains(
            "settings from abslink.toml: paths, base-url, files (base-url, only, root)\n"
        ),
        "{}",
        ran.stderr
    );
    // For a PATH as for a directory, from wherever it is typed.
    for (directory, path) in [
        (".", "site/blog/p.html"),
        ("site", "blog"),
        ("site/blog", "./p.html"),
        ("site/docs", "../blog/p.html"),
    ] {
        assert_eq!(
            absolute(&run_in(&sandbox, directory, &format!("links {path}"))),
            all[..1],
            "{path}"
        );
    }
    let ran = sandbox.run("rewrite -o out");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let text = |name: &str| std::fs::read_to_string(sandbox.path().join("out").join(name)).unwrap();
    assert_eq!(
        text("blog/p.html"),
        "<a href=x><link rel=canonical href=https://blog.e.org/y>"
    );
    assert_eq!(
        text("docs/d.html"),
        "<a href=https://d.e.org/a/site/docs/x>"
    );
    let ran = sandbox.run("rewrite --verify -i");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = sandbox.run("check");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), ""), "{}", ran.stderr);
    let bases = site(PARTS).run("base").stdout;
    for base in [
        "https://blog.e.org/p.html",
        "https://d.e.org/a/site/docs/d.html",
        "https://e.org/",
    ] {
        assert!(bases.contains(base), "{bases}");
    }
}
