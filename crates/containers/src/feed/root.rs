//! What a feed is: by its root, and by nothing else.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use abslink_html::json::{self, Scanner, Token};
use abslink_html::markup::spaces;

use crate::values::xml_root::Root;

/// What the elements of a feed, or its members, are called and mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// RSS 0.91 to 2.0: the root is `rss`.
    Rss,
    /// RSS 0.9 and 1.0: the root is RDF's.
    Rdf,
    /// Atom 1.0 (RFC 4287) and 0.3; the root is a `feed`, or an `entry` alone.
    Atom,
    /// JSON Feed.
    Json,
    /// A web app manifest, which nothing in it tells from other JSON.
    Manifest,
    /// Speculation rules, likewise.
    SpeculationRules,
    /// A sitemap, or an index of sitemaps.
    Sitemap,
    /// OPML: a list of feeds.
    Opml,
}

pub(super) const ATOM: &[u8] = b"http://www.w3.org/2005/Atom";
pub(super) const ATOM_03: &[u8] = b"http://purl.org/atom/ns#";
/// The namespaces of sitemaps: that of sitemaps.org, and Google's older one.
const SITEMAPS: [&[u8]; 2] = [
    b"http://www.sitemaps.org/schemas/sitemap/0.9",
    b"http://www.google.com/schemas/sitemap/0.84",
];
/// What the `xhtml:link` of many sitemaps is in, beside XHTML's own namespace.
pub(super) const XHTML_IN_SITEMAPS: &[u8] = b"http://www.w3.org/TR/xhtml11/xhtml11_schema.html";
/// RSS 1.1, which no reader of feeds knows any more.
const RSS_11: &[u8] = b"http://purl.org/net/rss1.1#";
pub(super) const RDF: &[u8] = b"http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/// The namespaces of RSS 1.0 and 0.9.
pub(super) const RSS_IN_RDF: [&[u8]; 2] = [
    b"http://purl.org/rss/1.0/",
    b"http://my.netscape.com/rdf/simple/0.9/",
];

/// Whether a document that begins so is a feed, if only one that is left.
#[doc(hidden)]
pub fn is_feed(head: &[u8]) -> bool {
    let head = plain(head);
    Dialect::of(&head).is_some_and(|dialect| !dialect.is_list())
        || match unread(&head) {
            // Other XML has such a root, too.
            Some(NO_NAMESPACE) => memchr::memmem::find(&head, b"<entry").is_some(),
            unread => unread.is_some(),
        }
}

/// Whether a document that begins so lists pages or feeds: a sitemap, or OPML.
#[doc(hidden)]
pub fn is_list(head: &[u8]) -> bool {
    Dialect::of(&plain(head)).is_some_and(Dialect::is_list)
}

/// Why an Atom feed by the names of its elements is not read.
const NO_NAMESPACE: &str = "the root element has no namespace, so this is not Atom: add \
                            xmlns=\"http://www.w3.org/2005/Atom\"";

/// Why a document that begins so is not read, though it is a feed.
fn unread(head: &[u8]) -> Option<&'static str> {
    let root = Root::of(head)?;
    match (root.local, root.namespace()) {
        (b"Channel", Some(own)) if own == RSS_11 => {
            Some("an RSS 1.1 feed, which abslink does not read: publish RSS 2.0 or Atom")
        }
        (b"feed", None | Some(b"")) => Some(NO_NAMESPACE),
        _ => None,
    }
}

/// Why a document that begins so is not read as a feed.
pub(super) fn refusal(head: &[u8]) -> &'static str {
    unread(head)
        .unwrap_or("not a feed: the root is not that of RSS, Atom, JSON Feed, a sitemap or OPML")
}

/// Looks at the root element of a document that begins so: at its local name, and at its namespace. Nothing
/// where it begins with none.
#[doc(hidden)]
pub fn with_root<T>(head: &[u8], look: impl FnOnce(&[u8], Option<&[u8]>) -> T) -> Option<T> {
    let head = plain(head);
    let root = Root::of(&head)?;
    Some(look(root.local, root.namespace()))
}

/// The first bytes of a document, in an encoding that ASCII is a part of.
fn plain(head: &[u8]) -> Cow<'_, [u8]> {
    let (encoding, bom) = match Encoding::for_bom(head) {
        Some((encoding, length)) => (Some(encoding), length),
        None if head.starts_with(b"<\0?\0") => (Some(UTF_16LE), 0),
        None if head.starts_with(b"\0<\0?") => (Some(UTF_16BE), 0),
        None => (None, 0),
    };
    match encoding {
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => {
            let (text, _) = encoding.decode_without_bom_handling(&head[bom..]);
            Cow::Owned(text.into_owned().into_bytes())
        }
        _ => Cow::Borrowed(&head[bom..]),
    }
}

impl Dialect {
    pub(super) fn is_json(self) -> bool {
        matches!(
            self,
            Dialect::Json | Dialect::Manifest | Dialect::SpeculationRules
        )
    }

    /// Whether it lists pages or feeds, and has no items with content.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Dialect::Sitemap | Dialect::Opml)
    }

    /// The dialect of a feed that begins so; `None` where it is none. A byte order mark is not part of
    /// the head.
    pub(super) fn of(head: &[u8]) -> Option<Dialect> {
        let start = spaces(head);
        match head.get(start)? {
            b'{' => has_version(&head[start..]).then_some(Dialect::Json),
            b'<' => Dialect::of_root(&Root::of(head)?),
            _ => None,
        }
    }

    fn of_root(root: &Root<'_>) -> Option<Dialect> {
        let own = root.namespace();
        match root.local {
            b"rss" => Some(Dialect::Rss),
            b"feed" | b"entry" => own
                .is_some_and(|own| own == ATOM || own == ATOM_03)
                .then_some(Dialect::Atom),
            b"urlset" | b"sitemapindex" => own
                .is_some_and(|own| SITEMAPS.contains(&own))
                .then_some(Dialect::Sitemap),
            b"opml" => Some(Dialect::Opml),
            b"RDF" => {
                let mut declared = root.declared.iter();
                let declares_rss = declared.any(|(_, to)| RSS_IN_RDF.contains(to));
                (own == Some(RDF) && declares_rss).then_some(Dialect::Rdf)
            }
            _ => None,
        }
    }
}

/// Whether an object has a member `version` that is JSON Feed's.
fn has_version(head: &[u8]) -> bool {
    let mut scanner = Scanner::new(head);
    let mut key = None;
    while let Some(token) = scanner.next() {
        match token {
            Token::Key(span) if scanner.depth() == 1 => key = Some(json::decode(&head[span])),
            Token::String(span) if scanner.depth() == 1 && key.as_deref() == Some("version") => {
                let version = json::decode(&head[span]);
                let after = [
                    "https://jsonfeed.org/version/",
                    "http://jsonfeed.org/version/",
                ];
                return after.iter().any(|start| version.starts_with(start));
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        let rdf = "xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'";
        let atom = "xmlns='http://www.w3.org/2005/Atom'";
        for (text, expected) in [
            ("<rss version='2.0'>".to_owned(), Some(Dialect::Rss)),
            ("<?xml version='1.0'?>\n<!-- <a> --><?x y?><!DOCTYPE rss [<!ENTITY a '>'>]><rss>".to_owned(), Some(Dialect::Rss)),
            (format!(" <feed {atom}>"), Some(Dialect::Atom)),
            ("<a:entry xmlns:a=\"http://purl.org/atom/ns#\"/>".to_owned(), Some(Dialect::Atom)),
            ("<feed>".to_owned(), None),
            (format!("<r:RDF {rdf} xmlns='http://purl.org/rss/1.0/'>"), Some(Dialect::Rdf)),
            (format!("<r:RDF {rdf} xmlns='http://my.netscape.com/rdf/simple/0.9/'>"), Some(Dialect::Rdf)),
            (format!("<r:RDF {rdf}>"), None),
            ("<urlset>".to_owned(), None),
            ("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>".to_owned(), Some(Dialect::Sitemap)),
            ("<s:sitemapindex xmlns:s='http://www.google.com/schemas/sitemap/0.84'>".to_owned(), Some(Dialect::Sitemap)),
            ("<html xmlns='http://www.w3.org/1999/xhtml'><rss>".to_owned(), None),
            ("<opml>".to_owned(), Some(Dialect::Opml)),
            ("<rss".to_owned(), None),
            ("x<rss>".to_owned(), None),
            ("{\"title\": \"a}\\\"\", \"a\": {\"version\": 1}, \"version\": \"https:\\/\\/jsonfeed.org/version/1\"}".to_owned(), Some(Dialect::Json)),
            ("{\"a\": {\"version\": \"https://jsonfeed.org/version/1\"}}".to_owned(), None),
            ("{\"version\": \"1\"}".to_owned(), None),
            ("[]".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(Dialect::of(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn encodings() {
        let wide = |text: &str| {
            text.encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect::<Vec<_>>()
        };
        assert!(is_feed(&wide("\u{feff}<rss>")));
        assert!(is_feed(&wide("<?xml version='1.0'?><rss>")));
        assert!(is_feed("\u{feff}<rss>".as_bytes()));
        assert!(!is_feed(&wide("<rss>")));
        assert!(is_list(&wide("\u{feff}<opml>")) && !is_feed(b"<opml>") && !is_list(b"<rss>"));
    }
}
