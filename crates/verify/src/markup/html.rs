//! Where the tags of an HTML document are, by its tokenizer (HTML 13.2.5) without a tree.
//!
//! Which text is markup it can only guess where a tree decides that; see [`crate::reader`] for where that shows.

use memchr::{memchr, memchr2, memmem};
use smallvec::SmallVec;

use crate::markup::{Found, NAMESPACES, Tag, Token, attributes, name_length};
use abslink_html::Syntax;
use abslink_html::shared::Delimiter;

/// Takes an HTML document in pieces.
#[derive(Default)]
pub(crate) struct HtmlTags {
    /// A doubt is about a tag that a tree builder may drop although it decides here how what follows is read.
    pub(crate) found: Found,
    raw: Option<RawText>,
    /// The elements of SVG and MathML that are open.
    foreign: Vec<Foreign>,
    templates: usize,
    /// The traces of the elements of HTML that have begun.
    begun: u64,
    /// Whether an end tag in SVG and MathML that may be one of HTML around them ends nothing.
    pub(crate) stays_foreign: bool,
}

/// The text of an element that has no markup.
struct RawText {
    /// The element's name, in lower case.
    name: Vec<u8>,
    /// In a script: how often `<!--` and `<script` make its end tag another one's (HTML 13.2.5.17 and following).
    escapes: usize,
}

struct Foreign {
    name: Vec<u8>,
    /// Whether its text is asked for.
    has_text: bool,
    /// Whether what stands in it is HTML.
    has_html: bool,
}

/// HTML 13.2.6.5: what ends SVG and MathML.
const BREAK_OUT: &str = "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li \
                         listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var";

/// More than there is in the longest mark in raw text.
const MARK: usize = "</plaintext>".len();

impl HtmlTags {
    /// Takes all that was read behind [`Found::done`], or the end.
    pub(crate) fn take(&mut self, bytes: &[u8], last: bool) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let length = match &mut self.raw {
                Some(raw) => {
                    let (length, is_over) = raw.end(rest, last);
                    if is_over {
                        self.raw = None;
                        self.found
                            .tokens
                            .push_back(Token::Close(self.found.done + length));
                    }
                    Some(length).filter(|length| *length > 0 || is_over)
                }
                None => match memchr(b'<', rest) {
                    Some(0) => self.markup(rest, last),
                    next => Some(next.unwrap_or(rest.len())),
                },
            };
            let Some(length) = length else {
                if last {
                    let place = self.found.done..self.found.done + rest.len();
                    self.found.tokens.push_back(Token::Other(place));
                    self.found.done += rest.len();
                }
                break;
            };
            at += length;
            self.found.done += length;
        }
    }

    /// Whether an element here is one of SVG or MathML.
    fn is_foreign(&self) -> bool {
        self.foreign.last().is_some_and(|last| !last.has_html)
    }

    /// What begins with a `<`: its length, unless it does not end.
    fn markup(&mut self, rest: &[u8], last: bool) -> Option<usize> {
        let until = |from: usize, mark: &[u8]| {
            let end = memmem::find(rest.get(from..)?, mark)?;
            Some(from + end + mark.len())
        };
        let length = match rest {
            _ if !last && rest.len() < "<![CDATA[".len() => None,
            // HTML 13.2.5.43: `<!-->` is one.
            [b'<', b'!', b'-', b'-', ..] => {
                let ends = [until(2, b"-->"), until(4, b"--!>")];
                ends.into_iter().flatten().min()
            }
            _ if self.is_foreign() && rest.starts_with(b"<![CDATA[") => until(9, b"]]>"),
            [b'<', b'!' | b'?', ..] => until(2, b">"),
            [b'<', b'/', b'>', ..] => Some("</>".len()),
            [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                let name = 2..2 + name_length(&rest[2..], Syntax::Html);
                let length = attributes(rest, name.end, Syntax::Html, &mut |_| {})?.length;
                self.end_tag(&rest[name]);
                Some(length)
            }
            [b'<', b'/', _, ..] => until(2, b">"),
            [b'<', letter, ..] if letter.is_ascii_alphabetic() => return self.start_tag(rest),
            _ => return Some(1),
        };
        let place = self.found.done..self.found.done + length?;
        self.found.tokens.push_back(Token::Other(place));
        length
    }

    fn start_tag(&mut self, rest: &[u8]) -> Option<usize> {
        let name = &rest[1..1 + name_length(&rest[1..], Syntax::Html)];
        let name_end = 1 + name.len();
        let found = attributes(rest, name_end, Syntax::Html, &mut |_| {})?;
        let closes_itself = found.closes_itself;
        let mut name = SmallVec::<[u8; 16]>::from_slice(name);
        name.make_ascii_lowercase();
        let name = &*name;
        let has = |names: &str| {
            let mut has = false;
            attributes(rest, name_end, Syntax::Html, &mut |it| {
                has |= is_one_of(&rest[it.name].to_ascii_lowercase(), names);
            });
            has
        };
        let has_html_text = name == b"annotation-xml" && has("encoding");
        let breaks_out = self.is_foreign()
            && (is_one_of(name, BREAK_OUT) || name == b"font" && has("color face size"));
        while breaks_out && self.is_foreign() {
            self.close(self.found.done);
        }
        let is_root = matches!(name, b"svg" | b"math");
        let is_html = !self.is_foreign() && !is_root;
        if is_html && name == b"frameset" {
            self.found.doubt(self.found.done, "<frameset>");
        } else if is_html && name.starts_with(b"col") && self.templates > 0 {
            self.found.doubt(self.found.done, "<col> in a template");
        }
        if is_html {
            self.begun |= trace(name);
        }
        let text = match name {
            b"style" | b"script" if is_html => Some(Delimiter::RawText),
            b"style" | b"script" if !closes_itself => Some(Delimiter::Text),
            b"noscript" | b"noframes" | b"textarea" | b"title" | b"iframe" | b"noembed"
            | b"xmp" | b"plaintext"
                if is_html =>
            {
                Some(Delimiter::RawText)
            }
            _ => None,
        };
        // There is a place of that name in HTML only, and in MathML one of any name.
        let namespaces = if is_html && self.found.doubt.is_none() && name == b"base" {
            &NAMESPACES[..1]
        } else {
            NAMESPACES
        };
        self.found.tokens.push_back(Token::Tag(Tag {
            xml_bases: String::new(),
            start: self.found.done,
            end: self.found.done + found.length,
            name_end: self.found.done + name_end,
            namespaces,
            base_applies: is_html && self.templates == 0,
            is_sure: is_html && self.foreign.is_empty() && self.found.doubt.is_none(),
            text,
        }));
        if !is_html && !closes_itself {
            let is_math = self
                .foreign
                .iter()
                .rev()
                .find(|it| is_one_of(&it.name, "svg math"));
            let has_html = match is_math.map(|root| &*root.name) {
                Some(b"svg") => is_one_of(name, "foreignobject desc title"),
                Some(_) => has_html_text || is_one_of(name, "mi mo mn ms mtext"),
                None => false,
            };
            self.foreign.push(Foreign {
                name: name.to_vec(),
                has_text: text.is_some(),
                has_html: has_html && !is_root,
            });
        } else if text.is_some() {
            self.raw = Some(RawText {
                name: name.to_vec(),
                escapes: 0,
            });
        } else if is_html && name == b"template" {
            self.templates += 1;
        }
        Some(found.length)
    }

    fn end_tag(&mut self, name: &[u8]) {
        let is_own = |open: &Foreign| open.name.eq_ignore_ascii_case(name);
        if let Some(index) = self.foreign.iter().rposition(is_own) {
            // A tree builder does not look out of HTML.
            if self.foreign[index + 1..].iter().any(|it| it.has_html) {
                self.found
                    .doubt(self.found.done, "an end tag of SVG or MathML in HTML");
            }
            while self.foreign.len() > index {
                self.close(self.found.done);
            }
        } else if self.is_foreign()
            && self.begun & trace(name) == 0
            && !is_one_of(&name.to_ascii_lowercase(), "p br")
        {
            // It ends nothing.
        } else if self.is_foreign() {
            // It may be that of an element around.
            self.found
                .doubt(self.found.done, "an end tag of HTML in SVG or MathML");
            while self.is_foreign() && !self.stays_foreign {
                self.close(self.found.done);
            }
        } else if name.eq_ignore_ascii_case(b"template") {
            self.templates = self.templates.saturating_sub(1);
        }
    }

    /// Closes the last open element of SVG or MathML.
    fn close(&mut self, at: usize) {
        if self.foreign.pop().is_some_and(|open| open.has_text) {
            self.found.tokens.push_back(Token::Close(at));
        }
    }
}

impl RawText {
    /// How much of these bytes is text that needs no second look, and whether the end tag follows.
    fn end(&mut self, bytes: &[u8], last: bool) -> (usize, bool) {
        let is_script = self.name == b"script";
        let known = if last {
            bytes.len()
        } else {
            bytes.len().saturating_sub(MARK)
        };
        let mut at = 0;
        while self.name != b"plaintext" {
            let next = match self.escapes {
                0 => memchr(b'<', bytes.get(at..known).unwrap_or_default()),
                _ => memchr2(b'<', b'-', bytes.get(at..known).unwrap_or_default()),
            };
            let Some(next) = next else {
                break;
            };
            at += next;
            let rest = &bytes[at..];
            let is_tag = |mark: &[u8]| {
                let behind = rest.strip_prefix(mark).and_then(|rest| {
                    let (name, behind) = rest.split_at_checked(self.name.len())?;
                    behind
                        .first()
                        .filter(|_| name.eq_ignore_ascii_case(&self.name))
                });
                behind.is_some_and(|behind| behind.is_ascii_whitespace() || b"/>".contains(behind))
            };
            at += 1;
            match self.escapes {
                0 | 1 if is_tag(b"</") => return (at - 1, true),
                0 if is_script && rest.starts_with(b"<!--") => (self.escapes, at) = (1, at + 1),
                1 if is_tag(b"<") => self.escapes = 2,
                2 if is_tag(b"</") => self.escapes = 1,
                1 | 2 if rest.starts_with(b"-->") => self.escapes = 0,
                _ => {}
            }
        }
        (at.max(known), false)
    }
}

/// A bit for a name, which few others share.
fn trace(name: &[u8]) -> u64 {
    let sum = name.iter().map(|byte| u32::from(byte.to_ascii_lowercase()));
    1 << ((sum.sum::<u32>() + 7 * name.len() as u32) % 64)
}

fn is_one_of(name: &[u8], names: &str) -> bool {
    names.split(' ').any(|it| it.as_bytes() == name)
}
