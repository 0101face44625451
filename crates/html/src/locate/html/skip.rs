//! What is in nearly every page and means nothing to it: text, end tags, and start tags with no attributes but `class`
//! and `id`. Three of four start tags of documentation are such.
//!
//! Only the usual spelling is known here. The tokenizer takes the rest.

use super::find;
use super::foreign_stack::is_ordinary;

/// Where something begins that is not skipped.
pub(super) struct Stop {
    /// The start of a token.
    pub(super) at: usize,
    /// If that is the start tag of an ordinary element: the end of its name, and of the attributes that were skipped.
    pub(super) ordinary: Option<[usize; 2]>,
}

/// As much as is looked at of a tag without asking whether it is there.
const TAG: usize = 24;
/// Where the longest name ends that is read.
const LONGEST_END: usize = TAG - 8;

const CLASS: &[u8; 8] = b" class=\"";
const ID: &[u8; 5] = b" id=\"";

/// Goes on from the token at `from`, where [nothing is open](super::Construction::is_plain) that gives a meaning to
/// what is skipped.
#[inline(never)]
pub(super) fn usual(document: &[u8], from: usize) -> Stop {
    let mut at = from;
    loop {
        let stop = |at| Stop { at, ordinary: None };
        let Some(&first) = document.get(at) else {
            return stop(at);
        };
        // Tags often touch, and a correctly predicted branch does not wait for what it depends on.
        if first != b'<' {
            match find(b'<', &document[at..]) {
                Some(length) => at += length,
                None => return stop(at),
            }
        }
        let Some(tag) = document[at..].first_chunk() else {
            return stop(at);
        };
        if tag[1] == b'/' {
            let name_end = name_end(tag, 2);
            if tag[name_end] != b'>' || !tag[2].is_ascii_alphabetic() {
                return stop(at);
            }
            at += name_end + 1;
            continue;
        }
        let name_end = name_end(tag, 1);
        if !tag[1].is_ascii_alphabetic() || !is_ordinary(&tag[1..name_end]) {
            return stop(at);
        }
        if tag[name_end] == b'>' {
            at += name_end + 1;
            continue;
        }
        let mut attribute = at + name_end;
        loop {
            let Some(spelled) = document[attribute..].first_chunk::<8>() else {
                return stop(at);
            };
            let value = if spelled == CLASS {
                attribute + CLASS.len()
            } else if spelled.starts_with(ID) {
                attribute + ID.len()
            } else {
                // A digit or a hyphen may be in the name.
                let ordinary = (tag[name_end] == b' ').then_some([at + name_end, attribute]);
                return Stop { at, ordinary };
            };
            let Some(length) = find(b'"', &document[value..]) else {
                return stop(at);
            };
            attribute = value + length + 1;
            if document.get(attribute) == Some(&b'>') {
                at = attribute + 1;
                break;
            }
        }
    }
}

/// Where the name of a tag ends that begins at `from`, or a part of it: it is read byte by byte, since the next token
/// waits for this one, and for a correctly predicted branch it does not.
#[inline(always)]
fn name_end(tag: &[u8; TAG], from: usize) -> usize {
    let mut end = from;
    while end < LONGEST_END && tag[end] > b'>' {
        end += 1;
    }
    end
}
