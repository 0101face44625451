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
    assert!(!sandbox.path().join("out").exists());
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
        assert!(!sandbox.path().join("out").exists());
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
        ("--threads 4", "--jobs N"),
        ("--report x.html", "--format html=FILE"),
        ("--map-url http://a/=http://b/", "--move-url FROM=TO"),
        ("--url http://h/", "--base-url URL"),
        ("--relative", "--to relative"),
    ] {
        for command in ["check", "rewrite -o out"] {
            let ran = Sandbox::new().run(&format!("{command} {typed} site"));
            let name = typed.split([' ', '=']).next().unwrap();
            let error = format!("error: unknown option `{name}`\n");
            assert!(ran.stderr.starts_with(&error), "{}", ran.stderr);
            assert!(
                ran.stderr.ends_with(&format!("hint: {hint}\n")),
                "{}",
                ran.stderr
            );
            assert!(!ran.stderr.contains("tip:"), "{}", ran.stderr);
            assert_eq!(ran.code, Some(2));
        }
    }
}

#[test]
fn what_makes_no_sense_is_followed_by_what_does() {
    for (arguments, message) in [
        (
            "rewrite --to keep -b http://h/ -i site",
            "error: --to keep changes nothing by itself\nhint: add --move-url FROM=TO or --unwrap\n",
        ),
        (
            "man out",
            "error: COMMAND: unknown value `out`\nhint: one of rewrite, check, ",
        ),
    ] {
        refused(arguments, &[message]);
    }
}

#[test]
fn destinations_exclude_each_other() {
    refused("rewrite -o out -i site", &["--output <DIR>", "--in-place"]);
    refused("rewrite --diff --dry-run site", &["--diff", "--dry-run"]);
    refused(
        "rewrite -o out -i --diff site",
        &["--output <DIR>", "--in-place"],
    );
}

#[test]
fn options_need_what_they_are_about() {
    refused("rewrite --copy-others --dry-run site", &["--output DIR"]);
    refused("rewrite --copy-others -i site", &["--in-place"]);
    refused("rewrite --backup .orig --diff a.html", &["--in-place"]);
    refused("rewrite --backup .orig -o out site", &["--output <DIR>"]);
    refused("check --layout tree a.html", &["needs --base-url"]);
    refused("check --index x.html a.html", &["--base-url, --layout"]);
    refused(
        "rewrite -i --backup /etc/x a.html",
        &["--backup", "no slash"],
    );
}

#[test]
fn standard_input_stands_alone() {
    refused("check - a.html", &["`-`", "cannot be combined"]);
    refused("rewrite - -o out", &["`-`", "-o", "standard output"]);
    refused("rewrite - -i", &["`-`", "-i", "standard output"]);
}

#[test]
fn a_root_is_a_directory() {
    refused(
        "check -b http://h/ --root a.html a.html",
        &["--root a.html", "not a directory"],
    );
    refused(
        "check -b http://h/ --root missing a.html",
        &["--root missing: No such file"],
    );
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

#[test]
fn a_summary_needs_a_stream_of_its_own() {
    refused(
        "rewrite a.html --format json",
        &["--format json", "-o DIR", "--dry-run"],
    );
    refused("rewrite site --diff --format json", &["--format json"]);
    refused(
        "rewrite site -o out --diff --format json",
        &["--format json"],
    );
}

#[test]
fn quiet_and_verbose_contradict() {
    refused("check -q -v a.html", &["--quiet", "--verbose"]);
}

#[test]
fn nothing_typed_is_answered_with_the_help() {
    let ran = Sandbox::new().run("");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("Usage: abslink [OPTIONS] <COMMAND>"),
        "{}",
        ran.stderr
    );
}

#[test]
fn help_and_version_go_to_standard_output() {
    let sandbox = Sandbox::new();
    let help = sandbox.run("--help");
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
    for part in ["Examples:", "Exit codes:", "  130, 143  "] {
        assert!(help.stdout.contains(part), "{}", help.stdout);
    }
    let version = sandbox.run("--version");
    assert_eq!(
        version.stdout,
        concat!("abslink ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn messages_have_no_colour_off_a_terminal() {
    for arguments in ["rewrite site", "rewrite", "--help"] {
        let ran = Sandbox::new().run(arguments);
        assert!(
            !ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'),
            "{ran:?}"
        );
    }
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
