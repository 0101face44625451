//! A document in a record: examined, or rewritten and put into a record of its own.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use super::event::{Event, RecordDocument};
use super::part::{Archive, Emit, PartEnd, REUSED, RecordWorker};
use crate::batch::order::spooled::{ObserverOutput, SpooledBytes};
use crate::batch::path::numbered;
use crate::batch::plan::Task;
use crate::batch::plan::archives::ArchiveForm;
use crate::batch::report::{CopiesLeft, FileError, Located, NoteKind, guard, no_room};
use crate::batch::write::diff;
use abslink_containers::warc::{Head, Payload};
use abslink_html::line_column::Lines;
use abslink_html::{Examined, Outcome, Reference};

impl RecordWorker<'_> {
    /// Processes the document whose block was read. Returns the record made from it.
    pub(super) fn document(
        &mut self,
        offset: u64,
        head: &Head,
        following: Option<&Head>,
        emit: Emit<'_>,
    ) -> Result<Option<SpooledBytes>, PartEnd> {
        let block = std::mem::take(&mut self.block);
        let done = guard(|| self.guarded(offset, head, &block, following));
        self.block = block;
        if self.new.capacity() > REUSED {
            self.new = Vec::new();
        }
        match done.flatten() {
            Ok((events, new)) => {
                for event in events {
                    self.emit(offset, event, emit)?;
                }
                Ok(new)
            }
            Err(error) => {
                self.problem(offset, error, emit)?;
                Ok(None)
            }
        }
    }

    fn guarded(
        &mut self,
        offset: u64,
        head: &Head,
        block: &[u8],
        following: Option<&Head>,
    ) -> Result<(Vec<Event>, Option<SpooledBytes>), FileError> {
        let Some(payload) = Payload::of(head, block).map_err(FileError::Record)? else {
            return Ok((Vec::new(), None));
        };
        let refused = payload.refused.iter().cloned();
        let notes = refused.map(|refused| Event::Note(NoteKind::Message(refused.into())));
        let coding_missing = payload.coding_missing.then_some(Event::CodingMissing);
        let mut events: Vec<Event> = notes.chain(coding_missing).collect();
        let name = numbered(self.archive.path, offset);
        let is_converted = head.is_converted_by(following);
        let mut new = None;
        let document = match self.form() {
            None => self.examine(&name, &payload, is_converted)?,
            Some(form) => {
                let mut document = self.rewrite(&name, &payload);
                if document.changed {
                    let charset = self.rewriter.encoding.unwrap_or_default();
                    let content_type = format!("{}; charset={charset}", payload.media_type);
                    let made = self.made(form, (head, block), &content_type, following);
                    new = made.map_err(no_room)?;
                    document.changed = new.is_some();
                    if new.is_none() {
                        document.converted = keep(&mut document.examined);
                    } else if self.archive.plan.shows_diff() {
                        let mut text = Vec::new();
                        diff::unified(&name, &payload.text, &self.new, &mut text);
                        document.diff.write_all(&text).map_err(no_room)?;
                    }
                }
                let tally = &document.examined.tally;
                let has_findings = tally.unresolved + tally.divergent > 0;
                if self.archive.plan.findings.include(has_findings) {
                    document.shown = self.examine(&name, &payload, false)?.shown;
                }
                document
            }
        };
        events.push(Event::Document(Box::new(document)));
        Ok((events, new))
    }

    /// Shows the references of a document. If its conversion follows it, the relative ones count as
    /// done.
    fn examine(
        &mut self,
        name: &Path,
        payload: &Payload<'_>,
        is_converted: bool,
    ) -> Result<RecordDocument, FileError> {
        let Archive { plan, observer, .. } = self.archive;
        let mut shown = ObserverOutput::default();
        let mut lines = Lines::default();
        let mut moved = Vec::new();
        let mut each = |reference: &Reference<'_>| {
            if reference.to.is_some() && !plan.html.moves.is_empty() {
                moved.push(reference.span.clone());
            }
            let is_left = reference.to.is_some() || reference.outcome == Outcome::Unresolved;
            let mut reference = Cow::Borrowed(reference);
            if is_converted && is_left {
                let converted = reference.to_mut();
                converted.outcome = Outcome::Excluded;
                (converted.absolute, converted.to) = (None, None);
            }
            let found = Located::new(&mut lines, &payload.text, name, &reference);
            observer.reference(&found, shown.part());
        };
        let (text, syntax, html) = (&payload.text, payload.syntax, &plan.html);
        let context = &payload.context.clone().unwrapped(html);
        let mut examined = (self.rewriter).examine(text, syntax, context, html, &mut each);
        shown.check()?;
        if examined.left.is_some() {
            shown = ObserverOutput::default();
        }
        let converted = if is_converted { keep(&mut examined) } else { 0 };
        let length = text.len() as u64;
        Ok(RecordDocument {
            examined,
            converted,
            lengths: (length, length),
            changed: false,
            diff: SpooledBytes::default(),
            shown,
            copies: self.copies(name, text, moved),
        })
    }

    /// Puts a document with absolute references into `self.new`, if anything changes.
    fn rewrite(&mut self, name: &Path, payload: &Payload<'_>) -> RecordDocument {
        self.new.clear();
        let settings = &self.archive.plan.html;
        let (text, context) = (&payload.text, &payload.context.clone().unwrapped(settings));
        let (examined, changed) =
            (self.rewriter).rewrite(text, payload.syntax, context, settings, &mut self.new);
        let old = text.len() as u64;
        let text = if changed { &self.new } else { &*payload.text };
        let (new, copies) = (text.len() as u64, self.copies(name, text, Vec::new()));
        RecordDocument {
            examined,
            converted: 0,
            lengths: (old, new),
            changed,
            diff: SpooledBytes::default(),
            shown: ObserverOutput::default(),
            copies,
        }
    }

    /// The copies of moved hosts in a document, which are in none of its links that move.
    fn copies(&self, name: &Path, text: &[u8], moved: Vec<Range<usize>>) -> CopiesLeft {
        let (plan, mut copies) = (self.archive.plan, CopiesLeft::default());
        if !plan.html.moves.is_empty() {
            let finder = plan.copies.of(&plan.html.moves);
            copies.count(finder, name, text, moved, |line| line);
        }
        copies
    }

    /// The record with the new document; `None` if the input has it already. If nothing is
    /// written, it is empty.
    fn made(
        &mut self,
        form: ArchiveForm,
        (head, block): (&Head, &[u8]),
        content_type: &str,
        following: Option<&Head>,
    ) -> io::Result<Option<SpooledBytes>> {
        let writer = &mut self.writer;
        if form == ArchiveForm::Append
            && let Some(id) = following.and_then(Head::id)
            && id == writer.conversion_id(head, &self.new)
        {
            return Ok(None);
        }
        let mut new = SpooledBytes::default();
        match (&self.archive.plan.task, form) {
            (Task::Rewrite(_), ArchiveForm::Response) => {
                writer.changed(head, block, &self.new, &mut new)?;
            }
            (Task::Rewrite(_), _) => {
                writer.conversion(head, content_type, &self.new, &mut new)?;
            }
            _ => {}
        }
        Ok(Some(new))
    }
}

/// The relative references stay, because the input has their conversion already. Returns how many.
fn keep(examined: &mut Examined) -> u64 {
    let tally = &mut examined.tally;
    let left = std::mem::take(&mut tally.rewritten) + std::mem::take(&mut tally.unresolved);
    tally.excluded += left;
    left
}
