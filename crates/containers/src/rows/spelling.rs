//! How a field spells its text: what is decoded, and how new text is written into it.

use std::borrow::Cow;

use abslink_html::{Edit, json};

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
    /// The character that is escaped at the beginning of `rest`, and the length of the escape. Half a surrogate pair
    /// counts as U+FFFD, which is what browsers make of it in a URL.
    #[inline]
    fn escaped(self, rest: &[u8]) -> Option<(char, usize)> {
        match self {
            Spelling::Json => {
                let (character, length) = json::escaped(rest)?;
                Some((character.unwrap_or(char::REPLACEMENT_CHARACTER), length))
            }
            Spelling::Quoted => rest.starts_with(b"\"\"").then_some(('"', 2)),
            Spelling::Unquoted(_) => None,
        }
    }

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

/// Where the escapes of a field are: how many bytes stand for themselves before each, and after the last all do.
///
/// A byte for each, since a row may have nothing else: [`Runs::MOST`] stands for so many without an escape behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Runs(Vec<u8>);

impl Runs {
    const MOST: u8 = u8::MAX;

    fn push(&mut self, mut plain: usize) {
        while plain >= usize::from(Runs::MOST) {
            self.0.push(Runs::MOST);
            plain -= usize::from(Runs::MOST);
        }
        self.0.extend(u8::try_from(plain));
    }

    /// Reads the JSON string that `rest` begins in, and gives its length, up to its closing quote. `None` if it is no
    /// string.
    #[inline]
    pub(super) fn read_json(&mut self, rest: &[u8]) -> Option<usize> {
        self.0.clear();
        let mut at = 0;
        loop {
            let plain = json::plain_length(rest.get(at..)?);
            at += plain;
            match rest.get(at..)? {
                [b'"', ..] => return Some(at),
                escape @ [b'\\', next, ..] => {
                    self.push(plain);
                    at += match next {
                        b'u' => json::escaped(escape)?.1,
                        _ => 2,
                    };
                }
                _ => return None,
            }
        }
    }

    /// Those of the inside of a quoted field of CSV.
    fn of_quoted(inside: &[u8]) -> Runs {
        let (mut runs, mut at) = (Runs::default(), 0);
        while let Some(plain) = memchr::memmem::find(&inside[at..], b"\"\"") {
            runs.push(plain);
            at += plain + 2;
        }
        runs
    }
}

/// A field as it is spelled: without quotes around it.
#[derive(Debug)]
pub(super) struct Spelled<'s> {
    inside: &'s str,
    spelling: Spelling,
    runs: Runs,
}

impl<'s> Spelled<'s> {
    /// A string of JSON, with what [`Runs::read_json`] has found in it.
    pub(super) fn json(inside: &'s str, runs: Runs) -> Spelled<'s> {
        let spelling = Spelling::Json;
        Spelled {
            inside,
            spelling,
            runs,
        }
    }

    /// A field of CSV.
    pub(super) fn separated(inside: &'s str, spelling: Spelling) -> Spelled<'s> {
        let runs = match spelling {
            Spelling::Quoted => Runs::of_quoted(inside.as_bytes()),
            _ => Runs::default(),
        };
        Spelled {
            inside,
            spelling,
            runs,
        }
    }

    /// How many bytes it has.
    pub(super) fn len(&self) -> usize {
        self.inside.len()
    }

    /// What it says; `None` if no field may be so.
    pub(super) fn text(&self) -> Option<Cow<'s, str>> {
        if self.runs.0.is_empty() {
            return Some(Cow::Borrowed(self.inside));
        }
        let (mut text, mut at, mut plain) = (String::with_capacity(self.inside.len()), 0, 0);
        for &run in &self.runs.0 {
            plain += usize::from(run);
            // What is in several bytes of the runs may be cut within a character.
            if run < Runs::MOST {
                let escape = at + plain;
                text.push_str(self.inside.get(at..escape)?);
                let rest = self.inside.as_bytes().get(escape..)?;
                let (character, length) = self.spelling.escaped(rest)?;
                text.push(character);
                (at, plain) = (escape + length, 0);
            }
        }
        text.push_str(self.inside.get(at..)?);
        Some(Cow::Owned(text))
    }

    /// What a field of CSV says: each may be as it is.
    pub(super) fn text_of_cell(&self) -> Cow<'s, str> {
        self.text().unwrap_or(Cow::Borrowed(self.inside))
    }

    /// Appends it with these edits of its text, which ascend. What is not edited keeps its spelling, but for an unquoted
    /// field that has to be quoted now.
    pub(super) fn splice(&self, edits: &[Edit], out: &mut Vec<u8>) {
        let start = out.len();
        let (mut walk, mut copied) = (Walk::new(self), 0);
        let inside = self.inside.as_bytes();
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
                let rest = &self.spelled.inside.as_bytes()[self.at..];
                // All others are two bytes, which say one.
                let (said, length) = match rest {
                    [b'\\', b'u', ..] => {
                        let escaped = self.spelled.spelling.escaped(rest);
                        escaped.map_or((1, 1), |(said, length)| (said.len_utf8(), length))
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

    fn json(inside: &str) -> Option<Spelled<'_>> {
        let mut runs = Runs::default();
        let length = runs.read_json(format!("{inside}\"").as_bytes())?;
        (length == inside.len()).then(|| Spelled::json(inside, runs))
    }

    fn spliced(spelling: Spelling, spelled: &str, edits: &[Edit]) -> String {
        let mut out = Vec::new();
        let spelled = match spelling {
            Spelling::Json => json(spelled).unwrap(),
            _ => Spelled::separated(spelled, spelling),
        };
        spelled.splice(edits, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn edits_are_of_the_text() {
        let spelled = r#"\u003ca href=\"x\"\/>\ud83d\ude00<a href=\"é\">"#;
        let text = json(spelled).unwrap().text().unwrap();
        let edits: Vec<Edit> = ["x", "é"]
            .map(|old| {
                let at = text.find(&format!("\"{old}\"")).unwrap() + 1;
                (at..at + old.len(), b"http://h/\"\\".to_vec())
            })
            .into();
        assert_eq!(
            spliced(Spelling::Json, spelled, &edits),
            r#"\u003ca href=\"http://h/\"\\\"\/>\ud83d\ude00<a href=\"http://h/\"\\\">"#
        );
        let spelled = r#"<a title="""" href=""x"">"#;
        let text = Spelled::separated(spelled, Spelling::Quoted).text();
        let at = text.unwrap().find('x').unwrap();
        assert_eq!(
            spliced(
                Spelling::Quoted,
                spelled,
                &[(at..at, b"\"http://h/".to_vec())]
            ),
            r#"<a title="""" href=""""http://h/x"">"#
        );
    }

    #[test]
    fn a_field_is_quoted_where_it_has_to_be() {
        let edits = [(8..8, b"http://h/".to_vec())];
        let plain = spliced(Spelling::Unquoted(b','), "<a href=x>", &edits);
        assert_eq!(plain, "<a href=http://h/x>");
        let edits = [(8..8, b"http://h/a,b/".to_vec())];
        let quoted = spliced(Spelling::Unquoted(b','), "<a href=x>", &edits);
        assert_eq!(quoted, "\"<a href=http://h/a,b/x>\"");
        let plain = spliced(Spelling::Unquoted(b'\t'), "<a href=x>", &edits);
        assert_eq!(plain, "<a href=http://h/a,b/x>");
        // Quotes inside are no quotes to a reader of CSV, until the field is quoted.
        let spelled = "<a href=\"x\">";
        let edits = [(9..9, b"http://h/".to_vec())];
        let plain = spliced(Spelling::Unquoted(b','), spelled, &edits);
        assert_eq!(plain, "<a href=\"http://h/x\">");
        let edits = [(9..9, b"http://h/,/".to_vec())];
        let quoted = spliced(Spelling::Unquoted(b','), spelled, &edits);
        assert_eq!(quoted, "\"<a href=\"\"http://h/,/x\"\">\"");
    }

    fn text(inside: &str) -> Option<String> {
        let spelled = json(inside)?;
        spelled.text().map(Cow::into_owned)
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
                let edits = [(at..at + character.len_utf8(), b"!".to_vec())];
                let out = spliced(Spelling::Json, &spelled, &edits);
                let (before, after) = (&said[..at], &said[at + character.len_utf8()..]);
                assert_eq!(text(&out).unwrap(), format!("{before}!{after}"), "{at}");
            }
            let spelled = format!("{plain}\"\"{plain}\"\"\"\"{plain}");
            let quoted = |spelled: &str| {
                let text = Spelled::separated(spelled, Spelling::Quoted).text();
                text.unwrap().into_owned()
            };
            let said = quoted(&spelled);
            assert_eq!(said, spelled.replace("\"\"", "\""));
            for (at, character) in said.char_indices() {
                let edits = [(at..at + character.len_utf8(), b"!".to_vec())];
                let out = spliced(Spelling::Quoted, &spelled, &edits);
                let (before, after) = (&said[..at], &said[at + character.len_utf8()..]);
                assert_eq!(quoted(&out), format!("{before}!{after}"), "{at}");
            }
        }
    }
}
