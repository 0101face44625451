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
            "abslink never fetches: save the page, or give its file and -b https://h.example/a\n",
        ),
        ("HTTP://h/", "abslink never fetches: save the page"),
        (
            "s3://bucket/key",
            "abslink never fetches: copy the files to this computer, or read them with Spark as python/README.md shows\n",
        ),
        ("hdfs://n:9000/a", "python/README.md"),
        (
            "file:///tmp/a.html",
            "is a URL: give the path of the file, /tmp/a.html\n",
        ),
        ("a.html https://h/", "https://h/ is a URL"),
        ("https://u:secret@h/", "https://u:***@h/ is a URL"),
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

#[test]
fn a_page_is_no_output_directory() {
    let sandbox = Sandbox::new();
    let said = "-o out.html would make a directory of that name: for one file leave -o out and add \
                `> out.html`, for a directory write -o out.html/";
    is_told(&sandbox, "rewrite -b http://h/ -o out.html a.html", said);
    is_told(
        &sandbox,
        "rewrite -b http://h/ --dry-run -o out.html a.html",
        said,
    );
    assert!(!sandbox.path().join("out.html").exists());
    for (arguments, made) in [
        ("-o one.html/ a.html", "one.html/a.html"),
        // It is there by now.
        ("-o one.html a.html", "one.html/a.html"),
        ("-o out a.html", "out/a.html"),
        ("-o v1.2 a.html", "v1.2/a.html"),
        ("-o two.html site", "two.html/index.html"),
    ] {
        let ran = sandbox.run(&format!("rewrite -b http://h/ {arguments}"));
        assert_eq!(ran.code, Some(0), "{arguments}: {}", ran.stderr);
        assert!(sandbox.path().join(made).exists(), "{arguments}");
    }
}

/// One line for each pattern that met nothing, in a directory or a whole tree.
#[test]
fn a_pattern_that_matches_nothing_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a.html", "<a href=http://h/>");
    sandbox.write("d/drafts/b.html", "<a href=x>");
    sandbox.write("d/c.css", "");
    let lines = |arguments: &str| {
        let ran = sandbox.run(&format!("check {arguments} d"));
        let lines = ran.stderr.lines().filter(|line| line.contains("clude "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let useless = |glob: &str| format!("attention: {glob}: nothing in a directory PATH matches");
    for fine in [
        "",
        "--exclude drafts",
        "--include *.html --exclude *.css",
        "--exclude a.html --include a.html --include drafts/",
        "-q --exclude none",
    ] {
        assert_eq!(lines(fine), [""; 0], "{fine}");
    }
    assert_eq!(
        lines("--exclude draft --exclude drafts"),
        [useless("--exclude draft")]
    );
    let both = lines("--include *.html --include *.htm --exclude /b.html");
    assert_eq!(
        both,
        [useless("--include *.htm"), useless("--exclude /b.html")]
    );
    assert!(lines("--include none").contains(&useless("--include none")));
}

#[test]
fn tips_do_not_mislead() {
    let sandbox = Sandbox::new();
    let said = is_told(&sandbox, "rewrite --url https://h/ a.html", "'--base-url'");
    assert!(
        !said.contains("--url-map") && !said.contains("-- --url"),
        "{said}"
    );
    let said = is_told(
        &sandbox,
        "rewrite --undo a.html",
        "unexpected argument '--undo'",
    );
    assert!(!said.contains("-- --undo"), "{said}");
    is_told(&sandbox, "rewrite --inplace a.html", "'--in-place'");
    sandbox.write("--undo", "");
    is_told(&sandbox, "rewrite --undo a.html", "'-- --undo'");
    is_told(&sandbox, "chekc site", "'check'");
    for path in ["site", "./nowhere", "page.html"] {
        let line = format!(
            "error: `{path}` is no command, and a PATH comes after one: `abslink check {path}` lists"
        );
        is_told(&sandbox, path, &line);
    }
    let both = |option: &str| {
        format!(
            "error: `{option}` comes after a command: `abslink check {option} ...` lists relative references, \
             `abslink rewrite {option} ...` makes them absolute\n"
        )
    };
    let one = |command: &str, option: &str| {
        format!("error: `{option}` comes after its command: `abslink {command} {option} ...`\n")
    };
    for (arguments, line) in [
        ("-b https://h/ site", both("-b")),
        ("--base-url=https://h/ check site", both("--base-url")),
        ("--color never -bhttps://h/ site", both("-b")),
        ("-i site", one("rewrite", "-i")),
        ("--explain x", one("resolve", "--explain")),
    ] {
        let said = is_told(&sandbox, arguments, &line);
        assert_eq!(said, line, "{arguments}");
    }
    is_told(&sandbox, "--undo site", "unexpected argument '--undo'");
    is_told(
        &sandbox,
        "check --undo -b x",
        "unexpected argument '--undo'",
    );
}

/// RFC 1738 §2.2: a space has to be encoded.
#[test]
fn a_url_has_no_spaces() {
    let sandbox = Sandbox::new();
    for option in ["-b", "--base-url"] {
        let mut command = sandbox.abslink("check");
        let output = command
            .args([option, "http://h/My Docs/ ", "site"])
            .output()
            .unwrap();
        let ran = super::Ran::from(&output);
        let line =
            "error: --base-url http://h/My Docs/: a URL has no spaces: write http://h/My%20Docs/\n";
        assert_eq!((ran.code, &*ran.stderr), (Some(2), line));
    }
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
        let line = "attention: 2 compressed copies (.gz, .br, .zst) beside documents that change hold the \
                    old ones: compress them again\n";
        assert_eq!(said.contains(line), copies > 0, "{options}: {said}");
    }
    fill();
    let said = sandbox.run("check -b http://h/ d").stderr;
    assert!(!said.contains("compressed"), "{said}");
}
