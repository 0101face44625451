//! What the grammars of RFC 1808 §2.2 and RFC 1738 §5 have in common: their character classes, and
//! a cursor that reports where a URL departs from a rule.

use super::percent;

/// A rule of a grammar, as the RFC writes it.
///
/// # Examples
/// ```
/// let error = abslink_url::rfc1808::validate("a b").unwrap_err();
/// assert!(!error.rule.name.is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its name: the left side.
    pub name: &'static str,
    /// Its definition: the right side.
    pub definition: &'static str,
}

impl Rule {
    /// `rule` is the whole line, `name = definition`.
    pub(crate) const fn new(rule: &'static str) -> Rule {
        let mut equals = 0;
        while rule.as_bytes()[equals] != b'=' {
            equals += 1;
        }
        let (name, definition) = (rule.split_at(equals - 1).0, rule.split_at(equals + 2).1);
        Rule { name, definition }
    }

    /// Another rule with the same right side.
    pub(crate) const fn named(self, name: &'static str) -> Rule {
        Rule { name, ..self }
    }
}

/// Where a URL departs from a grammar, and from which rule.
///
/// # Examples
/// ```
/// use abslink_url::rfc1808::grammar;
/// let error = grammar::validate("http://a/b c").unwrap_err();
/// assert_eq!((error.offset, error.found, error.rule.name), (10, Some(' '), "segment"));
/// assert_eq!(error.to_string(), "byte 10: ` ` does not fit segment = *pchar");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {} does not fit {} = {}", shown(*found), rule.name, rule.definition)]
pub struct GrammarError {
    /// Byte offset in the URL, from 0.
    pub offset: usize,
    /// The character there; `None` at the end of the URL.
    pub found: Option<char>,
    /// The rule that does not allow it there.
    pub rule: Rule,
}

/// Shows a character, or the lack of one, in a message.
fn shown(found: Option<char>) -> String {
    let shown = |found: char| format!("`{}`", found.escape_debug());
    found.map_or("the end".to_owned(), shown)
}

/// `escape`, the same in both RFCs.
const ESCAPE: Rule = Rule::new(r#"escape = "%" hex hex"#);

/// `unreserved` without `escape`, which is three bytes long.
pub(crate) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"$-_.+!*'(),".contains(&byte)
}

/// The class `reserved`; with `unreserved` and `escape` it makes `xchar`.
pub(crate) const RESERVED: &[u8] = b";/?:@&=";

/// A place in a URL that is being read by a grammar.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at byte `at` that sees nothing from byte `end` on.
    pub(crate) fn new(text: &'a str, at: usize, end: usize) -> Cursor<'a> {
        Cursor { text, at, end }
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// The byte offset in the URL.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// The same cursor at another byte, which must be a character's first.
    pub(crate) fn moved_to(self, at: usize) -> Cursor<'a> {
        Cursor { at, ..self }
    }

    /// The error that the next character does not fit `rule`.
    pub(crate) fn departs(&self, rule: Rule) -> GrammarError {
        GrammarError {
            offset: self.at,
            found: self.rest().chars().next(),
            rule,
        }
    }

    /// Reads `literal`, if it is next.
    pub(crate) fn take(&mut self, literal: &str) -> bool {
        let found = self.rest().starts_with(literal);
        if found {
            self.at += literal.len();
        }
        found
    }

    /// Reads `literal`, which `rule` demands.
    pub(crate) fn expect(&mut self, literal: &str, rule: Rule) -> Result<(), GrammarError> {
        if self.take(literal) {
            return Ok(());
        }
        // Points at the first character that differs, not at the beginning of the literal.
        let same = self.rest().bytes().zip(literal.bytes());
        self.at += same.take_while(|(a, b)| a == b).count();
        Err(self.departs(rule))
    }

    /// Reads all the bytes there that are in `class`.
    pub(crate) fn take_while(&mut self, class: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(|&byte| class(byte)).count();
        self.at += length;
        &rest[..length]
    }

    /// Reads `*( uchar | more )`.
    pub(crate) fn uchars(&mut self, more: &[u8]) -> Result<&'a str, GrammarError> {
        let start = self.at;
        loop {
            self.take_while(|byte| is_unreserved(byte) || more.contains(&byte));
            match self.rest().as_bytes() {
                rest if percent::escape(rest).is_some() => self.at += 3,
                [b'%', ..] => return Err(self.departs(ESCAPE)),
                _ => return Ok(&self.text[start..self.at]),
            }
        }
    }

    /// Makes sure that nothing is left for `rule` to match.
    pub(crate) fn finish(&self, rule: Rule) -> Result<(), GrammarError> {
        if self.at == self.end {
            Ok(())
        } else {
            Err(self.departs(rule))
        }
    }
}
