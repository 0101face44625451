//! What the rules are asked about, and what they find out.

use std::borrow::Cow;

use crate::base::BaseSource;
use crate::base::retrieval::mirror::NamedFile;
use crate::base::retrieval::tree::is_nameless;
use crate::places::attributes::{Row, ValueKind};
use crate::report::outcome::Outcome;
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

impl BasedReference<'_, '_> {
    /// Whether it is relative to something in a tree whose URL is not known.
    pub(crate) fn is_nameless(&self) -> bool {
        self.base.is_some_and(|base| is_nameless(base.as_str()))
    }
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

/// What the rules decided about a reference.
#[derive(Debug)]
pub(crate) struct Ruling {
    pub(crate) outcome: Outcome,
    /// Whether it leads to a file that a browser has saved with the document.
    pub(crate) is_saved: bool,
    /// The file whose name it is, by the mirroring program.
    pub(crate) file: Option<NamedFile>,
}

impl Ruling {
    /// Whether the reference is a file's name, and was resolved to that file's URL.
    pub(crate) fn means_file(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.url.is_some())
    }
}
