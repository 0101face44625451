//! `--color`, and the variables that users of other programs expect to count.

use std::process::Command;

use super::Sandbox;
use crate::support::skip;

const LINKS: &str = "links -q --format text -b http://h/ a.html";
const PLAIN: &str = "a.html:1:9: <a href> g -> http://h/g\n";
const PAINTED: &str =
    "\u{1b}[35ma.html\u{1b}[0m:\u{1b}[32m1:9\u{1b}[0m: <a href> g -> http://h/g\n";

/// What a command prints in an environment that has these variables only, `A=1 B=2`; on a terminal or to
/// a pipe.
fn printed(on_terminal: bool, variables: &str, arguments: &str) -> String {
    let sandbox = Sandbox::new();
    let typed = format!("{} {arguments}", env!("CARGO_BIN_EXE_abslink"));
    let mut command = match on_terminal {
        true => Command::new("script"),
        false => Command::new("sh"),
    };
    match on_terminal {
        true => command.args(["--quiet", "--return", "--command", &typed, "/dev/null"]),
        false => command.args(["-c", &format!("{typed} 2>&1")]),
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let variables = variables
        .split_whitespace()
        .map(|it| it.split_once('=').unwrap());
    command
        .env_clear()
        .env("PATH", path)
        .env("SHELL", "/bin/sh")
        .envs(variables);
    let output = command.current_dir(sandbox.path()).output().unwrap();
    // A terminal ends lines with both.
    String::from_utf8(output.stdout)
        .unwrap()
        .replace("\r\n", "\n")
}

#[test]
fn a_pipe_has_colours_only_if_they_are_asked_for() {
    for (variables, more, expected) in [
        ("TERM=xterm", "", PLAIN),
        ("TERM=xterm", "--color auto", PLAIN),
        ("TERM=xterm", "--color never", PLAIN),
        ("", "--color always", PAINTED),
        ("NO_COLOR=1", "--color always", PAINTED),
        ("CLICOLOR_FORCE=1", "", PAINTED),
        ("CLICOLOR_FORCE=1 NO_COLOR=1", "", PLAIN),
        ("CLICOLOR_FORCE=1", "--color never", PLAIN),
    ] {
        let shown = printed(false, variables, &format!("{LINKS} {more}"));
        assert_eq!(shown, expected, "{variables} {more}");
    }
}

#[test]
fn a_terminal_has_colours_unless_they_are_unwanted() {
    // Of util-linux; that of other systems has other options.
    if !cfg!(target_os = "linux") || !skip::has_tool("script") {
        return;
    }
    for (variables, more, expected) in [
        ("TERM=xterm", "", PAINTED),
        ("TERM=xterm CLICOLOR=1", "", PAINTED),
        ("TERM=xterm NO_COLOR=", "", PAINTED),
        ("TERM=xterm NO_COLOR=1", "", PLAIN),
        ("TERM=xterm CLICOLOR=0", "", PLAIN),
        ("TERM=dumb", "", PLAIN),
        ("TERM=dumb", "--color always", PAINTED),
        ("TERM=xterm", "--color never", PLAIN),
        ("TERM=xterm", "--color=never", PLAIN),
    ] {
        let shown = printed(true, variables, &format!("{LINKS} {more}"));
        assert_eq!(shown, expected, "{variables} {more}");
    }
}

#[test]
fn messages_and_help_follow_it_too() {
    let painted = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m ";
    for (arguments, expected) in [
        ("--color always rewrite site", true),
        ("rewrite --color=always site", true),
        ("rewrite --color always --no-such-option site", true),
        ("rewrite --no-such-option --color=always site", true),
        ("rewrite --no-such-option -- --color=always", false),
        ("rewrite --no-such-option --color=blue", false),
        ("rewrite --no-such-option site", false),
    ] {
        let shown = printed(false, "", arguments);
        assert_eq!(
            shown.starts_with(painted),
            expected,
            "{arguments}: {shown:?}"
        );
        assert_eq!(shown.contains('\u{1b}'), expected, "{arguments}: {shown:?}");
    }
    let help = printed(false, "CLICOLOR_FORCE=1", "rewrite --help");
    assert!(help.contains("\u{1b}[1m"), "{help}");
    assert!(!printed(false, "", "rewrite --help").contains('\u{1b}'));
}
