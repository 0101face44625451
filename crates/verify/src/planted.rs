//! A fault in what is made of a document, so that tests see what becomes of it. Not in a release.

use abslink_html::given::Given;
use abslink_html::shared::{Known, KnownFeed, Reading, SecondReader};
use abslink_html::{Disagreement, Verify};

use super::reader::Reader;

/// The second reader, where `from` first becomes `to` in what is made of a document.
#[doc(hidden)]
pub fn planted(from: &str, to: &str) -> Verify {
    let (from, to) = (from.to_owned(), to.to_owned());
    Verify::by(Planted { from, to })
}

struct Planted {
    /// What stands there.
    from: String,
    /// What shall stand there.
    to: String,
}

impl SecondReader for Planted {
    fn begin<'v>(&self, known: Known<'_, 'v>) -> Box<dyn Reading + 'v> {
        Reader.begin(known)
    }

    fn whole(&self, known: Known<'_, '_>, old: &[u8], new: &[u8]) -> Result<(), Disagreement> {
        Reader.whole(known, old, new)
    }

    fn sheet(&self, known: Known<'_, '_>, old: &[u8], new: &[u8]) -> Result<(), Disagreement> {
        Reader.sheet(known, old, new)
    }

    fn feed(&self, known: &KnownFeed<'_>, new: &Given<'_>) -> Result<(), Disagreement> {
        Reader.feed(known, new)
    }

    fn plant(&self, start: usize, new: &mut Vec<u8>) {
        if let Some(at) = memchr::memmem::find(&new[start..], self.from.as_bytes()) {
            new.splice(start + at..start + at + self.from.len(), self.to.bytes());
        }
    }
}
