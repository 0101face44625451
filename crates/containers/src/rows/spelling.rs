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
    /// How many bytes at the beginning of `spelled` stand for themselves.
    fn plain_length(self, spelled: &[u8]) -> usize {
        match self {
            Spelling::Json => json::plain_length(spelled),
            Spelling::Quoted => memchr::memchr(b'"', spelled).unwrap_or(spelled.len()),
            Spelling::Unquoted(_) => spelled.len(),
        }
    }

    /// The character that is escaped at the beginning of `rest`, and the length of the escape.
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

    /// Appends `spelled` with these edits of its text, which ascend. What is not edited keeps its
    /// spelling, but for an unquoted field that has to be quoted now.
    pub(super) fn splice(self, spelled: &str, edits: &[Edit], out: &mut Vec<u8>) {
        let start = out.len();
        let (mut walk, mut copied) = (Walk::new(self, spelled), 0);
        for (old, new) in edits {
            walk.go_to(old.start);
            out.extend_from_slice(&spelled.as_bytes()[copied..walk.at]);
            self.encode(new, out);
            walk.go_to(old.end);
            copied = walk.at;
        }
        out.extend_from_slice(&spelled.as_bytes()[copied..]);
        let Spelling::Unquoted(delimiter) = self else {
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

    /// Appends new text, which is UTF-8.
    fn encode(self, new: &[u8], out: &mut Vec<u8>) {
        match self {
            Spelling::Json => {
                let new = std::str::from_utf8(new)
                    .map_or_else(|_| String::from_utf8_lossy(new), Cow::from);
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

/// What the inside of a quoted field says.
pub(super) fn decode_quoted(spelled: &str) -> Cow<'_, str> {
    match spelled.contains("\"\"") {
        true => Cow::Owned(spelled.replace("\"\"", "\"")),
        false => Cow::Borrowed(spelled),
    }
}

/// Goes through what a field spells, and counts what it says.
struct Walk<'s> {
    spelling: Spelling,
    spelled: &'s [u8],
    /// How many bytes of the text were passed.
    text: usize,
    /// Where that is in `spelled`.
    at: usize,
}

impl<'s> Walk<'s> {
    fn new(spelling: Spelling, spelled: &'s str) -> Self {
        Walk {
            spelling,
            spelled: spelled.as_bytes(),
            text: 0,
            at: 0,
        }
    }

    /// Passes what stands for the text up to this byte of it.
    fn go_to(&mut self, text: usize) {
        while self.text < text {
            let rest = &self.spelled[self.at..];
            let plain = &rest[..rest.len().min(text - self.text)];
            let plain = self.spelling.plain_length(plain);
            self.at += plain;
            self.text += plain;
            if self.text >= text || plain == rest.len() {
                return;
            }
            let escaped = self.spelling.escaped(&rest[plain..]);
            let (said, spelled) = escaped.map_or((1, 1), |(c, length)| (c.len_utf8(), length));
            self.at += spelled;
            self.text += said;
        }
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
    fn edits_are_of_the_text() {
        let spelled = r#"\u003ca href=\"x\"\/>\ud83d\ude00<a href=\"é\">"#;
        let text = json::text(spelled).unwrap();
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
        let at = decode_quoted(spelled).find('x').unwrap();
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
