//! Values that look like relative links, in elements that abslink does not know: they are counted, and said.

use crate::cli::Sandbox;

const NAMES: &str = "xmlns:foo='urn:f' xmlns:atom='http://www.w3.org/2005/Atom' xmlns:dc='http://purl.org/dc/elements/1.1/' \
                     xmlns:media='http://search.yahoo.com/mrss/' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' \
                     xmlns:wp='http://wordpress.org/export/1.2/' xmlns:thr='http://purl.org/syndication/thread/1.0' \
                     xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' \
                     xmlns:feedburner='http://rssnamespace.org/feedburner/ext/1.0' \
                     xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
                     xmlns:podcast='https://podcastindex.org/namespace/1.0'";

fn rss(inside: &str) -> String {
    format!(
        "<rss {NAMES}><channel><item><link>https://e.org/p/</link>{inside}</item></channel></rss>"
    )
}

/// What the summary says of it, and of how many.
fn said(sandbox: &Sandbox, arguments: &str) -> Option<String> {
    let ran = sandbox.run(arguments);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut lines = ran.stderr.lines();
    let line = lines.find(|line| {
        line.contains(" in an unknown element ") || line.contains(" in unknown elements ")
    })?;
    Some(format!("{line}\n{}", lines.next().unwrap_or_default()))
}

#[test]
fn what_looks_like_a_link_is_told_with_its_option() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "f.rss",
        &rss("<foo:bar>/x</foo:bar><foo:bar> ./y.png\n</foo:bar>"),
    );
    let line = "note: 2 values in unknown elements look like relative links (foo:bar)\n\
                hint: --attr 'foo:bar:url' takes them";
    for command in [
        "rewrite --dry-run -b https://e.org/f.rss",
        "check -b https://e.org/f.rss",
    ] {
        assert_eq!(
            said(&sandbox, &format!("{command} f.rss")).as_deref(),
            Some(line)
        );
        assert_eq!(said(&sandbox, &format!("{command} -q f.rss")), None);
        // Then they are places.
        let ran = sandbox.run(&format!("{command} --attr foo:bar:url f.rss"));
        assert!(!ran.stderr.contains("does not know"), "{}", ran.stderr);
    }
    let ran = sandbox.run("rewrite --dry-run --format json -b https://e.org/f.rss f.rss");
    assert!(
        ran.stdout.contains("\"unknown_places\":2,"),
        "{}",
        ran.stdout
    );
    let ran = sandbox.run("rewrite -q -b https://e.org/f.rss --attr foo:bar:url f.rss");
    let new = "<foo:bar>https://e.org/x</foo:bar><foo:bar> https://e.org/y.png\n</foo:bar>";
    assert_eq!(ran.stdout, rss(new));
}

/// Each of these is one value; a name that is shown with it.
#[test]
fn what_counts() {
    let sandbox = Sandbox::new();
    for (inside, name) in [
        ("<foo:bar baz='./x'/>", "foo:bar@baz"),
        ("<enclosure foo:alt='/x'/>", "enclosure@foo:alt"),
        ("<image>/x.jpg</image>", "image"),
        (
            "<thumbnail><![CDATA[ pics/x.webp?s=1 ]]></thumbnail>",
            "thumbnail",
        ),
        ("<foo:a><foo:b>//cdn.e.org/x</foo:b></foo:a>", "foo:b"),
        ("<dc:source>/x</dc:source>", "dc:source"),
    ] {
        sandbox.write("f.rss", &rss(inside));
        let line = said(&sandbox, "check -b https://e.org/f.rss f.rss").unwrap_or_default();
        assert!(
            line.contains(&format!(
                "1 value in an unknown element looks like a relative link ({name})"
            )),
            "{inside}: {line}"
        );
    }
    for (name, list) in [
        ("f.opml", "<opml><body><outline href='/x'/></body></opml>"),
        (
            "f.xml",
            "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><page>/x</page></url></urlset>",
        ),
    ] {
        sandbox.write(name, list);
        assert!(said(&sandbox, &format!("check {name}")).is_some(), "{name}");
    }
}

#[test]
fn what_does_not_count() {
    let sandbox = Sandbox::new();
    for inside in [
        // Blanks, URLs, and what looks like neither.
        "<foo:bar>/x y</foo:bar><foo:bar>see /x</foo:bar><foo:bar>http://h/x.png</foo:bar><foo:bar>a/b</foo:bar>",
        "<foo:bar type='image/png' xml:lang='/x' xsi:schemaLocation='/x' xmlns:q='/x'/><foo:bar>/</foo:bar>",
        // Texts for people.
        "<title>/x</title><media:title>/x</media:title><media:credit>/x</media:credit><itunes:keywords>/x</itunes:keywords>",
        "<media:keywords>/x</media:keywords><atom:author><atom:name>/x</atom:name></atom:author><dc:creator>/x</dc:creator>",
        "<media:description>/x</media:description><media:text>/x</media:text><foo:bar title='/x'/>",
        // Identifiers.
        "<category domain='/x'>/y</category><guid isPermaLink='false'>/x</guid><atom:id>/x</atom:id>",
        "<wp:post_name>/x</wp:post_name><wp:postmeta><wp:meta_value>/x.jpg</wp:meta_value></wp:postmeta>",
        "<dc:identifier>/x</dc:identifier><podcast:guid>/x</podcast:guid><thr:in-reply-to ref='/x'/>",
        "<feedburner:info uri='/x'/><foo:bar scheme='/x' rel='/y' rdf:about='/z'/><cloud path='/?rsscloud=notify'/>",
        "<atom:content type='text'>/x</atom:content><atom:category term='/x' label='/y'/>",
        // Elements in HTML.
        "<description><foo:bar baz='/x'>/y</foo:bar></description>",
        // More than text.
        "<foo:bar>/x<foo:baz/></foo:bar>",
    ] {
        sandbox.write("f.rss", &rss(inside));
        assert_eq!(
            said(&sandbox, "check -b https://e.org/f.rss f.rss"),
            None,
            "{inside}"
        );
    }
    // Places that are left since the user wants that.
    sandbox.write(
        "f.rss",
        &rss("<comments>/x</comments><enclosure url='/x'/>"),
    );
    assert_eq!(said(&sandbox, "check --skip feed f.rss"), None);
}

/// Of feeds in rows and of many files, whatever their order.
#[test]
fn of_rows_and_of_many_files() {
    let sandbox = Sandbox::new();
    let feed = serde_json::to_string(&rss("<foo:bar>/x</foo:bar>")).unwrap();
    sandbox.write("r.jsonl", &format!("{{\"f\":{feed}}}\n{{\"f\":{feed}}}\n"));
    let line = said(&sandbox, "check --field /f:feed r.jsonl").unwrap_or_default();
    assert!(line.starts_with("note: 2 values in"), "{line}");
    for number in 0..20 {
        let inside = format!("<foo:c{number}>/x</foo:c{number}><foo:b>/x</foo:b>");
        sandbox.write(&format!("d/{number}.rss"), &rss(&inside));
    }
    let lines = ["-j 1", "-j 8"].map(|jobs| said(&sandbox, &format!("check {jobs} d")).unwrap());
    assert_eq!(lines[0], lines[1]);
    assert!(
        lines[0].contains("40 values in unknown elements look like relative links (foo:b, foo:c0, foo:c1 and 18 more)"),
        "{}",
        lines[0]
    );
}
