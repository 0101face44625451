//! Documents in fields of CSV that have no quotes around them (RFC 4180 §2), and HTML in Markdown.

/// Such a field: what it must not get, if it is to stay without quotes. In Markdown `|` ends the cell of a table, and a
/// backtick may begin code.
///
/// A bare `"` in it is read in as many ways as there are readers: PostgreSQL drops it, others refuse the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnquotedField {
    /// What stands between fields.
    pub delimiter: u8,
}

impl UnquotedField {
    /// Whether a byte would end the field, or is not one of an unquoted field.
    pub fn lacks(self, byte: u8) -> bool {
        matches!(byte, b'"' | b'\r' | b'\n')
            || byte == self.delimiter
            || byte == b'`' && self.delimiter == b'|'
    }

    /// Whether a character reference can stand in it: none of its own characters may be the delimiter.
    pub fn takes_references(self) -> bool {
        !(matches!(self.delimiter, b'&' | b'#' | b';') || self.delimiter.is_ascii_alphanumeric())
    }

    /// Writes character references for what the field lacks in new text, from `start` on.
    pub(crate) fn escape(self, start: usize, out: &mut String) {
        let lacks = |c: char| u8::try_from(c).is_ok_and(|byte| self.lacks(byte));
        if !self.takes_references() || !out[start..].contains(lacks) {
            return;
        }
        let text = out.split_off(start);
        for c in text.chars() {
            if lacks(c) {
                out.push_str(&format!("&#{};", u32::from(c)))
            } else {
                out.push(c)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_stand_for_what_a_field_lacks() {
        for (delimiter, expected) in [
            (b',', "a&#44;b;c&#34;d\t'&amp;"),
            (b'\t', "a,b;c&#34;d&#9;'&amp;"),
            // A reference would have the delimiter in it.
            (b';', "a,b;c\"d\t'&amp;"),
            (b'4', "a,b;c\"d\t'&amp;"),
        ] {
            let mut out = "\",a,b;c\"d\t'&amp;".to_owned();
            UnquotedField { delimiter }.escape(2, &mut out);
            assert_eq!(out, format!("\",{expected}"));
        }
    }
}
