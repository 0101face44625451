//! What was replaced in a document, and by what.

use std::collections::VecDeque;
use std::ops::{Deref, Range};

use abslink_html::shared::{Change, Edited};
use smallvec::SmallVec;

/// What was replaced, and what has taken its place.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) old: Range<usize>,
    new: Vec<u8>,
}

/// The edits of a document that were not looked at yet.
#[derive(Debug, Default)]
pub(crate) struct Edits(VecDeque<Edit>);

impl Edits {
    /// Takes those of a piece that begins at `start`. An error says where the piece differs outside of
    /// them.
    pub(crate) fn take(&mut self, start: usize, edited: Edited<'_>) -> Result<(), usize> {
        let [mut done, mut new_done] = [0, 0];
        let ends = [edited.old, edited.new].map(|bytes| bytes.len()..bytes.len());
        for [old, new] in edited.changes.iter().chain([&ends]) {
            let between = edited.old.get(done..old.start).unwrap_or_default();
            let new_between = edited.new.get(new_done..new.start);
            if new_between != Some(between) {
                let pairs = between.iter().zip(new_between.unwrap_or_default());
                return Err(start + done + pairs.take_while(|(x, y)| x == y).count());
            }
            self.0.push_back(Edit {
                old: start + old.start..start + old.end,
                new: edited.new.get(new.clone()).unwrap_or_default().to_vec(),
            });
            [done, new_done] = [old.end, new.end];
        }
        // What stands for the end.
        self.0.pop_back();
        Ok(())
    }

    /// The first one.
    pub(crate) fn first(&self) -> Option<&Edit> {
        self.0.front()
    }

    /// Drops the one that cuts this out, and nothing else; says whether there is one.
    pub(crate) fn drop_cut(&mut self, cut: &Range<usize>) -> bool {
        let mut edits = self.0.iter().take_while(|edit| edit.old.start <= cut.start);
        let index = edits.position(|edit| edit.old == *cut && edit.new.is_empty());
        index.and_then(|index| self.0.remove(index)).is_some()
    }

    /// Takes out those from there on.
    pub(crate) fn split_off(&mut self, start: usize) -> Vec<Edit> {
        let first = self.0.partition_point(|edit| edit.old.start < start);
        self.0.drain(first..).collect()
    }

    /// Puts back some that come after all others.
    pub(crate) fn extend(&mut self, edits: Vec<Edit>) {
        self.0.extend(edits);
    }

    /// Those that end up to there.
    pub(crate) fn until(&mut self, end: usize) -> SmallVec<[Edit; 1]> {
        let count = self.0.iter().take_while(|edit| edit.old.end <= end).count();
        self.0.drain(..count).collect()
    }
}

/// A part of a document, or a text, and what was made of it.
#[derive(Debug, Default)]
pub(crate) struct EditedPart<T = Vec<u8>> {
    pub(crate) old: T,
    pub(crate) new: T,
    pub(crate) changes: SmallVec<[Change; 1]>,
}

impl<T: Deref> EditedPart<T> {
    pub(crate) fn edited(&self) -> Edited<'_, T::Target> {
        Edited {
            old: &self.old,
            new: &self.new,
            changes: &self.changes,
        }
    }
}

impl EditedPart<String> {
    pub(crate) fn bytes(&self) -> Edited<'_> {
        Edited {
            old: self.old.as_bytes(),
            new: self.new.as_bytes(),
            changes: &self.changes,
        }
    }
}

/// Where a text was replaced, if each replacement ends in what it replaces: a proposal, which is
/// compared like any other.
pub(crate) fn differences(old: &str, new: &str) -> Vec<Change> {
    let ends = |c: char| c.is_whitespace() || "\"'<>(),".contains(c);
    let [mut at, mut new_at] = [0, 0];
    let mut changes = Vec::new();
    loop {
        let pairs = old[at..].chars().zip(new[new_at..].chars());
        let equal: usize = pairs
            .take_while(|(x, y)| x == y)
            .map(|(x, _)| x.len_utf8())
            .sum();
        [at, new_at] = [at + equal, new_at + equal];
        if at == old.len() && new_at == new.len() {
            return changes;
        }
        // The rest of the URL, and what delimits it.
        let rest = &old[at..];
        let length = rest.char_indices().find(|(_, c)| ends(*c));
        let length = length.map_or(rest.len(), |(at, c)| at + c.len_utf8());
        // As much of it as is still there.
        let mut starts = (0..length).filter(|skip| rest.is_char_boundary(*skip));
        let found = starts.find_map(|skip| {
            let found = new[new_at..].find(&rest[skip..length])?;
            Some((at + skip, new_at + found))
        });
        let (old_end, end) = found.unwrap_or((old.len(), new.len()));
        changes.push([at..old_end, new_at..end]);
        [at, new_at] = [old_end, end];
    }
}

impl EditedPart {
    /// The part that begins at `start`, with the edits in it.
    pub(crate) fn new(old: &[u8], start: usize, edits: &[Edit]) -> EditedPart {
        let mut part = EditedPart::default();
        part.append(old, start, edits);
        part
    }

    /// Appends another part.
    pub(crate) fn append(&mut self, old: &[u8], start: usize, edits: &[Edit]) {
        let before = self.old.len();
        let more = edits.iter().map(|edit| edit.new.len()).sum::<usize>();
        self.new.reserve(old.len() + more);
        let mut done = 0;
        for edit in edits {
            let place = edit.old.start - start..edit.old.end - start;
            self.new.extend_from_slice(&old[done..place.start]);
            let new = self.new.len()..self.new.len() + edit.new.len();
            self.new.extend_from_slice(&edit.new);
            done = place.end;
            let place = before + place.start..before + place.end;
            self.changes.push([place, new]);
        }
        self.new.extend_from_slice(&old[done..]);
        self.old.extend_from_slice(old);
    }
}

/// What an attribute's name is followed by: where the value is, and its quote.
#[derive(Debug)]
pub(crate) struct QuotedValue {
    pub(crate) place: Range<usize>,
    pub(crate) quote: Option<u8>,
}

impl QuotedValue {
    /// Reads all of these bytes, as a tokenizer does in either syntax; `None` where it would stop
    /// earlier, or go on (HTML 13.2.5.34 to 13.2.5.38).
    pub(crate) fn read(bytes: &[u8]) -> Option<QuotedValue> {
        let spelled = bytes.trim_ascii_start().strip_prefix(b"=");
        let spelled = spelled.or(bytes.is_empty().then_some(bytes))?;
        let spelled = spelled.trim_ascii_start();
        let start = bytes.len() - spelled.len();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        let (place, quote) = match spelled {
            [quote @ (b'"' | b'\''), inside @ .., end]
                if end == quote && !inside.contains(quote) =>
            {
                (start + 1..bytes.len() - 1, Some(*quote))
            }
            [b'"' | b'\'', ..] => return None,
            _ if spelled.iter().any(ends) => return None,
            _ => (start..bytes.len(), None),
        };
        Some(QuotedValue { place, quote })
    }
}

#[cfg(test)]
mod tests {
    use super::QuotedValue;

    #[test]
    fn values_are_read_to_their_end() {
        for (bytes, expected) in [
            ("=\"http://h/>'\"", Some((2..13, Some(b'"')))),
            ("='\"'", Some((2..3, Some(b'\'')))),
            ("= \"x", None),
            ("=\"x\" y\"", None),
            ("=a/b/", Some((1..5, None))),
            (" =\ta", Some((3..4, None))),
            ("=a\tb", None),
            ("=a>", None),
            ("=a\"b", Some((1..4, None))),
            ("=", Some((1..1, None))),
            ("", Some((0..0, None))),
            (" x", None),
        ] {
            let found = QuotedValue::read(bytes.as_bytes()).map(|it| (it.place, it.quote));
            assert_eq!(found, expected, "{bytes}");
        }
    }
}
