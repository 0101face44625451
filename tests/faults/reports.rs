//! Files that a run writes besides documents, when it is killed before they are in their places.

use super::*;

#[test]
fn what_a_killed_run_left_of_a_report_goes_with_the_next() {
    if !may_trace() {
        return;
    }
    for option in ["--format=html", "--format=sarif", "--write-baseline"] {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("out");
        fs::create_dir(&out).unwrap();
        fs::write(directory.path().join("page.html"), "<a href=x>").unwrap();
        fs::write(out.join("old.json"), "{}").unwrap();
        let check = |strace: &[&str]| {
            let program = abslink().get_program().to_owned();
            let mut command = match strace {
                [] => Command::new(&program),
                [first, rest @ ..] => {
                    let mut command = Command::new(first);
                    command.args(rest).arg(&program);
                    command
                }
            };
            command.current_dir(directory.path());
            let file = format!("{option}=out/old.json");
            let ran = command.args(["check", "-b", BASE, "page.html", &file]);
            ran.output().unwrap()
        };
        let killed = "inject=rename,renameat,renameat2:signal=KILL";
        check(&["strace", "-f", "-qq", "-o", "/dev/null", "-e", killed]);
        let names = || files(&out).into_keys().collect::<Vec<_>>();
        let left = names();
        assert_eq!(left.len(), 2, "{option}: {left:?}");
        assert!(
            left[0].to_str().unwrap().starts_with(".abslink-"),
            "{left:?}"
        );
        assert_eq!(fs::read(out.join("old.json")).unwrap(), b"{}");

        let copy = directory.path().join("copy");
        let mut copied = abslink();
        copied.args([
            "rewrite",
            "-b",
            BASE,
            "--allow-empty",
            "--copy-others",
            "-o",
        ]);
        let copied = copied.args([&copy, &out]).output().unwrap();
        assert_eq!(copied.status.code(), Some(0), "{copied:?}");
        assert_eq!(
            files(&copy).into_keys().collect::<Vec<_>>(),
            [Path::new("old.json")]
        );

        let ran = check(&[]);
        assert!(ran.status.code() != Some(2), "{ran:?}");
        assert_eq!(names(), [Path::new("old.json")], "{option}");
        assert_ne!(fs::read(out.join("old.json")).unwrap(), b"{}");
    }
}
