//! What became of the documents in one file.

use std::path::Path;

use super::{FileError, NoteKind, Observer, Report};
use crate::batch::path::numbered;
use abslink_containers::message::{Examined, Remark};
use abslink_html as html;

/// The result of reading a file.
#[derive(Debug)]
pub(crate) struct FileOutcome(Examined);

impl From<Examined> for FileOutcome {
    fn from(examined: Examined) -> FileOutcome {
        FileOutcome(examined)
    }
}

impl From<html::Examined> for FileOutcome {
    fn from(examined: html::Examined) -> FileOutcome {
        FileOutcome(examined.into())
    }
}

impl FileOutcome {
    /// Why the file is left as a whole.
    pub(crate) fn left(&self) -> Option<FileError> {
        let damage = self.0.damage.clone().map(FileError::Feed);
        damage.or(self.0.left.map(FileError::Left))
    }

    /// Where the second reader disagrees with the new file, if the file is left for that reason. Of a
    /// message, only a part is left.
    pub(crate) fn disagreement(&self) -> Option<&html::Disagreement> {
        self.0.whole.as_ref()?.disagreement.as_ref()
    }

    /// Links that lead outside the site, and differ from it only in their scheme or in a `www.`.
    pub(crate) fn aliases(&self) -> [u64; 3] {
        let mut all = [0; 3];
        for (_, examined) in self.0.all() {
            for (all, links) in all.iter_mut().zip(examined.tally.aliases) {
                *all += links;
            }
        }
        all
    }

    /// Whether a document in the file has relative references that stay, since it has no base URL.
    pub(crate) fn lacks_base(&self) -> bool {
        let lacks = |(_, examined): (_, &html::Examined)| {
            examined.document_base.base.is_none() && examined.tally.excluded > 0
        };
        self.0.all().any(lacks)
    }

    /// Whether a run that rewrites would change the file.
    pub(crate) fn would_change(&self) -> bool {
        self.0
            .all()
            .any(|(_, examined)| examined.tally.rewritten > 0)
    }

    /// Whether references of the file are reported although it was rewritten.
    pub(crate) fn has_findings(&self) -> bool {
        let mut tallies = self.0.all().map(|(_, examined)| &examined.tally);
        tallies.any(|tally| tally.unresolved + tally.divergent > 0)
    }

    /// Counts a file that was processed, unless it was left. The output has `length` bytes.
    pub(crate) fn count(
        &self,
        path: &Path,
        changed: bool,
        length: u64,
        report: &mut Report,
    ) -> Result<(), FileError> {
        if let Some(error) = self.left() {
            return Err(error);
        }
        if let Some(disagreement) = self.disagreement() {
            return Err(FileError::Disagreement(disagreement.clone()));
        }
        let (mut without_base, mut opaque, mut on_guess) = (false, false, false);
        for (_, examined) in self.0.all() {
            let tally = &examined.tally;
            report.tally.merge(tally);
            report.count_base_kept(path, tally.base_needed_by);
            let document_base = &examined.document_base;
            on_guess |= document_base.is_guess && tally.rewritten > 0;
            if document_base.base.is_none() && tally.unresolved > 0 {
                let is_opaque = document_base.is_opaque();
                without_base |= !is_opaque;
                opaque |= is_opaque;
            }
        }
        let lacks_url = self.0.lacks_url;
        report.unknown_places.merge(&self.0.unknown);
        report.files_on_guess += u64::from(on_guess);
        report.files_without_base += u64::from(without_base || lacks_url);
        report.feeds_without_url += u64::from(lacks_url);
        report.files_with_opaque_base += u64::from(opaque);
        report.files_changed += u64::from(changed);
        report.files_unchanged += u64::from(!changed);
        report.bytes_out += length;
        match &self.0.refusals[..] {
            [] => Ok(()),
            refusals => Err(FileError::Parts(refusals.to_vec())),
        }
    }

    /// Shows each document of the file at `path`.
    pub(crate) fn show(&self, path: &Path, observer: &dyn Observer, out: &mut Vec<u8>) {
        for (number, examined) in self.0.all() {
            match number {
                None => observer.document(path, examined, out),
                Some(number) => observer.document(&numbered(path, number), examined, out),
            }
        }
    }

    /// Takes out what is said of signatures of DKIM; returns how many are no longer valid.
    pub(crate) fn take_broken_signatures(&mut self) -> u64 {
        let remarks = &mut self.0.remarks;
        let before = remarks.len();
        remarks.retain(|remark| !matches!(remark, Remark::Dkim));
        (before - remarks.len()) as u64
    }

    /// What else is worth a note.
    pub(crate) fn into_notes(self) -> impl Iterator<Item = NoteKind> {
        let mut remarks = self.0.remarks;
        // One is enough for a message with several signatures.
        remarks.dedup();
        remarks.into_iter().map(NoteKind::Message)
    }
}
