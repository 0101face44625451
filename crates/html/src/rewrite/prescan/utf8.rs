//! Whether a document that comes in pieces is UTF-8.

/// Whether the pieces so far are valid UTF-8.
#[derive(Clone, Debug, Default)]
pub(crate) struct Utf8 {
    invalid: bool,
    /// The beginning of a character that goes on in the next piece.
    begun: Vec<u8>,
}

impl Utf8 {
    pub(crate) fn look(&mut self, mut piece: &[u8]) {
        while !self.begun.is_empty()
            && !self.invalid
            && let Some((&next, rest)) = piece.split_first()
        {
            self.begun.push(next);
            piece = rest;
            match std::str::from_utf8(&self.begun) {
                Ok(_) => self.begun.clear(),
                Err(error) => self.invalid = error.error_len().is_some(),
            }
        }
        if !self.invalid
            && let Err(error) = std::str::from_utf8(piece)
        {
            self.invalid = error.error_len().is_some();
            self.begun.extend(&piece[error.valid_up_to()..]);
        }
    }

    /// Whether the pieces are valid UTF-8; more of the last character may follow, unless they are
    /// the `last`.
    pub(crate) fn is_valid(&self, last: bool) -> bool {
        !self.invalid && (!last || self.begun.is_empty())
    }
}
