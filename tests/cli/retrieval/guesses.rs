//! What the names of a mirror leave open: it is said, and nothing is made up.

use std::fs;

use crate::cli::{Ran, Sandbox};
use crate::support::same;

const HTTRACK: &str =
    "<!-- Mirrored from h.org/ by HTTrack Website Copier/3.x [XR&CO'2014], Fri -->";

fn read(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join(name)).unwrap()
}

/// The warnings of the summary, each with its hint.
fn warnings(ran: &Ran) -> Vec<&str> {
    let lines = ran.stderr.lines();
    lines
        .skip_while(|line| !line.starts_with("warning: "))
        .take_while(|line| line.starts_with("warning: ") || line.starts_with("hint: "))
        .collect()
}

/// A mirror of www.example.org in `m`.
fn mirror() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["index.html", "docs/a.html", "docs/b.html", "v1.2/a.html"] {
        sandbox.write(
            &format!("m/www.example.org/{name}"),
            "<a href=/index.html><a href=a.html>",
        );
    }
    sandbox
}

#[test]
fn a_directory_of_pages_gives_no_host() {
    let sandbox = mirror();
    for command in ["rewrite -o out", "check", "base"] {
        let ran = sandbox.run(&format!("{command} --layout wget m/www.example.org"));
        let left = match command {
            "rewrite -o out" => "8 links left relative: ",
            "check" => "rewrite would leave 8 links: ",
            _ => "",
        };
        let why = format!(
            "warning: {left}no base URL for 4 pages: --layout wget expects a directory for each host, \
             and `docs` does not look like a host"
        );
        let hint = "hint: m/www.example.org does, so give its parent: --layout wget m";
        assert_eq!(warnings(&ran), [&*why, hint], "{command}");
        let code = if command == "base" { 0 } else { 1 };
        assert_eq!(ran.code, Some(code), "{command}");
    }
    let kept = read(&sandbox, "out/docs/a.html");
    assert_eq!(kept, "<a href=/index.html><a href=a.html>");
    let ran = sandbox.run("rewrite -q --layout wget -o whole m");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

/// Whatever way PATH is written.
#[test]
fn the_directory_to_give_is_said() {
    let sandbox = mirror();
    let said = |arguments: &str, directory: &str| {
        let mut command = sandbox.abslink(arguments);
        let command = command.current_dir(sandbox.path().join(directory));
        let ran = Ran::from(&command.output().unwrap());
        warnings(&ran).join("\n")
    };
    for (arguments, directory, typed) in [
        ("check --layout wget .", "m/www.example.org", "wget .."),
        ("check --layout wget www.example.org", "m", "wget ."),
        ("check --layout httrack m/www.example.org/", "", "httrack m"),
        ("check --layout wget .", "", "--layout wget ./m"),
        (
            "check --layout wget --root m/www.example.org m/www.example.org/docs",
            "",
            "wget m",
        ),
    ] {
        let line = said(arguments, directory);
        assert!(line.ends_with(typed), "{arguments}: {line}");
    }
    let line = said("check --layout wget docs", "m/www.example.org");
    let text = "warning: rewrite would leave 4 links: no base URL for 2 pages: --layout wget expects a \
                directory for each host, and docs/a.html is not in one\n\
                hint: for the pages of one site give its URL: -b URL";
    assert_eq!(line, text);
}

#[test]
fn a_host_of_a_local_network_is_taken_on_request() {
    let sandbox = Sandbox::new();
    sandbox.write("m/intranet/a.html", "<a href=a.html>");
    let ran = sandbox.run("check --layout wget m");
    same(
        "the warning",
        warnings(&ran).join("\n"),
        "warning: rewrite would leave 1 link: no base URL for 1 page: --layout wget expects a directory \
         for each host, and `intranet` does not look like a host\n\
         hint: for the pages of one site give its URL: -b URL; --any-host if `intranet` is a host",
    );
    let ran = sandbox.run("check --layout wget --any-host m");
    let line = "m/intranet/a.html:1:9: <a href> a.html -> https://intranet/a.html\n";
    assert_eq!(ran.stdout, line, "{}", ran.stderr);
    let ran = sandbox.run("check --layout tree -b http://h/ --any-host m");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("--any-host is for layouts"),
        "{}",
        ran.stderr
    );
}

/// A mirror by `wget -r` of a site on which `moved.html`, `moved` and `up` are redirected, to
/// `new/place.html`, `dir/` and `dir/up.html`.
fn redirected() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, links) in [
        ("index.html", "<a href=moved><a href=new/next.html>"),
        ("moved.html", "<a href=next.html><a href=/index.html>"),
        (
            "moved",
            "<!doctype html><a href=next.html><a href=../index.html>",
        ),
        ("up.html", "<a href=../new/next.html><a href=../>"),
        ("new/next.html", "<a href=../index.html>"),
        (
            "new/alone.html",
            "<a href=/gone><a href=#x><a href=?x><a href=http://h/>",
        ),
        ("new/half.html", "<a href=gone.html><img src=next.html>"),
    ] {
        sandbox.write(&format!("m/h.org/{name}"), links);
    }
    sandbox
}

#[test]
fn what_may_have_been_redirected_is_doubted() {
    let sandbox = redirected();
    let options = "--layout wget --scheme http --detect html";
    let ran = sandbox.run(&format!("base -q --format json {options} m"));
    let mut doubted = Vec::new();
    for line in ran.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let caveats = &line["evidence"][0]["doubts"];
        if !caveats.is_null() {
            assert_eq!(caveats, &serde_json::json!(["redirect"]), "{line}");
            doubted.push(line["file"].as_str().unwrap().replace("m/h.org/", ""));
        }
    }
    assert_eq!(doubted, ["moved", "moved.html", "up.html"]);
    let ran = sandbox.run(&format!("base {options} m"));
    let line = "          unsure: layout: none of its relative links leads to a file of the mirror: \
                the server may have redirected";
    assert_eq!(ran.stdout.matches(line).count(), 3, "{}", ran.stdout);
    for engine in ["memory", "stream"] {
        let ran = sandbox.run(&format!("rewrite --engine {engine} {options} --dry-run m"));
        let lines = [
            "warning: guessed the URLs of 3 pages",
            "hint: abslink base shows why",
            "warning: 3 links lead above the root of their site",
        ];
        assert_eq!(warnings(&ran), lines, "{engine}");
    }
    // Where something better is known there is no guess.
    sandbox.write(
        "map.csv",
        "path,url\nh.org/moved,http://h.org/dir/\nh.org/moved.html,http://h.org/new/place.html\n\
         h.org/up.html,http://h.org/dir/up.html\n",
    );
    let ran = sandbox.run(&format!("rewrite --url-map map.csv {options} --dry-run m"));
    assert_eq!(warnings(&ran), [""; 0]);
}

#[test]
fn documents_whose_names_were_cut_are_counted() {
    let sandbox = Sandbox::new();
    let name = format!("m/h.org/{}.html", "x".repeat(236));
    sandbox.write(&name, "<a href=/a>");
    let ran = sandbox.run("rewrite --layout wget --dry-run m");
    let lines = [
        "warning: guessed the URL of 1 page",
        "hint: abslink base shows why",
    ];
    assert_eq!(warnings(&ran), lines);
    let ran = sandbox.run("base -q --layout wget m");
    assert!(ran.stdout.contains("may have been cut"), "{}", ran.stdout);
}

/// What HTTrack makes of a server that has no `gone`, `gone.js` and `s/x.png`: the answers are
/// saved, and the map has names for them that did not last.
fn failed() -> Sandbox {
    let sandbox = Sandbox::new();
    let page = format!(
        "{HTTRACK}<a href=gone.html><a href=gone-2.html><img src=s/x.html><a href=unknown.html>"
    );
    sandbox.write("m/h.org/index.html", &page);
    for name in ["gone.html", "gone-2.html", "s/x.html", "unknown.html"] {
        sandbox.write(&format!("m/h.org/{name}"), "Not found: <a href=home>");
    }
    sandbox.write(
        "m/hts-cache/new.txt",
        "statuscode\tMIME\tURL\tlocalfile\n\
         200\ttext/html\thttp://h.org/\tm/h.org/index.html\n\
         404\ttext/html\thttp://h.org/gone\tm/h.org/gone.0.delayed\n\
         302\ttext/html\thttp://h.org/moved\tm/h.org/moved.1.delayed\n\
         404\ttext/html\thttp://h.org/s/x.png\tm/h.org/s/x.2.delayed\n\
         404\ttext/html\thttp://h.org/gone.js\tm/h.org/gone.3.delayed\n",
    );
    sandbox
}

#[test]
fn pages_that_failed_mean_what_was_asked_for() {
    let sandbox = failed();
    let ran = sandbox.run("rewrite --url-map m/hts-cache/new.txt --exclude unknown.html -o out m");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    same(
        "out/h.org/index.html",
        read(&sandbox, "out/h.org/index.html"),
        format!(
            "{HTTRACK}<a href=http://h.org/gone><a href=http://h.org/gone.js>\
             <img src=http://h.org/s/x.png><a href=http://h.org/unknown.html>"
        ),
    );
    let home = read(&sandbox, "out/h.org/s/x.html");
    assert_eq!(home, "Not found: <a href=http://h.org/s/home>");
    // Two have one name, and one that the map does not have.
    let notes: Vec<&str> = ran.stderr.lines().take(2).collect();
    for (note, name) in notes.iter().zip(["gone-2.html", "gone.html"]) {
        let text = format!(
            "h.org/{name}: the URL map has several pages of this name that could not be fetched"
        );
        assert!(note.starts_with(&text), "{}", ran.stderr);
    }
    assert_eq!(
        warnings(&ran),
        [
            "warning: guessed the URLs of 2 pages",
            "hint: abslink base shows why",
            "warning: 3 links may have wrong URLs now: the URL map has several pages, or none, for their files"
        ],
        "the warnings of the run"
    );
}

/// HTTrack's own page at the top, that lists the sites of the mirror.
#[test]
fn the_index_of_a_mirror_is_not_left() {
    let sandbox = failed();
    let index = "<html><title>Local index</title><!-- Mirror and index made by HTTrack Website \
                 Copier/3.49-4 [XR&CO'2014] --><style>a { background: url(fade.gif) }</style>\
                 <a href=h.org/index.html>h</a>";
    sandbox.write("m/index.html", index);
    let note = "m/index.html: unchanged: HTTrack's own index of the mirror\n";
    let left = "--exclude unknown.html";
    for options in ["--url-map m/hts-cache/new.txt", "--layout httrack"] {
        for engine in ["memory", "stream"] {
            let options = format!("{options} {left} --engine {engine}");
            let ran = sandbox.run(&format!("rewrite {options} -o out m"));
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert_eq!(ran.stderr.matches(note).count(), 1, "{}", ran.stderr);
            assert!(ran.stderr.contains("2 excluded"), "{}", ran.stderr);
            assert_eq!(read(&sandbox, "out/index.html"), index);
            fs::remove_dir_all(sandbox.path().join("out")).unwrap();
            let ran = sandbox.run(&format!("check {options} --include index.html m"));
            assert!(!ran.stdout.contains("fade.gif"), "{}", ran.stdout);
        }
    }
    // Somewhere else it may be a page of a site, and with a URL it is one.
    sandbox.write("m/sub/other.html", index);
    let ran = sandbox.run("check --layout httrack --include other.html m");
    assert_eq!((ran.code, ran.stdout.lines().count()), (Some(1), 2));
    let ran = sandbox.run("check -b http://h.org/ --include index.html m");
    assert!(
        ran.stdout.contains("http://h.org/fade.gif"),
        "{}",
        ran.stdout
    );
}

#[test]
fn hints_name_what_helps() {
    let sandbox = Sandbox::new();
    sandbox.write("map.csv", "path,url\nother.html,http://h/\n");
    sandbox.write("h/index.html", "<a href=g>");
    let hint = |arguments: &str| {
        let ran = sandbox.run(arguments);
        warnings(&ran)[..2].join("\n")
    };
    let line = hint("check site");
    assert!(line.contains("hint: give one with --base-url;"), "{line}");
    let line = hint("check --url-map map.csv site");
    assert!(line.contains("hint: add a line to the URL map;"), "{line}");
    let line = hint("check --layout wget h");
    assert!(
        line.contains("\nhint: for the pages of one site give its URL"),
        "{line}"
    );
}

/// An option was not needed where every document has a base of its own; the one that was given is
/// named.
#[test]
fn an_option_that_was_not_needed_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "map.csv",
        "path,url\nother.html,http://h/\nindex.html,http://h/\n",
    );
    sandbox.write("own/index.html", "<base href=http://own/><a href=g>");
    let line = "had no effect";
    let ran = sandbox.run("check --url-map map.csv --include nothing --allow-empty site");
    assert!(!ran.stderr.contains(line), "{}", ran.stderr);
    let ran = sandbox.run("check --url-map map.csv --exclude index.html site a.html --root .");
    assert!(!ran.stderr.contains(line), "{}", ran.stderr);
    let ran = sandbox.run("check --url-map map.csv own");
    assert!(
        ran.stderr
            .contains("note: --url-map had no effect: every page has its own <base href>\n"),
        "{}",
        ran.stderr
    );
    let ran = sandbox.run("check --layout wget --any-host .");
    assert!(!ran.stderr.contains("--base-url"), "{}", ran.stderr);
    // Nothing can be written where a directory has the name.
    sandbox.write("out/index.html/x", "");
    let ran = sandbox.run("rewrite -b http://h/ -o out site");
    assert_eq!(ran.code, Some(2));
    assert!(!ran.stderr.contains(line), "{}", ran.stderr);
}

/// Whoever gives the URL of a page for a directory means the directory that the page is in.
#[test]
fn the_url_of_a_page_means_its_directory() {
    let sandbox = Sandbox::new();
    let line = |url: &str| {
        format!("warning: --base-url names a page; using {url} as the directory's URL\n")
    };
    for (given, used) in [
        ("http://h/x.html", "http://h/"),
        ("http://h/a/index.php", "http://h/a/"),
        ("http://h/a/index.html", "http://h/a/"),
        ("http://u:p@h/X.HTM", "http://u:***@h/"),
    ] {
        for command in ["rewrite --dry-run", "check", "links", "base"] {
            let ran = sandbox.run(&format!("{command} -b {given} site"));
            assert_eq!(
                ran.stderr.matches(&line(used)).count(),
                1,
                "{command}: {}",
                ran.stderr
            );
            let ran = sandbox.run(&format!("{command} -q -b {given} site"));
            assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
        }
        let ran = sandbox.run(&format!("check -b {given} --format json site"));
        assert!(
            ran.stdout
                .contains(&format!("\"absolute\":\"{used}sub/g\"")),
            "{}",
            ran.stdout
        );
    }
    // One document has the URL that is given.
    let ran = sandbox.run("check -b http://h/x.html a.html");
    assert!(ran.stdout.contains("http://h/g"), "{}", ran.stdout);
    for given in ["http://h/v1.2", "http://x.html", "http://h/x.html/"] {
        let ran = sandbox.run(&format!("check -b {given} site"));
        assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
    }
    // A part of a tree too.
    sandbox.write(
        "abslink.toml",
        "[[files]]\ninclude = \"site/**\"\nbase-url = \"http://h/b/x.html\"\n",
    );
    let ran = sandbox.run("check .");
    assert!(ran.stderr.contains(&line("http://h/b/")), "{}", ran.stderr);
    assert!(
        ran.stdout.contains("http://h/b/site/sub/g"),
        "{}",
        ran.stdout
    );
}

/// What `rewrite` says of references is nothing that `base` is asked for.
#[test]
fn base_speaks_of_bases() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m/a.html",
        "<a href='{{ x }}'><a href='http:y'><a href='a b'>",
    );
    sandbox.write("m/b.html", "<link href=x><base href=http://own/>");
    sandbox.write("m/c.html", "<base href=mailto:a><a href=x>");
    for options in ["", "-b http://h/"] {
        let ran = sandbox.run(&format!("base {options} m"));
        for word in [
            "begins with a template",
            "resolve 1 link differently",
            "left relative",
        ] {
            assert!(!ran.stderr.contains(word), "{word}: {}", ran.stderr);
        }
        assert!(
            ran.stderr
                .contains("1 page has a <base> that nothing can be relative to"),
            "{}",
            ran.stderr
        );
        let without = "warning: no base URL for 1 page\nhint: give one with --base-url\n";
        assert_eq!(
            ran.stderr.contains(without),
            options.is_empty(),
            "{}",
            ran.stderr
        );
        let ran = sandbox.run(&format!("check {options} m"));
        assert!(
            ran.stderr.contains("begins with a template"),
            "{}",
            ran.stderr
        );
    }
}
