//! The second reader of `rewrite --verify`: it is told which bytes of a document were replaced, and by
//! what, and says whether these edits change references only.
//!
//! All other bytes are the same ([`crate::text::edits`]). lol_html says where the tags and values of the document
//! are, quick-xml does for XHTML ([`crate::markup`]). An edit has to be in one value or text that is a place of URLs
//! ([`crate::compare`]), and leave it there: it ends where it ended. In what the place spells before and after
//! ([`crate::text`]), the edit is inside a URL ([`crate::grammar`]), and each URL means the same
//! ([`crate::meaning`]). `noscript` and `srcdoc` are read again as documents.
//!
//! In a value that gets quotes, what is no URL only has to mean the same.
//!
//! That no reference was missed is not shown: what has no edit is not looked at, except where the document gets
//! another base URL.
//!
//! Of the document it is told the encoding and the base URL. That this is what its `base` element
//! says is checked at the end. What it shares with the first reader ([`abslink_html::shared`]) is neither the
//! locator nor what writes.
//!
//! lol_html builds no tree, so it may take markup for text, or text for markup, where a browser does not: behind
//! `svg` or `math` that another end tag closes, behind `frameset`, and in a `template` with a `col`. There
//! [`Tag::is_sure`](crate::markup::Tag) is false, and what it takes for text may be confirmed as markup too: an
//! edit in the raw text of such a document may be missed, but no right one is refused.
//!
//! It does not know what a `table`, a `select` or a `template` does to a `base`: behind the first of
//! these, any `base` element may be the one that counts, and in a document with a `frameset` anywhere.
//!
//! quick-xml expects documents that are well-formed: from where one is not, nothing may change. Names that
//! a document type declaration gives to text, and a `base` element that it spells, are not looked for.

use crate::compare::whole::{begin, sheet, whole};
use crate::feed;
use crate::markup::html::TagFilter;
#[cfg(debug_assertions)]
use crate::planted::Planted;
use abslink_html::Disagreement;
#[cfg(debug_assertions)]
use abslink_html::shared::Change;
use abslink_html::shared::{DocumentParameters, Edited, FeedParameters, PieceReader, SecondReader};

/// The second reader.
#[derive(Default)]
pub(crate) struct Reader {
    #[cfg(debug_assertions)]
    pub(crate) planted: Option<Planted>,
}

impl SecondReader for Reader {
    fn begin<'v>(&self, parameters: DocumentParameters<'_, 'v>) -> Box<dyn PieceReader + 'v> {
        Box::new(begin(parameters, TagFilter::Every))
    }

    fn whole(
        &self,
        parameters: DocumentParameters<'_, '_>,
        edited: Edited<'_>,
    ) -> Result<(), Disagreement> {
        whole(parameters, edited)
    }

    fn sheet(
        &self,
        parameters: DocumentParameters<'_, '_>,
        edited: Edited<'_>,
    ) -> Result<(), Disagreement> {
        sheet(parameters, edited)
    }

    fn feed(
        &self,
        parameters: &FeedParameters<'_>,
        edited: Edited<'_>,
    ) -> Result<(), Disagreement> {
        feed::compare(parameters, edited)
    }

    #[cfg(debug_assertions)]
    fn plant(&self, new: &mut Vec<u8>, changes: &mut Vec<Change>) {
        if let Some(planted) = &self.planted {
            planted.plant(new, changes);
        }
    }
}
