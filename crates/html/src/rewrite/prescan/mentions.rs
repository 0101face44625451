//! Which elements a document may have, found out without tokenizing it.

use crate::locate::html::{Halt, find, foreign_content};

/// Longer foreign content is not held to be looked at.
const LONGEST: usize = 1 << 20;

/// How much of a name is looked at.
const NAME: usize = 4;

/// What can be said about a document without tokenizing it: which elements it may have.
///
/// Every element that it has is at a place where its name follows a `<`. So what is true of every
/// such place is true of every element, whatever else is taken for one: in a comment, a value, a
/// script.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mentions {
    /// How many there are; 2 stands for more.
    pub(super) bases: u8,
    col: bool,
    /// Whether there is a frameset, or foreign content that is not plain.
    foreign: bool,
    pub(super) meta: bool,
    template: bool,
    /// How many bytes were looked at, and how many of them again as foreign content.
    looked: usize,
    again: usize,
}

impl Mentions {
    /// The same, if there may also be a `base` and a `meta` element.
    pub(super) fn and_any(self) -> Mentions {
        Mentions {
            bases: 1,
            meta: true,
            ..self
        }
    }

    /// The same with the last bytes, which were not enough: there may be more foreign content.
    pub(super) fn and_end(mut self, bytes: &[u8]) -> Mentions {
        let looked = self.look(bytes);
        if looked + NAME < bytes.len() {
            // Foreign content that does not end may contain anything.
            self.foreign = true;
            self.look(&bytes[looked..]);
        }
        self
    }

    /// Takes the next bytes, as far as they are enough; returns how far that is.
    pub(super) fn look(&mut self, bytes: &[u8]) -> usize {
        let done = self.look_up_to_incomplete(bytes);
        self.looked += done;
        done
    }

    fn look_up_to_incomplete(&mut self, bytes: &[u8]) -> usize {
        let mut next = 0;
        while let Some(found) = find(b'<', &bytes[next..]) {
            let at = next + found;
            next = at + 1;
            let Some(name) = bytes[at + 1..].first_chunk::<NAME>() else {
                return at;
            };
            // Letters in lower case; nothing else becomes a letter.
            match &name.map(|byte| byte | 0x20) {
                b"base" => self.bases = (self.bases + 1).min(2),
                b"meta" => self.meta = true,
                b"temp" => self.template = true,
                b"fram" => self.foreign = true,
                [b'c', b'o', b'l', end] if !end.is_ascii_alphabetic() => self.col = true,
                b"math" | [b's', b'v', b'g', _] if !self.foreign => {
                    let content = &bytes[at..bytes.len().min(at + LONGEST)];
                    match foreign_content(content) {
                        Ok(length) => self.again += length,
                        Err(Halt::Incomplete) if content.len() < LONGEST => return at,
                        Err(_) => self.foreign = true,
                    }
                    // The inside of foreign content is looked at again, in vain if it is nested.
                    self.foreign |= self.again > LONGEST + 2 * (self.looked + at);
                }
                _ => {}
            }
        }
        bytes.len()
    }

    /// Whether a document may have something that depends on HTML's tree: see
    /// [`locate::html`](crate::locate::html).
    pub(super) fn may_need_tree(&self) -> bool {
        self.foreign || self.bases > 1 || (self.template && self.col)
    }
}
