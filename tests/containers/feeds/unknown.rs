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
    ran.exits(0);
    let mut lines = ran.stderr.lines();
    let line = lines.find(|line| {
        line.contains(" in an unknown element ") || line.contains(" in unknown elements ")
    })?;
    Some(format!("{line}\n{}", lines.next().unwrap_or_default()))
}

/// Of feeds in rows and of many files, whatever their order.
#[test]
fn of_rows_and_of_many_files() {
    let sandbox = Sandbox::new();
    let feed = serde_json::to_string(&rss("<foo:bar>/x</foo:bar>")).unwrap();
    sandbox.write("r.jsonl", format!("{{\"f\":{feed}}}\n{{\"f\":{feed}}}\n"));
    let line = said(&sandbox, "check --field /f:feed r.jsonl").unwrap_or_default();
    assert!(line.starts_with("note: 2 values in"), "{line}");
    for number in 0..20 {
        let inside = format!("<foo:c{number}>/x</foo:c{number}><foo:b>/x</foo:b>");
        sandbox.write(format!("d/{number}.rss"), rss(&inside));
    }
    let lines = ["-j 1", "-j 8"].map(|jobs| said(&sandbox, &format!("check {jobs} d")).unwrap());
    assert_eq!(lines[0], lines[1].replace("-j 8", "-j 1"));
    assert!(
        lines[0].contains("40 values in unknown elements look like relative links (foo:b, foo:c0, foo:c1 and 18 more)"),
        "{}",
        lines[0]
    );
}
