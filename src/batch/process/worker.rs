//! What happens to each thing that the walk found.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::atomic::Ordering;

use super::content::{Content, Job};
use crate::batch::base::evidence;
use crate::batch::base::per_file::FilePlan;
use crate::batch::find::backup::Backup;
use crate::batch::find::classify::{self, Verdict};
use crate::batch::find::walk::{FileKind, Item, Visit};
use crate::batch::kind::format::{Format, Kind};
use crate::batch::kind::magic;
use crate::batch::order::hold::Ticket;
use crate::batch::order::sequence::FileResult;
use crate::batch::plan::{Input, Plan, Task};
use crate::batch::read::{Buffer, Opener, Original};
use crate::batch::report::{FileDone, FileError, NoteKind, Observer, Report, guard};
use crate::batch::write::Contents;
use crate::batch::write::destination::{self, Destination};
use abslink_containers::markdown;
use abslink_containers::warc::Moment;
use abslink_html::DocumentRewriter;
use abslink_html::base::Context;
use abslink_html::shared::Merge as _;

/// Processes files one at a time, with memory that it reuses.
pub(super) struct Worker<'p> {
    /// How the next file is read: the plan of the run, or of a part of the tree.
    pub(super) plan: &'p Plan,
    pub(super) reading: FilePlan<'p>,
    /// The plan of the run.
    whole: FilePlan<'p>,
    /// Those of its parts.
    parts: Vec<FilePlan<'p>>,
    pub(super) observer: &'p dyn Observer,
    pub(super) report: Report,
    /// What was found in the file that is processed.
    pub(super) result: FileResult,
    pub(super) evidence: Vec<u8>,
    pub(super) opener: Opener,
    pub(super) read: Buffer,
    pub(super) rewriter: DocumentRewriter,
    pub(super) rewritten: Vec<u8>,
    pub(super) destination: Destination<'p>,
    pub(super) started: &'p Moment,
    /// How much of a document that is read in pieces was shown as done.
    pub(super) passed: Rc<Cell<u64>>,
}

impl<'p> Worker<'p> {
    /// `started` is when the run began.
    pub(super) fn new(
        whole: FilePlan<'p>,
        parts: Vec<FilePlan<'p>>,
        observer: &'p dyn Observer,
        destination: Destination<'p>,
        started: &'p Moment,
    ) -> Self {
        let plan = whole.plan;
        Worker {
            plan,
            reading: whole.clone(),
            whole,
            parts,
            observer,
            report: Report::default(),
            result: FileResult::default(),
            evidence: Vec::new(),
            opener: Opener::default(),
            read: Buffer::default(),
            rewriter: DocumentRewriter::default(),
            rewritten: Vec::new(),
            destination,
            started,
            passed: Rc::default(),
        }
    }

    /// Processes what the walk found, and passes on what was found in that, now or later. Returns
    /// whether the run goes on.
    pub(super) fn process(&mut self, found: Visit<'p>, ticket: Ticket<'_, '_>) -> bool {
        match found {
            Visit::Item(item) => {
                self.reading = self.whole.or_of_part(&self.parts, &item);
                self.plan = self.reading.plan;
                let before = std::mem::take(&mut self.report);
                // If a file gave no result, the others would wait for ever.
                self.result.error = guard(|| self.item(&item, ticket)).flatten().err();
                if self.result.error.is_none() && crate::batch::find::saved::are_copied(self.plan) {
                    self.result.error = guard(|| self.copy_saved(&item)).flatten().err();
                }
                if let Err(error) = self.destination.finish(&item) {
                    self.result.leave(error);
                    self.report = self.report.of_unwritten();
                }
                if self.report.files_without_base > 0 {
                    let found = evidence::without_host(&self.reading, &item, &mut self.evidence);
                    self.report.without_host.add_up(&found);
                }
                self.result.path = item.path;
                let report = std::mem::replace(&mut self.report, before);
                self.result.done = FileDone::of(&report, self.result.error.as_ref());
                if let Some(prepared) = self.destination.prepared.take() {
                    ticket.hold(std::mem::take(&mut self.result), report, prepared);
                    return true;
                }
                self.report.merge(&report);
            }
            Visit::Failed(problem) => {
                self.result.error = Some(problem.error);
                self.result.path = problem.path;
            }
            Visit::Skipped(note) => {
                self.result.notes.push(note.what);
                self.result.path = note.path;
            }
            Visit::Leftover(source, leftover) => {
                let note = self.destination.clear(source, &leftover);
                self.result.notes.extend(note);
                self.result.path = leftover.parent().unwrap_or(&leftover).to_owned();
            }
        }
        self.report.files_failed += u64::from(self.result.error.is_some());
        ticket.deliver(&mut self.result)
    }

    fn item(&mut self, item: &Item<'_>, ticket: Ticket<'_, '_>) -> Result<(), FileError> {
        if item.kind == FileKind::Link {
            // It is copied as a link, whatever it leads to.
            let text = item.read_link(&mut self.opener)?;
            self.destination.link(item, &text)?;
            self.report.files_copied += 1;
            return Ok(());
        }
        self.read.clear();
        let head = classify::head(self.plan, item);
        if *item.source.input == Input::Stdin {
            let job = Job {
                item,
                original: None,
                ticket,
            };
            return self.stdin(job, head);
        }
        let is_wanted = item.is_in_maildir || item.goes_along || self.is_wanted(item.kind);
        if destination::behind_link(self.plan, item).is_some_and(|it| item.source.has(&it)) {
            self.result
                .notes
                .extend(is_wanted.then_some(NoteKind::LinkInside));
            return Ok(());
        }
        let original = match item.open(&mut self.opener) {
            Err(_) if !is_wanted => return Ok(()),
            opened => opened.map_err(|error| if_missing(error, item))?,
        };
        let mut file = &original.file;
        match self.read.read_up_to(head, &mut file) {
            Err(_) if !is_wanted => return Ok(()),
            read => read?,
        }
        let job = Job {
            item,
            original: Some(&original),
            ticket,
        };
        let is_mail = self.is_mail(item);
        let kind = match classify::of(self.plan, item, Some(file), self.read.filled()) {
            _ if is_mail => Kind::MESSAGE,
            Verdict::Document(kind) => kind,
            other => return self.pass_over(&other, item, &original),
        };
        item.source.has_document.store(true, Ordering::Relaxed);
        let format = match kind {
            Kind::One(Format::Message) if self.is_mbox(&mut file)? => return self.mbox(job, file),
            Kind::One(format) => format,
            Kind::Archive => return self.archive(job, file),
            Kind::Rows(format) => return self.rows(job, format),
            Kind::Wacz => return self.wacz(job, file),
        };
        let (syntax, held) = self.held(format, item.source.input);
        let length = original.metadata.len();
        if length > held {
            self.read.read_up_to(classify::HEADER, &mut file)?;
        } else {
            self.read.read_to_end(length, &mut file)?;
        }
        // A mirroring program may have saved a page as it was sent, or given a picture the name of a page.
        if let (Format::Html(_), None) = (format, self.plan.selection.read_as)
            && let Some(what) = magic::not_html(self.read.filled())
        {
            return self.pass_over(&Verdict::Refused(what), item, &original);
        }
        if length > held && format == Format::Markdown {
            return Err(FileError::Left(markdown::TOO_LONG));
        }
        if length > held {
            return self.large_file(job, syntax, file);
        }
        let content = self.content(format)?;
        if content.is_damaged() && classify::is_by_default(self.plan, item) {
            return self.pass_over(&Verdict::NotAsNamed, item, &original);
        }
        self.document(job, &content, true)
    }

    /// Whether a message is one of many.
    fn is_mbox(&mut self, from: &mut impl Read) -> Result<bool, FileError> {
        self.read.read_up_to(classify::HEADER, from)?;
        Ok(magic::is_mbox(self.read.filled()))
    }

    /// Standard input, of which `head` bytes tell what it is.
    fn stdin(&mut self, job: Job<'_, '_>, head: usize) -> Result<(), FileError> {
        let mut stdin = io::stdin().lock();
        self.read.read_up_to(head, &mut stdin)?;
        let kind = match classify::of(self.plan, job.item, None, self.read.filled()) {
            Verdict::Document(kind) => kind,
            Verdict::Refused(what) => return Err(FileError::NotRead(what)),
            _ => return Ok(()),
        };
        let format = match kind {
            Kind::One(Format::Message) if self.is_mbox(&mut stdin)? => {
                // The length of a message may lead far ahead.
                let spool = self.spooled(&mut stdin)?;
                return self.mbox(job, &spool);
            }
            Kind::One(format) => format,
            Kind::Archive | Kind::Wacz => {
                // Damaged parts are read twice.
                let spool = self.spooled(&mut stdin)?;
                return self.archive(job, &spool);
            }
            Kind::Rows(format) => {
                drop(stdin);
                return self.rows(job, format);
            }
        };
        let (syntax, held) = self.held(format, job.item.source.input);
        let more = (held.saturating_add(1)).saturating_sub(self.read.filled().len() as u64);
        self.read.read_to_end(0, &mut stdin.by_ref().take(more))?;
        if self.read.filled().is_empty() && self.plan.task == Task::Examine {
            return Ok(());
        }
        let is_large = self.read.filled().len() as u64 > held;
        if is_large && format == Format::Markdown {
            return Err(FileError::Left(markdown::TOO_LONG));
        }
        if is_large {
            return self.large_stdin(job, syntax, &mut stdin);
        }
        let content = self.content(format)?;
        self.document(job, &content, true)
    }

    /// The base URL and encoding that are known from outside a file that begins with `beginning`.
    pub(super) fn context(&mut self, job: &Job<'_, '_>, beginning: &[u8]) -> Context {
        let path = &mut self.evidence;
        let Job { item, original, .. } = *job;
        evidence::context(&self.reading, item, original, beginning, None, false, path)
    }

    pub(super) fn content(&mut self, format: Format) -> Result<Content, FileError> {
        if format == Format::Feed {
            self.reading = self.reading.in_full();
            self.plan = self.reading.plan;
        }
        guard(|| Content::of(format, self.read.filled(), self.plan))
    }

    /// If the user does not want a file, it does not matter that it cannot be read.
    fn is_wanted(&self, kind: FileKind) -> bool {
        let selection = &self.plan.selection;
        let is_looked_for = selection.detect_html || selection.detect_feeds;
        match kind {
            FileKind::Document => true,
            FileKind::Undecided => is_looked_for || self.plan.copies_others(),
            FileKind::Backup(_) | FileKind::Other | FileKind::Link => self.plan.copies_others(),
        }
    }

    /// Counts a file that is not a document if it looks like one, and copies it if that is wanted. One that was refused
    /// is an error otherwise.
    fn pass_over(
        &mut self,
        verdict: &Verdict,
        item: &Item<'_>,
        original: &Original,
    ) -> Result<(), FileError> {
        match verdict {
            Verdict::Refused(what) if !self.plan.copies_others() => {
                return Err(FileError::NotRead(*what));
            }
            Verdict::HtmlNotTaken => self.report.not_taken += 1,
            Verdict::FeedNotTaken => self.report.count_feed_not_taken(&item.path),
            Verdict::ListNotTaken => self.report.count_list_not_taken(&item.path),
            Verdict::MarkdownNotTaken => self.report.markdown_not_taken += 1,
            Verdict::Backup(backup) => {
                self.report.backups +=
                    u64::from(matches!(backup, Backup::OfDocument | Backup::Likely));
                self.report.backups_left.count(&item.path);
                self.result.notes.push(NoteKind::BackupLeft);
            }
            Verdict::NotAsNamed => self.report.not_as_named.count(&item.path),
            Verdict::Document(_) | Verdict::Refused(_) | Verdict::Other => {}
        }
        self.copy(item, original)
    }

    /// Copies a file that is not a document, if the plan says so.
    fn copy(&mut self, item: &Item<'_>, original: &Original) -> Result<(), FileError> {
        if !(item.goes_along || self.plan.copies_others()) {
            return Ok(());
        }
        self.put_old(item, original)?;
        self.report.files_copied += 1;
        Ok(())
    }

    /// Puts a file where it belongs as it is.
    pub(super) fn put_old(
        &mut self,
        item: &Item<'_>,
        original: &Original,
    ) -> Result<(), FileError> {
        let contents = Contents::File(&original.file);
        self.destination.put(item, contents, original).map(drop)
    }
}

/// Why a file PATH cannot be read, in other words if nothing has its name.
fn if_missing(error: FileError, item: &Item<'_>) -> FileError {
    let is_missing = matches!(item.source.input, Input::File(_))
        && matches!(&error, FileError::Read(error) if error.kind() == io::ErrorKind::NotFound)
        && item.path.symlink_metadata().is_err();
    let has_wildcard = || item.path.to_string_lossy().contains(['*', '?']);
    if !is_missing {
        error
    } else if has_wildcard() {
        FileError::NoMatch
    } else {
        FileError::Missing
    }
}
