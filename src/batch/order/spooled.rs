//! Output that waits for its turn: in memory as long as it is little, then in a temporary file.

use std::io::{self, Read, Seek, SeekFrom, Write};

use tempfile::SpooledTempFile;

use super::hold::Ticket;
use crate::batch::report::{FileError, no_room};

/// How many bytes to be written are held in memory; more go to a temporary file.
const HELD: usize = 4 << 20;

/// Bytes to be written, in memory as long as they are few.
pub(crate) struct SpooledBytes {
    bytes: SpooledTempFile,
    pub(crate) length: u64,
}

impl Default for SpooledBytes {
    fn default() -> SpooledBytes {
        SpooledBytes {
            bytes: SpooledTempFile::new(HELD),
            length: 0,
        }
    }
}

impl SpooledBytes {
    pub(crate) fn held(&self) -> usize {
        usize::try_from(self.length).map_or(HELD, |length| length.min(HELD))
    }

    pub(crate) fn copy_to(&mut self, to: &mut dyn Write) -> io::Result<()> {
        if self.length == 0 {
            return Ok(());
        }
        self.bytes.rewind()?;
        let copied = io::copy(&mut (&mut self.bytes).take(self.length), &mut { to })?;
        if copied == self.length {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
}

/// Takes all of what is written, or nothing of it: after an error it is as it was.
impl Write for SpooledBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(error) = self.bytes.write_all(bytes) {
            self.bytes.seek(SeekFrom::Start(self.length))?;
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes.flush()
    }
}

/// The output of an observer, in the parts in which it is passed on.
#[derive(Default)]
pub(crate) struct ObserverOutput {
    /// All parts but the last.
    before: SpooledBytes,
    parts: Vec<usize>,
    last: Vec<u8>,
    failed: Option<io::Error>,
}

/// Once a part is longer than this, it is complete.
const PART: usize = 64 << 10;

/// The parts of most documents are at least this long.
const FIRST: usize = 4 << 10;

impl ObserverOutput {
    /// Where the observer appends to; [`ObserverOutput::check`] says whether it did so.
    pub(crate) fn part(&mut self) -> &mut Vec<u8> {
        if self.last.len() > PART {
            self.parts.push(self.last.len());
            self.failed = (self.before.write_all(&self.last).err()).or(self.failed.take());
            self.last.clear();
        }
        if self.last.capacity() == 0 {
            self.last.reserve(FIRST);
        }
        &mut self.last
    }

    pub(crate) fn check(&mut self) -> Result<(), FileError> {
        let failed = self.failed.take();
        failed.map_or(Ok(()), |error| Err(no_room(error)))
    }

    pub(crate) fn held(&self) -> usize {
        self.before.held() + self.last.capacity()
    }

    /// Passes on one part after the other. Returns whether the run goes on.
    pub(crate) fn show(&mut self, ticket: Ticket<'_, '_>) -> io::Result<bool> {
        if !self.parts.is_empty() {
            self.before.bytes.rewind()?;
        }
        let mut part = Vec::new();
        for &length in &self.parts {
            part.resize(length, 0);
            self.before.bytes.read_exact(&mut part)?;
            if !ticket.show(&part) {
                return Ok(false);
            }
        }
        Ok(ticket.show(&self.last))
    }
}
