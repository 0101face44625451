//! A WACZ: the web archives in it are listed, one after the other; none of them is rewritten.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::archive::unsuitable;
use super::content::Job;
use super::worker::Worker;
use crate::batch::archive::{self, Archive, FileRange};
use crate::batch::kind::format;
use crate::batch::order::hold::Ticket;
use crate::batch::plan::Task;
use crate::batch::report::{FileError, Problem, Report, no_room};
use abslink_containers::wacz::{self, Entry, ZipFault};

impl Worker<'_> {
    /// Lists what is in the archives of a WACZ.
    pub(super) fn wacz(&mut self, job: Job<'_, '_>, file: &File) -> Result<(), FileError> {
        let Job { item, ticket, .. } = job;
        let input = FileRange::new(file).map_err(FileError::Read)?;
        if self.plan.task != Task::Examine {
            let is_list = |name: &[u8]| name == b"pages/pages.jsonl";
            let pages = wacz::each(&input, input.length, &is_list, &mut |_| false);
            return Err(FileError::Wacz {
                path: item.path.clone(),
                has_pages: pages.map_err(unreadable)? > 0,
            });
        }
        if let Some(reason) = unsuitable(self.plan) {
            return Err(FileError::Left(reason));
        }
        if !ticket.wait() {
            return Ok(());
        }
        let found = wacz::each(&input, input.length, &format::names_archive, &mut |entry| {
            let mut path = item.path.clone().into_os_string();
            path.push("/");
            path.push(&entry.name);
            let path: PathBuf = path.into();
            match self.archived(&path, entry, file, ticket) {
                Ok(goes_on) => goes_on,
                Err(error) => {
                    self.report.files_failed += 1;
                    self.observer.problem(&Problem { path, error });
                    true
                }
            }
        });
        match found.map_err(unreadable)? {
            0 => Err(FileError::Left("a WACZ without a web archive (WARC)")),
            _ => Ok(()),
        }
    }

    /// Lists what is in one of its archives. Returns whether anybody wants the rest.
    fn archived(
        &mut self,
        path: &Path,
        entry: &Entry<'_, '_>,
        file: &File,
        ticket: Ticket<'_, '_>,
    ) -> Result<bool, FileError> {
        let input = match entry.stored() {
            Some(within) => FileRange::part(file, within),
            None => {
                let mut spool = tempfile::tempfile().map_err(no_room)?;
                entry.inflate(&mut spool).map_err(unreadable)?;
                FileRange::new(&spool)
            }
        };
        let input = &input.map_err(FileError::Read)?;
        let archive = Archive {
            plan: self.plan,
            observer: self.observer,
            path,
            input,
            date: self.started,
        };
        let mut found = Report::default();
        let done = archive::run(archive, ticket, None, &mut found);
        self.report.merge(&found);
        done.map_err(|refused| refused.of(path))
    }
}

fn unreadable(fault: ZipFault) -> FileError {
    match fault {
        ZipFault::Read(error) => FileError::Read(error),
        ZipFault::Write(error) => no_room(error),
        ZipFault::Damage(what) => FileError::Left(what),
    }
}
