//! One document that is held in memory: examined or rewritten, and put where it belongs.

use std::borrow::Borrow;
use std::io::{self, Write};

use super::content::{Content, Job};
use super::pieces::PIECE;
use super::worker::Worker;
use crate::batch::base::evidence;
use crate::batch::find::walk::Item;
use crate::batch::kind::format;
use crate::batch::path;
use crate::batch::plan::{Input, Output, Task};
use crate::batch::read::REUSED;
use crate::batch::report::outcome::{
    self, disagreement, has_findings, lacks_base, left, take_broken_signatures, would_change,
};
use crate::batch::report::{FileError, Located, NoteKind, guard};
use crate::batch::write::{Contents, diff};
use abslink_containers::message::Examined;
use abslink_html::BaseSource;
use abslink_html::base::Context;
use abslink_html::line_column::Lines;
use abslink_html::{self as html, OUTGROWN, Syntax, sniff};

/// Anything larger than this is not held in memory if it can be passed on as it comes: a new document, or
/// the listing of its references.
const HELD: u64 = 64 << 20;

impl Worker<'_> {
    /// `may_come_in_pieces`: it can be read again in pieces, if the new one takes too much memory.
    pub(super) fn document(
        &mut self,
        job: Job<'_, '_>,
        content: &Content,
        may_come_in_pieces: bool,
    ) -> Result<(), FileError> {
        let Job { item, original, .. } = job;
        if matches!(content, Content::Message) {
            self.check_bare(item)?;
        }
        let bytes = self.read.filled();
        let length = bytes.len() as u64;
        let asks = self.plan.retrieval.asks_for(BaseSource::SelfLink);
        let own = content.own_url().filter(|_| asks);
        let is_mail = matches!(content, Content::Message) && self.is_mail(item);
        let path = &mut self.evidence;
        let mut context =
            evidence::context(&self.reading, item, original, bytes, own, is_mail, path);
        if matches!(content, Content::Message) {
            context = context.without_nameless();
        }
        let pieces = (self.pieces(content, length)).filter(|_| may_come_in_pieces);
        context.memory_budget = pieces.map(|_| HELD);
        context.keeps_fragments = matches!(content, Content::Svg);
        let index = context.stays_without_base.then_some(NoteKind::MirrorIndex);
        context.stays_without_base |= self.reading.is_in_full;
        let result = match &self.plan.task {
            Task::Examine => {
                let outcome = self.show_references(job, content, &context);
                self.count_copies(item, content, &context);
                if let Some(syntax) = pieces.filter(|_| is_outgrown(&outcome)) {
                    return self.go_on_in_pieces(job, syntax);
                }
                outcome.and_then(|outcome| self.conclude(item, (outcome, false), length))
            }
            Task::Rewrite(_) | Task::Try { .. } => {
                self.rewritten.clear();
                let (bytes, rewriter) = (self.read.filled(), &mut self.rewriter);
                let new = &mut self.rewritten;
                let rewritten =
                    guard(|| content.rewrite(rewriter, self.plan, bytes, &context, new));
                let outcome = rewritten.as_ref().map(|(outcome, _)| outcome);
                if let Some(syntax) = pieces.filter(|_| is_outgrown(&outcome)) {
                    return self.go_on_in_pieces(job, syntax);
                }
                let result = self.put(job, rewritten);
                let outcome = self.result.outcome.as_ref();
                if outcome.is_some_and(|it| self.plan.findings.include(has_findings(it))) {
                    self.show_references(job, content, &context)?;
                }
                result
            }
        };
        if let Some(outcome) = &self.result.outcome
            && context.stays_without_base
        {
            let excluded = |(_, it): (_, &html::Examined)| it.tally.excluded;
            let kind = if index.is_some() { 1 } else { 2 };
            if kind == 1 || lacks_base(outcome) {
                self.report.not_meant[kind] += outcome.all().map(excluded).sum::<u64>();
            }
        }
        self.result.notes.extend(index);
        if let Content::Html(Syntax::Html) = content {
            let name = sniff::closed_as_xml(self.read.filled());
            self.result.notes.extend(name.map(NoteKind::ClosedAsXml));
        }
        if let (Some(own), Some(outcome)) = (&context.retrieval, &self.result.outcome) {
            if context.assumes_scheme {
                self.report.count_assumed(own.url.as_str(), outcome);
            }
            let (site, own) = (&self.plan.html.site, own.url.as_str());
            let aliases = outcome.all().map(|(_, examined)| examined.tally.aliases);
            for (kind, links) in aliases.flat_map(|it| it.into_iter().enumerate()) {
                if let Some(url) = (links > 0).then(|| site.alias_url(own, kind)).flatten() {
                    *self.report.aliases.entry(url).or_default() += links;
                }
            }
        }
        self.report.files += 1;
        self.report.bytes_in += length;
        if self.rewritten.capacity() > REUSED {
            self.rewritten = Vec::new();
        }
        let rest = length.saturating_sub(self.passed.take());
        self.observer.document_done(rest);
        result
    }

    /// The rules by which a document of this length is read again in pieces, if the new one takes
    /// too much memory; `None` if it cannot or need not be.
    fn pieces(&self, content: &Content, length: u64) -> Option<Syntax> {
        match *content {
            Content::Html(syntax) if !self.plan.shows_diff() => {
                let largest = html::growth_limit(length).saturating_add(length);
                (largest > HELD).then_some(syntax)
            }
            _ => None,
        }
    }

    /// Starts again, reading in pieces a document that was read whole.
    fn go_on_in_pieces(&mut self, job: Job<'_, '_>, syntax: Syntax) -> Result<(), FileError> {
        match job.original {
            Some(original) => self.large_file(job, syntax, &original.file),
            None => self.large_stdin(job, syntax, &mut io::empty()),
        }
    }

    /// Shows the references of the file that was read, unless all of it is left.
    fn show_references(
        &mut self,
        job: Job<'_, '_>,
        content: &Content,
        context: &Context,
    ) -> Result<Examined, FileError> {
        let (item, mut ticket) = (job.item, job.ticket);
        let mut shown = std::mem::take(&mut self.result.shown);
        let mut is_held = true;
        let outcome = self.each_reference(item, content, context, &mut |found| {
            is_held &= shown.len() as u64 <= HELD;
            if is_held {
                self.observer.reference(found, &mut shown);
            }
        });
        let is_left = !matches!(&outcome, Ok(outcome) if left(outcome).is_none());
        if is_left || is_held {
            self.result.shown = if is_left { Vec::new() } else { shown };
            return outcome;
        }
        drop(shown);
        // What is too large to be held is shown as it comes, after what there is for the output stream.
        let mut goes_on = ticket.write_all(&self.result.out).is_ok();
        self.result.out = Vec::new();
        let mut part = Vec::new();
        self.each_reference(item, content, context, &mut |found| {
            if goes_on {
                self.observer.reference(found, &mut part);
            }
            if part.len() > PIECE {
                goes_on = ticket.show(&part);
                part.clear();
            }
        })?;
        self.result.shown = part;
        outcome
    }

    fn each_reference(
        &self,
        item: &Item<'_>,
        content: &Content,
        context: &Context,
        each: &mut dyn FnMut(&Located<'_>),
    ) -> Result<Examined, FileError> {
        let (bytes, path) = (self.read.filled(), &item.path);
        let mut lines = Lines::default();
        guard(|| {
            content.examine(self.plan, bytes, context, &mut |reference| {
                each(&Located::new(&mut lines, bytes, path, reference));
            })
        })
    }

    /// Counts what `--move-url` does not reach in a document that is only examined.
    fn count_copies(&mut self, item: &Item<'_>, content: &Content, context: &Context) {
        let moves = &self.plan.html.moves;
        if moves.is_empty() {
            return;
        }
        let mut changed = Vec::new();
        let examined = self.each_reference(item, content, context, &mut |found| {
            if found.reference.to.is_some() {
                changed.push(found.reference.span.clone());
            }
        });
        if examined.is_ok() {
            let bytes = self.read.filled();
            let finder = self.plan.copies.of(moves);
            (self.report.copies_left).count(finder, &item.path, bytes, changed, |line| line);
        }
    }

    /// Counts the result of a file, and hands it on to be shown. The output has `length` bytes.
    pub(super) fn conclude(
        &mut self,
        item: &Item<'_>,
        (mut outcome, changed): (Examined, bool),
        length: u64,
    ) -> Result<(), FileError> {
        if matches!(item.source.input, Input::Directory(_)) {
            self.report.broken_signatures += take_broken_signatures(&mut outcome);
        }
        let result = outcome::count(&outcome, &item.path, changed, length, &mut self.report);
        let would_change = changed || self.plan.task == Task::Examine && would_change(&outcome);
        if would_change && format::may_be_pinned(path::name(&item.path)) {
            self.reading.evidence(item, &mut self.evidence);
            self.reading.pins.changed.add(self.evidence.clone());
        }
        if self.reading.is_in_full && lacks_base(&outcome) {
            self.report.count_feed_left(&item.path);
        }
        self.report.error_pages += u64::from(self.reading.is_from_root());
        if changed {
            self.report.stale_copies += self.destination.compressed_copies(item);
        }
        self.result.outcome = Some(outcome);
        result
    }

    /// Puts what is in `self.rewritten`, if anything changes, or what was read where it belongs; see [`Content::rewrite`].
    fn put(
        &mut self,
        job: Job<'_, '_>,
        rewritten: Result<(Examined, Option<usize>), FileError>,
    ) -> Result<(), FileError> {
        let Job { item, original, .. } = job;
        // A document on which abslink fails is copied as it is, so that the tree stays complete.
        let new_length = rewritten.as_ref().ok().and_then(|(_, length)| *length);
        let changed = new_length.is_some();
        if changed && item.is_in_maildir {
            self.rename_message(job)?;
        }
        let old = self.read.filled();
        let new = if changed { &self.rewritten } else { old };
        if let Some(original) = original.filter(|_| self.touches(changed)) {
            let contents = Contents::Bytes(new);
            let notes = self.destination.put(item, contents, original)?;
            self.result.notes.extend(notes);
        }
        match &self.plan.task {
            Task::Rewrite(Output::Stdout) => {
                let outcome = rewritten.as_ref().ok().map(|(outcome, _)| outcome);
                if outcome.and_then(disagreement).is_none() {
                    self.result.out.extend_from_slice(new);
                }
            }
            Task::Try { diff: true, .. } if changed => {
                diff::unified(&item.path, old, new, &mut self.result.out);
            }
            _ => {}
        }
        let length = new_length.unwrap_or(old.len()) as u64;
        let (outcome, _) = rewritten?;
        let moves = &self.plan.html.moves;
        if !moves.is_empty() {
            let finder = self.plan.copies.of(moves);
            (self.report.copies_left).count(finder, &item.path, new, Vec::new(), |line| line);
        }
        self.conclude(item, (outcome, changed), length)
    }

    /// In place, only documents that change are written.
    pub(super) fn touches(&self, changed: bool) -> bool {
        changed || !self.plan.is_in_place()
    }
}

fn is_outgrown<E>(outcome: &Result<impl Borrow<Examined>, E>) -> bool {
    let left = outcome.as_ref().ok().and_then(|it| left(it.borrow()));
    matches!(left, Some(FileError::Left(OUTGROWN)))
}
