//! Files that a run writes besides documents, when it is killed before they are in their places.

use super::*;
use crate::support::sandbox::Sandbox;

#[test]
fn what_a_killed_run_left_of_a_report_goes_with_the_next() {
    if !may_trace() {
        return;
    }
    for option in ["--format=html", "--format=sarif", "--write-baseline"] {
        let files_before = [("page.html", "<a href=x>"), ("out/old.json", "{}")];
        let sandbox = Sandbox::of(&files_before);
        let check = format!("check -b {BASE} page.html {option}=out/old.json");
        let names = |directory: &str| files(&sandbox.path().join(directory)).into_keys();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
        strace.arg("inject=rename,renameat,renameat2:signal=KILL");
        strace.arg(abslink().get_program()).args(check.split(' '));
        Ran::of(strace.current_dir(sandbox.path()));
        let left: Vec<_> = names("out").collect();
        assert_eq!(left.len(), 2, "{option}: {left:?}");
        let first = left[0].to_str().unwrap();
        assert!(first.starts_with(".abslink-"), "{left:?}");
        assert_eq!(sandbox.read("out/old.json"), "{}");

        let copy = format!("rewrite -b {BASE} --allow-empty --copy-others -o copy out");
        sandbox.run(&copy).exits(0);
        assert!(names("copy").eq([Path::new("old.json")]), "{option}");

        let ran = sandbox.run(&check);
        assert!(ran.code != Some(2), "{ran:?}");
        assert!(names("out").eq([Path::new("old.json")]), "{option}");
        assert_ne!(sandbox.read("out/old.json"), "{}");
    }
}
