//! What people type first, and what they are told.

use std::fs;

use super::Sandbox;

/// Runs it, and looks for a line of the error, or for what must not be in it.
#[track_caller]
fn is_told(sandbox: &Sandbox, arguments: &str, said: &str) -> String {
    let ran = sandbox.run(arguments);
    assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
    assert!(ran.stderr.contains(said), "{arguments}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{arguments}");
    ran.stderr
}

#[test]
fn a_url_is_no_path() {
    let sandbox = Sandbox::new();
    for (url, said) in [
        (
            "https://h.example/a",
            "abslink does not download\nhint: save the page, then abslink ",
        ),
        ("HTTP://h/", "HTTP://h/: abslink does not download\n"),
        (
            "s3://bucket/key",
            "abslink does not download\nhint: copy the files to this computer, or read them with Spark: python/README.md\n",
        ),
        ("hdfs://n:9000/a", "python/README.md"),
        (
            "file:///tmp/a.html",
            "is a URL: give the path of the file, /tmp/a.html\n",
        ),
        ("a.html https://h/", "error: https://h/: abslink"),
        ("https://u:secret@h/", "error: https://u:***@h/: abslink"),
    ] {
        for command in ["check", "links", "base", "rewrite -i"] {
            is_told(&sandbox, &format!("{command} {url}"), said);
        }
    }
    assert_eq!(
        fs::read_to_string(sandbox.path().join("a.html")).unwrap(),
        "<a href=g>"
    );
    // A mirror may be in such a directory.
    sandbox.write("https:/h/a.html", "<a href=x>");
    assert_eq!(sandbox.run("check https://h/a.html").code, Some(1));
}

/// The folder that was to be left out is not rewritten, whatever a shell makes of its name.
#[test]
fn a_pattern_is_a_path_as_it_is_typed() {
    let sandbox = Sandbox::new();
    let here = sandbox.path().canonicalize().unwrap();
    let here = here.to_str().unwrap();
    let pages = ["s2/a.html", "s2/blog/b.html", "s2/x/blog/c.html"];
    for (pattern, paths, changed) in [
        ("s2/blog", "s2", [true, false, true]),
        ("s2/blog/", "s2/", [true, false, true]),
        ("./s2/blog", "s2", [true, false, true]),
        ("s2/blog", "./s2", [true, false, true]),
        ("s2/./blog//", "./s2/.", [true, false, true]),
        ("HERE/s2/blog", "s2", [true, false, true]),
        ("s2/blog", "HERE/s2", [true, false, true]),
        ("s*/blog/*.html", "s2", [true, false, true]),
        ("s2/blog", ".", [true, false, true]),
        ("s2/**/blog", "s2", [true, false, false]),
        ("./blog", "s2", [true, false, false]),
        ("blog/", "s2", [true, false, false]),
        ("/blog", "s2", [true, false, true]),
        ("x/blog", "s2", [true, true, false]),
        // A name is not that of PATH, nor of what it is in.
        ("s2", "s2", [true; 3]),
        ("s2/", "HERE/s2", [true; 3]),
        ("s3/blog", "s2", [true; 3]),
        ("../s2/blog", "s2", [true; 3]),
    ] {
        for page in pages {
            sandbox.write(page, "<a href=x>");
        }
        let arguments = format!("rewrite -q -i -b http://h/ --exclude {pattern} {paths}");
        let ran = sandbox.run(&arguments.replace("HERE", here));
        assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.stderr);
        let is_changed =
            |page| fs::read_to_string(sandbox.path().join(page)).unwrap() != "<a href=x>";
        assert_eq!(pages.map(is_changed), changed, "{arguments}");
    }
    let listed = |arguments: &str| sandbox.run(arguments).stdout;
    for page in pages {
        sandbox.write(page, "<a href=x>");
    }
    assert_eq!(
        listed("check --include ./s2/blog s2"),
        "s2/blog/b.html:1:9: <a href> x\n"
    );
}

/// Where a project's settings have it, it is a path from their directory.
#[test]
fn a_pattern_of_a_project_begins_at_its_file() {
    let sandbox = Sandbox::new();
    for page in ["s2/a.html", "s2/blog/b.html", "s2/x/c.html"] {
        sandbox.write(page, "<a href=x>");
    }
    let base = "paths = [\"s2\"]\nbase-url = \"http://h/\"\n";
    for (pattern, from, listed) in [
        ("exclude = [\"s2/blog\"]", "", 2),
        ("exclude = [\"./s2/blog/\"]", "s2/x", 2),
        ("exclude = \"blog\"", "s2/x", 2),
        ("include = [\"s2/blog\"]", "s2/x", 1),
        ("include = [\"./blog\", \"./s2/x/\"]", "", 2),
        ("exclude = [\"s2/none\"]", "s2", 3),
    ] {
        sandbox.write("abslink.toml", &format!("{base}{pattern}\n"));
        let mut command = sandbox.abslink("check");
        let output = command.current_dir(sandbox.path().join(from)).output();
        let ran = super::Ran::from(&output.unwrap());
        assert_eq!(ran.stdout.lines().count(), listed, "{pattern}: {ran:?}");
        let warned = ran
            .stderr
            .contains("warning: --exclude 's2/none' matched nothing\n");
        assert_eq!(warned, pattern.contains("none"), "{pattern}: {ran:?}");
    }
    // They say nothing about files that are named, as hooks do.
    let ran = sandbox.run("check s2/a.html");
    assert!(!ran.stderr.contains("matched nothing"), "{}", ran.stderr);
    let files = "[[files]]\ninclude = [\"./s2/blog/\"]\nskip = \"all\"\n";
    sandbox.write("abslink.toml", &format!("{base}{files}"));
    let ran = sandbox.run("check");
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");
}

/// A server would go on to deliver them.
#[test]
fn compressed_copies_of_what_changes_are_counted() {
    let sandbox = Sandbox::new();
    let fill = || {
        for (name, content) in [
            ("d/a.html", "<a href=x>"),
            ("d/a.html.gz", "z"),
            ("d/a.html.br", "z"),
            ("d/same.html", "<a href=http://h/>"),
            ("d/same.html.gz", "z"),
            ("d/b.html", "<a href=x>"),
        ] {
            sandbox.write(name, content);
        }
    };
    for (options, copies) in [
        ("-i d", 2),
        ("-i --dry-run d", 2),
        ("-o out d", 0),
        ("-o others --copy-others d", 2),
        ("-i --root d d/a.html d/b.html", 2),
        ("-i --engine stream d", 2),
    ] {
        fill();
        let ran = sandbox.run(&format!("rewrite -b http://h/ --format json {options}"));
        let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            summary["stale_copies"].as_u64().unwrap_or(0),
            copies,
            "{options}: {ran:?}"
        );
        fill();
        let said = sandbox
            .run(&format!("rewrite -b http://h/ {options}"))
            .stderr;
        let line = "warning: 2 compressed copies (.gz, .br, .zst) are now out of date\n";
        assert_eq!(said.contains(line), copies > 0, "{options}: {said}");
    }
    fill();
    let said = sandbox.run("check -b http://h/ d").stderr;
    assert!(!said.contains("compressed"), "{said}");
}
