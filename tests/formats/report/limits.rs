//! However much there is to tell, the page has an end, and so has the memory for it.

use super::*;

/// Lists are cut, and say so.
#[test]
fn lists_have_an_end() {
    let sandbox = Sandbox::new();
    for number in 0..250 {
        sandbox.write(
            format!("site/{number:03}.html"),
            format!("<a href=x><a href=https://h{}.example/>", number % 40),
        );
        sandbox.write(
            format!("site/{number:03}.mht"),
            "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!",
        );
    }
    let (_, page) = page(&sandbox, "check site");
    let text = page.text();
    for expected in [
        "251 pages, of which the first 50 are listed.",
        "250 files, of which the first 200 are listed.",
        "10 other hosts",
    ] {
        assert!(text.contains(expected), "no {expected} in {text}");
    }
    assert!(text.contains("site/049.html 1 link") && !text.contains("site/050.html 1 link"));
    assert!(text.contains("site/199.mht") && !text.contains("site/200.mht"));
}

/// The largest page that there can be: long names, of characters that take the most bytes.
#[test]
#[ignore = "slow tier: memory"]
fn a_page_has_two_mebibytes_at_most() {
    let sandbox = Sandbox::new();
    let long = "&".repeat(200);
    for number in 0..500 {
        let directory = format!("site/{number:03}{long}");
        let mut text = format!("<!-- saved from url=(0022)https://{number}.example/{long} -->");
        for class in 0..20 {
            text.push_str(&format!(
                "<x-{class}{number} href='{}{long}'>",
                [";", "///", "\\", "12:", "%2e%2e/../"][class % 5]
            ));
        }
        sandbox.write(format!("{directory}/{long}.html"), &text);
        sandbox.write(
            format!("{directory}/{long}.mht"),
            "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!",
        );
    }
    let mut command =
        sandbox.abslink("rewrite --dry-run -b https://e.org/ site --format html=page.html");
    command.args(["--exclude-url", &"&".repeat(3_000)]);
    assert_eq!(command.output().unwrap().status.code(), Some(2));
    let source = sandbox.read("page.html");
    let page = Page::parse(&source);
    assert_eq!(page.errors, [""; 0]);
    assert!(page.cells().len() > 300, "{}", page.cells().len());
    assert!(
        source.len() > 1 << 20,
        "{} bytes are no trial",
        source.len()
    );
    assert!(source.len() <= 2 << 20, "{} bytes", source.len());
}

/// `ABSLINK_REPORT_FILES=1000000` makes it the tree of the promise; then it takes minutes.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory_does_not_grow_with_the_tree() {
    let files = std::env::var("ABSLINK_REPORT_FILES");
    let files: usize = files.map_or(17_000, |files| files.parse().unwrap());
    let sandbox = Sandbox::new();
    for file in 0..files {
        // Of directories more than are held, and of hosts.
        let directory = sandbox
            .path()
            .join(format!("d/{:03}/{}", file / 1_000, file % 1_000 / 2));
        if file % 2 == 0 {
            fs::create_dir_all(&directory).unwrap();
        }
        let text = format!("<a href=x><a href='///y'><a href=https://h{file}.example/>");
        fs::write(directory.join(format!("{file}.html")), text).unwrap();
    }
    let arguments = "rewrite -q -j2 -b https://e.org/ --dry-run d --format html=page.html";
    let mut command = crate::support::links::abslink();
    command
        .current_dir(sandbox.path())
        .args(arguments.split(' '));
    let (ended, peak) = crate::support::peak::run(&mut command);
    assert_eq!(ended.code(), Some(0));
    eprintln!("{files} files: {peak} bytes at most");
    assert!(peak < 128 << 20, "{peak} bytes");
    let page = sandbox.read("page.html");
    assert!(page.len() <= 2 << 20, "{}", page.len());
    let page = Page::parse(&page);
    assert!(
        page.text().contains("all other hosts"),
        "more than are held"
    );
}

/// A run that a signal ends has a page as well, of what it did.
#[cfg(unix)]
#[test]
fn the_page_is_whole_when_the_run_is_stopped() {
    use std::io::Read as _;
    use std::process::Stdio;

    let sandbox = Sandbox::new();
    for number in 0..400 {
        let name = format!("large/{number:03}.html");
        sandbox.write(&name, "<a href=x>\n".repeat(1_000));
    }
    let mut child = crate::support::links::abslink()
        .current_dir(sandbox.path())
        .args([
            "check",
            "large",
            "-j2",
            "--format=text",
            "--format=html=page.html",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It waits for somebody to read the rest.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    crate::support::signal::deliver(&child, "INT");
    let ran = Ran::from(&child.wait_with_output().unwrap());
    ran.exits(130);
    let source = sandbox.read("page.html");
    let page = Page::parse(&source);
    assert_eq!(page.errors, [""; 0]);
    assert!(page.text().contains("Stopped before the end"));
}
