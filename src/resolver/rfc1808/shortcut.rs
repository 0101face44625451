//! RFC 1808 §4 for the references that nearly all are: no text is built.
//!
//! Every result is a beginning of the base URL followed by an end of the reference (see
//! [`super::resolve`]), so that it can be said in two words: what to put in front, and how much of
//! the reference to drop for it. [`Shortcut::take`] says so where that, and the absence of any
//! [divergence](crate::resolver::divergence()), shows in one look at each byte. It has no answer of
//! its own: what it gives is what [`Resolver::resolve`](crate::resolver::Resolver::resolve) gives,
//! and for every other reference it gives nothing.

use super::path;
use super::resolve::Base;
use crate::resolver::BaseUrl;

/// A base URL against which references can be told to be simple by their own text alone.
///
/// # Examples
/// ```
/// use abslink::resolver::BaseUrl;
/// use abslink::resolver::rfc1808::Shortcut;
/// let base = BaseUrl::parse("http://a/b/c/d;p?q#f")?;
/// let shortcut = Shortcut::new(&base).expect("an everyday base URL");
/// assert_eq!(shortcut.take(b"../g?y#s"), Some(("http://a/b/", 3)));
/// assert_eq!(shortcut.take(b"#s"), Some(("http://a/b/c/d;p?q", 0)));
/// assert_eq!(shortcut.take(b"g/../h"), None);
/// # Ok::<(), abslink::resolver::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shortcut<'b> {
    text: &'b str,
    base: &'b Base,
}

impl<'b> Shortcut<'b> {
    /// `None` for a base that not all standards read alike, that has no root, or that needs some
    /// kind of encoding.
    pub fn new(base: &'b BaseUrl) -> Option<Shortcut<'b>> {
        let text = base.without_fragment();
        let simple = base.whatwg().is_plain()
            && !base.rfc1808().lacks_root()
            && text.bytes().all(|byte| SORTS[usize::from(byte)] != SPELLED);
        simple.then_some(Shortcut {
            text,
            base: base.rfc1808(),
        })
    }

    /// What to put in front of `reference` to make it absolute, and how many of its bytes to drop
    /// for that; `None` where it takes more to tell, and for an absolute reference.
    ///
    /// A reference that this has an answer for consists of characters that no kind of text needs
    /// to spell in another way: it stands in an attribute as it is.
    #[inline]
    pub fn take(&self, reference: &[u8]) -> Option<(&'b str, usize)> {
        let mut directory = self.base.directory();
        let mut dropped = 0;
        loop {
            match reference[dropped..] {
                [b'.', b'.', b'/', ..] => {
                    directory = path::parent(directory, self.base.bottom())?;
                    dropped += b"../".len();
                }
                [b'.', b'/', ..] => dropped += b"./".len(),
                _ => break,
            }
        }
        let own = &reference[dropped..];
        let path = simple_path(own)?;
        if own[path..]
            .iter()
            .any(|&byte| SORTS[usize::from(byte)] == SPELLED)
        {
            return None;
        }
        match own {
            [] if dropped == 0 => None,
            [b'/', ..] if dropped > 0 => None,
            [b'/', b'/', ..] => None,
            [b'/', ..] => Some((&self.text[..self.base.net_loc()], 0)),
            [b'#', ..] if dropped == 0 => Some((self.text, 0)),
            [b'?', ..] if dropped == 0 => Some((&self.text[..self.base.params()], 0)),
            _ => Some((directory, dropped)),
        }
    }
}

/// The length of the path that a reference begins with, if it has neither dot segments nor
/// anything that could be a scheme or parameters, or that browsers read differently.
#[inline]
fn simple_path(reference: &[u8]) -> Option<usize> {
    let mut before = b'/';
    for (at, &byte) in reference.iter().enumerate() {
        match SORTS[usize::from(byte)] {
            ORDINARY if byte == b'.' && before == b'/' => return None,
            ORDINARY => before = byte,
            END_OF_PATH => return Some(at),
            _ => return None,
        }
    }
    Some(reference.len())
}

/// A byte that stands for itself wherever a URL is written.
const ORDINARY: u8 = 0;
/// `?` and `#`.
const END_OF_PATH: u8 = 1;
/// Ordinary in a query or a fragment; in a path it has a meaning.
const SPECIAL_IN_PATH: u8 = 2;
/// Stands for something else, or is something else in another place: character references and
/// quotes, controls and spaces, all that is not ASCII.
const SPELLED: u8 = 3;

/// What kind of byte each one is.
static SORTS: [u8; 256] = {
    let mut sorts = [SPELLED; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        sorts[byte as usize] = match byte {
            b'?' | b'#' => END_OF_PATH,
            b':' | b';' | b'%' | b'\\' => SPECIAL_IN_PATH,
            b'&' | b'"' | b'\'' | b'<' | b'>' | b'`' => SPELLED,
            _ => ORDINARY,
        };
        byte += 1;
    }
    sorts
};
