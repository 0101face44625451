//! `[[files]]`: documents of a part of the tree that are read in another way.

use super::{absolute, project, refused, run_in};
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

/// Of a part too.
#[test]
fn a_typed_option_replaces_what_a_part_says() {
    let sandbox = site(PARTS);
    let mut found = absolute(&sandbox.run("links -b http://h/ site"));
    found.sort();
    assert_eq!(found, ["http://h/blog/y", "http://h/docs/x", "http://h/x"]);
    let mut found = absolute(&sandbox.run("links --skip canonical site/blog"));
    found.sort();
    assert_eq!(found, ["https://blog.e.org/x"]);
    let found = absolute(&sandbox.run("links --no-config -b http://h/ site/blog"));
    assert_eq!(found.len(), 2);
    // Standard input is in no part.
    let ran = sandbox.run_with_input("links -b http://h/ -", "<a href=x>");
    assert_eq!(absolute(&ran), ["http://h/x"]);
}

#[test]
fn a_part_may_have_another_kind() {
    let xhtml =
        "<html xmlns='http://www.w3.org/1999/xhtml'><p title='<a>'/><script/><a href='x'/></html>";
    let sandbox = project(
        "[[files]]\ninclude = [\"x\"]\nas = \"xhtml\"\n[[files]]\ninclude = [\"y\"]\nskip = [\"links\"]\n",
    );
    sandbox.write("x/p.html", xhtml);
    sandbox.write("y/p.html", xhtml);
    sandbox.write("y/q.html", "<a href=x><p style='background:url(i)'>");
    let found = |path: &str| absolute(&sandbox.run(&format!("links -b http://h/ {path}")));
    assert_eq!(found("x"), ["http://h/x"]);
    assert_eq!(found("x/p.html"), ["http://h/x"]);
    // In HTML the script does not end.
    assert!(found("y/p.html").is_empty());
    assert_eq!(found("y/q.html"), ["http://h/i"]);
    assert!(found("--as html x").len() < 2);
}

#[test]
fn a_document_outside_the_root_of_its_part_has_no_url() {
    let sandbox = project(
        "[[files]]\ninclude = [\"site\"]\nbase-url = \"http://h/\"\nroot = \"elsewhere\"\n",
    );
    sandbox.write("elsewhere/a.html", "");
    let ran = sandbox.run("check site");
    assert_eq!(
        ran.stdout, "site/index.html:1:9: <a href> sub/g (no base URL)\n",
        "{}",
        ran.stderr
    );
}

#[test]
fn what_a_part_cannot_say() {
    for (table, message) in [
        ("base-url = \"http://h/\"", "1:1: [[files]] has no include"),
        (
            "include = [\"a\"]\nstrict = true",
            "3:1: unknown key `strict` in [[files]]; expected include, as, base-url, ",
        ),
        (
            "include = 3",
            "2:11: `include`: expected a string, or an array of strings",
        ),
        ("include = [\"a[\"]", "2:11: "),
        (
            "include = [\"a\"]\nonly = [\"nope\"]",
            "3:8: only: unknown value `nope`\nhint: one of links, canonical, ",
        ),
        (
            "include = [\"a\"]\noutput = \"x\"",
            "3:1: unknown key `output` in [[files]]; expected include",
        ),
    ] {
        let sandbox = project(&format!("[[files]]\n{table}\n"));
        refused(
            &sandbox.run("check site"),
            &format!("error: abslink.toml:{message}"),
        );
    }
    for (settings, column) in [
        ("[files]\ninclude = [\"a\"]\n", 2),
        ("files = 1\n", 1),
        ("files = [1]\n", 10),
    ] {
        let sandbox = project(settings);
        let expected = "`files`: expected a table for each part of the tree, as in [[files]]";
        refused(
            &sandbox.run("check site"),
            &format!("error: abslink.toml:1:{column}: {expected}"),
        );
    }
}

#[test]
fn config_shows_parts() {
    let sandbox = site(PARTS);
    let ran = sandbox.run("config");
    let parts = "[[files]]\n\
                 include = [\"site/blog/**\"]          # abslink.toml:5\n\
                 base-url = \"https://blog.e.org/\"  ";
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        squeezed(&ran.stdout).contains(&squeezed(parts)),
        "{}",
        ran.stdout
    );
}
