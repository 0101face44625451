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
    /// What every escape begins with.
    fn mark(self) -> Option<u8> {
        match self {
            Spelling::Json => Some(b'\\'),
            Spelling::Quoted => Some(b'"'),
            Spelling::Unquoted(_) => None,
        }
    }

    /// The character that is escaped at the beginning of `rest`, and the length of the escape. Half a
    /// surrogate pair counts as U+FFFD, which is what browsers make of it in a URL.
    fn escaped(self, rest: &[u8]) -> Option<(char, usize)> {
        if self == Spelling::Quoted {
            return rest.starts_with(b"\"\"").then_some(('"', 2));
        }
        let plain = match *rest.get(1)? {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let unit = |rest: &[u8]| {
                    let digits = std::str::from_utf8(rest.strip_prefix(b"\\u")?.get(..4)?).ok()?;
                    u16::from_str_radix(digits, 16).ok()
                };
                let first = unit(rest)?;
                let second = rest.get(6..).and_then(unit);
                let mut units = char::decode_utf16([first].into_iter().chain(second));
                let Ok(character) = units.next()? else {
                    return Some((char::REPLACEMENT_CHARACTER, 6));
                };
                return Some((character, 6 * character.len_utf16()));
            }
            escaped @ (b'"' | b'\\' | b'/') => char::from(escaped),
            _ => return None,
        };
        Some((plain, 2))
    }

    /// What `spelled` says.
    pub(super) fn decode(self, spelled: &str) -> Cow<'_, str> {
        let mut walk = Walk::new(self, spelled);
        let mut text = String::new();
        while let Some(character) = walk.next_escaped(usize::MAX) {
            if text.is_empty() {
                text.reserve(spelled.len());
            }
            text.push_str(&spelled[walk.copied..walk.before]);
            text.push(character);
            walk.copied = walk.at;
        }
        if walk.copied == 0 {
            return Cow::Borrowed(spelled);
        }
        text.push_str(&spelled[walk.copied..]);
        Cow::Owned(text)
    }

    /// Appends `spelled` with these edits of its text, which ascend. What is not edited keeps its
    /// spelling, but for an unquoted field that has to be quoted now.
    pub(super) fn splice(self, spelled: &str, edits: &[Edit], out: &mut Vec<u8>) {
        let start = out.len();
        let mut walk = Walk::new(self, spelled);
        for (old, new) in edits {
            walk.go_to(old.start);
            out.extend_from_slice(&spelled.as_bytes()[walk.copied..walk.at]);
            self.encode(&String::from_utf8_lossy(new), out);
            walk.go_to(old.end);
            walk.copied = walk.at;
        }
        out.extend_from_slice(&spelled.as_bytes()[walk.copied..]);
        let Spelling::Unquoted(delimiter) = self else {
            return;
        };
        // A quote counts at the beginning only.
        let ends = |byte: &u8| matches!(byte, b'\r' | b'\n') || *byte == delimiter;
        let is_quote = out.get(start) == Some(&b'"');
        if is_quote || edits.iter().any(|(_, new)| new.iter().any(ends)) {
            let field = out.split_off(start);
            out.push(b'"');
            Spelling::Quoted.encode(&String::from_utf8_lossy(&field), out);
            out.push(b'"');
        }
    }

    /// Appends new text.
    fn encode(self, new: &str, out: &mut Vec<u8>) {
        match self {
            Spelling::Json => {
                let mut escaped = String::new();
                json::encode(new, &mut escaped);
                out.extend_from_slice(escaped.as_bytes());
            }
            Spelling::Quoted => out.extend_from_slice(new.replace('"', "\"\"").as_bytes()),
            Spelling::Unquoted(_) => out.extend_from_slice(new.as_bytes()),
        }
    }
}

/// Goes through what a field spells, and counts what it says.
struct Walk<'s> {
    spelling: Spelling,
    spelled: &'s str,
    /// How many bytes of the text were passed.
    text: usize,
    /// Where that is in `spelled`.
    at: usize,
    /// Where the last escape begins.
    before: usize,
    /// How much of it was copied.
    copied: usize,
}

impl<'s> Walk<'s> {
    fn new(spelling: Spelling, spelled: &'s str) -> Self {
        Walk {
            spelling,
            spelled,
            text: 0,
            at: 0,
            before: 0,
            copied: 0,
        }
    }

    /// Passes the next escape that begins before this byte of the text, or what there is before it.
    fn next_escaped(&mut self, end: usize) -> Option<char> {
        let bytes = self.spelled.as_bytes();
        loop {
            let rest = &bytes[self.at..];
            let left = rest.len().min(end.saturating_sub(self.text));
            let mark = self.spelling.mark();
            let found = mark.and_then(|mark| memchr::memchr(mark, &rest[..left]));
            let plain = found.unwrap_or(left);
            self.at += plain;
            self.text += plain;
            self.before = self.at;
            found?;
            match self.spelling.escaped(&bytes[self.at..]) {
                Some((character, length)) => {
                    self.at += length;
                    self.text += character.len_utf8();
                    return Some(character);
                }
                None => {
                    self.at += 1;
                    self.text += 1;
                }
            }
        }
    }

    fn go_to(&mut self, text: usize) {
        while self.next_escaped(text).is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spliced(spelling: Spelling, spelled: &str, edits: &[Edit]) -> String {
        let mut out = Vec::new();
        spelling.splice(spelled, edits, &mut out);
        String::from_utf8(out).unwrap()
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
            assert_eq!(Spelling::Json.decode(spelled), read);
        }
        // Half a character is nothing that text can have.
        for half in [r"a\ud83d\n", r"a\ude00\n"] {
            assert_eq!(Spelling::Json.decode(half), "a\u{fffd}\n");
        }
        assert_eq!(Spelling::Json.decode(r"\ud83d\ud83d\ude00"), "\u{fffd}😀");
    }

    #[test]
    fn edits_are_of_the_text() {
        let spelled = r#"\u003ca href=\"x\"\/>\ud83d\ude00<a href=\"é\">"#;
        let text = Spelling::Json.decode(spelled);
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
        let at = Spelling::Quoted.decode(spelled).find('x').unwrap();
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
}
