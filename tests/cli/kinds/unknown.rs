//! Files whose names say nothing, and standard input.

use std::fs;

use crate::cli::Sandbox;

/// What a file is that says so by its first bytes alone, or by nothing.
#[test]
fn an_unknown_file_is_never_damaged() {
    const ROW: &str = "{\"html\":\"<a href=\\\"x\\\">\"}";
    let json = "skipped: JSON by its first bytes\nhint: --as json --field NAME";
    let unknown = "skipped: not recognised as HTML\nhint: --as html reads it as HTML\n";
    let csv = "id,body\n1,\"<a href=\"\"x\"\">\"\n";
    for (name, content, said) in [
        ("export", csv, unknown),
        ("data.csv.1", csv, unknown),
        ("app.unknown", "x = '<a href=x>'", unknown),
        ("notes", "text <a href=x>", unknown),
        ("prolog", "<?xml version='1.0'?><html><a href=x>", unknown),
        ("program", "<?php f() ?><a href=x>", unknown),
        (
            "Info",
            "<!DOCTYPE plist><plist><a href='x'/></plist>",
            unknown,
        ),
        ("Info2", "<!-- a --><!DOCTYPE plist><a href=x>", unknown),
        ("blank", " \n", unknown),
        ("a", ROW, json),
        ("b", &format!("[{ROW}]"), json),
        ("c", &format!("{ROW}\n{ROW}\n"), json),
        ("d", "[[\"<a href=\\\"x\\\">\"]]", json),
        ("e", "[1,\"<a href='x'>\"]", json),
        (
            "robots.txt",
            "User-agent: *\nDisallow: /x\n",
            "skipped: plain text by its name\n",
        ),
        (
            "app.js",
            "'<a href=x>'",
            "skipped: JavaScript by its name\n",
        ),
        (
            "page.webarchive",
            "bplist00\u{0}<a href=x>",
            "skipped: a web archive of Safari by its name, which abslink does not read\n",
        ),
        (
            "core",
            "a\u{0}<a href=x>",
            "skipped: binary data by its first bytes\n",
        ),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(name, content);
        for command in ["rewrite -i -b http://h/", "check", "links", "base"] {
            let ran = sandbox.run(&format!("{command} {name}"));
            assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{ran:?}");
            let line = format!("error: {name}: {said}");
            assert!(ran.stderr.starts_with(&line), "{name}: {ran:?}");
        }
        let now = fs::read_to_string(sandbox.path().join(name)).unwrap();
        assert_eq!(now, content);
    }
}

/// XHTML that says so is read by the rules of XML, and a message is never read as HTML.
#[test]
fn first_bytes_tell_xhtml_and_messages() {
    let sandbox = Sandbox::new();
    let page = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>\
                <a href='x'/><a href='y'>&#xA0;</a></html>";
    let mail = "Subject: x\nMIME-Version: 1.0\nContent-Type: text/html\n\
                Content-Transfer-Encoding: quoted-printable\n\n<a href=3D\"x\">y</a>=\n\n";
    for (input, expected) in [
        (
            page,
            page.replace("='x'", "='http://h/x'")
                .replace("='y'", "='http://h/y'"),
        ),
        (mail, mail.replace("\"x\"", "\"http://h/x\"")),
    ] {
        sandbox.write("unknown", input);
        for path in ["unknown", "-"] {
            let run = format!("rewrite -q -b http://h/ {path}");
            let ran = sandbox.run_with_input(&run, input);
            assert_eq!((&*ran.stdout, ran.code), (&*expected, Some(0)), "{ran:?}");
        }
    }
    sandbox.write("mail.txt", mail);
    let ran = sandbox.run("rewrite -q -b http://h/ mail.txt");
    assert_eq!(
        ran.stdout,
        mail.replace("\"x\"", "\"http://h/x\""),
        "{ran:?}"
    );
    // An ending of HTML or of a template is that, whatever is in the file.
    for name in ["mail.html", "mail.j2", "mail.php"] {
        sandbox.write(name, "From: a\nTo: b\nSubject: c\n\n<a href=x>");
        let ran = sandbox.run(&format!("rewrite -q -b http://h/ {name}"));
        assert!(ran.stdout.ends_with("<a href=http://h/x>"), "{ran:?}");
    }
}

/// A filter's input may have no tag at all; CSV and JSON are no fragments.
#[test]
fn a_filter_takes_fragments_and_no_rows() {
    let sandbox = Sandbox::new();
    let csv = "id;body\n1;\"<a href=\"\"x\"\">\"\n";
    let ran = sandbox.run_with_input("rewrite -b http://h/ -", csv);
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
    let said = "error: -: skipped: looks like CSV\nhint: --as csv --field NAME reads the HTML in a \
                column, --as html reads all of it as HTML\n";
    assert!(ran.stderr.starts_with(said), "{ran:?}");
    let ran = sandbox.run_with_input("rewrite -b http://h/ -", "{\"a\": \"<a href='x'>\"}");
    assert_eq!((ran.code, &*ran.stdout), (Some(2), ""));
    for (input, expected) in [
        (
            "text, with no tag\n\"quoted\"",
            "text, with no tag\n\"quoted\"",
        ),
        ("{{ a }}<a href=x>", "{{ a }}<a href=http://h/x>"),
        ("[[ a ]]<a href=x>", "[[ a ]]<a href=http://h/x>"),
        ("[1] <a href=x>", "[1] <a href=http://h/x>"),
        ("a <a href=x>", "a <a href=http://h/x>"),
    ] {
        let ran = sandbox.run_with_input("rewrite -q -b http://h/ -", input);
        assert_eq!((&*ran.stdout, ran.code), (expected, Some(0)), "{ran:?}");
    }
    let ran = sandbox.run_with_input("rewrite -q -b http://h/ --as html -", csv);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// With a field that is named, a file says how it spells rows, or the run does not begin.
#[test]
fn rows_of_unknown_kind_are_a_usage_error() {
    let sandbox = Sandbox::new();
    let csv = "id,body\n1,<a href=x>\n";
    sandbox.write("export", csv);
    sandbox.write("b.csv", csv);
    for command in ["rewrite -i -b http://h/ --root .", "check"] {
        let ran = sandbox.run(&format!("{command} --field body b.csv export"));
        let line = "error: export: unknown format of rows: add --as csv, tsv, json or jsonl\n";
        assert_eq!((ran.code, &*ran.stderr), (Some(2), line), "{ran:?}");
        let now = fs::read_to_string(sandbox.path().join("b.csv")).unwrap();
        assert_eq!(now, csv);
    }
    let ran = sandbox.run("rewrite -q -b http://h/ --field body --as csv export");
    assert_eq!(ran.stdout, "id,body\n1,<a href=http://h/x>\n");
    // What is known to be something else is read as that, and a warning says that there were no rows.
    sandbox.write("page", "<p><a href=x>");
    let warning = "warning: --field had no effect: no file with rows was read\n";
    let ran = sandbox.run("check --field body page");
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains(warning), "{ran:?}");
    let ran = sandbox.run("check --field body page b.csv");
    assert!(!ran.stderr.contains(warning), "{ran:?}");
    for (name, row) in [
        ("a.jl", "{\"body\":\"<a href=x>\"}\n"),
        ("a.jsonlines", "{\"body\":\"<a href=x>\"}\n"),
        ("a.ldjson", "{\"body\":\"<a href=x>\"}\n"),
        ("a.tab", "id\tbody\n1\t<a href=x>\n"),
    ] {
        sandbox.write(name, row);
        let ran = sandbox.run(&format!("rewrite -q -b http://h/ --field body {name}"));
        assert_eq!(ran.stdout, row.replace("=x", "=http://h/x"), "{ran:?}");
        let ran = sandbox.run(&format!("check {name}"));
        assert!(
            ran.stderr.contains("skipped: rows of data by its name"),
            "{ran:?}"
        );
    }
}
