//! The bytes of an archive, a window of them at a time.

use std::io;

pub use rawzip::{FileReader, RangeReader, ReaderAt};

/// So many bytes of an archive are held.
const WINDOW: usize = 128 << 10;

/// An archive's bytes. Whoever has a file carries this out; nothing here does I/O.
pub type Source<'s> = dyn ReaderAt + Sync + 's;

/// What is held of an archive, from a position on.
pub(super) struct Window<'s> {
    source: &'s Source<'s>,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// Where in the archive `start` is.
    position: u64,
}

impl<'s> Window<'s> {
    pub(super) fn new(source: &'s Source<'s>, position: u64) -> Window<'s> {
        Window::of(WINDOW, source, position)
    }

    /// One of this length.
    pub(super) fn of(length: usize, source: &'s Source<'s>, position: u64) -> Window<'s> {
        Window {
            source,
            bytes: vec![0; length],
            start: 0,
            end: 0,
            position,
        }
    }

    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// What is held, without reading on.
    pub(super) fn held(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// What is held; if that is nothing, reads on. Empty at the end only.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.start = 0;
            self.end = self.source.read_at(&mut self.bytes, self.position)?;
        }
        Ok(self.held())
    }

    /// Holds at least `length` bytes, at most half of what it can hold, unless the end comes first.
    pub(super) fn fill_to(&mut self, length: usize) -> io::Result<&[u8]> {
        debug_assert!(length <= self.bytes.len() / 2);
        while self.end - self.start < length {
            if self.bytes.len() - self.start < length {
                self.bytes.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            let at = self.position + (self.end - self.start) as u64;
            match self.source.read_at(&mut self.bytes[self.end..], at)? {
                0 => break,
                read => self.end += read,
            }
        }
        Ok(self.held())
    }

    /// Passes bytes that are held.
    pub(super) fn consume(&mut self, length: usize) {
        self.start += length;
        self.position += length as u64;
    }

    /// Goes to another position. What was read near it need not be read again.
    pub(super) fn seek(&mut self, position: u64) {
        let first = self.position - self.start as u64;
        match position.checked_sub(first) {
            Some(start) if start <= self.end as u64 => self.start = start as usize,
            _ => {
                self.start = 0;
                self.end = 0;
            }
        }
        self.position = position;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_goes_where_it_is_told() {
        let bytes: Vec<u8> = (0..400_000_u32).map(|at| (at / 3) as u8).collect();
        let source = bytes.as_slice();
        let mut window = Window::new(&source, 5);
        assert_eq!(window.fill().unwrap()[0], bytes[5]);
        for at in [100, 50, 131_070, 131_080, 131_071, 399_990, 300_000, 3] {
            window.seek(at as u64);
            assert_eq!(window.fill_to(8).unwrap()[..8], bytes[at..at + 8]);
            window.consume(2);
            assert_eq!(window.position(), at as u64 + 2);
            assert_eq!(window.fill().unwrap()[0], bytes[at + 2]);
        }
        window.seek(399_998);
        assert_eq!(window.fill_to(8).unwrap().len(), 2);
        window.seek(500_000);
        assert_eq!(window.fill().unwrap(), b"");
    }
}
