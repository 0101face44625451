//! One archive, from its first byte to its last.

use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::event::Event;
use super::notes::ArchiveNotes;
use super::part::{Archive, RecordWorker};
use crate::batch::order::chunks;
use crate::batch::order::hold::Ticket;
use crate::batch::panic::catch_panic;
use crate::batch::path::numbered;
use crate::batch::plan::archives::{ArchiveForm, described};
use crate::batch::report::outcome;
use crate::batch::report::{FileError, Note, Problem, Report, no_room};
use crate::batch::write::PublishError;
use abslink_containers::message::Examined;
use abslink_containers::warc::{self, Fault, Kind, Shape, Writer};
use abslink_html::DocumentRewriter;
use abslink_html::shared::Merge as _;
use abslink_url::password;

/// How long a block is.
const BLOCK: u64 = 1 << 20;

/// A block that is worked on before its turn may not hold more than this.
const HELD: usize = 8 << 20;

/// Goes through an archive. The new one is written to `to`, if there is one. All files before it are done,
/// so findings are shown at once. Returns whether it came to the end: if the output stream failed, or the
/// observer drops the archive, only a beginning was written.
pub(crate) fn run(
    archive: Archive<'_>,
    ticket: Ticket<'_, '_>,
    to: Option<&mut dyn Write>,
    found: &mut Report,
) -> Result<bool, PublishError> {
    let shape = Shape::of(archive.input).map_err(|fault| match fault {
        Fault::Read(error) => FileError::Read(error),
        Fault::Damage(reason) => FileError::Record(reason),
    })?;
    let options = &archive.plan.archives;
    let date = options.date.as_ref().unwrap_or(archive.date).clone();
    let used = described(&archive.plan.html);
    let shown = if options.show_passwords {
        used.clone()
    } else {
        password::masked_line(&used).into_owned()
    };
    let writer = Writer::new(shape.compression, date, used, shown);
    let mut taker = Taker {
        archive,
        shape: &shape,
        writer,
        ticket,
        to,
        copies: options.form.copies(),
        copied: 0,
        found,
        notes: ArchiveNotes::default(),
        stopped: false,
    };
    taker.begin()?;
    taker.all()?;
    Ok(taker.end()?)
}

/// Takes the events of an archive, in order.
struct Taker<'t, 'a, 's, 'o> {
    archive: Archive<'a>,
    shape: &'a Shape,
    writer: Writer,
    ticket: Ticket<'s, 'o>,
    to: Option<&'t mut (dyn Write + 't)>,
    copies: bool,
    copied: u64,
    /// The counts for its documents.
    found: &'a mut Report,
    notes: ArchiveNotes,
    /// The output stream has failed, or nobody wants the rest.
    stopped: bool,
}

impl<'a> Taker<'_, 'a, '_, '_> {
    /// What comes before all records.
    fn begin(&mut self) -> io::Result<()> {
        let form = self.archive.plan.archives.form;
        let name = self.archive.path.file_name().and_then(|name| name.to_str());
        match &mut self.to {
            Some(to) if form == ArchiveForm::Conversions => {
                let name = name.filter(|name| *name != "-");
                self.writer.warcinfo(name, to)
            }
            _ => Ok(()),
        }
    }

    /// Goes through all records, with the help of other threads.
    fn all(&mut self) -> Result<(), PublishError> {
        let (archive, shape, writer) = (self.archive, self.shape, self.writer.clone());
        let length = archive.input.length;
        let worker = || RecordWorker {
            archive,
            shape,
            rewriter: DocumentRewriter::default(),
            writer: writer.clone(),
            block: Vec::new(),
            new: Vec::new(),
        };
        // Where the records end that were taken.
        let taken = AtomicU64::new(shape.start);
        let mut next = shape.start;
        let cut = || {
            // A block in the payload of an earlier record is skipped.
            let start = next.max(taken.load(Ordering::Relaxed) / BLOCK * BLOCK);
            next = ((start / BLOCK + 1) * BLOCK).min(length);
            Ok((start < length).then_some((0, start..next)))
        };
        let work = |range: Range<u64>, worker: &mut RecordWorker<'_>| {
            let mut done = BlockResult {
                range,
                start: None,
                events: Vec::new(),
                end: 0,
            };
            // If it is its turn already, it is worked on as it is taken, and nothing is held.
            let mut held = 0;
            if taken.load(Ordering::Relaxed) < done.range.start {
                // An error comes up again where it is reported.
                let ahead = catch_panic(|| done.fill(worker));
                held = ahead.map(Result::unwrap_or_default).unwrap_or_default();
            }
            (held, done)
        };
        let take = |done: BlockResult, worker: &mut RecordWorker<'_>| {
            let before = taken.load(Ordering::Relaxed);
            let mut at = before;
            if done.start == Some(at) {
                for (offset, event) in done.events {
                    self.take(offset, event)?;
                }
                at = done.end;
            }
            while at < done.range.end && !self.stopped {
                at = worker.work(at..done.range.end, false, &mut |offset, event| {
                    self.take(offset, event).map(|()| !self.stopped)
                })?;
            }
            archive.observer.bytes_done(at - before);
            taken.store(at, Ordering::Relaxed);
            Ok(!self.stopped)
        };
        let blocks = usize::try_from(length.div_ceil(BLOCK)).unwrap_or(usize::MAX);
        let jobs = rayon::current_num_threads().min(blocks);
        chunks::in_order(jobs, cut, worker, work, take).map(drop)
    }

    /// Takes an event of the record or member that begins at an offset.
    fn take(&mut self, offset: u64, event: Event) -> Result<(), PublishError> {
        match event {
            Event::Record(kind) => {
                let is_capture = matches!(kind, Kind::Response | Kind::Resource);
                self.found.records += 1;
                self.found.captures += u64::from(is_capture);
                self.found.conversions += u64::from(self.copies && kind == Kind::Conversion);
            }
            Event::CodingMissing => self.notes.coding_missing += 1,
            Event::Segment => self.notes.segments += 1,
            Event::Changed { keys, target } => self.notes.changes(keys, target),
            Event::Refers { key, revisits } => self.notes.refers(key, revisits, self.found),
            Event::Note(what) => {
                let path = numbered(self.archive.path, offset);
                self.archive.observer.note(&Note { path, what });
            }
            Event::Problem(error) => self.problem(offset, error),
            Event::Document(mut document) => {
                let report = &mut *self.found;
                let (old, new) = document.lengths;
                report.files += 1;
                report.enclosed += 1;
                report.bytes_in += old;
                report.copies_left.add_up(&document.copies);
                let path = numbered(self.archive.path, offset);
                let outcome = Examined::from(document.examined);
                let (without_base, feeds) = (report.files_without_base, report.feeds_without_url);
                let above_root = report.tally.above_root;
                let converts = self.archive.plan.archives.form != ArchiveForm::Response;
                report.conversions += u64::from(document.changed && converts);
                let counted = outcome::count(&outcome, &path, document.changed, new, report);
                report.records_without_base += report.files_without_base - without_base;
                report.feeds_without_url = feeds;
                report.records_above_root += report.tally.above_root - above_root;
                report.not_meant[0] += document.converted;
                let mut shown = Vec::new();
                outcome::show(&outcome, &path, self.archive.observer, &mut shown);
                // If the output stream has failed, the run says so.
                let ticket = self.ticket;
                let mut goes_on = document.diff.copy_to(&mut self.ticket).is_ok();
                goes_on &= document.shown.show(ticket).map_err(no_room)?;
                self.stopped = !(goes_on && ticket.show(&shown));
                if let Err(error) = counted {
                    self.problem(offset, error);
                }
            }
            Event::Insert { at, mut new } => {
                self.copy_up_to(at)?;
                if let Some(to) = &mut self.to {
                    new.copy_to(to)?;
                }
            }
            Event::Skip { to } => self.copied = self.copied.max(to),
        }
        self.stopped |= self.archive.observer.drop_requested();
        Ok(())
    }

    fn problem(&mut self, offset: u64, error: FileError) {
        let path = numbered(self.archive.path, offset);
        self.found.files_failed += 1;
        self.found.parts_failed[2] += 1;
        self.archive.observer.problem(&Problem { path, error });
    }

    fn copy_up_to(&mut self, end: u64) -> io::Result<()> {
        if let Some(to) = self
            .to
            .as_mut()
            .filter(|_| self.copies && end > self.copied)
        {
            self.archive.input.copy(self.copied..end, to)?;
            self.copied = end;
        }
        Ok(())
    }

    /// What comes after all records, unless the work stopped before.
    fn end(&mut self) -> io::Result<bool> {
        if self.stopped {
            return Ok(false);
        }
        self.copy_up_to(self.archive.input.length)?;
        for what in self.notes.all(self.found) {
            let path = self.archive.path.to_owned();
            self.archive.observer.note(&Note { path, what });
        }
        Ok(true)
    }
}

/// The result of a block that was worked on before its turn.
struct BlockResult {
    range: Range<u64>,
    /// Where the first member seems to begin; `None` if the block has no beginning of one, or was left.
    start: Option<u64>,
    /// Each with where its record or member begins.
    events: Vec<(u64, Event)>,
    /// Where the work ended: what begins there is still to be done.
    end: u64,
}

impl BlockResult {
    /// Works on the block; returns how much is held by then.
    fn fill(&mut self, worker: &mut RecordWorker<'_>) -> Result<usize, PublishError> {
        let (input, Range { start, end }) = (worker.archive.input, self.range.clone());
        let found = warc::find(input, worker.shape, start, end);
        let Some(start) = found.map_err(FileError::Read)? else {
            return Ok(0);
        };
        let mut held = 0;
        self.end = worker.work(start..end, true, &mut |offset, event: Event| {
            held += event.held();
            self.events.push((offset, event));
            Ok(held <= HELD)
        })?;
        self.start = Some(start);
        // What begins at the end is still to be done.
        self.events.retain(|(offset, _)| *offset < self.end);
        Ok(held)
    }
}
