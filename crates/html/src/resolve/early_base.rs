//! Places before the `base` element that counts.
//!
//! RFC 1808 §3.1 gives a document one base URL, wherever the `base` element is. A browser has none until it reads
//! one (HTML standard, "document base URL"): what it fetches while it parses, it resolves against the base URL of
//! that moment. Such references are resolved like all others, and are divergent
//! ([`DivergenceClass::BeforeBase`](abslink_url::DivergenceClass::BeforeBase)). A `srcdoc` document is made at
//! that moment too, and keeps the base URL that it then gets (HTML standard, "fallback base URL").

use super::document_base::document_base_in;
use crate::base::{Context, DocumentBase};
use crate::locate::html::attribute;
use crate::locate::name_filter::is_in;
use crate::places::attributes::{Against, ValueKind};
use crate::places::list::{Places, UrlPlace};
use crate::settings::Settings;
use crate::text::chunk::Chunk;

/// The base URL at the moment when a browser parses a place.
#[derive(Clone)]
pub(crate) struct EarlyBase<'m> {
    context: &'m Context,
    settings: &'m Settings,
    /// From where in the document on the base URL is the final one.
    pub(crate) base_final_from: usize,
    /// The `href` of the `base` element that counts now.
    href: Option<String>,
    /// How many changes in the chunk have been passed.
    changes: usize,
    /// The base URL that this gives, once it has been asked for.
    document_base: Option<DocumentBase>,
}

impl<'m> EarlyBase<'m> {
    /// At the start of a document. From `base_final_from` on the base URL is final.
    pub(crate) fn new(
        context: &'m Context,
        settings: &'m Settings,
        base_final_from: usize,
    ) -> EarlyBase<'m> {
        EarlyBase {
            context,
            settings,
            base_final_from,
            href: None,
            changes: 0,
            document_base: None,
        }
    }

    /// The base URL at the moment when a browser parses a place; called in order.
    pub(crate) fn at(
        &mut self,
        place: &UrlPlace,
        places: &Places,
        chunk: &Chunk<'_>,
    ) -> &DocumentBase {
        self.advance(place.value.start, places, chunk);
        self.document_base.get_or_insert_with(|| {
            let href = self.href.as_deref();
            document_base_in(chunk.charset, href, self.context, self.settings)
        })
    }

    /// Goes on to the next chunk.
    pub(crate) fn leave(&mut self, places: &Places, chunk: &Chunk<'_>) {
        self.advance(chunk.bytes.len(), places, chunk);
        self.changes = 0;
    }

    fn advance(&mut self, to: usize, places: &Places, chunk: &Chunk<'_>) {
        let ahead = places.bases.get(self.changes..).unwrap_or_default();
        for change in ahead.iter().take_while(|change| change.at < to) {
            let href = change.value(chunk.bytes);
            let href = href.and_then(|raw| places.href(raw, chunk.charset, chunk.syntax).ok());
            self.href = href.map(|href| href.into_owned());
            self.document_base = None;
            self.changes += 1;
        }
    }
}

/// What a browser fetches as soon as it has parsed the tag, whatever else its attributes say:
/// attributes, and elements that have them.
const FETCHED: [(&str, &str); 8] = [
    ("background", "body table tbody td tfoot th thead tr"),
    ("data", "object"),
    ("href", "feimage image script use"),
    ("imagesrcset", "link"),
    ("poster", "video"),
    (
        "src",
        "audio embed frame iframe img image script source track video",
    ),
    ("srcset", "img image source"),
    ("xlink:href", "feimage image script use"),
];

/// Link types that a browser acts on by itself. The others are for people to follow.
const FETCHED_LINKS: &str = "apple-touch-icon dns-prefetch icon manifest mask-icon modulepreload \
                             preconnect prefetch preload stylesheet";

/// Whether a browser fetches the target of a place, or decides where it leads, as soon as it has
/// parsed the place. `attribute` is the attribute's name.
pub(crate) fn is_fetched_while_parsing(place: &UrlPlace, attribute: &str, document: &[u8]) -> bool {
    if place.is_inert || place.row.against != Against::Base {
        return false;
    }
    match place.row.kind {
        // The timer of a refresh starts at once, with its present target.
        ValueKind::CssDeclarations
        | ValueKind::CssStylesheet
        | ValueKind::CssFile
        | ValueKind::Refresh
        | ValueKind::ImportMap
        | ValueKind::SpeculationRules
        | ValueKind::Srcdoc => true,
        ValueKind::Url | ValueKind::Srcset => is_fetched_attribute(place, attribute, document),
        _ => false,
    }
}

fn is_fetched_attribute(place: &UrlPlace, name: &str, document: &[u8]) -> bool {
    let element = &document[place.element.clone()];
    let has = |name: &str, list: &str| {
        attribute(document, place.element.end, name).is_some_and(|value| {
            let value = &document[value];
            let value = htmlize::unescape_bytes_in(value, htmlize::Context::Attribute);
            let mut words = value.split(u8::is_ascii_whitespace);
            words.any(|word| is_in(word, list))
        })
    };
    match name {
        "src" if is_in(element, "input") => has("type", "image"),
        "href" if is_in(element, "link") => has("rel", FETCHED_LINKS),
        name => (FETCHED.iter())
            .any(|(attribute, elements)| *attribute == name && is_in(element, elements)),
    }
}
