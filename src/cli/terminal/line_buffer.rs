//! Output that is looked at line by line.

use std::mem;

/// Holds back the beginning of a line until its end comes.
#[derive(Default)]
pub(crate) struct LineBuffer(Vec<u8>);

impl LineBuffer {
    /// Takes bytes, and returns the lines that end in them, with their line breaks.
    pub(crate) fn whole_lines(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.0.extend(bytes);
        let end = memchr::memrchr(b'\n', &self.0).map_or(0, |at| at + 1);
        let begun = self.0.split_off(end);
        mem::replace(&mut self.0, begun)
    }

    /// Gives the line that has no end.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        mem::take(&mut self.0)
    }
}
