//! A web archive: processed when its turn comes, and put where it belongs.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use super::super::archive::{self, ArchiveForm, ArchiveOutcome};
use super::super::plan::{Input, Output, Plan, Task};
use super::super::read::Original;
use super::super::report::{FileError, no_room};
use super::super::sequence::{Finding, Ticket};
use super::super::walk::Item;
use super::super::write::Contents;
use super::Worker;
use super::pieces::{PIECE, each_piece};
use super::stream;
use abslink_html::To;
use abslink_html::base::retrieval::Layout;

impl Worker<'_> {
    /// Processes an archive on standard input, whose beginning was read already. It goes to a temporary
    /// file first, since damaged parts are read twice.
    pub(super) fn archive_on_stdin(
        &mut self,
        item: &Item<'_>,
        stdin: &mut dyn Read,
        ticket: Ticket<'_, '_>,
    ) -> Result<(), FileError> {
        let mut spool = tempfile::tempfile().map_err(no_room)?;
        spool.write_all(self.read.filled()).map_err(no_room)?;
        each_piece(stdin, |piece, _| {
            spool.write_all(piece).map_err(no_room)?;
            Ok(true)
        })?;
        self.archive(item, &spool, None, &mut Finding::default(), ticket)
    }

    /// Processes an archive.
    pub(super) fn archive(
        &mut self,
        item: &Item<'_>,
        file: &File,
        original: Option<&Original>,
        finding: &mut Finding,
        ticket: Ticket<'_, '_>,
    ) -> Result<(), FileError> {
        if let Some(reason) = unsuitable(self.plan) {
            return Err(FileError::Left(reason));
        }
        if !ticket.wait() {
            return Ok(());
        }
        let mut found = ArchiveOutcome::default();
        let job = archive::Job {
            plan: self.plan,
            observer: self.observer,
            path: &item.path,
            file,
            within: None,
            jobs: rayon::current_num_threads(),
            date: self.started,
        };
        let result = match (&self.plan.task, original) {
            (Task::Rewrite(Output::Stdout), _) => {
                let mut to = BufWriter::with_capacity(PIECE, ticket);
                let done = archive::run(&job, ticket, Some(&mut to), &mut found);
                // If the output stream has failed, the run says so.
                let _ = to.flush();
                match done {
                    Err(FileError::Write { path, .. }) if path.as_os_str().is_empty() => Ok(()),
                    done => done.map(drop),
                }
            }
            (Task::Rewrite(output), Some(original)) => {
                let is_in_place = matches!(output, Output::InPlace { .. });
                let mut stays = false;
                let mut write = |to: &mut dyn Write| {
                    let mut to = BufWriter::with_capacity(PIECE, to);
                    let done = archive::run(&job, ticket, Some(&mut to), &mut found);
                    let is_whole = done.map_err(|error| match error {
                        FileError::Write { source, .. } => source,
                        error => io::Error::other(error),
                    })?;
                    stays = !is_whole || is_in_place && !found.changed;
                    match stays {
                        // Then no file is replaced.
                        true => Err(io::ErrorKind::Other.into()),
                        false => to.flush(),
                    }
                };
                let put = self
                    .destination
                    .put(item, Contents::Written(&mut write), original);
                match put.map_err(stream::cause) {
                    Ok(notes) => {
                        finding.notes.extend(notes);
                        Ok(())
                    }
                    Err(_) if stays => Ok(()),
                    Err(error) => Err(error),
                }
            }
            _ => {
                let done = archive::run(&job, ticket, None, &mut found);
                match original.filter(|_| self.touches(found.changed)) {
                    Some(original) if done.is_ok() => {
                        let contents = Contents::Bytes(&[]);
                        self.destination.put(item, contents, original).map(drop)
                    }
                    _ => done.map(drop),
                }
            }
        };
        self.report.merge(&found.report);
        result
    }
}

/// Why no archive is processed with the given options. Most such options are refused before the
/// run; but a directory may hold archives, and a file may turn out to be one only by its bytes.
pub(super) fn unsuitable(plan: &Plan) -> Option<&'static str> {
    let is_only = matches!(plan.inputs[..], [Input::File(_) | Input::Stdin]);
    let has_url = matches!(
        plan.retrieval.layout,
        Some(Layout::Document(_) | Layout::Tree(_))
    );
    if plan.archives.form == ArchiveForm::Conversions
        && matches!(plan.output(), Some(Output::InPlace { .. }))
    {
        return Some(
            "-i replaces a web archive with --warc-as append or --warc-as response only; -o DIR writes \
             conversions to a new one",
        );
    }
    if plan.html.to != To::Absolute {
        return Some(
            "the documents of a web archive are read one by one, so that their references are made absolute \
             only: leave --to or, with --exclude GLOB, the archive out",
        );
    }
    if plan.html.only_missing {
        return Some(
            "--only-missing is not for web archives, in which no document links to files; leave the \
             option or, with --exclude GLOB, the archive out",
        );
    }
    (is_only && (has_url || plan.retrieval.map.is_some())).then_some(
        "--base-url and --url-map are not for web archives, whose records say themselves which URL each \
         document has: leave them out",
    )
}
