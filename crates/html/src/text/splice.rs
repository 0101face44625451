//! Replaces parts of a text or of a document, and copies everything else.

use std::borrow::Cow;
use std::ops::Range;

use super::encoding::Charset;

/// What was replaced in a document, and where in the new one that stands which has taken its place.
pub type Change = [Range<usize>; 2];

/// A byte range of a document, and what is to stand there.
///
/// # Examples
/// ```
/// let edit: abslink_html::Edit = (9..10, b"http://h/x".to_vec());
/// assert_eq!(&"<a href=\"x\">"[edit.0], "x");
/// ```
pub type Edit<New = Vec<u8>> = (Range<usize>, New);

/// Sorts by a number; what has the same stays in order. This is one sort for every type, since each has 4 kB in the module
/// for JavaScript; and most lists are in order already.
pub fn sort_by_number<T>(list: &mut Vec<T>, number: impl Fn(&T) -> usize) {
    if list.is_sorted_by_key(&number) {
        return;
    }
    let mut order: Vec<_> = list.iter().map(number).zip(0..).collect();
    order.sort_unstable();
    let mut unsorted: Vec<_> = list.drain(..).map(Some).collect();
    list.extend((order.into_iter()).filter_map(|(_, at): (_, usize)| unsorted[at].take()));
}

/// Edits of one text, or of the bytes of one document: ascending ranges, and their new text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    list: Vec<NewText>,
    /// The new text; edits may share a beginning.
    new: String,
    /// Where in it the last text is whose beginning others may share.
    shared: Range<usize>,
    /// Of a document that had to be decoded: the edits of its text.
    of_text: Option<Box<Edits>>,
}

#[derive(Clone, Debug)]
struct NewText {
    old: Range<usize>,
    /// The beginning of the new text, if another edit has it too.
    shared: Range<usize>,
    new: Range<usize>,
}

impl NewText {
    fn length(&self) -> usize {
        self.shared.len() + self.new.len()
    }
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Forgets the edits of the previous document.
    pub(crate) fn clear(&mut self) {
        /// Memory for more is given back.
        const REUSED: usize = 1 << 16;
        self.list.clear();
        self.list.shrink_to(REUSED);
        self.new.clear();
        self.new.shrink_to(REUSED);
        self.shared = 0..0;
        self.of_text = None;
    }

    /// Replaces what was decoded, `all` of a document but its byte order mark, as `edits` change the
    /// `text`.
    pub(crate) fn push_decoded(&mut self, all: Range<usize>, text: &str, edits: Edits) {
        self.push(all, |out| out.push_str(&edits.applied(text)));
        self.of_text = Some(Box::new(edits));
    }

    /// Adds an edit after all others; `spell` appends its new text.
    pub(crate) fn push(&mut self, old: Range<usize>, spell: impl FnOnce(&mut String)) {
        let start = self.new.len();
        spell(&mut self.new);
        let shared = self.share(start);
        let new = start..self.new.len();
        self.list.push(NewText { old, shared, new });
    }

    /// Drops the beginning of the text from `start` on if it is there already, and returns where: so
    /// a long base URL takes memory once, not for each reference.
    fn share(&mut self, start: usize) -> Range<usize> {
        /// For shorter ones, comparing costs more than it saves.
        const LONG: usize = 128;
        let length = self.new.len() - start;
        if length < LONG {
            return 0..0;
        }
        let (before, text) = self.new.split_at(start);
        let mut equal = common(before[self.shared.clone()].as_bytes(), text.as_bytes());
        while !text.is_char_boundary(equal) {
            equal -= 1;
        }
        if equal < length / 2 {
            self.shared = start..self.new.len();
            return 0..0;
        }
        self.new.drain(start..start + equal);
        self.shared.start..self.shared.start + equal
    }

    /// Adds an edit after all others: a beginning of the base URL.
    // Nearly every reference comes here; left to itself, the compiler makes a call of it.
    #[inline(always)]
    pub(crate) fn push_shared(&mut self, old: Range<usize>, text: &str) {
        let shared = &self.new.as_bytes()[self.shared.clone()];
        if !shared.starts_with(text.as_bytes()) {
            self.shared = self.new.len()..self.new.len() + text.len();
            self.new.push_str(text);
        }
        let shared = self.shared.start..self.shared.start + text.len();
        let new = 0..0;
        self.list.push(NewText { old, shared, new });
    }

    /// Adds other edits after all others, moved `by` bytes to the front.
    pub(crate) fn push_moved(&mut self, others: &Edits, by: usize) {
        for (old, new) in others.iter() {
            self.push(old.start - by..old.end - by, |out| out.push_str(&new));
        }
    }

    /// Puts the edits in order.
    pub(crate) fn sort(&mut self) {
        sort_by_number(&mut self.list, |edit| edit.old.start);
    }

    /// Puts the first end of a line behind new text that stands in what it replaces: in Markdown, a tag on one line may be
    /// another one than on two. What stands before the next line goes with it, which is blank in `markup` too. With a second
    /// one there would be a blank line, which ends HTML.
    pub(crate) fn with_line_ends(self, document: &[u8], markup: &[u8]) -> Edits {
        let ends_line = |at: &usize| matches!(markup[*at], b'\n' | b'\r');
        if !self.iter().any(|(mut old, _)| old.any(|at| ends_line(&at))) {
            return self;
        }
        let mut edits = Edits::default();
        for (old, text) in self.iter() {
            edits.push(old.clone(), |out| {
                out.push_str(&text);
                let ends = old.skip_while(|at| !ends_line(at)).take_while(ends_line);
                out.extend(ends.map(|at| char::from(document[at])));
            });
        }
        edits
    }

    /// The edits in order: what is replaced, and by what.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Range<usize>, Cow<'_, str>)> {
        self.list.iter().map(|edit| {
            let parts = [&edit.shared, &edit.new].map(|part| &self.new[part.clone()]);
            let text = match parts {
                ["", text] | [text, ""] => Cow::Borrowed(text),
                parts => Cow::Owned(parts.concat()),
            };
            (edit.old.clone(), text)
        })
    }

    /// Appends the edited document to `out`, in its encoding.
    pub(crate) fn apply(&self, document: &[u8], charset: &Charset<'_>, out: &mut Vec<u8>) {
        // An upper bound: what is replaced is not subtracted.
        let added: usize = self.list.iter().map(NewText::length).sum();
        out.reserve(document.len() + added);
        let are_plain = charset.is_plain(&self.new);
        let edits = self.list.iter().map(|edit| (edit.old.clone(), edit));
        splice(document, edits, out, |edit, out| {
            // One of them mostly is empty.
            let parts = [&edit.shared, &edit.new].into_iter();
            for part in parts.filter(|part| !part.is_empty()) {
                if are_plain {
                    out.extend_from_slice(&self.new.as_bytes()[part.clone()])
                } else {
                    charset.encode(&self.new[part.clone()], out)
                }
            }
        });
    }

    /// How long the edited document is, in its encoding.
    pub(crate) fn new_length(&self, document: &[u8], charset: &Charset<'_>) -> usize {
        if charset.is_plain(&self.new) {
            let edited = |length, edit: &NewText| length + edit.length() - edit.old.len();
            self.list.iter().fold(document.len(), edited)
        } else {
            let mut new = Vec::new();
            self.apply(document, charset, &mut new);
            new.len()
        }
    }

    /// What the edits replace, and where in the new document that stands which takes its place. Of a
    /// document that had to be decoded, both are counted in its text.
    pub(crate) fn changes(&self, charset: &Charset<'_>) -> Vec<Change> {
        let edits = self.of_text.as_deref().unwrap_or(self);
        let (mut encoded, mut done, mut at) = (Vec::new(), 0, 0);
        let changes = edits.iter().map(|(old, text)| {
            encoded.clear();
            charset.encode(&text, &mut encoded);
            let length = match &self.of_text {
                Some(_) => charset
                    .encoding()
                    .decode_without_bom_handling(&encoded)
                    .0
                    .len(),
                None => encoded.len(),
            };
            let start = at + old.start - done;
            (done, at) = (old.end, start + length);
            [old, start..at]
        });
        changes.collect()
    }

    /// The edits in order, with their text as the document has it.
    pub(crate) fn encoded(&self, charset: &Charset<'_>) -> Vec<Edit<Cow<'_, [u8]>>> {
        let are_plain = charset.is_plain(&self.new);
        let encoded = self.iter().map(|(old, text)| {
            let new = match text {
                Cow::Borrowed(text) if are_plain => Cow::Borrowed(text.as_bytes()),
                text => {
                    let mut bytes = Vec::with_capacity(text.len());
                    charset.encode(&text, &mut bytes);
                    Cow::Owned(bytes)
                }
            };
            (old, new)
        });
        encoded.collect()
    }

    pub(crate) fn applied(&self, text: &str) -> String {
        let mut out = Vec::new();
        self.apply(text.as_bytes(), &Charset::utf8(text), &mut out);
        // Whole characters replace whole characters.
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

/// Edits whose new text stands on its own.
pub(crate) fn owned(edits: Vec<Edit<Cow<'_, [u8]>>>) -> Vec<Edit> {
    let owned = edits.into_iter().map(|(old, new)| (old, new.into_owned()));
    owned.collect()
}

/// How many bytes two texts have in common at their beginnings.
fn common(one: &[u8], other: &[u8]) -> usize {
    /// Blocks are compared faster than bytes.
    const BLOCK: usize = 256;
    let blocks = one.chunks(BLOCK).zip(other.chunks(BLOCK));
    let equal = BLOCK * blocks.take_while(|(one, other)| one == other).count();
    let equal = equal.min(one.len()).min(other.len());
    let bytes = one[equal..].iter().zip(&other[equal..]);
    equal + bytes.take_while(|(one, other)| one == other).count()
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
    fn a_long_beginning_is_held_once() {
        let mut edits = Edits::default();
        let base = format!("http://h/{}/", "é".repeat(5_000));
        let texts: Vec<String> = (0..1_000)
            .map(|number| match number % 3 {
                0 => format!("{base}è{number}"),
                1 => format!("{}è{number}", &base[..2_009]),
                _ => base.clone(),
            })
            .collect();
        for (at, text) in texts.iter().enumerate() {
            edits.push(at..at, |out| out.push_str(text));
        }
        assert!(edits.new.len() < 3 * base.len());
        let held: Vec<_> = edits.iter().map(|(_, text)| text.into_owned()).collect();
        assert!(held == texts);
        let mut out = Vec::new();
        let blank = " ".repeat(texts.len());
        edits.apply(blank.as_bytes(), &Charset::utf8(""), &mut out);
        assert!(out == (texts.join(" ") + " ").as_bytes());
        let length = edits.new_length(blank.as_bytes(), &Charset::utf8(""));
        assert_eq!(length, out.len());
    }

    #[test]
    fn beginnings_are_compared_to_their_last_byte() {
        let text = [b'x'; 600];
        for length in [0, 1, 255, 256, 257, 511, 512, 599, 600] {
            assert_eq!(common(&text, &text[..length]), length);
            let mut other = text;
            other[length.min(599)] = b'y';
            assert_eq!(common(&other, &text), length.min(599));
        }
    }

    #[test]
    fn new_text_is_written_in_the_encoding_of_the_document() {
        let mut edits = Edits::default();
        edits.push(0..1, |out| out.push_str("é\u{2603}"));
        let mut out = b"> ".to_vec();
        let latin = Charset::known(encoding_rs::WINDOWS_1252, b"");
        edits.apply(b"a\xfc", &latin, &mut out);
        assert_eq!(out, b"> \xe9&#9731;\xfc");
        assert_eq!(edits.new_length(b"a\xfc", &latin), b"\xe9&#9731;\xfc".len());
    }
}
