//! The locator and html5ever on one document.
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
use std::sync::LazyLock;

use abslink_html::locate::html::locate;
use abslink_html::locate::{Handler, Namespace, RawText, Spelling, StartTag};
use regex::Regex;

use crate::oracle::browser;

/// A start tag as the locator reports it, and the raw text that follows it.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) namespace: Namespace,
    pub(crate) base_applies: bool,
    pub(crate) text: Option<String>,
}

#[derive(Default)]
pub(crate) struct Collect<'d> {
    pub(crate) document: &'d [u8],
    pub(crate) tags: Vec<Found>,
    pub(crate) comments: Vec<String>,
    /// The `href` of the first `base` in tree order that has one.
    pub(crate) base: Option<String>,
}

impl Collect<'_> {
    pub(crate) fn text(&self, range: Range<usize>) -> String {
        let text = String::from_utf8_lossy(&self.document[range]);
        text.replace("\r\n", "\n")
            .replace('\r', "\n")
            .replace('\0', "\u{fffd}")
    }
}

impl Handler for Collect<'_> {
    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let mut attributes: Vec<(String, String)> = Vec::new();
        for attribute in tag.attributes {
            let name = self.text(attribute.name.clone()).to_ascii_lowercase();
            let value = self.text(attribute.value.clone());
            // The locator takes a NUL for what it is, and not for the character that replaces it;
            // no name that counts has either.
            if name.is_ascii() || attributes.iter().all(|(before, _)| *before != name) {
                attributes.push((name, htmlize::unescape_attribute(value).into_owned()));
            }
        }
        let name = self.text(tag.name.clone()).to_ascii_lowercase();
        if name == "base"
            && tag.namespace == Namespace::Html
            && tag.base_applies
            && (tag.precedes || self.base.is_none())
            && let Some((_, href)) = attributes.iter().find(|(name, _)| name == "href")
        {
            self.base = Some(href.clone());
        }
        self.tags.push(Found {
            attributes,
            name,
            namespace: tag.namespace,
            base_applies: tag.base_applies,
            text: None,
        });
    }

    fn raw_text(&mut self, _: RawText, spelling: Spelling, range: Range<usize>) {
        let text = self.text(range);
        if let (Spelling::Raw, Some(tag)) = (spelling, self.tags.last_mut()) {
            tag.text = Some(text);
        }
    }

    fn comment(&mut self, data: Range<usize>) {
        self.comments.push(self.text(data));
    }

    fn bases_removed(&mut self, _: usize) {
        self.base = None;
    }
}

pub(crate) fn collect(document: &str) -> Collect<'_> {
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
        let template = tag.name != "base" || ours.base_applies != element.in_template;
        if element.namespace != namespace || !text || !template {
            return Err(format!("html5ever: {tag:?}\nlocator:   {ours:?}"));
        }
    }
    if let Some(more) = found.next() {
        return Err(format!("html5ever has no {more:?}"));
    }
    if ours.base != theirs.base {
        return Err(format!(
            "the first base is {:?} to html5ever, {:?} to the locator",
            theirs.base, ours.base
        ));
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
pub(crate) fn compare_but_for_departures(document: &str) -> Result<bool, String> {
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

/// Says on how many documents html5ever is no judge, and fails where that is not a few.
pub(crate) fn departures_are_few(departures: usize, documents: usize) {
    println!("{departures} of {documents} show where html5ever departs from the standard");
    assert!(
        documents < 1000 || departures * 100 < documents,
        "{departures} departures"
    );
}
