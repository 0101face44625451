//! A fault in what is made of a document, so that tests see what becomes of it. Not in a release.

use abslink_html::shared::Change;

pub(crate) struct Planted {
    /// What stands there, and what is put in its place.
    pub(crate) from: String,
    pub(crate) to: String,
}

impl Planted {
    /// In a feed, the fault is told as a part of the edit that it touches, as one of the first reader would be.
    pub(crate) fn plant(&self, new: &mut Vec<u8>, changes: &mut [Change]) {
        let (from, to) = (&*self.from, &*self.to);
        let Some(start) = memchr::memmem::find(new, from.as_bytes()) else {
            return;
        };
        let end = start + from.len();
        new.splice(start..end, to.bytes());
        for [old, place] in changes {
            // What was kept behind the edit is a part of it now.
            let kept = end.saturating_sub(place.end);
            if place.start <= start && start <= place.end {
                old.end += kept;
                place.end = end.max(place.end) + to.len() - from.len();
            } else if start < place.start {
                let moved = |at: usize| (at + to.len()).saturating_sub(from.len());
                *place = moved(place.start)..moved(place.end);
            }
        }
    }
}
