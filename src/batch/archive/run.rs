//! One archive, from its first byte to its last.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use super::blocks::{self, BlockResult, Blocks};
use super::event::Event;
use super::file_range::FileRange;
use super::outcome::ArchiveOutcome;
use super::part::{Archive, RecordWorker, named};
use crate::batch::order::hold::Ticket;
use crate::batch::panic::catch_panic;
use crate::batch::plan::Plan;
use crate::batch::plan::archives::{ArchiveForm, described};
use crate::batch::report::outcome::FileOutcome;
use crate::batch::report::{FileError, Note, Observer, Problem, no_room};
use abslink_containers::warc::{self, Fault, Moment, Shape, Wording, Writer};
use abslink_url::password;

pub(crate) struct Crawl<'j> {
    pub(crate) plan: &'j Plan,
    pub(crate) observer: &'j dyn Observer,
    /// As the user would name it.
    pub(crate) path: &'j Path,
    pub(crate) file: &'j File,
    /// The part of the file that is the archive; `None` for all of it.
    pub(crate) within: Option<Range<u64>>,
    pub(crate) jobs: usize,
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
) -> Result<bool, FileError> {
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
    let settings = Wording { used, shown };
    let writer = Writer::new(shape.compression, date, settings);
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
    taker.all(job.jobs)?;
    taker.end()
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
    fn worker(&self) -> RecordWorker<'a> {
        RecordWorker::new(self.archive, self.writer.clone())
    }

    /// What comes before all records.
    fn begin(&mut self) -> Result<(), FileError> {
        let form = self.archive.plan.archives.form;
        let name = self.archive.path.file_name().and_then(|name| name.to_str());
        match &mut self.to {
            Some(to) if form == ArchiveForm::Conversions => {
                let name = name.filter(|name| *name != "-");
                self.writer.warcinfo(name, to).map_err(unwritten)
            }
            _ => Ok(()),
        }
    }

    /// Goes through all records, with the help of other threads.
    fn all(&mut self, jobs: usize) -> Result<(), FileError> {
        let blocks = Blocks::new(self.archive.input.length, jobs);
        let helpers = (jobs as u64).min(blocks.count()).saturating_sub(1);
        std::thread::scope(|scope| {
            let _end = EndBlocks(&blocks);
            for _ in 0..helpers {
                let blocks = &blocks;
                let mut worker = self.worker();
                // If it cannot be started, the others do its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
                    while let Some(block) = blocks.help() {
                        blocks.put(block, ahead(&mut worker, blocks, block));
                    }
                });
            }
            self.in_order(&blocks)
        })
    }

    /// Takes one block after another, and works on those that no other thread has begun.
    fn in_order(&mut self, blocks: &Blocks) -> Result<(), FileError> {
        let mut worker = self.worker();
        let mut at = self.archive.shape.start;
        while at < self.archive.input.length && !self.stopped {
            let block = Blocks::at(at);
            let range = at..blocks.range(block).end;
            let before = at;
            at = match blocks.next(block) {
                blocks::BlockTurn::Ahead(block) => {
                    blocks.put(block, ahead(&mut worker, blocks, block));
                    continue;
                }
                blocks::BlockTurn::Take(ready) if ready.start == Some(at) && ready.end > at => {
                    for event in ready.events {
                        self.take(event)?;
                    }
                    ready.end
                }
                blocks::BlockTurn::Take(_) | blocks::BlockTurn::Own => {
                    worker.work(range, false, &mut |_, event| {
                        self.take(event).map(|()| !self.stopped)
                    })?
                }
            };
            self.archive.observer.bytes_done(at - before);
        }
        Ok(())
    }

    fn take(&mut self, event: Event) -> Result<(), FileError> {
        match event {
            Event::Record => self.found.report.records += 1,
            Event::Count(what) => self.found.count(what),
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
                let show = |part: &[u8]| {
                    goes_on &= ticket.show(part);
                    goes_on
                };
                document.shown.each(show).map_err(no_room)?;
                self.stopped = !(goes_on && ticket.show(&shown));
                if let Err(error) = counted {
                    self.problem(document.offset, error);
                }
            }
            Event::Insert { at, mut new } => {
                self.copy_up_to(at)?;
                if let Some(to) = &mut self.to {
                    new.copy_to(to).map_err(unwritten)?;
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

    fn copy_up_to(&mut self, end: u64) -> Result<(), FileError> {
        if let Some(to) = self
            .to
            .as_mut()
            .filter(|_| self.copies && end > self.copied)
        {
            (self.archive.input.copy(self.copied, end, to)).map_err(unwritten)?;
            self.copied = end;
        }
        Ok(())
    }

    /// What comes after all records, unless the work stopped before.
    fn end(&mut self) -> Result<bool, FileError> {
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

/// Works on a block before it is its turn.
fn ahead(worker: &mut RecordWorker<'_>, blocks: &Blocks, block: u64) -> BlockResult {
    let range = blocks.range(block);
    let done = catch_panic(|| {
        let archive = worker.archive;
        let start = warc::find(archive.input, archive.shape, range.start, range.end);
        let start = start.map_err(FileError::Read)?;
        let Some(start) = start else {
            return Ok(nothing(None, range.start));
        };
        let (mut events, mut held) = (Vec::new(), 0);
        let end = worker.work(start..range.end, true, &mut |offset, event: Event| {
            held += event.held();
            events.push((offset, event));
            Ok(!Blocks::is_too_much(held))
        })?;
        // What begins at the end is still to be done.
        let events = events.into_iter().filter(|(offset, _)| *offset < end);
        Ok(BlockResult {
            start: Some(start),
            events: events.map(|(_, event)| event).collect(),
            end,
            held,
        })
    });
    // An error here comes up again where it is reported.
    let done: Result<BlockResult, FileError> =
        done.unwrap_or_else(|panic| Err(FileError::Panicked(panic)));
    done.unwrap_or_else(|_| nothing(None, range.start))
}

fn nothing(start: Option<u64>, end: u64) -> BlockResult {
    BlockResult {
        start,
        events: Vec::new(),
        end,
        held: 0,
    }
}

/// Ends the work of the others, however this thread ends.
struct EndBlocks<'c>(&'c Blocks);

impl Drop for EndBlocks<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The new archive cannot be written: the caller knows its name.
fn unwritten(error: io::Error) -> FileError {
    FileError::Write {
        path: Default::default(),
        source: error,
    }
}
