//! RFC 1808 §4 for the simple references that nearly all are, without building text.
//!
//! Every result is a beginning of the base URL followed by an end of the reference (see
//! [`super::resolve`]), so two values describe it: what to put in front, and how much of the
//! reference to drop for it. [`Shortcut::take`] returns them if one look at each byte shows these
//! and the absence of any [divergence](crate::divergence()). Its results are exactly those of
//! [`Resolver::resolve`](crate::Resolver::resolve); for every other reference it returns `None`.

use crate::base::BaseUrl;
use crate::rfc1808::path;
use crate::rfc1808::resolve::Base;

/// A base URL against which the text of a reference alone shows whether it is simple.
///
/// # Examples
/// ```
/// use abslink_url::Shortcut;
/// use abslink_url::BaseUrl;
/// let base = BaseUrl::parse("http://a/b/c/d;p?q#f")?;
/// let shortcut = Shortcut::new(&base).expect("an everyday base URL");
/// assert_eq!(shortcut.take(b"../g?y#s"), Some(("http://a/b/", 3)));
/// assert_eq!(shortcut.take(b"#s"), Some(("http://a/b/c/d;p?q", 0)));
/// assert_eq!(shortcut.take(b"g/../h"), None);
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shortcut<'b> {
    text: &'b str,
    base: &'b Base,
    /// The base's directory, and where those above it end: `parents[2]` is that of `../../`.
    parents: [Option<&'b str>; DEEP],
}

/// Fewer than this many `../` are resolved at once.
const DEEP: usize = 12;

impl<'b> Shortcut<'b> {
    /// `None` for a base that the standards read differently, that has no root, or that needs some
    /// kind of encoding.
    pub fn new(base: &'b BaseUrl) -> Option<Shortcut<'b>> {
        let text = base.without_fragment();
        let simple = base.is_plain()
            && !base.rfc1808().lacks_root()
            && text.bytes().all(|byte| SORTS[usize::from(byte)] != SPELLED);
        let base = base.rfc1808();
        let mut parents = [None; DEEP];
        let mut directory = Some(&*base.directory);
        for parent in &mut parents {
            *parent = directory;
            directory = directory.and_then(|above| path::parent(above, base.bottom));
        }
        simple.then_some(Shortcut {
            text,
            base,
            parents,
        })
    }

    /// What to put in front of `reference` to make it absolute, and how many of its bytes to drop
    /// for that; `None` if that takes more to tell, and for an absolute reference.
    ///
    /// A reference for which this has an answer consists of characters that need no escaping in any
    /// kind of text: it appears in an attribute as it is.
    #[inline]
    pub fn take(&self, reference: &[u8]) -> Option<(&'b str, usize)> {
        let mut above = 0;
        let mut dropped = 0;
        loop {
            match reference[dropped..] {
                [b'.', b'.', b'/', ..] => {
                    above += 1;
                    dropped += b"../".len();
                }
                [b'.', b'/', ..] => dropped += b"./".len(),
                _ => break,
            }
        }
        let own = &reference[dropped..];
        if !is_simple(own) {
            return None;
        }
        match own {
            [] if dropped == 0 => None,
            [b'/', ..] if dropped > 0 => None,
            [b'/', b'/', ..] => None,
            [b'/', ..] => Some((&self.text[..self.base.net_loc], 0)),
            [b'#', ..] if dropped == 0 => Some((self.text, 0)),
            [b'?', ..] if dropped == 0 => Some((&self.text[..self.base.params], 0)),
            _ => Some(((*self.parents.get(above)?)?, dropped)),
        }
    }
}

/// Whether a reference has no dot segments, nothing that could be a scheme or parameters, and
/// nothing that browsers read differently or that may have another spelling.
#[inline]
fn is_simple(reference: &[u8]) -> bool {
    let ordinary = match reference.len() {
        17.. => is_ordinary::<16>(reference),
        9.. => is_ordinary::<8>(reference),
        _ => false,
    };
    if ordinary && !reference.starts_with(b".") {
        return true;
    }
    let mut before = b'/';
    for (at, &byte) in reference.iter().enumerate() {
        match SORTS[usize::from(byte)] {
            ORDINARY if byte == b'.' && before == b'/' => return false,
            ORDINARY => before = byte,
            END_OF_PATH => {
                let (before, rest) = reference.split_at(at);
                // In `http{{#s}}s{{/s}}://h/` no fragment begins.
                let opens = || before.iter().any(|byte| b"{[*".contains(byte));
                return rest.iter().all(|&byte| SORTS[usize::from(byte)] != SPELLED)
                    && !(rest.contains(&b':') && opens());
            }
            _ => return false,
        }
    }
    true
}

/// Whether there are only ordinary bytes, `?` and `#`, and no segment after the first starts with a
/// dot, as with most references. Written so that the processor can test `LANES` bytes at once;
/// `false` for a reference that is not longer than that.
#[inline]
fn is_ordinary<const LANES: usize>(reference: &[u8]) -> bool {
    let odd_at = |at: usize| {
        let window = |at| reference.get(at..).and_then(<[u8]>::first_chunk::<LANES>);
        let (Some(these), Some(next)) = (window(at), window(at + 1)) else {
            return true;
        };
        let pairs = these.iter().zip(next);
        pairs.fold(false, |found, (&byte, &next)| {
            found | is_odd(byte) | ((byte == b'/') & (next == b'.'))
        })
    };
    let Some(last) = reference.len().checked_sub(LANES + 1) else {
        return false;
    };
    // The last window overlaps with the one before it, and ends before the last byte.
    !(0..last).step_by(LANES).any(odd_at)
        && !odd_at(last)
        && !reference.last().is_some_and(|&byte| is_odd(byte))
}

/// Whether a byte is [`SPECIAL_IN_PATH`] or [`SPELLED`], by few comparisons and no table.
#[inline]
fn is_odd(byte: u8) -> bool {
    !matches!(byte, b'!'..=b'~')
        | matches!(byte, b'%'..=b'\'')
        | matches!(byte, b':'..=b'<')
        | (byte == b'"')
        | (byte == b'>')
        | (byte == b'\\')
        | (byte == b'`')
}

/// A byte that stands for itself wherever a URL is written.
const ORDINARY: u8 = 0;
/// `?` and `#`.
const END_OF_PATH: u8 = 1;
/// Ordinary in a query or a fragment, but with a meaning in a path.
const SPECIAL_IN_PATH: u8 = 2;
/// May stand for something else, or be escaped elsewhere: character references and quotes, control
/// characters and spaces, everything that is not ASCII.
const SPELLED: u8 = 3;

/// The kind of each byte.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Resolver;

    #[test]
    fn the_comparisons_say_what_the_table_says() {
        for byte in 0..=255 {
            let sort = SORTS[usize::from(byte)];
            assert_eq!(
                is_odd(byte),
                sort == SPECIAL_IN_PATH || sort == SPELLED,
                "{byte}"
            );
        }
    }

    #[test]
    fn what_starts_with_dots_is_taken_as_it_resolves() {
        let base = BaseUrl::any("http://a/b/c/d");
        let shortcut = Shortcut::new(&base).unwrap();
        for (reference, is_taken) in [
            ("../g", true),
            ("./../g", true),
            ("..//g", false),
            (".//g", false),
            ("../?y", true),
            ("./?y", true),
            ("../#s", true),
            ("./#s", true),
            ("../", true),
            ("./", true),
            ("..?long-enough-for-all-lanes", false),
            (".#long-enough-for-all-lanes", false),
            ("..?y", false),
        ] {
            let taken = shortcut.take(reference.as_bytes());
            assert_eq!(taken.is_some(), is_taken, "{reference}");
            let Some((before, dropped)) = taken else {
                continue;
            };
            let resolved = Resolver::Rfc1808.resolve(&base, reference).unwrap();
            let taken = format!("{before}{}", &reference[dropped..]);
            assert_eq!(taken, resolved, "{reference}");
        }
    }

    #[test]
    fn an_odd_byte_is_found_in_every_place() {
        for length in 1..70 {
            let plain = vec![b'a'; length];
            assert!(is_simple(&plain));
            assert_eq!(is_ordinary::<8>(&plain), length > 8, "{length}");
            assert_eq!(is_ordinary::<16>(&plain), length > 16, "{length}");
            for at in 0..length {
                for odd in [":", "&", "/."] {
                    let mut reference = plain.clone();
                    reference.splice(at..at, odd.bytes());
                    assert!(!is_simple(&reference), "{odd} at {at} of {length}");
                }
            }
        }
    }
}
