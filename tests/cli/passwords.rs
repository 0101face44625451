//! Passwords in URLs are shown nowhere but where they are the result.

use std::fs;

use super::Sandbox;

const SECRET: &str = "s3cr3t";

/// Passwords from each place that a URL can come from.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(
        "site/own.html",
        "<base href='http://me@mail.org:s3cr3t@own/'><a href=x><a href='?to=http%3A%2F%2Fu%3As3cr3t%40h'>\
         <a href='http://u:s3cr3t@h/'><a href='///u:s3cr3t@h/'><a href='//u:s3cr3t \"@h/'>\
         <meta http-equiv=refresh content='0;url=//u:s3cr3t@h/'>",
    );
    // Refused, as a base URL and as a reference.
    sandbox.write(
        "site/refused.html",
        "<base href='mailto:x?http://u:s3cr3t@h/'><a href=y><a href='http://u:s3cr3t@h/'>",
    );
    sandbox.write(
        "site/comment.html",
        "<!-- saved from url=(0026)http://u:s3cr3t@c/c.html -->\n<a href=z>",
    );
    sandbox.write("map.csv", "path,url\nmapped.html,http://u:s3cr3t@map/p/\n");
    sandbox.write("bad.csv", "path,url\nmapped.html,http//u:s3cr3t@map/p/\n");
    sandbox.write("mapped.html", "<a href=w>");
    sandbox.write(
        "plain.html",
        "<a href=v><a href='//u:s3cr3t@h/x'><script src=../s.js></script>",
    );
    let block =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/x><a href=//u:s3cr3t@h/x>";
    sandbox.write(
        "a.warc",
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://u:s3cr3t@w/d/\r\n\
             WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:0>\r\n\
             Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        ),
    );
    sandbox
}

const LISTED: [&str; 17] = [
    "check -b http://ci:s3cr3t@host/ site plain.html --root . --format FORMAT",
    "rewrite -b http://ci:s3cr3t@host/ site --dry-run --format FORMAT",
    "rewrite site --dry-run --verify --verbose --format FORMAT",
    "check -b http://ci:s3cr3t@host/d/ --verbose --format html=page.html plain.html",
    "rewrite -b http://ci:s3cr3t@host/d/ --dry-run --format html=page.html site",
    "check --url-map map.csv --format html=page.html -v site mapped.html --root .",
    "links -b http://ci:s3cr3t@host/ site",
    "links --format text --resolver whatwg site a.warc",
    "links --url-map map.csv --root . mapped.html",
    "links --move-url http://h/=https://u:s3cr3t@to/ -b http://h/ plain.html",
    "base -b http://ci:s3cr3t@host/ site",
    "base --format json site a.warc",
    "base --format json -b http://ci:s3cr3t@host/ --url-from comment,layout site",
    "base --url-from comment,layout -b http://ci:s3cr3t@host/ site",
    "base -v --url-map map.csv --root . mapped.html",
    "check -v a.warc",
    "rewrite --warc-as conversions -o out a.warc -q --move-url http://h/=https://u:s3cr3t@to/",
];

/// Each command line of [`LISTED`], in every format that it takes.
fn each(mut run: impl FnMut(&str)) {
    for line in LISTED {
        for format in [
            "text", "json", "github", "sarif", "gitlab", "junit", "markdown",
        ] {
            run(&line.replace("FORMAT", format));
            if !line.contains("FORMAT") {
                break;
            }
        }
    }
}

/// All that a run shows, but for the documents that it writes.
fn shown(sandbox: &Sandbox, line: &str) -> String {
    let _ = fs::remove_file(sandbox.path().join("page.html"));
    let _ = fs::remove_dir_all(sandbox.path().join("out"));
    let ran = sandbox.run(line);
    assert_ne!(ran.code, Some(2), "{line}: {}", ran.stderr);
    let page = fs::read_to_string(sandbox.path().join("page.html")).unwrap_or_default();
    let archive = fs::read_to_string(sandbox.path().join("out/a.warc")).unwrap_or_default();
    let options = archive.lines().filter(|line| line.starts_with("options: "));
    let options: String = options.collect();
    assert_eq!(options.is_empty(), !line.contains("-o out"), "{line}");
    [ran.stdout, ran.stderr, page, options].concat()
}

#[test]
fn no_text_shows_a_password() {
    let sandbox = sandbox();
    each(|line| {
        let shown = shown(&sandbox, line);
        assert!(!shown.contains(SECRET), "{line}: {shown}");
    });
}

#[test]
fn show_passwords_shows_them() {
    let sandbox = sandbox();
    each(|line| {
        let shown = shown(&sandbox, &format!("{line} --show-passwords"));
        // The summaries of rewrite have no URLs.
        let has_urls = !line.starts_with("rewrite") || !line.contains("--format");
        assert!(!has_urls || shown.contains(SECRET), "{line}: {shown}");
        assert!(!shown.contains("***"), "{line}: {shown}");
    });
}

#[test]
fn messages_show_none() {
    let sandbox = sandbox();
    for line in [
        "check -b http//ci:s3cr3t@host/ plain.html",
        "check -b mailto:http://ci:s3cr3t@host/ plain.html",
        "check --url-map bad.csv --root . mapped.html",
        "check --move-url http://u:s3cr3t@h/?q=http://x/ plain.html",
        "check --move-url http://u:s3cr3t@h/ plain.html",
        "check --layout http://u:s3cr3t@h/ plain.html",
        "check --no-such=http://u:s3cr3t@h/ plain.html",
        "check --layout wget -b http://u:s3cr3t@h/ site",
    ] {
        let ran = sandbox.run(line);
        assert_ne!(ran.code, Some(0), "{line}");
        let shown = ran.stdout + &ran.stderr;
        assert!(!shown.contains(SECRET), "{line}: {shown}");
    }
}

#[test]
fn results_are_exact() {
    let sandbox = sandbox();
    let base = "http://ci:s3cr3t@host/d/";
    let url = "http://ci:s3cr3t@host/d/v";
    for line in [
        format!("rewrite -q -b {base} plain.html"),
        format!("rewrite -q -b {base} --diff plain.html"),
        format!("resolve -b {base} v"),
        format!("resolve -b {base} --explain --compare v"),
        format!("resolve -b {base} --format json v"),
        format!("parse {url}"),
        format!("parse --format json {url}"),
    ] {
        let ran = sandbox.run(&line);
        let exact = ran.stdout.contains(url) && !ran.stdout.contains("***");
        assert!(exact, "{line}: {} {}", ran.stdout, ran.stderr);
    }
}

/// The same ids with other passwords would have a second run keep what is old.
#[test]
fn ids_in_archives_tell_passwords_apart() {
    let sandbox = sandbox();
    let ids = |password: &str| {
        let map = format!("--move-url http://no/=https://u:{password}@to/");
        let mut command = sandbox.abslink(&format!(
            "rewrite -q --warc-as conversions -o out a.warc {map}"
        ));
        let ran = command.env("SOURCE_DATE_EPOCH", "1").output().unwrap();
        assert_eq!((ran.status.code(), &*ran.stderr), (Some(0), &b""[..]));
        let archive = sandbox.read("out/a.warc");
        assert!(archive.contains("https://u:***@to"), "{archive}");
        let ids = archive
            .lines()
            .filter(|line| line.starts_with("WARC-Record-ID"));
        ids.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_ne!(ids("one")[1], ids("two")[1]);
}

/// Without its scheme a URL looks like any other text.
#[test]
fn a_login_without_a_scheme_is_hidden_too() {
    let sandbox = sandbox();
    sandbox.write("bare.csv", "path,url\nmapped.html,u:s3cr3t@map/p/\n");
    let is_hidden = |line: &str| {
        let ran = sandbox.run(line);
        let page = fs::read_to_string(sandbox.path().join("page.html")).unwrap_or_default();
        let shown = [ran.stdout, ran.stderr, page].concat();
        assert!(!shown.contains(SECRET), "{line}: {shown}");
        shown
    };
    for line in [
        "check -b u:s3cr3t@h plain.html",
        "check -qb u:s3cr3t@h/d plain.html",
        "check -bu:s3cr3t@h/d plain.html",
        "check --base-url=ci:s3cr3t@h?x plain.html",
        "check --base-url s3cr3t@h plain.html",
        "check -b http://h/ --to root --site u:s3cr3t@h plain.html",
        "check --move-url u:s3cr3t@h=x plain.html",
        "check --move-url http://h/=u:s3cr3t@h plain.html",
        "check -b http://h/ --move-url ci:s3cr3t@h/=http://h/ --format html=page.html plain.html",
        "check --url-map bare.csv --root . mapped.html",
    ] {
        is_hidden(line);
    }
    for (setting, is_shown) in [
        ("base-url = 'ci:s3cr3t@h'", "***@h"),
        ("base-url = 'u:s3cr3t@h'", "***@h"),
        ("site = ['http://h/', 'ci:s3cr3t@h']\nto = 'root'", "***@h"),
        ("move-url = 'ci:s3cr3t@h/=http://h/'", "***@h/="),
        (
            "[[files]]\ninclude = 'x'\nbase-url = 'ci:s3cr3t@h/'",
            "***@h",
        ),
        ("base-url = 'http://u:s3cr3t@h/'", "http://u:***@h/"),
    ] {
        sandbox.write("abslink.toml", setting);
        for line in [
            "config",
            "config --format json",
            "check plain.html",
            "base plain.html",
        ] {
            is_hidden(line);
        }
        let shown = is_hidden("config");
        assert!(shown.contains(is_shown), "{setting}: {shown}");
    }
    sandbox.write("abslink.toml", "");
    let ran = sandbox.run("check --show-passwords -b u:s3cr3t@h plain.html");
    assert!(
        ran.stderr.contains("u:s3cr3t@h") || ran.stderr.contains("***"),
        "{}",
        ran.stderr
    );
    // A name of a file is no URL.
    sandbox.write("me@home.html", "<a href=x>");
    let ran = sandbox.run("check me@home.html");
    assert!(
        ran.stdout.starts_with("me@home.html:1:9:"),
        "{}",
        ran.stdout
    );
}
