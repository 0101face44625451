//! The vocabularies of feeds, of sitemaps (sitemaps.org) and of OPML: which elements and members carry URLs or HTML.
//!
//! The URLs of lists are relative to the list's own, whatever an `xml:base` says: no reader of lists knows it. The
//! `xhtml:link` of sitemaps is read as XHTML.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::root::{ATOM, ATOM_03, RDF};
use abslink_html::locate::RawText;
use abslink_html::{Against, Row, ValueKind};

/// What a namespace is to a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// No namespace.
    None,
    /// RSS's own: that of the root, or in RDF one of the two.
    Rss,
    /// Atom 1.0.
    Atom,
    /// Atom 0.3.
    Atom03,
    /// What the table of extensions calls so.
    Extension(&'static str),
    Rdf,
    Xhtml,
    Svg,
    MathMl,
    XLink,
    /// That of a sitemap's root.
    Sitemap,
    /// That of the root of OPML.
    Opml,
    Other,
}

impl Space {
    /// The namespace of this name, which is none of RSS.
    pub(super) fn of(name: &[u8]) -> Space {
        match name {
            b"" => Space::None,
            _ if name == ATOM => Space::Atom,
            _ if name == ATOM_03 => Space::Atom03,
            _ if name == RDF => Space::Rdf,
            b"http://www.w3.org/1999/xhtml" => Space::Xhtml,
            b"http://www.w3.org/2000/svg" => Space::Svg,
            b"http://www.w3.org/1998/Math/MathML" => Space::MathMl,
            b"http://www.w3.org/1999/xlink" => Space::XLink,
            _ => Space::of_extension(name),
        }
    }

    /// Extensions are known by their names as published. Feeds write these with `http:` and `https:`, with
    /// a slash at the end and without, and feed readers take them.
    fn of_extension(name: &[u8]) -> Space {
        let after = |scheme: &[u8]| name.strip_prefix(scheme);
        let name = after(b"http://").or_else(|| after(b"https://"));
        let name = name.unwrap_or_default();
        let name = name.strip_suffix(b"/").unwrap_or(name);
        let found = EXTENSIONS.spaces.get(name);
        found.map_or(Space::Other, |name| Space::Extension(name))
    }

    /// What the table calls it.
    fn name(self) -> &'static str {
        match self {
            Space::Extension(name) => name,
            Space::Rss => "rss",
            Space::Sitemap => "sitemap",
            Space::Opml => "opml",
            _ => "",
        }
    }

    pub(super) fn is_atom(self) -> bool {
        matches!(self, Space::Atom | Space::Atom03)
    }

    /// Whether elements are those of HTML documents; in the place of HTML those without a namespace are.
    pub(super) fn is_html(self, is_in_html: bool) -> bool {
        matches!(self, Space::Xhtml | Space::Svg | Space::MathMl)
            || is_in_html && matches!(self, Space::None | Space::Rss)
    }
}

/// What the content of an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// Nothing that carries URLs.
    Plain,
    /// One URL.
    Url,
    /// RSS's `guid`, which may be a permalink.
    Guid,
    /// HTML, in its spelling as text or as elements.
    Html,
    /// HTML in base64.
    Base64,
    /// What a content system keeps of a page under a name: HTML, a URL, or such in JSON or serialized.
    Value,
    /// What the user says.
    Custom(&'static Row),
    /// XHTML, or other XML, as elements.
    Inline,
    /// A style sheet or a script of XHTML or SVG.
    Raw(RawText),
}

/// What the table says of extensions.
struct Extensions {
    /// Their names, by namespace.
    spaces: HashMap<&'static [u8], &'static str>,
    texts: HashMap<(&'static str, &'static [u8]), Text>,
    /// The namespace, the element or `*`, and the attribute.
    attributes: Vec<(&'static str, &'static str, Row)>,
}

static EXTENSIONS: LazyLock<Extensions> = LazyLock::new(|| {
    let (mut spaces, mut texts, mut attributes) = (HashMap::new(), HashMap::new(), Vec::new());
    let rows = include_str!("extensions.tsv").lines();
    for row in rows.filter(|row| !row.starts_with('#')) {
        let mut cells = row.split('\t');
        let name = cells.next().unwrap_or_default();
        let mut words = || {
            let words = cells.next().unwrap_or_default().split(' ');
            words.filter(|word| !word.is_empty())
        };
        spaces.extend(words().map(|namespace| (namespace.as_bytes(), name)));
        texts.extend(words().map(|element| ((name, element.as_bytes()), Text::Url)));
        texts.extend(words().map(|element| ((name, element.as_bytes()), Text::Html)));
        attributes.extend(words().filter_map(|word| {
            let (element, attribute) = word.split_once('@')?;
            let row = match attribute {
                "srcset" => Row::of_feed(attribute, ValueKind::Srcset, Against::Base),
                _ => url(attribute),
            };
            Some((name, element, row))
        }));
    }
    Extensions {
        spaces,
        texts,
        attributes,
    }
});

/// What the content of an element is by the table, wherever it stands.
fn of_table(space: Space, element: &[u8]) -> Text {
    let text = EXTENSIONS.texts.get(&(space.name(), element));
    text.copied().unwrap_or(Text::Plain)
}

/// The same in a sitemap or OPML. Of sitemaps' extensions, only those of Google have places.
pub(super) fn text_in_list(space: Space, element: &[u8]) -> Text {
    match space {
        Space::Sitemap | Space::Extension("sitemap-image" | "sitemap-video") => {
            of_table(space, element)
        }
        _ => Text::Plain,
    }
}

/// The text of an element that is a URL.
pub(super) static URL: Row = Row::of_feed("", ValueKind::Url, Against::Base);
/// The text of an element, or of a member, that is HTML.
pub(super) static HTML: Row = Row::of_feed("", ValueKind::Html, Against::Base);
/// The same in base64.
pub(super) static BASE64: Row = Row::of_feed("", ValueKind::EncodedHtml, Against::Base);
/// A permalink that stays as it is.
pub(super) static IDENTIFIER: Row = Row::of_feed("", ValueKind::Url, Against::Nothing);
pub(super) static XML_BASE: Row = Row::of_feed("xml:base", ValueKind::Url, Against::Outer);

/// An attribute, or a member of an object, that is a URL.
pub(super) const fn url(name: &'static str) -> Row {
    Row::of_feed(name, ValueKind::Url, Against::Base)
}

static ATTRIBUTES: [Row; 3] = [url("href"), url("src"), url("url")];
static GENERATOR_URI: Row = url("uri");
static RESOURCE: Row = url("rdf:resource");
/// An empty one is a reference, too (RFC 3986 §4.4).
static ATOM_HREF: Row = url("href").or_base();

/// The row of an attribute without a prefix. Sitemaps and OPML have only those of the table.
pub(super) fn attribute(
    is_list: bool,
    space: Space,
    element: &[u8],
    name: &[u8],
) -> Option<&'static Row> {
    let own = space.name();
    let is_it = |(of, on, row): &&(&str, &str, Row)| {
        *of == own && (*on == "*" || on.as_bytes() == element) && row.attribute.as_bytes() == name
    };
    let of_table = || {
        EXTENSIONS
            .attributes
            .iter()
            .find(is_it)
            .map(|(.., row)| row)
    };
    match (element, name) {
        _ if is_list => of_table(),
        (b"link", b"href") if space.is_atom() => Some(&ATOM_HREF),
        (b"generator", b"uri") if space.is_atom() => Some(&GENERATOR_URI),
        _ => {
            let mut usual = ATTRIBUTES.iter();
            of_table().or_else(|| usual.find(|row| row.attribute.as_bytes() == name))
        }
    }
}

/// The row of `rdf:resource`, which names no resource of RSS itself.
pub(super) fn resource(space: Space, element: &[u8]) -> Option<&'static Row> {
    let is_of_rss = space == Space::Rss || space == Space::Rdf && element == b"li";
    (!is_of_rss).then_some(&RESOURCE)
}

/// What the content of an element is, by its name and that of its parent, which may be an item. `value` gives one of
/// its attributes.
pub(super) fn text(
    is_rdf: bool,
    (space, element): (Space, &[u8]),
    parent: (Space, &[u8]),
    is_in_item: bool,
    value: &dyn Fn(&[u8]) -> Option<String>,
) -> Text {
    match (space, element) {
        // The name of a related page (Yandex), whose URL is in an attribute.
        (Space::Rss, b"link") if parent.0 == Space::Extension("yandex-news") => Text::Plain,
        (Space::Rss, b"link") => Text::Url,
        (Space::Rss, b"url") if is_rdf || parent.1 == b"image" => Text::Url,
        (Space::Rss, b"comments" | b"docs" | b"pdalink" | b"amplink") if !is_rdf => Text::Url,
        (Space::Rss, b"guid") if !is_rdf && is_in_item => Text::Guid,
        (Space::Rss, b"description") if is_in_item || parent.1 == b"channel" => Text::Html,
        (Space::Atom | Space::Atom03, b"icon" | b"logo" | b"uri") => Text::Url,
        (Space::Atom03, b"url") => Text::Url,
        (
            Space::Atom | Space::Atom03,
            b"title" | b"subtitle" | b"summary" | b"rights" | b"content",
        )
        | (Space::Atom03, b"tagline" | b"info" | b"copyright") => construct(space, value),
        (Space::Extension("wordpress"), b"meta_value") => Text::Value,
        (Space::Extension("media"), b"description" | b"title" | b"text") => {
            let is_html = value(b"type").is_some_and(|kind| kind.eq_ignore_ascii_case("html"));
            if is_html { Text::Html } else { Text::Plain }
        }
        _ => of_table(space, element),
    }
}

/// RFC 4287 §3.1.1 and §4.1.3.1: what `type` says; in Atom 0.3 `mode` does too.
fn construct(space: Space, value: &dyn Fn(&[u8]) -> Option<String>) -> Text {
    let lower = |name| value(name).map(|it| it.trim().to_ascii_lowercase());
    let kind = lower(b"type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim_end();
    let is_html = matches!(kind, "html" | "text/html");
    if space == Space::Atom03 {
        return match lower(b"mode").as_deref() {
            None | Some("xml") => Text::Inline,
            Some("escaped") if is_html => Text::Html,
            Some("base64") if is_html => Text::Base64,
            _ => Text::Plain,
        };
    }
    match kind {
        _ if is_html => Text::Html,
        "xhtml" => Text::Inline,
        _ if kind.ends_with("+xml") || kind.ends_with("/xml") => Text::Inline,
        _ => Text::Plain,
    }
}
