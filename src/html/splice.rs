//! Replaces byte ranges of a document, and copies everything else.

use std::ops::Range;

use super::encoding::Charset;

/// Edits of one document: ascending byte ranges, and what is to stand there.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
    /// The new bytes, which edits may share.
    new: Vec<u8>,
    /// Where in them the last text is that others may begin like.
    shared: Range<usize>,
    /// Where an edit's text is spelled out before it is encoded.
    spelling: String,
}

#[derive(Clone, Debug)]
struct Edit {
    old: Range<usize>,
    new: Range<usize>,
}

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Forgets the edits of the document before.
    pub(super) fn clear(&mut self) {
        /// Memory for more is given back.
        const KEPT: usize = 1 << 16;
        self.list.clear();
        self.list.shrink_to(KEPT);
        self.new.clear();
        self.new.shrink_to(KEPT);
        self.shared = 0..0;
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

    /// Adds an edit behind all others: ASCII text that needs no encoding, a beginning of the base URL.
    #[inline]
    pub(super) fn push_ascii(&mut self, old: Range<usize>, text: &str) {
        if !self.new[self.shared.clone()].starts_with(text.as_bytes()) {
            self.shared = self.new.len()..self.new.len() + text.len();
            self.new.extend_from_slice(text.as_bytes());
        }
        self.list.push(Edit {
            old,
            new: self.shared.start..self.shared.start + text.len(),
        });
    }

    /// Puts the edits in order.
    pub(super) fn sort(&mut self) {
        self.list.sort_by_key(|edit| edit.old.start);
    }

    /// The edits in order: which bytes, and what stands there instead.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, &[u8])> {
        self.list
            .iter()
            .map(|edit| (edit.old.clone(), &self.new[edit.new.clone()]))
    }

    /// Appends the edited document to `out`.
    pub(super) fn apply(&self, document: &[u8], out: &mut Vec<u8>) {
        // At most: what goes is not taken off.
        let added: usize = self.list.iter().map(|edit| edit.new.len()).sum();
        out.reserve(document.len() + added);
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
