//! Which places count, and what is resolved, from the options that say so.

use abslink_html::{Group, Groups, Settings};

use crate::cli::args::{GroupName, LinkArgs};

/// How documents are read, from the options that say so.
pub(super) fn settings(reading: &LinkArgs) -> Settings {
    let mut settings = Settings::default();
    settings.resolver = reading.resolver.resolver;
    settings.groups = groups(reading);
    settings.custom_attributes = reading.attr.iter().cloned().collect();
    settings.fragments = reading.fragments;
    settings.placeholders = reading.placeholders;
    settings.exclude.clone_from(&reading.exclude_url);
    settings.only_missing = reading.only_missing;
    settings
}

/// The places that count. `all` comes first, wherever it stands, so that the other names change
/// something.
fn groups(reading: &LinkArgs) -> Groups {
    let LinkArgs {
        also, skip, only, ..
    } = reading;
    let add = |groups: Groups, group| groups.with(group);
    let take = |groups: Groups, group| groups.without(group);
    let one = |named: &GroupName| match *named {
        GroupName::One(group) => Some(group),
        GroupName::All => None,
    };
    let mut groups = if only.is_empty() {
        Groups::default()
    } else {
        Groups::NONE
    };
    // It conflicts with the others.
    let also = if only.is_empty() { also } else { only };
    if also.contains(&GroupName::All) {
        groups = Group::ALL.into_iter().fold(groups, add);
    }
    if skip.contains(&GroupName::All) {
        groups = Group::ALL.into_iter().fold(groups, take);
    }
    groups = also.iter().filter_map(one).fold(groups, add);
    skip.iter().filter_map(one).fold(groups, take)
}

/// The groups that are off without an option that says so.
pub(super) fn off_by_default(reading: &LinkArgs) -> Groups {
    let (on, skip) = (groups(reading), &reading.skip);
    let is_skipped =
        |group| skip.contains(&GroupName::All) || skip.contains(&GroupName::One(group));
    let off = Group::ALL
        .into_iter()
        .filter(|group| reading.only.is_empty() && !on.contains(*group) && !is_skipped(*group));
    off.fold(Groups::NONE, Groups::with)
}
