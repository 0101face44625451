//! What is refused before anything is read or written: exit code 2, nothing on standard output, and
//! a message that says what, where and what to do.

use super::{Ran, Sandbox};
use crate::support::table::rows;

/// Runs the arguments and looks for each part of the message.
#[track_caller]
fn refused(arguments: &str, message: &[&str]) {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(arguments);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    for part in message {
        assert!(ran.stderr.contains(part), "no {part:?} in:\n{}", ran.stderr);
    }
    sandbox.lacks("out");
}

/// The whole message: what is wrong, and what to type.
#[test]
fn what_is_typed_first() {
    for row in rows(include_str!("../../testdata/usage.tsv")) {
        let [arguments, error, hints] = row[..] else {
            panic!("{row:?}");
        };
        let hints = hints.split(" | ").filter(|hint| !hint.is_empty());
        let hints: String = hints.map(|hint| format!("hint: {hint}\n")).collect();
        let sandbox = Sandbox::new();
        let ran = sandbox.run(arguments);
        assert_eq!(
            ran.stderr,
            format!("error: {error}\n{hints}"),
            "{arguments}"
        );
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{arguments}");
        sandbox.lacks("out");
    }
}

/// clap's error, and a hint in place of what clap guesses.
#[test]
fn an_unknown_option_leads_to_the_one_that_is_meant() {
    for (typed, hint) in [
        ("--silent", "--quiet"),
        ("--force", "-o and -i overwrite without asking"),
        (
            "--ignore=x",
            "--exclude GLOB for files, --exclude-url REGEX for links",
        ),
        ("--json", "--format json"),
        ("--recursive", "directories are read with all below them"),
        ("-r", "directories are read with all below them"),
        ("--threads 4", "--jobs 4 site"),
        ("--report x.html", "--format html=FILE"),
        ("--map-url http://a/=http://b/", "--move-url FROM=TO"),
        ("--url http://h/", "--base-url http://h/ site"),
        ("--relative", "--to relative site"),
    ] {
        for command in ["check", "rewrite -o out"] {
            let ran = Sandbox::new().run(&format!("{command} {typed} site"));
            let name = typed.split([' ', '=']).next().unwrap();
            let error = format!("error: unknown option `{name}`\n");
            assert!(ran.stderr.starts_with(&error), "{}", ran.stderr);
            let hints = ran.stderr.split("hint: ").skip(1).collect::<String>();
            assert!(hints.contains(hint), "{}", ran.stderr);
            assert!(!ran.stderr.contains("tip:"), "{}", ran.stderr);
            assert_eq!(ran.code, Some(2));
        }
    }
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
        assert_eq!(ran.code, Some(2), "{arguments}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        let line = ran.stderr.lines().next().unwrap();
        assert!(line.contains("locked/in"), "{arguments}: {line}");
        assert!(line.contains("Permission denied"), "{arguments}: {line}");
    }
    allow("locked", 0o700);
}

/// What was typed makes no line of its own, which might pass for one of the program's.
#[test]
fn a_typed_line_break_makes_no_line() {
    for arguments in [
        &["rewrite", "--scheme", "x\nerror: all is lost", "site"][..],
        &["rewrite", "--scheme=\nerror: all is lost\n", "site"],
        &["rewrite", "--no\nerror: all is lost", "site"],
        &["error: \nerror: all is lost"],
    ] {
        let ran = Sandbox::new().abslink("").args(arguments).output();
        let ran = Ran::from(&ran.unwrap());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let lines: Vec<&str> = ran.stderr.lines().collect();
        assert!(
            lines.iter().all(|line| !line.starts_with("error: all")),
            "{}",
            ran.stderr
        );
        assert!(lines[0].starts_with("error: "), "{}", ran.stderr);
        assert!(lines[0].contains("\\nerror: all is lost"), "{}", ran.stderr);
    }
}

#[test]
fn values_that_are_none_list_those_that_are() {
    refused(
        "check --skip css,frames a.html",
        &["frames", "links", "noscript", "json", "all"],
    );
    refused(
        "check --layout wget --scheme htps site",
        &["htps", "--scheme", "https, http, ftp"],
    );
    refused(
        "check --resolver rfc2396 a.html",
        &["rfc1808", "rfc3986", "whatwg"],
    );
    refused(
        "check --layout flat -b http://h/ site",
        &["--layout", "tree"],
    );
    refused(
        "check --exclude-url ( a.html",
        &["--exclude-url", "unclosed group"],
    );
    refused(
        "check --exclude-url ((a{1,50}){1,50}){1,50}$ a.html",
        &["--exclude-url", "larger than 512 KiB", "repeat less"],
    );
    let long = format!("check --exclude {} site", "*a".repeat(20_000));
    refused(&long, &["--exclude", "40000 bytes", "more than 32768"]);
    refused(
        "check --include a[ site",
        &["--include a[", "unclosed character class"],
    );
}
