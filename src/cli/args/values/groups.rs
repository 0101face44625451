//! `--also`, `--skip` and `--only`.

use abslink_html::Group;
use clap::builder::TypedValueParser;

use super::one_of;

/// What `--also`, `--skip` and `--only` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupName {
    /// Every group.
    All,
    /// One of them.
    One(Group),
}

/// `--also`, `--skip`, `--only`.
pub(crate) fn groups() -> impl TypedValueParser<Value = GroupName> {
    let mut all = [GroupName::All; Group::ALL.len() + 1];
    for (name, group) in all.iter_mut().zip(Group::ALL) {
        *name = GroupName::One(group);
    }
    one_of("also", all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_a_name_of_its_own() {
        let names: Vec<_> = (groups().possible_values().into_iter().flatten())
            .map(|value| value.get_name().to_owned())
            .collect();
        let groups = Group::ALL.map(Group::name).into_iter();
        assert!(names.into_iter().eq(groups.chain(["all"])));
    }
}
