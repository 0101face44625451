//! Whole runs: `base`, `--url-map`, `--url-from`, `--only-missing`.

use crate::cli::Sandbox;

#[cfg(unix)]
mod attributes {
    use std::fs;

    use abslink_html::base::retrieval::xattr::ORIGIN;

    use crate::cli::Sandbox;
    use crate::support::skip;

    /// Sets an attribute; `false` where the file system has none.
    fn set(sandbox: &Sandbox, file: &str, name: &str, value: &str) -> bool {
        let set = xattr::set(sandbox.path().join(file), name, value.as_bytes());
        if let Err(error) = &set {
            skip::tool(format_args!("no extended attributes here ({error})"));
        }
        set.is_ok()
    }

    #[test]
    fn the_attribute_gives_the_base_and_survives() {
        let sandbox = Sandbox::new();
        if !set(&sandbox, "site/index.html", ORIGIN, "http://h/d/x.html") {
            return;
        }
        let ran = sandbox.run("rewrite -q -i site");
        ran.exits(0);
        let path = sandbox.path().join("site/index.html");
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "<a href=http://h/d/sub/g>"
        );
        assert_eq!(
            xattr::get(&path, ORIGIN).unwrap().unwrap(),
            b"http://h/d/x.html"
        );
        let ran = sandbox.run("base -q --format json site");
        ran.shows("\"base_from\":\"xattr\"");
        assert!(!ran.stdout.contains("doubts"), "{}", ran.stdout);
    }

    #[test]
    fn what_curl_recorded_is_doubted() {
        let sandbox = Sandbox::new();
        if !set(&sandbox, "a.html", ORIGIN, "http://h/old") {
            return;
        }
        set(&sandbox, "a.html", "user.mime_type", "text/html");
        let ran = sandbox.run("base -q a.html");
        ran.shows("unsure: xattr: curl records");
    }
}

/// What lies behind a symbolic link is in the tree only where links are followed.
#[cfg(unix)]
#[test]
fn links_that_are_not_followed_hold_nothing() {
    let sandbox = Sandbox::new();
    let html = "<a href=file.html></a><a href=directory/x.html></a>";
    sandbox.write("m/h/index.html", html);
    sandbox.write("away/x.html", "");
    for (name, target) in [("file.html", "away/x.html"), ("directory", "away")] {
        let link = sandbox.path().join("m/h").join(name);
        std::os::unix::fs::symlink(sandbox.path().join(target), link).unwrap();
    }
    let options = "check --layout wget --any-host --only-missing --include index.html";
    let ran = sandbox.run(&format!("{options} m"));
    assert_eq!(ran.stdout.lines().count(), 2, "{}", ran.stdout);
    let ran = sandbox.run(&format!("{options} --follow m"));
    ran.prints("");
    // The PATH itself may be one.
    std::os::unix::fs::symlink(sandbox.path().join("away"), sandbox.path().join("a")).unwrap();
    sandbox.write("away/index.html", "<a href=x.html>");
    let ran = sandbox.run("check --only-missing -b http://h/ a");
    ran.prints("");
}

/// A pipe with a name may never have a writer. One that the shell has opened has.
#[cfg(unix)]
#[test]
fn a_map_is_read_from_a_pipe_only_where_it_is_open() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a.html", "<a href=x>");
    let made = std::process::Command::new("mkfifo")
        .arg(sandbox.path().join("map"))
        .status();
    assert!(made.unwrap().success());
    for map in ["map", "/dev/zero"] {
        let ran = sandbox.run(&format!("check --url-map {map} d"));
        ran.exits(2).says(": cannot read: not a regular file");
    }
    let map = "path,url\na.html,http://h/b/\n";
    let ran = sandbox.run_with_input("check --url-map /dev/stdin d", map);
    ran.shows("http://h/b/x");
}
