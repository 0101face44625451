//! One file with rows, from its first byte to its last.

use std::io::{self, Read, Write};
use std::path::Path;

use abslink_containers::rows::{Chunk, Cutter, Format, Packing, Row, Table, too_long, unclosed};
use abslink_html::DocumentRewriter;
use abslink_html::base::Context;

use super::super::Observer;
use super::super::chunks::{self, Cut};
use super::super::hold::Ticket;
use super::super::plan::Plan;
use super::super::report::{FileError, Report};
use super::worker::{Done, Rows};

/// A file to go through.
pub(in crate::batch) struct Job<'j> {
    pub(in crate::batch) plan: &'j Plan,
    pub(in crate::batch) observer: &'j dyn Observer,
    /// As the user would name it.
    pub(in crate::batch) path: &'j Path,
    pub(in crate::batch) format: Format,
    /// What is known about the file from outside.
    pub(in crate::batch) context: &'j Context,
    pub(in crate::batch) packing: Packing,
    /// Threads.
    pub(in crate::batch) jobs: usize,
}

/// What became of the file.
#[derive(Default)]
pub(in crate::batch) struct RowsOutcome {
    pub(in crate::batch) report: Report,
    pub(in crate::batch) changed: bool,
    /// Whether a row has a field that was named.
    found: bool,
    /// Whether a row has the field for the URL.
    has_url: bool,
    /// The names of a row's fields, if it has none of these.
    names: Option<Vec<String>>,
}

/// Goes through a file. The new one is written to `to`, if there is one. All files before it are done, so
/// findings are shown at once. Returns whether it came to the end: if the output stream failed, or the
/// observer drops the file, only a beginning was written.
pub(in crate::batch) fn run(
    job: &Job<'_>,
    from: impl Read + Send,
    ticket: Ticket<'_, '_>,
    to: Option<&mut dyn Write>,
    found: &mut RowsOutcome,
) -> Result<bool, FileError> {
    let from = job.packing.reader(from).map_err(FileError::Read)?;
    let mut cutter = Cutter::new(from, job.format);
    let mut table = Table::new(job.format, &job.plan.rows);
    let mut to = match to {
        Some(to) => Some(job.packing.writer(to).map_err(unwritten)?),
        None => None,
    };
    if matches!(job.format, Format::Separated(_))
        && let Some(chunk) = cutter.chunk().map_err(FileError::Read)?
    {
        header(&mut table, &chunk)?;
        found.names = Some(table.names(&[]));
        found.found = table.has_columns();
        found.has_url = table.has_url();
        named(job, found)?;
        if let Some(to) = &mut to {
            to.write_all(&chunk.bytes).map_err(unwritten)?;
        }
    }
    let rows = Rows {
        plan: job.plan,
        observer: job.observer,
        path: job.path,
        table: &table,
        context: job.context,
    };
    let is_whole = chunks::in_order(
        cutter,
        job.jobs,
        |chunk, rewriter: &mut DocumentRewriter| rows.chunk(chunk, rewriter),
        |done| {
            let to = to.as_mut().map(|to| to as &mut dyn Write);
            take(job, done, ticket, to, found)
        },
    )?;
    if !is_whole {
        return Ok(false);
    }
    named(job, found)?;
    if let Some(to) = to {
        to.finish().map_err(unwritten)?;
    }
    Ok(true)
}

/// Whether there are the fields that were named, as far as rows were read.
fn named(job: &Job<'_>, found: &mut RowsOutcome) -> Result<(), FileError> {
    let Some(names) = found.names.take() else {
        return Ok(());
    };
    if !found.found {
        return Err(FileError::NoField { names });
    }
    // With another base URL, all documents would be wrong.
    match job.plan.rows.url.is_some() && !found.has_url {
        true => Err(FileError::NoUrlField { names }),
        false => Ok(()),
    }
}

/// The first record, which has the names of the columns.
fn header(table: &mut Table, chunk: &Chunk) -> Result<(), FileError> {
    match chunk.rows.first() {
        Some((_, Row::Unclosed(at))) => return Err(unclosed(&chunk.bytes, *at).into()),
        Some((_, Row::TooLong)) => return Err(too_long().into()),
        Some((_, Row::Whole)) | None => {}
    }
    Ok(table.header(&chunk.bytes)?)
}

/// Passes on what came of a chunk. Returns whether to go on.
fn take(
    job: &Job<'_>,
    done: Done,
    mut ticket: Ticket<'_, '_>,
    to: Option<&mut dyn Write>,
    found: &mut RowsOutcome,
) -> Result<bool, FileError> {
    if let Some(to) = to {
        to.write_all(&done.out).map_err(unwritten)?;
    }
    found.report.merge(&done.report);
    found.changed |= done.changed;
    found.found |= done.found;
    found.has_url |= done.has_url;
    if found.names.is_none() {
        found.names = done.names;
    }
    // If the output stream has failed, the run says so.
    let goes_on = done.diff.is_empty() || ticket.write_all(&done.diff).is_ok();
    let goes_on = goes_on && (done.shown.is_empty() || ticket.show(&done.shown));
    for trouble in &done.troubles {
        job.observer.trouble(trouble);
    }
    job.observer.bytes_done(done.read);
    Ok(goes_on && !job.observer.drop_requested())
}

impl<R: Read> Cut for Cutter<R> {
    type Chunk = Chunk;

    fn cut(&mut self) -> io::Result<Option<Chunk>> {
        self.chunk()
    }

    fn weight(chunk: &Chunk) -> usize {
        chunk.weight()
    }
}

/// The new file cannot be written: the caller knows its name.
fn unwritten(error: io::Error) -> FileError {
    FileError::Write {
        path: Default::default(),
        source: error,
    }
}
