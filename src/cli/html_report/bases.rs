//! Which source of RFC 1808 §3 gave documents their base URLs.

use std::collections::BTreeMap;
use std::path::Path;

use super::text::{LONGEST, shown};
use crate::cli::terminal::passwords::masked;
use abslink_html::base::{BaseSource, DocumentBase};

/// At most this many documents whose evidence disagrees are named.
pub(super) const CONFLICTS: usize = 20;
/// At most this many that have no base URL.
pub(super) const WITHOUT: usize = 50;

/// The section of RFC 1808 that a source is in, and what it is.
fn about(source: BaseSource, is_unneeded: bool) -> (&'static str, &'static str) {
    let name = if is_unneeded {
        "unneeded"
    } else {
        source.name()
    };
    let mut rows = include_str!("sources.tsv").lines();
    let row = rows.find_map(|row| row.split_once('\t').filter(|(of, _)| *of == name));
    row.and_then(|(_, row)| row.split_once('\t'))
        .unwrap_or_default()
}

#[derive(Default)]
pub(super) struct Bases {
    /// How many documents got their base URL from each source, in the order of the sources; last, those that have
    /// none and need none.
    documents: BTreeMap<(u8, bool), (BaseSource, u64)>,
    /// Documents whose evidence names several URLs: the evidence that counted and its URL, then the rest.
    pub(super) conflicts: Vec<(String, Vec<(&'static str, String)>)>,
    pub(super) contested: u64,
    /// Documents that have no base URL, and how many references that leaves.
    pub(super) without: Vec<(String, u64)>,
    pub(super) lacking: u64,
}

impl Bases {
    /// Counts a document, in path order. `unresolved` of its references stay relative.
    pub(super) fn count(&mut self, path: &Path, document_base: &DocumentBase, unresolved: u64) {
        let source = document_base.source;
        let lacks = source == BaseSource::None && unresolved > 0;
        let is_unneeded = source == BaseSource::None && !lacks;
        let counted = self.documents.entry((source as u8, is_unneeded));
        counted.or_insert((source, 0)).1 += 1;
        let path = || shown(&path.to_string_lossy(), LONGEST);
        if lacks {
            self.lacking += 1;
            if self.without.len() < WITHOUT {
                self.without.push((path(), unresolved));
            }
        }
        if document_base.is_contested() {
            self.contested += 1;
            if self.conflicts.len() < CONFLICTS {
                self.conflicts.push((path(), says(document_base)));
            }
        }
    }

    /// How many documents got their base URL from each source, its section, and what it is.
    pub(super) fn of_sources(
        &self,
    ) -> impl Iterator<Item = (u64, BaseSource, (&'static str, &'static str))> {
        let documents = self.documents.iter();
        documents.map(|(&(_, is_unneeded), &(source, documents))| {
            (documents, source, about(source, is_unneeded))
        })
    }

    /// How many documents were counted.
    pub(super) fn documents(&self) -> u64 {
        self.documents
            .values()
            .map(|(_, documents)| documents)
            .sum()
    }
}

/// Evidence of a document's URL, as far as it contradicts the first.
fn says(document_base: &DocumentBase) -> Vec<(&'static str, String)> {
    /// No document has more kinds of evidence, but it may have many comments.
    const MOST: usize = 5;
    let first = document_base.first();
    let others = (document_base.evidence.iter())
        .filter(|evidence| first.is_some_and(|first| !evidence.agrees_with(first)));
    let all = first.into_iter().chain(others).take(MOST);
    all.map(|evidence| {
        let source = evidence.source.name();
        (source, shown(&masked(&evidence.says), LONGEST))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_is_described() {
        use BaseSource::*;
        for source in [
            Embedded, Entity, Map, Xattr, Comment, Layout, Repo, Archive, SelfLink, Row, Tree, None,
        ] {
            let (section, what) = about(source, false);
            assert!(section.starts_with("§3.") && !what.is_empty(), "{source:?}");
        }
        assert_ne!(about(None, true), about(None, false));
    }
}
