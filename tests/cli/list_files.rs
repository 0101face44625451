//! `--list-files`, and what is left of output with `--quiet`.

use super::Sandbox;

/// Pages with relative links and without, a mail, and rows.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, content) in [
        ("d/b.html", "<a href=x><a href=y>"),
        ("d/a/z.html", "<a href=x>"),
        ("d/a/same.html", "<a href=http://h/>"),
        ("d/c.txt", "<a href=x>"),
        (
            "d/m.eml",
            "Content-Type: text/html\nContent-Transfer-Encoding: 7bit\n\n<a href=x>",
        ),
    ] {
        sandbox.write(name, content);
    }
    sandbox
}

const CHANGED: &str = "d/a/z.html\nd/b.html\nd/m.eml\n";

#[test]
fn rewrite_lists_what_changes() {
    for arguments in [
        "-l -o out d",
        "--list-files -q -o out d",
        "-l --copy-others -o out d",
        "-l -n d",
        "-l -i d",
        "-l -i --backup .orig d",
        "-l -i --fsync=batch d",
        "-l -q -i --engine stream d",
        "-l -o out --format sarif=s.sarif d",
    ] {
        // Until that is its name.
        let arguments = arguments.replace("-n", "--dry-run");
        for jobs in ["-j1", "-j8"] {
            let sandbox = sandbox();
            let ran = sandbox.run(&format!("rewrite -b http://h/ {jobs} {arguments}"));
            ran.prints(CHANGED).exits(0);
            let is_quiet = arguments.contains("-q");
            assert_eq!(ran.stderr.is_empty(), is_quiet, "{}", ran.stderr);
        }
    }
    let sandbox = sandbox();
    sandbox.run("rewrite -q -b http://h/ -i d");
    let again = sandbox.run("rewrite -b http://h/ -l -i d");
    again.exits(0).prints("");
}
