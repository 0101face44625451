//! Standard output whose reader may go away, as `head` does.

use std::io::{self, Write};

/// Passes on what is written until nobody reads it any more, and drops the rest.
///
/// A run that only lists ends with its reader. If the run also writes documents or reports, these must
/// not end with it.
pub(crate) struct Pipe<W> {
    to: W,
    goes_on: bool,
    is_closed: bool,
}

impl<W: Write> Pipe<W> {
    pub(crate) fn new(to: W, goes_on: bool) -> Pipe<W> {
        Pipe {
            to,
            goes_on,
            is_closed: false,
        }
    }

    fn pass<T>(&mut self, dropped: T, pass: impl FnOnce(&mut W) -> io::Result<T>) -> io::Result<T> {
        if self.is_closed {
            return Ok(dropped);
        }
        match pass(&mut self.to) {
            Err(error) if self.goes_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(dropped)
            }
            passed => passed,
        }
    }
}

impl<W: Write> Write for Pipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pass(bytes.len(), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass((), Write::flush)
    }
}
