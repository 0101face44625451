//! How files are read, and which names say so.

use crate::html::Syntax;

/// As what files are read that were named themselves, and standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadAs {
    /// One HTML document.
    Html,
    /// One XHTML document.
    Xhtml,
    /// A message: mail, an MHTML archive, or what HTTP sends.
    Message,
    /// A feed: RSS, Atom or JSON Feed.
    Feed,
    /// A web archive (WARC).
    Warc,
    /// A style sheet.
    Css,
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Html(Syntax),
    Message,
    Feed,
    Warc,
    StyleSheet,
}

/// The endings that tell what a file is, in lower case, without the dot; the first so many are those
/// of the files that directories are searched for.
const ENDINGS: [(&str, Format); 14] = [
    ("html", Format::Html(Syntax::Html)),
    ("htm", Format::Html(Syntax::Html)),
    ("xhtml", Format::Html(Syntax::Xml)),
    ("xht", Format::Html(Syntax::Xml)),
    ("shtml", Format::Html(Syntax::Html)),
    ("mht", Format::Message),
    ("mhtml", Format::Message),
    ("eml", Format::Message),
    ("rss", Format::Feed),
    ("atom", Format::Feed),
    ("warc", Format::Warc),
    ("warc.gz", Format::Warc),
    ("warc.zst", Format::Warc),
    ("css", Format::StyleSheet),
];

/// The endings of the files that directories are searched for.
pub(crate) fn default_endings() -> impl Iterator<Item = &'static str> {
    let is_searched = |is| is != Format::StyleSheet;
    let searched = ENDINGS.iter().filter(move |(_, is)| is_searched(*is));
    searched.map(|(ending, _)| *ending)
}

/// Whether the name of a file says that it is a web archive.
#[cfg(feature = "cli")]
pub(crate) fn is_archive(path: &std::path::Path) -> bool {
    by_name(super::path::name(path)) == Some(Format::Warc)
}

/// What the name of a file says that it is.
pub(super) fn by_name(name: &[u8]) -> Option<Format> {
    let found = ENDINGS.iter().find(|(ending, _)| is_named(name, ending));
    found.map(|(_, format)| *format)
}

/// Names that feeds have which no ending tells from other files.
pub(super) fn is_usual_for_feeds(name: &[u8]) -> bool {
    ["feed.xml", "rss.xml", "atom.xml", "index.xml", "feed.json"]
        .iter()
        .any(|usual| name.eq_ignore_ascii_case(usual.as_bytes()))
}

/// Whether a name has this ending, at its end or before a query.
pub(super) fn is_named(name: &[u8], ending: &str) -> bool {
    let is_at_end = |name: &[u8]| {
        // A name that is nothing but an ending has none.
        let dot = name
            .len()
            .checked_sub(ending.len() + 1)
            .filter(|&dot| dot > 0);
        dot.is_some_and(|dot| {
            name[dot] == b'.' && name[dot + 1..].eq_ignore_ascii_case(ending.as_bytes())
        })
    };
    is_at_end(name) || memchr::memchr2_iter(b'?', b'@', name).any(|mark| is_at_end(&name[..mark]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_say() {
        let html = Some(Format::Html(Syntax::Html));
        let xhtml = Some(Format::Html(Syntax::Xml));
        for (name, expected) in [
            ("a.XHTML", xhtml),
            ("a.xht?b", xhtml),
            ("a.xhtml.html", html),
            ("a.mht.html", html),
            ("page.MHTML", Some(Format::Message)),
            ("b.rss", Some(Format::Feed)),
            ("b.Atom@x=1", Some(Format::Feed)),
            ("c.warc.GZ", Some(Format::Warc)),
            ("c.gz", None),
            (".warc.gz", None),
            ("s.css?v=3", Some(Format::StyleSheet)),
            ("feed.xml", None),
            ("-", None),
        ] {
            assert_eq!(by_name(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn a_style_sheet_is_not_searched_for() {
        assert!(default_endings().all(|ending| ending != "css"));
    }
}
