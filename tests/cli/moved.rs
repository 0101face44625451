//! `--move-url`, `--unwrap` and `--to keep`, by the command.

use std::fs;

use super::Sandbox;
use super::forms::{run, tree};

fn rows() -> Vec<[String; 3]> {
    let table = include_str!("../../testdata/html/moved.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let cells = rows.map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    cells
        .map(|cells| cells.try_into().expect("three columns"))
        .collect()
}

#[test]
fn each_row_is_moved() {
    let mut wrong = Vec::new();
    for [options, document, expected] in rows() {
        let expected = if expected == "=" {
            &document
        } else {
            &expected
        };
        for (from, what) in [(&document, "it"), (expected, "a second run")] {
            let folder = tree(&[("p.html", from)]);
            let rewrite = [
                "rewrite",
                "--verify",
                "-i",
                "-b",
                "https://h.org/d/p.html",
                "p.html",
            ];
            let options: Vec<&str> = options.split(' ').collect();
            let (code, _, error) = run(&[&rewrite[..], &options].concat(), folder.path());
            let new = fs::read_to_string(folder.path().join("p.html")).unwrap();
            if code != 0 || new != *expected {
                wrong.push(format!("{options:?} {from} ({what})\n  {new}\n  {error}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_second_reader_knows_where_references_go() {
    let sandbox = Sandbox::new();
    sandbox.write("p.html", "<a href=y>");
    let line = "rewrite --verify -b http://h/b/ --move-url http://h/=http://o/ p.html";
    let fault = "http://o/b/y=>http://h/b/y";
    let output = (sandbox.abslink(line).env("ABSLINK_TEST_FAULT", fault)).output();
    let output = output.unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let message = "`y` means http://o/b/y, but `http://h/b/y` was written";
    assert!(stderr.contains(message), "{stderr}");
    assert_eq!(output.status.code(), Some(2));
}

/// What `-i` would write, a second run could not read.
#[test]
fn a_path_from_the_root_of_another_server() {
    let page = "<a href=y>";
    let run = |options: &str| {
        let folder = tree(&[("in/p.html", page)]);
        let command = format!("rewrite -q {options} in");
        let arguments: Vec<&str> = command.split(' ').collect();
        let (code, _, error) = run(&arguments, folder.path());
        (
            code,
            error,
            fs::read_to_string(folder.path().join("in/p.html")).unwrap(),
        )
    };
    let site = "-b https://old/a/ --move-url https://old/a/=https://new/";
    for task in ["-i", "-i -n", "-i --backup .o"] {
        let (code, error, new) = run(&format!("{task} --to root {site}"));
        assert_eq!((code, &*new), (2, page), "{error}");
        let hints = "hint: -o DIR writes a new tree\nhint: --to relative";
        assert!(
            error.contains("a second run could not tell") && error.contains(hints),
            "{error}"
        );
    }
    for options in [
        // Each of these writes the same again.
        format!("-i --to relative {site}"),
        "-i --to root -b https://old/a/ --move-url https://old/a/=https://new/a/".to_owned(),
        "-i --to root -b https://h/ --move-url https://old/a/=https://new/".to_owned(),
        "-i --to root -b https://h/ --move-url https://h/a/=https://h/b/c/".to_owned(),
        format!("-o out --to root {site}"),
    ] {
        let (code, error, _) = run(&options);
        assert_eq!(code, 0, "{options}: {error}");
    }
    // A server shows error pages at any path: there, such a link is written in full.
    let files = [
        ("in/404.html", "<a href=x/y>"),
        ("in/x/p.html", "<a href=y>"),
    ];
    let folder = tree(&files);
    let line = format!("rewrite -q -i --to relative --verify {site} in");
    for _ in ["first", "second"] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let (code, _, error) = super::forms::run(&arguments, folder.path());
        assert_eq!(code, 0, "{error}");
        let [error_page, page] =
            files.map(|(name, _)| fs::read_to_string(folder.path().join(name)).unwrap());
        assert_eq!(error_page, "<a href=https://new/x/y>");
        assert_eq!(page, "<a href=y>");
    }
}

/// A link is taken out of an archive's URL before it is moved, in any spelling, with and without a base URL; and
/// that is all: a second run changes nothing.
#[test]
fn what_is_unwrapped_is_moved_afterwards() {
    for (reference, expected) in [
        ("/web/20200103104500/http:/host/x", "http://host/x"),
        ("web/20200103104500/http:/host/x", "http://host/x"),
        ("//old/web/20200103104500/http://q/x", "http://q/x"),
        ("//old/web/20200103104500/http:/q/x", "http://q/x"),
        ("http://old/web/20200103104500/http://q/x", "http://q/x"),
        ("//h/web/20200103104500/http://old/x", "http://new/n/x"),
        ("/web/20200103104500/http://old#f", "http://new/n/#f"),
        ("/web/20200103104500//http:/host/x", "="),
    ] {
        for options in [
            "",
            "-b http://archive/",
            "-b http://old/ --resolver whatwg",
            "-b http://old/ --resolver rfc3986",
            "--to keep",
            "--to keep -b http://old/",
            "--to root -b http://h/",
            "--to relative -b http://h/a/b",
        ] {
            let stays =
                expected == "=" || !options.contains("-b") && !reference.starts_with(['/', 'h']);
            if stays {
                continue;
            }
            let sandbox = Sandbox::new();
            sandbox.write("p.html", &format!("<a href={reference}>"));
            for _ in ["first", "second"] {
                let ran = sandbox.run(&format!(
                    "rewrite -i --verify --unwrap --move-url http://old/=http://new/n {options} p.html"
                ));
                assert_eq!(ran.code, Some(0), "{reference} {options}: {ran:?}");
                let new = fs::read_to_string(sandbox.path().join("p.html")).unwrap();
                assert_eq!(new, format!("<a href={expected}>"), "{reference} {options}");
            }
        }
    }
}

/// The path of `http://old#f` is `/`, for each resolver and for both readers.
#[test]
fn the_root_is_moved_below_a_path() {
    for resolver in ["rfc1808", "rfc3986", "whatwg"] {
        for to in ["absolute", "keep"] {
            let page =
                "<a href=http://old#f><a href=http://old?q><a href=//old><a href=http://old/#f>";
            let sandbox = Sandbox::new();
            let line = format!(
                "rewrite -q --verify --to {to} --resolver {resolver} -b http://h/ \
                 --move-url http://old=https://new/n -"
            );
            let ran = sandbox.run_with_input(&line, page);
            let new = "<a href=https://new/n/#f><a href=https://new/n/?q><a href=https://new/n/>\
                       <a href=https://new/n/#f>";
            assert_eq!(ran.stdout, new, "{line}: {}", ran.stderr);
        }
    }
}

/// No reference gets another form, so that files of every kind are done.
#[test]
fn keeping_takes_files_of_every_kind() {
    let old = "http://old.example/a";
    let feed = format!(
        "<rss version=\"2.0\"><channel><item><link>{old}</link><description>&lt;a href=\"x\"&gt;&lt;a \
         href=\"{old}\"&gt;</description></item></channel></rss>"
    );
    let sitemap = format!(
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{old}</loc></url></urlset>"
    );
    let message = format!(
        "MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Location: http://h/\r\n\r\n<a href=\"{old}\"><a \
         href=\"x\">\r\n"
    );
    let css = format!("a{{b:url({old});c:url(x);--v:url(y)}}");
    let opml = format!(
        "<opml version=\"2.0\"><body><outline xmlUrl=\"{old}\" htmlUrl=\"x\"/></body></opml>"
    );
    let atom = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><link href=\"{old}\"/><content type=\"html\">&lt;img \
         src=\"i\"></content></entry></feed>"
    );
    let json = format!(
        "{{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{{\"url\":\"{old}\",\"image\":\"i\"}}]}}\n"
    );
    let mailbox = format!(
        "From a@b Thu Jan  1 00:00:00 2026\nMIME-Version: 1.0\nContent-Type: text/html\n\n<a href=\"{old}\"><a href=x>\n"
    );
    let files = [
        ("s/feed.rss", &*feed),
        ("s/sitemap.xml", &*sitemap),
        ("s/m.eml", &*message),
        ("s/s.css", &*css),
        ("s/list.opml", &*opml),
        ("s/feed.atom", &*atom),
        ("s/feed.json", &*json),
    ];
    let folder = tree(&files);
    let keep = [
        "rewrite",
        "--verify",
        "--detect=feeds",
        "-i",
        "--to",
        "keep",
        "--move-url",
        "http://old.example/=https://new.example/",
        "s",
    ];
    let (code, _, error) = run(&keep, folder.path());
    assert_eq!(code, 0, "{error}");
    for (name, text) in files {
        let new = fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(new, text.replace(old, "https://new.example/a"), "{name}");
    }
    let rows = format!("{{\"html\":\"<a href='{old}'><a href=x>\"}}\n");
    fs::write(folder.path().join("r.jsonl"), &rows).unwrap();
    let of_rows = [&["--field", "html"][..], &keep[4..8], &["r.jsonl"]].concat();
    let (code, out, error) = run(&[&["rewrite"][..], &of_rows].concat(), folder.path());
    let moved = rows.replace(old, "https://new.example/a");
    assert_eq!((code, out), (0, moved), "{error}");
    let table = format!("id,html\n1,\"<a href='{old}'><a href=x>\"\n");
    let with_field = ["--field", "html"];
    for (name, text, options) in [
        ("r.csv", table, &with_field[..]),
        ("mail.mbox", mailbox, &[]),
    ] {
        fs::write(folder.path().join(name), &text).unwrap();
        let of_it = [&["rewrite"][..], options, &keep[4..8], &[name]].concat();
        let (code, out, error) = run(&of_it, folder.path());
        let moved = text.replace(old, "https://new.example/a");
        assert_eq!((code, out), (0, moved), "{name}: {error}");
    }
}

/// Other forms are not for archives; this one gives none.
#[test]
fn keeping_takes_web_archives() {
    let record = |host: &str| {
        let body = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x><a href={host}/y><link rel=canonical href=z>"
        );
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:a:1>\r\nWARC-Target-URI: http://old.example/\r\n\
             WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let folder = tree(&[("in/w.warc", &record("http://old.example"))]);
    let path = folder.path();
    let moves = "http://old.example/=https://new.example/";
    for from in ["in", "in/w.warc"] {
        let keep = ["--to", "keep", "--move-url", moves];
        let rewrite = [&["rewrite", "--verify", "-o", "out"][..], &keep, &[from]].concat();
        let (code, _, error) = run(&rewrite, path);
        assert_eq!(code, 0, "{error}");
        let new = fs::read_to_string(path.join("out/w.warc")).unwrap();
        let page = "<a href=x><a href=https://new.example/y><link rel=canonical href=z>";
        assert!(new.contains(page), "{from}: {new}");
        let check = [&["check"][..], &keep, &[from]].concat();
        assert_eq!(run(&check, path).0, 1, "{from}");
        assert_eq!(run(&[&["check"][..], &keep, &["out"]].concat(), path).0, 0);
        fs::remove_dir_all(path.join("out")).unwrap();
    }
    // So do links of an archive that shows others.
    let replay = record("http://a.example/web/20200101000000/http://e.org");
    fs::write(path.join("in/w.warc"), replay).unwrap();
    let unwrap = ["rewrite", "--to", "keep", "--unwrap", "-o", "out", "in"];
    let (code, _, error) = run(&unwrap, path);
    assert_eq!(code, 0, "{error}");
    let new = fs::read_to_string(path.join("out/w.warc")).unwrap();
    assert!(new.contains("<a href=x><a href=http://e.org/y>"), "{new}");
}
