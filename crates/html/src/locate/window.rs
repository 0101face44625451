//! The part of a document that was read and is not done yet.

use std::ops::Deref;

/// Holds what an unfinished token at the end of a piece needs from the pieces before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    bytes: Vec<u8>,
    /// Where it starts in the document.
    start: usize,
    /// Its length after the last try.
    tried: usize,
}

/// The least number of bytes of a piece that is added to the unfinished end of the pieces before.
const JOIN: usize = 1 << 10;

/// An empty window gives memory above this back.
const REUSED: usize = 1 << 20;

impl Window {
    /// Adds a piece; returns whether it is time to look at what is there.
    ///
    /// That is the case once it has doubled since it was last too short: so the time for a token
    /// grows no faster than its length, however small the pieces are.
    pub(crate) fn push(&mut self, piece: &[u8], last: bool) -> bool {
        self.bytes.extend_from_slice(piece);
        last || self.bytes.len() >= 2 * self.tried
    }

    /// Adds a piece, and calls `work` with what is there, whenever it is time to; `work` gets where
    /// that starts in the document and whether the document ends with it, and returns how much is
    /// done. What is only in the piece is not copied.
    pub(crate) fn take(
        &mut self,
        piece: &[u8],
        last: bool,
        mut work: impl FnMut(&[u8], usize, bool) -> usize,
    ) {
        let mut rest = piece;
        while !self.bytes.is_empty() {
            let held = self.bytes.len();
            let (more, after) = rest.split_at(rest.len().min(held.max(JOIN)));
            rest = after;
            let last = last && rest.is_empty();
            if !self.push(more, last) {
                return;
            }
            let done = work(&self.bytes, self.start, last);
            if done >= held && !last {
                rest = &piece[piece.len() - rest.len() - (self.bytes.len() - done)..];
                self.bytes.truncate(done);
            }
            self.advance(done);
            if rest.is_empty() {
                return;
            }
        }
        let done = work(rest, self.start, last);
        self.push(&rest[done..], last);
        self.advance(0);
        self.start += done;
    }

    /// Where it starts in the document.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// Drops the first bytes, which are done.
    pub(crate) fn advance(&mut self, done: usize) {
        self.bytes.drain(..done);
        self.start += done;
        self.tried = self.bytes.len();
        if self.bytes.capacity() > REUSED && self.bytes.len() < REUSED / 2 {
            self.bytes.shrink_to(REUSED);
        }
    }
}

impl Deref for Window {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::Window;

    #[test]
    fn a_window_that_was_too_short_has_to_double() {
        let mut window = Window::default();
        assert!(window.push(b"abc", false));
        window.advance(1);
        assert_eq!((&*window, window.start()), (b"bc".as_slice(), 1));
        assert!(!window.push(b"d", false));
        assert!(window.push(b"e", false));
        window.advance(0);
        assert!(!window.push(b"f", false));
        assert!(window.push(b"", true));
        assert_eq!(&*window, b"bcdef");
    }

    #[test]
    fn what_is_not_done_with_comes_again_with_what_follows() {
        // Words are done only as a whole.
        let words = ["a bcd  efghijklmnop q ", &"x".repeat(5_000), " yz"].concat();
        let text = words.repeat(7);
        for length in [1, 2, 7, 1024, 1500, 9000, text.len()] {
            let (mut window, mut seen) = (Window::default(), Vec::new());
            let mut take = |piece: &[u8], last| {
                window.take(piece, last, |bytes, start, last| {
                    assert_eq!(start, seen.len());
                    let space = bytes.iter().rposition(|byte| *byte == b' ');
                    let done = if last {
                        bytes.len()
                    } else {
                        space.map_or(0, |at| at + 1)
                    };
                    seen.extend_from_slice(&bytes[..done]);
                    done
                });
            };
            for piece in text.as_bytes().chunks(length) {
                take(piece, false);
            }
            take(b"", true);
            assert_eq!(seen, text.as_bytes(), "{length}");
        }
    }
}
