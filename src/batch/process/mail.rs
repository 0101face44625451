//! Messages: those of a mailbox, which are many in one file or each in a file of a Maildir, and those that only their
//! bytes tell.

use std::fs::File;
use std::io::Write;

use super::archive::ManyResult;
use super::content::Job;
use super::worker::Worker;
use crate::batch::find::maildir;
use crate::batch::find::walk::Item;
use crate::batch::kind::extension;
use crate::batch::kind::format::{self, Kind};
use crate::batch::order::chunks::ChunkedFile;
use crate::batch::plan::{Input, Output, Task};
use crate::batch::report::{FileError, Report};
use crate::batch::{mbox, path};
use abslink_containers::message;

impl Worker<'_> {
    /// Processes a file with messages in it, one behind the other.
    pub(super) fn mbox(&mut self, job: Job<'_, '_>, file: &File) -> Result<(), FileError> {
        if !job.ticket.wait() {
            return Ok(());
        }
        self.read.clear();
        let is_in_place = self.plan.is_in_place();
        if let Some(original) = job.original
            && matches!(self.plan.task, Task::Rewrite(Output::InPlace { .. }))
        {
            let note = self.destination.lock(job.item, original)?;
            self.result.notes.extend(note);
        }
        let context = self.context(&job, &[]).without_nameless();
        let messages = ChunkedFile {
            plan: self.plan,
            observer: self.observer,
            path: &job.item.path,
            context: &context,
        };
        let mut found = Report::default();
        let run = |to: Option<&mut dyn Write>| {
            let is_whole = mbox::run(&messages, file, job.ticket, to, &mut found)?;
            let is_new = found.files_changed > 0 || !is_in_place;
            Ok(ManyResult::of(is_whole, is_new))
        };
        let result = self.many(job, run).map(drop);
        self.report.merge(&match result {
            Ok(()) => found,
            // Nothing is in its place.
            Err(_) => Report {
                files_failed: found.files_failed,
                ..found.of_unwritten()
            },
        });
        result
    }

    /// Whether a file, whose beginning was read, is a message of a Maildir and not said to be something else.
    pub(super) fn is_mail(&self, item: &Item<'_>) -> bool {
        let is_in_tree = matches!(item.source.input, Input::Directory(_));
        let is_given =
            self.plan.selection.read_as.is_some() && (!is_in_tree || self.plan.has_one_kind);
        item.is_in_maildir && !is_given && message::framing(self.read.filled()).is_some()
    }

    /// Fails if a file was taken for a message because of its bytes alone, and they do not hold HTML.
    pub(super) fn check_bare(&self, item: &Item<'_>) -> Result<(), FileError> {
        let name = path::name(&item.path);
        let is_known = item.is_in_maildir
            || matches!(item.source.input, Input::Directory(_))
            || self.plan.selection.read_as.is_some()
            || format::by_name(name) == Some(Kind::MESSAGE);
        if is_known || !message::is_bare(self.read.filled()) {
            Ok(())
        } else {
            Err(FileError::NoHtmlPart {
                may_be_html: extension::of(name).is_none(),
            })
        }
    }

    /// A message that changes has no size in its name any more, or the new one; in place it would have to get another
    /// name.
    pub(super) fn rename_message(&mut self, job: Job<'_, '_>) -> Result<(), FileError> {
        let name = job.item.path.file_name();
        let Some(free) = name.and_then(|name| maildir::with_sizes(name, None)) else {
            return Ok(());
        };
        if self.plan.is_in_place() {
            return Err(FileError::SizeInName);
        }
        let destination = &mut self.destination;
        if destination.rename_message(job.item, free, &self.rewritten)? {
            // Which of two gets a name must not depend on the number of jobs.
            job.ticket.wait();
        }
        Ok(())
    }
}
