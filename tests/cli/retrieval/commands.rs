//! Whole runs: `base`, `--url-map`, `--url-from`, `--only-missing`.

use std::fs;

use crate::cli::Sandbox;
use crate::support::same;

const MARK: &str = "<!-- saved from url=(0013)http://own/a/ -->\n<a href=g>";

#[test]
fn a_saved_page_needs_no_option() {
    let sandbox = Sandbox::new();
    sandbox.write("saved.html", MARK);
    let ran = sandbox.run("rewrite saved.html");
    assert_eq!(
        (ran.code, ran.stdout),
        (Some(0), MARK.replace("=g", "=http://own/a/g"))
    );
    // Older Chromes wrote this as well; what it means depends on the comment.
    sandbox.write("base.html", &format!("{MARK}<base href=\".\">"));
    let ran = sandbox.run("rewrite base.html");
    assert!(ran.stdout.contains("=http://own/a/g") && ran.stdout.contains("\"http://own/a/\""));
    let ran = sandbox.run_with_input("rewrite -", MARK);
    assert_eq!(ran.stdout, MARK.replace("=g", "=http://own/a/g"));
}

#[test]
fn the_order_of_the_evidence_can_be_chosen() {
    let sandbox = Sandbox::new();
    sandbox.write("h/saved.html", MARK);
    sandbox.write("map.csv", "path,url\nh/saved.html,http://mapped/\n");
    let base = |options: &str| {
        let ran = sandbox.run(&format!(
            "links --layout wget --any-host {options} --include h ."
        ));
        let line: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        (
            line["base_from"].as_str().unwrap().to_owned(),
            line["base"].as_str().unwrap().to_owned(),
        )
    };
    let is = |from: &str, url: &str| (from.to_owned(), url.to_owned());
    assert_eq!(base(""), is("layout", "https://h/saved.html"));
    assert_eq!(base("--scheme http"), is("layout", "http://h/saved.html"));
    assert_eq!(base("--url-map map.csv"), is("map", "http://mapped/"));
    assert_eq!(
        base("--url-from xattr,comment,layout"),
        is("comment", "http://own/a/")
    );
    assert_eq!(
        base("--url-map map.csv --url-from layout,map"),
        is("layout", "https://h/saved.html")
    );
}

/// Four documents below two hosts; the evidence of exactly one contradicts itself.
fn contested() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m/h/agrees.html",
        "<!-- saved from url=(0020)http://h/agrees.html --><p>",
    );
    sandbox.write(
        "m/h/differs.html",
        "<!-- saved from url=(0014)http://other/x --><p>",
    );
    sandbox.write(
        "m/h/internet.html",
        "<!-- saved from url=(0014)about:internet --><p>",
    );
    sandbox.write("m/h/plain.html", "<p>");
    sandbox
}

#[test]
fn base_shows_every_piece_of_evidence() {
    let ran = contested().run("base -q --layout wget --any-host m");
    let lines: Vec<&str> = ran.stdout.lines().map(str::trim_end).collect();
    let scheme =
        "          unsure: layout: the scheme is not recorded and was assumed; --scheme sets it";
    let head = |path: &str, url: &str| format!("layout    {path:40}  {url}");
    let internet = "          refused: comment about:internet: ";
    assert_eq!(lines[0], head("m/h/agrees.html", "https://h/agrees.html"));
    assert_eq!(lines[1], scheme);
    assert_eq!(lines[2], "          agrees: comment http://h/agrees.html");
    assert_eq!(lines[3], head("m/h/differs.html", "https://h/differs.html"));
    assert_eq!(lines[5], "          differs: comment http://other/x");
    assert!(lines[8].starts_with(internet), "{lines:#?}");
    assert_eq!(lines[9], head("m/h/plain.html", "https://h/plain.html"));
    assert_eq!(lines.len(), 11);
    assert_eq!(ran.code, Some(0));
}

#[test]
fn base_lists_conflicts() {
    let sandbox = contested();
    let ran = sandbox.run("base -q --layout wget --any-host --conflicts m");
    assert!(
        ran.stdout.starts_with("layout    m/h/differs.html "),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout.matches(".html  ").count(), 1, "{}", ran.stdout);
    let ran = sandbox.run("base -q --layout wget --any-host --conflicts --format json m");
    same(
        "what base lists",
        &ran.stdout,
        "{\"file\":\"m/h/differs.html\",\"base\":\"https://h/differs.html\",\"base_from\":\"layout\",\
         \"evidence\":[{\"base\":\"https://h/differs.html\",\"base_from\":\"layout\",\"agrees\":true,\
         \"doubts\":[\"scheme\"]},\
         {\"base\":\"http://other/x\",\"base_from\":\"comment\",\"agrees\":false}]}\n",
    );
    // An embedded base overrides the others and contradicts none of them.
    sandbox.write("m/h/plain.html", "<base href=http://elsewhere/>");
    let again = sandbox.run("base -q --layout wget --any-host --conflicts --format json m");
    assert_eq!(again.stdout, ran.stdout);
}

#[test]
fn a_map_line_without_a_file_is_reported() {
    let sandbox = Sandbox::new();
    let mut map = "path,url\nindex.html,http://h/\n../a.html,http://h/a\n".to_owned();
    for number in 0..12 {
        map.push_str(&format!("gone{number:02}.html,http://h/gone\n"));
    }
    sandbox.write("map.csv", &map);
    let ran = sandbox.run("rewrite --dry-run --url-map map.csv site");
    let line = "gone00.html: the URL map names this file, but it does not exist\n";
    assert!(ran.stderr.starts_with(line), "{}", ran.stderr);
    assert!(ran.stderr.contains("gone09.html") && !ran.stderr.contains("gone10.html"));
    assert!(
        ran.stderr
            .contains("warning: the URL map names 12 files that do not exist\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn a_map_may_name_files_as_the_user_does() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "map.jsonl",
        "{\"path\": \"site/index.html\", \"url\": \"http://h/d/\"}\n",
    );
    let ran = sandbox.run("rewrite -q --url-map map.jsonl ./site/index.html");
    assert_eq!(ran.stdout, "<a href=http://h/d/sub/g>");
    let ran = sandbox.run("rewrite -q --url-map map.jsonl --root . site/index.html");
    assert_eq!(ran.stdout, "<a href=http://h/d/sub/g>");
}

#[cfg(unix)]
mod attributes {
    use std::fs;

    use abslink_html::base::retrieval::xattr::ORIGIN;

    use crate::cli::Sandbox;
    use crate::support::skip;

    /// Sets an attribute; `false` where the file system has none.
    fn set(sandbox: &Sandbox, file: &str, name: &str, value: &str) -> bool {
        let set = xattr::set(sandbox.path().join(file), name, value.as_bytes());
        if let Err(error) = &set {
            skip::tool(format_args!("no extended attributes here ({error})"));
        }
        set.is_ok()
    }

    #[test]
    fn the_attribute_gives_the_base_and_survives() {
        let sandbox = Sandbox::new();
        if !set(&sandbox, "site/index.html", ORIGIN, "http://h/d/x.html") {
            return;
        }
        let ran = sandbox.run("rewrite -q -i site");
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let path = sandbox.path().join("site/index.html");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "<a href=http://h/d/sub/g>"
        );
        assert_eq!(
            xattr::get(&path, ORIGIN).unwrap().unwrap(),
            b"http://h/d/x.html"
        );
        let ran = sandbox.run("base -q --format json site");
        assert!(
            ran.stdout.contains("\"base_from\":\"xattr\""),
            "{}",
            ran.stdout
        );
        assert!(!ran.stdout.contains("doubts"), "{}", ran.stdout);
    }

    #[test]
    fn what_curl_recorded_is_doubted() {
        let sandbox = Sandbox::new();
        if !set(&sandbox, "a.html", ORIGIN, "http://h/old") {
            return;
        }
        set(&sandbox, "a.html", "user.mime_type", "text/html");
        let ran = sandbox.run("base -q a.html");
        assert!(
            ran.stdout.contains("unsure: xattr: curl records"),
            "{}",
            ran.stdout
        );
    }
}

/// A partial mirror of https://h/: pages, a directory with an index page, a query in a name.
fn partial() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "m/h/index.html",
        "<a href=here.html#x><a href=/here.html><a href=gone.html><a href=d/><a href=d>\
         <a href=e/><a href='list.html?page=2'><a href='list.html?page=3'><img src=//i/x.png>\
         <img src=//j/x.png><a href=https://h/gone.html><a href=''><a href=../../outside.html>",
    );
    sandbox.write(
        "m/h/here.html",
        "<base href=d/><a href=deep.html><a href=none.html>",
    );
    sandbox.write("m/h/d/index.html", "");
    sandbox.write(
        "m/h/d/deep.html",
        "<iframe srcdoc='<a href=../here.html><a href=../no.html>'>",
    );
    sandbox.write("m/h/e/no-index", "");
    sandbox.write("m/h/list.html@page=2.html", "");
    sandbox.write("m/i/x.png", "");
    sandbox.write("outside.html", "");
    sandbox
}

#[test]
fn only_what_is_missing_becomes_absolute() {
    let sandbox = partial();
    let ran = sandbox.run("rewrite -i --layout wget --any-host --only-missing --format json m");
    let read = |name: &str| fs::read_to_string(sandbox.path().join(name)).unwrap();
    same(
        "m/h/index.html",
        read("m/h/index.html"),
        "<a href=here.html#x><a href=/here.html><a href=https://h/gone.html><a href=d/><a href=d>\
         <a href=https://h/e/><a href='list.html?page=2'><a href='https://h/list.html?page=3'>\
         <img src=//i/x.png><img src=https://j/x.png><a href=https://h/gone.html><a href=''>\
         <a href=https://h/../../outside.html>",
    );
    // A base that became absolute would take what stays relative with it.
    assert_eq!(
        read("m/h/here.html"),
        "<base href=d/><a href=deep.html><a href=https://h/d/none.html>"
    );
    assert_eq!(
        read("m/h/d/deep.html"),
        "<iframe srcdoc='<a href=../here.html><a href=https://h/no.html>'>"
    );
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&summary["rewritten"], &summary["present"]),
        (&7.into(), &10.into())
    );
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let again = sandbox.run("check --layout wget --any-host --only-missing m");
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (Some(0), ""),
        "{again:?}"
    );
    let counted = "10 left because their targets are in the tree";
    assert!(again.stderr.contains(counted), "{}", again.stderr);
}

#[test]
fn a_single_file_has_the_tree_around_it() {
    let sandbox = Sandbox::new();
    sandbox.write("page.html", "<a href=a.html><a href=b.html>");
    let ran = sandbox.run("rewrite -q --only-missing -b http://h/page.html page.html");
    assert_eq!(ran.stdout, "<a href=a.html><a href=http://h/b.html>");
    // A base stays as well where nothing is there that it leads to.
    sandbox.write("base.html", "<base href=gone/><a href=x.html>");
    let ran = sandbox.run("rewrite -q --only-missing -b http://h/base.html base.html");
    assert_eq!(ran.stdout, "<base href=gone/><a href=http://h/gone/x.html>");
    let ran = sandbox.run("links -q --only-missing -b http://h/page.html page.html");
    assert!(
        ran.stdout.contains("\"outcome\":\"present\""),
        "{}",
        ran.stdout
    );
}

/// What lies behind a symbolic link is in the tree only where links are followed.
#[cfg(unix)]
#[test]
fn links_that_are_not_followed_hold_nothing() {
    let sandbox = Sandbox::new();
    let html = "<a href=file.html></a><a href=directory/x.html></a>";
    sandbox.write("m/h/index.html", html);
    sandbox.write("away/x.html", "");
    for (name, target) in [("file.html", "away/x.html"), ("directory", "away")] {
        let link = sandbox.path().join("m/h").join(name);
        std::os::unix::fs::symlink(sandbox.path().join(target), link).unwrap();
    }
    let options = "check --layout wget --any-host --only-missing --include index.html";
    let ran = sandbox.run(&format!("{options} m"));
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    let ran = sandbox.run(&format!("{options} --follow m"));
    assert_eq!(ran.stdout, "");
    // The PATH itself may be one.
    std::os::unix::fs::symlink(sandbox.path().join("away"), sandbox.path().join("a")).unwrap();
    sandbox.write("away/index.html", "<a href=x.html>");
    let ran = sandbox.run("check --only-missing -b http://h/ a");
    assert_eq!(ran.stdout, "");
}

/// A pipe with a name may never have a writer. One that the shell has opened has.
#[cfg(unix)]
#[test]
fn a_map_is_read_from_a_pipe_only_where_it_is_open() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a.html", "<a href=x>");
    let made = std::process::Command::new("mkfifo")
        .arg(sandbox.path().join("map"))
        .status();
    assert!(made.unwrap().success());
    for map in ["map", "/dev/zero"] {
        let ran = sandbox.run(&format!("check --url-map {map} d"));
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(
            ran.stderr.contains(": cannot read: not a regular file"),
            "{}",
            ran.stderr
        );
    }
    let map = "path,url\na.html,http://h/b/\n";
    let ran = sandbox.run_with_input("check --url-map /dev/stdin d", map);
    assert!(ran.stdout.contains("http://h/b/x"), "{}", ran.stderr);
}

/// What `wget -K` keeps beside a page tells whether `wget -E` has appended the ending; elsewhere it tells nothing.
#[test]
fn an_original_shows_the_name_on_the_server() {
    let sandbox = Sandbox::new();
    for name in ["page", "list?page=3", "x.xhtml", "a.php", "d/index", "both"] {
        sandbox.write(&format!("m/h.org/{name}.html"), "<a href=page.html>");
        sandbox.write(&format!("m/h.org/{name}.orig"), "<a href=page>");
    }
    sandbox.write("m/h.org/plain.html", "<a href=page.html>");
    sandbox.write("m/h.org/y.htm", "<a href=page.html>");
    sandbox.write("m/h.org/y.htm.orig", "<a href=page>");
    // Its own, as `--backup .orig` would make it.
    sandbox.write("m/h.org/both", "<html>");
    let bases = |options: &str| {
        let ran = sandbox.run(&format!("base -q --format json {options}"));
        let lines = ran.stdout.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let file = line["file"].as_str().unwrap().to_owned();
            let name = file.rsplit_once("h.org/").unwrap().1.to_owned();
            (name, line["base"].as_str().unwrap().to_owned())
        });
        lines.collect::<std::collections::BTreeMap<_, _>>()
    };
    let known = [
        ("page.html", "page"),
        ("list?page=3.html", "list?page=3"),
        ("x.xhtml.html", "x.xhtml"),
        ("a.php.html", "a.php"),
        ("d/index.html", "d/index"),
        ("both.html", "both.html"),
        ("plain.html", "plain.html"),
        ("y.htm", "y.htm"),
    ];
    for options in ["--layout wget m", "--layout wget-windows m"] {
        let found = bases(options);
        for (name, url) in known {
            // `?` is no mark of a query there.
            if options.contains("windows") && name.contains('?') {
                continue;
            }
            assert_eq!(found[name], format!("https://h.org/{url}"), "{options}");
        }
    }
    for options in ["--layout httrack m", "-b https://h.org/ m/h.org"] {
        let found = bases(options);
        for name in ["page.html", "a.php.html"] {
            assert_eq!(found[name], format!("https://h.org/{name}"), "{options}");
        }
    }
    // A link to it means the page, as it was on the server.
    let read = |name: &str| fs::read_to_string(sandbox.path().join(name)).unwrap();
    for (options, page, url) in [
        ("--layout wget m", "h.org/plain.html", "page"),
        (
            "-b https://h.org/ --converted-links always m/h.org",
            "plain.html",
            "page",
        ),
        ("-b https://h.org/ m/h.org", "plain.html", "page.html"),
    ] {
        let ran = sandbox.run(&format!("rewrite -q -o out {options}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let link = format!("<a href=https://h.org/{url}>");
        assert_eq!(read(&format!("out/{page}")), link, "{options}");
    }
    assert_eq!(read("m/h.org/page.orig"), "<a href=page>");
    // And back.
    sandbox.write("m/h.org/plain.html", "<a href=https://h.org/page>");
    let ran = sandbox.run("rewrite -q --layout wget --to files -o files m");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(read("files/h.org/plain.html"), "<a href=page.html>");
}
