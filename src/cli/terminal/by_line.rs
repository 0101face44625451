//! Output that is looked at line by line.

use std::io::{self, Write};
use std::mem;

/// Holds back the beginning of a line until its end comes, or all output ends. Each line is written by a function,
/// which is also told of that end, by an empty line.
pub(crate) struct ByLine<W, F> {
    out: W,
    begun: Vec<u8>,
    write_line: F,
}

impl<W: Write, F: FnMut(&mut W, &[u8]) -> io::Result<()>> ByLine<W, F> {
    pub(crate) fn new(out: W, write_line: F) -> ByLine<W, F> {
        ByLine {
            out,
            begun: Vec::new(),
            write_line,
        }
    }
}

impl<W: Write, F: FnMut(&mut W, &[u8]) -> io::Result<()>> Write for ByLine<W, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(end) = memchr::memrchr(b'\n', bytes) else {
            self.begun.extend(bytes);
            return Ok(bytes.len());
        };
        let (ends, begins) = bytes.split_at(end + 1);
        self.begun.extend(ends);
        let lines = mem::replace(&mut self.begun, begins.to_vec());
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            (self.write_line)(&mut self.out, line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let begun = mem::take(&mut self.begun);
        if !begun.is_empty() {
            (self.write_line)(&mut self.out, &begun)?;
        }
        (self.write_line)(&mut self.out, b"")?;
        self.out.flush()
    }
}
