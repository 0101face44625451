//! Feeds that are made with what they have to become, byte for byte.

use abslink::{Context, Settings, feed};

use crate::support::generate::Random;

/// The URL of each feed.
pub(super) const OWN: &str = "https://e.org/b/f.xml";

/// A feed, and what it has to become.
#[derive(Default)]
struct Pair {
    before: String,
    after: String,
}

impl Pair {
    fn both(&mut self, text: &str) {
        self.before.push_str(text);
        self.after.push_str(text);
    }

    /// A reference and what it becomes, spelled by `spell`.
    fn url(&mut self, reference: &str, base: &str, spell: &dyn Fn(&str) -> String) {
        self.before.push_str(&spell(reference));
        self.after
            .push_str(&spell(&format!("{}{reference}", prefix(reference, base))));
    }
}

const REFERENCES: &[&str] = &[
    "x",
    "x/y.html?a=1",
    "x?a&b",
    "/r",
    "/r?b;c#d",
    "#n",
    "//h2/z",
    "http://h3/u?a&b",
    "mailto:a@b",
    "",
    "é",
];

/// What stands before a reference when it is absolute.
fn prefix<'b>(reference: &str, base: &'b str) -> &'b str {
    let path = "https://".len() + base["https://".len()..].find('/').unwrap();
    match reference {
        "" => "",
        _ if reference.contains(':') => "",
        _ if reference.starts_with("//") => "https:",
        _ if reference.starts_with('/') => &base[..path],
        _ if reference.starts_with('#') => base,
        _ => &base[..=base.rfind('/').unwrap()],
    }
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&#34;")
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
}

fn json(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// HTML with references, as it is spelled by `outer`; in a CDATA section it may be split.
fn content(
    pair: &mut Pair,
    random: &mut Random,
    base: &str,
    outer: &dyn Fn(&str) -> String,
    split: &str,
) {
    const TEXTS: &[&str] = &[
        "<p>a &lt; b &nbsp;",
        "]] >",
        "<!-- <a href='q'> -->",
        "é",
        "</p>\n",
        "<br/>",
    ];
    for _ in 0..random.below(5) {
        pair.both(&outer(random.pick(TEXTS)));
        let reference = random.pick(REFERENCES);
        let tags = random.pick(&[
            ("<a title=\"x\" href=\"", "\">"),
            ("<img src=\"", "\" alt='&#39;'>"),
            ("<q cite=\"", "\">"),
        ]);
        // An empty `src` asks for no URL; elsewhere it is the page.
        if reference.is_empty() && !tags.0.contains("src") {
            continue;
        }
        pair.both(&outer(tags.0));
        if random.one_in(3) {
            pair.both(split);
        }
        pair.url(reference, base, &|url| outer(&html(url)));
        pair.both(&outer(tags.1));
    }
}

/// A URL of the feed itself.
fn own(pair: &mut Pair, random: &mut Random, base: &str, tags: (&str, &str)) {
    let reference = random.pick(REFERENCES);
    pair.both(tags.0);
    // An empty `href` of Atom is a reference to the base URL.
    if reference.is_empty() && tags.0.starts_with("<link ") {
        pair.after.push_str(base);
    }
    match tags.0.ends_with('>') && random.one_in(3) {
        true => {
            pair.both("<![CDATA[");
            pair.url(reference, base, &str::to_owned);
            pair.both("]]>");
        }
        false => pair.url(reference, base, &|url| url.replace('&', "&amp;")),
    }
    pair.both(tags.1);
}

const PAGES: &[&str] = &["/p/1/", "/p&q/", "p/2", "https://e.org/q/x.html"];

fn rss(random: &mut Random) -> Pair {
    let mut pair = Pair::default();
    pair.both("<?xml version='1.0'?>\n<rss xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel>");
    for _ in 0..random.below(4) {
        pair.both("<item><!-- x -->");
        let page = random.pick(PAGES);
        let base = format!("{}{page}", prefix(page, OWN));
        let link = |pair: &mut Pair| {
            pair.both("<link>\n ");
            pair.url(page, OWN, &|url| url.replace('&', "&amp;"));
            pair.both(" </link>");
        };
        let is_first = random.one_in(2);
        if is_first {
            link(&mut pair);
        }
        for _ in 0..random.below(4) {
            match random.below(4) {
                0 => {
                    pair.both("<description>");
                    content(&mut pair, random, &base, &xml, "<!-- c --><?p i?>");
                    pair.both("</description>");
                }
                1 => {
                    pair.both("<content:encoded><![CDATA[");
                    content(&mut pair, random, &base, &str::to_owned, "]]><![CDATA[");
                    pair.both("]]></content:encoded>");
                }
                2 => own(&mut pair, random, OWN, ("<comments>", "</comments>")),
                _ => own(
                    &mut pair,
                    random,
                    OWN,
                    ("<enclosure url=\"", "\" type='a/b'/>"),
                ),
            }
        }
        if !is_first {
            link(&mut pair);
        }
        pair.both("<guid isPermaLink='false'>/x</guid></item>\n");
    }
    pair.both("</channel></rss>");
    pair
}

fn atom(random: &mut Random) -> Pair {
    let mut pair = Pair::default();
    pair.both("<feed xmlns='http://www.w3.org/2005/Atom'>");
    for _ in 0..random.below(4) {
        let outer = "https://e.org/w/";
        let (before, feed_base) = match random.one_in(3) {
            true => (" xml:base='/w/'", outer),
            false => ("", OWN),
        };
        pair.before.push_str(&format!("<entry{before}>"));
        pair.after
            .push_str(&format!("<entry{}>", before.replace("/w/", outer)));
        let page = random.pick(PAGES);
        pair.both("<link href='");
        pair.url(page, feed_base, &|url| url.replace('&', "&amp;"));
        pair.both("'/><id>/id</id>");
        let base = match before {
            "" => format!("{}{page}", prefix(page, OWN)),
            _ => outer.to_owned(),
        };
        own(
            &mut pair,
            random,
            feed_base,
            ("<link rel='related' href=\"", "\"/>"),
        );
        pair.both("<content type='html'>");
        content(&mut pair, random, &base, &xml, "<!-- c -->");
        pair.both("</content><summary type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>");
        let reference = random.pick(&REFERENCES[..9]);
        pair.both("<a href='");
        pair.url(reference, &base, &|url| url.replace('&', "&amp;"));
        pair.both("'/></div></summary></entry>");
    }
    pair.both("</feed>\n");
    pair
}

fn json_feed(random: &mut Random) -> Pair {
    let mut pair = Pair::default();
    pair.both("{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [");
    for nth in 0..random.below(4) {
        let page = random.pick(PAGES);
        let base = format!("{}{page}", prefix(page, OWN));
        pair.both(if nth > 0 {
            ", {\"id\": \"/x\", \"url\": \""
        } else {
            "{\"url\": \""
        });
        pair.url(page, OWN, &json);
        pair.both("\", \"content_html\": \"");
        let escaped = |text: &str| json(text).replace('\n', "\\n");
        content(&mut pair, random, &base, &escaped, "\\u0009");
        pair.both("\", \"image\": \"");
        pair.url(random.pick(REFERENCES), OWN, &json);
        pair.both("\"}");
    }
    pair.both("]}");
    pair
}

/// A feed in XML.
pub(super) fn xml_feed(seed: u64) -> String {
    let mut random = Random(seed);
    let make = random.pick(&[rss as fn(&mut Random) -> Pair, atom]);
    make(&mut random).before
}

/// A feed of any kind.
pub(super) fn any_feed(seed: u64) -> String {
    any(seed).before
}

fn any(seed: u64) -> Pair {
    let mut random = Random(seed);
    let make = random.pick(&[rss as fn(&mut Random) -> Pair, atom, json_feed]);
    make(&mut random)
}

#[test]
fn each_becomes_what_it_has_to() {
    let context = Context::retrieved_from(OWN).unwrap();
    let settings = Settings::default();
    let run = |text: &str| {
        let rewritten = feed::rewrite(text.as_bytes(), &context, &settings, Default::default());
        assert_eq!(rewritten.examined.damage, None, "{text}");
        String::from_utf8(rewritten.document.into_owned()).unwrap()
    };
    for seed in 0..3_000 {
        let pair = any(seed);
        assert_eq!(
            run(&pair.before),
            pair.after,
            "seed {seed}: {}",
            pair.before
        );
        assert_eq!(run(&pair.after), pair.after, "seed {seed}, again");
    }
}
