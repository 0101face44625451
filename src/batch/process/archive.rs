//! A file with many documents, a web archive or rows: processed when its turn comes, and put where it belongs.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use super::content::Job;
use super::pieces::{PIECE, each_piece, rewound};
use super::worker::Worker;
use crate::batch::archive::{self, Archive, FileRange};
use crate::batch::kind::format;
use crate::batch::order::chunks::ChunkedFile;
use crate::batch::plan::archives::ArchiveForm;
use crate::batch::plan::{Input, Output, Plan, Task};
use crate::batch::read::Original;
use crate::batch::report::{FileError, Report, no_room};
use crate::batch::rows;
use crate::batch::write::{Contents, PublishError};
use abslink_containers::rows::{Format, packing};
use abslink_containers::warc::Compression;
use abslink_html::To;
use abslink_html::base::retrieval::Layout;

impl Worker<'_> {
    /// Standard input, whose beginning was read already, in a temporary file.
    pub(super) fn spooled(&self, stdin: &mut dyn Read) -> Result<File, FileError> {
        let mut spool = tempfile::tempfile().map_err(no_room)?;
        spool.write_all(self.read.filled()).map_err(no_room)?;
        each_piece(PIECE, stdin, |piece, _| {
            spool.write_all(piece).map_err(no_room)?;
            Ok(true)
        })?;
        Ok(spool)
    }

    pub(super) fn archive(&mut self, job: Job<'_, '_>, file: &File) -> Result<(), FileError> {
        if let Some(reason) = unsuitable(self.plan) {
            return Err(FileError::Left(reason));
        }
        let is_in_place = self.plan.is_in_place();
        let is_found = matches!(job.item.source.input, Input::Directory(_));
        if is_in_place && is_found && !self.plan.archives.replaces_found {
            return Err(FileError::Left(NOT_NAMED));
        }
        self.check_terminal()?;
        if !job.ticket.wait() {
            return Ok(());
        }
        let mut found = Report::default();
        let input = FileRange::new(file).map_err(FileError::Read)?;
        let archive = Archive {
            plan: self.plan,
            observer: self.observer,
            path: &job.item.path,
            input: &input,
            date: self.started,
        };
        let run = |to: Option<&mut dyn Write>| {
            let is_whole = archive::run(archive, job.ticket, to, &mut found)?;
            let is_new = found.files_changed > 0 || !is_in_place;
            Ok(ManyResult::of(is_whole, is_new))
        };
        let result = self.many(job, run).map(drop);
        self.report.merge(&found);
        result
    }

    /// Fails if binary output would go to a terminal.
    fn check_terminal(&self) -> Result<(), FileError> {
        if self.plan.to_terminal && self.plan.task == Task::Rewrite(Output::Stdout) {
            Err(FileError::BinaryToTerminal)
        } else {
            Ok(())
        }
    }

    /// Processes a file with rows in it, of which `from` is all.
    pub(super) fn rows(&mut self, job: Job<'_, '_>, format: Format) -> Result<(), FileError> {
        let (item, original, ticket) = (job.item, job.original, job.ticket);
        self.report.files_with_rows += 1;
        if self.plan.html.to == To::Files {
            let reason =
                "--to files is not for rows, which are not files: use --to relative or root";
            return Err(FileError::Left(reason));
        }
        if self.plan.html.only_missing {
            return Err(FileError::Left("--only-missing is not for rows"));
        }
        if !ticket.wait() {
            return Ok(());
        }
        let name = item.path.as_os_str().as_encoded_bytes();
        if self.read.filled().is_empty() && format::names_packed(name) {
            return Err(FileError::Left("compressed by its name, but empty"));
        }
        let packing = packing(self.read.filled());
        if packing != Compression::Plain {
            self.check_terminal()?;
        }
        let mut context = self.context(&job, &[]).without_nameless();
        context.charset = Some("utf-8".to_owned());
        context.is_content = true;
        let format = self.plan.rows.spelled(format);
        let rows = ChunkedFile {
            plan: self.plan,
            observer: self.observer,
            path: &item.path,
            context: &context,
        };
        let head = std::mem::take(&mut self.read);
        let mut found = rows::RowsResult::default();
        let run = |to: Option<&mut dyn Write>| {
            let from: Box<dyn Read + Send> = match original {
                Some(original) => Box::new(rewound(&original.file)?),
                None => Box::new(head.filled().chain(io::stdin())),
            };
            let is_whole = rows::run(&rows, format, packing, from, ticket, to, &mut found)?;
            Ok(ManyResult::of(is_whole, found.report.files_changed > 0))
        };
        let ran = self.many(job, run);
        match &ran {
            // Nothing of it was written or shown.
            Err(FileError::NoUrlField { .. }) => {
                self.report.files_failed += found.report.files_failed;
            }
            _ => self.report.merge(&found.report),
        }
        match (ran?, original) {
            // What would be compressed again is copied as it is.
            (ManyResult::Unchanged, Some(original)) if self.plan.output_directory().is_some() => {
                self.put_old(item, original)
            }
            _ => Ok(()),
        }
    }

    /// Processes a file with many documents by `run`, which writes the new one where it is told to, and puts
    /// that where it belongs if it is wanted.
    pub(super) fn many(
        &mut self,
        job: Job<'_, '_>,
        mut run: impl FnMut(Option<&mut dyn Write>) -> Result<ManyResult, PublishError>,
    ) -> Result<ManyResult, FileError> {
        let item = job.item;
        match (&self.plan.task, job.original) {
            (Task::Rewrite(Output::Stdout), _) => {
                let mut to = BufWriter::with_capacity(PIECE, job.ticket);
                let done = run(Some(&mut to));
                // If the output stream has failed, the run says so.
                let _ = to.flush();
                match done {
                    Err(PublishError::Io(_)) => Ok(ManyResult::Stopped),
                    done => done.map_err(|refused| refused.of(&item.path)),
                }
            }
            (Task::Rewrite(_), Some(original)) => {
                let mut ran = ManyResult::Changed;
                let mut write = |to: &mut dyn Write| {
                    let mut to = BufWriter::with_capacity(PIECE, to);
                    ran = run(Some(&mut to))?;
                    match ran {
                        ManyResult::Changed => to.flush().map_err(PublishError::Io),
                        // Then no file is replaced.
                        ManyResult::Stopped | ManyResult::Unchanged => {
                            Err(PublishError::Io(io::ErrorKind::Other.into()))
                        }
                    }
                };
                let put = self
                    .destination
                    .put(item, Contents::Written(&mut write), original);
                match put {
                    Ok(notes) => {
                        self.result.notes.extend(notes);
                        Ok(ran)
                    }
                    Err(_) if ran != ManyResult::Changed => Ok(ran),
                    Err(error) => Err(error),
                }
            }
            _ => {
                let ran = run(None).map_err(|refused| refused.of(&item.path))?;
                let touched = |_: &&Original| self.touches(ran == ManyResult::Changed);
                if let Some(original) = job.original.filter(touched) {
                    let contents = Contents::Bytes(&[]);
                    self.destination.put(item, contents, original)?;
                }
                Ok(ran)
            }
        }
    }
}

/// How far a file with many documents was processed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ManyResult {
    /// The output stream failed, or the observer wants no more.
    Stopped,
    Unchanged,
    Changed,
}

impl ManyResult {
    pub(super) fn of(is_whole: bool, is_new: bool) -> ManyResult {
        match (is_whole, is_new) {
            (false, _) => ManyResult::Stopped,
            (true, false) => ManyResult::Unchanged,
            (true, true) => ManyResult::Changed,
        }
    }
}

const NOT_NAMED: &str =
    "-i replaces a web archive in a directory only with --warc-as append or --warc-as response";

/// Why no archive is processed with the given options. Most such options are refused before the
/// run; but a directory may hold archives, and a file may turn out to be one only by its bytes.
pub(super) fn unsuitable(plan: &Plan) -> Option<&'static str> {
    let is_only = !plan.has_tree_url && matches!(plan.inputs[..], [Input::File(_) | Input::Stdin]);
    let layout = &plan.retrieval.layout;
    let has_url = matches!(layout, Some(Layout::Document(_) | Layout::Tree(_)));
    if plan.archives.form == ArchiveForm::Conversions && plan.is_in_place() {
        return Some(
            "-i replaces a web archive with --warc-as append or --warc-as response only; -o DIR writes \
             conversions to a new one",
        );
    }
    if plan.html.to.is_short() {
        return Some(
            "--to is not for web archives: leave it out, or the archive with --exclude GLOB",
        );
    }
    if plan.html.only_missing {
        return Some(
            "--only-missing is not for web archives: leave it out, or the archive with --exclude GLOB",
        );
    }
    (is_only && (has_url || plan.retrieval.map.is_some()))
        .then_some("--base-url and --url-map are not for web archives: each record names its URL")
}
