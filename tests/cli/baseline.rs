//! `check --baseline` and `--write-baseline`: what is known passes, what is new does not.

use std::fs;

use super::{Ran, Sandbox};

const PAGE: &str = "<p><a href=x>\n<img src=i.png><a href=x>";

/// With three known references in site/index.html and one in site/b.html.
fn known() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", PAGE);
    sandbox.write("site/b.html", "<a href=gone>");
    let ran = sandbox.run("check --write-baseline base.jsonl site");
    assert_eq!((ran.code, &*ran.stdout), (Some(0), ""), "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains("--write-baseline base.jsonl: 4 links\n")
    );
    sandbox
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join(name)).unwrap()
}

#[track_caller]
fn passes(ran: &Ran) {
    assert_eq!((ran.code, &*ran.stdout), (Some(0), ""), "{}", ran.stderr);
}

#[test]
fn what_is_known_passes_wherever_it_moves() {
    let sandbox = known();
    let ran = sandbox.run("check --baseline base.jsonl site");
    passes(&ran);
    assert!(
        ran.stderr
            .starts_with("no new relative links in 2 files, 4 in the baseline (")
    );
    assert!(!ran.stderr.contains("warning:"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("hint:"), "{}", ran.stderr);
    sandbox.write("site/index.html", &format!("<h1>\n\n\n</h1>{PAGE}"));
    passes(&sandbox.run("check --baseline base.jsonl site"));
    passes(&sandbox.run("check -b http://h/ --baseline ./site/../base.jsonl site"));
    let mut from_below = sandbox.abslink("check --baseline ../base.jsonl .");
    let from_below = from_below.current_dir(sandbox.path().join("site")).output();
    passes(&Ran::from(&from_below.unwrap()));
}

#[test]
fn what_is_new_is_listed_in_each_format() {
    let sandbox = known();
    // The third `x` is one too many, whichever of them was added.
    sandbox.write(
        "site/index.html",
        &format!("{PAGE}\n<a href=x><a href=new>"),
    );
    let ran = sandbox.run("check --baseline base.jsonl site");
    let lines = "site/index.html:3:9: <a href> x\n\
                 site/index.html:3:19: <a href> new\n";
    assert_eq!((ran.code, &*ran.stdout), (Some(1), lines));
    let lead = "2 new relative links in 2 files, 4 in the baseline (";
    assert!(ran.stderr.starts_with(lead), "{}", ran.stderr);
    for (format, findings) in [
        ("json", "\"reference\":"),
        ("github", "::error "),
        ("sarif", "\"ruleId\":"),
        ("gitlab", "\"fingerprint\":"),
        ("junit", "&#60;a href&#62;"),
        ("markdown", "<a href>"),
    ] {
        let ran = sandbox.run(&format!(
            "check --baseline base.jsonl --format {format} site"
        ));
        assert_eq!(ran.code, Some(1));
        assert_eq!(ran.stdout.matches(findings).count(), 2, "{}", ran.stdout);
    }
    let ran = sandbox.run("check --baseline base.jsonl --format text --format html=page.html site");
    assert_eq!((ran.code, &*ran.stdout), (Some(1), lines));
    assert!(text(&sandbox, "page.html").contains(", 4 in the baseline"));
}

#[test]
fn any_number_of_jobs_finds_the_same() {
    let sandbox = Sandbox::new();
    for page in 0..40 {
        sandbox.write(&format!("site/{page}.html"), PAGE);
    }
    passes(&sandbox.run("check --write-baseline base.jsonl site"));
    for page in (0..40).step_by(3) {
        sandbox.write(&format!("site/{page}.html"), &PAGE.repeat(2));
    }
    let found = |jobs: u8| {
        sandbox
            .run(&format!("check --baseline base.jsonl site -j{jobs}"))
            .stdout
    };
    assert_eq!(found(1).lines().count(), 14 * 3);
    assert_eq!(found(1), found(4));
}
