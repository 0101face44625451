//! The part of a document that was read and is not done with.

use std::ops::Deref;

/// Holds what a token that a piece ends in needs of the pieces before.
#[derive(Clone, Debug, Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// Where it starts in the document.
    start: usize,
    /// Its length after the last try.
    tried: usize,
}

/// An empty window gives memory above this back.
const KEPT: usize = 1 << 20;

impl Window {
    /// Adds a piece; says whether it is time to look at what is there.
    ///
    /// That is when it has doubled since it was found to be too short: so the time for a token
    /// grows no faster than its length, however small the pieces are.
    pub(super) fn push(&mut self, piece: &[u8], last: bool) -> bool {
        self.bytes.extend_from_slice(piece);
        last || self.bytes.len() >= 2 * self.tried
    }

    /// Where it starts in the document.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Drops the first bytes, which are done with.
    pub(super) fn advance(&mut self, done: usize) {
        self.bytes.drain(..done);
        self.start += done;
        self.tried = self.bytes.len();
        if self.bytes.capacity() > KEPT && self.bytes.len() < KEPT / 2 {
            self.bytes.shrink_to(KEPT);
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
    use super::Window;

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
}
