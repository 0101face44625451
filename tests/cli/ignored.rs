//! `<!-- abslink-ignore -->` and `<!-- abslink-ignore-file -->`, in each command.

use super::Sandbox;

const PAGE: &str = "<a href=a>\n<!-- abslink-ignore --><a href=b>\n<img src=c>";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("site/index.html", PAGE);
    sandbox.write(
        "site/demo.html",
        "<img src=x><!-- abslink-ignore-file: a demo --><a href=y>",
    );
    sandbox
}

#[test]
fn what_is_ignored_is_excluded_and_counted() {
    let sandbox = sandbox();
    let ran = sandbox.run("check site");
    let lines = "site/index.html:1:9: <a href> a (no base URL)\n\
                 site/index.html:3:10: <img src> c (no base URL)\n";
    assert_eq!((ran.code, &*ran.stdout), (Some(1), lines));
    assert!(
        ran.stderr.contains("other links: 3 excluded\n"),
        "{}",
        ran.stderr
    );
    let ran = sandbox.run("links -b http://h/ site");
    assert_eq!(
        ran.stdout.matches("\"outcome\":\"excluded\"").count(),
        3,
        "{}",
        ran.stdout
    );
    assert_eq!(
        ran.stdout.matches("\"outcome\":\"relative\"").count(),
        2,
        "{}",
        ran.stdout
    );
    let excluded = "\"reference\":\"b\",\"absolute\":null,";
    assert!(ran.stdout.contains(excluded), "{}", ran.stdout);
    let ran = sandbox.run("rewrite -b http://h/ --dry-run --format json site");
    assert!(ran.stdout.contains("\"rewritten\":2,"), "{}", ran.stdout);
    assert!(ran.stdout.contains("\"excluded\":3,"), "{}", ran.stdout);
}

/// Whole or in pieces, and the second reader has nothing against it.
#[test]
fn every_engine_and_the_second_reader_agree() {
    for engine in ["memory", "stream"] {
        let sandbox = sandbox();
        let ran = sandbox.run(&format!(
            "rewrite -b http://h/ --verify --engine {engine} -i site"
        ));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let text = |name: &str| std::fs::read_to_string(sandbox.path().join(name)).unwrap();
        let expected =
            "<a href=http://h/a>\n<!-- abslink-ignore --><a href=b>\n<img src=http://h/c>";
        assert_eq!(text("site/index.html"), expected);
        assert!(text("site/demo.html").starts_with("<img src=x><!--"));
        let ran = sandbox.run("check site");
        assert_eq!(ran.code, Some(0), "{}", ran.stdout);
        // Every form of references is left alone.
        let ran = sandbox.run(&format!(
            "rewrite -b http://h/ --to root --verify --engine {engine} -i site"
        ));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(
            text("site/index.html"),
            "<a href=/a>\n<!-- abslink-ignore --><a href=b>\n<img src=/c>"
        );
    }
}

/// A feed's HTML is HTML.
#[test]
fn html_in_a_feed() {
    let sandbox = Sandbox::new();
    let feed = "<rss version='2.0'><channel><link>http://h/</link><item><link>http://h/i/</link><description>\
                &lt;!-- abslink-ignore -->&lt;a href=a>&lt;a href=b></description></item></channel></rss>";
    sandbox.write("f.rss", feed);
    let ran = sandbox.run("links -b http://h/f.rss f.rss");
    assert!(
        ran.stdout
            .contains("\"reference\":\"a\",\"absolute\":null,"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("\"absolute\":\"http://h/i/b\""),
        "{}",
        ran.stdout
    );
}
