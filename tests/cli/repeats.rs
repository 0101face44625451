//! What many files share is said a few times.

use serde_json::Value;

use super::Sandbox;

/// The first errors of each kind are printed; for programs there are all.
#[test]
fn errors_that_many_files_share() {
    let sandbox = Sandbox::new();
    for number in 0..25 {
        sandbox.write(format!("d/p{number:02}.html"), "<a href=x>");
        sandbox.write(format!("out/p{number:02}.html/x"), "");
    }
    sandbox.write("d/ok.html", "<a href=x>");
    for jobs in ["-j1", "-j8"] {
        let ran = sandbox.run(&format!(
            "rewrite -b http://h/ {jobs} -o out d --format json=s"
        ));
        let errors: Vec<&str> = (ran.stderr.lines())
            .filter(|line| line.starts_with("error: "))
            .collect();
        assert_eq!((ran.code, errors.len()), (Some(2), 10), "{}", ran.stderr);
        for (number, line) in errors.iter().enumerate() {
            let start = format!("error: d/p{number:02}.html: cannot write");
            assert!(line.starts_with(&start), "{line}");
        }
        ran.says("\n… and 15 more\n");
        let summary = sandbox.read("s");
        let summary: Value = serde_json::from_str(&summary).unwrap();
        let all = summary["errors"].as_array().unwrap();
        assert_eq!(all.len(), 25);
        assert_eq!(all[24]["file"], "d/p24.html");
        let error = all[24]["error"].as_str().unwrap();
        assert!(error.starts_with("cannot write "), "{error}");
    }
    // Each kind has its own ten.
    for number in 0..12 {
        sandbox.write(format!("d/z{number:02}.csv"), "a,b\n");
    }
    let ran = sandbox.run("rewrite -b http://h/ --ext +csv --field x -o out d");
    let errors = ran.stderr.matches("error: ").count();
    assert_eq!(errors, 20, "{}", ran.stderr);
    ran.says("\n… and 17 more\n");
}

/// A tree of symbolic links, as some stores of packages have it.
#[cfg(unix)]
#[test]
fn symbolic_links_that_hide_all_documents() {
    use std::os::unix::fs::symlink;

    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path().join("links")).unwrap();
    let link = |to: &str, name: &str| symlink(to, sandbox.path().join("links").join(name)).unwrap();
    link("../a.html", "a.html");
    link("../site", "site");
    link("../a.html", "b.png");
    let ran = sandbox.run("check links");
    let said = "error: no HTML found in links: 2 symbolic links were not followed\nhint: abslink check --follow links\n";
    assert_eq!((ran.code, &*ran.stderr), (Some(2), said));
    let ran = sandbox.run("rewrite -b http://h/ -o out links --format json");
    let said = said.replace(
        "check --follow links",
        "rewrite --follow -b http://h/ -o out links",
    );
    ran.begins(said.trim_end());
    let warning = "warning: 2 symbolic links were not followed\nhint: abslink check --follow ";
    for arguments in ["links site", "--allow-empty links"] {
        let ran = sandbox.run(&format!("check {arguments}"));
        ran.says(warning);
    }
    // Where there are documents, links to others are nothing special.
    sandbox.write("links/c.html", "<a href=x>");
    for arguments in ["links", "--follow links", "links/a.html"] {
        let ran = sandbox.run(&format!("check {arguments}"));
        ran.never_says("not followed");
    }
}
