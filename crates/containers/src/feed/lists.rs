//! The vocabularies of sitemaps (sitemaps.org, and Google's extensions for images and videos) and of OPML.
//!
//! Their URLs are relative to the list's own, whatever an `xml:base` says: no reader of lists knows it.
//! The `xhtml:link` of sitemaps is read as XHTML.

use super::elements::{Space, Text, attribute_of_extension, of_extension, url};
use abslink_html::Row;

static OF_OUTLINE: [Row; 3] = [url("xmlUrl"), url("htmlUrl"), url("url")];

/// The row of an attribute without a prefix.
pub(super) fn attribute(space: Space, element: &[u8], name: &[u8]) -> Option<&'static Row> {
    match (space, element) {
        (Space::Opml, b"outline") => {
            let mut rows = OF_OUTLINE.iter();
            rows.find(|row| row.attribute.as_bytes() == name)
        }
        _ => attribute_of_extension(space, element, name),
    }
}

/// What the content of an element is.
pub(super) fn text(space: Space, element: &[u8]) -> Text {
    match space {
        Space::Sitemap if element == b"loc" => Text::Url,
        Space::Extension("sitemap-image" | "sitemap-video") => of_extension(space, element),
        _ => Text::Plain,
    }
}
