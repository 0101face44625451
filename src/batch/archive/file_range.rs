//! The file of an archive, read by several threads.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use abslink_containers::warc::Source;

/// An archive's bytes, as many as there were when it was opened.
pub(crate) struct FileRange<'f> {
    file: &'f File,
    /// Whose turn it is to move the file's position, which the threads share.
    turn: Mutex<()>,
    /// Where it begins in its file.
    start: u64,
    pub(crate) length: u64,
}

impl<'f> FileRange<'f> {
    pub(crate) fn new(file: &'f File) -> io::Result<FileRange<'f>> {
        let length = file.metadata()?.len();
        Ok(FileRange::part(file, 0..length))
    }

    /// An archive that is a part of a file.
    pub(crate) fn part(file: &'f File, range: Range<u64>) -> FileRange<'f> {
        FileRange {
            file,
            turn: Mutex::default(),
            start: range.start,
            length: range.end.saturating_sub(range.start),
        }
    }

    pub(super) fn copy(&self, start: u64, end: u64, to: &mut dyn Write) -> io::Result<()> {
        let mut bytes = vec![0; 256 << 10];
        let mut at = start;
        while at < end {
            let wanted =
                usize::try_from(end - at).map_or(bytes.len(), |rest| rest.min(bytes.len()));
            match self.read_at(at, &mut bytes[..wanted])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    to.write_all(&bytes[..read])?;
                    at += read as u64;
                }
            }
        }
        Ok(())
    }
}

impl Source for FileRange<'_> {
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let rest = self.length.saturating_sub(offset);
        let wanted = usize::try_from(rest).map_or(into.len(), |rest| rest.min(into.len()));
        let into = &mut into[..wanted];
        // The length in a record may lead beyond any offset of a file system.
        if into.is_empty() {
            return Ok(0);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = self.file;
        file.seek(SeekFrom::Start(self.start.saturating_add(offset)))?;
        loop {
            match file.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}
