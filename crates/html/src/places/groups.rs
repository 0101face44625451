//! Groups of places: what `--also`, `--skip` and `--only` name.

use std::path::PathBuf;

use crate::merge::Merge;

abslink_url::named! {
/// A group of places, for `--also`, `--skip` and `--only`: [`Groups`] has an example.
///
/// # Examples
/// ```
/// use abslink_html::{Group, Groups};
///
/// assert_eq!("lazy".parse(), Ok(Group::Lazy));
/// assert!(!Groups::default().contains(Group::Lazy));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Group {
    /// href, src, data, poster, action, cite, ...
    Links = "links",
    /// The part of [`Group::Links`] that names the document to others: `link` with the relation
    /// canonical, shortlink, amphtml or self, or with alternate and a `hreflang`.
    Canonical = "canonical",
    /// srcset, imagesrcset.
    Srcset = "srcset",
    /// style attributes and elements, SVG presentation attributes.
    Css = "css",
    /// `<meta http-equiv=refresh>`.
    Refresh = "refresh",
    /// `<iframe srcdoc>`.
    Srcdoc = "srcdoc",
    /// href and xlink:href of SVG and MathML.
    Svg = "svg",
    /// background, codebase, archive, applet, profile, lowsrc, frames.
    Legacy = "legacy",
    /// The elements inside noscript.
    Noscript = "noscript",
    /// The URLs of a feed itself.
    Feed = "feed",
    /// og:, twitter:, itemprop, msapplication. Off by default.
    Meta = "meta",
    /// data-src and its like. Off by default.
    Lazy = "lazy",
    /// Conditional comments. Off by default.
    Comments = "comments",
    /// Import maps, speculation rules and JSON-LD. Off by default.
    Json = "json",
    /// action-xhr and other attributes of AMP. Off by default.
    Amp = "amp",
    /// hx-get and other attributes of htmx. Off by default.
    Htmx = "htmx",
    /// URLs in the comments that delimit WordPress' blocks. Off by default, but on in the content of rows and feeds.
    Blocks = "blocks",
}
/// The group's name on the command line.
name
/// Every group, in the order of the documentation.
ALL
}

/// A set of [`Group`]s.
///
/// # Examples
/// ```
/// use abslink_html::{Group, Groups};
///
/// let groups = Groups::default().with(Group::Lazy).without("css".parse()?);
/// assert!(groups.contains(Group::Links) && groups.contains(Group::Lazy));
/// assert!(!groups.contains(Group::Css));
/// # Ok::<(), abslink_html::UnknownGroup>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups(u32);

/// [`Group::Blocks`], where the content of rows and feeds is.
const BLOCKS_IN_CONTENT: u32 = 1 << Group::ALL.len();

impl Default for Groups {
    /// The groups that are on by default.
    fn default() -> Self {
        Groups(0x03ff | BLOCKS_IN_CONTENT)
    }
}

impl Groups {
    /// The empty set.
    pub const NONE: Groups = Groups(0);

    /// Whether `group` is in the set.
    pub fn contains(self, group: Group) -> bool {
        self.0 & (1 << group as u8) != 0
    }

    fn bits(group: Group) -> u32 {
        let part = match group {
            Group::Links => 1 << Group::Canonical as u8,
            Group::Blocks => BLOCKS_IN_CONTENT,
            _ => 0,
        };
        1 << group as u8 | part
    }

    /// The groups that count in the content of a row or feed.
    #[must_use]
    pub(crate) fn in_content(self) -> Groups {
        Groups(self.0 | (self.0 & BLOCKS_IN_CONTENT) >> 1)
    }

    /// The set with `group` in it; with [`Group::Links`] comes [`Group::Canonical`].
    #[must_use]
    pub fn with(self, group: Group) -> Groups {
        Groups(self.0 | Groups::bits(group))
    }

    /// The set without `group`; with [`Group::Links`] goes [`Group::Canonical`].
    #[must_use]
    pub fn without(self, group: Group) -> Groups {
        Groups(self.0 & !Groups::bits(group))
    }
}

/// How many references of each group were counted, of groups that are off ([`Tally::off`](crate::Tally)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub struct GroupCounts([u64; Group::ALL.len()]);

impl GroupCounts {
    pub(crate) fn add(&mut self, group: Group) {
        self.0[group as usize] += 1;
    }

    /// The groups that have some, those with most first.
    pub fn most_first(&self) -> Vec<(Group, u64)> {
        let counts = Group::ALL
            .into_iter()
            .map(|group| (group, self.0[group as usize]));
        let mut counts: Vec<_> = counts.filter(|(_, count)| *count > 0).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }
}

impl Merge for Group {
    fn add_up(&mut self, _: &Group) {}
}

impl Merge for (PathBuf, Group) {
    fn add_up(&mut self, other: &(PathBuf, Group)) {
        if other.0 < self.0 {
            self.clone_from(other);
        }
    }
}

impl Merge for GroupCounts {
    fn add_up(&mut self, other: &GroupCounts) {
        self.0.add_up(&other.0);
    }
}

/// A name that no group has.
///
/// # Examples
/// ```
/// use abslink_html::{Group, UnknownGroup};
///
/// let unknown = "link".parse::<Group>();
/// assert_eq!(unknown, Err(UnknownGroup("link".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no group is called `{0}`")]
pub struct UnknownGroup(pub String);

impl std::str::FromStr for Group {
    type Err = UnknownGroup;

    fn from_str(name: &str) -> Result<Group, UnknownGroup> {
        let known = Group::ALL.into_iter().find(|group| group.name() == name);
        known.ok_or_else(|| UnknownGroup(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ten_groups_are_on() {
        let on: Vec<_> = Group::ALL
            .into_iter()
            .filter(|group| Groups::default().contains(*group))
            .collect();
        assert_eq!(on, Group::ALL[..10]);
    }

    #[test]
    fn a_set_changes_by_one_group() {
        let groups = Groups::default().without(Group::Css).with(Group::Lazy);
        assert!(!groups.contains(Group::Css) && groups.contains(Group::Lazy));
        assert!(groups.contains(Group::Links));
        assert!(groups.with(Group::Lazy).contains(Group::Lazy));
    }

    #[test]
    fn canonical_is_a_part_of_links() {
        let canonical = |groups: Groups| groups.contains(Group::Canonical);
        assert!(canonical(Groups::NONE.with(Group::Links)));
        assert!(!canonical(Groups::default().without(Group::Links)));
        let alone = Groups::NONE.with(Group::Canonical);
        assert!(canonical(alone) && !alone.contains(Group::Links));
        let but = Groups::default().without(Group::Canonical);
        assert!(!canonical(but) && but.contains(Group::Links));
    }

    #[test]
    fn every_name_parses_back() {
        for group in Group::ALL {
            assert_eq!(group.name().parse(), Ok(group));
        }
        assert!("link".parse::<Group>().is_err());
    }
}
