//! A fault in what is made of a document, so that tests see what becomes of it. Not in a release.

use std::ops::Range;

use abslink_html::shared::Change;

pub(crate) struct Planted {
    /// What stands there.
    from: String,
    /// The part of it that is replaced, and by what.
    place: Range<usize>,
    to: String,
}

impl Planted {
    /// `from` first becomes `to`.
    pub(crate) fn new(from: &str, to: &str) -> Planted {
        let common =
            |x: &str, y: &str| x.bytes().zip(y.bytes()).take_while(|(x, y)| x == y).count();
        let reversed = |text: &str| text.chars().rev().collect::<String>();
        let same = common(from, to);
        let same_end = common(&reversed(&from[same..]), &reversed(&to[same..]));
        Planted {
            to: to[same..to.len() - same_end].to_owned(),
            place: same..from.len() - same_end,
            from: from.to_owned(),
        }
    }

    /// The fault is told as an edit, as one of the first reader would be.
    pub(crate) fn plant(&self, new: &mut Vec<u8>, changes: &mut Vec<Change>) {
        let Some(at) = memchr::memmem::find(new, self.from.as_bytes()) else {
            return;
        };
        let (at, end) = (at + self.place.start, at + self.place.end);
        new.splice(at..end, self.to.bytes());
        let first = changes.partition_point(|[_, new]| new.end < at);
        let last = changes
            .partition_point(|[_, new]| new.start <= end)
            .max(first);
        // From where on the documents are the same in length, before and behind.
        let ends = |count: usize| {
            let [old, new] = changes[..count].last().cloned().unwrap_or_default();
            (old.end, new.end)
        };
        let (before, behind) = (ends(first), ends(last));
        let touched = changes.get(first).filter(|_| first < last);
        let start = touched.map_or(at, |[_, new]| new.start.min(at));
        let end = end.max(behind.1);
        let old = before.0 + start - before.1..behind.0 + end - behind.1;
        let moved = |at: usize| at + self.to.len() - self.place.len();
        for [_, new] in &mut changes[last..] {
            *new = moved(new.start)..moved(new.end);
        }
        changes.splice(first..last, [[old, start..moved(end)]]);
    }
}
