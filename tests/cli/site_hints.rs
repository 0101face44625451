//! What is said at the end of a run about sites that are not where the options say, or that browsers refuse.

use std::fs;
use std::path::Path;

use super::forms::{run, tree};

/// What a run says behind a level.
fn said(level: &str, arguments: &[&str], folder: &Path) -> Vec<String> {
    let (code, _, error) = run(arguments, folder);
    assert!(code < 2, "{error}");
    let lines = error.lines().filter_map(|line| line.strip_prefix(level));
    lines.map(str::to_owned).collect()
}

/// A mirror's documents have their own hosts, and --site adds to these.
#[test]
fn a_site_is_added_to_a_mirror() {
    let page = "<a href=/a><a href=http://www.e.com/b><a href=http://www.e.com/c/><a href=https://o.example/>";
    let folder = tree(&[("m/e.com/p.html", page), ("m/e.com/b", "")]);
    let path = folder.path();
    let rewrite = ["rewrite", "--layout", "wget", "-o", "out", "m"];
    let relative = [&rewrite[..], &["--to", "relative"]].concat();
    let hint =
        "--site http://www.e.com/ treats 2 links to http://www.e.com/ as links within this site";
    assert_eq!(said("hint: ", &relative, path), [hint]);
    let site = ["--site", "http://www.e.com/"];
    let with_site = [&relative[..], &site].concat();
    assert_eq!(said("hint: ", &with_site, path), [""; 0]);
    let new = || fs::read_to_string(path.join("out/e.com/p.html")).unwrap();
    assert_eq!(
        new(),
        "<a href=a><a href=b><a href=c/><a href=https://o.example/>"
    );
    let files = [&rewrite[..], &["--to", "files", "--verify"], &site].concat();
    run(&files, path);
    assert_eq!(
        new(),
        "<a href=https://e.com/a><a href=b><a href=http://www.e.com/c/><a href=https://o.example/>"
    );
    // A host of the mirror itself is no other name of this one.
    let page = "<a href=https://www.e.com/b><a href=http://www.e.com/b>";
    fs::write(path.join("m/e.com/p.html"), page).unwrap();
    fs::create_dir_all(path.join("m/www.e.com")).unwrap();
    fs::write(path.join("m/www.e.com/b"), "").unwrap();
    run(
        &[&files[..], &["--site", "https://www.e.com/"]].concat(),
        path,
    );
    assert_eq!(new(), "<a href=../www.e.com/b><a href=b>");
    assert_eq!(
        said("hint: ", &[&relative[..], &["-q"]].concat(), path),
        [""; 0]
    );
}

/// With --base-url, only what would be below its path counts.
#[test]
fn other_hosts_and_paths_are_no_other_name() {
    let page = "<a href=http://e.org/docs/a><a href=http://e.org/blog/><a href=https://www.e.org/docs/b>\
                <a href=https://sub.e.org/docs/><a href=https://e.org:8080/docs/>";
    let folder = tree(&[("s/p.html", page)]);
    let check = ["check", "--to", "root", "-b", "https://e.org/docs/", "s"];
    let hints = said("hint: ", &check, folder.path());
    assert_eq!(hints.len(), 1, "{hints:?}");
    assert!(
        hints[0].starts_with("--site http://e.org/docs/ treats 1 link to http://e.org/docs/ as "),
        "{hints:?}"
    );
}

/// A site that was built for the root, given with its prefix.
#[test]
fn a_site_that_was_built_for_the_root_is_noticed() {
    let page = "<link href=/css/m.css><a href=/a/><a href=/><a href=/index.html><a href=/none>";
    let files = [
        ("s/p.html", page),
        ("s/css/m.css", ""),
        ("s/a/index.html", ""),
        ("s/index.html", ""),
    ];
    let folder = tree(&files);
    let path = folder.path();
    let hint =
        "2 links from the root lead outside /proj/, to files of this tree; see docs/relative.md";
    for to in ["absolute", "relative", "files"] {
        let rewrite = [
            "rewrite",
            "--dry-run",
            "-b",
            "https://u.example/proj/",
            "--to",
            to,
            "s",
        ];
        assert_eq!(said("hint: ", &rewrite, path), [hint], "{to}");
        assert_eq!(
            said("hint: ", &[&rewrite[..], &["-q"]].concat(), path),
            [""; 0]
        );
    }
    let at_root = ["rewrite", "--dry-run", "-b", "https://u.example/", "s"];
    assert_eq!(said("hint: ", &at_root, path), [""; 0]);
    // Another project of the same host, and a page that was built with the prefix.
    for page in [
        "<a href=/other/><a href=/><a href=/index.html><a href=//o.example/css/m.css>",
        "<link href=/proj/css/m.css><a href=/proj/a/><a href=/css/m.css>",
        "<a href=https://u.example/css/m.css><a href=css/m.css>",
        "<link href=css/m.css><a href=/a/><a href=p.html>",
    ] {
        fs::write(path.join("s/p.html"), page).unwrap();
        let rewrite = ["rewrite", "--dry-run", "-b", "https://u.example/proj/", "s"];
        assert_eq!(said("hint: ", &rewrite, path), [""; 0], "{page}");
    }
    // The recipe of docs/relative.md: links to other projects of the host stay.
    fs::write(
        path.join("s/p.html"),
        "<link href=/css/m.css><a href=https://u.example/other/>",
    )
    .unwrap();
    let moves = "https://site.invalid/=https://u.example/proj/";
    let recipe = [
        "rewrite",
        "-b",
        "https://site.invalid/",
        "--move-url",
        moves,
        "-i",
        "s",
    ];
    assert_eq!(said("hint: ", &recipe, path), [""; 0]);
    let new = fs::read_to_string(path.join("s/p.html")).unwrap();
    assert_eq!(
        new,
        "<link href=https://u.example/proj/css/m.css><a href=https://u.example/other/>"
    );
}

/// The names that wget -nH gives are those of a tree with --base-url, too.
#[test]
fn names_with_a_question_mark_become_urls() {
    let page = "<a href=\"list%3Fpage=2&amp;sort=x.html\"><a href=\"what%3F.html\"><a href=\"none%3Fa=b.html\">";
    let files = [
        ("s/p.html", page),
        ("s/list?page=2&sort=x.html", "<p>"),
        ("s/what?.html", "<p>"),
    ];
    let folder = tree(&files);
    let path = folder.path();
    let rewrite = [
        "rewrite",
        "--verify",
        "-b",
        "https://e.org/",
        "-o",
        "out",
        "s",
    ];
    let note = "1 link to a file with ? in its name became the URL that the file was saved from";
    assert_eq!(said("note: ", &rewrite, path), [note]);
    let hint = "--converted-links never keeps the file name";
    assert_eq!(said("hint: ", &rewrite, path), [hint]);
    let new = || fs::read_to_string(path.join("out/p.html")).unwrap();
    let rest = "<a href=\"https://e.org/what%3F.html\"><a href=\"https://e.org/none%3Fa=b.html\">";
    assert_eq!(
        new(),
        format!("<a href=\"https://e.org/list?page=2&amp;sort=x\">{rest}")
    );
    let never = [&rewrite[..], &["--converted-links", "never"]].concat();
    assert_eq!(said("note: ", &never, path), [""; 0]);
    assert_eq!(
        new(),
        format!("<a href=\"https://e.org/list%3Fpage=2&amp;sort=x.html\">{rest}")
    );
    // Opened from a disk, or served as it is, the name of a file is right.
    for to in ["files", "relative"] {
        let form = [&rewrite[..], &["--to", to]].concat();
        assert_eq!(said("note: ", &form, path), [""; 0]);
        assert!(
            new().starts_with("<a href=\"list%3Fpage=2&amp;sort=x.html\">"),
            "{}",
            new()
        );
    }
}

/// Browsers compare hashes, and a file that changed has another one.
#[test]
fn files_that_pages_name_by_a_hash_are_warned_about() {
    let page = "<link rel=stylesheet href=/css/m.css integrity=sha384-x><script src=/x.js integrity=sha384-y></script>\
                <link rel=stylesheet href=/css/n.css>";
    let policy = "<meta http-equiv=Content-Security-Policy content=\"style-src 'sha256-x='\"><style>a{b:url(/c)}</style>";
    let sheet = "a{b:url(/i.png)}";
    let files = [
        ("s/p.html", page),
        ("s/q.html", policy),
        ("s/css/m.css", sheet),
        ("s/css/n.css", sheet),
        ("s/x.js", ""),
    ];
    let folder = tree(&files);
    let path = folder.path();
    let rewrite = [
        "rewrite",
        "-b",
        "https://e.org/",
        "--to",
        "relative",
        "-o",
        "out",
        "s",
    ];
    let warnings = said("warning: ", &rewrite, path);
    let one =
        "1 file changed that pages check with integrity=; browsers will not load it: css/m.css";
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(warnings[0], one);
    assert!(
        warnings[1].starts_with("an inline style or import map that its page allows by hash"),
        "{warnings:?}"
    );
    // So says what only looks, and pages that are read in pieces.
    let would = "1 file would change that pages check with integrity=; browsers will not load it: css/m.css";
    for (begins, expected) in [
        (&["check"][..], would),
        (&["check", "--engine", "stream"], would),
        (&["rewrite", "--dry-run"], would),
        (&["rewrite", "--engine", "stream", "-o", "out3"], one),
    ] {
        let run = [begins, &["-b", "https://e.org/", "--to", "relative", "s"]].concat();
        let warnings = said("warning: ", &run, path);
        assert_eq!(warnings.len(), 2, "{begins:?}: {warnings:?}");
        assert_eq!(warnings[0], expected, "{begins:?}");
        assert!(
            warnings[1].starts_with("an inline style or import map"),
            "{warnings:?}"
        );
        let is_to_come = warnings[1].contains("would change");
        assert_eq!(is_to_come, expected == would, "{begins:?}");
    }
    // What a page says about policies is none.
    let talk = "<p>&lt;meta http-equiv=Content-Security-Policy content='sha256-x'></p><style>a{b:url(/c)}</style>";
    let first = "<META content=\"style-src &#39;SHA512-x=&#39;\" HTTP-EQUIV=content-security-policy><p style='b:url(/c)'>";
    for (page, number) in [(talk, 1), (first, 2)] {
        fs::write(path.join("s/q.html"), page).unwrap();
        for engine in ["memory", "stream"] {
            let check = [
                "check",
                "--engine",
                engine,
                "-b",
                "https://e.org/",
                "--to",
                "relative",
                "s",
            ];
            assert_eq!(said("warning: ", &check, path).len(), number, "{page}");
        }
    }
    // A second run changes nothing.
    let again = [
        "rewrite",
        "-b",
        "https://e.org/",
        "--to",
        "relative",
        "-o",
        "out2",
        "out",
    ];
    assert_eq!(said("warning: ", &again, path), [""; 0]);
    let absolute = [
        "rewrite",
        "--dry-run",
        "--skip",
        "css",
        "-b",
        "https://e.org/",
        "s",
    ];
    assert_eq!(said("warning: ", &absolute, path), [""; 0]);
}

/// Opened from a disk, modules and what has to be compared are refused; fonts are not.
#[test]
fn what_browsers_refuse_from_a_disk_is_counted() {
    let page = "<script type=module src=m.js></script><script src=x.js></script><link rel=modulepreload href=m.js>\
                <link rel=preload as=font crossorigin href=f.woff2><link rel=stylesheet crossorigin href=s.css>\
                <script src=i.js integrity=sha256-x></script><a href=p.html crossorigin>\
                <script type=importmap>{\"imports\":{\"m\":\"./m.js\",\"./x.js\":\"./m.js\"}}</script>";
    let names = ["s/m.js", "s/x.js", "s/f.woff2", "s/s.css", "s/i.js"];
    let files: Vec<(&str, &str)> = names
        .map(|name| (name, ""))
        .into_iter()
        .chain([("s/p.html", page)])
        .collect();
    let folder = tree(&files);
    let rewrite = [
        "rewrite",
        "--dry-run",
        "--also",
        "json",
        "-b",
        "https://e.org/",
        "--to",
        "files",
        "s",
    ];
    let (_, _, error) = run(&rewrite, folder.path());
    let counted =
        "; 6 are modules or have integrity or crossorigin: browsers do not load them from a disk";
    assert!(error.contains(counted), "{error}");
}

/// A mirror by `wget -nH`, of which only its names tell that wget has made it.
#[test]
fn names_with_queries_are_said() {
    let folder = tree(&[
        (
            "m/index.html",
            "<a href='/page.html?x=1'><a href='list?p=2&s=a#k'><a href=d/f.html>",
        ),
        (
            "m/page.html?x=1",
            "<a href='?x=2'><a href=#t><a href=d/f.html>",
        ),
        ("m/page.html?x=2", "<a href='?x=1'>"),
        ("m/list?p=2&s=a", "<p>"),
        (
            "m/d/f.html",
            "<a href='../page.html?x=1'><a href='?q'><a href=#t>",
        ),
    ]);
    let path = folder.path();
    let hint = "--converted-links always reads names as wget writes them";
    for (options, links) in [
        ("-b https://e.org/", 3),
        ("-b https://e.org/ --to relative", 2),
        ("-b https://e.org/ --to files", 5),
        ("--to files", 5),
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        for command in [
            &["rewrite", "--verify", "-o", "out", "m"][..],
            &["check", "m"],
        ] {
            let all = [command, &options].concat();
            let warning = format!(
                "{links} links may be wrong: ? in file names was read as %3F, not as the start of a query"
            );
            assert_eq!(said("warning: ", &all, path), [warning], "{all:?}");
            let hints = said("hint: ", &all, path);
            assert!(hints.iter().any(|it| it == hint), "{all:?} {hints:?}");
            // With the option it is as on the server.
            let always = [&all[..], &["--converted-links", "always"]].concat();
            assert_eq!(said("warning: ", &always, path), [""; 0], "{always:?}");
            if command[0] == "rewrite" {
                let page = fs::read_to_string(path.join("out/page.html?x=1")).unwrap();
                let expected = match options[..] {
                    [.., "files"] => "<a href='page.html%3Fx=2'><a href=#t><a href=d/f.html>",
                    [.., "relative"] => "<a href='page.html?x=2'><a href=#t><a href=d/f.html>",
                    _ => {
                        "<a href='https://e.org/page.html?x=2'><a href=\"https://e.org/page.html?x=1#t\">\
                         <a href=https://e.org/d/f.html>"
                    }
                };
                assert_eq!(page, expected, "{options:?}");
            }
        }
    }
}

/// With -k -E, wget escapes the question mark in links to such names, also to those that get no .html.
#[test]
fn links_to_names_with_queries_are_said() {
    let page = "<a href='p%3Fx=1.html'><img src='i.png%3Fv=1'><img src='gone.png%3Fv=1'><a href=Why%3F.html>";
    let folder = tree(&[
        ("m/index.html", page),
        ("m/p?x=1.html", ""),
        ("m/i.png?v=1", ""),
        ("m/Why?.html", ""),
    ]);
    let rewrite = ["rewrite", "-b", "https://e.org/", "-o", "out", "m"];
    let warning =
        "1 link may be wrong: ? in file names was read as %3F, not as the start of a query";
    assert_eq!(said("warning: ", &rewrite, folder.path()), [warning]);
    let new = fs::read_to_string(folder.path().join("out/index.html")).unwrap();
    assert!(new.contains("https://e.org/p?x=1"), "{new}");
    assert!(new.contains("https://e.org/i.png%3Fv=1"), "{new}");
}

/// Where nothing is wrong, nothing is said.
#[test]
fn other_names_with_marks_are_not_said() {
    let page = "<a href=#t><a href='?x'><a href=Why%3F.html><a href=a.html?v=1>";
    let folder = tree(&[
        ("s/Why?.html", page),
        ("s/a.html", page),
        ("s/b?c=d.html", "<a href=#t><a href=a.html?v=1>"),
    ]);
    let path = folder.path();
    for options in [
        "-b https://e.org/ --to relative",
        "-b https://e.org/ --to files",
        "--to files",
    ] {
        let options: Vec<&str> = options.split(' ').collect();
        let all = [&["rewrite", "-o", "out", "s"][..], &options].concat();
        assert_eq!(said("warning: ", &all, path), [""; 0], "{all:?}");
    }
    let all = [
        "check",
        "-b",
        "https://e.org/",
        "--exclude",
        "b?c=d.html",
        "s",
    ];
    assert_eq!(said("warning: ", &all, path), [""; 0]);
}
