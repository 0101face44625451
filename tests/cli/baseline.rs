//! `check --baseline` and `--write-baseline`: what is known passes, what is new does not.

use super::{Ran, Sandbox};

const PAGE: &str = "<p><a href=x>\n<img src=i.png><a href=x>";

/// With three known references in site/index.html and one in site/b.html.
fn known() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", PAGE);
    sandbox.write("site/b.html", "<a href=gone>");
    let ran = sandbox.run("check --write-baseline base.jsonl site");
    ran.exits(0)
        .prints("")
        .says("--write-baseline base.jsonl: 4 links\n");
    sandbox
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    sandbox.read(name)
}

#[track_caller]
fn passes(ran: &Ran) {
    ran.exits(0).prints("");
}

#[test]
fn what_is_new_is_listed_in_each_format() {
    let sandbox = known();
    // The third `x` is one too many, whichever of them was added.
    sandbox.write("site/index.html", format!("{PAGE}\n<a href=x><a href=new>"));
    let ran = sandbox.run("check --baseline base.jsonl site");
    let lines = "site/index.html:3:9: <a href> x\n\
                 site/index.html:3:19: <a href> new\n";
    ran.exits(1).prints(lines);
    let lead = "2 new relative links in 2 files, 4 in the baseline (";
    ran.begins(lead);
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
        ran.exits(1);
        assert_eq!(ran.stdout.matches(findings).count(), 2, "{}", ran.stdout);
    }
    let ran = sandbox.run("check --baseline base.jsonl --format text --format html=page.html site");
    ran.exits(1).prints(lines);
    assert!(text(&sandbox, "page.html").contains(", 4 in the baseline"));
}

#[test]
fn any_number_of_jobs_finds_the_same() {
    let sandbox = Sandbox::new();
    for page in 0..40 {
        sandbox.write(format!("site/{page}.html"), PAGE);
    }
    passes(&sandbox.run("check --write-baseline base.jsonl site"));
    for page in (0..40).step_by(3) {
        sandbox.write(format!("site/{page}.html"), PAGE.repeat(2));
    }
    let found = |jobs: u8| {
        sandbox
            .run(&format!("check --baseline base.jsonl site -j{jobs}"))
            .stdout
    };
    assert_eq!(found(1).lines().count(), 14 * 3);
    assert_eq!(found(1), found(4));
}
