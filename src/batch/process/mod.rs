//! One file: read, rewritten or examined, and put where it belongs.

mod archive;
pub(crate) mod document;
mod mail;
mod pieces;
pub(crate) mod run;
mod saved;
mod stream;
mod wacz;

use std::borrow::Borrow;
use std::io::{self, Read, Write};
use std::sync::Arc;

use crate::batch::base::evidence::{self, DocumentFile};
use crate::batch::base::per_file::{FilePlan, FilePlans, RunVariants};
use crate::batch::base::recorded::Recorded;
use crate::batch::find::backup::Backup;
use crate::batch::find::classify::{self, Verdict};
use crate::batch::find::walk::{FileKind, Item, Visit};
use crate::batch::kind::format::{self, Format, Kind};
use crate::batch::order::hold::Ticket;
use crate::batch::order::sequence::FileResult;
use crate::batch::panic::catch_panic;
use crate::batch::path;
use crate::batch::plan::{Input, Output, Plan, Task};
use crate::batch::read::{Buffer, KEPT, Opener, Original};
use crate::batch::report::outcome::FileOutcome;
use crate::batch::report::{FileDone, FileError, Located, NoteKind, Observer, Report};
use crate::batch::write::destination::{self, Destination, Reach};
use crate::batch::write::{self, Contents, diff};
use abslink_containers::warc::Moment;
use abslink_html::base::Context;
use abslink_html::base::retrieval::EvidenceKind;
use abslink_html::line_column::Lines;
use abslink_html::{self as html, DocumentRewriter, OUTGROWN, Syntax};
use document::{Content, LoadedFile};
use mail::is_mbox;
use pieces::PIECE;

/// Processes files one at a time, with memory that it reuses.
pub(super) struct Worker<'p> {
    /// How the next file is read: the plan of the run, or of a part of the tree.
    plan: &'p Plan,
    reading: FilePlan<'p>,
    /// How all files are.
    readings: FilePlans<'p>,
    observer: &'p dyn Observer,
    report: Report,
    evidence: Vec<u8>,
    opener: Opener,
    read: Buffer,
    rewriter: DocumentRewriter,
    rewritten: Vec<u8>,
    destination: Destination<'p>,
    /// When the run began.
    started: &'p Moment,
}

impl<'p> Worker<'p> {
    /// `output` is the output directory, if there is one; `started` is when the run began.
    pub(super) fn new(
        plan: &'p Plan,
        observer: &'p dyn Observer,
        output: Option<&'p write::Root>,
        started: &'p Moment,
        forms: &'p RunVariants,
        recorded: Option<Arc<Recorded>>,
    ) -> Self {
        let readings = FilePlans::new(plan, forms, recorded);
        Worker {
            plan,
            reading: readings.whole(),
            readings,
            observer,
            report: Report::default(),
            evidence: Vec::new(),
            opener: Opener::default(),
            read: Buffer::default(),
            rewriter: DocumentRewriter::default(),
            rewritten: Vec::new(),
            destination: Destination::new(plan, output),
            started,
        }
    }

    /// The counts for the files.
    pub(super) fn into_report(self) -> Report {
        Report {
            placed: self.destination.placed,
            ..self.report
        }
    }

    /// Processes what the walk found, and passes on what was found in that, now or later. Returns
    /// whether the run goes on.
    pub(super) fn process(
        &mut self,
        found: Visit<'p>,
        finding: &mut FileResult,
        ticket: Ticket<'_, '_>,
    ) -> bool {
        match found {
            Visit::Item(item) => {
                self.reading = self.readings.of(&item);
                self.plan = self.reading.plan;
                let before = std::mem::take(&mut self.report);
                // If a file yielded no finding, the others would wait for ever.
                finding.error = guard(|| self.item(&item, finding, ticket)).flatten().err();
                if finding.error.is_none() && crate::batch::find::saved::are_copied(self.plan) {
                    finding.error = guard(|| self.copy_saved(&item)).flatten().err();
                }
                if let Err(error) = self.destination.finish(&item) {
                    finding.leave(error);
                    self.report = self.report.of_unwritten();
                }
                if self.report.files_without_base > 0 {
                    let found = evidence::without_host(&self.reading, &item, &mut self.evidence);
                    self.report.count_without_host(found);
                }
                finding.path = item.path;
                let report = std::mem::replace(&mut self.report, before);
                finding.done = FileDone::of(&report, finding.error.as_ref());
                if let Some(prepared) = self.destination.take_prepared() {
                    ticket.hold(std::mem::take(finding), report, prepared);
                    return true;
                }
                self.report.merge(&report);
            }
            Visit::Failed(path, error) => {
                finding.error = Some(error);
                finding.path = path;
            }
            Visit::Skipped(path, what) => {
                finding.notes.push(what);
                finding.path = path;
            }
            Visit::Leftover(source, leftover) => {
                let note = self.destination.clear(source, &leftover);
                finding.notes.extend(note);
                finding.path = leftover.parent().unwrap_or(&leftover).to_owned();
            }
        }
        self.report.files_failed += u64::from(finding.error.is_some());
        ticket.deliver(finding)
    }

    fn item(
        &mut self,
        item: &Item<'_>,
        finding: &mut FileResult,
        ticket: Ticket<'_, '_>,
    ) -> Result<(), FileError> {
        if item.kind == FileKind::Link {
            return self.copy_link(item);
        }
        self.read.clear();
        let head = if item.is_in_maildir {
            classify::HEADER
        } else {
            classify::head(self.plan, item)
        };
        if *item.source.input == Input::Stdin {
            let mut stdin = io::stdin().lock();
            self.read
                .read_up_to(head, &mut stdin)
                .map_err(FileError::Read)?;
            let kind = match classify::of(self.plan, item, self.read.filled()) {
                Verdict::Document(kind) => kind,
                Verdict::Refused(what) => return Err(FileError::NotRead(what)),
                _ => return Ok(()),
            };
            let format = match kind {
                Kind::One(Format::Message) => {
                    (self.read.read_up_to(classify::HEADER, &mut stdin))
                        .map_err(FileError::Read)?;
                    if is_mbox(self.read.filled()) {
                        return self.mbox_on_stdin(item, &mut stdin, ticket);
                    }
                    Format::Message
                }
                Kind::One(format) => format,
                Kind::Archive | Kind::Wacz => {
                    return self.archive_on_stdin(item, &mut stdin, ticket);
                }
                Kind::Rows(format) => {
                    drop(stdin);
                    return self.rows(item, format, None, finding, ticket);
                }
            };
            let (syntax, held) = self.held(format, item.source.input);
            let more = (held.saturating_add(1)).saturating_sub(self.read.filled().len() as u64);
            self.read
                .read_to_end(0, &mut stdin.by_ref().take(more))
                .map_err(FileError::Read)?;
            if self.read.filled().is_empty() && self.plan.task == Task::Examine {
                return Ok(());
            }
            if self.read.filled().len() as u64 > held {
                return self.large_stdin(item, syntax, &mut stdin, finding, ticket);
            }
            let whole = WholeDocument::of(item, self.content(format)?, None);
            return self.document(&whole, finding, ticket);
        }
        let is_wanted = item.is_in_maildir || item.goes_along || self.is_wanted(item.kind);
        if destination::reach(self.plan, item) == Reach::Inside {
            finding
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
            read => read.map_err(FileError::Read)?,
        }
        let is_mail = self.is_mail(item);
        let kind = match classify::of(self.plan, item, self.read.filled()) {
            _ if is_mail => Kind::MESSAGE,
            Verdict::Document(kind) => kind,
            Verdict::Refused(what) if !self.plan.copies_others() => {
                return Err(FileError::NotRead(what));
            }
            other => {
                self.count_passed_over(&other, item, finding);
                return self.copy(item, &original);
            }
        };
        let format = match kind {
            Kind::One(Format::Message) => {
                (self.read.read_up_to(classify::HEADER, &mut file)).map_err(FileError::Read)?;
                if is_mbox(self.read.filled()) {
                    return self.mbox(item, &original.file, Some(&original), finding, ticket);
                }
                Format::Message
            }
            Kind::One(format) => format,
            Kind::Archive => {
                return self.archive(item, &original.file, Some(&original), finding, ticket);
            }
            Kind::Rows(format) => return self.rows(item, format, Some(&original), finding, ticket),
            Kind::Wacz => return self.wacz(item, &original.file, ticket),
        };
        let (syntax, held) = self.held(format, item.source.input);
        if original.metadata.len() > held {
            return self.large_file(item, syntax, &original, finding, ticket);
        }
        self.read
            .read_to_end(original.metadata.len(), &mut file)
            .map_err(FileError::Read)?;
        let whole = WholeDocument::of(item, self.content(format)?, Some(&original));
        self.document(&whole, finding, ticket)
    }

    /// What was read, as this format.
    fn content(&mut self, format: Format) -> Result<Content, FileError> {
        if format == Format::Feed {
            self.reading = self.reading.in_full();
            self.plan = self.reading.plan;
        }
        guard(|| Content::of(format, self.read.filled(), self.plan))
    }

    /// The rules by which a file of this format is parsed in pieces, and up to what size it is held
    /// whole in memory.
    fn held(&self, format: Format, input: &Input) -> (Syntax, u64) {
        match format {
            Format::Html(syntax) => (syntax, self.held_of_html(input)),
            // The parts of a message refer to each other, and so do those of a feed or a style sheet.
            _ => (Syntax::Html, u64::MAX),
        }
    }

    /// Whether the user wants this file. If not, it does not matter if it cannot be read.
    fn is_wanted(&self, kind: FileKind) -> bool {
        let selection = &self.plan.selection;
        let is_looked_for = selection.detect_html || selection.detect_feeds;
        match kind {
            FileKind::Document => true,
            FileKind::Undecided => is_looked_for || self.plan.copies_others(),
            FileKind::Backup(_) | FileKind::Other | FileKind::Link => self.plan.copies_others(),
        }
    }

    /// Counts a file that is not a document if it looks like one.
    fn count_passed_over(&mut self, verdict: &Verdict, item: &Item<'_>, finding: &mut FileResult) {
        match verdict {
            Verdict::HtmlNotTaken => self.report.not_taken += 1,
            Verdict::FeedNotTaken => self.report.count_feed_not_taken(&item.path),
            Verdict::ListNotTaken => self.report.count_list_not_taken(&item.path),
            Verdict::Backup(backup) => {
                self.report.backups +=
                    u64::from(matches!(backup, Backup::OfDocument | Backup::Likely));
                self.report.backups_left.count(&item.path);
                finding.notes.push(NoteKind::BackupLeft);
            }
            Verdict::Document(_) | Verdict::Refused(_) | Verdict::Other => {}
        }
    }

    /// Processes the document that was read.
    fn document(
        &mut self,
        whole: &WholeDocument<'_>,
        finding: &mut FileResult,
        ticket: Ticket<'_, '_>,
    ) -> Result<(), FileError> {
        let WholeDocument { item, original, .. } = *whole;
        if matches!(whole.content, Content::Message) {
            self.check_bare(item)?;
        }
        let bytes = self.read.filled();
        let length = bytes.len() as u64;
        let asks = self.plan.retrieval.asks_for(EvidenceKind::SelfLink);
        let own = whole.content.own_url().filter(|_| asks);
        let described = DocumentFile {
            item,
            original,
            bytes,
            own,
        };
        let mut context = evidence::context(&self.reading, &described, &mut self.evidence);
        if matches!(whole.content, Content::Message) {
            context = context.without_nameless();
        }
        let pieces = self.pieces(whole, length);
        context.memory_budget = pieces.map(|_| HELD);
        context.keeps_fragments = matches!(whole.content, Content::Svg);
        let index = context.stays_without_base.then_some(NoteKind::MirrorIndex);
        context.stays_without_base |= self.reading.is_in_full;
        let result = match &self.plan.task {
            Task::Examine => {
                let outcome = self.show_references(whole, &context, finding, ticket);
                if let Some(syntax) = pieces.filter(|_| is_outgrown(&outcome)) {
                    return self.go_on_in_pieces(whole, syntax, finding, ticket);
                }
                outcome.and_then(|outcome| self.conclude(item, (outcome, false), length, finding))
            }
            Task::Rewrite(_) | Task::Try { .. } => {
                let rewritten = self.make_absolute(&whole.content, &context);
                let outcome = rewritten.as_ref().map(|(outcome, _)| outcome);
                if let Some(syntax) = pieces.filter(|_| is_outgrown(&outcome)) {
                    return self.go_on_in_pieces(whole, syntax, finding, ticket);
                }
                let result = self.put(item, rewritten, original, finding);
                let outcome = finding.outcome.as_ref();
                if outcome.is_some_and(|it| self.plan.findings.include(it.has_findings())) {
                    self.show_references(whole, &context, finding, ticket)?;
                }
                result
            }
        };
        finding.notes.extend(index);
        if let (Some(own), Some(outcome)) = (&context.retrieval, &finding.outcome) {
            let (site, own) = (&self.plan.html.site, own.url.as_str());
            for (kind, links) in outcome.aliases().into_iter().enumerate() {
                let url = (links > 0).then(|| site.alias_url(own, kind)).flatten();
                self.report.count_alias(url, links);
            }
        }
        self.report.files += 1;
        self.report.bytes_in += length;
        if self.rewritten.capacity() > KEPT {
            self.rewritten = Vec::new();
        }
        self.observer.document_done(length);
        result
    }

    /// The rules by which a document of this length is read again in pieces, if the new one takes
    /// too much memory; `None` if it cannot or need not be.
    fn pieces(&self, whole: &WholeDocument<'_>, length: u64) -> Option<Syntax> {
        match whole.content {
            Content::Html(syntax) if whole.may_come_in_pieces && !self.plan.shows_diff() => {
                let largest = html::growth_limit(length).saturating_add(length);
                (largest > HELD).then_some(syntax)
            }
            _ => None,
        }
    }

    /// Starts again with a document that was read whole.
    fn go_on_in_pieces(
        &mut self,
        whole: &WholeDocument<'_>,
        syntax: Syntax,
        finding: &mut FileResult,
        ticket: Ticket<'_, '_>,
    ) -> Result<(), FileError> {
        let item = whole.item;
        match whole.original {
            Some(original) => self.large_file(item, syntax, original, finding, ticket),
            None => self.large_stdin(item, syntax, &mut io::empty(), finding, ticket),
        }
    }

    /// Shows the references of the file that was read, unless all of it is left.
    fn show_references(
        &self,
        whole: &WholeDocument<'_>,
        context: &Context,
        finding: &mut FileResult,
        mut ticket: Ticket<'_, '_>,
    ) -> Result<FileOutcome, FileError> {
        let shown = &mut finding.shown;
        let mut is_held = true;
        let outcome = self.each_reference(whole, context, &mut |found| {
            is_held &= shown.len() as u64 <= HELD;
            if is_held {
                self.observer.reference(found, shown);
            }
        });
        let is_left = !matches!(&outcome, Ok(outcome) if outcome.left().is_none());
        if is_left || !is_held {
            finding.shown = Vec::new();
        }
        if is_left || is_held {
            return outcome;
        }
        // What is too large to be held is shown as it comes, after what there is for the output stream.
        let mut goes_on = ticket.write_all(&finding.out).is_ok();
        finding.out = Vec::new();
        let mut part = Vec::new();
        self.each_reference(whole, context, &mut |found| {
            if goes_on {
                self.observer.reference(found, &mut part);
            }
            if part.len() > PIECE {
                goes_on = ticket.show(&part);
                part.clear();
            }
        })?;
        finding.shown = part;
        outcome
    }

    fn each_reference(
        &self,
        whole: &WholeDocument<'_>,
        context: &Context,
        each: &mut dyn FnMut(&Located<'_>),
    ) -> Result<FileOutcome, FileError> {
        let bytes = self.read.filled();
        let mut lines = Lines::default();
        guard(|| {
            let file = LoadedFile {
                content: &whole.content,
                bytes,
                context,
            };
            document::examine(self.plan, &file, &mut |reference| {
                each(&Located::new(
                    &mut lines,
                    bytes,
                    &whole.item.path,
                    reference,
                ));
            })
        })
    }

    /// Counts the result of a file, and hands it on to be shown. The output has `length` bytes.
    fn conclude(
        &mut self,
        item: &Item<'_>,
        (mut outcome, changed): (FileOutcome, bool),
        length: u64,
        finding: &mut FileResult,
    ) -> Result<(), FileError> {
        if matches!(item.source.input, Input::Directory(_)) {
            self.report.broken_signatures += outcome.take_broken_signatures();
        }
        let result = outcome.count(&item.path, changed, length, &mut self.report);
        let would_change = changed || self.plan.task == Task::Examine && outcome.would_change();
        if would_change && format::may_be_pinned(path::name(&item.path)) {
            self.reading.evidence(item, &mut self.evidence);
            self.reading.pins.changed.add(self.evidence.clone());
        }
        if self.reading.is_in_full && outcome.lacks_base() {
            self.report.count_feed_left(&item.path);
        }
        self.report.error_pages += u64::from(self.reading.is_from_root());
        if changed {
            self.report.stale_copies += self.destination.compressed_copies(item);
        }
        finding.outcome = Some(outcome);
        result
    }

    /// Puts what was read into `self.rewritten` with absolute references, if anything changes; returns
    /// whether it does.
    fn make_absolute(
        &mut self,
        content: &Content,
        context: &Context,
    ) -> Result<(FileOutcome, bool), FileError> {
        self.rewritten.clear();
        guard(|| {
            let file = LoadedFile {
                content,
                bytes: self.read.filled(),
                context,
            };
            document::rewrite(&mut self.rewriter, self.plan, &file, &mut self.rewritten)
        })
    }

    /// Puts what [`Worker::make_absolute`] has made where it belongs.
    fn put(
        &mut self,
        item: &Item<'_>,
        rewritten: Result<(FileOutcome, bool), FileError>,
        original: Option<&Original>,
        finding: &mut FileResult,
    ) -> Result<(), FileError> {
        // A document on which abslink fails is copied as it is, so that the tree stays complete.
        let changed = rewritten.as_ref().is_ok_and(|(_, changed)| *changed);
        if changed && item.is_in_maildir {
            self.rename_message(item)?;
        }
        let old = self.read.filled();
        let new = if changed { &self.rewritten } else { old };
        if let Some(original) = original.filter(|_| self.touches(changed)) {
            let contents = Contents::Bytes(new);
            let notes = self.destination.put(item, contents, original)?;
            finding.notes.extend(notes);
        }
        match &self.plan.task {
            Task::Rewrite(Output::Stdout) => {
                let outcome = rewritten.as_ref().ok().map(|(outcome, _)| outcome);
                if outcome.and_then(FileOutcome::disagreement).is_none() {
                    finding.out.extend_from_slice(new);
                }
            }
            Task::Try { diff: true, .. } if changed => {
                diff::unified(&item.path, old, new, &mut finding.out);
            }
            _ => {}
        }
        let length = new.len() as u64;
        let (outcome, _) = rewritten?;
        self.conclude(item, (outcome, changed), length, finding)
    }

    /// Copies a file that is not a document, if that is wanted.
    fn copy(&mut self, item: &Item<'_>, original: &Original) -> Result<(), FileError> {
        if !(item.goes_along || self.plan.copies_others()) {
            return Ok(());
        }
        let contents = Contents::File(&original.file);
        self.destination.put(item, contents, original)?;
        self.report.files_copied += 1;
        Ok(())
    }

    /// Whether a document is or would be written: in place, only if it changes.
    fn touches(&self, changed: bool) -> bool {
        changed || !matches!(self.plan.output(), Some(Output::InPlace { .. }))
    }

    /// Copies a symbolic link as a link, whatever it leads to.
    fn copy_link(&mut self, item: &Item<'_>) -> Result<(), FileError> {
        let text = item.read_link(&mut self.opener)?;
        self.destination.link(item, &text)?;
        self.report.files_copied += 1;
        Ok(())
    }
}

/// Anything larger than this is not held in memory if it can be passed on as it comes: a new document, or
/// the listing of its references.
const HELD: u64 = 64 << 20;

/// A document that is held whole.
struct WholeDocument<'w> {
    item: &'w Item<'w>,
    content: Content,
    original: Option<&'w Original>,
    /// Whether it may be read in pieces as well.
    may_come_in_pieces: bool,
}

impl<'w> WholeDocument<'w> {
    fn of(
        item: &'w Item<'w>,
        content: Content,
        original: Option<&'w Original>,
    ) -> WholeDocument<'w> {
        WholeDocument {
            item,
            content,
            original,
            may_come_in_pieces: true,
        }
    }
}

/// Why a file PATH cannot be read, in other words if nothing has its name.
fn if_missing(error: FileError, item: &Item<'_>) -> FileError {
    let is_missing = matches!(item.source.input, Input::File(_))
        && matches!(&error, FileError::Read(error) if error.kind() == io::ErrorKind::NotFound)
        && item.path.symlink_metadata().is_err();
    let has_wildcard = || item.path.to_string_lossy().contains(['*', '?']);
    match is_missing {
        true if has_wildcard() => FileError::NoMatch,
        true => FileError::Missing,
        false => error,
    }
}

/// Whether a document was left because it would have grown too large.
fn is_outgrown<E>(outcome: &Result<impl Borrow<FileOutcome>, E>) -> bool {
    let left = outcome.as_ref().ok().and_then(|it| it.borrow().left());
    matches!(left, Some(FileError::Left(OUTGROWN)))
}

/// Keeps a bug in one document from ending the run.
fn guard<T>(work: impl FnOnce() -> T) -> Result<T, FileError> {
    catch_panic(work).map_err(FileError::Panicked)
}
