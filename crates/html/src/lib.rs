#![doc = include_str!("../README.md")]
// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

// From the ground up: each imports only from those above it (testdata/rooms.txt).
pub mod base;
pub mod locate;
mod merge;
mod places;
mod report;
mod resolve;
mod rewrite;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod values;

#[doc(inline)]
pub use abslink_url::{
    BaseUrl, Divergence, DivergenceClass, InvalidUrl, Resolver, UnknownResolver, UnsuitableBase,
    pre_step,
};
pub use base::moves::{MappedPrefix, MappedPrefixError, MappedPrefixes};
pub use base::{BaseSource, Context, DocumentBase, RelativeBase, Retrieval, document_base};
pub use locate::Syntax;
pub use places::attributes::ValueKind;
pub use places::custom_attributes::{CustomAttribute, CustomAttributeError, CustomAttributes};
pub use places::groups::{Group, GroupCounts, Groups, UnknownGroup};
pub use report::examined::Examined;
pub use report::outcome::Outcome;
pub use report::reference::Reference;
pub use report::tally::Tally;
#[doc(hidden)]
pub use resolve::replay::unwrapped;
pub use rewrite::chunked::{ChunkedRewriter, Seen};
pub use rewrite::document::{DocumentRewriter, Rewritten, edits, examine, rewrite, rewrite_bytes};
pub use rewrite::error::RewriteError;
pub use rewrite::prescan::{BasePrescan, DocumentInfo, EncodingPrescan};
pub use rewrite::rewriter::{Ended, Prescan, Rewriter};
pub use rewrite::sheet;
#[cfg(feature = "exclude")]
pub use settings::exclude::PatternError;
pub use settings::exclude::ReferencePattern;
pub use settings::placeholder::Placeholders;
pub use settings::second_reader::{Disagreement, Verify};
pub use settings::site::{Site, To};
pub use settings::{Engine, Fragments, Settings};
pub use text::splice::Edit;

/// RFC 1808 §3.3: which URL a document was retrieved from, by what is known about its file.
pub mod retrieval {
    pub use crate::base::retrieval::mirror::ConvertedLinks;
    pub use crate::base::retrieval::repo::{Repo, RepoError};
    pub use crate::base::retrieval::tree::Tree;
    pub use crate::base::retrieval::url_evidence::{Caveat, UrlEvidence};
    #[cfg(feature = "url-map")]
    pub use crate::base::retrieval::url_map::{MapError, UrlMap};
    pub use crate::base::retrieval::xattr::Origin;
    pub use crate::base::retrieval::{Assumptions, Evidence, Layout, Sources};
}

// For the other crates here, which find references in feeds, messages and archives. Not part of the
// face: anything here may change in any release.
/// What a second reader is told, and the little that it shares with the first one.
#[doc(hidden)]
pub mod shared {
    pub use crate::locate::xml::Doctype;
    pub use crate::locate::{Namespace, Quote};
    pub use crate::merge::Merge;
    pub use crate::places::attributes::lookup::{Lookup, LookupKey};
    pub use crate::places::attributes::{Against, Row, XML_STYLESHEET};
    pub use crate::places::attributes::{
        MARKDOWN_AUTOLINK, MARKDOWN_DEFINITION, MARKDOWN_DEFINITION_OF_IMAGE, MARKDOWN_IMAGE,
        MARKDOWN_LINK,
    };
    pub use crate::places::custom_attributes::Wanted;
    pub use crate::resolve::document_base::{document_base, document_base_in};
    pub use crate::settings::second_reader::{
        DocumentParameters, FeedParameters, Pair, PieceReader, SecondReader,
    };
    pub use crate::text::encoding::Charset;
    pub use crate::text::markdown::{Destination, escaped as escaped_destination};
    pub use crate::text::splice::Change;
    pub use crate::text::value::{Delimiter, Value, ValueContext};
    pub use crate::values::json::{LinkedDataBase, linked_data_base};
    pub use crate::values::references::{decode, urls};
}

/// Template placeholders, and base URLs that have them.
#[doc(hidden)]
pub mod placeholder {
    pub use crate::resolve::document_base::{document_base, has_placeholder};
    pub use crate::settings::placeholder::{each, is_json};
}

#[doc(hidden)]
pub use {
    locate::xml::{markup, prefixes},
    places::attributes::{Against, Row},
    places::custom_attributes::Wanted,
    report::growth::{HELD, OUTGROWN, limit as growth_limit},
    rewrite::given_places,
    rewrite::texts::TextRewriter,
    text::encoding::utf16_by_markup,
    text::splice::{sort_by_number, splice},
    text::unquoted::UnquotedField,
    text::{line_column, sniff},
    values::json,
};
