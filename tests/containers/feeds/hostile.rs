//! Feeds that only an attacker writes: none takes time or memory that grows faster than the feed.

use abslink::{Context, Settings, feed};

use crate::cli::Sandbox;
use crate::support::growth;

fn rss(inside: &str) -> String {
    format!("<rss><channel>{inside}</channel></rss>")
}

fn json(inside: &str) -> String {
    format!("{{\"version\":\"https://jsonfeed.org/version/1\",{inside}}}")
}

fn deep(name: &str, times: usize) -> String {
    let (start, end) = (format!("<{name}>"), format!("</{name}>"));
    rss(&(start.repeat(times) + &end.repeat(times)))
}

/// What it has much of, and a feed with so many pieces.
type Shape = (&'static str, fn(usize) -> String);

/// Each takes more of something with each piece.
const SHAPES: [Shape; 21] = [
    ("elements", |n| deep("a", n)),
    ("links", |n| deep("link", n)),
    ("items", |n| deep("item", n)),
    ("descriptions", |n| deep("description", n)),
    ("attributes", |n| {
        let attributes = (0..n).map(|n| format!(" a{n}='x' xmlns:n{n}='y'"));
        let attributes: String = attributes.collect();
        rss(&format!("<item{attributes}><link>/p</link></item>"))
    }),
    ("arrays", |n| {
        json(&format!("\"x\":{}{}", "[".repeat(n), "]".repeat(n)))
    }),
    ("objects below a long name", |n| {
        json(&format!("\"{}\":[{}{{}}]", "x".repeat(n), "{},".repeat(n)))
    }),
    ("objects in each other, below a long name", |n| {
        let name = "x".repeat(n);
        let (begin, end) = ("{\"a\":".repeat(n), "}".repeat(n));
        json(&format!("\"{name}\":{begin}1{end}"))
    }),
    ("xml:base in each other", |n| {
        rss(&("<item xml:base='a/'>".repeat(n) + &"</item>".repeat(n)))
    }),
    ("xml:base in a long one", |n| {
        let item = "<item xml:base='a'/>".repeat(n);
        let base = format!("<x xml:base='http://h/{}/'>", "x".repeat(n));
        rss(&format!("{base}{item}</x>"))
    }),
    ("xml:base that says nothing in one that is refused", |n| {
        let item = "<item xml:base=''><link>p</link></item>".repeat(n);
        let base = format!("<x xml:base='tag:{}'>", "x".repeat(n));
        rss(&format!("{base}{item}</x>"))
    }),
    ("items of a site with a long name", |n| {
        let item = "<item><link>a</link></item>".repeat(n);
        let base = format!("<x xml:base='http://h/{}/'>", "x".repeat(n));
        rss(&format!("{base}{item}</x>"))
    }),
    ("links of one item", |n| {
        rss(&format!("<item>{}</item>", "<link>a</link>".repeat(n)))
    }),
    ("links of the site", |n| rss(&"<link>a</link>".repeat(n))),
    ("absolute links below a long xml:base", |n| {
        let item = "<item><link>http://o/</link></item>".repeat(n);
        let base = format!("<x xml:base='http://h/{}/'>", "x".repeat(n));
        rss(&format!("{base}{item}</x>"))
    }),
    ("items of a site with a long host", |n| {
        let item = "<item><link>http://o/</link></item>".repeat(n);
        rss(&format!("<link>http://{}/</link>{item}", "h".repeat(n)))
    }),
    ("links beside the page of an item", |n| {
        let atom = "xmlns:a='http://www.w3.org/2005/Atom'";
        let links = "<a:link rel='related' href='http://p/'/>".repeat(n);
        rss(&format!(
            "<link>http://h/</link><item {atom}><link>http://o/</link>{links}</item>"
        ))
    }),
    ("elements that nobody knows", |n| {
        let elements = (0..n).map(|nth| format!("<x{nth} y='/z'>/z</x{nth}>"));
        rss(&elements.collect::<String>())
    }),
    ("instructions", |n| {
        "<?xml-stylesheet title='x' href='y'?>".repeat(n) + &rss("")
    }),
    ("base64", |n| {
        let text = "PGEgaHJlZj0iYWFhIj5hYWFhPC9h".repeat(n);
        format!(
            "<feed xmlns='http://purl.org/atom/ns#'><entry><content type='text/html' mode='base64'>{text}</content></entry></feed>"
        )
    }),
    ("ampersands", |n| {
        rss(&format!("<item><link>x?{}</link></item>", "&".repeat(n)))
    }),
];

#[test]
#[ignore = "slow tier: time"]
fn time() {
    let context = Context::retrieved_from("https://e.org/").unwrap();
    let mut settings = Settings::default();
    settings.verify = abslink_verify::second_reader();
    for (what, make) in SHAPES {
        growth::is_linear(what, 16_000, make, |text| {
            feed::rewrite(text.as_bytes(), &context, &settings, Default::default());
        });
    }
}

/// What is left is left as a whole, and says why.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow tier: memory"]
fn memory() {
    let sandbox = Sandbox::new();
    for (what, make) in SHAPES {
        let feed = make(20_000);
        sandbox.write("f.rss", &feed);
        let mut command = crate::support::links::abslink();
        let rewrite = "rewrite -q -b https://e.org/ -o new f.rss";
        command.current_dir(sandbox.path()).args(rewrite.split(' '));
        let (ended, peak) = crate::support::peak::run(&mut command);
        assert!(matches!(ended.code(), Some(0..=2)), "{what}: {ended}");
        let new = std::fs::read(sandbox.path().join("new/f.rss")).unwrap();
        assert!(new.len() >= feed.len(), "{what}");
        std::fs::remove_dir_all(sandbox.path().join("new")).unwrap();
        // A growth by 256 times is allowed.
        let most = (64 << 20) + 2 * new.len() as u64 + 100 * feed.len() as u64;
        assert!(peak < most, "{what}: {} MiB", peak >> 20);
    }
}

#[test]
#[ignore = "slow tier: memory"]
fn long_base_urls() {
    let sandbox = Sandbox::new();
    let long = "x".repeat(1 << 20);
    for (feed, reason) in [
        (
            rss(&format!(
                "<item><link>https://e.org/{long}/</link><description>{}</description></item>",
                "&lt;a href=x&gt;".repeat(20_000)
            )),
            "its base URL is too long for so many references",
        ),
        (
            rss(&format!(
                "<x xml:base='https://e.org/{long}/'>{}</x>",
                "<item xml:base='a'/>".repeat(100)
            )),
            "its base URLs are too long",
        ),
    ] {
        sandbox.write("f.rss", &feed);
        let ran = sandbox.run("rewrite -b https://e.org/ f.rss");
        ran.exits(2).says(reason);
        assert!(ran.stdout == feed, "{reason}");
    }
}

/// The base URL of each item is counted before anything is made of it.
#[test]
fn a_long_base_url_of_many_items() {
    let item = "<item><enclosure url='m'/></item>".repeat(1_200);
    let long = "x".repeat(1 << 16);
    let feed = rss(&format!("<x xml:base='https://e.org/{long}/'>{item}</x>"));
    let ran = Sandbox::of(&[("f.rss", &feed)]).run("rewrite -b https://e.org/ f.rss");
    ran.exits(2).says("its base URLs are too long").prints(feed);
}

/// Entities that stand for many others.
#[test]
fn entities() {
    let laughs: String = (1..40)
        .map(|n| format!("<!ENTITY l{n} \"&l{};&l{};\">", n - 1, n - 1))
        .collect();
    let feed = format!(
        "<!DOCTYPE rss [<!ENTITY l0 \"x\">{laughs}]>{}",
        rss("<link>/&l39;</link>")
    );
    let sandbox = Sandbox::new();
    sandbox.write("f.rss", &feed);
    let ran = sandbox.run("rewrite -b https://e.org/ f.rss");
    assert_eq!((ran.code, ran.stdout), (Some(1), feed), "{}", ran.stderr);
}
