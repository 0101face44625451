//! One pass over a document that is read in pieces: its references shown, or rewritten to where they go.

use std::io::{self, Read, Take, Write};

use super::content::Job;
use super::pieces::{PIECE, counted, each_piece, rewound};
use super::worker::Worker;
use crate::batch::plan::{Output, Task};
use crate::batch::report::{FileError, Located, PiecesFinder, guard, no_room};
use crate::batch::write::{Contents, PublishError};
use abslink_html::base::Context;
use abslink_html::line_column::Lines;
use abslink_html::shared::Merge as _;
use abslink_html::{ChunkedRewriter, DocumentInfo, Examined, Seen, Settings};

/// A document that is read in pieces.
pub(super) struct ChunkedDocument<'d, 'a> {
    pub(super) job: Job<'d, 'a>,
    pub(super) facts: DocumentInfo,
    pub(super) context: &'d Context,
    /// `None` for a stream, whose end is not known.
    pub(super) length: Option<u64>,
}

impl ChunkedDocument<'_, '_> {
    pub(super) fn document<'s>(&'s self, settings: &'s Settings) -> ChunkedRewriter<'s> {
        let document = ChunkedRewriter::new(&self.facts, self.context, settings);
        match self.length {
            Some(length) => document.with_length(length),
            None => document,
        }
    }
}

impl Worker<'_> {
    /// Shows the references. Returns the result of the document, whether the new one differs, and how long that is; `None`
    /// if the output stream has failed, and the run ends.
    pub(super) fn examine_pieces(
        &mut self,
        source: &ChunkedDocument<'_, '_>,
        from: &mut Take<impl Read>,
    ) -> Result<Option<(Examined, bool, u64)>, FileError> {
        let Job { item, ticket, .. } = source.job;
        let mut document = source.document(&self.plan.html);
        let mut lines = Lines::default();
        let mut out = Vec::new();
        let mut failed = false;
        each_piece(document.piece(PIECE), from, |piece, last| {
            let mut each = |seen: Seen<'_>| match seen {
                Seen::Passed(bytes) => lines.pass(bytes),
                Seen::Reference(..) if failed => {}
                Seen::Reference(reference, held) => {
                    let found = Located::new(&mut lines, held, &item.path, reference);
                    self.observer.reference(&found, &mut out);
                    // A single value may have any number of references.
                    if out.len() > PIECE {
                        failed = !ticket.show(&out);
                        out.clear();
                    }
                }
            };
            guard(|| document.examine(piece, last, &mut each))?;
            if failed || document.is_outgrown() {
                return Ok(false);
            }
            failed = !ticket.show(&out);
            out.clear();
            Ok(!failed)
        })?;
        Ok((!failed).then(|| finished(document, counted(from))))
    }

    /// Rewrites the document to its destination; returns what `examine_pieces` does.
    pub(super) fn rewrite_pieces(
        &mut self,
        source: &ChunkedDocument<'_, '_>,
        from: &mut Take<impl Read>,
    ) -> Result<Option<(Examined, bool, u64)>, FileError> {
        let (item, mut ticket) = (source.job.item, source.job.ticket);
        let plan = self.plan;
        let mut document = source.document(&plan.html);
        let mut copies = PiecesFinder::new(plan.copies.of(&plan.html.moves), &item.path);
        let mut length = 0;
        match (&plan.task, source.job.original) {
            (Task::Rewrite(Output::Directory { .. } | Output::InPlace { .. }), Some(original)) => {
                if plan.output_directory().is_none() {
                    // A document that needs no change is only read.
                    let mut out = Vec::new();
                    each_piece(document.piece(PIECE), from, |piece, last| {
                        out.clear();
                        take(&mut document, piece, last, &mut out)?;
                        length += out.len() as u64;
                        Ok(!document.changed())
                    })?;
                    if !document.changed() {
                        return Ok(Some(finished(document, length)));
                    }
                    rewound(&original.file)?;
                    from.set_limit(u64::MAX);
                    document = source.document(&plan.html);
                }
                let mut write = |to: &mut dyn Write| {
                    length = rewrite(&mut document, from, &mut copies, to)?;
                    Ok(())
                };
                let new = Contents::Written(&mut write);
                let notes = self.destination.put(item, new, original)?;
                self.result.notes.extend(notes);
            }
            (Task::Rewrite(Output::Stdout), _) => {
                // Nothing is printed before the second reader has seen the end.
                let spool = plan.html.verify.is_on().then(tempfile::tempfile);
                let spool = spool.transpose().map_err(no_room)?;
                let written = match &spool {
                    Some(spool) => rewrite(&mut document, from, &mut copies, &mut &*spool),
                    None => rewrite(&mut document, from, &mut copies, &mut ticket),
                };
                if let Some(spool) = &spool
                    && document.disagreement().is_none()
                    && io::copy(&mut rewound(spool)?, &mut ticket).is_err()
                {
                    return Ok(None);
                }
                match written {
                    Ok(written) => length = written,
                    Err(PublishError::Io(error)) if spool.is_some() => return Err(no_room(error)),
                    Err(PublishError::Io(_)) => return Ok(None),
                    Err(refused) => {
                        let error = refused.of(&item.path);
                        if leaves(&error) {
                            // The rest is written as it is. If that fails too, the run says so.
                            let _ = ticket.write_all(document.pending());
                            let _ = io::copy(from, &mut ticket);
                        }
                        return Err(error);
                    }
                }
            }
            _ => {
                length = rewrite(&mut document, from, &mut copies, &mut io::sink())
                    .map_err(|refused| refused.of(&item.path))?;
                let original = source.job.original;
                if let Some(original) = original.filter(|_| self.touches(document.changed())) {
                    self.put_old(item, original)?;
                }
            }
        }
        self.report.copies_left.add_up(&copies.left);
        Ok(Some(finished(document, length)))
    }

    /// Counts the copies of moved hosts in a document that is only read, as it would become.
    pub(super) fn count_copies_in_pieces(
        &mut self,
        source: &ChunkedDocument<'_, '_>,
        from: &mut dyn Read,
    ) {
        let plan = self.plan;
        if plan.html.moves.is_empty() {
            return;
        }
        let (mut document, path) = (source.document(&plan.html), &source.job.item.path);
        let mut copies = PiecesFinder::new(plan.copies.of(&plan.html.moves), path);
        if rewrite(&mut document, from, &mut copies, &mut io::sink()).is_ok() {
            self.report.copies_left.add_up(&copies.left);
        }
    }
}

fn finished(document: ChunkedRewriter<'_>, length: u64) -> (Examined, bool, u64) {
    let (examined, changed) = document.finish();
    (examined, changed, length)
}

/// Rewrites a whole document, and returns the length of the new one.
fn rewrite(
    document: &mut ChunkedRewriter<'_>,
    from: &mut dyn Read,
    copies: &mut PiecesFinder<'_>,
    to: &mut dyn Write,
) -> Result<u64, PublishError> {
    let mut length = 0;
    let mut written = Ok(());
    let mut out = Vec::new();
    each_piece(document.piece(PIECE), from, |piece, last| {
        take(document, piece, last, &mut out)?;
        copies.take(&out, last);
        written = to.write_all(&out);
        length += out.len() as u64;
        out.clear();
        Ok(written.is_ok())
    })?;
    written?;
    Ok(length)
}

/// Rewrites one piece; an error if the document would grow too much, or is not as assumed.
fn take(
    document: &mut ChunkedRewriter<'_>,
    piece: &[u8],
    last: bool,
    out: &mut Vec<u8>,
) -> Result<(), FileError> {
    guard(|| document.rewrite(piece, last, out))?;
    let left = document.outgrown().or(document.late());
    match (left, document.disagreement()) {
        (Some(reason), _) => Err(FileError::Left(reason)),
        (None, Some(disagreement)) => Err(FileError::Disagreement(disagreement.clone())),
        (None, None) => Ok(()),
    }
}

fn leaves(error: &FileError) -> bool {
    matches!(error, FileError::Panicked(_) | FileError::Left(_))
}

/// The document itself is the reason, not reading or writing it.
pub(super) fn is_of_document(error: &FileError) -> bool {
    leaves(error) || matches!(error, FileError::Disagreement(_))
}
