//! Lone surrogates, which a `str` may have and UTF-8 may not: private-use characters stand for them
//! while abslink reads a document. So they come out as they went in, wherever a reference is.

use std::borrow::Cow;

/// 4,096 characters that do not occur in a text, by the second byte of their UTF-8; the first is
/// `F4`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StandIns(u8);

/// What the URL Standard writes for each.
const ESCAPED: &[u8] = b"%EF%BF%BD";

impl StandIns {
    /// For a text with surrogates; `None` if all those characters occur in it.
    pub(crate) fn for_text(text: &[u8]) -> Option<StandIns> {
        let occurs = |second: u8| {
            let escaped = format!("%F4%{second:X}").into_bytes();
            let same = |part: &[u8]| part.eq_ignore_ascii_case(&escaped);
            text.windows(2).any(|pair| pair == [0xf4, second])
                || text.windows(escaped.len()).any(same)
        };
        (0x80..=0x8f)
            .rev()
            .find(|&second| !occurs(second))
            .map(StandIns)
    }

    /// In UTF-8.
    pub(crate) fn put(self, text: &[u8]) -> Vec<u8> {
        let mut new = Vec::with_capacity(text.len() + text.len() / 3);
        let mut rest = text;
        while let [first, after @ ..] = rest {
            rest = match rest {
                [0xed, second @ 0xa0..=0xbf, third, after @ ..] => {
                    new.extend([0xf4, self.0, second - 0x20, *third]);
                    after
                }
                _ => {
                    new.push(*first);
                    after
                }
            };
        }
        new
    }

    /// With the surrogates again; borrowed if there are none.
    pub(crate) fn taken_out(self, text: &[u8]) -> Cow<'_, [u8]> {
        let escaped = format!("%F4%{:X}%", self.0).into_bytes();
        if !text.contains(&0xf4) && !text.windows(escaped.len()).any(|part| part == escaped) {
            return Cow::Borrowed(text);
        }
        let mut old = Vec::with_capacity(text.len());
        let mut rest = text;
        while let [first, after @ ..] = rest {
            rest = match rest {
                [0xf4, second, third @ 0x80..=0x9f, fourth, after @ ..] if *second == self.0 => {
                    old.extend([0xed, third + 0x20, *fourth]);
                    after
                }
                // `%F4%8F%80%80` is twelve bytes.
                _ if rest.starts_with(&escaped) && rest.len() >= 12 => {
                    old.extend(ESCAPED);
                    &rest[12..]
                }
                _ => {
                    old.push(*first);
                    after
                }
            };
        }
        Cow::Owned(old)
    }
}
