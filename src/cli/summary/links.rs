//! Links that a run passes over, or that look wrong.

use super::notice::{Notice, said_with};
use crate::cli::args::Fact;
use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::terminal::print::{Number, list};

pub(super) fn above_root(end: &RunEnd) -> Option<Notice> {
    let above = end.report.tally.above_root;
    let is_of_files = above > end.report.records_above_root;
    let helps = is_of_files && end.base_option() == BaseOption::Url;
    said_with(above, Fact::AboveRoot, helps)
}

/// A tree of absolute links, whose URL nobody gave: none of them is known to lead into it.
pub(super) fn tree_is_unknown(end: &RunEnd) -> Option<Notice> {
    let tally = &end.report.tally;
    let is_lost = end.plan.html.to.is_short() && end.base_option() == BaseOption::Nothing;
    (is_lost && tally.outside > 0 && tally.made_relative == 0).then(|| {
        Notice::note("no link is known to lead into the tree").with_fact(Fact::TreeUnknown)
    })
}

/// What `check` passes over since it is in groups that nobody turned off.
pub(super) fn groups_off(end: &RunEnd) -> Option<Notice> {
    let off = end.report.tally.off.most_first();
    let names: Vec<_> = off.iter().map(|(group, _)| group.name()).collect();
    let all: u64 = off.iter().map(|(_, number)| number).sum();
    let numbers = list(
        off.iter()
            .map(|(group, number)| format!("{} {}", group.name(), Number(*number))),
    );
    (all > 0).then(|| {
        Notice::note(format!(
            "{} more in groups that are off: {numbers}",
            Number(all)
        ))
        .with_hint(Fact::GroupsOff.hint_with(&[&names.join(",")]))
    })
}
