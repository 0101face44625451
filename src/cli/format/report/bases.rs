//! Which source of RFC 1808 §3 gave documents their base URLs.

use std::path::Path;

use super::text::{LONGEST, shown};
use crate::cli::passwords::masked;
use abslink_html::base::{Established, Rung};

/// At most this many documents whose evidence disagrees are named.
pub(super) const CONFLICTS: usize = 20;
/// At most this many that have no base URL.
pub(super) const WITHOUT: usize = 50;

/// The sources, their sections, and what they are.
pub(super) const RUNGS: [(Rung, &str, &str); 9] = [
    (Rung::Embedded, "§3.1", "the document's own base element"),
    (
        Rung::Entity,
        "§3.2",
        "the message, record or feed item around it",
    ),
    (Rung::Map, "§3.3", "a line of the url map"),
    (Rung::Xattr, "§3.3", "an extended attribute of the file"),
    (
        Rung::Comment,
        "§3.3",
        "a comment of the program that saved it",
    ),
    (Rung::Layout, "§3.3", "its place in the tree"),
    (
        Rung::Archive,
        "§3.3",
        "the URL of its record in a web archive",
    ),
    (Rung::SelfLink, "§3.3", "what the feed says of its own URL"),
    (Rung::None, "§3.4", "none: relative references stay"),
];

/// A document whose evidence names several URLs.
pub(super) struct Conflict {
    pub(super) path: String,
    /// The evidence that counted and its URL, then the rest.
    pub(super) says: Vec<(&'static str, String)>,
}

/// What is shown about base URLs.
#[derive(Default)]
pub(super) struct Bases {
    documents: [u64; RUNGS.len()],
    /// Documents that have no base URL and need none.
    unneeded: u64,
    pub(super) conflicts: Vec<Conflict>,
    pub(super) contested: u64,
    /// Documents that have no base URL, and how many references that leaves.
    pub(super) without: Vec<(String, u64)>,
    pub(super) lacking: u64,
}

impl Bases {
    /// Counts a document, in path order. `unresolved` of its references stay relative.
    pub(super) fn count(&mut self, path: &Path, established: &Established, unresolved: u64) {
        let lacks = established.rung == Rung::None && unresolved > 0;
        let rung = RUNGS
            .iter()
            .position(|(rung, ..)| *rung == established.rung);
        if established.rung == Rung::None && !lacks {
            self.unneeded += 1;
        } else if let Some(documents) = rung.and_then(|rung| self.documents.get_mut(rung)) {
            *documents += 1;
        }
        let path = || shown(&path.to_string_lossy(), LONGEST);
        if lacks {
            self.lacking += 1;
            if self.without.len() < WITHOUT {
                self.without.push((path(), unresolved));
            }
        }
        if established.is_contested() {
            self.contested += 1;
            if self.conflicts.len() < CONFLICTS {
                let path = path();
                let says = says(established);
                self.conflicts.push(Conflict { path, says });
            }
        }
    }

    /// How many documents got their base URL from each source, if any did.
    pub(super) fn of_rungs(&self) -> impl Iterator<Item = (u64, Rung, &'static str, &'static str)> {
        let rungs = self.documents.into_iter().zip(RUNGS);
        let unneeded = (Rung::None, "§3.4", "none, and no reference needs one");
        let rungs = rungs.chain([(self.unneeded, unneeded)]);
        let rungs =
            rungs.map(|(documents, (rung, section, what))| (documents, rung, section, what));
        rungs.filter(|(documents, ..)| *documents > 0)
    }
}

/// Evidence of a document's URL, as far as it contradicts the first.
fn says(established: &Established) -> Vec<(&'static str, String)> {
    /// No document has more kinds of evidence, but it may have many comments.
    const MOST: usize = 5;
    let first = established.first();
    let others = (established.evidence.iter())
        .filter(|evidence| first.is_some_and(|first| !evidence.agrees_with(first)));
    let all = first.into_iter().chain(others).take(MOST);
    all.map(|evidence| {
        let rung = evidence.source.rung().name();
        (rung, shown(&masked(&evidence.says), LONGEST))
    })
    .collect()
}
