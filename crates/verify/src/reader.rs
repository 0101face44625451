//! The second reader of `rewrite --verify`: it is given a document and what was made of it, and says whether references
//! alone have changed.
//!
//! Two tokenizers, for HTML and for XML, say where the tags and values of both documents are ([`crate::markup`]): their
//! tokens are the same ([`crate::compare::Comparison`]), but for values and texts that are places of URLs. In what such a
//! place spells before and after ([`crate::text`]), all but the URLs is the same ([`crate::grammar`]), and each URL means
//! the same ([`crate::meaning`]). `noscript` and `srcdoc` are read again as documents.
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
//! It builds no tree, so it may take markup for text, or text for markup, where a browser does not: behind
//! `svg` or `math` that another end tag closes, behind `frameset`, and in a `template` with a `col`. There
//! [`Tag::is_sure`](crate::markup::Tag) is false, and what it takes for text may be confirmed as markup too: an
//! edit in the raw text of such a document may be missed, but no right one is refused.
//!
//! It does not know what a `table`, a `select` or a `template` does to a `base`: behind the first of
//! these, any `base` element may be the one that counts, and in a document with a `frameset` anywhere.
//!
//! Names that a document type declaration gives to text, and a `base` element that it spells, are not looked for.

use encoding_rs::{Encoding, ISO_2022_JP};

use crate::compare::Comparison;
use crate::compare::values::{IN_TEXT, Rules};
use crate::fault::{Difference, Fault, Result};
use crate::feed;
use crate::markup::document::Document;
#[cfg(debug_assertions)]
use crate::planted::Planted;
use abslink_html::shared::{
    Change, Delimiter, DocumentParameters, FeedParameters, Pair, PieceReader, SecondReader,
};
use abslink_html::{Disagreement, Syntax, ValueKind};

/// The second reader.
#[derive(Default)]
pub(crate) struct Reader {
    #[cfg(debug_assertions)]
    pub(crate) planted: Option<Planted>,
}

impl SecondReader for Reader {
    fn begin<'v>(&self, parameters: DocumentParameters<'_, 'v>) -> Box<dyn PieceReader + 'v> {
        Box::new(Comparison::in_pieces(Rules::new(parameters)))
    }

    fn whole(
        &self,
        parameters: DocumentParameters<'_, '_>,
        pair: Pair<'_>,
    ) -> Result<(), Disagreement> {
        if !IN_TEXT.contains(&parameters.encoding) {
            return whole(parameters, pair);
        }
        let [old, new] = texts(parameters.encoding, pair).map_err(at_start)?;
        whole(parameters, [old.as_bytes(), new.as_bytes()])
    }

    fn sheet(
        &self,
        parameters: DocumentParameters<'_, '_>,
        pair: Pair<'_>,
    ) -> Result<(), Disagreement> {
        let rules = Rules::new(parameters);
        let text = |pair: Pair<'_>| rules.text(ValueKind::CssFile, Delimiter::RawText, pair);
        let compared = if IN_TEXT.contains(&parameters.encoding) {
            let texts = texts(parameters.encoding, pair);
            texts.and_then(|[old, new]| text([old.as_bytes(), new.as_bytes()]))
        } else {
            text(pair)
        };
        compared.map_err(at_start)
    }

    fn feed(
        &self,
        parameters: &FeedParameters<'_>,
        pair: Pair<'_>,
        changes: &[Change],
    ) -> Result<(), Disagreement> {
        feed::compare(parameters, pair, changes)
            .map_err(|difference| told(difference, pair[0], Syntax::Xml))
    }

    #[cfg(debug_assertions)]
    fn plant(&self, new: &mut Vec<u8>, changes: &mut Vec<Change>) {
        if let Some(planted) = &self.planted {
            planted.plant(new, changes);
        }
    }
}

/// Compares a document with what was made of it.
fn whole(parameters: DocumentParameters<'_, '_>, [old, new]: Pair<'_>) -> Result<(), Disagreement> {
    let is_marked = |bytes| Encoding::for_bom(bytes).is_some();
    if is_marked(new) && !is_marked(old) {
        return Err(at_start(Fault::BYTE_ORDER_MARK));
    }
    let compare = |stays_foreign| {
        let mut rules = Rules::new(parameters);
        rules.stays_foreign = stays_foreign;
        Comparison::new(rules).take([old, new], true)
    };
    compare(false).or_else(|difference| {
        let first = told(difference, old, parameters.syntax);
        // Where an end tag may have misled it, the other guess may be the right one.
        match first.is_bug {
            true => Err(first),
            false => compare(true).map_err(|_| first),
        }
    })
}

fn told(difference: Difference, document: &[u8], syntax: Syntax) -> Disagreement {
    let mut again = Document::new(syntax);
    again.take(document, true);
    again.told(difference)
}

fn at_start(fault: Fault) -> Disagreement {
    told(Difference { at: 0, fault }, b"", Syntax::Html)
}

/// The texts of a document and of what was made of it, each of which is spelled in the one way in which
/// an encoder spells it: so where the texts are the same, the bytes are.
fn texts(encoding: &'static Encoding, [old, new]: Pair<'_>) -> Result<[String; 2]> {
    let length = Encoding::for_bom(old).map_or(0, |(_, length)| length);
    let (mark, old) = old.split_at(length);
    let new = new.strip_prefix(mark).ok_or(Fault::BYTE_ORDER_MARK)?;
    let text = |bytes| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        let text = text.ok_or(Fault::ENCODING)?;
        // encoding_rs has no encoder for UTF-16, in which no character is spelled in two ways.
        if encoding == ISO_2022_JP && *encoding.encode(&text).0 != *bytes {
            return Err(Fault::ENCODING);
        }
        Ok(text.into_owned())
    };
    Ok([text(old)?, text(new)?])
}
