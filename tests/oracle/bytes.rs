//! Whether anything but references changed, by the byte offsets that `links` reports.

use std::borrow::Cow;

use crate::support::links::Link;

/// Compares what is left of input and output when the references are taken out.
pub(crate) fn outside(
    input: &[u8],
    before: &[Link],
    output: &[u8],
    after: &[Link],
) -> Result<(), String> {
    if before.len() != after.len() {
        return Err(format!(
            "{} references became {}",
            before.len(),
            after.len()
        ));
    }
    let width = if is_utf16(input) { 2 } else { 1 };
    let [narrow_input, narrow_output] = [input, output].map(|bytes| narrow(bytes, width));
    let (input, output) = (&*narrow_input, &*narrow_output);
    let mut rest = Rest {
        input,
        output,
        at: 0,
        out: 0,
        open: None,
    };
    for (x, y) in before.iter().zip(after) {
        let [start, end] = [x.start, x.end].map(|at| at / width);
        let [new_start, new_end] = [y.start, y.end].map(|at| at / width);
        if !rest.is_same(start, new_start, start == end) {
            return Err(format!("the bytes before {:?} changed", x.reference));
        }
        let is_left = matches!(
            &*x.outcome,
            "same-document" | "unresolved" | "excluded" | "placeholder"
        );
        if is_left && input[start..end] != output[new_start..new_end] {
            return Err(format!("{:?} was to stay", x.reference));
        }
        let expected = x.absolute.as_ref().unwrap_or(&x.reference);
        if x.outcome == "relative" && y.reference != spelt_like(&y.reference, expected) {
            return Err(format!("{expected:?} was written as {:?}", y.reference));
        }
        (rest.at, rest.out) = (end, new_end);
    }
    if !rest.is_same(input.len(), output.len(), false) {
        return Err("the bytes after the last reference changed".into());
    }
    Ok(())
}

/// Whether a document begins with a byte order mark of UTF-16.
pub(crate) fn is_utf16(document: &[u8]) -> bool {
    document.starts_with(b"\xff\xfe") || document.starts_with(b"\xfe\xff")
}

/// One byte for each code unit, so that quotes are looked for in one way: ASCII is itself, and the
/// others only have to be told from it and mostly from each other.
fn narrow(document: &[u8], width: usize) -> Cow<'_, [u8]> {
    if width == 1 {
        return document.into();
    }
    let little = document.starts_with(b"\xff");
    let unit = |unit: &[u8]| match unit {
        [low, 0] if little && low.is_ascii() => *low,
        [0, low] if !little && low.is_ascii() => *low,
        other => other.iter().fold(0, |sum, byte| byte.wrapping_add(sum)) | 0x80,
    };
    document.chunks(2).map(unit).collect::<Vec<u8>>().into()
}

/// In lists a space of the base URL is written `%20`, a form feed `%0C`, and a comma at the end
/// `%2C`, where it would be taken for a separator.
fn spelt_like(written: &str, url: &str) -> String {
    let mut spelt = url.to_owned();
    for (separator, encoded) in [(' ', "%20"), ('\u{c}', "%0C")] {
        if !written.contains(separator) {
            spelt = spelt.replace(separator, encoded);
        }
    }
    if written.ends_with("%2C") && spelt.ends_with(',') {
        spelt.pop();
        spelt.push_str("%2C");
    }
    spelt
}

/// Whether it can be told by their spans what is no reference. In XML there may be elements in the
/// text of a style sheet, whose references come later; and one that stands in an entity has no
/// bytes of its own. What becomes of these the trees tell ([`super::xml`]).
pub(crate) fn can_tell(input: &[u8], before: &[Link]) -> bool {
    before.windows(2).all(|pair| pair[0].end <= pair[1].start)
        && memchr::memmem::find(input, b"<!ENTITY").is_none()
        && memchr::memmem::find(input, b"<!ATTLIST").is_none()
}

/// What is no reference.
struct Rest<'d> {
    input: &'d [u8],
    output: &'d [u8],
    /// How far the input was compared.
    at: usize,
    /// How far the output was.
    out: usize,
    /// The quote that a value has gained, until its end; and whether there was no value before.
    open: Option<(u8, bool)>,
}

impl Rest<'_> {
    /// Whether the input up to `at` is the output up to `out`, but for the quotes that unquoted
    /// values have gained and, where a value is `missing` in the input, for its `=`. A character reference
    /// without a semicolon has one in the output if a new URL comes behind it.
    fn is_same(&mut self, at: usize, out: usize, missing: bool) -> bool {
        while (self.at, self.out) != (at, out) {
            let next = self.output.get(self.out).filter(|_| self.out < out);
            let Some(&next) = next else { return false };
            let old = self.input.get(self.at).filter(|_| self.at < at);
            let here = self.input.get(self.at).copied();
            match self.open {
                _ if next == b';' && old.is_none() && self.is_open(at) => {}
                // It ends where the unquoted one does.
                Some((quote, was_missing)) if was_missing || here.is_none_or(ends_value) => {
                    if next != quote {
                        return false;
                    }
                    self.open = None;
                }
                _ if old == Some(&next) => self.at += 1,
                None if matches!(next, b'"' | b'\'') && self.begins_value() => {
                    self.open = Some((next, missing && old.is_none()));
                }
                None if missing && old.is_none() && next == b'=' => {}
                _ => return false,
            }
            self.out += 1;
        }
        true
    }

    /// Whether the input up to `at` ends with a character reference that lacks its semicolon, by its letters, and
    /// the output has given it none yet.
    fn is_open(&self, at: usize) -> bool {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
        let [input, output] = [&self.input[..at], &self.output[..self.out]];
        let name = input.rsplit(|byte| !is_of_name(byte)).next();
        let name = name.filter(|name| !name.is_empty() && output.ends_with(name));
        name.is_some_and(|name| input[..at - name.len()].ends_with(b"&"))
    }

    /// Whether the output is at the start of a value.
    fn begins_value(&self) -> bool {
        self.output[..self.out].trim_ascii_end().ends_with(b"=")
    }
}

/// Whether an unquoted value ends before a byte.
fn ends_value(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'>'
}

#[test]
fn other_bytes_that_change_are_found() {
    let link = |start: usize, text: &str| Link {
        start,
        end: start + text.len(),
        reference: text.to_owned(),
        outcome: "absolute".to_owned(),
        ..Link::default()
    };
    let compare = |input: &str, old: &str, output: &str, new: &str| {
        let before = [link(input.find(old).unwrap(), old)];
        let after = [link(output.find(new).unwrap(), new)];
        outside(input.as_bytes(), &before, output.as_bytes(), &after).is_ok()
    };
    assert!(compare("<a b=,r,>", "r", "<a b=\",N,\">", "N"));
    assert!(compare("<a b= r c>", "r", "<a b= 'N' c>", "N"));
    assert!(compare("<a b= r c>", "r", "<a b= N c>", "N"));
    for open in ["&#6", "&#xA", "&copy"] {
        let written = |end: &str| format!("<a b='{open}{end}N'>");
        let input = format!("<a b='{open}/r'>");
        assert!(compare(&input, "/r", &written(";"), "N"), "{open}");
        for wrong in [";;", ";x", ","] {
            assert!(
                !compare(&input, "/r", &written(wrong), "N"),
                "{open}{wrong}"
            );
        }
    }
    for output in [
        "<a b= N' c>",
        "<a b= 'N c>",
        "<a b= 'N'c>",
        "<a b='N' c>",
        "<a b= ''N' c>",
        "<a b= 'N\" c>",
        "<a 'b= N c>",
        "<a b= N c",
        "<a b= N c>>",
        "<a b= ;N c>",
    ] {
        assert!(!compare("<a b= r c>", "r", output, "N"), "{output}");
    }
}
