//! What became of one reference.

use std::borrow::Cow;

use super::form::Replacement;
use crate::base::BaseSource;
use crate::places::attributes::{Against, Row};
use crate::report::outcome::Outcome;
use abslink_url::{Divergence, DivergenceClass};

#[derive(Debug, Default)]
pub(crate) struct Resolution<'r> {
    /// The reference after the pre-step.
    pub(crate) reference: Cow<'r, str>,
    pub(crate) outcome: Outcome,
    pub(crate) resolved: Option<&'r str>,
    /// What is written in its place.
    pub(crate) replacement: Replacement<'r>,
    pub(crate) base: Option<&'r str>,
    pub(crate) base_from: BaseSource,
    pub(crate) divergence: Option<Divergence>,
    /// Whether it can only be the name of a file, in a document whose other links are taken as they
    /// are.
    pub(crate) is_certain_name: bool,
    /// Whether it is the name of a file whose URL is a guess.
    pub(crate) is_guess: bool,
    /// Whether it leads to a file that a browser has saved with the document.
    pub(crate) is_saved: bool,
    /// Whether it is relative to something in a tree whose URL is not known.
    pub(crate) is_nameless: bool,
    /// Whether it leads to a web archive, which made it, and stays so.
    pub(crate) is_wrapped: bool,
    /// Whether it is where an import map says that a module is.
    pub(crate) is_module: bool,
    /// How many bytes at the end of `resolved` are the template's, and are in the document already.
    pub(crate) unfilled: usize,
    /// Whether it leads above the root of its server.
    pub(crate) is_above_root: bool,
}

impl<'r> Resolution<'r> {
    /// For a reference whose meaning cannot be told.
    pub(crate) fn unresolved(reference: &'r str) -> Resolution<'r> {
        Resolution {
            reference: Cow::Borrowed(reference),
            ..Resolution::default()
        }
    }

    /// Whether it is resolved against the document's own URL, whatever the `base` element says.
    pub(crate) fn needs_own_url(&self, row: &Row) -> bool {
        let is_relative = matches!(
            self.outcome,
            Outcome::Relative | Outcome::Present | Outcome::Unresolved
        );
        is_relative && matches!(row.against, Against::Fallback | Against::Retrieval)
    }

    /// Whether a browser fetches it from elsewhere because it comes before the `base` element.
    pub(crate) fn is_before_base(&self) -> bool {
        let divergence = self.divergence.as_ref();
        divergence.is_some_and(|divergence| divergence.class == DivergenceClass::BeforeBase)
    }

    /// The reference's absolute form, if it has one.
    pub(crate) fn absolute(&self) -> Option<&str> {
        match self.outcome {
            Outcome::Absolute => Some(&self.reference),
            _ => self.resolved,
        }
    }

    /// For a reference that stays because a comment asks for that.
    pub(crate) fn ignored(reference: &'r str) -> Resolution<'r> {
        Resolution {
            outcome: Outcome::Excluded,
            ..Resolution::unresolved(reference)
        }
    }

    /// Takes back that it was resolved, since a comment asks for that.
    pub(crate) fn ignore(&mut self) {
        self.replacement = Replacement::default();
        self.outcome = Outcome::Excluded;
        (self.resolved, self.divergence) = (None, None);
        (self.is_certain_name, self.is_guess) = (false, false);
        self.is_saved = false;
        self.is_wrapped = false;
        self.is_above_root = false;
    }

    /// Takes back that it was resolved, without counting it as left: it is right as it is.
    pub(crate) fn stays(&mut self) {
        if self.outcome == Outcome::Relative {
            let form = self.replacement.form;
            self.replacement = Replacement {
                form,
                ..Replacement::default()
            };
            (self.resolved, self.divergence) = (None, None);
        }
    }

    /// Takes back that it was resolved, if it was.
    pub(crate) fn cannot_be_resolved(&mut self) {
        self.replacement = Replacement::default();
        if self.outcome.is_resolved() && !self.is_saved {
            self.outcome = Outcome::Unresolved;
            (self.resolved, self.divergence) = (None, None);
            self.is_certain_name = false;
            self.is_above_root = false;
        }
    }
}
