//! Mailboxes that other programs have made: Python's module `mailbox`, mutt, and Dovecot. Python's reader of mail then
//! finds every message, and every part of it but HTML, as it was.

use std::fs;
use std::os::unix::fs::PermissionsExt;
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
    ran.exits(0);
    let there = sandbox.path().join("out").join(mailbox);
    let out = if there.exists() {
        format!("out/{mailbox}")
    } else {
        "out".to_owned()
    };
    for directory in ["cur", "new", "tmp"] {
        let is_there = sandbox.path().join(&out).join(directory).is_dir();
        assert_eq!(is_there, !mailbox.ends_with(".mbox"), "{directory}");
    }
    let has_sizes = kind == "dovecot";
    let ran = sandbox.run(&format!("rewrite -b http://h/ -i {mailbox}"));
    ran.exits(if has_sizes { 2 } else { 0 });
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
    ran.exits(0);
}

#[test]
#[ignore = "slow tier: another program"]
fn those_of_python() {
    if !skip::has_tool("python3") {
        return;
    }
    let sandbox = made();
    is_kept(&sandbox, "python.mbox", "mbox");
    is_kept(&sandbox, "Maildir", "maildir");
}

#[test]
#[ignore = "slow tier: another program"]
fn those_of_mutt() {
    if !skip::has_tool("python3") || !is_there("mutt", "-v") || !is_there("script", "--version") {
        return;
    }
    let sandbox = made();
    for (mailbox, kind) in [("mutt.mbox", "mbox"), ("mutt", "Maildir")] {
        let settings = format!(
            "set folder=. mbox_type={kind} confirmcreate=no confirmappend=no move=no copy=yes quit=yes\n\
             push \"<tag-pattern>.<enter><tag-prefix><copy-message>={mailbox}<enter><quit>\"\n"
        );
        sandbox.write("muttrc", &settings);
        // It needs a terminal.
        let ran = Command::new("script")
            .current_dir(sandbox.path())
            .env("HOME", sandbox.path())
            .env("TERM", "vt100")
            .args(["-qec", "mutt -n -F muttrc -f python.mbox", "/dev/null"])
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
#[ignore = "slow tier: another program"]
fn those_of_dovecot() {
    if !skip::has_tool("python3") || !is_there("doveadm", "--version") {
        return;
    }
    let sandbox = made();
    let home = sandbox.path().to_str().unwrap();
    // Nobody reads mail as root.
    let [user, group] = match skip::is_root() {
        true => ["nobody".to_owned(), "nogroup".to_owned()],
        false => ["-un", "-gn"].map(|which| {
            let name = Command::new("id").arg(which).output().unwrap().stdout;
            String::from_utf8(name).unwrap().trim().to_owned()
        }),
    };
    let open = |directory: &Path| {
        fs::set_permissions(directory, fs::Permissions::from_mode(0o777)).unwrap();
    };
    open(sandbox.path());
    fs::create_dir(sandbox.path().join("Dovecot")).unwrap();
    open(&sandbox.path().join("Dovecot"));
    let settings = format!(
        "mail_location = maildir:{home}/Dovecot\nmail_plugins =\nprotocols =\nssl = no\n\
         base_dir = {home}/run\nstate_dir = {home}/run\nlog_path = /dev/stderr\n\
         first_valid_uid = 0\nfirst_valid_gid = 0\nmail_uid = {user}\nmail_gid = {group}\n"
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
            .env("USER", &user)
            .args(["-c", &format!("{home}/dovecot.conf"), "save"])
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
