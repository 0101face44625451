//! What is written in place of a reference: the choice of its form (`--to`).
//!
//! The form is chosen by the target, so by what the reference means, and not by how it is written: a
//! reference that has its form already is not touched. [`plain`] chooses the same for most references by their bytes
//! alone.

mod plain;
mod reference;

use std::borrow::Cow;

use abslink_url::inverse;
use abslink_url::{BaseUrl, Resolver, rfc3986, whatwg};

use super::based_reference::BasedReference;
use super::replay;
use super::rules::Rules;
use crate::base::moves::MappedPrefix;
use crate::base::retrieval::tree::is_nameless;
use crate::base::{BaseSource, of_files};
use crate::places::attributes::{Against, Row, ValueKind};
use crate::places::groups::Group;
use crate::report::outcome::Outcome;
use crate::settings::Settings;
use crate::settings::site::To;
pub(crate) use plain::{ByteForms, ByteResult};

/// What is written in place of a reference, and why.
#[derive(Debug, Default)]
pub(crate) struct Replacement<'r> {
    /// The text, if it changes.
    pub(crate) to: Option<Cow<'r, str>>,
    /// Which form it has, if references get another than the URL in full.
    pub(crate) form: WrittenForm,
    /// Whether its target was moved.
    pub(crate) is_moved: bool,
    /// Whether its target was that of a web archive.
    pub(crate) is_unwrapped: bool,
    /// Whether it would lead to a file if a `?` in file names began a query.
    pub(crate) would_be_file: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WrittenForm {
    /// The URL in full, since its place needs that or its target is of no server.
    #[default]
    InFull,
    AsAsked,
    /// The URL in full, since no other reference leads to the target.
    Kept,
    /// The URL in full, since the target is not in the site.
    Outside,
    /// As it is, since it would lead into a tree whose URL is not known, and that has no such file.
    Missing,
}

impl<'r> Replacement<'r> {
    /// With a text of its own.
    pub(crate) fn owned<'o>(self) -> Replacement<'o> {
        Replacement {
            to: self.to.map(|to| Cow::Owned(to.into_owned())),
            ..self
        }
    }

    /// Where references become absolute.
    pub(crate) fn absolute(to: Option<&'r str>) -> Replacement<'r> {
        Replacement {
            to: to.map(Cow::Borrowed),
            ..Replacement::default()
        }
    }
}

impl Rules<'_> {
    /// What is written in place of a reference, which was resolved or is absolute itself.
    #[inline]
    pub(crate) fn form<'r>(
        &self,
        based: &BasedReference<'_, '_>,
        outcome: Outcome,
        resolved: Option<&'r str>,
    ) -> Replacement<'r> {
        let target = match outcome {
            Outcome::Relative => resolved,
            Outcome::Absolute => Some(based.reference),
            _ => None,
        };
        match target {
            _ if self.settings.to == To::Keep => self.keep(based, outcome),
            Some(target) if self.settings.has_forms() => self.choose(based, outcome, target),
            _ => Replacement::absolute(resolved.filter(|_| outcome == Outcome::Relative)),
        }
    }

    /// The URL in full of a reference such as `http:x`, which is relative where the page has that scheme, and absolute
    /// elsewhere (URL Standard, "scheme state"), where the page moves to another scheme.
    fn read_by_scheme(&self, based: &BasedReference<'_, '_>) -> Option<String> {
        let Settings {
            moves, resolver, ..
        } = self.settings;
        let is_whatwg = *resolver == Resolver::Whatwg;
        let may_be = is_whatwg && !moves.is_empty() && based.unfilled.is_none();
        let scheme = rfc3986::scheme(based.reference).filter(|_| may_be)?;
        let is_whole = based.reference[scheme.len()..].starts_with("://");
        let base = based.base.filter(|_| !is_whole)?;
        let base_there = BaseUrl::any(&moves.moved(base.as_str())?);
        let reference = self.in_encoding(based.row, based.reference, base.as_str());
        let read = |base: &BaseUrl| Some(resolver.resolve(base, &reference).ok()?.into_owned());
        let (here, there) = (read(base)?, read(&base_there));
        let is_same = there.is_some_and(|there| there == here || moves.moved(&here) == Some(there));
        (!is_same).then_some(here)
    }

    fn choose<'r>(
        &self,
        based: &BasedReference<'_, '_>,
        outcome: Outcome,
        target: &str,
    ) -> Replacement<'r> {
        let whole = self.read_by_scheme(based);
        let target = whole.as_deref().unwrap_or(target);
        let unwrapped = self.unwrapped(target);
        // Without a base URL, it has been taken out already.
        let is_unwrapped =
            unwrapped.is_some() || self.settings.unwrap && replay::is_wrapped(based.reference);
        let target = unwrapped.unwrap_or_else(|| target.to_owned());
        let moved = if is_unwrapped {
            self.settings.moves.moved(&target)
        } else {
            self.moved(based, &target)
        };
        let is_moved = moved.is_some();
        let target = moved.unwrap_or(target);
        let read = match outcome {
            Outcome::Absolute => self.with_slashes(&target),
            _ if self.settings.to == To::Files && !is_moved && !is_unwrapped => {
                self.in_browser(based)
            }
            _ => None,
        };
        let reference = self.reference(based, read.as_ref().unwrap_or(&target));
        let would_be_file = self.would_be_file(&reference, &target);
        let is_given = outcome == Outcome::Relative && !is_unwrapped && whole.is_none();
        let is_its_form = reference.as_deref() == Ok(based.reference)
            || is_given && (self.is_its_form(based) || !is_moved && self.is_relative_base(based));
        let (to, form) = match reference {
            _ if is_its_form => (None, WrittenForm::AsAsked),
            Ok(reference) => (Some(reference), WrittenForm::AsAsked),
            Err(_) if outcome == Outcome::Relative && self.is_name(based) => {
                (None, WrittenForm::AsAsked)
            }
            Err(_) if outcome == Outcome::Relative && is_of_nameless(based, &target) => {
                let form = if names_document(based.row) {
                    WrittenForm::InFull
                } else {
                    WrittenForm::Missing
                };
                (self.rooted(based, &target), form)
            }
            Err(form) => {
                let stays = outcome == Outcome::Absolute && whole.is_none();
                let changes = !stays || is_moved || is_unwrapped;
                (changes.then_some(target), form)
            }
        };
        Replacement {
            to: to.map(Cow::Owned),
            form,
            is_moved,
            is_unwrapped,
            would_be_file,
        }
    }

    /// Whether a target is no file, or another than its query says, only since a `?` in a file's name is a part of
    /// its path.
    fn would_be_file(&self, reference: &Result<String, WrittenForm>, target: &str) -> bool {
        let may_be = match reference {
            Ok(reference) => reference.contains('?'),
            Err(form) => matches!(form, WrittenForm::Kept | WrittenForm::Missing),
        };
        let neighbours = of_files(&self.context.neighbours);
        let neighbours = neighbours.filter(|_| may_be && self.settings.to == To::Files);
        neighbours.is_some_and(|neighbours| neighbours.have_with_query(target))
    }

    /// What leads into a nameless tree, but to no file there, stays; without the `base` element it was relative to,
    /// it has to begin at the root to mean the same.
    fn rooted(&self, based: &BasedReference<'_, '_>, target: &str) -> Option<String> {
        let is_left = self.document_base.is_removed && !based.reference.starts_with('/');
        let base = based.base.filter(|_| is_left)?;
        let from_root = inverse::from_root(base, target).ok()?;
        let reference = self.spelled_in(based.row, from_root).ok()?;
        (reference != based.reference).then_some(reference)
    }

    /// The URL that a web archive shows, if it is taken.
    pub(super) fn unwrapped(&self, url: &str) -> Option<String> {
        (self.settings.unwrap)
            .then(|| replay::unwrapped(url))
            .flatten()
    }

    /// Where a target is moved to, if it is.
    fn moved(&self, based: &BasedReference<'_, '_>, target: &str) -> Option<String> {
        let (prefix, rest) = self.moving(based, target)?;
        Some(prefix.moved(&rest))
    }

    /// The prefix by which a target is moved, and what follows that. Without a scheme, a reference is that of http and
    /// of https; one that others are relative to moves as they do.
    fn moving<'t>(
        &self,
        based: &BasedReference<'_, '_>,
        target: &'t str,
    ) -> Option<(&MappedPrefix, Cow<'t, str>)> {
        let moves = &self.settings.moves;
        // A part of FROM does not begin a placeholder.
        let is_whole = |rest: &str| based.unfilled.is_none() || !rest.is_empty();
        if let Some((prefix, rest)) = moves.moving(target).filter(|(_, rest)| is_whole(rest)) {
            return Some((prefix, Cow::Borrowed(rest)));
        }
        let has_scheme = based.base.is_some() && is_base(based.row);
        let from_host = Some(based.reference).filter(|it| it.starts_with("//") && !has_scheme);
        let (prefix, rest) = moves.moving_from_host(from_host?)?;
        is_whole(&rest).then_some((prefix, Cow::Owned(rest)))
    }

    /// The same where each reference keeps its form.
    fn keep<'r>(&self, based: &BasedReference<'_, '_>, outcome: Outcome) -> Replacement<'r> {
        let reference = based.reference;
        let is_from_host = reference.starts_with("//");
        let unwrapped = match outcome {
            Outcome::Absolute | Outcome::Relative => self.unwrapped(reference),
            _ => return Replacement::default(),
        };
        let is_unwrapped = unwrapped.is_some();
        let whole = unwrapped.or_else(|| self.read_by_scheme(based));
        let moved = match &whole {
            Some(url) => self.settings.moves.moved(url),
            None if outcome == Outcome::Absolute => self.moved(based, reference),
            None if is_from_host => {
                let scheme = based.base.filter(|_| is_base(based.row)).map(|base| {
                    let end = base.as_str().find(':').unwrap_or_default();
                    &base.as_str()[..=end]
                });
                let whole = [scheme.unwrap_or_default(), reference].concat();
                self.moving(based, &whole).map(|(prefix, rest)| {
                    let url = prefix.moved(&rest);
                    let host = url.find("//").filter(|_| prefix.keeps_scheme());
                    url[host.unwrap_or_default()..].to_owned()
                })
            }
            None => None,
        };
        Replacement {
            is_moved: moved.is_some(),
            is_unwrapped,
            to: moved.or(whole).map(Cow::Owned),
            ..Replacement::default()
        }
    }

    /// The same where the grammar of a value spells the URL in full in another way, which leads the next run to
    /// another form.
    #[cold]
    pub(crate) fn form_again<'r>(
        &self,
        based: &BasedReference<'_, '_>,
        written: &str,
        replacement: Replacement<'r>,
    ) -> Replacement<'r> {
        let based = BasedReference {
            text: written,
            reference: written,
            ..*based
        };
        let again = self.choose(&based, Outcome::Absolute, written);
        match again.to {
            Some(_) => Replacement {
                is_moved: replacement.is_moved,
                is_unwrapped: replacement.is_unwrapped,
                ..again
            },
            None => replacement,
        }
    }

    /// The URL Standard writes a host in ASCII, so that others are compared in that spelling.
    fn with_host_as_written<'u>(&self, url: &'u str) -> Cow<'u, str> {
        if self.settings.resolver != Resolver::Whatwg {
            return Cow::Borrowed(url);
        }
        let start = url.find("://").map_or(url.len(), |at| at + "://".len());
        let end = url[start..].find(['/', '?', '#', '\\']);
        let (server, rest) = url.split_at(end.map_or(url.len(), |end| start + end));
        let is_odd = |byte: u8| !byte.is_ascii() || byte == b'%';
        if !server.bytes().any(is_odd) {
            return Cow::Borrowed(url);
        }
        match whatwg::parse(server, None) {
            Ok(parsed) => Cow::Owned(parsed.text().trim_end_matches('/').to_owned() + rest),
            Err(_) => Cow::Borrowed(url),
        }
    }

    /// A base URL as the next run reads it: the URL Standard takes `\` for `/` and escapes letters and signs.
    fn as_read<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let is_odd = self.settings.resolver == Resolver::Whatwg
            && (url.bytes()).any(|byte| !byte.is_ascii_graphic() || b"\"'<>\\^`{}".contains(&byte));
        match is_odd.then(|| whatwg::parse(url, None)) {
            Some(Ok(parsed)) => Cow::Owned(parsed.text().to_owned()),
            _ => Cow::Borrowed(url),
        }
    }

    /// The target of an absolute reference with `\`, which the URL Standard takes for `/`: that decides which file it
    /// has.
    fn with_slashes(&self, url: &str) -> Option<String> {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let is_odd = (self.settings.to, self.settings.resolver) == (To::Files, Resolver::Whatwg)
            && path.contains('\\');
        let parsed = is_odd.then(|| whatwg::parse(url, None).ok())?;
        Some(parsed?.text().to_owned())
    }

    /// Whether a relative reference has the form already, apart from what the URL Standard escapes in its target.
    fn is_its_form(&self, based: &BasedReference<'_, '_>) -> bool {
        let is_escaped =
            self.settings.resolver == Resolver::Whatwg && self.settings.to.inverse().is_some();
        let Some(base) = based.base.filter(|_| is_escaped) else {
            return false;
        };
        let base = BaseUrl::any(&self.as_read(base.as_str()));
        let target = Resolver::Rfc3986.resolve(&base, based.reference);
        target.is_ok_and(|target| {
            let moved = self.moved(based, &target).map(Cow::Owned);
            let target = moved.unwrap_or(target);
            self.reference(based, &target).as_deref() == Ok(based.reference)
        })
    }

    /// Whether a reference is the name of a file, as an earlier run has written it.
    fn is_name(&self, based: &BasedReference<'_, '_>) -> bool {
        let neighbours = of_files(&self.context.neighbours)
            .filter(|_| self.settings.to == To::Files && !names_document(based.row))
            .filter(|_| self.document_base.source != BaseSource::Embedded);
        neighbours.is_some_and(|neighbours| neighbours.are_named(based.reference))
    }

    /// Whether the document has a `base` element, and keeps it.
    pub(crate) fn has_own_base(&self) -> bool {
        self.document_base.source == BaseSource::Embedded && !self.document_base.is_removed
    }
}

/// Whether what a reference means is known only from the root of a tree whose URL is not known.
fn is_of_nameless(based: &BasedReference<'_, '_>, target: &str) -> bool {
    is_nameless(target) || based.is_nameless()
}

/// Whether others are resolved against what stands in a place.
fn is_base(row: &Row) -> bool {
    matches!(row.against, Against::Fallback | Against::Outer) || row.attribute == "codebase"
}

/// Whether a place tells others where something is, or is itself a base URL: it holds a URL in full.
fn names_document(row: &Row) -> bool {
    matches!(row.group, Group::Canonical | Group::Meta)
        || matches!(row.attribute, "itemid" | "cite")
        || row.kind == ValueKind::LinkedData
        || matches!(
            row.against,
            Against::Fallback | Against::Outer | Against::Nothing
        )
}
