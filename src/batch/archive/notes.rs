//! What is worth a note about an archive as a whole.

use crate::batch::report::{NoteKind, Report};

#[derive(Default)]
pub(super) struct ArchiveNotes {
    pub(super) coding_missing: u64,
    pub(super) segments: u64,
    /// The keys of records that were changed, with the URL of each: there may be millions, and a map would
    /// take three times as much.
    changes: Vec<(u64, u64)>,
    /// The keys of records that others refer to, with the URL of each revisit.
    references: Vec<(u64, Option<u64>)>,
    links: u64,
    revisits: u64,
}

/// How many references are held at a time: one record may have millions. If there are more, those to a
/// record later than the last of these are not counted.
const HELD: usize = 1 << 20;

impl ArchiveNotes {
    pub(super) fn changes(&mut self, keys: [Option<u64>; 2], target: u64) {
        self.changes
            .extend(keys.into_iter().flatten().map(|key| (key, target)));
    }

    pub(super) fn refers(&mut self, key: u64, revisits: Option<u64>, report: &mut Report) {
        self.references.push((key, revisits));
        if self.references.len() == HELD {
            self.follow(report);
        }
    }

    /// Counts the references to records that were changed.
    fn follow(&mut self, report: &mut Report) {
        let changes = &mut self.changes;
        changes.sort_unstable();
        // One id may stand for many records: they are not skipped one by one.
        for (key, revisit) in self.references.drain(..) {
            let first = changes.partition_point(|&(changed, _)| changed < key);
            if changes
                .get(first)
                .is_none_or(|&(changed, _)| changed != key)
            {
                continue;
            }
            *match revisit {
                None => &mut self.links,
                Some(target) => match changes.binary_search(&(key, target)) {
                    Ok(_) => &mut self.revisits,
                    Err(_) => &mut report.misled_revisits,
                },
            } += 1;
        }
    }

    /// The notes at the end of the archive.
    pub(super) fn all(&mut self, report: &mut Report) -> impl Iterator<Item = NoteKind> {
        self.follow(report);
        let there = |number: u64, note: fn(u64) -> NoteKind| (number > 0).then(|| note(number));
        let notes = [
            there(self.coding_missing, NoteKind::UndoneCodings),
            there(self.segments, NoteKind::Segments),
            there(self.links, NoteKind::OldIds),
            there(self.revisits, NoteKind::Revisits),
            there(report.misled_revisits, NoteKind::MisledRevisits),
        ];
        notes.into_iter().flatten()
    }
}
