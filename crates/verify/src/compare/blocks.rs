//! What means something to other programs than browsers: the comments that delimit WordPress' blocks, whose attributes
//! are JSON in which URLs and HTML may change, and MJML's style sheets.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::UTF_8;
use memchr::memmem;
use serde_json::Value;

use super::Comparison;
use crate::fault::{Difference, Fault, Result};
use crate::text::Texts;
use abslink_html::shared::{Against, Delimiter, Pair};
use abslink_html::{Group, ValueKind};

impl Comparison<'_> {
    /// Compares such parts, wherever they are in markup: so WordPress finds them. The answer is the new bytes with the old
    /// parts.
    pub(super) fn blocks<'n>(
        &self,
        [old, new]: [&'n [u8]; 2],
    ) -> Result<Cow<'n, [u8]>, Difference> {
        let has = |text| memmem::find(old, text).is_some();
        let has_blocks = self.rules.wanted().groups.contains(Group::Blocks) && has(b"wp:");
        if !has_blocks && !has(b"<mj-style") || old == new {
            return Ok(Cow::Borrowed(new));
        }
        let [parts, new_parts] = [old, new].map(parts);
        if parts.len() != new_parts.len() {
            return Ok(Cow::Borrowed(new));
        }
        let (mut same, mut done) = (Vec::with_capacity(new.len()), 0);
        for (part, new_part) in parts.into_iter().zip(new_parts) {
            let (at, pair) = (part.start, [&old[part], &new[new_part.clone()]]);
            let compared = if pair[0] == pair[1] {
                Ok(())
            } else if pair[0].starts_with(b"{") {
                self.attributes_of_block(pair)
            } else {
                let kind = ValueKind::CssStylesheet;
                self.rules.text(kind, Delimiter::RawText, pair)
            };
            compared.or_else(|fault| fault.at(self.old.end() + at))?;
            same.extend_from_slice(&new[done..new_part.start]);
            same.extend_from_slice(pair[0]);
            done = new_part.end;
        }
        same.extend_from_slice(&new[done..]);
        Ok(Cow::Owned(same))
    }

    fn attributes_of_block(&self, pair: Pair<'_>) -> Result {
        let read = |bytes: &[u8]| {
            let (json, _) = self.rules.encoding.decode_without_bom_handling(bytes);
            serde_json::from_str(&json).map_err(|_| Fault::of("no longer JSON"))
        };
        self.json(&read(pair[0])?, &read(pair[1])?)
    }

    fn json(&self, old: &Value, new: &Value) -> Result {
        match (old, new) {
            (Value::Object(old), Value::Object(new)) if old.keys().eq(new.keys()) => {
                let mut values = old.values().zip(new.values());
                values.try_for_each(|(old, new)| self.json(old, new))
            }
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                let mut values = old.iter().zip(new);
                values.try_for_each(|(old, new)| self.json(old, new))
            }
            (Value::String(old), Value::String(new)) if old != new => self.string([old, new]),
            _ if old == new => Ok(()),
            _ => Err(Fault::of("not a value, but changed")),
        }
    }

    fn string(&self, pair: [&str; 2]) -> Result {
        let [old, _] = pair;
        if !old.contains(|c: char| c.is_whitespace() || c == '<') {
            let is_relative = old.starts_with(['/', '.', '?']);
            let against = if is_relative {
                Against::Base
            } else {
                Against::Nothing
            };
            let place = (ValueKind::Url, against);
            let texts = Texts::plain(pair);
            return self.rules.targets.are_all_same(place, None, &texts);
        }
        // What takes values apart compares what it makes of them.
        let is_value = matches!(
            old.trim_ascii_start().as_bytes(),
            [b'{' | b'[', ..] | [b'a' | b's' | b'S' | b'O', b':', ..]
        );
        let compared = self.markup(UTF_8, pair.map(str::as_bytes));
        compared.or_else(|inner| if is_value { Ok(()) } else { Err(inner.fault) })
    }
}

/// Where the attributes of blocks are, and the style sheets of MJML.
fn parts(text: &[u8]) -> Vec<Range<usize>> {
    let (mut parts, mut at) = (Vec::new(), 0);
    while let Some(open) = memchr::memchr(b'<', &text[at..]) {
        at += open + 1;
        let (rest, end) = match &text[at..] {
            [b'!', b'-', b'-', rest @ ..] => (rest, &b"-->"[..]),
            rest if rest.starts_with(b"mj-style") => (rest, &b"</mj-style"[..]),
            _ => continue,
        };
        let Some(length) = memmem::find(rest, end) else {
            // Nor is there one further on, where others of the kind begin.
            break;
        };
        let (start, data) = (text.len() - rest.len(), &rest[..length]);
        let inside = if end == b"-->" {
            let is_block = data.trim_ascii_start().starts_with(b"wp:");
            let json = memchr::memchr(b'{', data).zip(memchr::memrchr(b'}', data));
            json.filter(|(open, close)| is_block && open < close)
                .map(|(open, close)| open..close + 1)
        } else {
            memchr::memchr(b'>', data).map(|open| open + 1..length)
        };
        parts.extend(inside.map(|it| start + it.start..start + it.end));
        at = start + length;
    }
    parts
}
