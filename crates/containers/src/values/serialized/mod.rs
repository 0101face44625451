//! What PHP's `serialize` writes (php-src, `ext/standard/var_unserializer.re`), read as strictly as `unserialize` reads
//! it, but for class names, which it passes over.

mod strings;

use std::ops::Range;

use super::{Event, Expected};

/// Whether a text begins as arrays, objects and strings do: then all of it has to be one value.
pub(super) fn begins(text: &str) -> bool {
    let (opens, rest) = match text.trim_ascii_start().as_bytes() {
        [b'a', b':', rest @ ..] => (b'{', rest),
        [b's' | b'S' | b'O' | b'C' | b'E', b':', rest @ ..] => (b'"', rest),
        _ => return false,
    };
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    length > 0 && rest[length..].starts_with(&[b':', opens])
}

/// Where a string with markup stands in a text that is no value as a whole: in a session of PHP, `name|s:8:"<a b=c>";`, or
/// between values of other programs.
pub(super) fn inside(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut markup = memchr::memchr_iter(b'<', bytes).peekable();
    let mut colons = memchr::memchr_iter(b':', bytes);
    colons.find_map(|colon| {
        if bytes.get(colon + 1) != Some(&b'"') {
            return None;
        }
        let before = text[..colon].trim_end_matches(|digit: char| digit.is_ascii_digit());
        let length: usize = text[before.len()..colon].parse().ok()?;
        let start = colon + ":\"".len();
        let end = start.checked_add(length)?;
        let is_string = before.ends_with("s:") && bytes[start..].get(length) == Some(&b'"');
        if !is_string {
            return None;
        }
        while markup.next_if(|at| *at < start).is_some() {}
        let has_markup = markup.peek().is_some_and(|at| *at < end);
        has_markup.then_some(before.len() - "s:".len())
    })
}

/// An array or object that is open.
struct Open {
    /// How many of its pairs are still to come.
    left: usize,
    has_key: bool,
}

struct Reader<'v, E> {
    text: &'v str,
    at: usize,
    each: E,
}

/// Reads a value, which may have blanks around it.
pub(super) fn read<'v>(text: &'v str, each: impl FnMut(Event<'v>)) -> Result<(), Expected> {
    let at = text.len() - text.trim_ascii_start().len();
    let mut reader = Reader { text, at, each };
    // What is open is on the heap, as no value must exhaust the stack.
    let mut open: Vec<Open> = Vec::with_capacity(8);
    loop {
        match open.last_mut() {
            Some(Open {
                left: 0,
                has_key: false,
            }) => {
                reader.take(b'}')?;
                (reader.each)(Event::Close);
                open.pop();
            }
            Some(inside) if !inside.has_key => {
                inside.has_key = true;
                inside.left -= 1;
                reader.key()?;
                continue;
            }
            around => {
                if let Some(around) = around {
                    around.has_key = false;
                }
                if let Some(left) = reader.value()? {
                    (reader.each)(Event::Open { is_object: true });
                    let has_key = false;
                    open.push(Open { left, has_key });
                }
            }
        }
        if open.is_empty() {
            return match reader.rest().trim_ascii_start() {
                [] => Ok(()),
                rest => {
                    reader.at = text.len() - rest.len();
                    Err(reader.expected("the end of the value"))
                }
            };
        }
    }
}

impl<'v, E: FnMut(Event<'v>)> Reader<'v, E> {
    fn rest(&self) -> &'v [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn expected(&self, what: impl Into<String>) -> Expected {
        Expected {
            at: self.at,
            what: format!("not a serialized value: expected {}", what.into()),
        }
    }

    #[inline]
    fn take(&mut self, token: u8) -> Result<(), Expected> {
        if self.text.as_bytes().get(self.at) != Some(&token) {
            return Err(self.expected(format!("`{}`", char::from(token))));
        }
        self.at += 1;
        Ok(())
    }

    /// Takes what is before the next `;`, and that, if all of it is as it has to be.
    fn scalar(
        &mut self,
        what: &str,
        is_right: impl Fn(&str) -> bool,
    ) -> Result<Range<usize>, Expected> {
        /// Numbers are shorter.
        const MOST: usize = 400;
        let length = self.rest().iter().take(MOST).position(|byte| *byte == b';');
        let taken = length.map(|length| self.at..self.at + length);
        match taken.filter(|taken| self.text.get(taken.clone()).is_some_and(is_right)) {
            Some(taken) => {
                self.at = taken.end + 1;
                Ok(taken)
            }
            None => Err(self.expected(format!("{what} and `;`"))),
        }
    }

    fn number(&mut self, end: u8) -> Result<(usize, Range<usize>), Expected> {
        let rest = self.rest();
        let (mut length, mut number) = (0, Some(0_usize));
        while let Some(digit @ b'0'..=b'9') = rest.get(length) {
            let digit = usize::from(digit - b'0');
            number = number.and_then(|all| all.checked_mul(10)?.checked_add(digit));
            length += 1;
        }
        match number.filter(|_| length > 0 && rest.get(length) == Some(&end)) {
            Some(number) => {
                let digits = self.at..self.at + length;
                self.at = digits.end + 1;
                Ok((number, digits))
            }
            None => Err(self.expected(format!("a number and `{}`", char::from(end)))),
        }
    }

    /// The name of a class or case behind its length.
    fn name(&mut self) -> Result<(), Expected> {
        let (length, _) = self.number(b':')?;
        self.quoted(length).map(|_| ())
    }

    fn kind(&mut self) -> Option<u8> {
        let (kind, colon) = self.rest().split_first()?;
        let is_null = *kind == b'N' && colon.starts_with(b";");
        (is_null || colon.starts_with(b":")).then(|| {
            self.at += 2;
            *kind
        })
    }

    fn key(&mut self) -> Result<(), Expected> {
        let start = self.at;
        let key = match self.kind() {
            Some(b'i') => self.scalar("an integer", is_integer)?,
            Some(b's') => {
                let (length, _) = self.number(b':')?;
                let span = self.quoted(length)?;
                self.take(b';')?;
                span
            }
            Some(b'S') => {
                let string = self.string(true)?;
                self.take(b';')?;
                string.span
            }
            _ => {
                self.at = start;
                return Err(self.expected("the key of an array or object, `i:` or `s:`"));
            }
        };
        // A private property has the name of its class before it, between NULs.
        let mut name = &self.text[key];
        if name.starts_with('\0') {
            name = name.rsplit('\0').next().unwrap_or_default();
        }
        (self.each)(Event::Key(name.into()));
        Ok(())
    }

    /// A value; how many pairs follow, if it is an array or object.
    fn value(&mut self) -> Result<Option<usize>, Expected> {
        let start = self.at;
        match self.kind() {
            Some(b'N') => {}
            Some(kind @ (b'b' | b'i' | b'd' | b'r' | b'R')) => {
                let (what, is_right): (&str, fn(&str) -> bool) = match kind {
                    b'b' => ("0 or 1", |it| matches!(it, "0" | "1")),
                    b'i' => ("an integer", is_integer),
                    b'd' => ("a number", is_double),
                    _ => ("a number", is_digits),
                };
                self.scalar(what, is_right)?;
            }
            Some(kind @ (b's' | b'S')) => {
                let string = self.string(kind == b'S')?;
                self.take(b';')?;
                (self.each)(Event::String(string));
            }
            Some(b'E') => {
                self.name()?;
                self.take(b';')?;
            }
            Some(kind @ (b'a' | b'O')) => {
                if kind == b'O' {
                    self.name()?;
                    self.take(b':')?;
                }
                let (pairs, _) = self.number(b':')?;
                self.take(b'{')?;
                return Ok(Some(pairs));
            }
            Some(b'C') => {
                self.name()?;
                self.take(b':')?;
                let (length, _) = self.number(b':')?;
                self.take(b'{')?;
                let end = self.at.saturating_add(length);
                if self.text.as_bytes().get(end) != Some(&b'}') {
                    return Err(self.broken_length(self.at..end));
                }
                self.at = end + 1;
                (self.each)(Event::Opaque);
            }
            _ => {
                self.at = start;
                return Err(self.expected("a value, such as `s:` or `a:`"));
            }
        }
        Ok(None)
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_integer(text: &str) -> bool {
    is_digits(text.strip_prefix(['+', '-']).unwrap_or(text))
}

fn is_double(text: &str) -> bool {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let number = number.strip_prefix(['+', '-']).unwrap_or(number);
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let are_digits = |it: &str| it.is_empty() || is_digits(it);
    let has_digits = !whole.is_empty() || number.contains('.') && !part.is_empty();
    matches!(text, "NAN" | "INF" | "-INF")
        || has_digits && are_digits(whole) && are_digits(part) && is_integer(exponent)
}
