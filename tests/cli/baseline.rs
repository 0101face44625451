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
fn the_file_is_sorted_json_lines() {
    let sandbox = known();
    let lines = "\
{\"file\":\"site/b.html\",\"element\":\"a\",\"attribute\":\"href\",\"reference\":\"gone\",\"count\":1}
{\"file\":\"site/index.html\",\"element\":\"a\",\"attribute\":\"href\",\"reference\":\"x\",\"count\":2}
{\"file\":\"site/index.html\",\"element\":\"img\",\"attribute\":\"src\",\"reference\":\"i.png\",\"count\":1}
";
    assert_eq!(text(&sandbox, "base.jsonl"), lines);
    // Its own directory is where paths begin.
    passes(&sandbox.run("check --write-baseline ci.jsonl --root site -b http://h/ site -j2"));
    fs::create_dir(sandbox.path().join("ci")).unwrap();
    passes(&sandbox.run("check --write-baseline ci/new.jsonl site"));
    let elsewhere = lines.replace("\"site/", "\"../site/");
    assert_eq!(text(&sandbox, "ci/new.jsonl"), elsewhere);
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
    let lines = "site/index.html:3:9: <a href> x (no base URL)\n\
                 site/index.html:3:19: <a href> new (no base URL)\n";
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

#[test]
fn what_is_gone_is_named() {
    let sandbox = known();
    sandbox.write("site/index.html", "<a href=x>");
    fs::remove_file(sandbox.path().join("site/b.html")).unwrap();
    let ran = sandbox.run("check --baseline base.jsonl site");
    passes(&ran);
    let gone = "warning: no longer there, but in --baseline base.jsonl:\n  \
                site/b.html: <a href> gone\n  site/index.html: <a href> x\n  \
                site/index.html: <img src> i.png\n\
                hint: --write-baseline base.jsonl takes them out\n";
    assert!(ran.stderr.ends_with(gone), "{}", ran.stderr);
    let strict = sandbox.run("check --strict --quiet --baseline base.jsonl site");
    assert_eq!(strict.code, Some(2));
    assert_eq!(strict.stderr, gone.replace("warning:", "error:"));
    passes(&sandbox.run("check --write-baseline base.jsonl site"));
    passes(&sandbox.run("check --strict --baseline base.jsonl site"));
}

/// A hook is given a few files only.
#[test]
fn what_was_not_looked_at_is_not_gone() {
    let sandbox = known();
    let none_gone = |arguments: &str| {
        let ran = sandbox.run(&format!("check --strict --baseline base.jsonl {arguments}"));
        passes(&ran);
        assert!(!ran.stderr.contains("no longer there"), "{}", ran.stderr);
    };
    none_gone("site/index.html");
    none_gone("site --exclude b.html");
    fs::remove_file(sandbox.path().join("site/b.html")).unwrap();
    none_gone("site/index.html");
    // What cannot be read has not lost its references.
    #[cfg(unix)]
    {
        sandbox.write("site/bad.jsonl", "{\"t\": \"<a href=r>\"}\n");
        let rows = "check --field t --ext jsonl site/bad.jsonl";
        passes(&sandbox.run(&format!("{rows} --write-baseline rows.jsonl")));
        assert!(text(&sandbox, "rows.jsonl").contains("\"file\":\"site/bad.jsonl\""));
        sandbox.write("site/bad.jsonl", "{}\n{\"t\": \"<a href=r>\"}\n");
        passes(&sandbox.run(&format!("{rows} --strict --baseline rows.jsonl")));
        sandbox.write("site/bad.jsonl", "{\"t\": \n");
        let ran = sandbox.run(&format!("{rows} --baseline rows.jsonl"));
        assert_eq!(ran.code, Some(2));
        assert!(!ran.stderr.contains("no longer there"), "{}", ran.stderr);
    }
}

#[test]
fn failures_are_never_known() {
    let sandbox = known();
    let ran = sandbox.run("check --write-baseline base.jsonl site missing.html");
    assert_eq!(ran.code, Some(2));
    let ran = sandbox.run("check --baseline base.jsonl site missing.html");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("error: missing.html: no such file"),
        "{}",
        ran.stderr
    );
}

#[test]
fn passwords_are_not_written_and_still_known() {
    let sandbox = Sandbox::new();
    sandbox.write("p.html", "<a href=//u:s3cr3t@h/><a href=//u:other@h/>");
    passes(&sandbox.run("check -b http://h/ --write-baseline base.jsonl p.html"));
    let masked = "\"reference\":\"//u:***@h/\",\"count\":2}";
    assert!(text(&sandbox, "base.jsonl").contains(masked));
    for options in ["", " --show-passwords"] {
        passes(&sandbox.run(&format!(
            "check -b http://h/ --baseline base.jsonl p.html{options}"
        )));
    }
    passes(&sandbox.run("check -b http://h/ --show-passwords --write-baseline shown.jsonl p.html"));
    assert!(text(&sandbox, "shown.jsonl").contains("s3cr3t"));
    passes(&sandbox.run("check -b http://h/ --baseline shown.jsonl p.html"));
}

#[test]
fn wrong_baselines_are_refused() {
    let sandbox = known();
    for (arguments, why) in [
        (
            "--baseline none.jsonl site",
            "--write-baseline none.jsonl writes one",
        ),
        (
            "--baseline a.html site",
            "--baseline a.html:1: not a line of a baseline, which is",
        ),
        ("--baseline /dev/zero site", "not a regular file"),
        (
            "--baseline base.jsonl --write-baseline base.jsonl site",
            "cannot be used with",
        ),
        (
            "--write-baseline a.html a.html",
            "--write-baseline a.html: it is a PATH of this run; choose another file",
        ),
        (
            "--write-baseline x --format html=./x site",
            "--format html and --write-baseline would both write to",
        ),
        (
            "--baseline base.jsonl --format html=base.jsonl site",
            "--format html base.jsonl: it is the baseline; choose another file",
        ),
        (
            "--write-baseline no/where.jsonl site",
            "--write-baseline no/where.jsonl: cannot be written",
        ),
    ] {
        let ran = sandbox.run(&format!("check {arguments}"));
        assert_eq!(ran.code, Some(2), "{arguments}: {}", ran.stderr);
        // Which comes first of two options, no one cares.
        let [one, other] = [
            "--format html and --write-baseline",
            "--write-baseline and --format html",
        ];
        assert!(
            ran.stderr.replace(other, one).contains(why),
            "{arguments}: {}",
            ran.stderr
        );
    }
    let conflict = format!("<<<<<<< HEAD\n{}", text(&sandbox, "base.jsonl"));
    sandbox.write("base.jsonl", &conflict);
    let ran = sandbox.run("check --baseline base.jsonl site");
    assert!(
        ran.stderr
            .contains("base.jsonl:1: not a line of a baseline"),
        "{}",
        ran.stderr
    );
    // What is in a file that is none is nobody's business.
    for other in ["\"s3cr3t\"", "{\"count\": \"s3cr3t\"}", "s3cr3t"] {
        sandbox.write("base.jsonl", other);
        let ran = sandbox.run("check --baseline base.jsonl site");
        assert!(
            ran.stderr.contains(":1: not a line") && !ran.stderr.contains("s3cr3t"),
            "{}",
            ran.stderr
        );
    }
}

/// With a name that is a document's, too.
#[test]
fn it_is_no_document() {
    let sandbox = known();
    sandbox.write(
        "site/bases.html",
        &text(&sandbox, "base.jsonl").replace("\"site/", "\""),
    );
    let ran = sandbox.run("check --baseline site/bases.html site");
    passes(&ran);
    assert!(ran.stderr.contains(" in 2 files, "), "{}", ran.stderr);
}
