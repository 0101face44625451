//! Files whose new contents are written and wait for the disk, with what was found in them: with
//! [`Fsync::Batch`](crate::batch::Fsync::Batch) each worker holds some back, until they take their places together.
//!
//! What was found is passed on afterwards, since only then is it known whether a file was replaced. A
//! worker that holds something back never waits for another one: whoever waits for the file that is next
//! in order waits for a worker that works.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use super::sequence::{FileResult, Sequence, WINDOW, WINDOW_BYTES};
use crate::batch::report::{FileError, Report};
use crate::batch::write::destination::WaitingFile;
use crate::batch::write::{FolderHere, sync};

/// How many files are held back by all workers.
const FILES: usize = 1000;
/// How many bytes are held back by all workers.
const BYTES: u64 = 256 << 20;
/// What one worker holds back with [`Fsync::Batch`](crate::batch::Fsync::Batch).
pub(crate) struct Hold<'s, 'a> {
    pub(crate) sequence: &'s Sequence<'a>,
    /// The share of this worker in what may be held back: files, bytes, and open files.
    share: (usize, u64, u64),
    held: RefCell<Backlog>,
}

/// Passes on the results of one file, also those that are too large to be held.
#[derive(Clone, Copy)]
pub(crate) struct Ticket<'s, 'a> {
    pub(crate) hold: &'s Hold<'s, 'a>,
    pub(crate) number: u64,
}

impl Ticket<'_, '_> {
    /// Passes on what was found in the file; returns whether the run goes on.
    pub(crate) fn deliver(self, result: &mut FileResult) -> bool {
        (self.hold.sequence).deliver(self.number, result, &|| self.hold.release())
    }

    /// Holds the file back until it is in its place, and then passes on what was found in it.
    pub(crate) fn hold(self, result: FileResult, report: Report, prepared: WaitingFile) {
        let file = HeldFile {
            number: self.number,
            result,
            report,
            folder: Rc::clone(&prepared.write.folder),
        };
        self.hold.push(file, prepared);
    }

    /// Passes on what the observer has appended; returns whether the run goes on.
    pub(crate) fn show(&self, shown: &[u8]) -> bool {
        shown.is_empty() || self.deliver_part(&[], shown)
    }

    /// Waits until all files before this one are done. Returns whether the run goes on.
    pub(crate) fn wait(self) -> bool {
        self.deliver_part(&[], &[])
    }

    fn deliver_part(&self, out: &[u8], shown: &[u8]) -> bool {
        // Other workers may wait for what this one holds back.
        self.hold.release();
        self.hold.sequence.deliver_part(self.number, out, shown)
    }
}

impl Write for Ticket<'_, '_> {
    /// Fails once the output stream has failed; [`Sequence::finish`] says why.
    fn write(&mut self, out: &[u8]) -> io::Result<usize> {
        if out.is_empty() || self.deliver_part(out, &[]) {
            Ok(out.len())
        } else {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[derive(Default)]
struct Backlog {
    files: Vec<HeldFile>,
    prepared: Vec<WaitingFile>,
    bytes: u64,
    open_files: u64,
    shown: usize,
    /// The counts for the files that were held back.
    report: Report,
}

/// A file that is held back.
struct HeldFile {
    /// Its place in the order of the run.
    number: u64,
    result: FileResult,
    report: Report,
    folder: Rc<FolderHere>,
}

impl<'s, 'a> Hold<'s, 'a> {
    /// For one of so many workers.
    pub(crate) fn new(sequence: &'s Sequence<'a>, workers: usize) -> Hold<'s, 'a> {
        let share = (
            (FILES / workers).max(1),
            BYTES / workers as u64,
            open_files() / 2 / workers as u64,
        );
        Hold {
            sequence,
            share,
            held: RefCell::default(),
        }
    }

    fn push(&self, file: HeldFile, prepared: WaitingFile) {
        let is_full = {
            let mut held = self.held.borrow_mut();
            let last = held.files.last();
            let is_in_same = last.is_some_and(|last| in_one_folder(last, &file));
            // The file, its new contents, and their folder.
            held.open_files += if is_in_same { 2 } else { 3 };
            held.bytes += file.report.bytes_out;
            held.shown += file.result.out.len() + file.result.shown.len();
            held.files.push(file);
            held.prepared.push(prepared);
            let (files, bytes, open_files) = self.share;
            // Beyond the window the other workers wait.
            let last = held.files.last();
            let span = last.map(|last| last.number - held.files[0].number);
            held.files.len() >= files
                || held.bytes >= bytes
                || held.open_files + 3 > open_files
                || held.shown >= WINDOW_BYTES / 2
                || span >= Some(WINDOW)
        };
        if is_full {
            self.release();
        }
    }

    /// Puts everything that is held back in its place, and passes on what was found.
    pub(crate) fn release(&self) {
        let held = std::mem::take(&mut *self.held.borrow_mut());
        let mut report = held.report;
        if !held.files.is_empty() {
            self.put(held.files, held.prepared, &mut report);
        }
        self.held.borrow_mut().report = report;
    }

    fn put(&self, mut files: Vec<HeldFile>, prepared: Vec<WaitingFile>, report: &mut Report) {
        let synced = sync::contents(prepared.iter().map(|prepared| &prepared.write));
        for ((file, prepared), synced) in files.iter_mut().zip(prepared).zip(synced) {
            let is_placed = prepared.new.is_some();
            match prepared.publish(&file.result.path, synced) {
                Ok(notes) => {
                    file.report.placed += u64::from(is_placed);
                    file.result.notes.extend(notes);
                }
                Err(error) => file.leave(error),
            }
        }
        let folders = files.chunk_by(in_one_folder);
        let folders: Vec<_> = folders.map(|files| Rc::clone(&files[0].folder)).collect();
        let synced = sync::names(&folders);
        for (of_folder, synced) in files.chunk_by_mut(in_one_folder).zip(synced) {
            if let Err(error) = synced {
                of_folder.iter_mut().for_each(|file| file.fail(&error));
            }
        }
        for mut file in files {
            report.files_failed += u64::from(file.result.error.is_some());
            report.merge(&file.report);
            (self.sequence).deliver(file.number, &mut file.result, &|| ());
        }
    }

    /// Puts what is still held back in its place. Returns the counts for all files that were held back.
    pub(crate) fn finish(self) -> Report {
        self.release();
        self.held.into_inner().report
    }
}

fn in_one_folder(one: &HeldFile, next: &HeldFile) -> bool {
    Rc::ptr_eq(&one.folder, &next.folder)
}

impl HeldFile {
    /// It is in its place, but may be gone after a power failure.
    fn fail(&mut self, error: &io::Error) {
        if self.result.error.is_none() {
            let path = self.result.path.clone();
            let source = io::Error::new(error.kind(), error.to_string());
            self.leave(FileError::Write { path, source });
        }
    }

    /// Counts it as one that could not be written, and no more.
    fn leave(&mut self, error: FileError) {
        self.report = self.report.of_unwritten();
        self.result.leave(error);
    }
}

/// How many files this process may have open.
#[cfg(unix)]
fn open_files() -> u64 {
    rustix::process::getrlimit(rustix::process::Resource::Nofile)
        .current
        .unwrap_or(u64::MAX)
}

#[cfg(not(unix))]
fn open_files() -> u64 {
    1024
}
