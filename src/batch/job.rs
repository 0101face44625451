//! One file: read, rewritten or examined, and put where it belongs.

mod archive;
mod pieces;
mod stream;

use std::io::{self, Read};
use std::sync::Arc;

use super::destination::{self, Destination, Reach};
use super::document::FileOutcome;
use super::format::{self, Format, Kind};
use super::line_column::Lines;
use super::panic::catch_panic;
use super::plan::{Input, Output, Plan, Task};
use super::read::{Buffer, KEPT, Opener, Original};
use super::report::{FileError, NoteKind, Report};
use super::sequence::{Finding, Turn};
use super::tree::Memory;
use super::walk::{FileKind, Item, Met, Passed};
use super::write::{self, Contents};
use super::{Observer, diff, document, ending, evidence, kind, path, sniff};
use crate::base::Context;
use crate::base::retrieval::EvidenceKind;
use crate::feed;
use crate::html::{DocumentRewriter, Syntax};
use crate::warc::Moment;

/// What processes files, one at a time, with memory that it uses again.
pub(super) struct Worker<'p> {
    plan: &'p Plan,
    observer: &'p dyn Observer,
    report: Report,
    evidence: Vec<u8>,
    memory: Arc<Memory>,
    opener: Opener,
    read: Buffer,
    rewriter: DocumentRewriter,
    rewritten: Vec<u8>,
    destination: Destination<'p>,
    /// When the run began.
    started: &'p Moment,
}

impl<'p> Worker<'p> {
    /// `output` is the output directory, if there is one; at `started` the run began.
    pub(super) fn new(
        plan: &'p Plan,
        observer: &'p dyn Observer,
        output: Option<&'p write::Root>,
        started: &'p Moment,
    ) -> Self {
        Worker {
            plan,
            observer,
            report: Report::default(),
            evidence: Vec::new(),
            memory: Arc::new(Memory::new(plan)),
            opener: Opener::default(),
            read: Buffer::default(),
            rewriter: DocumentRewriter::default(),
            rewritten: Vec::new(),
            destination: Destination::new(plan, output),
            started,
        }
    }

    /// What the files came to.
    pub(super) fn into_report(self) -> Report {
        Report {
            placed: self.destination.placed,
            ..self.report
        }
    }

    /// Processes what the walk came upon.
    pub(super) fn process(&mut self, found: Met<'p>, finding: &mut Finding, turn: Turn<'_, '_>) {
        match found {
            Met::Item(item) => {
                // A file that no finding comes from would make the others wait for ever.
                let without_base = self.report.files_without_base;
                let result = guard(|| self.item(&item, finding, turn)).flatten();
                if self.report.files_without_base > without_base {
                    let found = evidence::without_host(self.plan, &item, &mut self.evidence);
                    self.report.count_without_host(found);
                }
                finding.error = result.err();
                finding.path = item.path;
            }
            Met::Failed(path, error) => {
                finding.error = Some(error);
                finding.path = path;
            }
            Met::Skipped(path, what) => {
                finding.notes.push(what);
                finding.path = path;
            }
            Met::Stray(source, stray) => {
                let note = self.destination.clear(source, &stray);
                finding.notes.extend(note);
                finding.path = stray.parent().unwrap_or(&stray).to_owned();
            }
        }
        self.report.files_failed += u64::from(finding.error.is_some());
    }

    fn item(
        &mut self,
        item: &Item<'_>,
        finding: &mut Finding,
        turn: Turn<'_, '_>,
    ) -> Result<(), FileError> {
        if item.kind == FileKind::Link {
            return self.copy_link(item);
        }
        self.read.clear();
        let head = kind::head(self.plan, item);
        if *item.source.input == Input::Stdin {
            let mut stdin = io::stdin().lock();
            self.read
                .read_up_to(head, &mut stdin)
                .map_err(FileError::Read)?;
            let kind = kind::of(self.plan, item, self.read.filled()).unwrap_or(Kind::HTML);
            let Kind::One(format) = kind else {
                return self.archive_on_stdin(item, &mut stdin, turn);
            };
            let (syntax, held) = self.held(format, item.source.input);
            let more = (held.saturating_add(1)).saturating_sub(self.read.filled().len() as u64);
            self.read
                .read_to_end(0, &mut stdin.by_ref().take(more))
                .map_err(FileError::Read)?;
            if self.read.filled().len() as u64 > held {
                return self.large_stdin(item, syntax, &mut stdin, finding, turn);
            }
            return self.document(item, format, None, finding);
        }
        if destination::reach(self.plan, item) == Reach::Inside {
            if !matches!(item.kind, FileKind::Look(_)) {
                finding.notes.push(NoteKind::LinkInside);
            }
            return Ok(());
        }
        let opened = self.opener.open(item);
        if let FileKind::Look(passed) = item.kind {
            return self.look(item, passed, opened);
        }
        let original = opened?;
        if item.kind == FileKind::Other {
            return self.copy(item, &original);
        }
        let mut file = &original.file;
        self.read
            .read_up_to(head, &mut file)
            .map_err(FileError::Read)?;
        let Some(kind) = kind::of(self.plan, item, self.read.filled()) else {
            self.count_not_taken(item);
            return self.copy(item, &original);
        };
        let Kind::One(format) = kind else {
            return self.archive(item, &original.file, Some(&original), finding, turn);
        };
        let (syntax, held) = self.held(format, item.source.input);
        if original.metadata.len() > held {
            return self.large_file(item, syntax, &original, finding, turn);
        }
        self.read
            .read_to_end(original.metadata.len(), &mut file)
            .map_err(FileError::Read)?;
        self.document(item, format, Some(&original), finding)
    }

    /// By which rules a file of this format is parsed in pieces, and how large it may be that is held
    /// in memory as a whole.
    fn held(&self, format: Format, input: &Input) -> (Syntax, u64) {
        match format {
            Format::Html(syntax) => (syntax, self.held_of_html(input)),
            // The parts of a message refer to each other, and so do those of a feed or a style sheet.
            _ => (Syntax::Html, u64::MAX),
        }
    }

    /// Counts a file that is no document, by its first bytes, if it looks like one.
    fn count_not_taken(&mut self, item: &Item<'_>) {
        let name = path::name(&item.path);
        let head = self.read.filled();
        if format::is_usual_for_feeds(name) && sniff::is_feed(head) {
            self.report.count_feed_not_taken(&item.path);
        } else if !ending::tells(name) && sniff::is_html(head) {
            self.report.not_taken += 1;
        }
    }

    /// Processes the document that was read.
    fn document(
        &mut self,
        item: &Item<'_>,
        format: Format,
        original: Option<&Original>,
        finding: &mut Finding,
    ) -> Result<(), FileError> {
        let length = self.read.filled().len() as u64;
        self.report.files += 1;
        self.report.bytes_in += length;
        let bytes = self.read.filled();
        let asks = format == Format::Feed && self.plan.retrieval.asks_for(EvidenceKind::SelfLink);
        let own = asks.then(|| feed::own_url(bytes)).flatten();
        let context = evidence::context(
            self.plan,
            item,
            original,
            bytes,
            own.as_deref(),
            &mut self.evidence,
            &self.memory,
        );
        let index = context.is_made_by_mirror.then_some(NoteKind::MirrorIndex);
        finding.notes.extend(index);
        let result = match &self.plan.task {
            Task::Examine => {
                let outcome = self.show_references(item, format, &context, finding);
                outcome.and_then(|outcome| self.conclude(outcome, false, length, finding))
            }
            Task::Rewrite(_) | Task::Try { .. } => {
                let rewritten = self.make_absolute(format, &context);
                let result = self.put(item, rewritten, original, finding);
                let outcome = finding.outcome.as_ref();
                if outcome.is_some_and(|it| self.plan.findings.include(it.has_findings())) {
                    self.show_references(item, format, &context, finding)?;
                }
                result
            }
        };
        if self.rewritten.capacity() > KEPT {
            self.rewritten = Vec::new();
        }
        self.observer.document_done(length);
        result
    }

    /// Shows the references of what was read, unless it is left as a whole.
    fn show_references(
        &self,
        item: &Item<'_>,
        format: Format,
        context: &Context,
        finding: &mut Finding,
    ) -> Result<FileOutcome, FileError> {
        let bytes = self.read.filled();
        let mut lines = Lines::default();
        let out = &mut finding.shown;
        let outcome = guard(|| {
            document::examine(self.plan, format, bytes, context, &mut |reference| {
                let found = lines.locate(bytes, &item.path, reference);
                self.observer.reference(&found, out);
            })
        });
        if !outcome
            .as_ref()
            .is_ok_and(|outcome| outcome.left().is_none())
        {
            finding.shown.clear();
        }
        outcome
    }

    /// Counts what came of a file, and hands it on to be shown. What comes out has `length` bytes.
    fn conclude(
        &mut self,
        outcome: FileOutcome,
        changed: bool,
        length: u64,
        finding: &mut Finding,
    ) -> Result<(), FileError> {
        let result = outcome.count(changed, length, &mut self.report);
        finding.outcome = Some(outcome);
        result
    }

    /// Puts what was read into `self.rewritten` with absolute references, if anything changes; answers
    /// whether it does.
    fn make_absolute(
        &mut self,
        format: Format,
        context: &Context,
    ) -> Result<(FileOutcome, bool), FileError> {
        self.rewritten.clear();
        guard(|| {
            document::rewrite(
                &mut self.rewriter,
                self.plan,
                format,
                self.read.filled(),
                context,
                &mut self.rewritten,
            )
        })
    }

    /// Puts what [`Worker::make_absolute`] has made where it belongs.
    fn put(
        &mut self,
        item: &Item<'_>,
        rewritten: Result<(FileOutcome, bool), FileError>,
        original: Option<&Original>,
        finding: &mut Finding,
    ) -> Result<(), FileError> {
        // A document that abslink fails on goes on as it is, so that the tree stays whole.
        let changed = rewritten.as_ref().is_ok_and(|(_, changed)| *changed);
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
        self.conclude(outcome, changed, length, finding)
    }

    /// Counts a file that is no document where it looks like one. Nobody has asked for it, so that it
    /// is no trouble if it cannot be read, unless it is to be copied.
    fn look(
        &mut self,
        item: &Item<'_>,
        passed: Passed,
        opened: Result<Original, FileError>,
    ) -> Result<(), FileError> {
        let original = match opened {
            Err(_) if !self.plan.copies_others() => return Ok(()),
            opened => opened?,
        };
        let head = match passed {
            Passed::ByName => kind::head(self.plan, item),
            Passed::Backup => sniff::HEADER,
        };
        if self.read.read_up_to(head, &mut &original.file).is_ok() {
            match passed {
                Passed::ByName => self.count_not_taken(item),
                Passed::Backup => {
                    self.report.backups += u64::from(sniff::is_html(self.read.filled()));
                }
            }
        }
        self.copy(item, &original)
    }

    /// Copies a file that is no document, if that is to be done.
    fn copy(&mut self, item: &Item<'_>, original: &Original) -> Result<(), FileError> {
        if !self.plan.copies_others() {
            return Ok(());
        }
        let contents = Contents::File(&original.file);
        self.destination.put(item, contents, original)?;
        self.report.files_copied += 1;
        Ok(())
    }

    /// Whether a document is written, or would be: in place, only one that changes.
    fn touches(&self, changed: bool) -> bool {
        changed || !matches!(self.plan.output(), Some(Output::InPlace { .. }))
    }

    /// Copies a symbolic link as one. What it leads to is none of its business.
    fn copy_link(&mut self, item: &Item<'_>) -> Result<(), FileError> {
        let text = self.opener.read_link(item)?;
        self.destination.link(item, &text)?;
        self.report.files_copied += 1;
        Ok(())
    }
}

/// Keeps a bug that one document meets from ending the run.
fn guard<T>(work: impl FnOnce() -> T) -> Result<T, FileError> {
    catch_panic(work).map_err(FileError::Panicked)
}
