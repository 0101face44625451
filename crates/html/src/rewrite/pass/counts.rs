//! What is counted of a reference besides its outcome.

use super::facts::{count_file, is_pinned, is_relative_path};
use super::place_view::PlaceView;
use super::{Outcome, Pass, To};
use crate::base::of_files;
use crate::merge::Merge as _;
use crate::places::attributes::{Against, Row};
use crate::resolve::form::WrittenForm;
use crate::resolve::resolution::Resolution;
use crate::settings::placeholder::Sample;

impl Pass<'_> {
    /// Counts a reference in a group that is off, if the group would change it.
    pub(super) fn count_off(&mut self, view: &PlaceView<'_>, resolution: &Resolution<'_>) {
        let is_left = resolution.outcome == Outcome::Unresolved;
        if let Some(group) = view.off_group
            && (is_left || resolution.replacement.to.is_some())
        {
            self.tally.off.add(group);
        }
    }

    /// Counts a reference in a group that is on.
    pub(super) fn count(&mut self, view: &PlaceView<'_>, resolution: &Resolution<'_>) {
        let (outcome, replacement) = (resolution.outcome, &resolution.replacement);
        let is_relative = outcome == Outcome::Relative;
        if let Some(survey) = self.survey {
            let needs = survey.needs(resolution, view.place, self.depth);
            self.tally.base_needed_by = self.tally.base_needed_by.or(needs);
        }
        let mirror = of_files(&self.context.mirror).filter(|_| !resolution.is_certain_name);
        let starts_from_name = is_relative
            && replacement.to.is_some()
            && self.starts_from_name(view.place.row, resolution.reference.as_bytes());
        let is_of_query = starts_from_name
            || replacement.would_be_file
            || is_relative
                && mirror.is_some_and(|mirror| mirror.may_name_query(&resolution.reference));
        let tally = &mut self.tally;
        if self.settings.to == To::Files && replacement.form == WrittenForm::AsAsked {
            let to = replacement.to.as_deref().unwrap_or(&resolution.reference);
            let (to, is_module) = (to.as_bytes(), resolution.is_module);
            count_file(tally, view.chunk, view.place, view.attribute, to, is_module);
        }
        tally.count(outcome, resolution.divergence.is_some());
        for (count, is_one) in [
            (&mut tally.above_root, resolution.is_above_root),
            (&mut tally.query_names, is_of_query),
            (&mut tally.wrapped, resolution.is_wrapped),
            (&mut tally.file_names, resolution.is_certain_name),
            (&mut tally.guesses, resolution.is_guess),
            (&mut tally.saved, resolution.is_saved),
            (&mut tally.before_base, resolution.is_before_base()),
        ] {
            *count += u64::from(is_one);
        }
        tally.needs_own_url |= resolution.needs_own_url(view.place.row);
        if outcome == Outcome::Placeholder {
            tally.sample.add_up(&Sample::of(&resolution.reference));
        }
        if self.settings.has_forms() {
            self.count_form(resolution);
        }
        self.notice_surroundings(view, resolution);
    }

    /// Whether a reference is relative to a name with a query in it.
    pub(super) fn starts_from_name(&self, row: &Row, reference: &[u8]) -> bool {
        let is_from_name = matches!(reference.first(), None | Some(b'#' | b'?'));
        self.has_query_name && is_from_name && row.against == Against::Base
    }

    fn notice_surroundings(&mut self, view: &PlaceView<'_>, resolution: &Resolution<'_>) {
        let is_relative = resolution.outcome == Outcome::Relative;
        if let Some(tree) = self.context.surroundings.as_ref().filter(|_| is_relative) {
            match tree.would_have(&resolution.reference) {
                Some(is_there) => self.tally.from_root[usize::from(!is_there)] += 1,
                None => {
                    let is_path = is_relative_path(resolution.reference.as_bytes());
                    self.tally.from_root[2] += u64::from(is_path);
                }
            }
        }
        if let Some(pins) = &self.context.pins
            && is_pinned(view.chunk, view.place)
            && let Some(url) = resolution.absolute()
        {
            pins.pin(url);
        }
        if resolution.replacement.form == WrittenForm::Outside {
            self.count_alias(resolution.absolute());
        }
    }

    /// Counts a URL outside the view that may be meant for one in it.
    pub(super) fn count_alias(&mut self, url: Option<&str>) {
        if let (Some(own), Some(url)) = (&self.context.retrieval, url)
            && let Some(kind) = self.settings.site.alias(own.url.as_str(), url)
        {
            self.tally.aliases[kind] += 1;
        }
    }

    /// Counts a reference by what is written in its place, in a form that is not absolute.
    fn count_form(&mut self, resolution: &Resolution<'_>) {
        let tally = &mut self.tally;
        let replacement = &resolution.replacement;
        tally.moved += u64::from(replacement.is_moved);
        tally.unwrapped += u64::from(replacement.is_unwrapped);
        let from_root = resolution.reference.strip_prefix('/');
        if resolution.is_nameless && from_root.is_some_and(|rest| !rest.starts_with('/')) {
            let form = replacement.form;
            tally.nameless +=
                u64::from(matches!(form, WrittenForm::AsAsked | WrittenForm::Missing));
            tally.nameless_missing += u64::from(replacement.form == WrittenForm::Missing);
        }
        let changes = replacement.to.is_some();
        self.count_written(resolution.outcome, replacement.form, changes);
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
