//! The file of an archive, read by several threads.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::ops::Range;

use abslink_containers::warc::{FileReader, RangeReader, ReaderAt};

/// An archive's bytes, as many as there were when it was opened.
pub(crate) struct FileRange {
    file: FileReader,
    /// Where it begins in its file.
    start: u64,
    pub(crate) length: u64,
}

impl FileRange {
    pub(crate) fn new(file: &File) -> io::Result<FileRange> {
        FileRange::part(file, 0..file.metadata()?.len())
    }

    /// An archive that is a part of a file.
    pub(crate) fn part(file: &File, range: Range<u64>) -> io::Result<FileRange> {
        Ok(FileRange {
            file: file.try_clone()?.into(),
            start: range.start,
            length: range.end.saturating_sub(range.start),
        })
    }

    pub(super) fn copy(&self, range: Range<u64>, to: &mut dyn Write) -> io::Result<()> {
        let length = range.end.saturating_sub(range.start);
        let from = RangeReader::new(self, range);
        match io::copy(&mut BufReader::with_capacity(256 << 10, from), to)? {
            copied if copied < length => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }
}

impl ReaderAt for FileRange {
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let rest = self.length.saturating_sub(offset);
        let wanted = usize::try_from(rest).map_or(into.len(), |rest| rest.min(into.len()));
        // The length in a record may lead beyond any offset of a file system.
        if wanted == 0 {
            return Ok(0);
        }
        loop {
            let start = self.start.saturating_add(offset);
            match self.file.read_at(&mut into[..wanted], start) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}
