//! Maildir: the files in `cur` and `new` are messages, whatever their names.

use std::fs;
use std::path::Path;

use crate::cli::Sandbox;

const MAIL: &str = "Received: a\nContent-Type: text/html\n\n<a href=x>";
const NEW: &str = "Received: a\nContent-Type: text/html\n\n<a href=http://h/x>";
const PLAIN: &str = "Received: a\nSubject: b\n\n<a href=x>";

fn maildir(name: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let mails = [
        ("cur/1700.M1.host:2,S", MAIL),
        ("cur/1700.M2.host,S=50,W=53:2,RS", MAIL),
        ("cur/1700.M3.host,S=24:2,S", PLAIN),
        ("new/1701.M1.host", MAIL),
        (".Sent/cur/1702.M1.host.png:2,S", MAIL),
        (".Sent/new/1702.M1.png", MAIL),
        ("new/1701.M1.host.bak", MAIL),
        ("cur/text", "<p>not a message <a href=x>"),
        ("cur/page.html", "<a href=x>"),
        ("cur/deeper/1703.M1.host:2,S", MAIL),
        ("tmp/1703.M2.host", MAIL),
        ("other/cur/1704.M1.host", MAIL),
        ("dovecot-uidlist", "3 V1 N1\n"),
    ];
    for (file, text) in mails {
        sandbox.write(format!("{name}/{file}"), text);
    }
    sandbox
}

fn read(sandbox: &Sandbox, file: &str) -> Option<String> {
    fs::read_to_string(sandbox.path().join(file)).ok()
}

#[test]
fn to_a_directory() {
    for (name, path) in [("Mail", "Mail"), ("home/Mail", "home")] {
        let sandbox = maildir(name);
        let ran = sandbox.run(&format!("rewrite -b http://h/ -o out {path}"));
        ran.exits(0);
        let out = Path::new("out").join(Path::new(name).strip_prefix(path).unwrap());
        let read = |file: &str| read(&sandbox, out.join(file).to_str().unwrap());
        let is_done = |file: &str| read(file).is_some_and(|text| text.contains("=http://h/"));
        assert!(is_done("cur/1700.M1.host:2,S"), "{ran:?}");
        assert!(is_done("cur/1700.M2.host:2,RS"));
        assert!(is_done("new/1701.M1.host"));
        assert!(is_done(".Sent/cur/1702.M1.host.png:2,S"));
        assert!(is_done(".Sent/new/1702.M1.png"));
        assert_eq!(read("cur/1700.M3.host,S=24:2,S").unwrap(), PLAIN);
        for other in [
            "cur/1700.M2.host,S=50,W=53:2,RS",
            "cur/text",
            "new/1701.M1.host.bak",
            "tmp/1703.M2.host",
            "cur/deeper/1703.M1.host:2,S",
            "other/cur/1704.M1.host",
            "dovecot-uidlist",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        assert!(read("cur/page.html").unwrap().contains("http://h/"));
    }
}

#[test]
fn other_files_are_copied() {
    let sandbox = maildir("Mail");
    let ran = sandbox.run("rewrite -b http://h/ -o out --copy-others Mail");
    ran.exits(0);
    for (file, text) in [("tmp/1703.M2.host", MAIL), ("dovecot-uidlist", "3 V1 N1\n")] {
        assert_eq!(read(&sandbox, &format!("out/{file}")).unwrap(), text);
    }
    assert_eq!(read(&sandbox, "out/cur/1700.M2.host,S=50,W=53:2,RS"), None);
}

/// Two messages never get one name: they keep their sizes, which are right.
#[test]
fn messages_that_would_get_one_name() {
    let body = |id: u8| MAIL.replace("Received: a", &format!("Received: {id}"));
    let new = |id: u8| NEW.replace("Received: a", &format!("Received: {id}"));
    let size = new(1).len();
    let with_pairs = size + 3;
    for jobs in ["-j1", "-j2"] {
        let sandbox = Sandbox::new();
        sandbox.write("Mail/new/1", MAIL);
        let names = ["1.M1.h,S=41:2,S", "1.M1.h,W=41:2,S", "1.M1.h:2,S"];
        for (id, name) in (1..).zip(names) {
            sandbox.write(format!("Mail/cur/{name}"), body(id));
        }
        for _ in ["first", "second"] {
            let ran = sandbox.run(&format!("rewrite {jobs} -b http://h/ -o out Mail"));
            ran.exits(0);
            let written = [
                format!("out/cur/1.M1.h,S={size}:2,S"),
                format!("out/cur/1.M1.h,W={with_pairs}:2,S"),
                "out/cur/1.M1.h:2,S".to_owned(),
            ];
            for (id, name) in (1..).zip(&written) {
                assert_eq!(read(&sandbox, name), Some(new(id)), "{name}");
            }
            let found = fs::read_dir(sandbox.path().join("out/cur")).unwrap();
            assert_eq!(found.count(), 3);
        }
    }
}

/// Where even these are one name, or another input's, the second is an error.
#[test]
fn messages_for_which_no_name_is_left() {
    for (names, left) in [
        (["1.h,S=40", "1.h,S=41"], "1.h,S=41"),
        (["a/cur/1.h,S=40", "b/cur/1.h,S=41"], "b/cur/1.h,S=41"),
    ] {
        let sandbox = Sandbox::new();
        let are_apart = left.contains('/');
        for name in names {
            let path = if are_apart {
                name.to_owned()
            } else {
                format!("Mail/cur/{name}")
            };
            sandbox.write(&path, MAIL);
            let new = Path::new(&path).parent().unwrap().with_file_name("new/x");
            sandbox.write(new.to_str().unwrap(), MAIL);
        }
        let paths = if are_apart {
            names.join(" ")
        } else {
            "Mail".to_owned()
        };
        for task in ["--dry-run", "-j1", "-j2"] {
            let ran = sandbox.run(&format!(
                "rewrite {task} --root . -b http://h/ -o out {paths}"
            ));
            ran.exits(2);
            let told = "has this name in the output directory";
            assert_eq!(ran.stderr.matches(told).count(), 1, "{ran:?}");
            ran.says(format!("{left}: cannot write out/"));
        }
    }
    // The size is right by chance, and another message has that name.
    let sandbox = Sandbox::new();
    let size = NEW.len();
    sandbox.write("Mail/new/x", MAIL);
    sandbox.write("Mail/cur/1.h,S=40", MAIL);
    let other = format!("Mail/cur/1.h,S={size}");
    sandbox.write(&other, PLAIN);
    let ran = sandbox.run("rewrite -b http://h/ -o out Mail");
    ran.exits(2);
    assert_eq!(
        read(&sandbox, &other.replace("Mail", "out")).unwrap(),
        PLAIN
    );
}

/// The same mail has the same links in both.
#[test]
fn the_base_is_that_of_an_mbox() {
    for (place, options) in [
        ("Mail", "Mail"),
        ("home/Mail", "home"),
        ("home/Mail", "--root home home/Mail"),
    ] {
        for base in ["http://h/", "http://h/a/b/"] {
            let sandbox = maildir(place);
            let ran = sandbox.run(&format!("links -b {base} {options}"));
            let of_mail = |line: &&str| !line.contains("page.html");
            let links: Vec<&str> = ran.stdout.lines().filter(of_mail).collect();
            assert!(links.len() > 4, "{ran:?}");
            for link in links {
                assert!(
                    link.contains(&format!("\"absolute\":\"{base}x\"")),
                    "{link}"
                );
            }
        }
    }
}
