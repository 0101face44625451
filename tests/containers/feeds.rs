//! Feeds, sitemaps and OPML: the tables testdata/feeds.tsv and testdata/lists.tsv, what is a feed, and what is said about one.

mod fixtures;
mod generated;
mod hostile;
mod lists;
mod second;
mod unknown;
mod witness;

use std::fs;

use crate::cli::Sandbox;
use crate::support::links::{Link, links};
use crate::support::table::{self, Rewrite, hold, outcome};

const FEEDS: &str = include_str!("../../testdata/feeds.tsv");
const LISTS: &str = include_str!("../../testdata/lists.tsv");

/// What stands around the fields of the table, by name: before and after.
fn around(name: &str) -> [String; 2] {
    const NAMES: &str = "xmlns:atom='http://www.w3.org/2005/Atom' \
                         xmlns:content='http://purl.org/rss/1.0/modules/content/'";
    let rss =
        |inside: &str| format!("<rss version='2.0' {NAMES}><channel>{inside}</channel></rss>\n");
    let atom = |namespace: &str, inside: &str| format!("<feed xmlns='{namespace}'>{inside}</feed>");
    const ATOM: &str = "http://www.w3.org/2005/Atom";
    let json = |inside: &str| {
        format!("{{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{{{inside}}}]}}\n")
    };
    let both = |make: &dyn Fn(&str) -> String| [make("/p/1/"), make("https://e.org/p/1/")];
    let same = |text: String| [text.clone(), text];
    match name {
        "rss" | "rss wide" => same(rss("{}")),
        "item" => both(&|link| rss(&format!("<item><link>{link}</link>{{}}</item>"))),
        "kept" => same(rss("<item><link>/p/1/</link>{}</item>")),
        "atom" => same(atom(ATOM, "{}")),
        "atom03" => same(atom("http://purl.org/atom/ns#", "{}")),
        "entry" => both(&|link| atom(ATOM, &format!("<entry><link href='{link}'/>{{}}</entry>"))),
        "rdf" => same(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
             xmlns='http://purl.org/rss/1.0/' xmlns:cc='http://web.resource.org/cc/'>{}</rdf:RDF>"
                .to_owned(),
        ),
        "prolog rss" | "prolog rss wide" => same(format!("{{}}{}", rss(""))),
        "prolog atom" => same(format!(
            "{{}}<feed xmlns='{ATOM}' xml:base='https://e.org/x/'/>"
        )),
        "json" => same(json("{}")),
        "jsontop" => same("{\"version\":\"https://jsonfeed.org/version/1.1\",{}}\n".to_owned()),
        "jsonitem" => both(&|link| json(&format!("\"url\":\"{link}\",{{}}"))),
        "doctype" => same(format!("<!DOCTYPE rss [<!ENTITY e 'x'>]>{}", rss("{}"))),
        "cut" => same("<rss><channel>{}".to_owned()),
        "latin" => same(format!(
            "<?xml version='1.0' encoding='windows-1252'?>{}",
            rss("{}")
        )),
        other => lists::around(other),
    }
}

/// The rows of the table.
fn rows() -> Vec<Rewrite> {
    let tables = [FEEDS, LISTS];
    tables.into_iter().flat_map(rows_of).collect()
}

fn rows_of(table: &str) -> Vec<Rewrite> {
    let rows = table::rows(table).map(|fields| {
        let [name, outside, options, inside, expected] = fields;
        let (expected, code) = outcome(expected, inside);
        let [before, after] = around(outside);
        let spell = |around: &str, inside: &str| {
            let text = around.replace("{}", &inside.replace("{H}", "https://e.org"));
            match outside.ends_with("wide") {
                true => format!("\u{feff}{text}")
                    .encode_utf16()
                    .flat_map(u16::to_le_bytes)
                    .collect(),
                false => bytes(&text),
            }
        };
        let options = options.replace("{D}", "-b https://e.org/b/f.xml");
        let options = bytes(&options);
        let options = String::from_utf8(options).unwrap();
        Rewrite {
            name: name.to_owned(),
            options: options.split_whitespace().map(str::to_owned).collect(),
            before: spell(&before, inside),
            // What is left stays as a whole.
            after: match inside == expected && code > 0 {
                true => spell(&before, expected),
                false => spell(&after, expected),
            },
            code,
        }
    });
    rows.collect()
}

/// What `\xNN` spells.
fn bytes(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\x") {
        out.extend(before.bytes());
        out.push(u8::from_str_radix(&after[..2], 16).unwrap());
        rest = &after[2..];
    }
    out.extend(rest.bytes());
    out
}

#[test]
fn the_table() {
    hold("f", rows());
}

/// The place of each reference holds what it says.
#[test]
fn references_are_where_they_are_said_to_be() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("f");
    for row in rows()
        .iter()
        .filter(|row| row.code == 0 && !row.before.starts_with(b"\xff"))
    {
        fs::write(&path, &row.before).unwrap();
        let options: Vec<&str> = row.options.iter().map(String::as_str).collect();
        let found: Vec<Link> = links(&options, &path)
            .flat_map(|(_, links)| links)
            .collect();
        assert!(row.before == row.after || !found.is_empty(), "{}", row.name);
        for link in found {
            let spelled = &row.before[link.start..link.end];
            let spelled = String::from_utf8_lossy(spelled);
            let letters = |text: &str| -> Vec<char> {
                text.chars().filter(char::is_ascii_alphabetic).collect()
            };
            let has_entity = spelled.contains(['&', '\\', '\u{fffd}', '<'])
                || link.element.starts_with("content") && row.name.contains("in base64");
            assert!(
                has_entity || letters(&spelled) == letters(&link.reference),
                "{}: {spelled} is not {}",
                row.name,
                link.reference
            );
        }
    }
}

/// An `xml:base` that gives no base URL is told of wherever it stands, though readers ignore it.
#[test]
fn refused_bases() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "f.atom",
        "<feed xmlns='http://www.w3.org/2005/Atom'>\
         <entry><link href='/p/'/><content type='html' xml:base='tag:h,2026:c'>&lt;a href='x'></content></entry>\
         <entry xml:base='tag:h,2026:e'><link href='/q/'/></entry>\
         <subtitle type='html' xml:base='tag:h,2026:s'>&lt;a href='x'></subtitle></feed>",
    );
    // What is around an item that has a base URL is not told of there.
    sandbox.write(
        "g.atom",
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='tag:h,2026:f'>\
         <entry xml:base='https://k.org/'><link href='/p/'/>\
         <content type='html' xml:base='tag:h,2026:c'>&lt;a href='x'></content></entry>\
         <entry xml:base='https://k.org/'><link href='/q/'/></entry></feed>",
    );
    for (file, expected) in [("f.atom", ["s", "c", "e"]), ("g.atom", ["f", "c", ""])] {
        let ran = sandbox.run(&format!("base --format json -b https://e.org/f {file}"));
        let refused = ran.stdout.lines().map(|line| {
            let (_, after) = line.split_once("tag:h,2026:").unwrap_or_default();
            after.chars().take(1).collect::<String>()
        });
        assert_eq!(refused.collect::<Vec<_>>(), expected, "{}", ran.stdout);
    }
}

/// A JSON Feed is one however late it says so; what may be one is never taken for HTML.
#[test]
fn a_long_json_feed_may_say_late_that_it_is_one() {
    let sandbox = Sandbox::new();
    let item = r#"{"content_html":"<img src=\"i.png\">","id":"7","url":"/7"}"#;
    let items = vec![item; 2_000].join(",");
    let feed = format!(r#"{{"items":[{items}],"title":"t"}}"#);
    sandbox.write("none.json", &feed);
    let ran = sandbox.run("rewrite -b http://h/ -i none.json");
    ran.exits(2);
    let left = sandbox.read("none.json");
    assert_eq!(left, feed);
    let feed = feed.replace(
        r#""t"}"#,
        r#""t","version":"https://jsonfeed.org/version/1.1"}"#,
    );
    sandbox.write("late.json", &feed);
    let ran = sandbox.run("rewrite -q -b http://h/ -i late.json");
    ran.exits(0);
    let new = sandbox.read("late.json");
    let expected = feed
        .replace(r#"src=\"i.png"#, r#"src=\"http://h/i.png"#)
        .replace(r#""/7""#, r#""http://h/7""#);
    assert!(new == expected, "{}", &new[..200]);
}

/// Each feed that cannot be read is left, with the line and the reason.
#[test]
fn damage() {
    let sandbox = Sandbox::new();
    for (feed, line, reason) in [
        (
            "<rss>\n<channel>",
            2,
            "it ends before the end tag </channel>",
        ),
        (
            "<rss>\n</channel></rss>",
            2,
            "the end tag </channel> stands where <rss> is open",
        ),
        (
            "<rss><a></rss>",
            1,
            "the end tag </rss> stands where <a> is open",
        ),
        ("<rss>\n\n< </rss>", 3, "a `<` that begins no markup"),
        ("<rss><a b='<'/></rss>", 1, "a `<` that begins no markup"),
        ("<rss/></x>", 1, "the end tag </x> has no start tag"),
        ("<rss/><rss/>", 1, "a second root element"),
        ("<rss><!-- ", 1, "it ends inside of markup"),
        ("<rss><a b='", 1, "it ends inside of a tag"),
        (
            "{\"version\":\"https://jsonfeed.org/version/1\",\n}",
            2,
            "not JSON",
        ),
        ("<html/>", 1, "not a feed"),
    ] {
        sandbox.write("f.rss", feed);
        let ran = sandbox.run("rewrite -b https://e.org/ f.rss");
        ran.exits(2).prints(feed);
        let expected = format!("f.rss: unchanged: line {line}: {reason}");
        ran.says(&expected);
    }
}

/// The second reader finds a fault in each kind of place, and the feed is left.
#[cfg(debug_assertions)]
#[test]
fn a_fault_is_found() {
    let sandbox = Sandbox::new();
    let rss = |inside: &str| format!("<rss><channel><item>{inside}</item></channel></rss>");
    let description = rss("<link>/p/</link><description>&lt;a href='x'>&lt;b>c</description>");
    for (feed, fault) in [
        (rss("<link>/p</link>"), "e.org/p=>e.org/q"),
        (rss("<link> /p </link>"), "/p =>/p"),
        (rss("<link>/p</link><title>t</title>"), "<title>t=><title>u"),
        (rss("<link>/p</link><a b='c'/>"), "b='c'=>b='d'"),
        (rss("<link>/p</link><a b='c'/>"), "b='c'=>b = 'c'"),
        (rss("<link>/p</link><a/>"), "<a/>=><b/>"),
        (rss("<enclosure url='m'/>"), "e.org/m=>e.org/n"),
        (description.clone(), "/p/x=>/p/y"),
        (description.clone(), "&lt;b>=>&lt;i>"),
        (description, "b>c=>b>d"),
        (
            r#"{"version":"https://jsonfeed.org/version/1","items":[{"url":"/p","id":"i"}]}"#
                .to_owned(),
            "org/p=>org/q",
        ),
        (
            r#"{"version":"https://jsonfeed.org/version/1","items":[{"url":"/p","id":"i"}]}"#
                .to_owned(),
            "\"i\"=>\"j\"",
        ),
    ] {
        sandbox.finds_fault("f.rss", &feed, "https://e.org/", fault);
    }
}
