//! How a field spells its text: what is decoded, and how new text is written into it.

use std::borrow::Cow;

use abslink_html::json;

use super::NewText;

/// How text is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// The inside of a JSON string (RFC 8259 §7).
    Json,
    /// The inside of a quoted CSV field (RFC 4180 §2): quotes are doubled.
    Quoted,
    /// An unquoted CSV field, between such delimiters.
    Unquoted(u8),
}

impl Spelling {
    /// Appends new text, which is UTF-8.
    fn encode(self, new: &[u8], out: &mut Vec<u8>) {
        match self {
            Spelling::Json if json::stands_for_itself(new) => out.extend_from_slice(new),
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
            Spelling::Unquoted(_) => out.extend_from_slice(new),
        }
    }
}

/// The character that is escaped at the beginning of `rest`, in JSON, and the length of the escape. Half a surrogate
/// pair counts as U+FFFD, which is what browsers make of it in a URL.
#[inline]
fn escaped(rest: &[u8]) -> Option<(char, usize)> {
    let (character, length) = json::escaped(rest)?;
    Some((character.unwrap_or(char::REPLACEMENT_CHARACTER), length))
}

/// What was read of a field that has escapes: nothing is looked for a second time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decoded {
    /// What the field says; nothing if it has no escapes, and so says what it has.
    text: Vec<u8>,
    runs: Runs,
}

/// Where the escapes of a field are: how many bytes stand for themselves before each, and after the last all do.
///
/// A byte for each, since a row may have nothing else: [`Runs::MOST`] stands for so many without an escape behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Runs(Vec<u8>);

impl Runs {
    const MOST: u8 = u8::MAX;

    fn push(&mut self, mut plain: usize) {
        loop {
            match u8::try_from(plain) {
                Ok(run) if run < Runs::MOST => return self.0.push(run),
                _ => self.0.push(Runs::MOST),
            }
            plain -= usize::from(Runs::MOST);
        }
    }
}

impl Decoded {
    /// Reads the JSON string that `rest` begins in, and gives its length, up to its closing quote. `None` if it is no
    /// string.
    #[inline]
    pub(super) fn read_json(&mut self, rest: &[u8]) -> Option<usize> {
        self.text.clear();
        self.runs.0.clear();
        let mut at = 0;
        loop {
            let run = rest.get(at..)?;
            let plain = json::plain_length(run);
            let escape = &run[plain..];
            if escape.starts_with(b"\"") {
                self.end(&run[..plain]);
                return Some(at + plain);
            }
            let (character, length) = escaped(escape)?;
            self.escape(run, plain, character);
            at += plain + length;
        }
    }

    /// Reads the inside of a quoted field of CSV.
    fn quoted(inside: &[u8]) -> Decoded {
        let (mut decoded, mut rest) = (Decoded::default(), inside);
        while let Some(plain) = memchr::memmem::find(rest, b"\"\"") {
            decoded.escape(rest, plain, '"');
            rest = &rest[plain + 2..];
        }
        decoded.end(rest);
        decoded
    }

    /// Appends so many bytes, with which `run` begins, and the character that is escaped behind them.
    #[inline]
    fn escape(&mut self, run: &[u8], plain: usize, character: char) {
        /// Most runs are shorter. They are copied without a call, as there are so many.
        const SHORT: usize = 32;
        /// Of a row that is shorter, all may be in this field.
        const LIKELY: usize = 1 << 16;
        if self.runs.0.is_empty() {
            let likely = run.len().min(LIKELY);
            self.text.reserve(likely);
            self.runs.0.reserve(likely / SHORT);
        }
        match run.first_chunk::<SHORT>() {
            Some(more) if plain <= SHORT => {
                let end = self.text.len() + plain;
                self.text.extend_from_slice(more);
                self.text.truncate(end);
            }
            _ => self.text.extend_from_slice(&run[..plain]),
        }
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => self.text.push(byte),
            _ => (self.text).extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        self.runs.push(plain);
    }

    /// Appends what is behind the last escape.
    fn end(&mut self, run: &[u8]) {
        if !self.runs.0.is_empty() {
            self.text.extend_from_slice(run);
        }
    }
}

/// A field as it is spelled: without quotes around it.
#[derive(Debug)]
pub(super) struct Spelled<'s> {
    inside: &'s [u8],
    spelling: Spelling,
    runs: Runs,
}

impl<'s> Spelled<'s> {
    /// A string of JSON, and what it says; `None` if that is no UTF-8.
    pub(super) fn json(inside: &'s [u8], string: Decoded) -> Option<(Spelled<'s>, Cow<'s, str>)> {
        Spelled::new(inside, Spelling::Json, string)
    }

    /// A field of CSV, and what it says.
    pub(super) fn separated(
        inside: &'s [u8],
        spelling: Spelling,
    ) -> Option<(Spelled<'s>, Cow<'s, str>)> {
        let decoded = match spelling {
            Spelling::Quoted => Decoded::quoted(inside),
            _ => Decoded::default(),
        };
        Spelled::new(inside, spelling, decoded)
    }

    fn new(
        inside: &'s [u8],
        spelling: Spelling,
        Decoded { mut text, mut runs }: Decoded,
    ) -> Option<(Spelled<'s>, Cow<'s, str>)> {
        // There may be many fields in a row.
        text.shrink_to_fit();
        runs.0.shrink_to_fit();
        let text = match runs.0.is_empty() {
            true => Cow::Borrowed(str::from_utf8(inside).ok()?),
            false => Cow::Owned(String::from_utf8(text).ok()?),
        };
        let spelled = Spelled {
            inside,
            spelling,
            runs,
        };
        Some((spelled, text))
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        self.inside.len()
    }

    /// Appends it with these edits of its text, which ascend. What is not edited keeps its spelling, but for an unquoted
    /// field that has to be quoted now.
    pub(super) fn splice(&self, edits: &[NewText<'_>], out: &mut Vec<u8>) {
        let start = out.len();
        let (mut walk, mut copied) = (Walk::new(self), 0);
        let inside = self.inside;
        for (old, new) in edits {
            walk.go_to(old.start);
            out.extend_from_slice(&inside[copied..walk.at]);
            self.spelling.encode(new, out);
            walk.go_to(old.end);
            copied = walk.at;
        }
        out.extend_from_slice(&inside[copied..]);
        let Spelling::Unquoted(delimiter) = self.spelling else {
            return;
        };
        // A quote counts at the beginning only.
        let ends = |byte: &u8| matches!(byte, b'\r' | b'\n') || *byte == delimiter;
        let is_quote = out.get(start) == Some(&b'"');
        if is_quote || edits.iter().any(|(_, new)| new.iter().any(ends)) {
            let field = out.split_off(start);
            out.push(b'"');
            Spelling::Quoted.encode(&field, out);
            out.push(b'"');
        }
    }
}

/// Goes through what a field spells, and counts what it says.
struct Walk<'s> {
    spelled: &'s Spelled<'s>,
    runs: std::slice::Iter<'s, u8>,
    /// How many bytes stand for themselves before the next escape, or in front of where one might be.
    plain: usize,
    /// Whether there is an escape behind them.
    is_before_escape: bool,
    /// How many bytes of the text were passed.
    text: usize,
    /// Where that is in what is spelled.
    at: usize,
}

impl<'s> Walk<'s> {
    fn new(spelled: &'s Spelled<'s>) -> Self {
        let mut walk = Walk {
            spelled,
            runs: spelled.runs.0.iter(),
            plain: 0,
            is_before_escape: false,
            text: 0,
            at: 0,
        };
        walk.next_run();
        walk
    }

    fn next_run(&mut self) {
        let run = self.runs.next();
        self.is_before_escape = run.is_some_and(|&run| run < Runs::MOST);
        self.plain = run.map_or(self.spelled.len() - self.at, |&run| usize::from(run));
    }

    /// Passes what stands for the text up to this byte of it.
    fn go_to(&mut self, text: usize) {
        while self.text < text {
            let plain = self.plain.min(text - self.text);
            self.at += plain;
            self.text += plain;
            self.plain -= plain;
            if self.text == text || self.at == self.spelled.len() {
                return;
            }
            if self.is_before_escape {
                let rest = &self.spelled.inside[self.at..];
                // All others are two bytes, which say one.
                let (said, length) = match rest {
                    [b'\\', b'u', ..] => {
                        escaped(rest).map_or((1, 1), |(said, length)| (said.len_utf8(), length))
                    }
                    _ => (1, 2),
                };
                self.at += length;
                self.text += said;
            }
            self.next_run();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(inside: &str) -> Option<(Spelled<'_>, Cow<'_, str>)> {
        let mut string = Decoded::default();
        let length = string.read_json(format!("{inside}\"").as_bytes())?;
        let read = (length == inside.len()).then_some(string);
        Spelled::json(inside.as_bytes(), read?)
    }

    fn spliced(spelling: Spelling, spelled: &str, edits: &[NewText<'_>]) -> String {
        let mut out = Vec::new();
        let spelled = match spelling {
            Spelling::Json => json(spelled),
            _ => Spelled::separated(spelled.as_bytes(), spelling),
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
        let (_, text) = Spelled::separated(spelled.as_bytes(), Spelling::Quoted).unwrap();
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

    #[test]
    fn a_field_is_quoted_where_it_has_to_be() {
        let edits = [(8..8, b"http://h/".into())];
        let plain = spliced(Spelling::Unquoted(b','), "<a href=x>", &edits);
        assert_eq!(plain, "<a href=http://h/x>");
        let edits = [(8..8, b"http://h/a,b/".into())];
        let quoted = spliced(Spelling::Unquoted(b','), "<a href=x>", &edits);
        assert_eq!(quoted, "\"<a href=http://h/a,b/x>\"");
        let plain = spliced(Spelling::Unquoted(b'\t'), "<a href=x>", &edits);
        assert_eq!(plain, "<a href=http://h/a,b/x>");
        // Quotes inside are no quotes to a reader of CSV, until the field is quoted.
        let spelled = "<a href=\"x\">";
        let edits = [(9..9, b"http://h/".into())];
        let plain = spliced(Spelling::Unquoted(b','), spelled, &edits);
        assert_eq!(plain, "<a href=\"http://h/x\">");
        let edits = [(9..9, b"http://h/,/".into())];
        let quoted = spliced(Spelling::Unquoted(b','), spelled, &edits);
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
        let lengths = [0, 1, 7, 8, 9, 253, 254, 255, 256, 509, 510, 511, 1000];
        let characters = ["x", "é", "字", "😀"];
        let plain = |length: usize| characters.map(|it| it.repeat(length / it.len()));
        for plain in lengths.into_iter().flat_map(plain) {
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
                let read = Spelled::separated(spelled.as_bytes(), Spelling::Quoted);
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
