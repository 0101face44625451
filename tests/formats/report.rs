//! `--format html`: the page, read back by html5ever, by a browser, and by the numbers of what it shows.

mod browser;
mod contrast;
mod dom;
mod limits;
mod numbers;

use std::collections::BTreeSet;
use std::fs;

use crate::cli::{Ran, Sandbox};
use dom::Page;

/// A site with something of everything.
fn site() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, content) in [
        (
            "site/guide/a.html",
            "<a href=../x>1</a><img src=i.png srcset='b.png 1x'><a href='https://other.example/'>",
        ),
        (
            "site/guide/deep/b.html",
            "<a href=c.html><a href='#f'><a href=mailto:a@b>",
        ),
        (
            "site/api/c.html",
            "<a href='///other.example/x'><a href=';p'><a href='d'><style>p{background:url(e.png)}</style>",
        ),
        ("site/none.html", "<base href='mailto:a@b'><a href=y>"),
        (
            "site/embedded.html",
            "<base href='https://ann:s3cret@in.example/'><a href=y>",
        ),
        (
            "site/saved.html",
            "<!-- saved from url=(0022)https://saved.example/ --><a href=y>",
        ),
        (
            "site/mail.mht",
            "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!!!",
        ),
    ] {
        sandbox.write(name, content);
    }
    sandbox
}

const REWRITE: &str = "rewrite -b https://ann:s3cret@e.org/ --root . -o out site missing.html";

fn page(sandbox: &Sandbox, command: &str) -> (Ran, Page) {
    let ran = sandbox.run(&format!("{command} --format html=page.html"));
    let text = fs::read_to_string(sandbox.path().join("page.html"));
    let text = text.unwrap_or_else(|error| panic!("{error}: {}", ran.stderr));
    (ran, Page::parse(&text))
}

#[test]
fn a_page_says_what_was_done() {
    let sandbox = site();
    let (ran, page) = page(&sandbox, REWRITE);
    ran.exits(2);
    assert_eq!(page.errors, [""; 0]);
    assert_eq!(
        page.texts("h1"),
        ["Made 12 links absolute in 6 of 8 files, written to out"]
    );
    let sections: Vec<_> = page.attributes("section", "id");
    let all = [
        "outcomes",
        "directories",
        "hosts",
        "bases",
        "divergent",
        "left",
        "troubles",
        "changes",
        "command",
    ];
    assert_eq!(sections, all);
    let text = page.text();
    for expected in [
        "Some files could not be processed",
        "1 cannot be made absolute",
        "missing.htmlno such file or directory",
        "site/mail.mht",
        "the page's own <base> (embedded)2",
        "site/none.html:1:33",
        "other.example 1",
        "Empty network location: 1",
        "site/api/c.html:1:10",
        "a browserhttps://other.example/x",
        "<a href=\"//https://ann:***@e.org/other.example/x\">",
        "abslink rewrite -b 'https://ann:***@e.org/' --root . -o out site missing.html --format html=page.html",
    ] {
        assert!(text.contains(expected), "no {expected} in {text}");
    }
    // In a page about two evidences of a URL.
    assert!(text.contains("comment"), "{text}");
    assert!(!page.source.contains("s3cret"));
}

#[test]
fn check_has_a_page_too() {
    let sandbox = site();
    let (ran, page) = page(&sandbox, "check site");
    ran.exits(2).prints("");
    assert_eq!(page.errors, [""; 0]);
    let text = page.text();
    for expected in [
        "What rewrite would change",
        "No base URL, and relative links",
        "relative links",
    ] {
        assert!(text.contains(expected), "no {expected} in {text}");
    }
    // Beside another format.
    let ran = sandbox.run("check site --format text --format html=page.html");
    ran.prints(sandbox.run("check site").stdout);
    let ran =
        sandbox.run("check site --format sarif --format gitlab=q.json --format html=page.html");
    ran.prints(sandbox.run("check site --format sarif").stdout);
    let alone = sandbox.run("check site --format gitlab").stdout;
    assert_eq!(sandbox.read("q.json"), alone);
}

/// What became what, where references get another form.
#[test]
fn a_page_says_which_form_references_get() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "in/a/b.html",
        "<base href=https://e.org/docs/a/><a href=https://e.org/docs/a/c.html#x><a href=d><a href=/blog/>\
         <a href=https://e.org/docs/%2e/x><a href=https://o.org/><link rel=canonical href=b.html>",
    );
    sandbox.write(
        "in/a/c.html",
        "<a href=c.html><img src=https://e.org/docs/i.png>",
    );
    let form = "-b https://e.org/docs/ --to relative --remove-base in";
    let (_, checked) = page(&sandbox, &format!("check {form}"));
    let (ran, written) = page(&sandbox, &format!("rewrite -i {form}"));
    ran.exits(0);
    let (_, done) = page(&sandbox, &format!("check {form}"));
    for (page, expected) in [
        (
            &checked,
            &[
                "Some links are to change",
                "5 to be changed",
                "2 have this form already",
                "2 stay absolute",
                "Links to change",
                "5 links.",
                "--to relative: 2 written this way, 1 absolute because no relative link \
                 leads there, 2 outside the tree",
            ][..],
        ),
        (
            &written,
            &[
                "Nothing is left to change",
                "2 become relative",
                "2 become absolute",
                "1 of <base> elements, removed",
                "2 have this form already",
                "2 stay absolute",
                "<a href=\"https://e.org/docs/a/c.html#x\">",
                "<base href=\"https://e.org/docs/a/\">",
            ],
        ),
        (
            &done,
            &[
                "Nothing is left to change",
                "4 have this form already",
                "4 stay absolute",
            ],
        ),
    ] {
        let text = page.text();
        for expected in expected {
            assert!(text.contains(expected), "no {expected} in {text}");
        }
        assert_eq!(page.errors, [""; 0]);
    }
    // A site that moves.
    let (_, moved) = page(
        &sandbox,
        "rewrite -o out --move-url https://e.org/=https://n.org/ -b https://e.org/docs/ in",
    );
    let text = moved.text();
    let expected = "7 become absolute, or are moved";
    assert!(
        text.contains(expected) && text.contains("--move-url: 7 links moved"),
        "{text}"
    );
}

/// The page changes nothing about the run.
#[test]
fn what_is_written_stays_the_same() {
    let sandbox = site();
    let without = sandbox.run("rewrite -b https://e.org/ site/api/c.html");
    let with = sandbox.run("rewrite -b https://e.org/ site/api/c.html --format html=page.html");
    assert_eq!((with.code, with.stdout), (without.code, without.stdout));
    sandbox.run("rewrite -b https://e.org/ -o one site");
    sandbox.run("rewrite -b https://e.org/ -o two site --format html=page.html");
    for name in ["guide/a.html", "saved.html", "mail.mht", "embedded.html"] {
        let [one, two] = ["one", "two"].map(|out| fs::read(sandbox.path().join(out).join(name)));
        assert_eq!(one.unwrap(), two.unwrap(), "{name}");
    }
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let pages = ["-j1", "-j8"].map(|jobs| {
        let sandbox = site();
        for number in 0..300 {
            let name = format!("site/{}/{number}.html", number % 17);
            sandbox.write(&name, "<a href=x><a href='\\y'><img src=z>");
        }
        // The page does not name its directory, nor the number of jobs but as it was typed.
        let mut command = sandbox.abslink(REWRITE);
        command.args(["--format", "html=page.html", jobs]);
        command.assert().code(2);
        let page = sandbox.read("page.html");
        let here = sandbox.path().display().to_string();
        assert!(!page.contains(&here), "{here}");
        page.replace(jobs, "")
    });
    assert_eq!(pages[0], pages[1]);
}

#[test]
fn a_date_comes_from_the_environment_only() {
    let sandbox = site();
    let dated = |date: Option<&str>| {
        let mut command = sandbox.abslink("check site --format html=page.html");
        command.envs(date.map(|date| ("SOURCE_DATE_EPOCH", date)));
        let code = command.output().unwrap().status.code();
        (code, sandbox.read("page.html"))
    };
    let (_, without) = dated(None);
    assert!(
        without.contains("<p class=\"kicker\">abslink check</p>"),
        "{without}"
    );
    let (_, with) = dated(Some("86400"));
    assert!(
        with.contains("<p class=\"kicker\">abslink check, 1970-01-02T00:00:00Z</p>"),
        "{with}"
    );
    let usage = sandbox
        .abslink("check site --format html=other.html")
        .env("SOURCE_DATE_EPOCH", "x")
        .output();
    assert_eq!(usage.unwrap().status.code(), Some(2));
    sandbox.lacks("other.html");
}

/// Whatever documents hold and files are called, it is text.
#[test]
fn nothing_of_others_is_markup() {
    let sandbox = Sandbox::new();
    let hostile = [
        "</title><script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "'{{ style }}'<!--",
        "\u{202e}gpj\u{fffe}\u{7f}\n]]>",
        "&amp;&#60;</style></svg></table>",
    ];
    for (number, name) in hostile.iter().enumerate() {
        let name = name.replace('/', "\u{2215}");
        sandbox.write(
            format!("site/{name}/{name}.html"),
            format!(
                "<base href='https://u:s3cret@h/'><a href='{0}'><{0} {0} href='///{0}'><my-a{1}=x href=\"\\{0}\"><a href='{2}'>",
                hostile[number].replace('\'', "&#39;"),
                number,
                "javascript:alert(1)"
            ),
        );
        let unread = format!("{name}\u{2215}unread.html");
        sandbox.write(
            format!("site/{name}/{unread}.mht"),
            "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n!",
        );
    }
    let mut command = sandbox.abslink("check site --format html=page.html --exclude-url");
    let code = command.arg("<script>'\"").output().unwrap().status.code();
    assert_eq!(code, Some(2));
    let text = sandbox.read("page.html");
    let page = Page::parse(&text);
    assert_eq!(page.errors, [""; 0]);
    assert!(!text.contains("s3cret"), "a password");
    let known: BTreeSet<_> = page.names().collect();
    for never in ["script", "img", "iframe", "object", "form", "base"] {
        assert!(!known.contains(never), "{never}");
    }
    for (name, attribute, value) in page.all_attributes() {
        assert!(
            !attribute.starts_with("on") && attribute != "style",
            "{name} {attribute}"
        );
        if attribute == "href" {
            assert!(value.starts_with('#') || value == "data:,", "{value}");
        }
    }
    for shown in [
        "<script>alert(1)<",
        "'{{ style }}'",
        "\\u{202e}gpj\\u{fffe}\\u{7f}\\n]]>",
    ] {
        assert!(page.text().contains(shown), "{shown}");
    }
}

#[test]
fn links_lead_to_what_is_there() {
    let sandbox = site();
    let (_, page) = page(&sandbox, REWRITE);
    let ids = page.attributes("*", "id");
    let unique: BTreeSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    let mut links = 0;
    for (_, attribute, value) in page.all_attributes() {
        let targets: Vec<&str> = match attribute {
            "href" => value.strip_prefix('#').into_iter().collect(),
            "aria-labelledby" => value.split(' ').collect(),
            "fill" => value
                .strip_prefix("url(#")
                .and_then(|rest| rest.strip_suffix(')'))
                .into_iter()
                .collect(),
            _ => continue,
        };
        links += targets.len();
        for target in targets {
            assert!(
                unique.contains(&target.to_owned()),
                "#{target} leads nowhere"
            );
        }
    }
    assert!(links > 20, "{links}");
    // Each cell has its row, and no row is without its cell.
    let cells: BTreeSet<_> = page
        .attributes("a", "href")
        .into_iter()
        .filter(|it| it.starts_with("#d") && it[2..].parse::<u32>().is_ok())
        .collect();
    let rows: BTreeSet<_> = page
        .attributes("tr", "id")
        .into_iter()
        .map(|id| format!("#{id}"))
        .collect();
    assert_eq!(cells, rows);
    assert!(cells.len() >= 4, "{cells:?}");
}

#[test]
fn headings_and_pictures_have_their_roles() {
    let sandbox = site();
    let (_, page) = page(&sandbox, REWRITE);
    assert_eq!(page.texts("h1").len(), 1);
    assert_eq!(page.attributes("html", "lang"), ["en"]);
    let roles = page.attributes("svg", "role");
    assert_eq!(roles, ["img", "group"]);
    let titles = page.texts("title");
    assert!(
        titles.contains(&"Links by directory".to_owned()),
        "{titles:?}"
    );
    let policy = &page.attributes("meta", "content")[0];
    let hash = policy.split('\'').find(|part| part.starts_with("sha256-"));
    assert_eq!(
        *policy,
        format!(
            "default-src 'none'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
            hash.unwrap()
        ),
        "the policy of the page"
    );
}

#[test]
fn cells_tile_the_picture() {
    let sandbox = site();
    for number in 0..200_usize {
        let name = format!("site/{}/{}/{number}.html", number % 13, number % 31);
        sandbox.write(&name, "<a href=x>".repeat(number));
    }
    let (_, page) = page(&sandbox, "check site");
    let cells = page.cells();
    assert!(cells.len() > 100, "{}", cells.len());
    let mut filled = 0.0;
    for (index, cell) in cells.iter().enumerate() {
        let [left, top, right, bottom] = *cell;
        assert!(left >= 0.0 && top >= 0.0 && right <= 1200.0 && bottom <= 600.0);
        filled += (right - left) * (bottom - top);
        for other in &cells[..index] {
            let apart =
                left >= other[2] || other[0] >= right || top >= other[3] || other[1] >= bottom;
            assert!(apart, "{cell:?} {other:?}");
        }
    }
    assert!((filled - 720_000.0).abs() < 20.0, "{filled}");
}

#[test]
fn the_file_is_no_document_and_is_replaced_whole() {
    let sandbox = site();
    let older = "<!DOCTYPE html>\n<meta name=\"generator\" content=\"abslink 0.0.1\">";
    sandbox.write("site/report.html", older);
    for command in [
        "rewrite -b https://e.org/ -i site --dry-run",
        "rewrite -b https://e.org/ site --diff",
        "rewrite -b https://e.org/ -o out site",
        "rewrite -b https://e.org/ -i site",
        "check site",
    ] {
        let before = fs::read(sandbox.path().join("site/api/c.html")).unwrap();
        let ran = sandbox.run(&format!("{command} --format html=site/report.html"));
        let page = sandbox.read("site/report.html");
        assert!(
            page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"),
            "{}",
            ran.stderr
        );
        assert!(!page.contains("site/report.html:"), "{page}");
        assert!(
            ran.stderr.contains("in 8 files") || ran.stderr.contains("of 8 files"),
            "{}",
            ran.stderr
        );
        let is_trial = command.contains("--d");
        let after = fs::read(sandbox.path().join("site/api/c.html")).unwrap();
        assert!(!is_trial || before == after);
    }
    sandbox.lacks("out/report.html");
}

#[test]
fn a_file_that_cannot_be_is_named_before_anything_happens() {
    let sandbox = site();
    for (arguments, message) in [
        (
            "--format html=missing/page.html",
            "error: --format html=missing/page.html: cannot be written: ",
        ),
        (
            "--format html=site",
            "error: --format html=site: cannot be written: ",
        ),
        (
            "--format html=x --format sarif=x",
            "error: --format sarif and --format html would both write to x",
        ),
    ] {
        let ran = sandbox.run(&format!("rewrite -b https://e.org/ -i site {arguments}"));
        ran.exits(2).begins(message);
    }
    let page = sandbox.read("site/api/c.html");
    assert!(page.starts_with("<a href='///"), "nothing was done");
}

/// Documents in archives, messages and feeds count where their files are.
#[test]
fn every_kind_of_file_is_counted() {
    let sandbox = Sandbox::new();
    let testdata = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata");
    let ran = sandbox.run(&format!(
        "rewrite --dry-run {testdata}/warc/crawl.warc.gz {testdata}/blog/feed.xml --format html=page.html"
    ));
    let page = sandbox.read("page.html");
    let page = Page::parse(&page);
    assert_eq!(page.errors, [""; 0]);
    let text = page.text();
    assert!(
        text.contains("the URL of its record in a web archive (archive)"),
        "{text}"
    );
    assert!(text.contains("crawl.warc.gz#"), "{text} {}", ran.stderr);
}

/// `check --format html` says where each reference is, and a trial what would be left.
#[test]
fn what_is_left_is_listed_with_its_place() {
    let sandbox = Sandbox::new();
    let many = "<a href=x>\n".repeat(300);
    sandbox.write("d/e/many.html", &many);
    sandbox.write("d/own.html", "<base href=mailto:a@b>\n<a href=y>");
    sandbox.write("d/plain.html", "<p><a href=http://h/>");
    let report = |line: &str| {
        sandbox.run(&format!("{line} --format html=page.html"));
        let text = sandbox.read("page.html");
        Page::parse(&text).text()
    };
    let text = report("check d");
    for shown in [
        "Relative links",
        "301 links, of which the first 200 are listed.",
        "<a href> x",
        "d/e/many.html:200:9",
        // One number, not three.
        "none: relative links stay (none)1",
        "none, and no link needs one (none)1",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert!(!text.contains("many.html:201:9"), "{text}");
    let text = report("check -b http://h/ site");
    assert!(text.contains("<a href> sub/g -> http://h/sub/g"), "{text}");
    let text = report("rewrite --dry-run d");
    assert!(
        text.contains("Dry run: relative links would be left"),
        "{text}"
    );
    assert!(text.contains("What would be left"), "{text}");
    let text = report("rewrite --dry-run -b http://h/ d/e");
    assert!(
        text.contains("Dry run: no relative links would be left"),
        "{text}"
    );
    assert!(!text.contains("What would be left"), "{text}");
}

#[test]
fn one_directory_needs_no_picture() {
    let sandbox = Sandbox::new();
    for (line, cells) in [("check site", 0), ("check site a.html", 2)] {
        sandbox.run(&format!("{line} --format html=page.html"));
        let text = sandbox.read("page.html");
        let page = Page::parse(&text);
        assert_eq!(page.errors, [""; 0]);
        assert_eq!(page.cells().len(), cells, "{line}");
        assert_eq!(text.matches("id=\"d1\"").count(), 1, "the row stays");
    }
}
