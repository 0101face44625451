//! Files whose names say nothing, and standard input.

use std::fs;

use crate::cli::Sandbox;

/// What a file is that says so by its first bytes alone, or by nothing.
#[test]
fn an_unknown_file_is_never_damaged() {
    const ROW: &str = "{\"html\":\"<a href=\\\"x\\\">\"}";
    let json = "skipped: JSON by its first bytes\nhint: abslink ";
    let unknown = "skipped: not recognised as HTML\nhint: abslink ";
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
