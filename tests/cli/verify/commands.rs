//! `rewrite --verify` as a person runs it. The faults are planted by a switch that is not there in
//! a release.

use std::fs;

use assert_cmd::Command;

use crate::document::fixtures::{each_case_of, same_bytes, same_code};
use crate::support::sandbox::{Ran, Sandbox};

/// What the second reader agrees with, it does not change.
#[test]
#[ignore = "slow tier: thousands of runs"]
fn fixtures_come_out_the_same() {
    for engine in ["auto", "stream"] {
        for topic in ["html", "message"] {
            each_case_of(topic, |case| {
                let run = |more: &[&str]| {
                    let mut command = case.command("rewrite", &case.input);
                    Ran::of(command.args(["--engine", engine]).args(more))
                };
                let (plain, verified) = (run(&[]), run(&["--verify"]));
                same_bytes(&verified.bytes, &plain.bytes)?;
                same_code(verified.code, plain.code.unwrap())
            });
        }
    }
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
    fn faulty(sandbox: &Sandbox, fault: &str, arguments: &str) -> Command {
        let rewrite = format!("rewrite --verify -b https://h/d/ {arguments}");
        let mut command = sandbox.abslink(&rewrite);
        command.env("ABSLINK_TEST_FAULT", fault);
        command
    }

    /// Exit code 2, and one line about the page; the others are done.
    #[track_caller]
    fn is_left(ran: &Ran, page: &str, (fault, place, what): (&str, &str, &str)) {
        ran.exits(2);
        let lines = ran.stderr.lines();
        let lines: Vec<&str> = lines.filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(lines.len(), 1, "{fault}: {ran:?}");
        ran.says(format!("error: {page}:{place}"));
        ran.says(format!("unchanged: the second reader disagrees: {what}"));
    }

    fn site() -> Sandbox {
        Sandbox::of(&[("site/page.html", PAGE), ("site/other.html", "<a href=o>")])
    }

    const OTHER: &str = "<a href=https://h/d/o>";

    #[test]
    fn a_faulty_document_is_left_in_place() {
        for engine in ["auto", "stream"] {
            for fault in FAULTS {
                let site = site();
                let page = site.path().join("site/page.html");
                let before = fs::metadata(&page).unwrap().modified().unwrap();
                let arguments = format!("-i --engine {engine} site");
                let ran = Ran::by(&mut faulty(&site, fault.0, &arguments));
                is_left(&ran, "site/page.html", fault);
                assert_eq!(site.read("site/page.html"), PAGE);
                assert_eq!(fs::metadata(&page).unwrap().modified().unwrap(), before);
                assert_eq!(site.read("site/other.html"), OTHER);
                let files = fs::read_dir(page.parent().unwrap()).unwrap();
                assert_eq!(files.count(), 2);
            }
        }
    }

    #[test]
    fn a_faulty_document_is_copied_as_it_is() {
        for engine in ["auto", "stream"] {
            let site = site();
            let arguments = format!("-o out --engine {engine} site");
            let ran = Ran::by(&mut faulty(&site, FAULTS[0].0, &arguments));
            is_left(&ran, "site/page.html", FAULTS[0]);
            assert_eq!(site.read("out/page.html"), PAGE);
            assert_eq!(site.read("out/other.html"), OTHER);
        }
    }

    #[test]
    fn nothing_faulty_is_printed() {
        for engine in ["auto", "stream"] {
            // What comes before the fault would be printed long before it is found.
            let page = format!("<a href=first>{}{PAGE}", "<p>text\n".repeat(100_000));
            let (fault, _, what) = FAULTS[3];
            let arguments = format!("--engine {engine} -");
            let ran = Ran::by(faulty(&site(), fault, &arguments).write_stdin(page));
            is_left(&ran, "-", (fault, "100004:", what));
            ran.prints("");
        }
    }

    #[test]
    fn a_trial_says_what_the_run_will() {
        for trial in ["--dry-run", "--diff"] {
            let arguments = format!("-i {trial} site");
            let ran = Ran::by(&mut faulty(&site(), FAULTS[1].0, &arguments));
            is_left(&ran, "site/page.html", FAULTS[1]);
            let said = ran.stdout;
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
                let site = Sandbox::of(&[("page.xhtml", page)]);
                let arguments = format!("-i --engine {engine} page.xhtml");
                let ran = Ran::by(&mut faulty(&site, fault.0, &arguments));
                is_left(&ran, "page.xhtml", fault);
                assert_eq!(site.read("page.xhtml"), page);
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
            let site = Sandbox::of(&[("page.mht", message)]);
            let ran = Ran::by(&mut faulty(&site, fault, "-i page.mht"));
            ran.exits(2).says(says);
            let new = site.read("page.mht");
            assert_eq!(new, message.replace("href=o", "href=https://h/d/o"));
        }
    }
}

#[test]
fn it_goes_with_nothing_but_rewrite() {
    let ran = Sandbox::of(&[]).run("check --verify x.html");
    ran.exits(2).says("--verify");
}
