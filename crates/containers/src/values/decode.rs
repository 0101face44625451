//! What a field says, and where its escapes are: both are found in one pass.

use abslink_html::json;
use wide::u8x16;

/// What was read of a field that has escapes: nothing is looked for a second time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DecodedField {
    /// What the field says; nothing if it has no escapes, and so says what it has.
    pub(crate) text: Vec<u8>,
    /// Where the escapes are: how many bytes stand for themselves before each, and after the last all do.
    ///
    /// A byte for each, since a row may have nothing else: [`LONGEST_RUN`] stands for so many without an escape behind
    /// them, and [`OTHER_ESCAPE`] is before the byte of an escape that is not two bytes for one.
    pub(crate) runs: Vec<u8>,
}

pub(crate) const LONGEST_RUN: u8 = 0xfe;
pub(crate) const OTHER_ESCAPE: u8 = 0xff;

#[inline]
pub(crate) fn push_run(runs: &mut Vec<u8>, mut plain: usize, is_other: bool) {
    loop {
        match u8::try_from(plain) {
            Ok(run) if run < LONGEST_RUN => {
                runs.extend(is_other.then_some(OTHER_ESCAPE));
                return runs.push(run);
            }
            _ => runs.push(LONGEST_RUN),
        }
        plain -= usize::from(LONGEST_RUN);
    }
}

/// How many bytes are looked at together: one for each bit of a number.
const BLOCK: usize = 64;

/// A block, the escape that begins at its end, and as much again, since a run is copied as a block.
const WINDOW: usize = 3 * BLOCK;

impl DecodedField {
    /// Reads the JSON string that `rest` begins in, and gives its length, up to its closing quote. `None` if it is no
    /// string.
    #[inline]
    pub(crate) fn read_json(&mut self, rest: &[u8]) -> Option<usize> {
        /// Names of members are not longer, and few of them have escapes.
        const NAME: usize = 16;
        let name = json::plain_length(&rest[..rest.len().min(NAME)]);
        if rest.get(name) == Some(&b'"') {
            self.text.clear();
            self.runs.clear();
            return Some(name);
        }
        let marks = |block: &[u8; BLOCK]| {
            bits(block, |byte| {
                let control = byte.min(u8x16::splat(0x1f)).simd_eq(byte);
                control | byte.simd_eq(u8x16::splat(b'"')) | byte.simd_eq(u8x16::splat(b'\\'))
            })
        };
        let short =
            |[backslash, escape]: [u8; 2]| json::said_by(escape).filter(|_| backslash == b'\\');
        let length = self.read(rest, marks, short, escaped);
        (rest.get(length) == Some(&b'"')).then_some(length)
    }

    /// Reads the inside of a quoted field of CSV. `None` if a quote in it is not doubled.
    pub(crate) fn quoted(inside: &[u8]) -> Option<DecodedField> {
        let mut decoded = DecodedField::default();
        let marks = |block: &[u8; BLOCK]| bits(block, |byte| byte.simd_eq(u8x16::splat(b'"')));
        let doubled = |quotes: [u8; 2]| (quotes == *b"\"\"").then_some(b'"');
        (decoded.read(inside, marks, doubled, |_| None) == inside.len()).then(|| decoded.take())
    }

    /// What was read, with not much more memory than that needs: there may be a million fields in a row.
    pub(crate) fn take(&mut self) -> DecodedField {
        /// What is shorter is copied, and its memory used again, unless most of that is full.
        const SHORT: usize = 1 << 12;
        let is_full = self.text.len() > self.text.capacity() / 2;
        if !is_full && self.text.len() + self.runs.len() < SHORT {
            return self.clone();
        }
        let mut taken = std::mem::take(self);
        if !is_full {
            taken.text.shrink_to_fit();
            taken.runs.shrink_to_fit();
        }
        taken
    }

    /// Reads up to a mark that begins no escape, and gives where that is. An escape begins with a mark, and has no other
    /// but right behind it. Most are `short`: two bytes, which say one.
    #[inline]
    fn read(
        &mut self,
        spelled: &[u8],
        marks: impl Fn(&[u8; BLOCK]) -> u64,
        short: impl Fn([u8; 2]) -> Option<u8>,
        escaped: impl Fn(&[u8]) -> Option<(char, usize)>,
    ) -> usize {
        /// Of a row that is shorter, all may be in this field.
        const LIKELY: usize = 1 << 16;
        /// How much of the text is made ready together.
        const ROOM: usize = 1 << 10;
        let DecodedField { text, runs } = self;
        text.clear();
        runs.clear();
        // How far it is read, how many bytes before that stand for themselves, and how much of the text is said.
        let (mut at, mut plain, mut said) = (0, 0, 0);
        let mut padded;
        let end = 'blocks: loop {
            if at >= spelled.len() {
                break at;
            }
            let rest = &spelled[at..];
            let window = match rest.first_chunk::<WINDOW>() {
                Some(window) => window,
                None => {
                    padded = [b' '; WINDOW];
                    padded[..rest.len()].copy_from_slice(rest);
                    &padded
                }
            };
            let length = rest.len().min(BLOCK);
            let mut marked = window.first_chunk().map_or(0, &marks);
            if runs.is_empty() {
                let first = marked.trailing_zeros() as usize;
                if first >= length {
                    (at, plain) = (at + length, plain + length);
                    continue;
                }
                let mark = [window[first], window[first + 1]];
                if short(mark).is_none() && escaped(&window[first..]).is_none() {
                    return at + first;
                }
                let likely = rest.len().min(LIKELY);
                text.reserve(at + likely + ROOM);
                runs.reserve(likely / 32);
                text.extend_from_slice(&spelled[..at]);
                said = at;
            }
            if text.len() - said < WINDOW {
                if text.capacity() - said < ROOM {
                    // What grows again and again leaves holes in memory.
                    text.reserve_exact(rest.len() + ROOM);
                }
                text.resize(said + ROOM, 0);
            }
            let Some(out) = text[said..].first_chunk_mut::<WINDOW>() else {
                break at;
            };
            let (mut from, mut new) = (0, 0);
            while marked != 0 {
                let mark = marked.trailing_zeros() as usize;
                copy_block(window, from, out, new);
                (new, plain) = (new + mark - from, plain + mark - from);
                if let Some(byte) = short([window[mark], window[mark + 1]]) {
                    out[new] = byte;
                    (new, from) = (new + 1, mark + 2);
                    push_run(runs, plain, false);
                } else if let Some((character, length)) = escaped(&window[mark..]) {
                    new += character.encode_utf8(&mut out[new..]).len();
                    from = mark + length;
                    push_run(runs, plain, true);
                } else {
                    said += new;
                    break 'blocks at + mark;
                }
                plain = 0;
                marked &= u64::MAX.checked_shl(from as u32).unwrap_or(0);
            }
            let left = length.saturating_sub(from);
            copy_block(window, from, out, new);
            said += new + left;
            (at, plain) = (at + from + left, plain + left);
        };
        text.truncate(said);
        end
    }
}

/// Copies a whole block, of which the beginning counts: that takes less time than a copy of any other length.
#[inline]
fn copy_block(window: &[u8; WINDOW], from: usize, out: &mut [u8; WINDOW], to: usize) {
    // No escape is as long as a block, so neither is further on; the compiler is told.
    let (from, to) = (from % (2 * BLOCK), to % (2 * BLOCK));
    out[to..to + BLOCK].copy_from_slice(&window[from..from + BLOCK]);
}

/// Which bytes are marks, the first as the lowest bit.
#[inline]
fn bits(block: &[u8; BLOCK], are_marks: impl Fn(u8x16) -> u8x16) -> u64 {
    let (parts, _) = block.as_chunks();
    let bits = parts
        .iter()
        .map(|part| u64::from(are_marks(u8x16::new(*part)).to_bitmask()));
    (bits.enumerate()).fold(0, |all, (part, bits)| all | bits << (16 * part))
}

/// The character that is escaped at the beginning of `rest`, in JSON, and the length of the escape. Half a surrogate
/// pair counts as U+FFFD, which is what browsers make of it in a URL.
#[inline]
pub(crate) fn escaped(rest: &[u8]) -> Option<(char, usize)> {
    let (character, length) = json::escaped(rest)?;
    Some((character.unwrap_or(char::REPLACEMENT_CHARACTER), length))
}
