//! Mailboxes that other programs have made: Python's module `mailbox`, mutt, and Dovecot. Python's reader of mail then
//! finds every message, and every part of it but HTML, as it was.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::cli::Sandbox;
use crate::support::skip;

const MAKER: &str = include_str!("make.py");
const READER: &str = include_str!("compare.py");

fn python(directory: &Path, script: &str, arguments: &[&str]) -> Output {
    Command::new("python3")
        .current_dir(directory)
        .args(["-c", script])
        .args(arguments)
        .output()
        .unwrap()
}

/// Mailboxes of many kinds of mail: `mbox`, `mboxrd`, `Maildir`, and `mails` with one mail in each file.
fn made() -> Sandbox {
    let sandbox = Sandbox::new();
    let made = python(sandbox.path(), MAKER, &[]);
    assert!(made.status.success(), "{made:?}");
    sandbox
}

/// Rewrites a mailbox to `out` and in place, and compares.
fn is_kept(sandbox: &Sandbox, mailbox: &str, kind: &str) {
    let before = format!("{mailbox}.before");
    let copied = Command::new("cp")
        .current_dir(sandbox.path())
        .args(["-a", mailbox, &before])
        .status();
    assert!(copied.unwrap().success());
    let ran = sandbox.run(&format!("rewrite -b http://h/ -o out {mailbox}"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let there = sandbox.path().join("out").join(mailbox);
    let out = if there.exists() {
        format!("out/{mailbox}")
    } else {
        "out".to_owned()
    };
    let has_sizes = kind == "dovecot";
    let ran = sandbox.run(&format!("rewrite -b http://h/ -i {mailbox}"));
    assert_eq!(ran.code, Some(if has_sizes { 2 } else { 0 }), "{ran:?}");
    let after = if has_sizes {
        vec![&*out]
    } else {
        vec![&*out, mailbox]
    };
    for after in after {
        let compared = python(sandbox.path(), READER, &[&before, after]);
        assert!(
            compared.status.success(),
            "{mailbox}: {}",
            String::from_utf8_lossy(&compared.stderr)
        );
        assert_eq!(
            String::from_utf8_lossy(&compared.stdout),
            "40 of 60 messages\n",
            "{mailbox}"
        );
    }
    let ran = sandbox.run(&format!("check -b http://h/ {out}"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn those_of_python() {
    if !skip::has_tool("python3") {
        return;
    }
    let sandbox = made();
    is_kept(&sandbox, "mbox", "mbox");
    is_kept(&sandbox, "Maildir", "maildir");
}

#[test]
fn those_of_mutt() {
    if !skip::has_tool("python3") || !is_there("mutt", "-v") {
        return;
    }
    let sandbox = made();
    for (mailbox, kind) in [("mutt.mbox", "mbox"), ("mutt", "Maildir")] {
        let save = format!(
            "push \"<tag-pattern>.<enter><tag-prefix><copy-message>={mailbox}<enter><quit>\""
        );
        let ran = Command::new("mutt")
            .current_dir(sandbox.path())
            .env("HOME", sandbox.path())
            .env("TERM", "dumb")
            .args(["-n", "-F", "/dev/null", "-f", "mbox"])
            .args(["-e", &format!("set folder=. mbox_type={kind} confirmcreate=no confirmappend=no move=no copy=yes quit=yes wait_key=no")])
            .args(["-e", &save])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(sandbox.path().join(mailbox).exists(), "{ran:?}");
        is_kept(&sandbox, mailbox, kind);
    }
    let text = fs::read(sandbox.path().join("mutt.mbox.before")).unwrap();
    assert!(
        text.windows(16).any(|it| it == b"\nContent-Length:"),
        "mutt counts"
    );
}

#[test]
fn those_of_dovecot() {
    if !skip::has_tool("python3") || !is_there("doveadm", "--version") {
        return;
    }
    let sandbox = made();
    let home = sandbox.path().to_str().unwrap();
    let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
    let settings = format!(
        "mail_location = maildir:{home}/Dovecot\nmail_plugins =\nprotocols =\nssl = no\n\
         base_dir = {home}/run\nstate_dir = {home}/run\nlog_path = /dev/stderr\n\
         first_valid_uid = 0\nmail_uid = {0}\nmail_gid = {0}\n",
        user.trim()
    );
    sandbox.write("dovecot.conf", &settings);
    let mut mails: Vec<_> = fs::read_dir(sandbox.path().join("mails"))
        .unwrap()
        .map(|mail| mail.unwrap().path())
        .collect();
    mails.sort();
    for mail in mails {
        let saved = Command::new("doveadm")
            .env("HOME", home)
            .args([
                "-c",
                &format!("{home}/dovecot.conf"),
                "-o",
                "mail_home=/nonexistent",
                "save",
            ])
            .stdin(fs::File::open(mail).unwrap())
            .output()
            .unwrap();
        if !saved.status.success() {
            return skip::tool(format_args!(
                "doveadm cannot save: {}",
                String::from_utf8_lossy(&saved.stderr)
            ));
        }
    }
    is_kept(&sandbox, "Dovecot", "dovecot");
}

/// Whether a program can be run that knows no `--version`.
#[track_caller]
fn is_there(program: &str, argument: &str) -> bool {
    let ran = Command::new(program).arg(argument).output();
    if ran.is_err() {
        skip::tool(format_args!("{program} cannot be run; .ci/run installs it"));
    }
    ran.is_ok()
}
