//! What reading one document told.

use super::Tally;
use super::growth::{Growth, OUTGROWN};
use super::verify::Disagreement;
use crate::base::{self, Context, Established};

/// What reading one document told. [`examine`](super::examine) and [`rewrite_bytes`](super::rewrite_bytes)
/// give it.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let examined = rewrite_bytes(b"<a href=x>", Syntax::Html, &context, &settings).examined;
/// assert!(examined.established.base.is_none());
/// assert_eq!(examined.tally.unresolved, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examined {
    /// Its base URL and the rung that gave it.
    pub established: Established,
    /// Its references by outcome.
    pub tally: Tally,
    /// Why the document is left as it is: its encoding cannot be handled, or it would grow by more
    /// than [`growth_limit`](super::growth_limit).
    pub left: Option<&'static str>,
    /// Where the second reader does not agree with what was made of the document, if it does not
    /// ([`Settings::verify`](super::Settings::verify)): then it is left as it is as well.
    pub disagreement: Option<Disagreement>,
    /// At most so many bytes stand where the relative references of a document stood that is
    /// rewritten.
    pub growth: u64,
}

impl Examined {
    /// What a pass has found, which may have ended early.
    pub(super) fn new(established: Established, tally: Tally, growth: Growth) -> Examined {
        let outgrown = growth.is_exceeded();
        Examined {
            established,
            tally: if outgrown { Tally::default() } else { tally },
            left: outgrown.then_some(OUTGROWN),
            disagreement: None,
            growth: growth.used,
        }
    }

    /// A document of which nothing is known but its base URL.
    #[doc(hidden)]
    pub fn of(established: Established) -> Examined {
        Examined::new(established, Tally::default(), Growth::up_to(0))
    }

    pub(crate) fn left(context: &Context, reason: &'static str) -> Examined {
        let established = base::establish(None, context, Default::default());
        Examined {
            left: Some(reason),
            ..Examined::of(established)
        }
    }
}
