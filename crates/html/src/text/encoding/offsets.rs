//! Where the text of a transcoded document was in its bytes.

use encoding_rs::Encoding;

use super::written;

/// Maps offsets in the text of a transcoded document back to its bytes.
#[derive(Debug)]
pub(crate) struct Offsets<'t> {
    text: &'t str,
    encoding: &'static Encoding,
    /// The last answer: offset in the text, offset in the bytes.
    last: (usize, usize),
}

impl<'t> Offsets<'t> {
    pub(crate) fn new(text: &'t str, encoding: &'static Encoding, bom: usize) -> Offsets<'t> {
        Offsets {
            text,
            encoding,
            last: (0, bom),
        }
    }

    /// The byte offset of the character at `offset` of the text. Quick if the last one is near.
    pub(crate) fn source(&mut self, offset: usize) -> usize {
        let (text, source) = self.last;
        let between = &self.text[offset.min(text)..offset.max(text)];
        let mut bytes = Vec::new();
        written::encode(between, self.encoding, &mut bytes);
        let source = if offset < text {
            source.saturating_sub(bytes.len())
        } else {
            source + bytes.len()
        };
        self.last = (offset, source);
        source
    }
}
