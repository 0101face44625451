//! Mirrors that are given at the wrong level, and a URL for too many directories.

use crate::cli::Sandbox;

const PAGE: &str = "<a href=x.html><a href=/y.html>";

/// What a command says that gives up, of files that are there.
fn refused(files: &[&str], arguments: &str) -> String {
    let sandbox = Sandbox::new();
    for file in files {
        sandbox.write(file, PAGE);
    }
    let ran = sandbox.run(arguments);
    ran.exits(2).prints("");
    ran.stderr
}

/// As [`refused`], of what is not.
fn taken(files: &[&str], arguments: &str) {
    let sandbox = Sandbox::new();
    for file in files {
        sandbox.write(file, PAGE);
    }
    let ran = sandbox.run(arguments);
    ran.exits(0);
}

#[test]
fn a_mirror_given_above_its_host() {
    for (files, arguments, better) in [
        (
            &["m/h.org/d/a.html", "m/h.org/index.html"][..],
            "rewrite -b https://h.org/ -o out m",
            "give --layout wget --scheme https instead of the URL",
        ),
        (
            &["m/h.org/d/a.html", "m/wget.log"],
            "links -b http://u:p@H.org/d m",
            "give --layout wget --scheme http instead of the URL",
        ),
        // Whether a site calls itself www is soon forgotten.
        (
            &["m/www.h.org/a.html"],
            "check -b https://h.org/ m",
            "give --layout wget --scheme https instead of the URL",
        ),
        (
            &["m/h.org/a.html"],
            "check -b https://www.h.org/ m",
            "give --layout wget --scheme https instead of the URL",
        ),
        // wget --cut-dirs leaves the directories of the URL out.
        (
            &["m/h.org/a.html"],
            "check -b https://h.org/d/ m",
            "give m/h.org instead of m",
        ),
        (
            &["m/h.org:80/a.html"],
            "check -b http://h.org:80/ --root m m/h.org:80",
            "give --layout wget --scheme http instead of the URL",
        ),
        (
            &["m/h.org+80/a.html"],
            "check -b http://h.org:80/ m",
            "give --layout wget-windows --scheme http instead of the URL",
        ),
        (
            &["m/h.org_80/a.html"],
            "check -b http://h.org:80/ m",
            "give --layout httrack --scheme http instead of the URL",
        ),
        (
            &["m/h.org/a.html", "m/hts-cache/new.txt"],
            "check -b https://h.org/ m",
            "give --url-map m/hts-cache/new.txt instead of the URL",
        ),
        (
            &["m/h.org/a.html", "m/cdn.h.org/a.css"],
            "check -b https://www.h.org/ m",
            "give --layout wget --scheme https instead of the URL",
        ),
    ] {
        let said = refused(files, arguments);
        assert!(said.contains(better), "{arguments}: {said}");
        assert!(said.contains("m has the directory "), "{said}");
    }
}

#[test]
fn one_url_is_for_one_directory() {
    let files = &["m/a.html", "n/b.html"];
    for paths in ["m n", "m/a.html n/b.html", "m n/b.html"] {
        for layout in ["", "--layout tree"] {
            let said = refused(files, &format!("check {layout} -b https://h.org/ {paths}"));
            assert!(said.contains("hint: abslink check --root . "), "{said}");
        }
        taken(
            files,
            &format!("links -q -b https://h.org/ --root . {paths}"),
        );
    }
}
