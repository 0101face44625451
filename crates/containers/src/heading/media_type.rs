//! `Content-Type` (RFC 2045 §5.1), with the continued and extended parameters of RFC 2231.

use super::fields::Heading;

/// As many sections of a parameter are put together; real ones have two or three.
const MAX_SECTIONS: usize = 32;

/// A media type with its parameters.
#[derive(Debug, Default)]
pub(crate) struct MediaType {
    /// `type/subtype` in lower case.
    pub(crate) essence: String,
    /// Names in lower case, and values without quotes.
    parameters: Vec<(String, String)>,
}

impl MediaType {
    /// The media type that a heading names, else `default`.
    pub(crate) fn of(heading: Heading<'_>, default: &str) -> MediaType {
        let field = heading.get("Content-Type");
        let value = field.map(|field| String::from_utf8_lossy(field.value).into_owned());
        match value.map(|value| MediaType::parse(&value)) {
            Some(found) if found.essence.contains('/') => found,
            _ => MediaType::parse(default),
        }
    }

    /// The last one of a list, as HTTP joins fields, that is one.
    #[cfg(feature = "archives")]
    pub(crate) fn last(list: &str) -> Option<MediaType> {
        let (mut rest, mut last) = (list, None);
        loop {
            let part = MediaType::parse(&token(&mut rest, &[',']));
            last = Some(part)
                .filter(|part| part.essence.contains('/'))
                .or(last);
            rest = match rest.strip_prefix(',') {
                Some(after) => after,
                None => return last,
            };
        }
    }

    /// `text/html`, and no more.
    #[cfg(feature = "archives")]
    pub(crate) fn html() -> MediaType {
        MediaType::parse("text/html")
    }

    fn parse(value: &str) -> MediaType {
        let mut rest = value;
        let mut essence = token(&mut rest, &[';']).to_ascii_lowercase();
        essence.retain(|c| !c.is_ascii_whitespace());
        let mut parameters = Vec::new();
        while rest.strip_prefix(';').is_some() {
            rest = &rest[1..];
            let name = token(&mut rest, &['=', ';']).trim().to_ascii_lowercase();
            if let Some(after) = rest.strip_prefix('=') {
                rest = after;
                let value = token(&mut rest, &[';']).trim().to_owned();
                parameters.push((name, value));
            }
        }
        MediaType {
            essence,
            parameters,
        }
    }

    /// The value of a parameter; one in sections (RFC 2231 §3) is put together.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        if let Some(value) = self.value(name) {
            return Some(value.to_owned());
        }
        if let Some(value) = self.value(&format!("{name}*")) {
            return Some(decode(value).to_owned());
        }
        let mut whole = String::new();
        for section in 0..MAX_SECTIONS {
            let plain = self.value(&format!("{name}*{section}"));
            let extended = || self.value(&format!("{name}*{section}*")).map(decode);
            match plain.or_else(extended) {
                Some(value) => whole.push_str(value),
                None => break,
            }
        }
        (!whole.is_empty()).then_some(whole)
    }

    fn value(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| &**value)
    }
}

/// RFC 2231 §4: `charset'language'value`. Percent-encoding is not undone: what is asked for here,
/// boundaries and names of character encodings, has none.
fn decode(value: &str) -> &str {
    value.splitn(3, '\'').last().unwrap_or(value)
}

/// What stands before one of `ends`, outside quoted strings and comments, which are undone.
fn token(rest: &mut &str, ends: &[char]) -> String {
    let end = rest.find(ends).unwrap_or(rest.len());
    let plain = &rest[..end];
    if !plain.contains(['"', '(', '\r', '\n']) {
        *rest = &rest[end..];
        return plain.to_owned();
    }
    let mut token = String::new();
    let (mut quoted, mut comments) = (false, 0_usize);
    let mut characters = rest.char_indices();
    let mut stopped = rest.len();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quoted || comments > 0 => {
                let escaped = characters.next();
                token.extend(escaped.filter(|_| quoted).map(|(_, escaped)| escaped));
            }
            '"' if comments == 0 => quoted = !quoted,
            // Folding inside a quoted string is no part of it.
            '\r' | '\n' => {}
            _ if quoted => token.push(character),
            '(' => comments += 1,
            ')' if comments > 0 => comments -= 1,
            _ if comments > 0 => {}
            _ if ends.contains(&character) => {
                stopped = at;
                break;
            }
            _ => token.push(character),
        }
    }
    *rest = &rest[stopped..];
    token
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_chrome_writes() {
        let found = MediaType::parse(
            " multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----Multipart--x----\"",
        );
        assert_eq!(found.essence, "multipart/related");
        assert_eq!(
            found.parameter("boundary").as_deref(),
            Some("----Multipart--x----")
        );
        assert_eq!(found.parameter("type").as_deref(), Some("text/html"));
        assert_eq!(found.parameter("charset"), None);
    }

    #[test]
    fn comments_quotes_and_letter_case() {
        let found = MediaType::parse("Text/HTML (a \\) comment;) ; CharSet = \"us\\-ascii\" (x)");
        assert_eq!(found.essence, "text/html");
        assert_eq!(found.parameter("charset").as_deref(), Some("us-ascii"));
        let found = MediaType::parse("multipart/mixed; x; boundary=\"a;b=c\"; y=");
        assert_eq!(found.parameter("boundary").as_deref(), Some("a;b=c"));
        assert_eq!(found.parameter("y").as_deref(), Some(""));
    }

    #[test]
    fn parameters_in_sections() {
        let found = MediaType::parse("a/b; boundary*1=cd; boundary*0*=''ab; charset*=''utf-8");
        assert_eq!(found.parameter("boundary").as_deref(), Some("abcd"));
        assert_eq!(found.parameter("charset").as_deref(), Some("utf-8"));
    }

    #[test]
    fn without_a_type_the_default_holds() {
        let of = |heading: &[u8]| {
            let heading = Heading::new(heading, 0..heading.len());
            MediaType::of(heading, "text/plain").essence
        };
        assert_eq!(of(b"Content-Type: text\r\n"), "text/plain");
        assert_eq!(of(b""), "text/plain");
        assert_eq!(of(b"content-type: text/html\r\n"), "text/html");
    }
}
