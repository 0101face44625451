//! Python's feedparser, which shares no code with abslink, finds the same feed with the same absolute
//! targets before and after.
//!
//! Its base URL is the `xml:base` around a value, else the feed's URL: that of `--feed-base document`.
//! It departs from abslink's rules in this, which the feeds here leave out:
//! - an `xml:base` on XHTML elements counts, and one that is no base URL, such as `tag:`, does too;
//! - `enclosure`, `itunes:*` and `media:*` are not resolved; here Python does it for enclosures;
//! - a `guid` that is a permalink stands for a missing `link`, and is resolved in any case.

use std::io::Write;
use std::process::{Command, Stdio};

use abslink::feed::FeedBase;
use abslink::{Context, Settings, feed};

use crate::support::skip;

/// Reads feeds, one a line in JSON, and prints what is in each.
const READ: &str = r#"
import feedparser, json, sys
from urllib.parse import urljoin
OWN = "https://e.org/b/f.xml"
feedparser.SANITIZE_HTML = 0
for line in sys.stdin:
    text = json.loads(line)
    feed = feedparser.parse(text.encode("utf-8"), sanitize_html=False, resolve_relative_uris=True,
                            response_headers={"content-type": "application/xml; charset=utf-8",
                                              "content-location": OWN})
    def told(it):
        return [it.get("link"), it.get("title"), it.get("summary"), it.get("comments"),
                sorted([str(l.get("rel")), urljoin(OWN, l.get("href", ""))] for l in it.get("links", [])),
                [c.value for c in it.get("content", [])],
                [urljoin(OWN, e.get("href", "")) for e in it.get("enclosures", [])]]
    print(json.dumps([bool(feed.bozo), feed.version, told(feed.feed), [told(e) for e in feed.entries]]))
"#;

/// What feedparser tells of each feed; `None` where it is not there.
fn feedparser(feeds: &[String]) -> Option<Vec<serde_json::Value>> {
    let has = Command::new("python3")
        .args(["-c", "import feedparser"])
        .stderr(Stdio::null())
        .status();
    if !has.is_ok_and(|status| status.success()) {
        skip::tool("Python's feedparser cannot be run (pip install feedparser)");
        return None;
    }
    let mut child = Command::new("python3")
        .args(["-c", READ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = feeds
        .iter()
        .map(|feed| serde_json::to_string(feed).unwrap() + "\n")
        .collect();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

/// What feedparser does not resolve, by rows of the table; there abslink does more.
const NOT_RESOLVED: [&str; 14] = [
    // `url()` in style sheets.
    "what would end CDATA, in a style sheet",
    // That, and SVG.
    "XHTML by a prefix, SVG and a style sheet",
    // The element itself, and what is after it is relative to the feed.
    "an HTML base in content",
    // Text between elements.
    "elements in a description",
    "srcset",
    // HTML in `itunes:summary`.
    "a podcast's summary and new address",
    // Animations of `href`.
    "SVG in XHTML that is animated",
    // `srcset` and `url()`, in base64.
    "Atom 0.3 in base64",
    "Atom 0.3 in base64, in lines",
    "Atom 0.3 in base64, in CDATA",
    // OPML, whose outlines it takes for items.
    "a feed of OPML",
    "an outline that includes another",
    "xml:base in OPML",
    "OPML with a namespace",
];

#[test]
#[ignore = "slow tier: another program"]
fn feedparser_finds_the_same_feed() {
    // A bare `&` and a declared encoding: it gets UTF-8 that is well-formed.
    let is_plain = |feed: &str| {
        feed.starts_with('<') && !feed.contains("encoding=") && !feed.contains("/q?a&b")
    };
    let departs = |name: &str| {
        [
            "a permalink alone",
            "xml:base in XHTML",
            "xml:base that carries nothing",
        ]
        .contains(&name)
    };
    let rows = super::rows().into_iter();
    let rows = rows.filter(|row| row.code == 0 && !departs(&row.name));
    let rows = rows.filter_map(|row| Some((row.name, String::from_utf8(row.before).ok()?)));
    let generated = (0..200).map(|seed| (format!("seed {seed}"), super::generated::xml_feed(seed)));
    let (names, feeds): (Vec<String>, Vec<String>) = rows
        .filter(|(_, feed)| is_plain(feed))
        .chain(generated)
        .unzip();
    let context = Context::retrieved_from("https://e.org/b/f.xml").unwrap();
    let rewritten = feeds.iter().map(|feed| {
        let settings = Settings::default();
        let new = feed::rewrite(feed.as_bytes(), &context, &settings, FeedBase::Document);
        assert_eq!(new.examined.damage, None, "{feed}");
        String::from_utf8(new.document.into_owned()).unwrap()
    });
    let rewritten: Vec<String> = rewritten.collect();
    let Some(before) = feedparser(&feeds) else {
        return;
    };
    let after = feedparser(&rewritten).unwrap();
    assert_eq!([before.len(), after.len()], [feeds.len(); 2]);
    let differ: Vec<&String> = (0..feeds.len())
        .filter(|&nth| before[nth] != after[nth])
        .map(|nth| &names[nth])
        .collect();
    assert_eq!(differ, NOT_RESOLVED);
}
