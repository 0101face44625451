//! What shells complete and `man` shows, asked of the real programs.

use std::fs;
use std::process::Command;

use crate::cli::Sandbox;
use crate::support::skip;

/// What a shell prints when it runs a script in which `$1` is the file of its completions.
fn asked(shell: &str, script: &str) -> Option<String> {
    if !skip::has_tool(shell) {
        return None;
    }
    let sandbox = Sandbox::new();
    let completions = sandbox.run(&format!("completions {shell}"));
    assert_eq!((completions.code, &*completions.stderr), (Some(0), ""));
    sandbox.write("completions", &completions.stdout);
    let mut command = Command::new(shell);
    match shell {
        "fish" => command.args(["--no-config", "-c", script]),
        "zsh" => command.args(["-f", "-c", script, shell]),
        _ => command.args(["-c", script, shell]),
    };
    let output = (command.arg(sandbox.path().join("completions")))
        .current_dir(sandbox.path())
        .env("HOME", sandbox.path())
        // Without it zsh lists nothing.
        .env("TERM", "xterm")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_completes_names_of_values() {
    let script = "source \"$1\"; COMP_WORDS=(abslink rewrite --resolver ''); COMP_CWORD=3; \
                  _abslink abslink '' --resolver; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let Some(offered) = asked("bash", script) else {
        return;
    };
    let offered: Vec<_> = offered.lines().collect();
    assert_eq!(offered, ["rfc1808", "rfc3986", "whatwg"]);
}

#[test]
fn bash_completes_commands() {
    let script = "source \"$1\"; COMP_WORDS=(abslink re); COMP_CWORD=1; \
                  _abslink abslink re abslink; printf '%s\\n' \"${COMPREPLY[@]}\"";
    let Some(offered) = asked("bash", script) else {
        return;
    };
    assert_eq!(offered, "rewrite\nrestore\nresolve\n");
}

#[test]
#[ignore = "slow tier: another program"]
fn fish_completes_names_of_values() {
    let script = "source $argv[1]; complete -C 'abslink rewrite --resolver '";
    let Some(offered) = asked("fish", script) else {
        return;
    };
    let offered: Vec<_> = (offered.lines())
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(offered, ["rfc1808", "rfc3986", "whatwg"]);
}

/// zsh completes on a terminal only. What is typed after the list ends the session in any case.
#[test]
#[ignore = "slow tier: another program"]
fn zsh_completes_names_of_values() {
    let script = r#"
        zmodload zsh/zpty && zpty shell zsh -f -i
        zpty -w shell "PS1= PS2=; autoload -Uz compinit; compinit -u -D; source $1; echo RE''ADY"
        zpty -r -m shell seen '*READY*'
        zpty -w -n shell $'abslink rewrite --resolver \t'
        # A list is shown only while no other key waits. It has a minute to come.
        integer left=600
        seen=
        while (( left-- )) && [[ $seen != *'browsers do'* ]]; do
            zpty -r -t shell part && seen+=$part || sleep 0.1
        done
        print -r -- "$seen"
        zpty -d shell"#;
    let Some(shown) = asked("zsh", script) else {
        return;
    };
    for name in [
        "rfc1808  -- RFC 1808 section 4",
        "rfc3986  -- RFC 3986 section 5.2",
        "whatwg   -- The URL Standard: what browsers do",
    ] {
        assert!(shown.contains(name), "{shown:?}");
    }
}

#[test]
fn every_shell_has_a_script() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = sandbox.run(&format!("completions {shell}"));
        ran.exits(0).shows("resolver");
    }
    sandbox.run("completions tcsh").exits(2);
}

/// The pages, one for each command.
fn pages() -> (Sandbox, Vec<String>) {
    let sandbox = Sandbox::new();
    let ran = sandbox.run("man -o man");
    ran.exits(0);
    let files = fs::read_dir(sandbox.path().join("man")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    (sandbox, names)
}

#[test]
fn each_command_has_a_page() {
    let (sandbox, names) = pages();
    let expected = [
        "abslink-base.1",
        "abslink-check.1",
        "abslink-completions.1",
        "abslink-config.1",
        "abslink-links.1",
        "abslink-man.1",
        "abslink-parse.1",
        "abslink-resolve.1",
        "abslink-restore.1",
        "abslink-rewrite.1",
        "abslink.1",
    ];
    assert_eq!(names, expected);
    let read = |name: &str| fs::read_to_string(sandbox.path().join("man").join(name)).unwrap();
    for name in ["abslink.1", "abslink-rewrite.1"] {
        let page = read(name);
        assert!(page.contains(".SH \"EXIT STATUS\"\n"), "{name}");
        assert!(page.contains(".SH \"EXAMPLES\"\n"), "{name}");
        assert!(!page.contains(".SH EXTRA"), "{name}");
        let form = r"abslink rewrite \-o DIR [\-\-copy\-others] [OPTIONS] PATH...";
        assert!(page.contains(form), "{name}");
        assert_eq!(page.matches("Examples:").count(), 0, "{name}");
    }
    assert_eq!(read("abslink-check.1"), sandbox.run("man check").stdout);
    assert_eq!(read("abslink.1"), sandbox.run("man").stdout);
    // For somebody who looks for it.
    assert!(read("abslink-rewrite.1").contains("wget"));
}

#[test]
fn a_page_that_cannot_be_written_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("taken", "");
    for directory in ["taken", "taken/man"] {
        let ran = sandbox.run(&format!("man check -o {directory}"));
        ran.exits(2);
        let message = format!("error: {directory}: cannot write: ");
        ran.begins(&message);
    }
}

#[test]
#[ignore = "slow tier: another program"]
fn man_shows_pages_without_a_warning() {
    if !skip::has_tool("man") {
        return;
    }
    let (sandbox, names) = pages();
    for name in names {
        let output = Command::new("man")
            .args(["--warnings", "-E", "UTF-8", "-l", &name])
            .current_dir(sandbox.path().join("man"))
            .env("MANWIDTH", "100")
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{name}: {said}");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains("EXAMPLES"), "{name}");
    }
}

#[test]
#[ignore = "slow tier: another program"]
fn mandoc_finds_nothing_wrong() {
    let (sandbox, names) = pages();
    for name in names {
        let linted = Command::new("mandoc")
            .args(["-Tlint", "-Wwarning", &name])
            .current_dir(sandbox.path().join("man"))
            .output();
        let Ok(linted) = linted else {
            skip::tool("there is no mandoc");
            return;
        };
        let said = String::from_utf8_lossy(&linted.stdout).into_owned();
        // What clap_mangen writes around lists of values.
        let is_known = |line: &&str| line.contains("br before sp") || line.contains("br after sp");
        let other: Vec<_> = said.lines().filter(|line| !is_known(line)).collect();
        assert!(other.is_empty(), "{name}: {other:#?}");
    }
}
