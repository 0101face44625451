//! What the names of a mirror leave open: it is said, and nothing is made up.

use crate::cli::{Ran, Sandbox};

/// The warnings of the summary, each with its hint.
fn warnings(ran: &Ran) -> Vec<&str> {
    let lines = ran.stderr.lines();
    lines
        .skip_while(|line| !line.starts_with("warning: "))
        .take_while(|line| line.starts_with("warning: ") || line.starts_with("hint: "))
        .collect()
}

/// A mirror of www.example.org in `m`.
fn mirror() -> Sandbox {
    let sandbox = Sandbox::new();
    for name in ["index.html", "docs/a.html", "docs/b.html", "v1.2/a.html"] {
        sandbox.write(
            &format!("m/www.example.org/{name}"),
            "<a href=/index.html><a href=a.html>",
        );
    }
    sandbox
}

/// Below the directory of a moment, the wrong one is that in the host's place.
#[test]
fn no_host_below_a_moment() {
    let sandbox = Sandbox::new();
    sandbox.write("m/20200101000000/docs/a.html", "<a href=a.html>");
    let ran = sandbox.run("check --layout wayback m");
    assert_eq!(
        warnings(&ran).join("\n"),
        "warning: rewrite would leave 1 link: no base URL for 1 page: --layout wayback expects a directory \
         for each host, and `docs` does not look like a host\n\
         hint: abslink check --base-url URL m",
    );
    let ran = sandbox.run("check --layout wayback --any-host m");
    let line = "m/20200101000000/docs/a.html:1:9: <a href> a.html -> https://docs/a.html\n";
    ran.prints(line);
}

/// Whatever way PATH is written.
#[test]
fn the_directory_to_give_is_said() {
    let sandbox = mirror();
    let said = |arguments: &str, directory: &str| {
        let mut command = sandbox.abslink(arguments);
        let ran = Ran::by(command.current_dir(sandbox.path().join(directory)));
        warnings(&ran).join("\n")
    };
    for (arguments, directory, typed) in [
        ("check --layout wget .", "m/www.example.org", "wget .."),
        ("check --layout wget www.example.org", "m", "wget ."),
        ("check --layout httrack m/www.example.org/", "", "httrack m"),
        ("check --layout wget .", "", "--layout wget ./m"),
        (
            "check --layout wget --root m/www.example.org m/www.example.org/docs",
            "",
            "wget m",
        ),
    ] {
        let line = said(arguments, directory);
        assert!(line.ends_with(typed), "{arguments}: {line}");
    }
    let line = said("check --layout wget docs", "m/www.example.org");
    let text = "warning: rewrite would leave 4 links: no base URL for 2 pages: --layout wget expects a \
                directory for each host, and docs/a.html is not in one\n\
                hint: abslink check --base-url URL docs";
    assert_eq!(line, text);
}

/// Whoever gives the URL of a page for a directory means the directory that the page is in.
#[test]
fn the_url_of_a_page_means_its_directory() {
    let sandbox = Sandbox::new();
    let line = |url: &str| {
        format!("warning: --base-url names a page; using {url} as the directory's URL\n")
    };
    for (given, used) in [
        ("http://h/x.html", "http://h/"),
        ("http://h/a/index.php", "http://h/a/"),
        ("http://h/a/index.html", "http://h/a/"),
        ("http://u:p@h/X.HTM", "http://u:***@h/"),
    ] {
        for command in ["rewrite --dry-run", "check", "links", "base"] {
            let ran = sandbox.run(&format!("{command} -b {given} site"));
            assert_eq!(
                ran.stderr.matches(&line(used)).count(),
                1,
                "{command}: {}",
                ran.stderr
            );
            let ran = sandbox.run(&format!("{command} -q -b {given} site"));
            ran.never_says("warning");
        }
        let ran = sandbox.run(&format!("check -b {given} --format json site"));
        ran.shows(&format!("\"absolute\":\"{used}sub/g\""));
    }
    // One document has the URL that is given.
    let ran = sandbox.run("check -b http://h/x.html a.html");
    ran.shows("http://h/g");
    for given in ["http://h/v1.2", "http://x.html", "http://h/x.html/"] {
        let ran = sandbox.run(&format!("check -b {given} site"));
        ran.never_says("warning");
    }
    // A part of a tree too.
    sandbox.write(
        "abslink.toml",
        "[[files]]\ninclude = \"site/**\"\nbase-url = \"http://h/b/x.html\"\n",
    );
    let ran = sandbox.run("check .");
    ran.says(&line("http://h/b/"))
        .shows("http://h/b/site/sub/g");
}
