//! `src/feed`.

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
