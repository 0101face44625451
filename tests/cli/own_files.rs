//! Files that a run writes besides documents: they are written whatever becomes of standard output.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use super::Sandbox;
use crate::support::links::abslink;

const PAGE: &str = "<a href=g>";

fn site() -> Sandbox {
    Sandbox::of(&[("site/index.html", PAGE), ("site/sub/a.html", PAGE)])
}

/// What the run has no other use for is replaced, wherever links lead.
#[cfg(unix)]
#[test]
fn a_link_to_nothing_gets_its_file() {
    use std::os::unix::fs::symlink;

    let sandbox = site();
    sandbox.write("patterns", "*.tmp\n");
    for (to, link) in [("nothing", "one"), ("one", "two")] {
        symlink(to, sandbox.path().join(link)).unwrap();
    }
    for options in ["sarif=two", "html=patterns --no-config", "html=patterns"] {
        sandbox
            .run(&format!("check site --format {options}"))
            .exits(1);
    }
    assert_eq!(
        ["two", "one"].map(|link| sandbox.path().join(link).is_symlink()),
        [true; 2]
    );
    let (sarif, report) = (sandbox.read("nothing"), sandbox.read("patterns"));
    assert!(sarif.contains("sarif"), "{sarif}");
    assert!(report.ends_with("</html>\n"), "{report}");
}

/// A report in a tree is no document of the next run: what it quotes stays as it was. A later one takes its place.
#[test]
fn a_report_is_ignored_by_the_next_run() {
    let sandbox = site();
    let report = "check -b http://h/ . --format html=site/report.html --format json=site/x.json";
    for _ in ["first", "second"] {
        sandbox.run(report).exits(1);
    }
    let text = sandbox.read("site/report.html");
    assert!(
        text[..1024].contains("<!-- abslink-ignore-file -->"),
        "{text}"
    );
    assert!(text.ends_with("</html>\n"), "{text}");
    // As if it had links.
    let text = text.replacen("<body>", "<body><a href=x>", 1);
    sandbox.write("site/report.html", &text);
    sandbox.run("rewrite -b http://h/ -i site").exits(0);
    assert_eq!(sandbox.read("site/report.html"), text);
}

/// A listing on standard output ends with its reader; documents and files do not.
#[test]
fn who_reads_standard_output_ends_no_rewrite() {
    let sandbox = site();
    for number in 0..200 {
        let page = PAGE.repeat(20);
        sandbox.write(format!("site/{number}.html"), page);
    }
    for (arguments, code) in [
        (
            "check -j1 -b http://h/ site --format text --format sarif=s.sarif --format html=r.html",
            1,
        ),
        (
            "check -j1 -b http://h/ site --format text --format html=r.html",
            1,
        ),
        (
            "rewrite -q -j1 -b http://h/ -i site --format gitlab --format sarif=s.sarif --format html=r.html",
            0,
        ),
    ] {
        let [sarif, report] = ["s.sarif", "r.html"].map(|name| sandbox.path().join(name));
        let _ = (fs::remove_file(&sarif), fs::remove_file(&report));
        let mut child = abslink()
            .current_dir(sandbox.path())
            .args(arguments.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 10];
        let _ = child.stdout.take().unwrap().read(&mut some);
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(code), "{arguments}: {said}");
        if arguments.contains("html=") {
            assert!(report.is_file(), "{arguments}");
        }
        if arguments.contains("s.sarif") {
            let sarif = fs::read_to_string(&sarif).unwrap();
            serde_json::from_str::<serde_json::Value>(&sarif).unwrap();
        }
    }
    assert_eq!(
        sandbox.read("site/199.html"),
        "<a href=http://h/g>".repeat(20)
    );
}
