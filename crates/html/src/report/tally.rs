//! How many references had which outcome.

use super::outcome::Outcome;
use crate::merge::merged;
use crate::places::groups::{Group, GroupCounts};
use crate::settings::placeholder::Sample;

merged! {
/// How many references had which outcome. The fields are those of the JSON summary.
///
/// # Examples
/// ```
/// use abslink_html::{Outcome, Tally};
///
/// let mut tally = Tally::default();
/// tally.count(Outcome::Relative, false);
/// let mut all = tally;
/// all.merge(&tally);
/// assert_eq!((all.references, all.rewritten), (2, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Tally {
    /// All references.
    pub references: u64,
    /// [`Outcome::Relative`]: made absolute. With another [`Settings::to`](crate::Settings::to): all that is written anew.
    pub rewritten: u64,
    /// [`Outcome::Absolute`].
    pub absolute: u64,
    /// [`Outcome::SameDocument`].
    pub same_document: u64,
    /// [`Outcome::Unresolved`].
    pub unresolved: u64,
    /// [`Outcome::Excluded`].
    pub excluded: u64,
    /// [`Outcome::Present`].
    pub present: u64,
    /// References of any outcome that a browser takes elsewhere.
    pub divergent: u64,
    /// Divergent ones that a browser fetches before it reads the `base` element.
    pub before_base: u64,
    /// References that can only be names of files ([`crate::base::retrieval::mirror`]), in documents
    /// whose other links were taken as they are.
    pub file_names: u64,
    /// References that are names of files whose URLs are guesses although there is a map.
    pub guesses: u64,
    /// [`Outcome::Placeholder`].
    pub placeholders: u64,
    /// References whose targets were moved ([`Settings::moves`](crate::Settings::moves)).
    pub moved: u64,
    /// References that were written in the form of [`Settings::to`](crate::Settings::to), which is not absolute.
    pub made_relative: u64,
    /// Those to targets in the [`Site`](crate::Site) that stay absolute or become it: no such reference leads there.
    pub kept: u64,
    /// Those to targets on servers that are not in the [`Site`](crate::Site).
    pub outside: u64,
    /// Those with `..` for more levels than the path of the base URL has, if that is an http or https URL.
    pub above_root: u64,
    /// [`Outcome::WindowsPath`].
    pub windows_paths: u64,
} not in JSON {
    /// References to files that a browser has saved with the document ([`Outcome::Present`]).
    pub saved: u64,
    /// Those that begin with `/` in documents of a tree whose URL is not known.
    pub nameless: u64,
    /// Of these, those that lead to no file of the tree.
    pub nameless_missing: u64,
    /// References whose URL was taken out of that of a web archive ([`Settings::unwrap`](crate::Settings::unwrap)).
    pub unwrapped: u64,
    /// References to a web archive, which stay so; with [`Settings::unwrap`](crate::Settings::unwrap), those that are its own.
    #[doc(hidden)]
    pub wrapped: u64,
    /// References that may be wrong since a `?` in a file's name is a part of its path: they count from such a
    /// name, or lead to such a file.
    #[doc(hidden)]
    pub query_names: u64,
    /// In a tree below a path: links from the root that lead out of it to what the tree would have, and to
    /// what it would not have or into it; and relative paths.
    #[doc(hidden)]
    pub from_root: [u64; 3],
    /// Of those outside the site, how many differ from it in the scheme, in a `www.`, or in both.
    #[doc(hidden)]
    pub aliases: [u64; 3],
    /// Documents that allow by a hash what was changed in them.
    #[doc(hidden)]
    pub hashed: u64,
    /// Elements with `integrity` or `crossorigin` whose references became the names of files: browsers do
    /// not load such an element from a disk.
    pub need_server: u64,
    /// Pictures, scripts and media whose references became the names of files.
    #[doc(hidden)]
    pub embedded: u64,
    /// Links that became the names of files which browsers do not open as pages or style sheets from a disk.
    #[doc(hidden)]
    pub misnamed: u64,
    /// `base` elements that were taken out, or whose URL was ([`Settings::remove_base`](crate::Settings::remove_base)).
    pub bases_removed: u64,
    /// Documents of these that have scripts, which may ask for the base URL.
    pub scripted: u64,
    /// `base` elements that stay, since references depend on them.
    pub bases_left: u64,
    /// The group of one of these references.
    pub base_needed_by: Option<Group>,
    /// Whether a reference is resolved against the document's own URL although there may be a `base` element.
    #[doc(hidden)]
    pub needs_own_url: bool,
    /// Relative references in groups that are off ([`Settings::counted`](crate::Settings::counted)).
    #[doc(hidden)]
    pub off: GroupCounts,
    /// In JSON and serialized values: strings that look like relative URLs and stay, and values in a grammar of
    /// their own, which stay as well; and in HTML, CDATA sections, which are comments there.
    #[doc(hidden)]
    pub in_values: [u64; 3],
    /// How one reference with a placeholder begins.
    #[doc(hidden)]
    pub sample: Sample,
}
}

impl Tally {
    /// Adds one reference.
    pub fn count(&mut self, outcome: Outcome, divergent: bool) {
        self.references += 1;
        *match outcome {
            Outcome::Relative => &mut self.rewritten,
            Outcome::Absolute => &mut self.absolute,
            Outcome::SameDocument => &mut self.same_document,
            Outcome::Unresolved => &mut self.unresolved,
            Outcome::Excluded => &mut self.excluded,
            Outcome::Present => &mut self.present,
            Outcome::Placeholder => &mut self.placeholders,
            Outcome::WindowsPath => &mut self.windows_paths,
        } += 1;
        self.divergent += u64::from(divergent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up() {
        let outcomes = [
            Outcome::Relative,
            Outcome::Absolute,
            Outcome::SameDocument,
            Outcome::Unresolved,
            Outcome::Excluded,
            Outcome::Present,
            Outcome::Placeholder,
            Outcome::WindowsPath,
        ];
        let mut tally = Tally {
            before_base: 11,
            file_names: 12,
            guesses: 13,
            ..Tally::default()
        };
        for (number, outcome) in (3..).zip(outcomes) {
            (0..number).for_each(|nth| tally.count(outcome, nth == 1));
        }
        let expected = |times: u64| Tally {
            rewritten: 3 * times,
            absolute: 4 * times,
            same_document: 5 * times,
            unresolved: 6 * times,
            excluded: 7 * times,
            present: 8 * times,
            placeholders: 9 * times,
            windows_paths: 10 * times,
            before_base: 11 * times,
            file_names: 12 * times,
            guesses: 13 * times,
            references: 52 * times,
            divergent: 8 * times,
            ..Tally::default()
        };
        assert_eq!(tally, expected(1));
        let mut sum = tally;
        sum.merge(&tally);
        assert_eq!(sum, expected(2));
    }
}
