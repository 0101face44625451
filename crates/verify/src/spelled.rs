//! What bytes spell, and which of them spell what: so that what stands around the references of a
//! value can be compared byte for byte, and not by what it means only. Bytes that are not valid all
//! mean U+FFFD, and a character can be written in several ways.

use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem};

use super::xml::{Allowance, BLANKS, Entities};

/// Places in the old text and in the new one.
pub(crate) type Change = [Range<usize>; 2];

/// A value.
#[derive(Debug)]
pub(crate) struct Spelled<'b> {
    bytes: &'b [u8],
    /// What they spell.
    pub(crate) text: String,
    /// What is not spelled by itself, or not by as many bytes as its text has: the bytes, and that
    /// text, which may be none. All others stand for themselves.
    parts: Vec<[Range<usize>; 2]>,
    /// So many bytes were read.
    read: usize,
    /// How many times a `&` of XML begins no reference that can be followed.
    pub(crate) strays: usize,
}

impl<'b> Spelled<'b> {
    fn new(bytes: &'b [u8]) -> Spelled<'b> {
        Spelled {
            bytes,
            text: String::with_capacity(bytes.len()),
            parts: Vec::new(),
            read: 0,
            strays: 0,
        }
    }

    /// Raw text.
    pub(crate) fn raw(bytes: &'b [u8], encoding: &'static Encoding) -> Spelled<'b> {
        let mut spelled = Spelled::new(bytes);
        spelled.plain(bytes, encoding);
        spelled
    }

    /// The value of an attribute.
    pub(crate) fn value(
        bytes: &'b [u8],
        encoding: &'static Encoding,
        entities: Option<&Entities>,
    ) -> Spelled<'b> {
        let mut spelled = Spelled::new(bytes);
        let mut left = Allowance::default();
        for run in runs(bytes) {
            match entities {
                None => {
                    let decode = |head: &str| htmlize::unescape_attribute(head).into_owned();
                    let rest = spelled.html(run, decode);
                    spelled.without_nul(rest, encoding);
                }
                Some(entities) => {
                    let rest = spelled.xml(run, |head| entities.in_value(head, &mut left));
                    spelled.with_blanks(rest, encoding);
                }
            }
        }
        spelled
    }

    /// The content of an element, and the markup in it, which spells nothing.
    pub(crate) fn content(
        bytes: &'b [u8],
        encoding: &'static Encoding,
        entities: Option<&Entities>,
    ) -> (Spelled<'b>, Vec<&'b [u8]>) {
        let (mut spelled, mut markup) = (Spelled::new(bytes), Vec::new());
        let mut left = Allowance::default();
        for piece in pieces(bytes) {
            match piece {
                Piece::Markup(piece) => {
                    markup.push(piece);
                    spelled.part(piece.len(), "");
                }
                Piece::Delimiter(piece) => spelled.part(piece.len(), ""),
                Piece::Literal(text) => spelled.plain(text, encoding),
                Piece::Text(text) => {
                    for run in runs(text) {
                        match entities {
                            None => {
                                let decode = |head: &str| htmlize::unescape(head).into_owned();
                                let rest = spelled.html(run, decode);
                                spelled.plain(rest, encoding);
                            }
                            Some(entities) => {
                                let rest =
                                    spelled.xml(run, |head| entities.in_text(head, &mut left));
                                spelled.plain(rest, encoding);
                            }
                        }
                    }
                }
            }
        }
        (spelled, markup)
    }

    /// Appends what stands for itself.
    fn same(&mut self, text: &str) {
        self.text.push_str(text);
        self.read += text.len();
    }

    /// Appends what the next bytes stand for together.
    fn part(&mut self, length: usize, text: &str) {
        if self.bytes.get(self.read..self.read + length) == Some(text.as_bytes()) {
            return self.same(text);
        }
        let start = self.text.len();
        self.text.push_str(text);
        let bytes = self.read..self.read + length;
        self.read = bytes.end;
        self.parts.push([bytes, start..self.text.len()]);
    }

    /// Appends bytes in which there are no references.
    fn plain(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        match std::str::from_utf8(bytes) {
            Ok(text) if encoding == UTF_8 || text.is_ascii() => self.same(text),
            _ => self.decode(bytes, encoding),
        }
    }

    /// Appends what bytes are in an encoding, as few of them at a time as can be told apart.
    fn decode(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let (mut text, mut count) = (String::new(), 0);
        for (index, byte) in bytes.iter().enumerate() {
            count += 1;
            let is_last = index + 1 == bytes.len();
            if count == 1 && byte.is_ascii() {
                text.push(char::from(*byte));
            } else {
                // A sequence that is not valid is given up with all that it has taken.
                text.reserve(64);
                let _ = decoder.decode_to_string(&[*byte], &mut text, is_last);
            }
            if !text.is_empty() || is_last {
                self.part(count, &text);
                text.clear();
                count = 0;
            }
        }
    }

    /// Appends a part of an attribute's value without references (HTML 13.2.5.36 to 13.2.5.38).
    fn without_nul(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        for part in bytes.split_inclusive(|byte| *byte == 0) {
            let text = part.strip_suffix(b"\0");
            self.plain(text.unwrap_or(part), encoding);
            if text.is_some() {
                self.part(1, "\u{fffd}");
            }
        }
    }

    /// Appends the reference of HTML that a run may begin with: `decode` says what that stands for. The
    /// answer is what follows.
    fn html<'r>(&mut self, run: &'r [u8], decode: impl Fn(&str) -> String) -> &'r [u8] {
        // What stands behind a name without `;` decides whether it is one.
        let is_head = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'=');
        let name = run.iter().skip(1).take_while(|byte| is_head(byte)).count();
        let length = match run.first() {
            Some(b'&') => 1 + name + usize::from(run.get(1 + name) == Some(&b';')),
            _ => 0,
        };
        let (head, rest) = run.split_at(length);
        let head = String::from_utf8_lossy(head);
        let text = decode(&head);
        let ends = head.bytes().rev().zip(text.bytes().rev());
        let kept = ends.take_while(|(x, y)| x == y).count();
        self.part(head.len() - kept, &text[..text.len() - kept]);
        self.same(&text[text.len() - kept..]);
        rest
    }

    /// Appends the reference of XML that a run may begin with; the answer is what follows.
    fn xml<'r>(&mut self, run: &'r [u8], decode: impl FnOnce(&str) -> Option<String>) -> &'r [u8] {
        if !run.starts_with(b"&") {
            return run;
        }
        let length = memchr(b';', run).map_or(0, |at| at + 1);
        let (head, rest) = run.split_at(length);
        let head = std::str::from_utf8(head).ok();
        if let Some(text) = head.filter(|head| !head.is_empty()).and_then(decode) {
            self.part(length, &text);
            return rest;
        }
        self.strays += 1;
        run
    }

    /// Appends a part of a value of XML without references (XML 1.0 §3.3.3).
    fn with_blanks(&mut self, bytes: &[u8], encoding: &'static Encoding) {
        let mut done = 0;
        for at in memmem::find_iter(bytes, b"\r\n").chain([bytes.len()]) {
            let start = self.text.len();
            self.plain(&bytes[done..at], encoding);
            let text = self.text.split_off(start).replace(BLANKS, " ");
            self.text.push_str(&text);
            done = at;
            if at < bytes.len() {
                self.part(2, " ");
                done += 2;
            }
        }
    }

    /// Where the part begins that is cut at `text`, or `text`.
    fn floor(&self, text: usize) -> usize {
        self.cut(text).map_or(text, |part| part.start)
    }

    /// Where that ends.
    fn ceil(&self, text: usize) -> usize {
        self.cut(text).map_or(text, |part| part.end)
    }

    fn cut(&self, at: usize) -> Option<&Range<usize>> {
        let index = self.parts.partition_point(|[_, text]| text.end <= at);
        let [_, text] = self.parts.get(index)?;
        (text.start < at).then_some(text)
    }

    /// The bytes that spell a part of the text that cuts nothing, with those around it that spell
    /// nothing.
    fn source(&self, text: &Range<usize>) -> Range<usize> {
        let place = |parts: usize, at: usize| match self.parts[..parts].last() {
            Some([bytes, text]) => bytes.end + at.saturating_sub(text.end),
            None => at,
        };
        let before = self.parts.partition_point(|[_, it]| it.start < text.start);
        let until = self.parts.partition_point(|[_, it]| it.end <= text.end);
        place(before, text.start)..place(until, text.end)
    }
}

/// The parts of bytes that begin with `&`, and what stands before the first of them. In no encoding
/// of a document whose tags can be found is that byte a part of another character.
fn runs(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ands = memchr::memchr_iter(b'&', bytes).chain([bytes.len()]);
    let mut done = 0;
    ands.map(move |at| {
        let start = std::mem::replace(&mut done, at);
        &bytes[start..at]
    })
}

/// What the content of an element consists of.
enum Piece<'c> {
    Text(&'c [u8]),
    /// Text of a section of CDATA, and what delimits that.
    Literal(&'c [u8]),
    Delimiter(&'c [u8]),
    Markup(&'c [u8]),
}

/// Where markup begins: in HTML not every `<` does it (13.2.5.6, "tag open state").
fn opening(text: &[u8]) -> Option<usize> {
    let begins = |byte: &u8| {
        byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'/' | b'?' | b':' | b'_' | 0x80..)
    };
    memchr::memchr_iter(b'<', text).find(|at| text.get(at + 1).is_some_and(begins))
}

fn pieces(content: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = content;
    while let Some(at) = opening(rest) {
        let (text, markup) = rest.split_at(at);
        pieces.push(Piece::Text(text));
        if let Some(literal) = markup.strip_prefix(b"<![CDATA[") {
            let end = memmem::find(literal, b"]]>");
            let (text, after) = literal.split_at(end.unwrap_or(literal.len()));
            let (close, after) = after.split_at(after.len().min("]]>".len()));
            let open = &markup[..markup.len() - literal.len()];
            pieces.extend([Piece::Delimiter(open), Piece::Literal(text)]);
            pieces.push(Piece::Delimiter(close));
            rest = after;
            continue;
        }
        let end: &[u8] = match markup {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b"?>",
            _ => b">",
        };
        let length = memmem::find(markup, end).map_or(markup.len(), |at| at + end.len());
        let (markup, after) = markup.split_at(length);
        pieces.push(Piece::Markup(markup));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// Whether two values are the same, byte for byte, around what changed in their texts. That ascends,
/// and what stands between is the same in both texts.
pub(crate) fn around(
    old: &Spelled<'_>,
    new: &Spelled<'_>,
    changes: &[Change],
) -> Result<(), String> {
    if new.strays > old.strays {
        return Err("it has a `&` that begins no reference".to_owned());
    }
    let [mut at, mut new_at] = [0, 0];
    for [x, y] in grown(old, new, changes) {
        let (x, y) = (old.source(&x), new.source(&y));
        let before = (old.bytes.get(at..x.start)).unwrap_or_default();
        let new_before = (new.bytes.get(new_at..y.start)).unwrap_or_default();
        // A reference to a character that lacks its `;` may get it.
        if before != new_before && new_before.strip_suffix(b";") != Some(before) {
            return Err(spelled_otherwise(before, new_before));
        }
        (at, new_at) = (x.end, y.end);
    }
    let [rest, new_rest] = [(old, at), (new, new_at)].map(|(it, at)| {
        let rest = it.bytes.get(at..);
        rest.unwrap_or_default()
    });
    match rest == new_rest {
        true => Ok(()),
        false => Err(spelled_otherwise(rest, new_rest)),
    }
}

/// What to say of bytes that are no reference: the part of them that is another one.
fn spelled_otherwise(old: &[u8], new: &[u8]) -> String {
    let start = old.iter().zip(new).take_while(|(x, y)| x == y).count();
    let (old, new) = (&old[start..], &new[start..]);
    let ends = old.iter().rev().zip(new.iter().rev());
    let kept = ends.take_while(|(x, y)| x == y).count();
    let [old, new] = [old, new].map(|bytes| bytes[..bytes.len() - kept].escape_ascii());
    format!("`{old}` is no URL, and became `{new}`")
}

/// The changes, grown to where they cut nothing that is spelled as a whole, in either text: what
/// touches an entity takes the place of all of it.
fn grown(old: &Spelled<'_>, new: &Spelled<'_>, changes: &[Change]) -> Vec<Change> {
    let mut grown: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        let [mut x, mut y] = change.clone();
        loop {
            let before = (x.start - old.floor(x.start)).max(y.start - new.floor(y.start));
            let behind = (old.ceil(x.end) - x.end).max(new.ceil(y.end) - y.end);
            if let Some([last, new_last]) = grown.pop_if(|[last, _]| last.end + before > x.start) {
                // Its end may have grown over this one.
                (x.start, y.start) = (last.start, new_last.start);
                continue;
            }
            (x.start, y.start) = (x.start - before, y.start.saturating_sub(before));
            (x.end, y.end) = (x.end + behind, y.end + behind);
            if before + behind == 0 {
                break;
            }
        }
        grown.push([x, y]);
    }
    grown
}
