//! What is counted of a reference besides its outcome.

use super::facts::{is_pinned, is_relative_path};
use super::place_view::PlaceView;
use super::{Outcome, Pass};
use crate::places::attributes::{Against, Row};
use crate::resolve::form::WrittenForm;
use crate::resolve::resolution::Resolution;

impl Pass<'_> {
    /// Whether a reference counts from a name with a query in it.
    pub(super) fn counts_from_name(&self, row: &Row, reference: &[u8]) -> bool {
        let is_from_name = matches!(reference.first(), None | Some(b'#' | b'?'));
        self.has_query_name && is_from_name && row.against == Against::Base
    }

    pub(super) fn notice_surroundings(
        &mut self,
        site: &PlaceView<'_>,
        resolution: &Resolution<'_>,
    ) {
        let is_relative = resolution.outcome == Outcome::Relative;
        if let Some(tree) = self.context.surroundings.as_ref().filter(|_| is_relative) {
            let kind = match tree.would_have(&resolution.reference) {
                Some(true) => Some(0),
                Some(false) => Some(1),
                None => is_relative_path(resolution.reference.as_bytes()).then_some(2),
            };
            kind.into_iter()
                .for_each(|kind| self.tally.from_root[kind] += 1);
        }
        if let Some(pins) = &self.context.pins
            && is_pinned(site.chunk, site.place)
            && let Some(url) = resolution.absolute()
        {
            pins.pin(url);
        }
        if resolution.replacement.form == WrittenForm::Outside {
            self.count_alias(resolution.absolute());
        }
    }

    /// Counts a URL outside the site that may be meant for one in it.
    pub(super) fn count_alias(&mut self, url: Option<&str>) {
        if let (Some(own), Some(url)) = (&self.context.retrieval, url)
            && let Some(kind) = self.settings.site.alias(own.url.as_str(), url)
        {
            self.tally.aliases[kind] += 1;
        }
    }

    /// Counts a reference by what is written in its place, in a form that is not absolute.
    pub(super) fn count_form(&mut self, resolution: &Resolution<'_>) {
        let tally = &mut self.tally;
        let replacement = &resolution.replacement;
        tally.moved += u64::from(replacement.is_moved);
        tally.unwrapped += u64::from(replacement.is_unwrapped);
        let from_root = resolution.reference.strip_prefix('/');
        if resolution.is_nameless && from_root.is_some_and(|rest| !rest.starts_with('/')) {
            tally.nameless += u64::from(matches!(
                replacement.form,
                WrittenForm::AsAsked | WrittenForm::Missing
            ));
            tally.nameless_missing += u64::from(replacement.form == WrittenForm::Missing);
        }
        self.count_written(
            resolution.outcome,
            replacement.form,
            replacement.to.is_some(),
        );
    }

    /// Counts whether a reference changes, and which form it gets or keeps.
    #[inline]
    pub(super) fn count_written(&mut self, outcome: Outcome, form: WrittenForm, changes: bool) {
        let (tally, changes) = (&mut self.tally, u64::from(changes));
        match outcome {
            Outcome::Relative => tally.rewritten -= 1,
            Outcome::Absolute => tally.absolute -= changes,
            _ => {}
        }
        tally.rewritten += changes;
        match form {
            WrittenForm::AsAsked => tally.made_relative += changes,
            WrittenForm::Kept => tally.kept += 1,
            WrittenForm::Outside => tally.outside += 1,
            WrittenForm::InFull | WrittenForm::Missing => {}
        }
    }
}
