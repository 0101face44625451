//! What the second reader says of documents that are right: it has to agree with each of them.

use std::sync::Arc;

use abslink_html::BaseSource;
use abslink_html::base::retrieval::mirror::{Files, KnownFile};
use abslink_html::base::retrieval::neighbours::Neighbours;
use abslink_html::base::retrieval::target::DocumentPlace;
use abslink_html::retrieval::UrlEvidence;
use abslink_html::{
    Context, Fragments, Group, Groups, Placeholders, Resolver, Settings, Site, Syntax, To,
    rewrite_bytes,
};
use encoding_rs::{
    BIG5, EUC_JP, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252,
};

use crate::support::generate::{self, Random};

#[test]
fn generated_documents_with_every_setting() {
    no_alarm_in(3_000);
}

#[test]
#[ignore = "slow tier: 100,000 documents"]
fn many_generated_documents_with_every_setting() {
    no_alarm_in(100_000);
}

/// What is not well-formed, repeated or never ends is no reason for an alarm.
#[test]
fn odd_markup_is_no_alarm() {
    const HEAD: &str = "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>";
    for (document, new) in [
        (
            "<!--[if IE]><a href=x><![endif]",
            "<!--[if IE]><a href=http://h/x><![endif]",
        ),
        (
            "<!--[if IE]><a href=x><![endif]--!><a href=x>",
            "<!--[if IE]><a href=http://h/x><![endif]--!><a href=http://h/x>",
        ),
        ("<a href=y href=x>", "<a href=http://h/y href=x>"),
        (
            "<?<a title='x'\"href='x'/>",
            "<?<a title='x'\"href='http://h/x'/>",
        ),
        (
            "<?<a title='x'href='x'/>",
            "<?<a title='x'href='http://h/x'/>",
        ),
        (
            "<?<h:a/><a href/><a href=x/><a href='x'/>",
            "<?<h:a/><a href/><a href=x/><a href='http://h/x'/>",
        ),
        ("<?<p \"><a href='x'/>", "<?<p \"><a href='http://h/x'/>"),
        ("<?<!><a href='x'/>", "<?<!><a href='http://h/x'/>"),
        (
            "<?<t\"x\" y><a href='x' href='y'/>",
            "<?<t\"x\" y><a href='http://h/x' href='y'/>",
        ),
        ("<?<a\"x\" href='x'/>", "<?<a\"x\" href='http://h/x'/>"),
        ("<?<a href = 'x' = />", "<?<a href = 'http://h/x' = />"),
    ] {
        let syntax = if document.starts_with("<?") {
            Syntax::Xml
        } else {
            Syntax::Html
        };
        let whole = |text: &str| text.replacen("<?", HEAD, 1);
        let mut settings = Settings::default();
        settings.groups = settings.groups.with(Group::Comments);
        settings.verify = abslink_verify::second_reader();
        let context = Context::retrieved_from("http://h/").unwrap();
        let document = whole(document);
        let found = rewrite_bytes(document.as_bytes(), syntax, &context, &settings);
        assert_eq!(found.examined.disagreement, None, "{document}");
        assert_eq!(String::from_utf8_lossy(&found.document), whole(new));
    }
}

fn no_alarm_in(count: usize) {
    generate::each_seed(count, |seed| {
        let run = Run::of(seed);
        run.alarm().map_or(Ok(()), |alarm| {
            let document = String::from_utf8_lossy(&run.document);
            Err(format!("{alarm}\n{:?}\n{document}", run.settings))
        })
    });
}

/// A document, and how it is rewritten.
struct Run {
    document: Vec<u8>,
    syntax: Syntax,
    context: Context,
    settings: Settings,
}

impl Run {
    fn of(seed: u64) -> Run {
        let mut random = Random(seed);
        let (syntax, document) = match random.below(8) {
            0..3 => (Syntax::Html, generate::document(seed).into_bytes()),
            3 => (Syntax::Xml, generate::xhtml::document(seed).into_bytes()),
            4 => (Syntax::Xml, page(&mut random, Syntax::Xml).into_bytes()),
            5 => (Syntax::Html, encoded(&mut random)),
            _ => (Syntax::Html, page(&mut random, Syntax::Html).into_bytes()),
        };
        let settings = settings(&mut random);
        let context = context(&mut random, &settings);
        Run {
            document,
            syntax,
            context,
            settings,
        }
    }

    /// What the second reader says against it.
    fn alarm(&self) -> Option<String> {
        let rewritten = rewrite_bytes(&self.document, self.syntax, &self.context, &self.settings);
        let disagreement = rewritten.examined.disagreement?;
        Some(disagreement.what)
    }
}

const URLS: [&str; 8] = [
    "https://e.org/docs/a/b.html",
    "https://e.org/docs/a/b.html",
    "http://e.org/",
    "https://e.org/a^b/x|y/p;q?r#s",
    "https://e.org/\u{e9}/%C3%A9/?\u{e9}",
    "file:///C:/a/b.html",
    "x:/a/b",
    "https://e.org:8080/web/20200103104500/http://old.org/d/x.html",
];

fn context(random: &mut Random, settings: &Settings) -> Context {
    let url = match settings.to {
        To::Absolute => random.pick(&URLS),
        _ => random.pick(&URLS[..5]),
    };
    let mut context = Context::retrieved_from(url).unwrap();
    if settings.to == To::Files {
        let place = DocumentPlace {
            path: b"docs/a/b.html".to_vec(),
            url: url.to_owned(),
            index: vec!["index.html".to_owned()],
            port_separator: None,
        };
        let neighbours = Neighbours::new(place, Arc::new(Everything), random.one_in(2));
        context.neighbours = Some(neighbours.with(&settings.try_ext, &settings.moves));
    }
    context
}

/// A tree in which nearly every file is there.
struct Everything;

impl Files for Everything {
    fn is_file(&self, path: &[u8]) -> bool {
        !path.is_empty() && !path.len().is_multiple_of(5)
    }

    fn known(&self, path: &[u8]) -> Option<Arc<KnownFile>> {
        let segment = |byte: &u8| match byte {
            b'/' | b'.' | b'-' | b'_' | b'~' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                char::from(*byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        };
        let path = self.is_file(path).then_some(path)?;
        let url: String = path.iter().map(segment).collect();
        let evidence = UrlEvidence::plain(BaseSource::Layout, &format!("https://e.org/{url}"));
        Some(Arc::new(KnownFile {
            is_there: true,
            evidence: Some(evidence),
        }))
    }
}

fn settings(random: &mut Random) -> Settings {
    let mut settings = Settings::default();
    settings.resolver = random.pick(&Resolver::ALL);
    settings.to = random.pick(&[
        To::Absolute,
        To::Absolute,
        To::Absolute,
        To::Relative,
        To::Root,
        To::Keep,
        To::Files,
    ]);
    settings.verify = abslink_verify::second_reader();
    if random.one_in(2) {
        settings.groups = Group::ALL.into_iter().fold(Groups::default(), Groups::with);
    }
    if random.one_in(4) {
        settings.placeholders = Placeholders::Resolve;
    }
    if random.one_in(4) {
        settings.fragments = Fragments::Keep;
    }
    settings.remove_base = settings.to.is_short() && random.one_in(3);
    settings.unwrap = random.one_in(6);
    if random.one_in(3) {
        let url = random.pick(&["https://e.org/docs/", "https://e.org/", "http://n.example/"]);
        settings.site = Site::default().with(url).unwrap();
    }
    if random.one_in(4) {
        for moved in [
            "https://e.org/docs=https://new.org/d",
            "http://n.example/=https://m.example/x",
        ] {
            settings.moves = settings.moves.with(moved.parse().unwrap()).unwrap();
        }
    }
    settings
}

/// Parts of references.
const PARTS: [&str; 40] = [
    "a",
    "b.html",
    "/",
    "../",
    "./",
    "?",
    "#",
    "&amp;",
    "%C3%A9",
    "\u{e9}",
    "\u{44f}",
    "\u{3042}",
    "^",
    "|",
    "\\",
    "{{x}}",
    "${y}",
    "<?z?>",
    "%",
    "%2e",
    ";p",
    ":",
    "//n.example/",
    "https://e.org/docs/",
    "http://",
    "mailto:",
    "javascript:",
    "about:blank",
    "data:,",
    " ",
    "\n",
    "\t",
    "&#x61;",
    "&#32;",
    "@",
    "[",
    "]",
    "~",
    "'",
    "/web/20200103104500/http://old.org/d/",
];

fn reference(random: &mut Random) -> String {
    let count = random.pick(&[1, 1, 2, 2, 3, 5]);
    let reference: String = (0..count).map(|_| random.pick(&PARTS)).collect();
    // What --move-url and --to files make of these in a reference in full, the second reader is right to refuse.
    let bare = reference.replace(['\t', '\n', '\''], "");
    let refused = ["docs/..", "docs/./", "docs/%2e"];
    let below = bare.split_once("docs/").map_or("", |(_, below)| below);
    match below.contains('\\') || refused.iter().any(|refused| bare.contains(refused)) {
        true => "docs/".to_owned(),
        false => reference,
    }
}

/// As it is spelled in a value in double quotes.
fn value(random: &mut Random, syntax: Syntax) -> String {
    let value = reference(random);
    match syntax {
        Syntax::Html => value,
        Syntax::Xml => value.replace('<', "&lt;"),
    }
}

/// Without what delimits it in a list, a style sheet or JSON.
fn word(random: &mut Random) -> String {
    let delimits = |c: char| c.is_whitespace() || "<>&'\"(),;\\".contains(c);
    let word = reference(random).replace(delimits, "");
    if word.is_empty() {
        "w".to_owned()
    } else {
        word
    }
}

fn page(random: &mut Random, syntax: Syntax) -> String {
    let mut page = String::new();
    if syntax == Syntax::Xml {
        page += "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">";
    }
    if random.one_in(4) {
        let base = value(random, syntax);
        page += &format!("<base href=\"{base}\"/>");
    }
    for _ in 0..1 + random.below(8) {
        page += &piece(random, syntax, 0);
    }
    if syntax == Syntax::Xml {
        page += "</html>";
    }
    page
}

fn piece(random: &mut Random, syntax: Syntax, depth: usize) -> String {
    let value = &value(random, syntax);
    let words = [word(random), word(random)];
    let [one, two] = &words;
    match random.below(20) {
        0..4 => format!("<a href=\"{value}\">x</a>"),
        4 => format!("<img src=\"{value}\" alt=\"{one}\"/>"),
        5 => format!("<a ping=\"{one} {two}\">y</a>"),
        6 => format!("<img srcset=\"{one} 1x, {two} 2x\"/>"),
        7 => format!("<p style=\"a:url({one}) url('{two}')\">z</p>"),
        8 => format!("<style>@import '{one}'; a{{b:url({two})}}</style>"),
        9 => format!("<meta http-equiv=\"refresh\" content=\"3; url={value}\"/>"),
        10 => format!(
            "<script type=\"application/ld+json\">{{\"@id\":\"{one}\",\"url\":\"{two}\"}}</script>"
        ),
        11 => {
            format!("<script type=\"importmap\">{{\"imports\":{{\"{one}\":\"{two}\"}}}}</script>")
        }
        12 => format!("<object codebase=\"{one}\" data=\"{value}\"></object>"),
        13 => format!("<form action=\"{value}\"></form>"),
        14 => format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><a href=\"{value}\"/><image xlink:href=\"{one}\"/></svg>"
        ),
        15 if depth < 2 => {
            let inner: String = (0..1 + random.below(3))
                .map(|_| piece(random, Syntax::Html, depth + 1))
                .collect();
            let inner = inner
                .replace('&', "&amp;")
                .replace('"', "&quot;")
                .replace('<', "&lt;");
            format!("<iframe srcdoc=\"{inner}\"></iframe>")
        }
        16 => format!("<noscript><a href=\"{value}\">n</a></noscript>"),
        17 => format!("<!--[if IE]><a href=\"{one}\">c</a><![endif]-->"),
        18 if syntax == Syntax::Html => {
            format!("<q cite={one}>q</q><template><a href={two}></template>")
        }
        _ => format!("<a href='{}'>x</a>", value.replace('\'', "&#39;")),
    }
}

fn encoded(random: &mut Random) -> Vec<u8> {
    const ENCODINGS: [&Encoding; 8] = [
        BIG5,
        EUC_JP,
        GB18030,
        ISO_2022_JP,
        SHIFT_JIS,
        UTF_8,
        WINDOWS_1251,
        WINDOWS_1252,
    ];
    let encoding = random.pick(&ENCODINGS);
    let page = format!(
        "<meta charset={}>{}",
        encoding.name(),
        page(random, Syntax::Html)
    );
    encoding.encode(&page).0.into_owned()
}
