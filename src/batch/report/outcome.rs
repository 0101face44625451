//! What became of the documents in one file.

use std::path::Path;

use super::{FileError, NoteKind, Observer, Report};
use crate::batch::path::numbered;
use abslink_containers::message::{Examined, Remark};
use abslink_html as html;
use abslink_html::shared::Merge as _;

/// Why the file is left as a whole.
pub(crate) fn left(outcome: &Examined) -> Option<FileError> {
    let damage = outcome.damage.clone().map(FileError::Feed);
    damage.or(outcome.left.map(FileError::Left))
}

/// Where the second reader disagrees with the new file, if the file is left for that reason. Of a
/// message, only a part is left.
pub(crate) fn disagreement(outcome: &Examined) -> Option<&html::Disagreement> {
    outcome.whole.as_ref()?.disagreement.as_ref()
}

/// Whether a document in the file has relative references that stay, since it has no base URL.
pub(crate) fn lacks_base(outcome: &Examined) -> bool {
    let lacks = |(_, examined): (_, &html::Examined)| {
        examined.document_base.base.is_none() && examined.tally.excluded > 0
    };
    outcome.all().any(lacks)
}

/// Whether a run that rewrites would change the file.
pub(crate) fn would_change(outcome: &Examined) -> bool {
    outcome
        .all()
        .any(|(_, examined)| examined.tally.rewritten > 0)
}

/// Whether references of the file are reported although it was rewritten.
pub(crate) fn has_findings(outcome: &Examined) -> bool {
    let mut tallies = outcome.all().map(|(_, examined)| &examined.tally);
    tallies.any(|tally| tally.unresolved + tally.divergent > 0)
}

/// Counts a file that was processed, unless it was left. The output has `length` bytes.
pub(crate) fn count(
    outcome: &Examined,
    path: &Path,
    changed: bool,
    length: u64,
    report: &mut Report,
) -> Result<(), FileError> {
    if let Some(error) = left(outcome) {
        return Err(error);
    }
    if let Some(disagreement) = disagreement(outcome) {
        return Err(FileError::Disagreement(disagreement.clone()));
    }
    let (mut without_base, mut opaque, mut on_guess) = (false, false, false);
    for (_, examined) in outcome.all() {
        let tally = &examined.tally;
        report.tally.merge(tally);
        let needed_by = tally.base_needed_by;
        (report.base_left).add_up(&needed_by.map(|group| (path.to_owned(), group)));
        let document_base = &examined.document_base;
        on_guess |= document_base.is_guess && tally.rewritten > 0;
        if document_base.base.is_none() && tally.unresolved > 0 {
            let is_opaque = document_base.is_opaque();
            without_base |= !is_opaque;
            opaque |= is_opaque;
        }
    }
    let lacks_url = outcome.lacks_url;
    report.unknown_places.add_up(&outcome.unknown);
    report.files_on_guess += u64::from(on_guess);
    report.files_without_base += u64::from(without_base || lacks_url);
    report.feeds_without_url += u64::from(lacks_url);
    report.files_with_opaque_base += u64::from(opaque);
    report.files_changed += u64::from(changed);
    report.files_unchanged += u64::from(!changed);
    report.bytes_out += length;
    match &outcome.refusals[..] {
        [] => Ok(()),
        refusals => Err(FileError::Parts(refusals.to_vec())),
    }
}

/// Shows each document of the file at `path`.
pub(crate) fn show(outcome: &Examined, path: &Path, observer: &dyn Observer, out: &mut Vec<u8>) {
    for (number, examined) in outcome.all() {
        match number {
            None => observer.document(path, examined, out),
            Some(number) => observer.document(&numbered(path, number), examined, out),
        }
    }
}

/// Takes out what is said of signatures of DKIM; returns how many are no longer valid.
pub(crate) fn take_broken_signatures(outcome: &mut Examined) -> u64 {
    let remarks = &mut outcome.remarks;
    let before = remarks.len();
    remarks.retain(|remark| !matches!(remark, Remark::Dkim));
    (before - remarks.len()) as u64
}

/// What else is worth a note.
pub(crate) fn into_notes(outcome: Examined) -> impl Iterator<Item = NoteKind> {
    let mut remarks = outcome.remarks;
    // One is enough for a message with several signatures.
    remarks.dedup();
    remarks.into_iter().map(NoteKind::Message)
}
