//! The locators against html5ever.
//!
//! Where html5ever 0.39 departs from the standard, the locator follows the standard, as browsers do:
//!
//! - MathML's and SVG's integration points are not in its "special" category, and `annotation-xml`
//!   bounds no scope: end tags and the adoption agency reach through them.
//! - A break-out tag below an `annotation-xml` that is an HTML integration point leaves that too.
//! - `search` is not special, and `isindex` is.
//! - In a template that starts with `thead`, no later part of a table closes it.
//!
//! Documents on which the two differ are looked at once more with an `object`, which is special
//! and bounds every scope, in each integration point, with `mtext` for `annotation-xml`, and with
//! `tbody` for `thead`.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use abslink::html::locate::memory::locate;
use abslink::html::locate::{Handler, Namespace, RawText, Spelling, StartTag};
use regex::Regex;

use crate::html5lib;
use crate::{browser, generate};

/// A start tag as the locator reports it, and the raw text that follows it.
#[derive(Debug)]
struct Found {
    name: String,
    attributes: Vec<(String, String)>,
    namespace: Namespace,
    base_counts: bool,
    text: Option<String>,
}

#[derive(Default)]
struct Collect<'d> {
    document: &'d [u8],
    tags: Vec<Found>,
    comments: Vec<String>,
}

impl Collect<'_> {
    fn text(&self, range: Range<usize>) -> String {
        let text = String::from_utf8_lossy(&self.document[range]);
        text.replace("\r\n", "\n")
            .replace('\r', "\n")
            .replace('\0', "\u{fffd}")
    }
}

impl Handler for Collect<'_> {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let attributes = tag.attributes.iter().map(|attribute| {
            let name = self.text(attribute.name.clone()).to_ascii_lowercase();
            let value = self.text(attribute.value.clone());
            (name, htmlize::unescape_attribute(value).into_owned())
        });
        self.tags.push(Found {
            attributes: attributes.collect(),
            name: self.text(tag.name.clone()).to_ascii_lowercase(),
            namespace: tag.namespace,
            base_counts: tag.base_counts,
            text: None,
        });
    }

    fn raw_text(&mut self, _: RawText, spelling: Spelling, range: Range<usize>) {
        let text = self.text(range);
        if let (Spelling::Literal, Some(tag)) = (spelling, self.tags.last_mut()) {
            tag.text = Some(text);
        }
    }

    fn comment(&mut self, data: Range<usize>) {
        self.comments.push(self.text(data));
    }
}

fn collect(document: &str) -> Collect<'_> {
    let mut found = Collect {
        document: document.as_bytes(),
        ..Collect::default()
    };
    locate(document.as_bytes(), true, &mut found);
    found
}

/// Start tags that the tree builder may drop on their own, and the locator reports.
const DROPPED: &[&str] = &[
    "body", "caption", "col", "colgroup", "form", "frame", "frameset", "head", "html", "select",
    "tbody", "td", "tfoot", "th", "thead", "tr", "table",
];

/// Compares the locator with html5ever on one document.
pub(crate) fn compare(document: &str) -> Result<(), String> {
    let ours = collect(document);
    let theirs = browser::parse(document);
    let mut found = ours.tags.iter().peekable();
    for tag in &theirs.tags {
        let same = |ours: &&Found| ours.name == tag.name && same_attributes(ours, tag);
        let Some(element) = &tag.element else {
            found.next_if(|ours| DROPPED.contains(&&*ours.name) && same(ours));
            continue;
        };
        let Some(ours) = found.next_if(same) else {
            return Err(format!("html5ever: {tag:?}\nlocator:   {:?}", found.peek()));
        };
        let namespace = match ours.namespace {
            Namespace::Html => "xhtml",
            Namespace::Svg => "svg",
            Namespace::MathMl => "MathML",
        };
        let text = ours.namespace != Namespace::Html
            || ours.text.as_ref().is_none_or(|text| *text == element.text);
        let template = tag.name != "base" || ours.base_counts != element.in_template;
        if element.namespace != namespace || !text || !template {
            return Err(format!("html5ever: {tag:?}\nlocator:   {ours:?}"));
        }
    }
    if let Some(more) = found.next() {
        return Err(format!("html5ever has no {more:?}"));
    }
    let mut comments = theirs.comments.iter();
    match ours
        .comments
        .iter()
        .find(|ours| !comments.any(|theirs| theirs == *ours))
    {
        Some(comment) => Err(format!("html5ever has no comment {comment:?} here")),
        None => Ok(()),
    }
}

fn same_attributes(ours: &Found, theirs: &browser::Found) -> bool {
    let has_value = |attribute: &&(String, String)| !attribute.1.is_empty();
    ours.attributes
        .iter()
        .all(|attribute| theirs.attributes.contains(attribute))
        && ours
            .attributes
            .iter()
            .filter(has_value)
            .eq(theirs.attributes.iter().filter(has_value))
}

static INTEGRATION_POINT: LazyLock<Regex> = LazyLock::new(|| {
    let names = "foreignobject|desc|title|mi|mo|mn|ms|mtext";
    Regex::new(&format!(
        r#"(?i)<(?:{names})(?:[\s/](?:[^>"']|"[^"]*"|'[^']*')*)?>"#
    ))
    .unwrap()
});
static ANNOTATION: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?i)annotation-xml").unwrap());
static THEAD: LazyLock<Regex> = LazyLock::new(|| Regex::new("(?i)thead").unwrap());

/// Compares them, and takes html5ever's departures into account; says if there is one.
fn compare_but_for_departures(document: &str) -> Result<bool, String> {
    let Err(difference) = compare(document) else {
        return Ok(false);
    };
    let plain = ANNOTATION.replace_all(document, "mtext");
    let plain = THEAD.replace_all(&plain, "tbody");
    let plain = INTEGRATION_POINT.replace_all(&plain, "$0<object>");
    if plain == document || compare(&plain).is_err() {
        Err(difference)
    } else {
        Ok(true)
    }
}

#[test]
fn generated_documents() {
    let (mut documents, mut departures) = (0, 0);
    generate::documents(3_000, |document| {
        documents += 1;
        departures += usize::from(compare_but_for_departures(document)?);
        Ok(())
    });
    println!("{departures} of {documents} show where html5ever departs from the standard");
    assert!(
        documents < 1000 || departures * 100 < documents,
        "{departures} departures"
    );
}

#[test]
fn html5lib_tokenizer_inputs() {
    for document in html5lib::tokenizer_inputs() {
        if let Err(difference) = compare_but_for_departures(&document) {
            panic!("{document:?}\n{difference}");
        }
    }
}

#[test]
fn corpora() {
    let named = std::env::var_os("ABSLINK_CORPUS").map(PathBuf::from);
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let folder = named.unwrap_or(fetched);
    if !folder.is_dir() {
        println!(
            "skipped: {} is not there; ABSLINK_CORPUS can name another",
            folder.display()
        );
        return;
    }
    let mut pages = 0;
    for file in walkdir::WalkDir::new(&folder)
        .into_iter()
        .filter_map(Result::ok)
    {
        if file
            .path()
            .extension()
            .is_none_or(|extension| extension != "html")
        {
            continue;
        }
        let Ok(page) = std::fs::read(file.path()) else {
            continue;
        };
        pages += 1;
        if let Err(difference) = compare(&String::from_utf8_lossy(&page)) {
            panic!("{}: {difference}", file.path().display());
        }
    }
    println!("{pages} pages in {}", folder.display());
}

/// Every row of the table: what the locator finds, and that html5ever agrees.
#[test]
fn cases() {
    let table = include_str!("../testdata/locate/cases.tsv");
    let mut wrong = Vec::new();
    for row in table
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'))
    {
        let row = row.replace('"', "\\\"");
        let row: String = serde_json::from_str(&format!("\"{}\"", row.replace('\t', "\\u001f")))
            .unwrap_or_else(|error| panic!("{error}: {row}"));
        let Some((document, expected)) = row.split_once('\u{1f}') else {
            panic!("not two columns: {row}");
        };
        let found = links(document);
        if found != expected {
            wrong.push(format!("{document:?} gives {found:?}, not {expected:?}"));
        }
        if let Err(difference) = compare_but_for_departures(document) {
            wrong.push(format!("{document:?}\n{difference}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `element=value` for each `href` and `src` of a document, with the namespace of a foreign
/// element before it, and `!` before a `base` that does not count.
fn links(document: &str) -> String {
    let found = collect(document);
    let mut links = Vec::new();
    for tag in &found.tags {
        let is_link = |name: &str| ["href", "src", "xlink:href"].contains(&name);
        for (_, value) in tag.attributes.iter().filter(|(name, _)| is_link(name)) {
            let prefix = match tag.namespace {
                Namespace::Html if tag.name == "base" && !tag.base_counts => "!",
                Namespace::Html => "",
                Namespace::Svg => "svg:",
                Namespace::MathMl => "math:",
            };
            links.push(format!("{prefix}{}={value}", tag.name));
        }
    }
    links.join(" ")
}

/// Tags are found on bytes: trail bytes of other encodings are no quotes and no brackets to it.
#[test]
fn other_encodings() {
    let document = "<p title=表>é</p><a href=\"表é.html\" title='ソ\\'>表<img src=十/予></a>";
    for label in [
        "windows-1252",
        "shift_jis",
        "gb18030",
        "big5",
        "euc-jp",
        "euc-kr",
        "gbk",
    ] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        let (bytes, ..) = encoding.encode(document);
        let mut found = Collect {
            document: &bytes,
            ..Collect::default()
        };
        locate(&bytes, true, &mut found);
        let names: Vec<&str> = found.tags.iter().map(|tag| &*tag.name).collect();
        assert_eq!(names, ["p", "a", "img"], "{label}");
        let attributes: usize = found.tags.iter().map(|tag| tag.attributes.len()).sum();
        assert_eq!(attributes, 4, "{label}");
    }
}

/// Text and comments, by byte range.
#[test]
fn text_and_comments() {
    #[derive(Default)]
    struct Ranges(Vec<(Option<RawText>, Spelling, Range<usize>)>);
    impl Handler for Ranges {
        fn start_tag(&mut self, _: &StartTag<'_>) {}
        fn raw_text(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
            self.0.push((Some(element), spelling, text));
        }
        fn comment(&mut self, data: Range<usize>) {
            self.0.push((None, Spelling::Literal, data));
        }
    }
    let found = |document: &str| {
        let mut ranges = Ranges::default();
        locate(document.as_bytes(), true, &mut ranges);
        ranges
            .0
            .into_iter()
            .map(|(element, spelling, range)| (element, spelling, document[range].to_owned()))
            .collect::<Vec<_>>()
    };
    let literal = |element, text: &str| (element, Spelling::Literal, text.to_owned());
    let references = |element, text: &str| (Some(element), Spelling::References, text.to_owned());
    assert_eq!(
        found("<style>a{}</STYLE >"),
        [literal(Some(RawText::Style), "a{}")]
    );
    assert_eq!(found("<noscript><a href=x></noscript>")[0].2, "<a href=x>");
    assert_eq!(
        found("<noframes>&lt;</noframes>"),
        [literal(Some(RawText::Noframes), "&lt;")]
    );
    assert_eq!(found("<script>x"), [literal(Some(RawText::Script), "x")]);
    assert_eq!(
        found("<script></script>"),
        [literal(Some(RawText::Script), "")]
    );
    assert_eq!(found("<title>x</title><xmp>y</xmp>"), []);
    assert_eq!(
        found("<svg><style>a<![CDATA[b]]>c<!--d--><g>e</g>f</style>g"),
        [
            references(RawText::Style, "a"),
            literal(Some(RawText::Style), "b"),
            references(RawText::Style, "c"),
            literal(None, "d"),
            references(RawText::Style, "f"),
        ]
    );
    assert_eq!(
        found("<!--a--!><!-- b --"),
        [literal(None, "a"), literal(None, " b ")]
    );
    assert_eq!(found("<!--><!---><!----><!x>"), vec![literal(None, ""); 3]);
}

/// No input costs time that grows with the square of its length.
#[test]
fn hostile_documents_take_linear_time() {
    let many = |piece: &str| piece.repeat(200_000);
    let attributes: String = (0..200_000).map(|nth| format!(" a{nth}=x")).collect();
    let documents = [
        many("<svg>"),
        many("<svg>") + &many("</x>") + &many("</svg>"),
        many("<svg><desc>"),
        "<template>".to_owned() + &many("<div>") + &many("</p></x></b>"),
        "<template>".to_owned() + &many("<div>") + &many("<li></li>"),
        "<template><p><button>".to_owned() + &many("<span>") + &many("<div>"),
        "<template>".to_owned() + &many("<x1>") + &many("</x2>"),
        "<template><b>".to_owned() + &many("<div>") + &many("</b>"),
        "<template>".to_owned() + &many("<b><p></b>"),
        "<template>".to_owned() + &many("<table><td><a>"),
        "<template>".to_owned() + &many("<table><td>") + &many("<b><x><p></b>"),
        "<template><form>".to_owned() + &many("<div><form></form>"),
        "<template>".to_owned() + &many("<template>") + &many("</template>"),
        (0..200_000)
            .map(|nth| format!("<template><b a={nth}><p>x</p>"))
            .collect(),
        "<template>".to_owned()
            + &(0..200_000)
                .map(|nth| format!("<p><b a={nth}></p>x"))
                .collect::<String>(),
        many("<!--"),
        many("<!-- --"),
        many("<a b='"),
        many("<title>"),
        many("<script><!--<script>"),
        many("<![CDATA["),
        "<svg>".to_owned() + &many("<![CDATA["),
        many("</"),
        many("<"),
        format!("<a{attributes}>"),
    ];
    for document in documents {
        let start = std::time::Instant::now();
        collect(&document);
        let elapsed = start.elapsed();
        assert!(
            elapsed.as_secs() < 10,
            "{elapsed:?} for {}...",
            &document[..40]
        );
    }
}
