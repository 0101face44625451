//! Replaces byte ranges of a document, and copies everything else.

use std::ops::Range;

use super::encoding::Charset;

/// Edits of one document: ascending byte ranges, and what is to stand there.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
    /// The new bytes of all edits, one after another.
    new: Vec<u8>,
    /// Where an edit's text is spelled out before it is encoded.
    spelling: String,
}

/// Room for so many edits is made at once.
const FIRST: usize = 128;

#[derive(Clone, Debug)]
struct Edit {
    old: Range<usize>,
    new: Range<usize>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an edit behind all others; `spell` appends what is to stand there.
    pub(super) fn push(
        &mut self,
        old: Range<usize>,
        charset: &Charset<'_>,
        spell: impl FnOnce(&mut String),
    ) {
        self.spelling.clear();
        spell(&mut self.spelling);
        let start = self.new.len();
        charset.encode(&self.spelling, &mut self.new);
        self.list.push(Edit {
            old,
            new: start..self.new.len(),
        });
    }

    /// Adds an edit behind all others: ASCII text that needs no encoding.
    #[inline]
    pub(super) fn push_ascii(&mut self, old: Range<usize>, text: &str) {
        if self.list.is_empty() {
            // Where there is one, there are many.
            self.list.reserve(FIRST);
            self.new.reserve(FIRST * text.len());
        }
        let start = self.new.len();
        self.new.extend_from_slice(text.as_bytes());
        self.list.push(Edit {
            old,
            new: start..self.new.len(),
        });
    }

    /// The edits in order: which bytes, and what stands there instead.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        self.list
            .iter()
            .map(|edit| (edit.old.clone(), &self.new[edit.new.clone()]))
    }

    /// Appends the edited document to `out`.
    pub(super) fn apply(&self, document: &[u8], out: &mut Vec<u8>) {
        let removed: usize = self.list.iter().map(|edit| edit.old.len()).sum();
        out.reserve(document.len() - removed + self.new.len());
        let mut copied = 0;
        for (old, new) in self.iter() {
            out.extend_from_slice(&document[copied..old.start]);
            out.extend_from_slice(new);
            copied = old.end;
        }
        out.extend_from_slice(&document[copied..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_edits_is_copied() {
        let mut edits = Edits::default();
        let charset = Charset::utf8("");
        edits.push(1..2, &charset, |out| out.push_str("BB"));
        edits.push(3..3, &charset, |out| out.push('!'));
        let mut out = b"> ".to_vec();
        edits.apply(b"abcd", &mut out);
        assert_eq!(out, b"> aBBc!d");
    }
}
