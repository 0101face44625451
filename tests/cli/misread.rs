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
            "abslink does not download\nhint: save the page, then abslink rewrite -b https://h.example/a FILE\n",
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

/// A misspelled one would leave the links as they are, without a word.
#[test]
fn an_option_for_links_that_meets_none_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a.html", "<a href=x><a href=http://h/>");
    let told = |arguments: &str| {
        let ran = sandbox.run(arguments);
        let lines = ran.stderr.lines();
        lines
            .filter(|line| line.ends_with("matched no link"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let exclude = "warning: --exclude-url matched no link";
    let moved = "warning: --move-url matched no link";
    assert_eq!(told("check --exclude-url ^y d"), [exclude]);
    assert_eq!(
        told("rewrite -n -b http://e/ --move-url http://i/=http://j/ d"),
        [moved]
    );
    for fine in [
        "check --exclude-url ^x d",
        "check -q --exclude-url ^y d",
        "rewrite -n -b http://e/ --move-url http://h/=http://j/ d",
    ] {
        assert_eq!(told(fine), [""; 0], "{fine}");
    }
    // What a project says about its tree does not matter to one file.
    sandbox.write("abslink.toml", "exclude-url = \"^y\"\n");
    assert_eq!(told("check d/a.html"), [""; 0]);
    assert_eq!(told("check d"), [exclude]);
}

/// One line for each pattern that met nothing.
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
    let useless = |option: &str, glob: &str| format!("warning: {option} '{glob}' matched nothing");
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
        [useless("--exclude", "draft")]
    );
    let both = lines("--include *.html --include *.htm --exclude /b.html");
    assert_eq!(
        both,
        [
            useless("--include", "*.htm"),
            useless("--exclude", "/b.html")
        ]
    );
    assert!(lines("--include none").contains(&useless("--include", "none")));
    // Whoever names a file means it.
    let ran = sandbox.run("check --exclude d d/a.html");
    let hint = "hint: patterns select files in directories; files given as PATH are always read\n";
    let said = format!("{}\n{hint}", useless("--exclude", "d"));
    assert!(ran.stderr.ends_with(&said), "{}", ran.stderr);
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
        "s2/blog/b.html:1:9: <a href> x (no base URL)\n"
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

/// A directory has the same URL with a query and without.
#[test]
fn a_query_is_not_part_of_a_directory() {
    let sandbox = Sandbox::new();
    for url in [
        "http://h/docs",
        "http://h/docs/",
        "http://h/docs?x=1",
        "http://h/docs/?x=/y#z",
    ] {
        let ran = sandbox.run(&format!("check -b {url} site"));
        let line = "site/index.html:1:9: <a href> sub/g -> http://h/docs/sub/g\n";
        assert_eq!(ran.stdout, line, "{url}");
    }
    // Of a page it may be all that tells it from others.
    let ran = sandbox.run("check --resolver rfc3986 -b http://h/docs?x=1 a.html");
    assert_eq!(ran.stdout, "a.html:1:9: <a href> g -> http://h/g\n");
}

#[test]
fn a_line_of_a_url_map_is_named() {
    let sandbox = Sandbox::new();
    for (map, error) in [
        (
            "path,url\na.html,foo\n",
            "m.csv:2: not an absolute URL: foo",
        ),
        (
            "path\turl\n\nx\thttp://h/\na.html\t/x\n",
            "m.csv:4: not an absolute URL: /x",
        ),
        (
            "{\"path\": \"a\", \"url\": \"h.org/x\"}\n",
            "m.csv:1: not an absolute URL: h.org/x",
        ),
        (
            "path,url\na.html,htp://h/\n",
            "m.csv:2: htp://h/: unknown scheme htp; did you mean http?",
        ),
        (
            "path,url\na.html\n",
            "m.csv:2: it has no column for the path or the URL",
        ),
    ] {
        sandbox.write("m.csv", map);
        is_told(
            &sandbox,
            "check --url-map m.csv site",
            &format!("error: {error}\n"),
        );
    }
    // An empty one says that it is not known.
    sandbox.write("m.csv", "path,url\nindex.html,\n");
    assert_eq!(sandbox.run("check --url-map m.csv site").code, Some(1));
}

#[test]
fn tips_do_not_mislead() {
    let sandbox = Sandbox::new();
    let said = is_told(
        &sandbox,
        "rewrite --url https://h/ a.html",
        "hint: --base-url URL\n",
    );
    assert!(
        !said.contains("--url-map") && !said.contains("-- --url"),
        "{said}"
    );
    let said = is_told(&sandbox, "rewrite --undo a.html", "unknown option `--undo`");
    assert!(!said.contains("-- --undo"), "{said}");
    is_told(
        &sandbox,
        "rewrite --inplace a.html",
        "did you mean `--in-place`?",
    );
    sandbox.write("--undo", "");
    is_told(
        &sandbox,
        "rewrite --undo a.html",
        "a file of that name is given after `--`: -- --undo\n",
    );
    is_told(&sandbox, "chekc site", "'check'");
    let both = |option: &str| {
        format!(
            "error: `{option}` comes after a command: `abslink check {option} ...` lists relative links, \
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
    is_told(&sandbox, "--undo site", "unknown option `--undo`");
    is_told(&sandbox, "check --undo -b x", "unknown option `--undo`");
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
        let line = "warning: 2 compressed copies (.gz, .br, .zst) are now out of date\n";
        assert_eq!(said.contains(line), copies > 0, "{options}: {said}");
    }
    fill();
    let said = sandbox.run("check -b http://h/ d").stderr;
    assert!(!said.contains("compressed"), "{said}");
}
