//! The reference of the form that is asked for.

use std::borrow::Cow;

use super::{WrittenForm, names_document};
use crate::base::of_files;
use crate::base::retrieval::tree::is_nameless;
use crate::places::attributes::{Against, Row, ValueKind};
use crate::places::groups::Group;
use crate::resolve::based_reference::BasedReference;
use crate::resolve::document_base::has_path;
use crate::resolve::rules::Rules;
use crate::settings::placeholder::{self, Placeholders};
use crate::settings::site::To;
use abslink_url::inverse::{self, Form, Inverse, KeepReason};
use abslink_url::{BaseUrl, Resolver};

impl Rules<'_> {
    /// Whether a `base` element gets the form that references get, where browsers read it as it is read here, or will once
    /// it is written: it leads from the page's own URL, so that the pages may be put anywhere.
    fn is_base_in_form(&self, row: &Row) -> bool {
        let has_path = |url: &BaseUrl| match self.settings.moves.moved(url.as_str()) {
            Some(moved) => has_path(&BaseUrl::any(&moved)),
            None => has_path(url),
        };
        row.against == Against::Fallback
            && matches!(self.settings.to, To::Relative | To::Root)
            && !self.settings.remove_base
            && (self.context.retrieval.as_ref()).is_some_and(|own| has_path(&own.url))
            && (self.document_base.browser.is_none() || self.document_base.becomes.is_some())
            && self.document_base.base.as_ref().is_some_and(has_path)
    }

    /// Whether that is a path from the page already.
    pub(super) fn is_relative_base(&self, based: &BasedReference<'_, '_>) -> bool {
        self.settings.to == To::Relative
            && self.is_base_in_form(based.row)
            && !based.reference.starts_with('/')
    }

    /// The reference of the form that is asked for, or why it is the URL in full.
    pub(super) fn reference(
        &self,
        based: &BasedReference<'_, '_>,
        target: &str,
    ) -> Result<String, WrittenForm> {
        let row = based.row;
        let [own, base] = self.written_bases(based)?;
        let target = &*self.with_host_as_written(target);
        let in_site = self.settings.site.target(&own, target);
        // Web Application Manifest, "processing the id member": it is relative to the origin of `start_url`.
        let is_id = row.group == Group::Feed && row.attribute == "id";
        let to = if is_id { To::Root } else { self.settings.to };
        let reference = match to.inverse() {
            Some(form) => {
                let is_reached = form == Form::Root && inverse::have_same_server(&own, target);
                let reached = in_site.or_else(|| is_reached.then(|| target.to_owned()));
                self.path(row, form, &base, &reached.ok_or_else(|| elsewhere(target))?)?
            }
            None => self.path_to_file(based, target, in_site)?,
        };
        self.spelled_in(row, reference)
    }

    /// The URL of the document, and that against which its new references will be read, both as they are written
    /// afterwards; or why a reference is the URL in full.
    fn written_bases<'b>(
        &'b self,
        based: &BasedReference<'_, 'b>,
    ) -> Result<[Cow<'b, BaseUrl>; 2], WrittenForm> {
        let (row, settings) = (based.row, self.settings);
        let is_base = self.is_base_in_form(row);
        let stays_in_full = names_document(row) && !is_base || based.unfilled.is_some();
        let is_of_document =
            (row.against != Against::Codebase || self.codebase.is_none()) && !is_base;
        let new_base = self.document_base.new_base(self.context);
        let base = new_base.filter(|_| is_of_document).or(based.base);
        let is_short = settings.to.is_short() && !stays_in_full;
        let base = base.filter(|_| is_short).ok_or(WrittenForm::InFull)?;
        if based.has_unknown_base {
            return Err(WrittenForm::Kept);
        }
        let own = (self.context.retrieval.as_ref()).map_or(base, |retrieval| &retrieval.url);
        let [own, base] = [own, base].map(|url| {
            let moved = settings.moves.moved(url.as_str());
            let text = moved.as_deref().unwrap_or(url.as_str());
            match self.with_host_as_written(&self.as_read(text)) {
                Cow::Borrowed(text) if text == url.as_str() => Cow::Borrowed(url),
                text => Cow::Owned(BaseUrl::any(&text)),
            }
        });
        // So is the query of the document's own URL in a `base` element, which comes from outside.
        let is_read_here = !row.kind.has_utf8_queries() && settings.resolver != Resolver::Whatwg;
        let base = match is_read_here {
            true => Cow::Owned(self.charset.percent_encode_outer(&base).into_owned()),
            false => base,
        };
        Ok([own, base])
    }

    /// The path to a target from the base or the root.
    fn path(
        &self,
        row: &Row,
        form: Form,
        base: &BaseUrl,
        target: &str,
    ) -> Result<String, WrittenForm> {
        let neighbours = of_files(&self.context.neighbours);
        let page = neighbours.and_then(|neighbours| neighbours.page_of(target));
        let target = page.as_deref().unwrap_or(target);
        if is_nameless(target) && neighbours.is_none_or(|files| files.path(target).is_none()) {
            return Err(WrittenForm::Missing);
        }
        let document_base = self.document_base;
        // Browsers have another base URL there, so a reference would lead them elsewhere.
        let is_early =
            self.early_base.is_some() && !document_base.is_removed && !self.is_base_in_form(row);
        let has_none =
            document_base.has_lost_own() && document_base.new_base(self.context).is_none();
        if is_early || has_none || document_base.will_differ(self.context) {
            return Err(WrittenForm::Kept);
        }
        let fragment_alone = may_be_fragment(row);
        let reference = Inverse {
            form,
            fragment_alone,
        }
        .reference(base, target);
        reference.map_err(|reason| match reason {
            KeepReason::NotAbsolute => WrittenForm::InFull,
            _ => WrittenForm::Kept,
        })
    }

    /// The path from file to file. `in_site` is the same target as the site has it: a mirror may have the files of two
    /// hosts of which one is said to be the other.
    fn path_to_file(
        &self,
        based: &BasedReference<'_, '_>,
        target: &str,
        in_site: Option<String>,
    ) -> Result<String, WrittenForm> {
        let row = based.row;
        // What stands for all that is in a directory is the name of no file.
        if row.kind == ValueKind::ImportMap && target.ends_with('/') {
            return Err(WrittenForm::Kept);
        }
        let has_base =
            self.has_own_base() || row.against == Against::Codebase && self.codebase.is_some();
        let files = of_files(&self.context.neighbours).filter(|_| !has_base);
        let file = |target: &str| files?.reference(target, may_be_fragment(row));
        let moved = in_site.as_deref().filter(|moved| *moved != target);
        match file(target).or_else(|| file(moved?)) {
            Some(reference) => Ok(reference),
            None if in_site.is_some() => Err(WrittenForm::Kept),
            None => Err(elsewhere(target)),
        }
    }

    /// A reference as it may stand in a place, if it may.
    pub(super) fn spelled_in(&self, row: &Row, reference: String) -> Result<String, WrittenForm> {
        let reference = in_place(row.kind, reference);
        match placeholder::first(&reference, row.kind, self.settings.placeholders) {
            // A template would take a part of it for one.
            Some(_) => Err(WrittenForm::Kept),
            None => Ok(reference),
        }
    }
}

/// How a target is written that is not in the site.
fn elsewhere(target: &str) -> WrittenForm {
    if target.contains("://") {
        WrittenForm::Outside
    } else {
        WrittenForm::InFull
    }
}

/// Whether a fragment alone may name the document. In an import map, `#f` would be a bare name.
fn may_be_fragment(row: &Row) -> bool {
    !row.leaves_fragments() && row.kind != ValueKind::ImportMap
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
        // HTML, "parse a URL-like import specifier": anything else is a bare name.
        ValueKind::ImportMap => !["/", "./", "../"]
            .iter()
            .any(|it| reference.starts_with(it)),
        _ => false,
    };
    // Before a fragment it would lead to another document.
    let is_placeholder =
        !begins(&['#']) && placeholder::at_start(&reference, Placeholders::Keep).is_some();
    if is_misread || is_placeholder {
        format!("./{reference}")
    } else {
        reference
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (ValueKind::Url, "_static/x", "_static/x"),
            (ValueKind::Url, "%name%/x", "./%name%/x"),
        ] {
            assert_eq!(in_place(kind, reference.to_owned()), expected);
        }
    }
}
