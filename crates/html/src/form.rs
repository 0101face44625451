//! What is written in place of a reference: the choice of its form (`--to`).
//!
//! The form is chosen by the target, so by what the reference means, and not by how it is written: a
//! reference that has its form already is not touched.

mod plain;

use std::borrow::Cow;

use abslink_url::BaseUrl;
use abslink_url::inverse::{self, Form, Inverse, Kept};

use super::attributes::{Against, Hash, Row};
use super::groups::Group;
use super::placeholder;
use super::prefix::{MappedPrefixError, Prefix};
use super::rules::{BasedReference, Rules};
use super::{Outcome, ValueKind};
use crate::base::BaseSource;
pub(super) use plain::{PlainForm, PlainForms};

/// Which form references get ([`Settings::to`](super::Settings::to)).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, To, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// let mut settings = Settings::default();
/// settings.to = To::Relative;
/// let page = b"<a href=http://h/c/>C</a> <a href=http://o/>O</a>";
/// let rewritten = rewrite_bytes(page, Syntax::Html, &context, &settings);
/// assert_eq!(*rewritten.document, *b"<a href=../c/>C</a> <a href=http://o/>O</a>");
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum To {
    /// The URL in full.
    #[default]
    Absolute,
    /// Relative to the base URL, for targets in the [`Site`]; others in full.
    Relative,
    /// From the root of the server, for targets in the [`Site`] and on its server; others in full.
    Root,
    /// From the document's file to the file of the target, for targets of which the tree has one; others in
    /// full. The command knows the tree; a document alone is in none.
    Files,
}

impl To {
    /// Every form.
    pub const ALL: [To; 4] = [To::Absolute, To::Relative, To::Root, To::Files];

    /// The form's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            To::Absolute => "absolute",
            To::Relative => "relative",
            To::Root => "root",
            To::Files => "files",
        }
    }

    /// What finds references of this form, if they follow from the URLs alone and are not in full.
    pub fn inverse(self) -> Option<Form> {
        match self {
            To::Absolute | To::Files => None,
            To::Relative => Some(Form::Relative),
            To::Root => Some(Form::Root),
        }
    }
}

/// The URLs that stand for a tree ([`Settings::site`](super::Settings::site)): what begins with one of
/// them is in it. Without any, it is the server of each document.
///
/// # Examples
/// ```
/// use abslink_html::Site;
///
/// let site = Site::default().with("http://www.example.org/")?.with("https://example.org/")?;
/// assert!(site.with("docs/").is_err());
/// # Ok::<(), abslink_html::MappedPrefixError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site(
    /// Longer ones first.
    Vec<Prefix>,
);

impl Site {
    /// This one, with one more URL.
    ///
    /// # Errors
    /// As for the URLs of a [`MappedPrefix`](super::MappedPrefix).
    pub fn with(mut self, url: &str) -> Result<Site, MappedPrefixError> {
        let normal = inverse::normal(url);
        let prefix = Prefix::parse(normal.as_deref().unwrap_or(url))?;
        let at = (self.0).partition_point(|other| other.as_str().len() >= prefix.as_str().len());
        self.0.insert(at, prefix);
        Ok(self)
    }

    #[doc(hidden)]
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(Prefix::as_str)
    }

    /// The longest prefix of a URL, and the rest of that.
    fn split(&self, url: &str) -> Option<(&Prefix, String)> {
        let found = |url: &str| {
            let found = |prefix| Some((prefix, Prefix::rest(prefix, url)?.to_owned()));
            self.0.iter().find_map(found)
        };
        found(url).or_else(|| found(&inverse::normal(url)?))
    }

    /// A target as a URL of the site of a document, if it is in that site: one below another prefix is
    /// moved to the prefix of the document.
    fn target(&self, own: &BaseUrl, target: &str) -> Option<String> {
        if self.0.is_empty() {
            return inverse::have_same_server(own, target).then(|| target.to_owned());
        }
        let (prefix, rest) = self.split(target)?;
        match self.split(own.as_str()) {
            Some((home, _)) if home != prefix => Some(format!("{}{rest}", home.as_str())),
            _ => Some(target.to_owned()),
        }
    }
}

/// What is written in place of a reference, and why.
#[derive(Debug, Default)]
pub(super) struct Formed<'r> {
    /// The text, if it changes.
    pub(super) to: Option<Cow<'r, str>>,
    /// Which form it has, if references get another than the URL in full.
    pub(super) form: Which,
    /// Whether its target was moved.
    pub(super) is_moved: bool,
}

/// Which form a reference has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Which {
    /// The URL in full, since its place needs that or its target is of no server.
    #[default]
    InFull,
    /// The form that is asked for.
    AsAsked,
    /// The URL in full, since no other reference leads to the target.
    Kept,
    /// The URL in full, since the target is not in the site.
    Outside,
}

impl<'r> Formed<'r> {
    /// Of a `base` element that is taken out.
    pub(super) fn removed() -> Formed<'r> {
        Formed {
            to: Some(Cow::Borrowed("")),
            ..Formed::default()
        }
    }

    /// Where references become absolute.
    pub(super) fn absolute(to: Option<&'r str>) -> Formed<'r> {
        Formed {
            to: to.map(Cow::Borrowed),
            ..Formed::default()
        }
    }
}

impl Rules<'_> {
    /// What is written in place of a reference, which was resolved or is absolute itself.
    #[inline]
    pub(super) fn form<'r>(
        &self,
        given: &BasedReference<'_, '_>,
        outcome: Outcome,
        resolved: Option<&'r str>,
    ) -> Formed<'r> {
        let target = match outcome {
            Outcome::Relative => resolved,
            Outcome::Absolute => Some(given.reference),
            _ => None,
        };
        match target {
            Some(target) if self.settings.has_forms() => self.choose(given, outcome, target),
            _ => Formed::absolute(resolved.filter(|_| outcome == Outcome::Relative)),
        }
    }

    fn choose<'r>(
        &self,
        given: &BasedReference<'_, '_>,
        outcome: Outcome,
        target: &str,
    ) -> Formed<'r> {
        let moved = self.settings.moves.moved(target);
        let is_moved = moved.is_some();
        let target = moved.unwrap_or_else(|| target.to_owned());
        match self.reference(given, &target) {
            Ok(reference) => Formed {
                to: (reference != given.reference).then_some(Cow::Owned(reference)),
                form: Which::AsAsked,
                is_moved,
            },
            Err(form) => Formed {
                to: (outcome == Outcome::Relative || is_moved).then_some(Cow::Owned(target)),
                form,
                is_moved,
            },
        }
    }

    /// The reference of the form that is asked for, or why it is the URL in full.
    fn reference(&self, given: &BasedReference<'_, '_>, target: &str) -> Result<String, Which> {
        let (row, settings) = (given.row, self.settings);
        let (true, Some(base), false) =
            (settings.to != To::Absolute, given.base, names_document(row))
        else {
            return Err(Which::InFull);
        };
        let own = (self.context.retrieval.as_ref()).map_or(base, |retrieval| &retrieval.url);
        let new_base = self.document_base.new_base(self.context);
        let is_of_document = row.against != Against::Codebase || self.codebase.is_none();
        let base = new_base.filter(|_| is_of_document).unwrap_or(base);
        let [own, base] = [own, base].map(|url| match settings.moves.moved(url.as_str()) {
            Some(moved) => Cow::Owned(BaseUrl::any(&moved)),
            None => Cow::Borrowed(url),
        });
        let in_site = settings.site.target(&own, target);
        let fragment_alone = row.hash != Hash::Leave;
        let Some(form) = settings.to.inverse() else {
            let is_in_site = in_site.is_some();
            let target = in_site.as_deref().unwrap_or(target);
            return match self.file(given, target, fragment_alone) {
                Some(reference) => self.spelled_in(row, reference),
                None if is_in_site => Err(Which::Kept),
                None if target.contains("://") => Err(Which::Outside),
                None => Err(Which::InFull),
            };
        };
        let is_reached = form == Form::Root && inverse::have_same_server(&own, target);
        let Some(target) = in_site.or_else(|| is_reached.then(|| target.to_owned())) else {
            return Err(match target.contains("://") {
                true => Which::Outside,
                false => Which::InFull,
            });
        };
        // Browsers have another base URL there, so a reference would lead them elsewhere.
        let differs = self.early_base.is_some() || self.document_base.browser.is_some();
        let is_lost =
            self.document_base.is_removed && self.document_base.source == BaseSource::Embedded;
        if new_base.is_none() && (differs || is_lost) {
            return Err(Which::Kept);
        }
        let inverse = Inverse {
            form,
            fragment_alone,
        };
        let reference = inverse
            .reference(&base, &target)
            .map_err(|kept| match kept {
                Kept::NotAbsolute => Which::InFull,
                _ => Which::Kept,
            })?;
        self.spelled_in(row, reference)
    }

    /// The reference to the file of a target, where that is what the new reference is relative to.
    fn file(
        &self,
        given: &BasedReference<'_, '_>,
        target: &str,
        fragment_alone: bool,
    ) -> Option<String> {
        let neighbours = self.context.neighbours.as_ref()?;
        let has_base = self.has_own_base()
            || given.row.against == Against::Codebase && self.codebase.is_some();
        (!has_base).then(|| neighbours.reference(target, fragment_alone))?
    }

    /// Whether the document has a `base` element, and keeps it.
    pub(super) fn has_own_base(&self) -> bool {
        self.document_base.source == BaseSource::Embedded && !self.document_base.is_removed
    }

    /// A reference as it may stand in a place, if it may.
    fn spelled_in(&self, row: &Row, reference: String) -> Result<String, Which> {
        let reference = in_place(row.kind, reference);
        match placeholder::first(&reference, row.kind, self.settings.placeholders) {
            // A template would take a part of it for one.
            Some(_) => Err(Which::Kept),
            None => Ok(reference),
        }
    }
}

/// Whether a place tells others where something is, or is itself a base URL: it holds a URL in full.
fn names_document(row: &Row) -> bool {
    matches!(row.group, Group::Canonical | Group::Meta | Group::Json)
        || matches!(row.attribute, "itemid" | "cite")
        || placeholder::is_json(row.kind)
        || matches!(
            row.against,
            Against::Fallback | Against::Outer | Against::Nothing
        )
}

/// A reference as it may begin in a value of this kind: `./` before what would be read as a part of the
/// value's grammar, or as a placeholder.
fn in_place(kind: ValueKind, reference: String) -> String {
    let begins = |with: &[char]| reference.starts_with(with);
    let is_misread = match kind {
        ValueKind::Srcset | ValueKind::CommaList => begins(&[',']),
        ValueKind::Refresh => {
            let start = reference.as_bytes().get(..3);
            begins(&[',', ';', '\'', '"'])
                || start.is_some_and(|start| start.eq_ignore_ascii_case(b"url"))
        }
        _ => false,
    };
    match is_misread || begins(&['{', '_']) {
        true => format!("./{reference}"),
        false => reference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_urls_below_its_prefixes() {
        let site = Site::default().with("http://www.e.org/").unwrap();
        let site = site.with("https://e.org/docs/").unwrap();
        let own = BaseUrl::any("https://e.org/docs/a/b.html");
        for (target, expected) in [
            ("https://e.org/docs/x", Some("https://e.org/docs/x")),
            ("https://E.org/docs?q", Some("https://E.org/docs?q")),
            ("https://e.org/docsx", None),
            ("https://e.org/", None),
            ("http://www.e.org/x#f", Some("https://e.org/docs/x#f")),
            ("http://e.org/docs/x", None),
        ] {
            assert_eq!(site.target(&own, target).as_deref(), expected, "{target}");
        }
        let server = Site::default();
        assert!(server.target(&own, "https://e.org/blog/").is_some());
        assert!(server.target(&own, "https://o.org/").is_none());
        // A document elsewhere has no prefix to move to.
        let elsewhere = BaseUrl::any("http://o/");
        let target = site.target(&elsewhere, "http://www.e.org/x");
        assert_eq!(target.as_deref(), Some("http://www.e.org/x"));
    }

    #[test]
    fn a_reference_is_no_part_of_the_grammar() {
        for (kind, reference, expected) in [
            (ValueKind::Srcset, ",a", "./,a"),
            (ValueKind::Url, ",a", ",a"),
            (ValueKind::Refresh, "URL=a", "./URL=a"),
            (ValueKind::Refresh, "'a", "./'a"),
            (ValueKind::Refresh, "ur", "ur"),
            (ValueKind::Url, "{name}", "./{name}"),
            (ValueKind::Url, "__NAME__", "./__NAME__"),
        ] {
            assert_eq!(in_place(kind, reference.to_owned()), expected);
        }
    }
}
