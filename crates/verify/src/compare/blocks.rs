//! What means something to other programs than browsers: the comments that delimit WordPress' blocks, whose attributes
//! are JSON in which URLs and HTML may change, and MJML's style sheets.

use std::ops::Range;

use encoding_rs::UTF_8;
use serde_json::Value;

use super::Comparison;
use crate::fault::{Difference, Fault};
use crate::text::edits::{Edit, EditedPart, differences};
use abslink_html::ValueKind;
use abslink_html::shared::{Against, Delimiter, Edited};

impl Comparison<'_> {
    /// Compares such parts of a text that begins at `start`, wherever they are in its markup: so WordPress finds them.
    /// The answer is the edits that are in none.
    pub(super) fn blocks(
        &self,
        bytes: &[u8],
        start: usize,
        edits: &[Edit],
    ) -> Result<Vec<Edit>, Difference> {
        let of = |edit: &Edit| {
            let at = edit.old.start - start;
            block(bytes, at).or_else(|| style(bytes, at))
        };
        let mut others = Vec::new();
        for within in edits.chunk_by(|one, next| of(one) == of(next)) {
            let last = within.last().map_or(0, |edit| edit.old.end - start);
            match of(&within[0]).filter(|json| last <= json.end) {
                Some(json) => {
                    let start = start + json.start;
                    let part = EditedPart::new(&bytes[json], start, within);
                    let compared = if part.old.starts_with(b"{") {
                        self.attributes(&part)
                    } else {
                        let kind = ValueKind::CssStylesheet;
                        self.rules.text(kind, Delimiter::RawText, part.edited())
                    };
                    compared.or_else(|fault| fault.at(start))?;
                }
                None => others.extend_from_slice(within),
            }
        }
        Ok(others)
    }

    fn attributes(&self, part: &EditedPart) -> Result<(), Fault> {
        let read = |bytes: &[u8]| {
            let (json, _) = self.rules.encoding.decode_without_bom_handling(bytes);
            serde_json::from_str(&json).map_err(|_| Fault::of("no longer JSON"))
        };
        self.json(&read(&part.old)?, &read(&part.new)?)
    }

    fn json(&self, old: &Value, new: &Value) -> Result<(), Fault> {
        match (old, new) {
            (Value::Object(old), Value::Object(new)) if old.keys().eq(new.keys()) => {
                let mut values = old.values().zip(new.values());
                values.try_for_each(|(old, new)| self.json(old, new))
            }
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                let mut values = old.iter().zip(new);
                values.try_for_each(|(old, new)| self.json(old, new))
            }
            (Value::String(old), Value::String(new)) if old != new => self.string(old, new),
            _ if old == new => Ok(()),
            _ => Err(Fault::of("not a value, but changed")),
        }
    }

    fn string(&self, old: &str, new: &str) -> Result<(), Fault> {
        if !old.contains(|c: char| c.is_whitespace() || c == '<') {
            let is_relative = old.starts_with(['/', '.', '?']);
            let against = if is_relative {
                Against::Base
            } else {
                Against::Nothing
            };
            let changes = &[[0..old.len(), 0..new.len()]];
            let edited = Edited { old, new, changes };
            let place = (ValueKind::Url, against);
            return self.rules.targets.are_all_same(place, None, edited);
        }
        // What takes values apart compares what it makes of them.
        let is_value = matches!(
            old.trim_ascii_start().as_bytes(),
            [b'{' | b'[', ..] | [b'a' | b's' | b'S' | b'O', b':', ..]
        );
        let changes = differences(old, new).into();
        let [old, new] = [old, new].map(str::to_owned);
        let texts = EditedPart { old, new, changes };
        let compared = self.markup(UTF_8, texts.bytes());
        compared.map_err(|inner| inner.fault).or_else(
            |fault| {
                if is_value { Ok(()) } else { Err(fault) }
            },
        )
    }
}

/// Where the attributes of the block are, in the comment that is open at `at`.
fn block(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = memchr::memmem::rfind(&text[..at], b"<!--")? + "<!--".len();
    let end = start + memchr::memmem::find(&text[start..], b"-->")?;
    let data = &text[start..end];
    let open = memchr::memchr(b'{', data)?;
    let close = memchr::memrchr(b'}', data)?;
    let is_block = data.trim_ascii_start().starts_with(b"wp:") && open < close;
    let json = start + open..start + close + 1;
    (is_block && json.contains(&at)).then_some(json)
}

/// Where the style sheet of MJML is that `at` is in.
fn style(text: &[u8], at: usize) -> Option<Range<usize>> {
    let open = memchr::memmem::rfind(&text[..at], b"<mj-style")?;
    let start = open + memchr::memchr(b'>', &text[open..])? + 1;
    let end = start + memchr::memmem::find(&text[start..], b"</mj-style")?;
    (start <= at && at < end).then_some(start..end)
}
