//! `--map-url`, as the command carries it out. testdata/html/map-url.tsv has the rules for one URL.

use crate::cli::Sandbox;

const PAGE: &str = "<a href=x><base href=/b/><img srcset='y 1x, /c/z 2x'><a href=http://h/b/u>\
                    <p style='a:url(v)'><iframe srcdoc='<a href=w>'></iframe>";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("p.html", PAGE);
    sandbox
}

/// What was absolute stays, and so does what the `base` element says.
#[test]
fn what_was_relative_is_mapped() {
    let mapped = "<a href=https://o/d/x><base href=http://h/b/>\
                  <img srcset='https://o/d/y 1x, https://o/c/z 2x'><a href=http://h/b/u>\
                  <p style='a:url(https://o/d/v)'>\
                  <iframe srcdoc='<a href=https://o/d/w>'></iframe>";
    let maps = "-b http://h/a/ --map-url http://h/=https://o/ --map-url http://H/b/=https://o/d";
    for more in [
        "",
        "--engine stream",
        "--verify",
        "--verify --engine stream",
        "--verify --resolver rfc3986",
        "--verify --resolver whatwg",
    ] {
        let sandbox = sandbox();
        let ran = sandbox.run(&format!("rewrite {maps} {more} p.html"));
        assert_eq!(
            (&*ran.stdout, ran.code),
            (mapped, Some(0)),
            "{more} {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("--map-url: 5 references mapped\n"),
            "{}",
            ran.stderr
        );
        sandbox.write("p.html", mapped);
        let again = sandbox.run(&format!("rewrite {maps} {more} p.html"));
        assert_eq!(again.stdout, mapped);
        assert!(
            again.stderr.contains("--map-url: 0 references mapped\n"),
            "{}",
            again.stderr
        );
    }
}

/// Even where FROM begins TO.
#[test]
fn a_second_run_changes_nothing() {
    let sandbox = sandbox();
    let run = || sandbox.run("rewrite -q -i -b http://h/a/ --map-url http://h/=http://h/m/ p.html");
    let page = || std::fs::read_to_string(sandbox.path().join("p.html")).unwrap();
    assert_eq!(run().code, Some(0));
    let once = page();
    assert!(
        once.contains("<a href=http://h/m/b/x><base href=http://h/b/>"),
        "{once}"
    );
    assert_eq!(run().code, Some(0));
    assert_eq!(page(), once);
}

#[test]
fn programs_see_the_mapped_url_and_its_count() {
    let sandbox = sandbox();
    let maps = "-b http://h/a/ --map-url http://h/b/=https://o";
    let ran = sandbox.run(&format!("rewrite --dry-run --format json {maps} p.html"));
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&summary["mapped"], &summary["rewritten"]),
        (&4.into(), &6.into())
    );
    let ran = sandbox.run("rewrite --dry-run --format json -b http://h/a/ p.html");
    assert!(!ran.stdout.contains("mapped"), "{}", ran.stdout);

    let ran = sandbox.run(&format!("links -q {maps} p.html"));
    let lines = ran.stdout.lines();
    let links: Vec<serde_json::Value> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let absolute: Vec<_> = links
        .iter()
        .map(|link| link["absolute"].as_str().unwrap())
        .collect();
    let expected = [
        "https://o/x",
        "http://h/b/",
        "https://o/y",
        "http://h/c/z",
        "http://h/b/u",
        "https://o/v",
        "https://o/w",
    ];
    assert_eq!(absolute, expected);
    assert_eq!(links[0]["base"], "http://h/b/");

    let ran = sandbox.run(&format!("check {maps} p.html"));
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.stdout
            .starts_with("p.html:1:9: <a href> x -> https://o/x\n"),
        "{}",
        ran.stdout
    );
}

/// It is the last step: what is excluded, present or divergent is so by the URL that is mapped.
#[test]
fn it_comes_after_all_else() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "pages/p.html",
        "<a href=p.html><a href=gone.html><a href=///h/>",
    );
    let maps = "-b http://h/ --map-url http://h/=http://o/";
    let ran = sandbox.run(&format!("rewrite -q -o out --only-missing {maps} pages"));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = std::fs::read_to_string(sandbox.path().join("out/p.html")).unwrap();
    assert_eq!(
        page,
        "<a href=p.html><a href=http://o/gone.html><a href=http://o/h/>"
    );
    let ran = sandbox.run(&format!("links -q {maps} --exclude-url gone pages"));
    let outcomes: Vec<_> = (ran.stdout.lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|link| (link["outcome"].to_string(), link["divergent"].to_string()))
        .collect();
    let expected = [
        ("\"relative\"", "null"),
        ("\"excluded\"", "null"),
        ("\"relative\"", "\"http://h/\""),
    ];
    assert_eq!(
        outcomes,
        expected.map(|(one, other)| (one.to_owned(), other.to_owned()))
    );
}

/// What says what others are relative to stays, in feeds as well.
#[test]
fn the_base_of_a_feed_stays() {
    let sandbox = Sandbox::new();
    let feed = |base: &str, link: &str| {
        format!(
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='{base}'><entry>\
             <link href='{link}'/><content type='html'>&lt;a href=\"y\"></content></entry></feed>"
        )
    };
    sandbox.write("f.atom", &feed("d/", "x"));
    let ran = sandbox.run("rewrite -q --verify -b http://h/ --map-url http://h/=http://o/ f.atom");
    let expected = feed("http://h/d/", "http://o/d/x").replace("\"y\"", "\"http://o/d/y\"");
    assert_eq!((&*ran.stdout, &*ran.stderr), (&*expected, ""));
}

#[test]
fn the_second_reader_knows_the_prefixes() {
    let sandbox = sandbox();
    let output = (sandbox.abslink("rewrite --verify -b http://h/a/ --map-url http://h/=http://o/"))
        .arg("p.html")
        .env("ABSLINK_TEST_FAULT", "http://o/b/y=>http://h/b/y")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let message = "`y` means http://o/b/y, and `http://h/b/y` was written";
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_is_no_prefix_is_refused() {
    for (given, message) in [
        ("--map-url http://h/", "--map-url"),
        ("--map-url http://h/", "give two absolute URLs, FROM=TO"),
        ("--map-url docs/=http://h/", "it is not absolute"),
        (
            "--map-url http://h/?q=http://o/",
            "leave out what begins with `?` or `#`",
        ),
        (
            "--map-url http://h/=http://o/ --map-url HTTP://H=http://x/",
            "error: --map-url: FROM is the same as that of `http://h/=http://o/`; leave out one",
        ),
    ] {
        let ran = Sandbox::new().run(&format!("check -b http://h/ {given} site"));
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    assert!(
        !Sandbox::new()
            .run("base --help")
            .stdout
            .contains("--map-url")
    );
}
