//! What reading one document told.

use super::growth::{Growth, OUTGROWN};
use super::tally::Tally;
use crate::base::{self, Context, DocumentBase};
use crate::settings::second_reader::Disagreement;

/// The result of reading one document, from [`examine`](crate::examine) or
/// [`rewrite_bytes`](crate::rewrite_bytes).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let examined = rewrite_bytes(b"<a href=x>", Syntax::Html, &context, &settings).examined;
/// assert!(examined.document_base.base.is_none());
/// assert_eq!(examined.tally.unresolved, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examined {
    /// Its base URL and where that comes from.
    pub document_base: DocumentBase,
    /// Its references by outcome.
    pub tally: Tally,
    /// Why the document is left as it is: its encoding cannot be handled, or it would grow by more
    /// than [`growth_limit`](crate::report::growth::limit).
    pub left: Option<&'static str>,
    /// Where the second reader disagrees with the new document, if it does
    /// ([`Settings::verify`](crate::Settings::verify)): then the document is left as it is as well.
    pub disagreement: Option<Disagreement>,
    /// The most bytes that can replace the relative references of a document that is
    /// rewritten.
    pub growth: u64,
    /// Where values with a grammar of their own break off, which stay as they are, and what was expected there.
    #[doc(hidden)]
    pub broken: Vec<(usize, String)>,
}

impl Examined {
    /// What a pass has found, which may have ended early.
    pub(crate) fn new(document_base: DocumentBase, tally: Tally, growth: Growth) -> Examined {
        let outgrown = growth.is_exceeded();
        Examined {
            document_base,
            tally: if outgrown { Tally::default() } else { tally },
            left: outgrown.then_some(OUTGROWN),
            disagreement: None,
            growth: growth.used,
            broken: Vec::new(),
        }
    }

    /// A document of which only the base URL is known.
    #[doc(hidden)]
    pub fn of(document_base: DocumentBase) -> Examined {
        Examined::new(document_base, Tally::default(), Growth::up_to(0))
    }

    pub(crate) fn left(context: &Context, reason: &'static str) -> Examined {
        let document_base = base::document_base(None, context, Default::default());
        Examined {
            left: Some(reason),
            ..Examined::of(document_base)
        }
    }
}
