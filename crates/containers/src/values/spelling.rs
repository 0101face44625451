//! How a field spells its text: what is decoded, and how new text is written into it.

use std::borrow::Cow;
use std::ops::Range;

use abslink_html::{UnquotedField, json};

use super::decode::{DecodedField, LONGEST_RUN, OTHER_ESCAPE, escaped};
use super::{NewRange, NewText};

/// How text is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// The inside of a JSON string (RFC 8259 §7).
    Json,
    /// The inside of a quoted CSV field (RFC 4180 §2): quotes are doubled.
    Quoted,
    /// An unquoted CSV field.
    Unquoted(UnquotedField),
    /// The bytes of a string that PHP has serialized, which stand for themselves.
    Serialized,
    /// The same with `\\` and two hexadecimal digits for some of them.
    Escaped,
}

impl Spelling {
    /// Whether new text stands for itself.
    fn takes(self, new: &[u8]) -> bool {
        match self {
            Spelling::Json => json::stands_for_itself(new),
            Spelling::Quoted => memchr::memchr(b'"', new).is_none(),
            Spelling::Unquoted(_) | Spelling::Serialized => true,
            Spelling::Escaped => memchr::memchr(b'\\', new).is_none(),
        }
    }

    /// Appends new text, which is UTF-8.
    fn encode(self, new: &[u8], out: &mut Vec<u8>) {
        match self {
            Spelling::Json => {
                let new = String::from_utf8_lossy(new);
                let mut escaped = String::with_capacity(new.len());
                json::encode(&new, &mut escaped);
                out.extend_from_slice(escaped.as_bytes());
            }
            Spelling::Quoted => {
                for part in new.split_inclusive(|byte| *byte == b'"') {
                    out.extend_from_slice(part);
                    out.extend(part.ends_with(b"\"").then_some(b'"'));
                }
            }
            Spelling::Unquoted(_) | Spelling::Serialized => out.extend_from_slice(new),
            Spelling::Escaped => {
                for part in new.split_inclusive(|byte| *byte == b'\\') {
                    out.extend_from_slice(part);
                    out.extend_from_slice(if part.ends_with(b"\\") { b"5c" } else { b"" });
                }
            }
        }
    }
}

/// A field as it is spelled: without quotes around it.
#[derive(Debug)]
pub(crate) struct SpelledField<'s> {
    inside: &'s [u8],
    spelling: Spelling,
    /// As [`DecodedField`] has them.
    runs: Vec<u8>,
}

impl<'s> SpelledField<'s> {
    /// A field of CSV, and what it says.
    pub(crate) fn separated(
        inside: &'s [u8],
        spelling: Spelling,
    ) -> Option<(SpelledField<'s>, Cow<'s, str>)> {
        let decoded = match spelling {
            Spelling::Quoted => DecodedField::quoted(inside)?,
            _ => DecodedField::default(),
        };
        SpelledField::new(inside, spelling, decoded)
    }

    /// A field, and what it says; `None` if that is no UTF-8.
    pub(crate) fn new(
        inside: &'s [u8],
        spelling: Spelling,
        decoded: DecodedField,
    ) -> Option<(SpelledField<'s>, Cow<'s, str>)> {
        let text = if decoded.runs.is_empty() {
            Cow::Borrowed(str::from_utf8(inside).ok()?)
        } else {
            Cow::Owned(String::from_utf8(decoded.text).ok()?)
        };
        let spelled = SpelledField {
            inside,
            spelling,
            runs: decoded.runs,
        };
        Some((spelled, text))
    }

    fn walk(&self) -> Walk<'_> {
        Walk {
            spelled: self,
            runs: &self.runs,
            text: 0,
            at: 0,
        }
    }

    /// The field, if it has no quotes.
    pub(crate) fn unquoted(&self) -> Option<UnquotedField> {
        match self.spelling {
            Spelling::Unquoted(field) => Some(field),
            _ => None,
        }
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.inside.len()
    }

    /// Makes edits of its text, which ascend, those of what spells it. Their new text is in `new`.
    pub(crate) fn respell(&self, edits: &mut [NewRange], new: &mut Vec<u8>) {
        let mut walk = self.walk();
        for (old, text) in edits {
            *old = walk.to(old.start)..walk.to(old.end);
            if !self.spelling.takes(&new[text.clone()]) {
                let said = new[text.clone()].to_vec();
                text.start = new.len();
                self.spelling.encode(&said, new);
                text.end = new.len();
            }
        }
    }

    /// Where in what spells it a part of its text is. Parts may come in any order.
    pub(crate) fn places(&self) -> impl FnMut(Range<usize>) -> Range<usize> {
        let mut walk = self.walk();
        move |part| {
            if part.start < walk.text {
                walk = self.walk();
            }
            let start = walk.to(part.start);
            start..Walk { ..walk }.to(part.end)
        }
    }

    /// Appends it with these edits of its text, which ascend. What is not edited keeps its spelling, but for an unquoted
    /// field that has to be quoted now.
    pub(crate) fn splice(&self, edits: &[NewText<'_>], out: &mut Vec<u8>) {
        let start = out.len();
        let (mut walk, mut copied) = (self.walk(), 0);
        let inside = self.inside;
        // Most references become longer by the same beginning, which is looked at once.
        let mut plain: &[u8] = &[];
        for (old, new) in edits {
            out.extend_from_slice(&inside[copied..walk.to(old.start)]);
            if *plain == **new || self.spelling.takes(new) {
                out.extend_from_slice(new);
                plain = new;
            } else {
                self.spelling.encode(new, out);
            }
            copied = walk.to(old.end);
        }
        out.extend_from_slice(&inside[copied..]);
        let Some(field) = self.unquoted() else {
            return;
        };
        let has_reference = |new: &[u8]| {
            !field.takes_references() && memchr::memchr(b'&', new).is_some() && new.contains(&b';')
        };
        let needs_quotes =
            |new: &[u8]| new.iter().any(|byte| field.lacks(*byte)) || has_reference(new);
        let is_quote = out.get(start) == Some(&b'"');
        if is_quote || edits.iter().any(|(_, new)| needs_quotes(new)) {
            let field = out.split_off(start);
            out.push(b'"');
            Spelling::Quoted.encode(&field, out);
            out.push(b'"');
        }
    }
}

/// Goes through what a field spells, and counts what it says.
struct Walk<'s> {
    spelled: &'s SpelledField<'s>,
    /// Those that were not passed.
    runs: &'s [u8],
    /// How many bytes of the text were passed.
    text: usize,
    /// Where that is in what is spelled.
    at: usize,
}

impl<'s> Walk<'s> {
    /// Where that is spelled which stands for the text from this byte of it on. Positions ascend.
    fn to(&mut self, text: usize) -> usize {
        while self.pass_many(text) {}
        loop {
            let (run, rest, plain) = match self.runs {
                [OTHER_ESCAPE, plain, rest @ ..] => (OTHER_ESCAPE, rest, *plain),
                [run, rest @ ..] => (*run, rest, *run),
                [] => break,
            };
            let plain = usize::from(plain);
            if self.text + plain >= text {
                break;
            }
            let (said, length) = match run {
                OTHER_ESCAPE => self.escape(self.at + plain),
                LONGEST_RUN => (0, 0),
                _ => (1, 2),
            };
            self.runs = rest;
            (self.text, self.at) = (self.text + plain + said, self.at + plain + length);
        }
        self.at + text.saturating_sub(self.text)
    }

    /// Passes several runs with the escapes behind them, if these are before this byte of the text.
    #[inline]
    fn pass_many(&mut self, text: usize) -> bool {
        /// A processor adds so many at once.
        const MANY: usize = 8;
        /// In less text there are seldom as many.
        const FAR: usize = 64;
        let Some((many, rest)) = self.runs.split_first_chunk::<MANY>() else {
            return false;
        };
        if text < self.text + FAR {
            return false;
        }
        let is_short = many
            .iter()
            .fold(true, |all, run| all & (*run < LONGEST_RUN));
        let plain: usize = many.iter().map(|run| usize::from(*run)).sum();
        let are_passed = is_short && self.text + plain + MANY <= text;
        if are_passed {
            self.runs = rest;
            self.text += plain + MANY;
            self.at += plain + 2 * MANY;
        }
        are_passed
    }

    /// How much of the text an escape says that is not two bytes for one, and how long it is.
    fn escape(&self, at: usize) -> (usize, usize) {
        match self.spelled.spelling {
            Spelling::Escaped => (1, 3),
            _ => escaped(&self.spelled.inside[at..])
                .map_or((1, 1), |(said, length)| (said.len_utf8(), length)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(inside: &str) -> Option<(SpelledField<'_>, Cow<'_, str>)> {
        let mut string = DecodedField::default();
        let length = string.read_json(format!("{inside}\"").as_bytes())?;
        let read = (length == inside.len()).then_some(string);
        SpelledField::new(inside.as_bytes(), Spelling::Json, read?)
    }

    fn spliced(spelling: Spelling, spelled: &str, edits: &[NewText<'_>]) -> String {
        let mut out = Vec::new();
        let spelled = match spelling {
            Spelling::Json => json(spelled),
            _ => SpelledField::separated(spelled.as_bytes(), spelling),
        };
        let (spelled, _) = spelled.unwrap();
        spelled.splice(edits, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn edits_are_of_the_text() {
        let spelled = r#"\u003ca href=\"x\"\/>\ud83d\ude00<a href=\"é\">"#;
        let (_, text) = json(spelled).unwrap();
        let edits: Vec<NewText<'_>> = ["x", "é"]
            .map(|old| {
                let at = text.find(&format!("\"{old}\"")).unwrap() + 1;
                (at..at + old.len(), b"http://h/\"\\".into())
            })
            .into();
        assert_eq!(
            spliced(Spelling::Json, spelled, &edits),
            r#"\u003ca href=\"http://h/\"\\\"\/>\ud83d\ude00<a href=\"http://h/\"\\\">"#
        );
        let spelled = r#"<a title="""" href=""x"">"#;
        let (_, text) = SpelledField::separated(spelled.as_bytes(), Spelling::Quoted).unwrap();
        let at = text.find('x').unwrap();
        assert_eq!(
            spliced(
                Spelling::Quoted,
                spelled,
                &[(at..at, b"\"http://h/".into())]
            ),
            r#"<a title="""" href=""""http://h/x"">"#
        );
    }

    fn unquoted(delimiter: u8) -> Spelling {
        Spelling::Unquoted(UnquotedField { delimiter })
    }

    #[test]
    fn a_field_is_quoted_where_it_has_to_be() {
        let edits = [(8..8, b"http://h/".into())];
        let plain = spliced(unquoted(b','), "<a href=x>", &edits);
        assert_eq!(plain, "<a href=http://h/x>");
        let edits = [(8..8, b"http://h/a,b/".into())];
        let quoted = spliced(unquoted(b','), "<a href=x>", &edits);
        assert_eq!(quoted, "\"<a href=http://h/a,b/x>\"");
        let plain = spliced(unquoted(b'\t'), "<a href=x>", &edits);
        assert_eq!(plain, "<a href=http://h/a,b/x>");
        let edits = [(8..8, b"'http://h/a&#39;'".into())];
        let plain = spliced(unquoted(b','), "<a href=x>", &edits);
        assert_eq!(plain, "<a href='http://h/a&#39;'x>");
        for delimiter in [b';', b'#', b'3', b'z'] {
            let quoted = spliced(unquoted(delimiter), "<a href=x>", &edits);
            assert_eq!(quoted, "\"<a href='http://h/a&#39;'x>\"");
        }
        let edits = [(8..8, b"\"http://h/".into())];
        let quoted = spliced(unquoted(b','), "<a href=x>", &edits);
        assert_eq!(quoted, "\"<a href=\"\"http://h/x>\"");
        // Quotes inside are no quotes to a reader of CSV, until the field is quoted.
        let spelled = "<a href=\"x\">";
        let edits = [(9..9, b"http://h/".into())];
        let plain = spliced(unquoted(b','), spelled, &edits);
        assert_eq!(plain, "<a href=\"http://h/x\">");
        let edits = [(9..9, b"http://h/,/".into())];
        let quoted = spliced(unquoted(b','), spelled, &edits);
        assert_eq!(quoted, "\"<a href=\"\"http://h/,/x\"\">\"");
    }

    fn text(inside: &str) -> Option<String> {
        Some(json(inside)?.1.into_owned())
    }

    #[test]
    fn json_says_what_serde_json_reads() {
        for spelled in [
            "",
            "plain é",
            r#"<a href=\"x\">\n\u00e9\uD83D\uDE00\/\\u0041"#,
            r"\b\f\r\t\\",
        ] {
            let read: String = serde_json::from_str(&format!("\"{spelled}\"")).unwrap();
            assert_eq!(text(spelled).unwrap(), read);
        }
        // Half a character is nothing that text can have.
        for half in [r"a\ud83d\n", r"a\ude00\n"] {
            assert_eq!(text(half).unwrap(), "a\u{fffd}\n");
        }
        assert_eq!(text(r"\ud83d\ud83d\ude00").unwrap(), "\u{fffd}😀");
    }

    #[test]
    fn json_is_what_serde_json_takes() {
        for wrong in [
            "\"", "a\"b", "\n", "a\u{1}", "\\", r"\x", r"\u12", r"\u12g4", r"\u+123", r"\ué12",
            r"\u 123",
        ] {
            let quoted = format!("\"{wrong}\"");
            assert!(serde_json::from_str::<serde_json::Value>(&quoted).is_err());
            assert_eq!(text(wrong), None, "{wrong}");
        }
        assert_eq!(text("a\u{7f}é").unwrap(), "a\u{7f}é");
    }

    /// Whatever is before an escape, each byte of the text is found.
    #[test]
    fn runs_of_any_length_are_passed() {
        let few = (0..20).chain(50..70).chain(118..134).chain(182..198);
        let lengths = few.chain([252, 253, 254, 255, 256, 507, 508, 509, 1000, 5000]);
        let characters = ["x", "é", "字", "😀"];
        let plain = |length: usize| characters.map(|it| it.repeat(length / it.len()));
        for plain in lengths.flat_map(plain) {
            let whole = format!(r"{plain}\n{plain}\u00e9{plain}\ud83d\ude00{plain}");
            let spelled = format!(r"{whole}\ud83d{plain}");
            let said = text(&spelled).unwrap();
            let whole: String = serde_json::from_str(&format!("\"{whole}\"")).unwrap();
            assert_eq!(said, format!("{whole}\u{fffd}{plain}"));
            for (at, character) in said.char_indices() {
                let edits = [(at..at + character.len_utf8(), b"!".into())];
                let out = spliced(Spelling::Json, &spelled, &edits);
                let (before, after) = (&said[..at], &said[at + character.len_utf8()..]);
                assert_eq!(text(&out).unwrap(), format!("{before}!{after}"), "{at}");
            }
            let spelled = format!("{plain}\"\"{plain}\"\"\"\"{plain}");
            let quoted = |spelled: &str| {
                let read = SpelledField::separated(spelled.as_bytes(), Spelling::Quoted);
                read.unwrap().1.into_owned()
            };
            let said = quoted(&spelled);
            assert_eq!(said, spelled.replace("\"\"", "\""));
            for (at, character) in said.char_indices() {
                let edits = [(at..at + character.len_utf8(), b"!".into())];
                let out = spliced(Spelling::Quoted, &spelled, &edits);
                let (before, after) = (&said[..at], &said[at + character.len_utf8()..]);
                assert_eq!(quoted(&out), format!("{before}!{after}"), "{at}");
            }
        }
    }
}
