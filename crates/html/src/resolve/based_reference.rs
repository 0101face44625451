//! What the rules are asked about, and what they find out.

use std::borrow::Cow;

use crate::base::BaseSource;
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::retrieval::mirror::NamedFile;
use crate::places::attributes::{Row, ValueKind};
use crate::settings::placeholder;
use abslink_url::BaseUrl;

#[derive(Clone, Copy, Debug)]
pub(crate) struct BasedReference<'a, 'b> {
    pub(crate) row: &'static Row,
    /// As the value spells it, decoded.
    pub(crate) text: &'a str,
    /// After the pre-step.
    pub(crate) reference: &'a str,
    pub(crate) base: Option<&'b BaseUrl>,
    pub(crate) source: BaseSource,
    /// If it has a placeholder: then a letter stands in for that at its end.
    pub(crate) unfilled: Option<&'a Unfilled<'a>>,
    /// Whether it is relative to what is not known.
    pub(crate) has_unknown_base: bool,
}

/// A reference that has a placeholder.
#[derive(Debug)]
pub(crate) struct Unfilled<'a> {
    /// All of it, after the pre-step.
    pub(crate) whole: &'a str,
    /// How much of that comes before the placeholder.
    pub(crate) before: usize,
    /// All of it, with letters in place of placeholders.
    pub(crate) masked: Cow<'a, str>,
}

impl<'a> Unfilled<'a> {
    /// `before` is what comes before the placeholder.
    pub(crate) fn of(whole: &'a str, before: &str) -> Unfilled<'a> {
        let before = before.trim_start_matches(|c| c <= ' ');
        Unfilled {
            whole,
            before: before.len() - before.matches(['\t', '\n', '\r']).count(),
            masked: placeholder::masked(ValueKind::Url, whole),
        }
    }
}

/// What the rules found out about a reference.
#[derive(Debug, Default)]
pub(crate) struct ResolveScratch {
    pub(crate) resolved: String,
    /// The file whose name it is, by the mirroring program.
    pub(crate) named: Option<NamedFile>,
    /// What the references so far showed about the document's URL, if that is wanted.
    pub(crate) confirmation: Option<Confirmation>,
    /// Whether it leads to a file that a browser has saved with the document.
    pub(crate) is_saved: bool,
}

impl ResolveScratch {
    /// Whether the reference is a file's name, and was resolved to that file's URL.
    pub(crate) fn means_file(&self) -> bool {
        self.named.as_ref().is_some_and(|named| named.url.is_some())
    }

    /// Whether it can only be the name of a file, in a document whose other links are taken as they
    /// are.
    pub(crate) fn is_certain_name(&self) -> bool {
        self.means_file() && self.named.as_ref().is_some_and(|named| !named.converted)
    }

    /// Whether it is the name of a file whose URL is a guess.
    pub(crate) fn is_guess(&self) -> bool {
        self.named.as_ref().is_some_and(|named| named.is_guess)
    }
}
