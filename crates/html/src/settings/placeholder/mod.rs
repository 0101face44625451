//! Template placeholders, which the template's data will replace.
//!
//! Only the data can tell whether a reference that begins with one is relative, so it stays. In other
//! references the part before the placeholder decides; the placeholder and what follows it are copied
//! byte for byte: no delimiter or dot segment in them means anything yet.

mod beginning;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use memchr::{memchr, memchr2_iter, memmem};

use crate::merge::Merge;
use crate::places::attributes::ValueKind;
pub(crate) use beginning::at_start;

/// What happens to references that contain template placeholders ([`Settings::placeholders`](crate::Settings::placeholders)).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Placeholders, Settings, Syntax, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/")?;
/// let mut settings = Settings::default();
/// let mail = b"<a href='{{ url }}'>";
/// assert!(!rewrite_bytes(mail, Syntax::Html, &context, &settings).is_changed());
/// settings.placeholders = Placeholders::Resolve;
/// assert!(rewrite_bytes(mail, Syntax::Html, &context, &settings).is_changed());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placeholders {
    /// A reference that begins with one stays. In others it is copied to the new text.
    #[default]
    Keep,
    /// They are text like any other.
    Resolve,
    /// The same as the first, and those of Razor.
    #[doc(hidden)]
    KeepRazor,
    /// The same as the first, and those of ASP.NET Web Forms.
    #[doc(hidden)]
    KeepWebForms,
}

/// How a placeholder begins and ends, and whether it may lack its end, and then runs to the end of the value: a quote
/// in it ended that. If several match, the first one counts.
const FORMS: [(&str, &str, bool); 23] = [
    ("{{", "}}", true),
    (BLOCK, "%}", true),
    ("{#", "#}", true),
    ("<%", "%>", true),
    ("<#", "#>", true),
    ("<?", "?>", true),
    ("${", "}", true),
    ("$!{", "}", true),
    ("#{", "}", true),
    ("@{", "}", true),
    ("{$", "}", true),
    ("{!", "}", true),
    (TAG, "}", true),
    ("[[", "]]", false),
    (TOOLKIT, "%]", true),
    ("*|", "|*", false),
    (DOUBLED, "%%", false),
    ("%recipient.", "%", false),
    ("%{", "}", false),
    // As editors of HTML escape them.
    ("%7B%7B", "%7D%7D", false),
    ("*%7C", "%7C*", false),
    ("[~", "~]", false),
    ("[(", ")]", false),
];

/// These end in `%`, which may also begin an escape of the URL Standard: `{%C3%A9`.
const BLOCK: &str = "{%";
const TOOLKIT: &str = "[%";
const DOUBLED: &str = "%%";

/// A tag of javadoc: a word follows.
const TAG: &str = "{@";

/// Those that have no meaning in CSS.
const IN_CSS: [&str; 7] = ["{{", "{%", "<%", "<?", "${", "#{", "@{"];

/// The bytes that can begin a placeholder, or be its second byte.
const SIGNS: [bool; 256] = table(b"{<[*%@");

/// What may be the first byte of a reference that begins with one.
const FIRST: [bool; 256] = table(b"{<[*%$@#_:~\\\"'3");

const fn table(bytes: &[u8]) -> [bool; 256] {
    let (mut table, mut at) = ([false; 256], 0);
    while at < bytes.len() {
        table[bytes[at] as usize] = true;
        at += 1;
    }
    table
}

/// Stands in for a placeholder and what follows it: it means the same everywhere.
pub(crate) const LETTER: &str = "x";

/// The placeholders in a text, in order.
struct Occurrences<'t> {
    text: &'t str,
    is_css: bool,
    at: usize,
    /// The forms whose end does not occur any more, so that nothing is searched for twice.
    ended: [bool; FORMS.len()],
}

impl<'t> Occurrences<'t> {
    fn new(text: &'t str, is_css: bool) -> Occurrences<'t> {
        Occurrences {
            text,
            is_css,
            at: 0,
            ended: [false; FORMS.len()],
        }
    }

    fn length(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text.as_bytes()[at..];
        let fits = |(open, ..): &(&str, _, _)| rest.starts_with(open.as_bytes());
        let Some(form) = FORMS.iter().position(fits) else {
            return call(rest).filter(|_| !self.is_css);
        };
        let (open, close, may_lack_end) = FORMS[form];
        if self.is_css && !IN_CSS.contains(&open) {
            return None;
        }
        let inside = &rest[open.len()..];
        if open == TAG && !inside.first().is_some_and(u8::is_ascii_alphabetic) {
            return None;
        }
        let find = || memmem::find(inside, close.as_bytes());
        let end = (!self.ended[form]).then(find).flatten();
        let Some(end) = end else {
            self.ended[form] = true;
            // A style sheet goes on after what looks like one.
            let is_one = may_lack_end
                && !self.is_css
                && !([BLOCK, TOOLKIT].contains(&open) && is_escape(inside));
            return is_one.then_some(rest.len());
        };
        if open == DOUBLED
            && is_escape(inside)
            && !inside[..end]
                .iter()
                .all(|it| is_of_name(it) || is_break(it))
        {
            return None;
        }
        let length = open.len() + end + close.len();
        // `{{{ url }}}`
        let more = rest[length..].starts_with(b"}") && rest.starts_with(b"{{{");
        Some(length + usize::from(more))
    }

    /// Where the next one may begin: its first byte, or its second.
    fn sign(&self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at..];
        let found = if self.is_css {
            memchr2_iter(b'{', b'<', rest).next()
        } else {
            rest.iter().position(|byte| SIGNS[usize::from(*byte)])
        };
        found.map(|found| self.at + found)
    }
}

impl Iterator for Occurrences<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        while let Some(sign) = self.sign() {
            let before = &self.text[self.at..sign];
            let before = if before.ends_with("$!") {
                Some(sign - 2)
            } else {
                before.ends_with(['$', '#', '@']).then(|| sign - 1)
            };
            let starts = [before, Some(sign)];
            self.at = sign + 1;
            for start in starts.into_iter().flatten() {
                if let Some(length) = self.length(start) {
                    self.at = start + length;
                    return Some(start..self.at);
                }
            }
        }
        None
    }
}

/// The placeholders in a value of that kind, inside which the value must not be split, in order.
pub fn each(kind: ValueKind, value: &str) -> impl Iterator<Item = Range<usize>> {
    let is_css = matches!(
        kind,
        ValueKind::CssDeclarations | ValueKind::CssStylesheet | ValueKind::CssFile
    );
    // In JSON they are in strings, or it is not JSON.
    let may_be = !is_json(kind) && may_hold(value);
    Occurrences::new(if may_be { value } else { "" }, is_css)
}

/// The value with each byte of a placeholder replaced by a letter: its grammar finds the same parts
/// in it.
pub(crate) fn masked(kind: ValueKind, value: &str) -> Cow<'_, str> {
    let mut masked = String::new();
    let mut last = 0;
    for placeholder in each(kind, value) {
        masked.push_str(&value[last..placeholder.start]);
        masked.extend(placeholder.clone().map(|_| 'x'));
        last = placeholder.end;
    }
    match last {
        0 => Cow::Borrowed(value),
        _ => Cow::Owned(masked + &value[last..]),
    }
}

/// Where the first placeholder begins in a reference in a value of that kind.
pub(crate) fn first(reference: &str, kind: ValueKind, placeholders: Placeholders) -> Option<usize> {
    // An expression of a URI template (RFC 6570), as schema.org's actions have them.
    let template = is_json(kind).then(|| reference.find('{')).flatten();
    let template = template.filter(|at| reference[*at..].contains('}'));
    if placeholders == Placeholders::Resolve || !may_hold(reference) {
        return template;
    }
    // The pre-step deletes these, so a placeholder may appear where they were.
    let is_deleted = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
    let text = if reference.bytes().any(|byte| is_deleted(&byte)) {
        Cow::Owned(reference.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(reference)
    };
    let start = text.len() - text.trim_start_matches(|c| c <= ' ').len();
    let found = match at_start(&text[start..], placeholders) {
        Some(_) => Some(start),
        None => Occurrences::new(&text, false)
            .next()
            .map(|found| found.start),
    };
    let mut left = (0..reference.len()).filter(|at| !is_deleted(&reference.as_bytes()[*at]));
    let found = found.and_then(|found| left.nth(found));
    found.into_iter().chain(template).min()
}

/// Whether a value may hold a placeholder, by its bytes: in nearly all values none of them occurs.
#[inline]
pub(crate) fn may_hold(value: &str) -> bool {
    // What the pre-step deletes may stand between two bytes of one. Every byte is looked at, so that
    // several are at a time.
    let opens = |byte| {
        matches!(
            byte,
            b'{' | b'%'
                | b'<'
                | b'['
                | b'*'
                | b'$'
                | b'@'
                | b'~'
                | b'\\'
                | b'"'
                | b'\''
                | b'\t'
                | b'\n'
                | b'\r'
        )
    };
    let opens = value.bytes().fold(false, |found, byte| found | opens(byte));
    let bytes = value.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let doubles = |byte| (byte == b'_') | (byte == b':') | (byte == b'#');
    opens | pairs.fold(false, |found, (&a, &b)| found | ((a == b) & doubles(a)))
}

/// Whether a reference may begin with a placeholder, by its raw bytes.
#[inline]
pub(crate) fn may_begin(raw: &[u8]) -> bool {
    let Some(first) = raw.first().filter(|first| FIRST[usize::from(**first)]) else {
        return false;
    };
    match first {
        b'#' => raw.get(1) == Some(&b'{') || raw.starts_with(b"###"),
        b'_' | b':' => raw.get(1) == Some(first),
        b'~' => raw.get(1) == Some(&b'/'),
        b'3' => raw.get(1) == Some(&b'D'),
        _ => true,
    }
}

/// The length of a call in Razor, `@Url.Content(…)`: a quote in it may have ended the value.
fn call(text: &[u8]) -> Option<usize> {
    let name = text.strip_prefix(b"@")?;
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
    let length = name.iter().position(|byte| !is_of_name(byte))?;
    let begins = |first: &u8| first.is_ascii_alphabetic() || *first == b'_';
    let is_call = name.first().is_some_and(begins) && name[length] == b'(';
    let end = is_call.then(|| memchr(b')', text))?;
    Some(end.map_or(text.len(), |end| end + 1))
}

/// Whether two hexadecimal digits follow: `%41` is an escape. Tabs and line breaks between them do not count, since
/// they are taken out of a reference before it is read.
fn is_escape(after: &[u8]) -> bool {
    let mut digits = after.iter().filter(|byte| !is_break(byte));
    let mut is_digit = || digits.next().is_some_and(u8::is_ascii_hexdigit);
    is_digit() && is_digit()
}

fn is_break(byte: &u8) -> bool {
    b"\t\n\r".contains(byte)
}

fn is_of_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.-".contains(byte)
}

/// Whether a value of this kind is JSON.
pub fn is_json(kind: ValueKind) -> bool {
    matches!(
        kind,
        ValueKind::ImportMap | ValueKind::SpeculationRules | ValueKind::LinkedData
    )
}

/// An example of a placeholder, shortened: of several the first in the order of their texts, so
/// that it is the same in whatever order documents are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    bytes: [u8; Sample::LONGEST],
    length: u8,
}

impl Default for Sample {
    fn default() -> Sample {
        Sample {
            bytes: [0; Sample::LONGEST],
            length: 0,
        }
    }
}

impl Sample {
    const LONGEST: usize = 40;

    pub(crate) fn of(reference: &str) -> Sample {
        let scanned = Occurrences::new(reference, false).next();
        let end = scanned
            .filter(|found| found.start == 0)
            .map(|found| found.end);
        let end = end.or_else(|| at_start(reference, Placeholders::Keep));
        let end = end.unwrap_or(reference.len());
        let end = (0..=end.min(Sample::LONGEST)).rev();
        let end = end.into_iter().find(|at| reference.is_char_boundary(*at));
        let text = &reference.as_bytes()[..end.unwrap_or(0)];
        let mut sample = Sample::default();
        sample.bytes[..text.len()].copy_from_slice(text);
        sample.length = text.len() as u8;
        sample
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }
}

impl Merge for Sample {
    fn add_up(&mut self, other: &Sample) {
        let is_better = self.length == 0 || self.text().cmp(other.text()) == Ordering::Greater;
        if other.length > 0 && is_better {
            *self = *other;
        }
    }
}
