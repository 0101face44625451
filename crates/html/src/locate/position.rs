//! Where a character of decoded text was in its source.

use std::borrow::Cow;

/// Maps offsets in decoded text to offsets in the source that it was decoded from.
///
/// Text is a sequence of runs: text that was copied, and characters that were spelled in another
/// way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PositionMap {
    /// Ascending. Empty: the text is the source.
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    /// Where it starts in the text.
    text: usize,
    /// Where it starts in the source.
    source: usize,
    kind: RunKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunKind {
    /// The source has the same bytes.
    Literal,
    /// The source spells it in another way, as one whole.
    Whole,
    /// As [`RunKind::Whole`], by a reference without a semicolon: what follows it helps to decide
    /// what it is.
    Open,
}

impl PositionMap {
    /// From `text` on the text is what the source has from `source` on.
    pub(crate) fn literal(&mut self, text: usize, source: usize) {
        let kind = RunKind::Literal;
        self.runs.push(Run { text, source, kind });
    }

    /// The text at `text` is what something at `source` stands for; `open` if that is a reference
    /// without a semicolon.
    pub(crate) fn whole(&mut self, text: usize, source: usize, open: bool) {
        let kind = if open { RunKind::Open } else { RunKind::Whole };
        self.runs.push(Run { text, source, kind });
    }

    /// Where in the source the bytes are that produced the character at `text`. The end of the text
    /// is the end of the source.
    pub(crate) fn source(&self, text: usize) -> usize {
        match self.run(text) {
            None => text,
            Some(run) if run.kind == RunKind::Literal => run.source + (text - run.text),
            Some(run) => run.source,
        }
    }

    /// Where in the source what produced the text before `text` ends.
    pub(crate) fn end(&self, text: usize) -> usize {
        let next = self.runs.partition_point(|run| run.text < text);
        let last = next.checked_sub(1).map(|last| self.runs[last]);
        match (last, self.runs.get(next)) {
            (Some(last), _) if last.kind == RunKind::Literal => last.source + (text - last.text),
            (Some(_), Some(next)) => next.source,
            _ => self.source(text),
        }
    }

    /// Whether the source can be cut at `text`: not inside something that stands for several
    /// characters.
    pub(crate) fn is_boundary(&self, text: usize) -> bool {
        self.run(text)
            .is_none_or(|run| run.kind == RunKind::Literal || run.text == text)
    }

    /// Whether what ends before `text` is a reference without a semicolon. It would swallow the
    /// first letters of something new after it, or cease to be a reference because of them.
    pub(crate) fn is_open_before(&self, text: usize) -> bool {
        let before = text.checked_sub(1).and_then(|last| self.run(last));
        before.is_some_and(|run| run.kind == RunKind::Open)
    }

    /// Whether the text is the source.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many runs it has.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.runs.len()
    }

    fn run(&self, text: usize) -> Option<Run> {
        let after = self.runs.partition_point(|run| run.text <= text);
        after.checked_sub(1).map(|index| self.runs[index])
    }
}

/// Text that is being decoded: what there is of it, and how much of the source it covers.
pub(crate) struct Decoder<'a> {
    raw: &'a str,
    done: usize,
    text: String,
    map: PositionMap,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(raw: &'a str) -> Decoder<'a> {
        Decoder {
            raw,
            done: 0,
            text: String::new(),
            map: PositionMap::default(),
        }
    }

    /// Lets `text` stand for the `length` bytes of the source from `at` on; `open` as for
    /// [`PositionMap::whole`].
    pub(crate) fn replace(&mut self, at: usize, length: usize, text: &str, open: bool) {
        if self.done < at {
            self.literal(at);
        }
        self.map.whole(self.text.len(), at, open);
        self.text.push_str(text);
        self.done = at + length;
    }

    /// Takes the source up to `end` as it is.
    fn literal(&mut self, end: usize) {
        self.map.literal(self.text.len(), self.done);
        self.text.push_str(&self.raw[self.done..end]);
    }

    /// Takes the rest of the source as it is. Nothing is copied if nothing was replaced.
    pub(crate) fn finish(mut self) -> (Cow<'a, str>, PositionMap) {
        if self.done == 0 {
            return (Cow::Borrowed(self.raw), self.map);
        }
        self.literal(self.raw.len());
        (Cow::Owned(self.text), self.map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_map_is_the_identity() {
        assert_eq!(PositionMap::default().source(7), 7);
        assert!(PositionMap::default().is_boundary(7));
    }

    #[test]
    fn runs_shift_what_follows_them() {
        // a&amp;b: "&" at 1 stands for five bytes.
        let mut map = PositionMap::default();
        map.literal(0, 0);
        map.whole(1, 1, false);
        map.literal(2, 6);
        assert_eq!([0, 1, 2, 3].map(|text| map.source(text)), [0, 1, 6, 7]);
    }

    #[test]
    fn copied_text_ends_where_it_was_copied_from() {
        // &amp;abc&amp;
        let mut map = PositionMap::default();
        map.whole(0, 0, false);
        map.literal(1, 5);
        map.whole(4, 8, false);
        assert_eq!([1, 2, 3, 4].map(|text| map.end(text)), [5, 6, 7, 8]);
    }

    #[test]
    fn text_ends_before_a_gap_and_starts_behind_it() {
        // a&b;<!-- c -->d: the entity, at 1, stands for two characters.
        let mut map = PositionMap::default();
        map.literal(0, 0);
        map.whole(1, 1, false);
        map.literal(3, 4);
        map.literal(3, 14);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|text| map.source(text)),
            [0, 1, 1, 14, 15]
        );
        assert_eq!([0, 1, 2, 3, 4].map(|text| map.end(text)), [0, 1, 4, 4, 15]);
    }

    #[test]
    fn a_whole_run_cannot_be_cut() {
        let mut map = PositionMap::default();
        map.whole(0, 0, true);
        map.literal(4, 9);
        assert_eq!(
            [0, 2, 4, 5].map(|text| map.is_boundary(text)),
            [true, false, true, true]
        );
        assert_eq!(
            [0, 4, 5].map(|text| map.is_open_before(text)),
            [false, true, false]
        );
    }
}
