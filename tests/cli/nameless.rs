//! References from file to file (`--to files`, `--to relative`) where no option says which URL the tree has.

use super::Sandbox;

/// A part of what stands for the tree inside, which no output has.
const INNER: &str = "nameless";

/// A site as a server would have it at its root.
fn site() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "s/index.html",
        "<link rel=canonical href=/index.html><a href=/a/>A</a><a href=/a>A</a><img src='/i.png?v=3'>\
         <a href=/gone>G</a><a href=gone.html>G</a><a href=//h.org/x>X</a><a href=https://h.org/y>Y</a>\
         <a href=a/b.html#x>B</a><a href=#y>Y</a><a href='{{ url }}'>T</a><iframe srcdoc='<a href=/i.png>'></iframe>",
    );
    sandbox.write(
        "s/a/index.html",
        "<a href=/>H</a><a href=/a/b.html>B</a><a href=../../up>U</a>",
    );
    sandbox.write(
        "s/a/b.html",
        "<base href=/a/><a href=/i.png>I</a><a href=index.html>A</a>",
    );
    sandbox.write("s/i.png", "");
    sandbox.write(
        "s/main.css",
        "b{background:url(/i.png)}i{background:url(/gone.png)}",
    );
    let manifest = r#"{"id": "/app", "start_url": "/a/", "icons": [{"src": "/i.png"}]}"#;
    sandbox.write("s/site.webmanifest", manifest);
    sandbox.write("s/404.html", "<img src=/i.png><a href=/gone>");
    sandbox
}

/// Bytes alone tell most of it: that is what all the rules find, which a pattern has asked about each.
#[test]
fn the_short_way_finds_what_the_long_way_does() {
    let page = "<a href=c.html><a href=c.html#f><a href=../a/c.html><a href=../a/b.html#x><a href=b.html#x>\
                <a href=b.html><a href=index.html#x><a href=../../up><a href=q?x=1><a href=c.html?y>\
                <a href=./c.html><a href=none.html><a href=../none/c.html><a href=../a><a href=#f><a href=#a%20(b)>\
                <a href=../mark.html><a href=../index.html><a href=/a/c.html><a href=/gone><a href=../x.html>\
                <a href=https://o.org/x><a href=https://h.org/p/a><a href=//h.org/p/a><link rel=canonical href=c.html>\
                <use href=#x><svg><use href=b.html#x></svg><iframe srcdoc='<a href=c.html><a href=gone>'></iframe>";
    let mark = "<!-- saved from url=(0018)https://h.org/p/a -->";
    for to in ["relative", "files"] {
        for name in ["b.html", "index.html"] {
            let found = |options: &str| {
                let sandbox = Sandbox::new();
                for (path, text) in [
                    ("s/a/b.html", ""),
                    ("s/a/index.html", ""),
                    (
                        "s/a/c.html",
                        "<base href=../><a href=x.html><a href=c.html>",
                    ),
                    ("s/x.html", ""),
                    ("s/index.html", ""),
                    ("s/mark.html", mark),
                    (&*format!("s/a/{name}"), page),
                ] {
                    sandbox.write(path, text);
                }
                let listed = sandbox.run(&format!("links --format json --to {to} {options} s"));
                let ran = sandbox.run(&format!("rewrite --verify --to {to} {options} -i s"));
                ran.exits(0);
                // The first line says how long it took.
                let said = ran.stderr.split_once('\n').unwrap_or_default().1;
                let said = said.replace("warning: --exclude-url matched no link\n", "");
                let new = ["b.html", "index.html", "c.html"];
                let new = new.map(|name| sandbox.read(format!("s/a/{name}")));
                (listed.stdout, said, new)
            };
            let (short, long) = (found(""), found("--exclude-url ^no-such-URL$"));
            assert_eq!(short, long, "{to} {name}");
        }
    }
}

#[test]
fn what_stands_for_the_tree_is_never_shown() {
    let sandbox = site();
    for command in [
        "check --to files s",
        "check --to relative --format json s",
        "links --to files s",
        "rewrite --to files --diff s",
        "rewrite --to relative --diff --resolver whatwg s",
        "rewrite --to files -v --dry-run --format json s",
        "rewrite --to files -v --dry-run --format html=report.html s",
        "check --to files --format sarif s",
        "base s",
        "rewrite --to files -i -v --detect feeds s",
    ] {
        sandbox.write(
            "s/feed.xml",
            "<rss version='2.0'><channel><item><link>/x</link></item></channel></rss>",
        );
        let ran = sandbox.run(command);
        assert!(ran.code < Some(3), "{command}: {}", ran.stderr);
        let shown = [ran.stdout, ran.stderr].concat();
        assert!(!shown.contains(INNER), "{command}: {shown}");
    }
    for file in [
        "report.html",
        "s/index.html",
        "s/a/index.html",
        "s/a/b.html",
        "s/feed.xml",
        "s/404.html",
        "s/main.css",
        "s/site.webmanifest",
    ] {
        assert!(!sandbox.read(file).contains(INNER), "{file}");
    }
    let ran = sandbox.run("check --to files --format json site");
    ran.exits(0);
    sandbox.write("site/a.html", "<a href=/index.html>");
    let ran = sandbox.run("check --to files --format json site");
    ran.exits(1)
        .shows("\"base_from\":\"tree\"")
        .shows("\"to\":\"index.html\"");
}
