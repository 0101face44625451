//! A web archive: gone through as a whole once it is its turn, and put where it belongs.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use super::super::archive::{self, ArchiveForm, Found};
use super::super::plan::{Output, Task};
use super::super::read::Original;
use super::super::report::{FileError, no_room};
use super::super::sequence::{Finding, Turn};
use super::super::walk::Item;
use super::super::write::Contents;
use super::Worker;
use super::pieces::{PIECE, each_piece};
use super::stream;

impl Worker<'_> {
    /// Processes an archive on standard input, whose beginning was read already. It goes to a temporary
    /// file first, since what is damaged is gone through twice.
    pub(super) fn archive_on_stdin(
        &mut self,
        item: &Item<'_>,
        stdin: &mut dyn Read,
        turn: Turn<'_, '_>,
    ) -> Result<(), FileError> {
        let mut spool = tempfile::tempfile().map_err(no_room)?;
        spool.write_all(self.read.filled()).map_err(no_room)?;
        each_piece(stdin, |piece, _| {
            spool.write_all(piece).map_err(no_room)?;
            Ok(true)
        })?;
        self.archive(item, &spool, None, &mut Finding::default(), turn)
    }

    /// Processes an archive.
    pub(super) fn archive(
        &mut self,
        item: &Item<'_>,
        file: &File,
        original: Option<&Original>,
        finding: &mut Finding,
        turn: Turn<'_, '_>,
    ) -> Result<(), FileError> {
        let conversions = self.plan.archives.form == ArchiveForm::Conversions;
        if conversions && matches!(self.plan.output(), Some(Output::InPlace { .. })) {
            return Err(FileError::Left(NOT_IN_PLACE));
        }
        if !turn.wait() {
            return Ok(());
        }
        let mut found = Found::default();
        let job = archive::Job {
            plan: self.plan,
            observer: self.observer,
            path: &item.path,
            file,
            jobs: rayon::current_num_threads(),
            date: self.started,
        };
        let result = match (&self.plan.task, original) {
            (Task::Rewrite(Output::Stdout), _) => {
                let mut to = BufWriter::with_capacity(PIECE, turn);
                let done = archive::run(&job, turn, Some(&mut to), &mut found);
                // Where the output stream has failed, the run says so.
                let _ = to.flush();
                match done {
                    Err(FileError::Write { path, .. }) if path.as_os_str().is_empty() => Ok(()),
                    done => done,
                }
            }
            (Task::Rewrite(output), Some(original)) => {
                let is_in_place = matches!(output, Output::InPlace { .. });
                let mut unchanged = false;
                let mut write = |to: &mut dyn Write| {
                    let mut to = BufWriter::with_capacity(PIECE, to);
                    let done = archive::run(&job, turn, Some(&mut to), &mut found);
                    done.map_err(|error| match error {
                        FileError::Write { source, .. } => source,
                        error => io::Error::other(error),
                    })?;
                    unchanged = is_in_place && !found.changed;
                    match unchanged {
                        // Then the file is not replaced.
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
                    Err(_) if unchanged => Ok(()),
                    Err(error) => Err(error),
                }
            }
            _ => {
                let done = archive::run(&job, turn, None, &mut found);
                match original.filter(|_| self.touches(found.changed)) {
                    Some(original) if done.is_ok() => {
                        let contents = Contents::Bytes(&[]);
                        self.destination.put(item, contents, original).map(drop)
                    }
                    _ => done,
                }
            }
        };
        self.report.merge(&found.report);
        result
    }
}

const NOT_IN_PLACE: &str = "-i replaces a web archive with --warc-as append or --warc-as response \
    only; -o DIR writes conversions to a new one";
