//! How files are read, and which names say so.

use abslink_containers::rows;
use abslink_html::Syntax;

#[cfg(feature = "cli")]
use crate::batch::path;

/// How a file is read that is held whole, or is one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A page.
    Html(Syntax),
    /// An SVG image.
    Svg,
    /// A message: mail, an MHTML archive, or an HTTP message.
    Message,
    /// A feed: RSS, Atom or JSON Feed; a sitemap or OPML.
    Feed,
    /// CSS.
    StyleSheet,
    /// A web app manifest.
    Manifest,
    /// Speculation rules in a file of their own.
    SpeculationRules,
    /// Markdown.
    Markdown,
}

/// How a file is read.
///
/// # Examples
/// ```
/// use abslink::batch::{Input, Kind, Plan, Task};
///
/// let mut plan = Plan::new(vec![Input::File("saved.bin".into())], Task::Examine);
/// plan.selection.read_as = Some(Kind::XHTML);
/// plan.check()?;
/// # Ok::<(), abslink::batch::PlanError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// As one document, or a message or feed.
    One(Format),
    /// A web archive (WARC), whose records are gone through one after another.
    Archive,
    /// A file with rows, whose fields are gone through one after another: [`Plan::rows`](crate::batch::Plan::rows).
    Rows(rows::Format),
    /// A ZIP file with web archives in it.
    Wacz,
}

impl Kind {
    /// One HTML document.
    pub const HTML: Kind = Kind::One(Format::Html(Syntax::Html));
    /// One XHTML document.
    pub const XHTML: Kind = Kind::One(Format::Html(Syntax::Xml));
    pub(crate) const SVG: Kind = Kind::One(Format::Svg);
    /// [`Format::Message`].
    pub const MESSAGE: Kind = Kind::One(Format::Message);
    /// [`Format::Feed`].
    pub const FEED: Kind = Kind::One(Format::Feed);
    /// [`Format::StyleSheet`].
    pub const STYLE_SHEET: Kind = Kind::One(Format::StyleSheet);
    /// [`Format::Manifest`].
    pub const MANIFEST: Kind = Kind::One(Format::Manifest);
    /// [`Format::SpeculationRules`].
    pub const SPECULATION_RULES: Kind = Kind::One(Format::SpeculationRules);
    /// [`Format::Markdown`].
    pub const MARKDOWN: Kind = Kind::One(Format::Markdown);
    /// One JSON value with documents in it.
    pub const JSON: Kind = Kind::Rows(rows::Format::Json);
    /// A JSON value in each line.
    pub const JSON_LINES: Kind = Kind::Rows(rows::Format::JsonLines);
    /// Records whose fields are separated by commas.
    pub const CSV: Kind = Kind::Rows(rows::Format::Separated(b','));
    /// Records whose fields are separated by tabs.
    pub const TSV: Kind = Kind::Rows(rows::Format::Separated(b'\t'));
}

/// The extensions that say what a file is, in lower case, without the dot, and whether directories are searched for it.
const ENDINGS: [(&[&str], Kind, bool); 11] = [
    (&["html", "htm"], Kind::HTML, true),
    (&["xhtml", "xht"], Kind::XHTML, true),
    (&["shtml"], Kind::HTML, true),
    (&["mht", "mhtml", "eml"], Kind::MESSAGE, true),
    (&["mbox", "emlx"], Kind::MESSAGE, false),
    (&["rss", "atom"], Kind::FEED, true),
    (&["warc", "warc.gz", "warc.zst"], Kind::Archive, true),
    (&["css"], Kind::STYLE_SHEET, false),
    (&["webmanifest"], Kind::MANIFEST, false),
    (&["wacz"], Kind::Wacz, false),
    (&["md", "markdown"], Kind::MARKDOWN, false),
];

/// The extensions of the files that directories are searched for.
pub(crate) fn default_endings() -> impl Iterator<Item = &'static str> {
    let rows = ENDINGS.iter().filter(|(.., is_default)| *is_default);
    rows.flat_map(|(endings, ..)| endings.iter().copied())
}

/// The endings of files that belong to pages, and are searched for as well where references get a form that
/// has to be the same in all of them.
#[cfg(feature = "cli")]
pub(crate) const FORMED_ENDINGS: [&str; 3] = ["css", "svg", "webmanifest"];

/// Whether pages may name a file of this name by a hash of its bytes.
pub(crate) fn may_be_pinned(name: &[u8]) -> bool {
    let is = comparison(name);
    is(name, "css") || is(name, "svg")
}

/// Whether the name of a file says that it is a web archive.
#[cfg(feature = "cli")]
pub(crate) fn is_archive(path: &std::path::Path) -> bool {
    names_archive(path::name(path))
}

/// The same for a name.
pub(crate) fn names_archive(name: &[u8]) -> bool {
    by_name(name) == Some(Kind::Archive)
}

/// Whether a path has the name of a page.
#[cfg(feature = "cli")]
pub(crate) fn is_page(path: &std::path::Path) -> bool {
    matches!(by_name(path::name(path)), Some(Kind::One(Format::Html(_))))
}

/// The kind that the name of a file says.
pub(crate) fn by_name(name: &[u8]) -> Option<Kind> {
    let is = comparison(name);
    let found =
        (ENDINGS.iter()).find(|(endings, ..)| endings.iter().any(|ending| is(name, ending)));
    found.map(|(_, kind, _)| *kind)
}

/// The extensions of files that are compressed.
const PACKED: [&str; 2] = ["gz", "zst"];

/// Whether a file is compressed by its name.
pub(crate) fn names_packed(name: &[u8]) -> bool {
    PACKED.iter().any(|packed| is_named(name, packed))
}

/// The format that the name of a file with rows says.
pub(crate) fn rows_by_name(name: &[u8]) -> Option<rows::Format> {
    let unpacked = PACKED.into_iter().find_map(|packed| {
        let length = is_named(name, packed).then(|| memchr::memrchr(b'.', name))?;
        length.map(|length| &name[..length])
    });
    let name = unpacked.unwrap_or(name);
    let rows = [
        ("jsonl ndjson jl jsonlines ldjson", rows::Format::JsonLines),
        ("json ipynb", rows::Format::Json),
        ("csv", rows::Format::Separated(b',')),
        ("tsv tab", rows::Format::Separated(b'\t')),
    ];
    let is_its = |endings: &str| endings.split(' ').any(|ending| is_named(name, ending));
    let found = rows.into_iter().find(|(endings, _)| is_its(endings));
    found.map(|(_, format)| format)
}

/// Names that feeds have, with endings that other files have too.
pub(crate) fn is_usual_for_feeds(name: &[u8]) -> bool {
    ["feed.xml", "rss.xml", "atom.xml", "index.xml", "feed.json"]
        .iter()
        .any(|usual| name.eq_ignore_ascii_case(usual.as_bytes()))
}

/// Names that sitemaps and OPML have: `sitemap.xml`, `wp-sitemap-posts-post-1.xml`, `blogroll.opml`.
pub(crate) fn is_usual_for_lists(name: &[u8]) -> bool {
    let names_a_map = || {
        name.windows(7)
            .any(|it| it.eq_ignore_ascii_case(b"sitemap"))
    };
    is_named(name, "opml") || is_named(name, "xml") && names_a_map()
}

/// Whether a name has this extension, at its end or before a query.
pub(crate) fn is_named(name: &[u8], ending: &str) -> bool {
    let mut marks = memchr::memchr2_iter(b'?', b'@', name);
    ends_in(name, ending) || marks.any(|mark| ends_in(&name[..mark], ending))
}

/// How this name is compared with several endings: a query is looked for once, not for each of them.
pub(crate) fn comparison(name: &[u8]) -> fn(&[u8], &str) -> bool {
    let has_query = memchr::memchr2(b'?', b'@', name).is_some();
    if has_query { is_named } else { ends_in }
}

fn ends_in(name: &[u8], ending: &str) -> bool {
    // A name that is only an ending has none.
    let dot = name.len().checked_sub(ending.len() + 1);
    dot.filter(|&dot| dot > 0 && name[dot] == b'.')
        .is_some_and(|dot| name[dot + 1..].eq_ignore_ascii_case(ending.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_say() {
        let html = Some(Kind::HTML);
        let xhtml = Some(Kind::XHTML);
        for (name, expected) in [
            ("a.XHTML", xhtml),
            ("a.xht?b", xhtml),
            ("a.xhtml.html", html),
            ("a.mht.html", html),
            ("page.MHTML", Some(Kind::MESSAGE)),
            ("Inbox.mbox", Some(Kind::MESSAGE)),
            ("12.partial.emlx", Some(Kind::MESSAGE)),
            ("b.rss", Some(Kind::FEED)),
            ("b.Atom@x=1", Some(Kind::FEED)),
            ("c.warc.GZ", Some(Kind::Archive)),
            ("c.gz", None),
            (".warc.gz", None),
            ("s.css?v=3", Some(Kind::STYLE_SHEET)),
            ("site.webmanifest?v=3", Some(Kind::MANIFEST)),
            ("feed.xml", None),
            ("-", None),
        ] {
            assert_eq!(by_name(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn a_style_sheet_is_not_searched_for() {
        assert!(default_endings().all(|ending| !["css", "webmanifest", "wacz"].contains(&ending)));
    }
}
