//! References from file to file (`--to files`, `--to relative`) where no option says which URL the tree has.

use super::Sandbox;
use crate::support::same;

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

fn note(missing: &str) -> String {
    format!("note: no base URL given: links that begin with / start at s{missing}\n")
}

#[test]
fn from_file_to_file() {
    let sandbox = site();
    let ran = sandbox.run("rewrite --to files --verify -o out s --copy-others");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    same(
        "out/index.html",
        sandbox.read("out/index.html"),
        "<link rel=canonical href=/index.html><a href=a/index.html>A</a><a href=a/index.html>A</a><img src='i.png?v=3'>\
         <a href=/gone>G</a><a href=gone.html>G</a><a href=//h.org/x>X</a><a href=https://h.org/y>Y</a>\
         <a href=a/b.html#x>B</a><a href=#y>Y</a><a href='{{ url }}'>T</a><iframe srcdoc='<a href=i.png>'></iframe>",
    );
    assert_eq!(
        sandbox.read("out/a/index.html"),
        "<a href=../index.html>H</a><a href=b.html>B</a><a href=../../up>U</a>"
    );
    assert_eq!(
        sandbox.read("out/a/b.html"),
        "<a href=../i.png>I</a><a href=index.html>A</a>"
    );
    let css = "b{background:url(i.png)}i{background:url(/gone.png)}";
    assert_eq!(sandbox.read("out/main.css"), css);
    let said = note("; left 4 of them unchanged: no such files there");
    assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    let ran = sandbox.run("rewrite --to files --dry-run out");
    assert!(
        ran.stderr.contains("would change 0 links"),
        "{}",
        ran.stderr
    );
}

#[test]
fn relative_to_each_other() {
    let sandbox = site();
    let ran = sandbox.run("rewrite --to relative --verify -o out s --copy-others");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    same(
        "out/index.html",
        sandbox.read("out/index.html"),
        "<link rel=canonical href=/index.html><a href=a/>A</a><a href=a>A</a><img src='i.png?v=3'>\
         <a href=/gone>G</a><a href=gone.html>G</a><a href=//h.org/x>X</a><a href=https://h.org/y>Y</a>\
         <a href=a/b.html#x>B</a><a href=#y>Y</a><a href='{{ url }}'>T</a><iframe srcdoc='<a href=i.png>'></iframe>",
    );
    assert!(
        sandbox
            .read("out/a/index.html")
            .starts_with("<a href=../>H</a><a href=b.html>B</a>")
    );
    assert!(sandbox.read("out/a/b.html").starts_with("<base href=/a/>"));
    let ran = sandbox.run("check --to relative out");
    assert_eq!(ran.code, Some(0), "{ran:?}");
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
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                // The first line says how long it took.
                let said = ran.stderr.split_once('\n').unwrap_or_default().1;
                let said = said.replace("warning: --exclude-url matched no link\n", "");
                let new = ["b.html", "index.html", "c.html"];
                let new = new.map(|name| sandbox.read(&format!("s/a/{name}")));
                (listed.stdout, said, new)
            };
            let (short, long) = (found(""), found("--exclude-url ^no-such-URL$"));
            assert_eq!(short, long, "{to} {name}");
        }
    }
}

/// Without the `base` element, it would lead to another file.
#[test]
fn what_leads_to_no_file_leads_to_none_without_its_base() {
    let sandbox = Sandbox::new();
    let page = "<base href=../><a href=x.html>X</a><a href=c.html?q#f>C</a><link rel=canonical href=d>\
                <a href=//h.org/>H</a>";
    sandbox.write("s/a/c.html", page);
    sandbox.write("s/x.html", "");
    for (to, out) in [("files", "f"), ("relative --remove-base", "r")] {
        let ran = sandbox.run(&format!("rewrite --to {to} --verify -o {out} s"));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let new = "<a href=../x.html>X</a><a href=/c.html?q#f>C</a><link rel=canonical href=/d>\
                   <a href=//h.org/>H</a>";
        assert_eq!(sandbox.read(&format!("{out}/a/c.html")), new, "{to}");
        let ran = sandbox.run(&format!("check --to {to} {out}"));
        assert_eq!(ran.code, Some(0), "{ran:?}");
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
    assert_eq!(ran.code, Some(0), "{ran:?}");
    sandbox.write("site/a.html", "<a href=/index.html>");
    let ran = sandbox.run("check --to files --format json site");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stdout.contains("\"base_from\":\"tree\""),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("\"to\":\"index.html\""),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_page_that_has_a_url_keeps_it() {
    let sandbox = Sandbox::new();
    let mark = "<!-- saved from url=(0018)https://h.org/p/a -->";
    sandbox.write(
        "s/a.html",
        &format!("{mark}<a href=/x.html>X</a><a href=b>B</a>"),
    );
    sandbox.write(
        "s/x.html",
        "<a href=/a.html>A</a><a href=https://h.org/p/a>A</a>",
    );
    let ran = sandbox.run("rewrite --to files --verify -o out s");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let page = format!("{mark}<a href=https://h.org/x.html>X</a><a href=https://h.org/p/b>B</a>");
    assert_eq!(sandbox.read("out/a.html"), page);
    // By both: its place, and the URL that it has.
    let other = sandbox.read("out/x.html");
    assert!(other.ends_with("<a href=a.html>A</a>"), "{other}");
}

#[test]
fn the_directory_of_a_host_hints_at_the_layout() {
    let sandbox = Sandbox::new();
    sandbox.write("m/h.org/a.html", "<a href=/b.html>");
    sandbox.write("m/h.org/b.html", "");
    let ran = sandbox.run("rewrite --to files --dry-run m");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("\nhint: --layout wget\n"),
        "{}",
        ran.stderr
    );
    // With a URL, or to another form, all is as ever.
    let ran = sandbox.run("rewrite --to root --dry-run m");
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

/// Pages that a browser saved one by one.
#[test]
fn what_files_record_is_a_map() {
    let sandbox = Sandbox::new();
    let page =
        |url: &str, links: &str| format!("<!-- saved from url=({:04}){url} -->{links}", url.len());
    let links = "<a href=https://h.org/d/b?x=1#f>B</a><a href=https://h.org/d/b>b</a>\
                 <a href=https://o.org>O</a><a href=https://h.org/A%42>AB</a>";
    sandbox.write("s/one.html", &page("https://h.org/d/a", links));
    sandbox.write(
        "s/sub/two.html",
        &page("https://h.org/d/b?x=1", "<a href=a>A</a>"),
    );
    sandbox.write("s/three.html", &page("https://o.org/", "<p>"));
    sandbox.write("s/u.html", &page("https://o.org/", "<p>"));
    sandbox.write("s/v.html", &page("https://h.org/AB", "<p>"));
    let ran = sandbox.run("rewrite --to files --verify -o out s");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let new = "<a href=sub/two.html#f>B</a><a href=https://h.org/d/b>b</a>\
               <a href=three.html>O</a><a href=v.html>AB</a>";
    assert_eq!(sandbox.read("out/one.html"), page("https://h.org/d/a", new));
    let two = page("https://h.org/d/b?x=1", "<a href=../one.html>A</a>");
    assert_eq!(sandbox.read("out/sub/two.html"), two);
    let said = "s/u.html: has the same URL as s/three.html, which links use\n";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    let ran = sandbox.run("check --to files out");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // A URL that is given counts instead.
    let ran = sandbox.run("rewrite -b https://h.org/ --to files --diff s");
    assert!(!ran.stdout.contains("two.html#f"), "{}", ran.stdout);
}

#[test]
fn the_map_of_httrack_is_found() {
    let sandbox = Sandbox::new();
    sandbox.write("m/www.example.org/list4658.html", "<a href=b.html>");
    sandbox.write("m/www.example.org/b.html", "<a href=c>");
    sandbox.write("m/other.org/x.html", "<a href=y>");
    sandbox.write(
        "m/hts-cache/new.txt",
        "date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked,gZipped)\t\
         statuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n\
         10:00:00\t5/5\t---MC-\t200\tadded ('OK')\ttext/html\t\thttp://www.example.org/list?page=2\tm/www.example.org/list4658.html\t(from )\n\
         10:00:00\t5/5\t---MC-\t200\tadded ('OK')\ttext/html\t\thttp://www.example.org/b.html\tm/www.example.org/b.html\t(from )\n",
    );
    let base = |options: &str| sandbox.run(&format!("base {options} m"));
    let found = base("");
    assert!(
        found.stdout.contains("http://www.example.org/list?page=2"),
        "{}",
        found.stdout
    );
    assert!(
        found.stderr.contains("note: using hts-cache/new.txt\n"),
        "{}",
        found.stderr
    );
    // What it does not name goes by the layout.
    let found = base("--layout httrack");
    assert!(
        found.stdout.contains("https://other.org/x.html"),
        "{}",
        found.stdout
    );
    assert!(
        found.stdout.contains("http://www.example.org/list?page=2"),
        "{}",
        found.stdout
    );
    for options in [
        "--layout httrack --url-from layout",
        "-b https://x.org/ --layout tree",
    ] {
        let found = base(options);
        assert!(
            !found.stderr.contains("using hts-cache"),
            "{}",
            found.stderr
        );
        assert!(!found.stdout.contains("list?page=2"), "{}", found.stdout);
    }
}
