//! `--dry-run` and `--diff`: the real command and one word more.

use std::fs;

use super::Sandbox;

/// The summary without its first line, which says that nothing was written, and how long it took.
fn rest(stderr: &str) -> &str {
    stderr.split_once('\n').map_or("", |(_, rest)| rest)
}

#[test]
fn they_go_with_every_destination() {
    for command in [
        "rewrite -b http://h/ -o new/out --copy-others --fsync site",
        "rewrite -b http://h/ -o old --copy-others site a.html --root .",
        "rewrite -b http://h/ -i --backup .orig site",
        "rewrite -b http://h/ a.html",
    ] {
        let sandbox = Sandbox::new();
        sandbox.write("site/style.css", "");
        sandbox.write("site/clean.html", "");
        sandbox.write("old/site/index.html", "older");
        sandbox.write("old/gone.html", "");
        let tried = sandbox.run(&format!("{command} --dry-run"));
        let shown = sandbox.run(&format!("{command} --diff"));
        let wrote_nothing = "nothing written; would make ";
        for ran in [&tried, &shown] {
            assert_eq!(ran.code, Some(0), "{ran:?}");
            assert!(ran.stderr.starts_with(wrote_nothing), "{}", ran.stderr);
        }
        assert_eq!(tried.stdout, "");
        assert!(
            shown.stdout.contains("\n+<a href=http://h/"),
            "{}",
            shown.stdout
        );
        assert!(!sandbox.path().join("new").exists());
        assert!(!sandbox.path().join("site/index.html.orig").exists());
        let read = |name| fs::read_to_string(sandbox.path().join(name)).unwrap();
        assert_eq!(read("site/index.html"), "<a href=sub/g>");
        assert_eq!(read("old/site/index.html"), "older");
        assert!(!sandbox.path().join("old/a.html").exists());
        let done = sandbox.run(command);
        assert_eq!(rest(&tried.stderr), rest(&done.stderr));
        assert_eq!(rest(&shown.stderr), rest(&done.stderr));
    }
}

/// What is wrong with the real command is wrong with the trial.
#[test]
fn they_are_refused_where_the_command_is() {
    let sandbox = Sandbox::new();
    for command in [
        "rewrite -b http://h/ -o site/out site",
        "rewrite -b http://h/ -o a.html site",
        "rewrite -b http://h/ -i site site/index.html --root .",
        "rewrite -b http://h/ -i -",
    ] {
        let real = sandbox.run(command);
        for option in ["--dry-run", "--diff"] {
            let tried = sandbox.run(&format!("{command} {option}"));
            assert_eq!(
                (tried.code, &tried.stderr),
                (Some(2), &real.stderr),
                "{command}"
            );
        }
    }
    assert!(!sandbox.path().join("site/out").exists());
}

#[test]
fn an_output_that_is_in_use_is_told() {
    let sandbox = Sandbox::new();
    let command = "rewrite -b http://h/ -o out site";
    let told = |line: &str| {
        for option in ["--dry-run", ""] {
            let ran = sandbox.run(&format!("{command} {option}"));
            assert_eq!(ran.code, Some(0), "{ran:?}");
            let found = ran
                .stderr
                .lines()
                .find(|line| line.contains("not from this run"));
            assert_eq!(found.unwrap_or_default(), line, "{option}");
        }
    };
    told("");
    told("");
    sandbox.write("out/gone.html", "");
    told("attention: out also has 1 file that is not from this run");
    sandbox.write("out/sub/gone.html", "");
    told("attention: out also has 2 files that are not from this run");
}
