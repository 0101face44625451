//! One file with rows, from its first byte to its last.

use std::io::{Read, Write};

use abslink_containers::rows::{Chunk, Cutter, Format, Row, Table, too_long, unclosed, unpacked};
use abslink_containers::warc::Compression;

use super::sink::RowsSink;
use super::worker::{Reused, RowsResult};
use crate::batch::order::chunks::{self, ChunkedFile};
use crate::batch::order::hold::Ticket;
use crate::batch::report::{FileError, no_room};
use crate::batch::write::PublishError;

/// Goes through a file. The new one is written to `to`, if there is one. All files before it are done, so
/// findings are shown at once. Returns whether it came to the end: if the output stream failed, or the
/// observer drops the file, only a beginning was written.
pub(crate) fn run(
    job: &ChunkedFile<'_>,
    format: Format,
    packing: Compression,
    from: impl Read + Send,
    ticket: Ticket<'_, '_>,
    to: Option<&mut dyn Write>,
    found: &mut RowsResult,
) -> Result<bool, PublishError> {
    let from = unpacked(packing, from).map_err(FileError::Read)?;
    let mut cutter = Cutter::new(from, format);
    let mut table = Table::new(format, &job.plan.rows);
    let mut out = RowsSink::new(ticket, to, packing);
    if matches!(format, Format::Separated(_))
        && let Some(chunk) = cutter.chunk().map_err(FileError::Read)?
    {
        header(&mut table, &chunk)?;
        found.names = Some(table.names(&[]));
        found.found = table.has_columns();
        found.has_url = table.has_url();
        check_fields(job, found)?;
        out.write(&chunk.bytes)?;
    }
    let is_whole = chunks::in_order(
        rayon::current_num_threads(),
        || Ok(cutter.chunk()?.map(|chunk| (chunk.weight(), chunk))),
        Reused::default,
        |chunk, reused| {
            let done = job.rows(&chunk, &table, reused);
            (done.held(), done)
        },
        |done, _| {
            take(job, &done, found);
            let goes_on = if job.plan.rows.url.is_some() && !found.has_url {
                out.hold(&done).map(|()| true).map_err(no_room)?
            } else {
                out.release()? && out.pass(&done)?
            };
            Ok(goes_on && !job.observer.drop_requested())
        },
    )?;
    if !is_whole {
        return Ok(false);
    }
    check_fields(job, found)?;
    // Bad rows alone have no field.
    Ok(out.release()? && out.finish()?)
}

/// Fails if no row has the fields that were named.
fn check_fields(job: &ChunkedFile<'_>, found: &mut RowsResult) -> Result<(), FileError> {
    /// Where a notebook has HTML and Markdown (nbformat 4).
    const OF_NOTEBOOKS: [&str; 2] = [
        "/cells/*/outputs/*/data/text~1html",
        "/cells/*/source:markdown",
    ];
    let Some(mut names) = found.names.take() else {
        return Ok(());
    };
    if job.path.extension().is_some_and(|it| it == "ipynb") {
        names.retain(|name| !OF_NOTEBOOKS.iter().any(|it| name.starts_with(it)));
        names.splice(..0, OF_NOTEBOOKS.map(str::to_owned));
    }
    let fields = &job.plan.rows;
    if !found.found {
        let wanted = fields.documents.iter().map(|(_, name)| name.clone());
        let wanted = wanted.collect();
        return Err(FileError::NoField { wanted, names });
    }
    // With another base URL, all documents would be wrong.
    match fields.url.clone().filter(|_| !found.has_url) {
        Some(wanted) => Err(FileError::NoUrlField { wanted, names }),
        None => Ok(()),
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

/// Counts the results of a chunk and reports its problems.
fn take(job: &ChunkedFile<'_>, done: &RowsResult, found: &mut RowsResult) {
    found.report.merge(&done.report);
    found.found |= done.found;
    found.has_url |= done.has_url;
    if found.names.is_none() {
        found.names.clone_from(&done.names);
    }
    for problem in &done.problems {
        job.observer.problem(problem);
    }
    job.observer.bytes_done(done.read);
}
