//! A mailbox in the format mbox: one file with many messages, which every core works on as on rows (`chunks`).

use std::fs::File;
use std::io::{Seek, Write};
use std::path::PathBuf;

use abslink_containers::message::Examined;
use abslink_containers::message::mbox::{self, MessageChunk, MessageCutter};
use abslink_html::line_column::Lines;

use crate::batch::order::chunks::{self, ChunkedFile};
use crate::batch::order::hold::Ticket;
use crate::batch::order::spooled::{ObserverOutput, SpooledBytes};
use crate::batch::path::numbered;
use crate::batch::plan::Task;
use crate::batch::report::outcome;
use crate::batch::report::{FileError, Located, Note, Problem, Report, guard, no_room};
use crate::batch::write::{PublishError, diff};

#[derive(Default)]
struct MessagesResult {
    /// The new messages, if they are written.
    out: Vec<u8>,
    read: u64,
    report: Report,
    /// A unified diff, for the output stream.
    diff: SpooledBytes,
    /// The output of the observer, message by message.
    shown: Vec<ObserverOutput>,
    notes: Vec<Note>,
    problems: Vec<Problem>,
}

/// Why a message is left that is never held whole.
const TOO_LONG: &str = "larger than 256 MiB";

/// Goes through a mailbox. The new one is written to `to`, if there is one. All files before it are done, so
/// findings are shown at once. Returns whether it came to the end: if the output stream failed, or the
/// observer drops the file, only a beginning was written.
pub(super) fn run(
    job: &ChunkedFile<'_>,
    mut from: &File,
    mut ticket: Ticket<'_, '_>,
    mut to: Option<&mut dyn Write>,
    found: &mut Report,
) -> Result<bool, PublishError> {
    from.rewind().map_err(FileError::Read)?;
    let is_written = to.is_some();
    let mut cutter = MessageCutter::new(from);
    chunks::in_order(
        rayon::current_num_threads(),
        || Ok(cutter.chunk()?.map(|chunk| (weight(&chunk), chunk))),
        || (),
        |chunk, ()| {
            let done = job.messages(&chunk, is_written);
            (done.held(), done)
        },
        |mut done, ()| {
            if let Some(to) = &mut to {
                to.write_all(&done.out)?;
            }
            found.merge(&done.report);
            // If the output stream has failed, the run says so.
            let mut goes_on = done.diff.copy_to(&mut ticket).is_ok();
            for shown in &mut done.shown {
                goes_on &= shown.show(ticket).map_err(no_room)?;
            }
            done.notes.iter().for_each(|note| job.observer.note(note));
            (done.problems.iter()).for_each(|problem| job.observer.problem(problem));
            job.observer.bytes_done(done.read);
            Ok(goes_on && !job.observer.drop_requested())
        },
    )
}

impl ChunkedFile<'_> {
    fn messages(&self, chunk: &MessageChunk, is_written: bool) -> MessagesResult {
        let mut done = MessagesResult {
            read: chunk.bytes.len() as u64,
            ..MessagesResult::default()
        };
        let write = |out: &mut Vec<u8>, bytes: &[u8]| {
            if is_written {
                out.extend_from_slice(bytes);
            }
        };
        let (mut start, mut lines) = (0, Lines::default());
        for (number, &(end, is_whole)) in (chunk.first..).zip(&chunk.messages) {
            let bytes = &chunk.bytes[start..end];
            let message = ChunkMessage {
                job: self,
                chunk,
                start,
                bytes,
                name: numbered(self.path, number),
            };
            let result = if is_whole {
                guard(|| message.process(&mut lines, &mut done)).flatten()
            } else {
                Err(FileError::Left(TOO_LONG))
            };
            let new = result.unwrap_or_else(|error| {
                message.problem(error, &mut done);
                None
            });
            write(&mut done.out, new.as_deref().unwrap_or(bytes));
            start = end;
        }
        write(&mut done.out, &chunk.bytes[start..]);
        done
    }
}

struct ChunkMessage<'m> {
    job: &'m ChunkedFile<'m>,
    chunk: &'m MessageChunk,
    /// Where in the chunk it begins.
    start: usize,
    bytes: &'m [u8],
    /// The mailbox and its number there.
    name: PathBuf,
}

impl ChunkMessage<'_> {
    /// Returns the new message, if it changes.
    fn process(
        &self,
        lines: &mut Lines,
        done: &mut MessagesResult,
    ) -> Result<Option<Vec<u8>>, FileError> {
        let ChunkedFile { plan, observer, .. } = *self.job;
        let mut new = None;
        let mut moved = Vec::new();
        let mut outcome = if plan.task == Task::Examine {
            self.show(lines, &mut moved, done)?
        } else {
            let context = self.job.context;
            let rewritten = mbox::rewrite(self.bytes, context, &plan.html);
            let changed = rewritten.is_changed();
            new = changed.then(|| rewritten.document.into_owned());
            rewritten.examined
        };
        done.report.broken_signatures += outcome::take_broken_signatures(&mut outcome);
        let length = |bytes: &[u8]| bytes.len() as u64;
        let new_length = length(new.as_deref().unwrap_or(self.bytes));
        done.report.files += 1;
        done.report.enclosed += 1;
        done.report.bytes_in += length(self.bytes);
        let (name, report) = (&self.name, &mut done.report);
        let counted = outcome::count(&outcome, name, new.is_some(), new_length, report);
        if let Err(error) = counted {
            self.problem(error, done);
        }
        if outcome::left(&outcome).is_some() {
            return Ok(None);
        }
        if plan.task != Task::Examine && plan.findings.include(outcome::has_findings(&outcome)) {
            self.show(lines, &mut Vec::new(), done)?;
        }
        let moves = &plan.html.moves;
        if !moves.is_empty() {
            let text = new.as_deref().unwrap_or(self.bytes);
            let copies = &mut done.report.copies_left;
            let before = &self.chunk.bytes[..self.start];
            let before = self.chunk.lines + memchr::memchr_iter(b'\n', before).count() as u64;
            let finder = plan.copies.of(moves);
            copies.count(finder, self.job.path, text, moved, |line| before + line);
        }
        let mut shown = ObserverOutput::default();
        outcome::show(&outcome, &self.name, observer, shown.part());
        done.shown.push(shown);
        if let Some(new) = new.as_ref().filter(|_| plan.shows_diff()) {
            let mut text = Vec::new();
            diff::unified(&self.name, self.bytes, new, &mut text);
            done.diff.write_all(&text).map_err(no_room)?;
        }
        let path = || self.name.clone();
        let notes = outcome::into_notes(outcome);
        done.notes
            .extend(notes.map(|what| Note { path: path(), what }));
        Ok(new)
    }

    /// Shows its references by their places in the file, unless all of it is left.
    fn show(
        &self,
        lines: &mut Lines,
        moved: &mut Vec<std::ops::Range<usize>>,
        done: &mut MessagesResult,
    ) -> Result<Examined, FileError> {
        let job = self.job;
        let place = |by: u64, span: &std::ops::Range<usize>| {
            let by = usize::try_from(by).unwrap_or(usize::MAX);
            by.saturating_add(span.start)..by.saturating_add(span.end)
        };
        let start = self.start as u64;
        let mut shown = ObserverOutput::default();
        let html = &job.plan.html;
        let examined = mbox::examine(self.bytes, job.context, html, &mut |reference| {
            if reference.to.is_some() {
                moved.push(reference.span.clone());
            }
            let in_chunk = reference.at(place(start, &reference.span));
            let in_file = in_chunk.at(place(self.chunk.offset, &in_chunk.span));
            let mut found = Located::new(lines, &self.chunk.bytes, job.path, &in_chunk);
            let before = usize::try_from(self.chunk.lines).unwrap_or(usize::MAX);
            found.line = found.line.saturating_add(before);
            found.end_line = found.end_line.saturating_add(before);
            found.reference = &in_file;
            job.observer.reference(&found, shown.part());
        });
        shown.check()?;
        if outcome::left(&examined).is_none() {
            done.shown.push(shown);
        }
        Ok(examined)
    }

    fn problem(&self, error: FileError, done: &mut MessagesResult) {
        done.report.files_failed += 1;
        done.report.parts_failed[3] += 1;
        done.problems.push(Problem {
            path: self.name.clone(),
            error: FileError::Message {
                id: mbox::id(self.bytes),
                error: error.into(),
            },
        });
    }
}

impl MessagesResult {
    fn held(&self) -> usize {
        let shown: usize = self.shown.iter().map(ObserverOutput::held).sum();
        self.out.len() + self.diff.held() + shown
    }
}

/// That of a chunk, and what its longest message becomes.
fn weight(chunk: &MessageChunk) -> usize {
    let starts = [0]
        .into_iter()
        .chain(chunk.messages.iter().map(|(end, _)| *end));
    let lengths = (chunk.messages.iter().zip(starts)).map(|((end, _), start)| end - start);
    chunk.bytes.len() + lengths.max().unwrap_or_default()
}
