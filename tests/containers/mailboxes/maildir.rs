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
        sandbox.write(&format!("{name}/{file}"), text);
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
        assert_eq!(ran.code, Some(0), "{ran:?}");
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
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for (file, text) in [("tmp/1703.M2.host", MAIL), ("dovecot-uidlist", "3 V1 N1\n")] {
        assert_eq!(read(&sandbox, &format!("out/{file}")).unwrap(), text);
    }
    assert_eq!(read(&sandbox, "out/cur/1700.M2.host,S=50,W=53:2,RS"), None);
}

#[test]
fn in_place() {
    let sandbox = maildir("Mail");
    let ran = sandbox.run("rewrite -b http://h/ -i --backup .orig Mail");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let left = "Mail/cur/1700.M2.host,S=50,W=53:2,RS";
    let told = format!(
        "error: {left}: skipped: its name holds its size; -i does not rename files\n\
         hint: -o DIR writes it under a name without the size\n"
    );
    assert!(ran.stderr.contains(&told), "{ran:?}");
    assert_eq!(ran.stderr.matches("error:").count(), 1, "{ran:?}");
    assert_eq!(read(&sandbox, left).unwrap(), MAIL);
    assert_eq!(
        read(&sandbox, "Mail/new/1701.M1.host").unwrap(),
        NEW.replace("h/x", "h/new/x")
    );
    // A second run takes no backup for a message.
    let backup = "Mail/new/1701.M1.host.orig";
    assert_eq!(read(&sandbox, backup).unwrap(), MAIL);
    let ran = sandbox.run("rewrite -b http://h/ -i --dry-run Mail");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(read(&sandbox, backup).unwrap(), MAIL);
    let ran = sandbox.run("check -b http://h/ Mail");
    assert!(!ran.stdout.contains(".orig"), "{ran:?}");
}

#[test]
fn without_new_it_is_not_a_maildir() {
    let sandbox = Sandbox::new();
    sandbox.write("Mail/cur/1700.M1.host:2,S", MAIL);
    let ran = sandbox.run("check -b http://h/ Mail");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    // Nor is one of its directories.
    let sandbox = maildir("Mail");
    let ran = sandbox.run("check -b http://h/ Mail/new");
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

/// Plain mail is ordinary there.
#[test]
fn a_message_of_a_maildir_by_its_path() {
    let sandbox = maildir("Mail");
    let run = |name: &str, more: &str| {
        let mut command = sandbox.abslink(&format!("rewrite -b http://h/ {more}"));
        command.arg(format!("Mail/cur/{name}")).output().unwrap()
    };
    let ran = run("1700.M3.host,S=24:2,S", "");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(ran.stdout, PLAIN.as_bytes());
    let ran = run("1700.M3.host,S=24:2,S", "--as html");
    assert!(ran.stdout.ends_with(b"<a href=http://h/x>"), "{ran:?}");
    let ran = run("1700.M2.host,S=50,W=53:2,RS", "-o out");
    assert_eq!(ran.status.code(), Some(0), "{ran:?}");
    assert_eq!(read(&sandbox, "out/1700.M2.host:2,RS").unwrap(), NEW);
}
