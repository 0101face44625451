//! `crates/containers/src/feed`.

use crate::cli::Sandbox;

const NAMES: &str = "xmlns:atom='http://www.w3.org/2005/Atom'";

/// The URL that the last reference of a feed becomes.
fn last(sandbox: &Sandbox, feed: &str) -> String {
    sandbox.write("feed.xml", feed);
    let ran = sandbox.run("links -q feed.xml");
    let line = ran.stdout.lines().last().unwrap_or("{}").to_owned();
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    line["absolute"].as_str().unwrap_or("none").to_owned()
}

/// Of two links that say where the feed is, the first counts.
#[test]
fn the_first_link_to_itself_counts() {
    let sandbox = Sandbox::new();
    let links = |name: &str| {
        ["one", "two"].map(|host| format!("<{name} rel='self' href='http://{host}/d/f.xml'/>"))
    };
    let [one, two] = links("atom:link");
    let item = "<item><description>&lt;a href=x></description></item>";
    let rss = format!("<rss version='2.0' {NAMES}><channel>{one}{two}{item}</channel></rss>");
    assert_eq!(last(&sandbox, &rss), "http://one/d/x");
    let [one, two] = links("link");
    let atom = "http://www.w3.org/2005/Atom";
    let entry = "<entry><content type='html'>&lt;a href=x></content></entry>";
    let feed = format!("<feed xmlns='{atom}'>{one}{two}{entry}</feed>");
    assert_eq!(last(&sandbox, &feed), "http://one/d/x");
    // That of an entry says nothing about the feed.
    let inside = entry.replace("<entry>", &format!("<entry>{one}"));
    let feed = format!("<feed xmlns='{atom}'>{inside}{two}{entry}</feed>");
    assert_eq!(last(&sandbox, &feed), "http://two/d/x");
}

/// An `xml:base` that gives no base URL is told, with the reason, whatever that is.
#[test]
fn an_xml_base_that_gives_none_is_told() {
    let sandbox = Sandbox::new();
    for (value, why) in [
        ("n/", "not absolute"),
        ("{{ base }}", "it has a template placeholder"),
        ("mailto:n", "are never used with relative ones"),
    ] {
        let entry = "<entry><content type='html'>&lt;a href=x></content></entry>";
        let atom = "http://www.w3.org/2005/Atom";
        let feed = format!("<feed xmlns='{atom}' xml:base='{value}'>{entry}</feed>");
        sandbox.write("feed.xml", &feed);
        let ran = sandbox.run("base feed.xml");
        let line = ran.stdout.lines().find(|line| line.contains("refused:"));
        let line = line.unwrap_or_else(|| panic!("{value}: {}", ran.stdout));
        assert!(line.contains(value) && line.contains(why), "{line}");
    }
}

/// What says where a feed came from is told with the feed.
#[test]
fn the_evidence_of_a_feed_is_told() {
    let sandbox = Sandbox::new();
    let entry = "<entry><content type='html'>&lt;a href=x></content></entry>";
    let feed = format!("<feed xmlns='http://www.w3.org/2005/Atom'>{entry}</feed>");
    sandbox.write("feed.xml", &feed);
    sandbox.write("map.csv", "path,url\nfeed.xml,http://h/d/feed.xml\n");
    let ran = sandbox.run("base --format json --url-map map.csv feed.xml");
    let first = ran.stdout.lines().next().unwrap();
    let first: serde_json::Value = serde_json::from_str(first).unwrap();
    assert_eq!(
        first["evidence"][0]["base"], "http://h/d/feed.xml",
        "{first}"
    );
}

/// The URLs of an entry's content are relative to the entry's page, be it HTML or XHTML.
#[test]
fn content_is_relative_to_the_page_of_its_entry() {
    let sandbox = Sandbox::new();
    let xhtml = "<div xmlns='http://www.w3.org/1999/xhtml'><a href='x'/></div>";
    // An element of Atom may stand in content by mistake.
    let atom = "<link rel='related' href='x'/>";
    for (kind, content) in [("html", "&lt;a href=x>"), ("xhtml", xhtml), ("xhtml", atom)] {
        let feed = format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><link rel='self' href='http://h/f.xml'/>\
             <entry><link href='http://h/e/1'/><content type='{kind}'>{content}</content></entry></feed>"
        );
        assert_eq!(last(&sandbox, &feed), "http://h/e/x", "{kind}");
    }
}

/// An object in an item of JSON Feed is not the end of it.
#[test]
fn an_item_ends_where_it_ends() {
    let sandbox = Sandbox::new();
    let feed = r#"{"version":"https://jsonfeed.org/version/1.1","title":"t","home_page_url":"http://h/",
        "items":[{"id":"1","url":"http://h/i/1","authors":[{"url":"http://h/me"}],"content_html":"<a href=x>"},
        {"id":"2","content_html":"<a href=y>"}]}"#;
    sandbox.write("feed.json", feed);
    let ran = sandbox.run("links -q feed.json");
    for url in ["http://h/i/x", "http://h/y"] {
        let absolute = format!("\"absolute\":\"{url}\"");
        assert!(ran.stdout.contains(&absolute), "{url}: {}", ran.stdout);
    }
}
