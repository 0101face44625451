//! What a run says about links that it passes over, or that look wrong.

use serde_json::Value;

use super::Sandbox;

const OFF: &str = "<meta property=og:image content=a><meta property=og:url content=http://h/>\
                   <img data-src=b data-srcset='c 1x, #d 2x'><p data-bg='{{ e }}'>\
                   <!--[if IE]><img src=f data-src=g><iframe srcdoc='<a href=h>'></iframe><![endif]-->";

#[test]
fn check_counts_what_is_in_groups_that_are_off() {
    let sandbox = Sandbox::new();
    sandbox.write("p/off.html", OFF);
    let said = |arguments: &str| {
        let ran = sandbox.run(arguments);
        assert_eq!((ran.code, &*ran.stdout), (Some(0), ""), "{}", ran.stderr);
        ran.stderr
    };
    let note = "note: 7 more in groups that are off: lazy 3, comments 3, meta 1\n\
                hint: --also lazy,comments,meta includes them\n";
    let check = said("check -b http://h/ p");
    assert!(check.contains("no relative links in 1 file"), "{check}");
    assert!(check.ends_with(note), "{check}");
    // With these it lists as many.
    let ran = sandbox.run("check -b http://h/ --also lazy,comments,meta p");
    assert_eq!(
        (ran.code, ran.stdout.lines().count()),
        (Some(1), 7),
        "{}",
        ran.stdout
    );
    let check = said("check -b http://h/ --also amp --skip lazy p");
    assert!(
        check.contains("note: 3 more in groups that are off: comments 2, meta 1\nhint: --also "),
        "{check}"
    );
    for quiet in [
        "--skip lazy,meta,comments",
        "--only links",
        "--skip all",
        "-q",
    ] {
        let check = said(&format!("check -b http://h/ {quiet} p"));
        assert!(!check.contains("groups"), "{quiet}: {check}");
    }
    // Without a base URL they are relative as well.
    assert!(said("check p").contains(note));
    // It is nothing to rewrite.
    let rewrite = said("rewrite -o out -b http://h/ p");
    assert!(!rewrite.contains("groups"), "{rewrite}");
}

/// What is only counted shows nothing else, in whatever pieces a document is read.
#[test]
fn what_is_counted_changes_nothing_else() {
    let sandbox = Sandbox::new();
    let page = format!(
        "<a href=x>{OFF}<script type=importmap>{{\"imports\":{{\"./a\":\"./b\"}}}}</script><a href=y>"
    );
    sandbox.write("p.html", &page);
    for engine in ["memory", "stream"] {
        let ran = sandbox.run(&format!("check -b http://h/ --engine {engine} p.html"));
        assert_eq!(
            (ran.code, ran.stdout.lines().count()),
            (Some(1), 2),
            "{}",
            ran.stdout
        );
        let counts = "lazy 3, comments 3, json 2, meta 1";
        assert!(ran.stderr.contains(counts), "{engine}: {}", ran.stderr);
    }
}

#[test]
fn links_above_the_root_are_counted() {
    let sandbox = Sandbox::new();
    let page =
        "<a href=../x><a href=../../y><img src=/../z><a href=//o/../u><a href=http://h/../v>";
    sandbox.write("d/p.html", page);
    for resolver in ["rfc1808", "rfc3986", "whatwg"] {
        let run = format!("rewrite -b http://h/d/p.html --resolver {resolver} d/p.html");
        let ran = sandbox.run(&run);
        let warning =
            "warning: 2 links lead above the root of their site\nhint: check --base-url\n";
        assert!(ran.stderr.contains(warning), "{resolver}: {}", ran.stderr);
        assert_eq!(ran.code, Some(0));
        let json = sandbox.run(&format!("{run} --dry-run --format json"));
        let summary: Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(summary["above_root"], 2, "{}", json.stdout);
    }
    let ran = sandbox.run("rewrite -b http://h/d/p.html d/p.html");
    assert!(
        ran.stdout.contains("<a href=http://h/../y>"),
        "{}",
        ran.stdout
    );
    let ran = sandbox.run("check -b http://h/d/ d");
    let one = "warning: 2 links lead above the root of their site\nhint: check --base-url\n";
    assert!(ran.stderr.contains(one), "{}", ran.stderr);
    for silent in [
        "-b http://h/a/b/p.html",
        "-b file:///d/p.html",
        "-q -b http://h/d/p.html",
    ] {
        sandbox.write("s.html", "<a href=../x><a href=../../y>");
        let ran = sandbox.run(&format!("rewrite {silent} s.html"));
        assert!(!ran.stderr.contains("above"), "{silent}: {}", ran.stderr);
    }
    // There the base URL is the document's own.
    sandbox.write("e/p.html", "<base href=http://h/d/><a href=../../y>");
    let ran = sandbox.run("rewrite -o out e");
    let warning = "warning: 1 link leads above the root of its site\n";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    assert!(!ran.stderr.contains("--base-url"), "{}", ran.stderr);
    sandbox.write("f/p.html", "<a href=../x>");
    let ran = sandbox.run("rewrite -b http://h/d/ -o out f");
    let summary = sandbox
        .run("rewrite -b http://h/d/ --dry-run --format json f")
        .stdout;
    assert!(
        !ran.stderr.contains("above") && summary.contains("\"above_root\":0"),
        "{summary}"
    );
}

#[test]
fn a_base_url_was_needed_where_the_base_element_is_relative() {
    let sandbox = Sandbox::new();
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='BASE'><link href='x'/></feed>";
    for (name, document, needed) in [
        ("a.html", "<base href=./><a href=x>", true),
        ("b.html", "<base href=//o/><a href=x>", true),
        ("c.html", "<base href=http://o/><a href=x>", false),
        (
            "d.html",
            "<base href=http://o/><base href=y><a href=x>",
            true,
        ),
        ("e.html", "<html manifest=m><base href=http://o/>", true),
        ("f.xml", &atom.replace("BASE", "b/"), true),
        ("g.xml", &atom.replace("BASE", "http://o/"), false),
    ] {
        sandbox.write(name, document);
        for command in ["rewrite", "check", "links", "base"] {
            let as_feed = if name.ends_with("xml") {
                "--as feed"
            } else {
                ""
            };
            let ran = sandbox.run(&format!("{command} -b http://h/d/{name} {as_feed} {name}"));
            let is_useless = ran.stderr.contains("--base-url had no effect");
            // `base` looks at nothing but the base URL.
            let expected = !needed || command == "base" && matches!(name, "d.html" | "e.html");
            if command != "base" || expected == is_useless {
                assert_eq!(is_useless, expected, "{command} {name}: {}", ran.stderr);
            }
        }
    }
    let ran = sandbox.run("rewrite -b http://h/d/ --to relative c.html");
    assert!(!ran.stderr.contains("had no effect"), "{}", ran.stderr);
}

#[test]
fn base_shows_what_a_relative_base_was_resolved_against() {
    let sandbox = Sandbox::new();
    sandbox.write("p.html", "<base href=./x/>");
    let ran = sandbox.run("base -q -b http://h/d/p.html p.html");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].ends_with("http://h/d/x/"), "{lines:?}");
    assert_eq!(
        lines[1],
        "          resolved: ./x/ against layout http://h/d/p.html"
    );
    let ran = sandbox.run("base -q --format json -b http://h/d/p.html p.html");
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(found["resolved"]["reference"], "./x/", "{found}");
    assert_eq!(found["resolved"]["base"], "http://h/d/p.html", "{found}");
    // One that is a URL by itself is resolved against nothing.
    sandbox.write("q.html", "<base href=http://o/>");
    let ran = sandbox.run("base -q -b http://h/d/q.html q.html");
    assert!(!ran.stdout.contains("resolved"), "{}", ran.stdout);
}

/// What a browser gets is shown as it is in the document's encoding.
#[test]
fn what_a_browser_gets_is_spelled_in_the_encoding() {
    let sandbox = Sandbox::new();
    let page = b"<meta charset=cp1252><a href='///x/?\x81\x8d\x8f\x90\x9d\xe9'><img src='w?\xe9'><base href=/q/>";
    std::fs::write(sandbox.path().join("p.html"), page).unwrap();
    let ran = sandbox.run("links -q --format json -b http://h/a/ p.html");
    let found: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        found[0]["divergent"], "http://x/?%81%8D%8F%90%9D%E9",
        "{}",
        ran.stdout
    );
    assert_eq!(found[1]["divergent"], "http://h/a/w?%E9", "{}", ran.stdout);
}

/// A reference to a character that new text takes the place of is not closed behind it.
#[test]
fn no_semicolon_is_left_behind_a_new_url() {
    let sandbox = Sandbox::new();
    let page = "<iframe srcdoc=<semantics&#32;href=&#12;x&lt&#12;&#32;&#62;></iframe>";
    sandbox.write("p.html", page);
    let ran =
        sandbox.run("rewrite -q --resolver whatwg --charset iso-8859-2 -b http://h/a'b/ p.html");
    let expected = "<iframe srcdoc=\"<semantics&#32;href=&#12;&quot;http://h/a'b/x%3C&quot;&#12;&#32;&#62;\"></iframe>";
    assert_eq!(ran.stdout, expected);
}

/// Which of several documents is finished first makes no difference.
#[test]
fn the_group_that_keeps_a_base_is_that_of_the_first_document() {
    let sandbox = Sandbox::new();
    for number in 0..40 {
        let place = match number % 2 {
            0 => "<meta property=og:url content=x>",
            _ => "<img data-src=x>",
        };
        let more = "<p>".repeat(if number == 0 { 100_000 } else { 1 });
        let page = format!("<base href=http://o/>{place}{more}");
        sandbox.write(&format!("p/{number:02}.html"), &page);
    }
    for jobs in ["1", "2", "8"] {
        let ran = sandbox.run(&format!(
            "rewrite --dry-run -j {jobs} --remove-base -b http://h/ p"
        ));
        let kept = "0 removed, 40 kept for links left relative, as in the group meta\n";
        assert!(ran.stderr.contains(kept), "-j{jobs}: {}", ran.stderr);
    }
}
