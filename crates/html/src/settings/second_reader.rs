//! Where a second reader comes in that has to agree with what is made of a document. The crate
//! abslink-verify has one; it shares no code with this crate but what it is told here.

use std::fmt;
use std::sync::Arc;

use encoding_rs::Encoding;

use super::Settings;
use crate::base::{Context, DocumentBase};
use crate::locate::Syntax;
use crate::places::feed::FeedPlaces;
use crate::text::splice::Change;
use crate::text::value::Delimiter;

/// Where the second reader does not agree with what was made of a document, and why.
///
/// # Examples
/// ```
/// let what = "a tag is gone".to_owned();
/// let found = abslink_html::Disagreement { line: 3, column: 1, what, is_bug: true };
/// let text = "unchanged: the second reader disagrees: a tag is gone; please report this";
/// assert_eq!(found.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unchanged: the second reader disagrees: {what}{}", self.report())]
pub struct Disagreement {
    /// Line in the document as it was, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// What is not as it should be.
    pub what: String,
    /// Whether abslink is wrong, and not the document odd.
    pub is_bug: bool,
}

impl Disagreement {
    /// What follows in a message.
    #[doc(hidden)]
    pub fn report(&self) -> &'static str {
        if self.is_bug {
            "; please report this"
        } else {
            ""
        }
    }
}

/// Whether a second reader has to agree with what is made of a document: that nothing but
/// references has changed, and that each means what it meant.
///
/// # Examples
/// ```
/// use abslink_html::{Settings, Verify};
///
/// // Nobody else looks at it, unless a second reader is given.
/// assert_eq!(Settings::default().verify, Verify::default());
/// ```
#[derive(Clone, Default)]
pub struct Verify(Option<Arc<dyn SecondReader>>);

impl Verify {
    /// This reader has to agree: where it does not, the document stays as it is ([`Disagreement`]).
    pub fn by(reader: impl SecondReader + 'static) -> Verify {
        Verify(Some(Arc::new(reader)))
    }

    /// Whether there is a second reader.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Asks the reader, by `compare`, about what was made of a document, which stands in `out` from `start`
    /// on, and drops that where it does not agree. A reader of tests may plant a fault in it. That of a feed is told by
    /// `changes` where it was changed.
    #[doc(hidden)]
    pub fn check<E>(
        &self,
        out: &mut Vec<u8>,
        start: usize,
        changes: impl FnOnce() -> Vec<Change>,
        compare: impl FnOnce(&dyn SecondReader, &[u8], &[Change]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(reader) = self.0.as_deref() else {
            return Ok(());
        };
        let (mut new, mut changes) = (out.split_off(start), changes());
        reader.plant(&mut new, &mut changes);
        compare(reader, &new, &changes)?;
        out.append(&mut new);
        Ok(())
    }

    /// Begins to read a document that comes in pieces.
    pub(crate) fn begin<'v>(
        &self,
        known: DocumentParameters<'_, 'v>,
    ) -> Option<Box<dyn PieceReader + 'v>> {
        self.0.as_deref().map(|reader| reader.begin(known))
    }
}

impl fmt::Debug for Verify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_on() { "On" } else { "Off" })
    }
}

/// Two are the same if both have a reader, or none has.
impl PartialEq for Verify {
    fn eq(&self, other: &Verify) -> bool {
        self.is_on() == other.is_on()
    }
}

/// Reads documents before and after, and says where it does not agree. What it gets may change in any
/// release.
#[doc(hidden)]
pub trait SecondReader: Send + Sync {
    /// At the start of a document that comes in pieces.
    fn begin<'v>(&self, known: DocumentParameters<'_, 'v>) -> Box<dyn PieceReader + 'v>;

    /// Compares a document with what was made of it.
    fn whole(&self, known: DocumentParameters<'_, '_>, pair: Pair<'_>) -> Result<(), Disagreement>;

    /// Compares a style sheet with what was made of it.
    fn sheet(&self, known: DocumentParameters<'_, '_>, pair: Pair<'_>) -> Result<(), Disagreement>;

    /// Compares a feed with what was made of it, and where these differ, in ascending order. Of one that had to be decoded,
    /// the changes are those of its text.
    fn feed(
        &self,
        known: &FeedParameters<'_>,
        pair: Pair<'_>,
        changes: &[Change],
    ) -> Result<(), Disagreement>;

    /// Changes what was made of a document. Stands in for a bug, so that tests see what becomes of it.
    fn plant(&self, _new: &mut Vec<u8>, _changes: &mut Vec<Change>) {}
}

/// A document or a part of one, and what was made of it.
#[doc(hidden)]
pub type Pair<'t> = [&'t [u8]; 2];

/// A document that is read in pieces.
#[doc(hidden)]
pub trait PieceReader {
    /// Takes the next bytes of the document, and what they have become.
    fn take(&mut self, pair: Pair<'_>, last: bool) -> Result<(), Disagreement>;
}

/// What the second reader is told of a document, besides its bytes.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct DocumentParameters<'t, 'c> {
    pub syntax: Syntax,
    pub encoding: &'static Encoding,
    pub document_base: &'t DocumentBase,
    pub context: &'c Context,
    pub settings: &'c Settings,
}

/// What it is told of a feed: where its places are, of which kind, and with which base URL.
#[doc(hidden)]
pub struct FeedParameters<'t> {
    /// What its bytes are in.
    pub encoding: &'static Encoding,
    pub places: &'t FeedPlaces,
    pub bases: &'t [(Context, DocumentBase)],
    pub settings: &'t Settings,
    /// Where the places begin that are values with a grammar of their own: what has read them compares them.
    pub values: &'t [usize],
    /// How each place is delimited where that does not depend on the place, as in JSON.
    pub delimiter: Option<Delimiter>,
}
