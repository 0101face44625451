//! `rewrite --verify` as a person runs it. The faults are planted by a switch that is not there in
//! a release.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::document::fixtures::{each_case_of, same_bytes, same_code};
use crate::support::links::abslink;

/// What the second reader agrees with, it does not change.
#[test]
#[ignore = "slow tier: thousands of runs"]
fn fixtures_come_out_the_same() {
    for engine in ["auto", "stream"] {
        for topic in ["html", "message"] {
            each_case_of(topic, |case| {
                let plain = run(case
                    .command("rewrite", &case.input)
                    .args(["--engine", engine]));
                let mut command = case.command("rewrite", &case.input);
                let verified = run(command.args(["--verify", "--engine", engine]));
                same_bytes(&verified.stdout, &plain.stdout)?;
                same_code(verified.status.code(), plain.status.code().unwrap())
            });
        }
    }
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

const PAGE: &str = "<!DOCTYPE html>
<title>planted</title>
<style>p{background:url(s.png)}</style>
<p>é planted <b id=dropped>b</b> <a href=g class=c>x</a>
<img srcset=\"a.png 1x, b.png 2x\" alt='g'>
<script>let planted = 'g';</script><noscript><img src=n.png></noscript>
<iframe srcdoc=\"<i id=inner><a href=z></i>\"></iframe><textarea><a href=t></textarea>
<!-- planted too -->
";

/// What a fault makes of the page, where the second reader finds it, and what it says.
const FAULTS: [(&str, &str, &str); 18] = [
    ("é planted=>é plantep", "4:12", "text outside links changed"),
    (
        "class=c=>class=d",
        "4:",
        "<a class>: not the place of a URL, but changed",
    ),
    ("class=c=>klass=c", "4:44", "text outside links changed"),
    (
        "d/g=>d/h",
        "4:",
        "<a href>: `g` means https://h/d/g, but `https://h/d/h` was written",
    ),
    ("d/b.png=>b.png", "5:", "<img srcset>: `b.png` means"),
    (" 2x=> 3x", "5:", "<img srcset>: `2` is not a URL"),
    ("d/s.png=>d/r.png", "3:", "`s.png` means"),
    (
        "b.png 2x=>b.png&#32;2x",
        "5:",
        "<img srcset>: what is not a URL is spelled otherwise",
    ),
    ("p{=>q{", "3:", "`p` is not a URL, but became `q`"),
    ("s.png)}=>s.png", "3:", "`)}` is not a URL, but became ``"),
    ("d/n.png=>d/m.png", "6:", "<img src>: `n.png` means"),
    ("d/z=>d/y", "7:", "<iframe srcdoc>: <a href>: `z` means"),
    (
        "inner=>outer",
        "7:",
        "<iframe srcdoc>: <i id>: not the place of a URL, but changed",
    ),
    ("<b id=dropped>=>", "4:14", "text outside links changed"),
    ("</b>=></i>", "4:", "text outside links changed"),
    (
        "let planted=>let planteD",
        "6:",
        "text outside links changed",
    ),
    (
        "<a href=t>=><a href=https://h/d/t>",
        "7:",
        "text outside links changed",
    ),
    (
        "planted too=>planted two",
        "8:",
        "text outside links changed",
    ),
];

#[cfg(debug_assertions)]
mod planted {
    use super::*;

    /// `rewrite --verify` with a fault.
    fn faulty(fault: &str) -> Command {
        let mut command = abslink();
        command.env("ABSLINK_TEST_FAULT", fault);
        command.args(["rewrite", "--verify", "-b", "https://h/d/"]);
        command
    }

    /// Exit code 2, and one line about the page; the others are done.
    #[track_caller]
    fn is_left(run: &Output, page: &Path, (fault, place, what): (&str, &str, &str)) {
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{fault}: {said}");
        let start = format!("error: {}:{place}", page.display());
        let lines = said.lines().filter(|line| line.starts_with("error: "));
        let lines: Vec<&str> = lines.collect();
        assert_eq!(lines.len(), 1, "{fault}: {said}");
        assert!(lines[0].starts_with(&start), "{fault}: {said}");
        let says = format!("unchanged: the second reader disagrees: {what}");
        assert!(lines[0].contains(&says), "{fault}: {said}");
    }

    fn site() -> tempfile::TempDir {
        let site = tempfile::tempdir().unwrap();
        fs::write(site.path().join("page.html"), PAGE).unwrap();
        fs::write(site.path().join("other.html"), "<a href=o>").unwrap();
        site
    }

    #[test]
    fn a_faulty_document_is_left_in_place() {
        for engine in ["auto", "stream"] {
            for fault in FAULTS {
                let site = site();
                let page = site.path().join("page.html");
                let before = fs::metadata(&page).unwrap().modified().unwrap();
                let mut command = faulty(fault.0);
                let run = run(command.args(["-i", "--engine", engine]).arg(site.path()));
                is_left(&run, &page, fault);
                assert_eq!(fs::read_to_string(&page).unwrap(), PAGE);
                assert_eq!(fs::metadata(&page).unwrap().modified().unwrap(), before);
                let other = fs::read(site.path().join("other.html")).unwrap();
                assert_eq!(other, b"<a href=https://h/d/o>");
                assert_eq!(fs::read_dir(site.path()).unwrap().count(), 2);
            }
        }
    }

    #[test]
    fn a_faulty_document_is_copied_as_it_is() {
        for engine in ["auto", "stream"] {
            let (site, out) = (site(), tempfile::tempdir().unwrap());
            let mut command = faulty(FAULTS[0].0);
            command.args(["--engine", engine]).arg("-o").arg(out.path());
            let run = run(command.arg(site.path()));
            is_left(&run, &site.path().join("page.html"), FAULTS[0]);
            let new = fs::read_to_string(out.path().join("page.html")).unwrap();
            assert_eq!(new, PAGE);
            let other = fs::read(out.path().join("other.html")).unwrap();
            assert_eq!(other, b"<a href=https://h/d/o>");
        }
    }

    #[test]
    fn nothing_faulty_is_printed() {
        for engine in ["auto", "stream"] {
            // What comes before the fault would be printed long before it is found.
            let page = format!("<a href=first>{}{PAGE}", "<p>text\n".repeat(100_000));
            let mut command = faulty(FAULTS[3].0);
            command.args(["--engine", engine, "-"]);
            command
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            child
                .stdin
                .take()
                .unwrap()
                .write_all(page.as_bytes())
                .unwrap();
            let run = child.wait_with_output().unwrap();
            let (fault, _, what) = FAULTS[3];
            is_left(&run, Path::new("-"), (fault, "100004:", what));
            assert_eq!(run.stdout, b"", "{engine}");
        }
    }

    #[test]
    fn a_trial_says_what_the_run_will() {
        for trial in ["--dry-run", "--diff"] {
            let site = site();
            let mut command = faulty(FAULTS[1].0);
            let run = run(command.args(["-i", trial]).arg(site.path()));
            is_left(&run, &site.path().join("page.html"), FAULTS[1]);
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(!said.contains("page.html"), "{said}");
            assert_eq!(said.contains("other.html"), trial == "--diff");
        }
    }

    #[test]
    fn in_xhtml() {
        let page = "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>\n\
            <p class='c'>planted</p><a href='g'/><a href='x&lt;y'/><a href='x?a&amp;b'/><style>p{}<![CDATA[p{b:url(s.png)}]]></style></html>";
        for fault in [
            ("planted=>plantep", "3:20", "text outside links changed"),
            ("d/g=>d/h", "3:", "<a href>: `g` means"),
            (
                "class='c'=>class='d'",
                "3:",
                "<p class>: not the place of a URL, but changed",
            ),
            ("class='c'=>class=\"c\"", "3:", "its quotes changed"),
            ("<p =><q ", "3:2", "text outside links changed"),
            ("x&lt;y=>x<y", "3:", "<a href>: it has an unescaped `<`"),
            ("a&amp;b=>a&b", "3:", "<a href>: it has an unescaped `&`"),
            ("d/s.png=>d/r.png", "3:", "`s.png` means"),
            (
                "<![CDATA[p=><![CDATA[q",
                "3:",
                "`p` is not a URL, but became `q`",
            ),
        ] {
            for engine in ["auto", "stream"] {
                let site = tempfile::tempdir().unwrap();
                let path = site.path().join("page.xhtml");
                fs::write(&path, page).unwrap();
                let run = run(faulty(fault.0)
                    .args(["-i", "--engine", engine])
                    .arg(site.path()));
                is_left(&run, &path, fault);
                assert_eq!(fs::read_to_string(&path).unwrap(), page);
            }
        }
    }

    #[test]
    fn in_a_message() {
        let message = "Content-Base: https://h/d/\n\
            Content-Type: multipart/related; boundary=b\n\n\
            --b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n\
            PGEgaHJlZj1nPnBsYW50ZWQ8L2E+\n\
            --b\nContent-Type: text/html\n\n<a href=o>\n--b--\n";
        for (fault, says) in [
            (
                "planted=>plantep",
                "part 1 unchanged: at 1:17 of its text the second reader",
            ),
            (
                "PGEg=>PGIg",
                "part 1 unchanged: its new body does not decode to its new text",
            ),
        ] {
            let site = tempfile::tempdir().unwrap();
            let path = site.path().join("page.mht");
            fs::write(&path, message).unwrap();
            let run = run(faulty(fault).arg("-i").arg(&path));
            let said = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(2), "{said}");
            assert!(said.contains(says), "{said}");
            let new = fs::read_to_string(&path).unwrap();
            assert_eq!(new, message.replace("href=o", "href=https://h/d/o"));
        }
    }
}

#[test]
fn it_goes_with_nothing_but_rewrite() {
    let run = run(abslink().args(["check", "--verify", "x.html"]));
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("--verify"));
}
