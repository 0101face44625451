//! A chunk of rows: what its fields hold is examined, or rewritten.

use std::borrow::Cow;

use abslink_containers::rows::{self, Chunk, Field, NewText, Row, Table};
use abslink_html::base::{BaseSource, Context, Retrieval};
use abslink_html::line_column::Lines;
use abslink_html::{DocumentRewriter, TextRewriter};
use abslink_url::{BaseUrl, pre_step};

use crate::batch::order::chunks::ChunkedFile;
use crate::batch::path::numbered;
use crate::batch::plan::Task;
use crate::batch::report::outcome;
use crate::batch::report::{FileError, Located, Problem, Report, guard};
use crate::batch::write::diff;

/// What came of a chunk of rows, or of all chunks so far: then nothing of it is held, but passed on.
#[derive(Default)]
pub(crate) struct RowsResult {
    pub(super) out: Vec<u8>,
    pub(super) read: u64,
    pub(crate) report: Report,
    /// A row has one of the fields that `--field` names.
    pub(super) found: bool,
    /// A row has the field that `--url-field` names.
    pub(super) has_url: bool,
    /// The names of a row's fields, if it has none of these.
    pub(super) names: Option<Vec<String>>,
    /// A unified diff, for the output stream.
    pub(super) diff: Vec<u8>,
    /// The output of the observer.
    pub(super) shown: Vec<u8>,
    pub(super) problems: Vec<Problem>,
}

/// What is used for one field after another; that of texts only while the context is the file's.
pub(super) type Reused<'f> = (DocumentRewriter, Option<TextRewriter<'f>>);

impl RowsResult {
    pub(super) fn held(&self) -> usize {
        /// About what one takes, with its path.
        const TROUBLE: usize = 256;
        let problems = self.problems.len() * TROUBLE;
        self.out.len() + self.diff.len() + self.shown.len() + problems
    }
}

/// The fields of so many bytes of rows are found before the first is rewritten: the code for both together is more than a
/// processor holds close by, and to change between them for each row takes 6 % of the time of short ones.
const TOGETHER: usize = 1 << 10;

impl<'f> ChunkedFile<'f> {
    pub(super) fn rows(&self, chunk: &Chunk, table: &Table, reused: &mut Reused<'f>) -> RowsResult {
        let length = chunk.bytes.len();
        let mut done = RowsResult {
            read: length as u64,
            // References become longer; what is larger grows.
            out: Vec::with_capacity(length + length / 8),
            ..RowsResult::default()
        };
        let mut rows = (chunk.first..).zip(&chunk.rows);
        let (mut start, mut read) = (0, Vec::new());
        loop {
            let first = start;
            while start - first < TOGETHER
                && let Some((number, &(end, kind))) = rows.next()
            {
                let row = &chunk.bytes[start..end];
                start = end;
                let fields = match kind {
                    Row::Whole => guard(|| Ok(table.fields(row)?)).flatten(),
                    Row::Unclosed(at) => Err(rows::unclosed(row, at).into()),
                    Row::TooLong => Err(rows::too_long().into()),
                };
                read.push((number, row, fields));
            }
            if read.is_empty() {
                break;
            }
            for (number, row, fields) in read.drain(..) {
                let before = done.out.len();
                let work = |fields| {
                    guard(|| self.row(number, row, fields, table, reused, &mut done)).flatten()
                };
                let result = fields.and_then(work);
                done.report.rows += 1;
                if let Err(error) = result {
                    done.report.parts_failed[0] += 1;
                    done.out.truncate(before);
                    done.out.extend_from_slice(row);
                    self.problem(number, error, &mut done);
                }
            }
        }
        done.out.extend_from_slice(&chunk.bytes[start..]);
        done
    }

    fn problem(&self, number: u64, error: FileError, done: &mut RowsResult) {
        done.report.files_failed += 1;
        let path = numbered(self.path, number);
        done.problems.push(Problem { path, error });
    }

    fn row(
        &self,
        number: u64,
        row: &[u8],
        (fields, has_url): (Vec<Field<'_>>, bool),
        table: &Table,
        reused: &mut Reused<'f>,
        done: &mut RowsResult,
    ) -> Result<(), FileError> {
        done.found |= !fields.is_empty();
        done.has_url |= has_url;
        let is_blank = || row.iter().all(u8::is_ascii_whitespace);
        let misses = !done.found || !done.has_url && self.plan.rows.url.is_some();
        if misses && done.names.is_none() && !is_blank() {
            done.names = Some(table.names(row));
        }
        let mut copied = 0;
        for mut field in fields {
            let edits = self.field(number, &field, reused, done);
            // The new row takes its place in memory.
            field.text = Cow::default();
            if !edits.is_empty() {
                copied = field.splice(row, copied, &edits, &mut done.out);
            }
        }
        done.out.extend_from_slice(&row[copied..]);
        Ok(())
    }

    /// Rewrites the document in a field. On an error, reports it and leaves the field as it is.
    fn field<'w>(
        &self,
        number: u64,
        field: &Field<'_>,
        (rewriter, texts): &'w mut Reused<'f>,
        done: &mut RowsResult,
    ) -> Vec<NewText<'w>> {
        let number = field.element.unwrap_or(number);
        let shown_before = done.shown.len();
        let edits = guard(|| match self.context_of(field) {
            Cow::Borrowed(context) => {
                self.document(number, field, (context, texts), rewriter, done)
            }
            Cow::Owned(context) => {
                self.document(number, field, (&context, &mut None), rewriter, done)
            }
        });
        let edits = edits.flatten();
        edits.unwrap_or_else(|error| {
            done.shown.truncate(shown_before);
            done.report.parts_failed[1] += 1;
            self.problem(number, error, done);
            Vec::new()
        })
    }

    fn document<'w, 'c>(
        &self,
        number: u64,
        field: &Field<'_>,
        (context, texts): (&'c Context, &mut Option<TextRewriter<'c>>),
        rewriter: &'w mut DocumentRewriter,
        done: &mut RowsResult,
    ) -> Result<Vec<NewText<'w>>, FileError>
    where
        'f: 'c,
    {
        let (plan, path) = (self.plan, numbered(self.path, number));
        let (base, text) = (plan.feed_base, &*field.text);
        let moves = &plan.html.moves;
        let mut changed = Vec::new();
        let mut show = |done: &mut RowsResult| {
            let mut lines = Lines::default();
            field.examine(context, base, &plan.html, &mut |reference| {
                let mut found = Located::new(&mut lines, text.as_bytes(), &path, reference);
                found.row = Some(number);
                self.observer.reference(&found, &mut done.shown);
                if !moves.is_empty() && reference.to.is_some() {
                    changed.push(reference.span.clone());
                }
            })
        };
        let mut read = match plan.task {
            Task::Examine => show(done),
            Task::Rewrite(_) | Task::Try { .. } => {
                field.edits(context, base, &plan.html, rewriter, texts)
            }
        };
        let (outcome, edits) = (&read.examined, &read.edits);
        for error in std::mem::take(&mut read.broken) {
            done.report.parts_failed[1] += 1;
            self.problem(number, FileError::Value(error), done);
        }
        let length = text.len() as u64;
        let (old, new) = edits.iter().fold((0, 0), |(old, new), (range, text)| {
            (old + range.len() as u64, new + text.len() as u64)
        });
        done.report.files += 1;
        done.report.enclosed += 1;
        done.report.bytes_in += length;
        let (changes, length) = (!edits.is_empty(), length + new - old);
        outcome::count(outcome, &path, changes, length, &mut done.report)?;
        if plan.task != Task::Examine && plan.findings.include(outcome::has_findings(outcome)) {
            show(done);
        }
        if !moves.is_empty() {
            changed.extend(edits.iter().map(|(old, _)| old.clone()));
            let copies = &mut done.report.copies_left;
            let finder = self.plan.copies.of(moves);
            copies.count(finder, self.path, text.as_bytes(), changed, |_| number);
        }
        outcome::show(outcome, &path, self.observer, &mut done.shown);
        if plan.shows_diff() && !edits.is_empty() {
            let mut new = Vec::new();
            let edits = edits.iter().map(|(old, new)| (old.clone(), new));
            abslink_html::splice(text.as_bytes(), edits, &mut new, |new, out| {
                out.extend_from_slice(new);
            });
            diff::unified(&path, text.as_bytes(), &new, &mut done.diff);
        }
        Ok(read.edits)
    }

    /// What is known about a field's document: its URL is that of its row. A relative one is relative to
    /// that of the file.
    fn context_of(&self, field: &Field<'_>) -> Cow<'f, Context> {
        let url = field.url.as_deref().map(pre_step);
        let (url, unquoted) = (url.filter(|url| !url.is_empty()), field.unquoted());
        if url.is_none() && unquoted.is_none() {
            return Cow::Borrowed(self.context);
        }
        let mut context = self.context.clone();
        context.field = unquoted;
        let Some(url) = url else {
            return Cow::Owned(context);
        };
        let base = context.retrieval.as_ref().map(|retrieval| &retrieval.url);
        let resolve = |base| self.plan.html.resolver.resolve(base, &url).ok();
        let absolute = BaseUrl::parse(&url).ok().or_else(|| {
            let resolved = base.and_then(resolve)?;
            BaseUrl::parse(&resolved).ok()
        });
        // One that nothing can be relative to is still the row's: no other takes its place.
        context.retrieval = absolute.map(|url| Retrieval {
            url,
            source: BaseSource::Row,
            is_guess: false,
        });
        Cow::Owned(context.unwrapped(&self.plan.html))
    }
}
