//! What holds for every text of a field that has a grammar of its own.

use abslink_containers::rows::{Field, Fields, Format, Holds, Table};
use abslink_containers::{Context, Settings};
use abslink_html::DocumentRewriter;
use serde_json::{Value, json};

use super::check::{Checked, same};

/// What PHP serializes has the same keys and values but for strings, and its lengths fit.
pub(crate) fn serialized(text: &str) -> Checked {
    for holds in [Holds::Html, Holds::StyleSheet, Holds::Xhtml] {
        let new = twice(text, holds)?;
        let shape = |text: &str| unserialized(text.trim_ascii().as_bytes());
        if let Some(old) = shape(text) {
            same("the new value", shape(&new), Some(old))?;
        }
    }
    Ok(())
}

/// JSON has the same keys and values but for strings.
pub(crate) fn json(text: &str) -> Checked {
    for holds in [Holds::Html, Holds::StyleSheet, Holds::Markdown] {
        let new = twice(text, holds)?;
        let shape = |text: &str| serde_json::from_str(text).map(without_strings);
        if let Ok(old @ (Value::Object(_) | Value::Array(_))) = shape(text) {
            let new = shape(&new).map_err(|error| error.to_string())?;
            same("the new value", new, old)?;
        }
    }
    Ok(())
}

/// WordPress' blocks, and HTML around them.
pub(crate) fn blocks(text: &str) -> Checked {
    twice(text, Holds::Html).map(drop)
}

/// A list of URLs.
pub(crate) fn lists(text: &str) -> Checked {
    twice(text, Holds::Urls).map(drop)
}

/// A text becomes the same in lines, as notebooks have it.
pub(crate) fn lines(text: &str) -> Checked {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    for holds in [Holds::Html, Holds::Markdown] {
        let whole = twice(text, holds)?;
        if lines.len() > 1 {
            let (in_lines, _) = rewritten(holds, json!(lines), &Settings::default())?;
            same("lines", in_lines, whole)?;
        }
    }
    Ok(())
}

/// What becomes of a text. A second run changes nothing, and the second reader agrees.
fn twice(text: &str, holds: Holds) -> Result<String, String> {
    let settings = Settings::default();
    let (new, left) = rewritten(holds, json!(text), &settings)?;
    let (again, left_again) = rewritten(holds, json!(new), &settings)?;
    same("a second run", &*again, &*new)?;
    // A length that was wrong may fit by chance afterwards.
    same("what is left is left again", left_again >= left, true)?;
    let mut settings = settings;
    settings.verify = abslink_verify::second_reader();
    let confirmed = rewritten(holds, json!(text), &settings)?;
    same("what is confirmed", confirmed, (new.clone(), left))?;
    Ok(new)
}

/// What becomes of a text, and how much in it is left.
fn rewritten(holds: Holds, value: Value, settings: &Settings) -> Result<(String, usize), String> {
    let documents = [(holds, "v"), (Holds::Url, "/v/**/url")];
    let fields = Fields {
        documents: documents
            .map(|(holds, name)| (holds, name.to_owned()))
            .into(),
        ..Fields::default()
    };
    let table = Table::new(Format::JsonLines, &fields);
    let row = json!({ "v": value }).to_string();
    let (fields, _) = table
        .fields(row.as_bytes())
        .map_err(|error| error.to_string())?;
    let context = Context::retrieved_from("http://h/a/b").map_err(|error| error.to_string())?;
    let (mut rewriter, mut texts) = (DocumentRewriter::default(), None);
    let (mut out, mut copied, mut left) = (Vec::new(), 0, 0);
    for field in fields {
        let field: Field<'_> = field;
        let base = Default::default();
        let read = field.edits(&context, base, settings, &mut rewriter, &mut texts);
        left += read.broken.len();
        copied = field.splice(row.as_bytes(), copied, &read.edits, &mut out);
    }
    out.extend_from_slice(&row.as_bytes()[copied..]);
    let value: Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
    let text = match &value["v"] {
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().ok_or("no text comes out")?.to_owned(),
    };
    Ok((text, left))
}

fn without_strings(value: Value) -> Value {
    match value {
        Value::String(_) => Value::Null,
        Value::Array(values) => values.into_iter().map(without_strings).collect(),
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(key, value)| (key, without_strings(value)));
            members.collect()
        }
        other => other,
    }
}

/// What stands in a serialized value without its strings, by a reader that shares nothing with ours.
fn unserialized(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut shape = Vec::new();
    let rest = value(bytes, &mut shape, false)?;
    rest.is_empty().then_some(shape)
}

fn value<'b>(bytes: &'b [u8], shape: &mut Vec<u8>, is_key: bool) -> Option<&'b [u8]> {
    let until = |sign: u8, bytes: &'b [u8]| {
        let at = bytes.iter().position(|byte| *byte == sign)?;
        Some((&bytes[..at], &bytes[at + 1..]))
    };
    let number = |sign: u8, bytes: &'b [u8]| {
        let (digits, rest) = until(sign, bytes)?;
        let number: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some((number, rest))
    };
    let string = |bytes: &'b [u8]| {
        let (length, rest) = number(b':', bytes)?;
        let inside = rest.strip_prefix(b"\"")?;
        Some((
            inside.get(..length)?,
            inside.get(length..)?.strip_prefix(b"\"")?,
        ))
    };
    let (kind, rest) = bytes.split_first()?;
    shape.push(*kind);
    if let (b'N', Some(rest)) = (kind, rest.strip_prefix(b";")) {
        return Some(rest);
    }
    let rest = rest.strip_prefix(b":")?;
    match kind {
        b's' => {
            let (said, rest) = string(rest)?;
            shape.extend_from_slice(if is_key { said } else { b"" });
            rest.strip_prefix(b";")
        }
        b'b' | b'i' | b'd' | b'r' | b'R' => {
            let (said, rest) = until(b';', rest)?;
            shape.extend_from_slice(said);
            let is_number = said
                .iter()
                .all(|byte| b"0123456789+-.eENAIF".contains(byte));
            is_number.then_some(rest)
        }
        b'E' => string(rest)?.1.strip_prefix(b";"),
        b'a' | b'O' => {
            let mut rest = rest;
            if *kind == b'O' {
                let (class, behind) = string(rest)?;
                shape.extend_from_slice(class);
                rest = behind.strip_prefix(b":")?;
            }
            let (count, behind) = number(b':', rest)?;
            rest = behind.strip_prefix(b"{")?;
            for _ in 0..count {
                rest = value(rest, shape, true)?;
                rest = value(rest, shape, false)?;
            }
            rest.strip_prefix(b"}")
        }
        _ => None,
    }
}
