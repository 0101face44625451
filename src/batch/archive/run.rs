//! One archive, from its first byte to its last.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use super::event::Event;
use super::file_range::FileRange;
use super::outcome::ArchiveOutcome;
use super::part::{Archive, RecordWorker, named};
use crate::batch::order::chunks;
use crate::batch::order::hold::Ticket;
use crate::batch::panic::catch_panic;
use crate::batch::plan::Plan;
use crate::batch::plan::archives::{ArchiveForm, described};
use crate::batch::report::outcome::FileOutcome;
use crate::batch::report::{FileError, Note, Observer, Problem, no_room};
use crate::batch::write::PublishError;
use abslink_containers::warc::{self, Fault, Moment, Shape, Writer};
use abslink_url::password;

/// How long a block is.
const BLOCK: u64 = 1 << 20;

/// A block that is worked on before its turn may not hold more than this.
const HELD: usize = 8 << 20;

pub(crate) struct Crawl<'j> {
    pub(crate) plan: &'j Plan,
    pub(crate) observer: &'j dyn Observer,
    /// As the user would name it.
    pub(crate) path: &'j Path,
    pub(crate) file: &'j File,
    /// The part of the file that is the archive; `None` for all of it.
    pub(crate) within: Option<Range<u64>>,
    pub(crate) date: &'j Moment,
}

/// Goes through an archive. The new one is written to `to`, if there is one. All files before it are done,
/// so findings are shown at once. Returns whether it came to the end: if the output stream failed, or the
/// observer drops the archive, only a beginning was written.
pub(crate) fn run(
    job: &Crawl<'_>,
    ticket: Ticket<'_, '_>,
    to: Option<&mut dyn Write>,
    found: &mut ArchiveOutcome,
) -> Result<bool, PublishError> {
    let input = match &job.within {
        Some(within) => FileRange::part(job.file, within.clone()),
        None => FileRange::new(job.file).map_err(FileError::Read)?,
    };
    let shape = Shape::of(&input).map_err(|fault| match fault {
        Fault::Read(error) => FileError::Read(error),
        Fault::Damage(reason) => FileError::Record(reason),
    })?;
    let options = &job.plan.archives;
    let date = options.date.as_ref().unwrap_or(job.date).clone();
    let used = described(&job.plan.html);
    let shown = if options.show_passwords {
        used.clone()
    } else {
        password::masked_line(&used).into_owned()
    };
    let writer = Writer::new(shape.compression, date, used, shown);
    let archive = Archive {
        plan: job.plan,
        observer: job.observer,
        path: job.path,
        input: &input,
        shape: &shape,
    };
    let mut taker = Taker {
        archive,
        writer,
        ticket,
        to,
        copies: options.form.copies(),
        copied: 0,
        found,
        stopped: false,
    };
    taker.begin()?;
    taker.all()?;
    Ok(taker.end()?)
}

/// Takes the events of an archive, in order.
struct Taker<'t, 'a, 's, 'o> {
    archive: Archive<'a>,
    writer: Writer,
    ticket: Ticket<'s, 'o>,
    to: Option<&'t mut (dyn Write + 't)>,
    copies: bool,
    copied: u64,
    found: &'a mut ArchiveOutcome,
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
        let (archive, writer) = (self.archive, self.writer.clone());
        let length = archive.input.length;
        let worker = || RecordWorker::new(archive, writer.clone());
        // Where the records end that were taken.
        let taken = AtomicU64::new(archive.shape.start);
        let mut next = archive.shape.start;
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
                for event in done.events {
                    self.take(event)?;
                }
                at = done.end;
            }
            while at < done.range.end && !self.stopped {
                at = worker.work(at..done.range.end, false, &mut |_, event| {
                    self.take(event).map(|()| !self.stopped)
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

    fn take(&mut self, event: Event) -> Result<(), PublishError> {
        match event {
            Event::Record => self.found.report.records += 1,
            Event::CodingMissing => self.found.coding_missing += 1,
            Event::Segment => self.found.segments += 1,
            Event::Changed { keys, target } => self.found.changes(keys, target),
            Event::Refers { key, revisits } => self.found.refers(key, revisits),
            Event::Note { offset, what } => {
                let path = named(self.archive.path, offset);
                self.archive.observer.note(&Note { path, what });
            }
            Event::Problem { offset, error } => self.problem(offset, error),
            Event::Document(mut document) => {
                let report = &mut self.found.report;
                let (old, new) = document.lengths;
                report.files += 1;
                report.enclosed += 1;
                report.bytes_in += old;
                let path = named(self.archive.path, document.offset);
                let outcome = FileOutcome::from(document.examined);
                let (without_base, feeds) = (report.files_without_base, report.feeds_without_url);
                let counted = outcome.count(&path, document.changed, new, report);
                report.records_without_base += report.files_without_base - without_base;
                report.feeds_without_url = feeds;
                self.found.changed |= document.changed;
                let mut shown = Vec::new();
                outcome.show(&path, self.archive.observer, &mut shown);
                // If the output stream has failed, the run says so.
                let ticket = self.ticket;
                let mut goes_on = document.diff.copy_to(&mut self.ticket).is_ok();
                goes_on &= document.shown.show(ticket).map_err(no_room)?;
                self.stopped = !(goes_on && ticket.show(&shown));
                if let Err(error) = counted {
                    self.problem(document.offset, error);
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
        let path = named(self.archive.path, offset);
        self.found.report.files_failed += 1;
        self.archive.observer.problem(&Problem { path, error });
    }

    fn copy_up_to(&mut self, end: u64) -> io::Result<()> {
        if let Some(to) = self
            .to
            .as_mut()
            .filter(|_| self.copies && end > self.copied)
        {
            self.archive.input.copy(self.copied, end, to)?;
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
        for what in self.found.notes() {
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
    events: Vec<Event>,
    /// Where the work ended: what begins there is still to be done.
    end: u64,
}

impl BlockResult {
    /// Works on the block; returns how much is held by then.
    fn fill(&mut self, worker: &mut RecordWorker<'_>) -> Result<usize, PublishError> {
        let Archive { input, shape, .. } = worker.archive;
        let Range { start, end } = self.range;
        let Some(start) = warc::find(input, shape, start, end).map_err(FileError::Read)? else {
            return Ok(0);
        };
        let (mut events, mut held) = (Vec::new(), 0);
        self.end = worker.work(start..end, true, &mut |offset, event: Event| {
            held += event.held();
            events.push((offset, event));
            Ok(held <= HELD)
        })?;
        self.start = Some(start);
        // What begins at the end is still to be done.
        let events = events.into_iter().filter(|(offset, _)| *offset < self.end);
        self.events = events.map(|(_, event)| event).collect();
        Ok(held)
    }
}
