//! What is refused before anything is read or written: exit code 2, nothing on standard output, and
//! a message that says what, where and what to do.

use super::Sandbox;

/// A long pattern is no page's.
#[test]
fn patterns_have_a_limit() {
    let long = format!("check --exclude {} site", "*a".repeat(20_000));
    Sandbox::new()
        .run(&long)
        .exits(2)
        .prints("")
        .says("40000 bytes in all, more than 32768");
}

/// What may not be looked at may well be a directory.
#[cfg(unix)]
#[test]
fn what_may_not_be_looked_at_is_told_so() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;

    use super::Ran;
    use crate::support::skip;

    let sandbox = Sandbox::new();
    sandbox.write("locked/in/a.html", "<a href=g>");
    let program = sandbox.path().join("program");
    fs::copy(env!("CARGO_BIN_EXE_abslink"), &program).unwrap();
    let allow = |name: &str, mode| {
        let path = sandbox.path().join(name);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    };
    allow("", 0o755);
    allow("locked", 0);
    for arguments in [
        "check -b http://h/ --root locked/in site/index.html",
        "rewrite -b http://h/ -o locked/in site",
        "rewrite -b http://h/ -o locked/in/new site",
        "check -b http://h/ locked/in",
        "check -b http://h/ --root . locked/in site",
        "check --layout wget locked/in",
        "check --url-map locked/in site",
    ] {
        let mut command = std::process::Command::new(&program);
        command
            .args(arguments.split_whitespace())
            .current_dir(sandbox.path());
        if skip::is_root() {
            // The superuser may look everywhere; "nobody" may not.
            command.uid(65534).gid(65534);
        }
        let Ok(output) = command.output() else {
            skip::right("no program can be run as another user here");
            break;
        };
        let ran = Ran::from(&output);
        ran.exits(2).begins("error: ");
        let line = ran.stderr.lines().next().unwrap();
        assert!(line.contains("locked/in"), "{arguments}: {line}");
        assert!(line.contains("Permission denied"), "{arguments}: {line}");
    }
    allow("locked", 0o700);
}
