//! Replaces parts of a text or of a document, and copies everything else.

use std::ops::Range;

use super::encoding::Charset;

/// Edits of one text, or of the bytes of one document: ascending ranges, and the text that is to
/// stand there.
#[derive(Debug, Default)]
pub(super) struct Edits {
    list: Vec<Edit>,
    /// The new text, which edits may share.
    new: String,
    /// Where in it the last text is that others may begin like.
    shared: Range<usize>,
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
    pub(super) fn push(&mut self, old: Range<usize>, spell: impl FnOnce(&mut String)) {
        let start = self.new.len();
        spell(&mut self.new);
        let new = start..self.new.len();
        self.list.push(Edit { old, new });
    }

    /// Adds an edit behind all others: a beginning of the base URL.
    #[inline]
    pub(super) fn push_shared(&mut self, old: Range<usize>, text: &str) {
        let shared = &self.new.as_bytes()[self.shared.clone()];
        if !shared.starts_with(text.as_bytes()) {
            self.shared = self.new.len()..self.new.len() + text.len();
            self.new.push_str(text);
        }
        let new = self.shared.start..self.shared.start + text.len();
        self.list.push(Edit { old, new });
    }

    /// Adds other edits behind all others, so many bytes farther to the front.
    pub(super) fn push_moved(&mut self, others: &Edits, by: usize) {
        for (old, new) in others.iter() {
            self.push(old.start - by..old.end - by, |out| out.push_str(new));
        }
    }

    /// Puts the edits in order.
    pub(super) fn sort(&mut self) {
        self.list.sort_by_key(|edit| edit.old.start);
    }

    /// The edits in order: what goes, and what stands there instead.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        self.list
            .iter()
            .map(|edit| (edit.old.clone(), &self.new[edit.new.clone()]))
    }

    /// Appends the edited document to `out`, in its encoding.
    pub(super) fn apply(&self, document: &[u8], charset: &Charset<'_>, out: &mut Vec<u8>) {
        // At most: what goes is not taken off.
        let added: usize = self.list.iter().map(|edit| edit.new.len()).sum();
        out.reserve(document.len() + added);
        let are_plain = charset.is_plain(&self.new);
        splice(document, self.iter(), out, |new, out| match are_plain {
            true => out.extend_from_slice(new.as_bytes()),
            false => charset.encode(new, out),
        });
    }

    /// The edited text.
    pub(super) fn applied(&self, text: &str) -> String {
        let mut out = Vec::new();
        self.apply(text.as_bytes(), &Charset::utf8(text), &mut out);
        // Whole characters take the place of whole characters.
        String::from_utf8_lossy(&out).into_owned()
    }
}

/// Appends a document to `out`, with `edits`, which ascend, as `put` appends them.
pub fn splice<N>(
    document: &[u8],
    edits: impl IntoIterator<Item = (Range<usize>, N)>,
    out: &mut Vec<u8>,
    put: impl Fn(N, &mut Vec<u8>),
) {
    let mut copied = 0;
    for (old, new) in edits {
        out.extend_from_slice(&document[copied..old.start]);
        put(new, out);
        copied = old.end;
    }
    out.extend_from_slice(&document[copied..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_edits_is_copied() {
        let mut edits = Edits::default();
        edits.push(1..2, |out| out.push_str("BB"));
        edits.push(3..3, |out| out.push('!'));
        assert_eq!(edits.applied("abcd"), "aBBc!d");
    }

    #[test]
    fn new_text_is_written_in_the_encoding_of_the_document() {
        let mut edits = Edits::default();
        edits.push(0..1, |out| out.push_str("é\u{2603}"));
        let mut out = b"> ".to_vec();
        let latin = Charset::known(encoding_rs::WINDOWS_1252, b"");
        edits.apply(b"a\xfc", &latin, &mut out);
        assert_eq!(out, b"> \xe9&#9731;\xfc");
    }
}
