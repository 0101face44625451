//! What holds for every file of rows.

use abslink_containers::rows::{Cutter, Fields, Format, Holds, NewText, Row, Table};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::check::{Checked, same};

/// All rows together are the file. One is read if serde_json reads it, and says what that says; new text is what the
/// field says then, and nothing else of the row has changed.
pub(crate) fn rows(input: &[u8], format: Format) -> Checked {
    let fields = Fields {
        documents: ["body", "/posts/*/html"]
            .map(|name| (Holds::Html, name.to_owned()))
            .into(),
        url: Some("url".to_owned()),
        delimiter: None,
    };
    let mut table = Table::new(format, &fields);
    let (mut cutter, mut all) = (Cutter::new(input, format), Vec::new());
    while let Some(chunk) = cutter.chunk().map_err(|error| error.to_string())? {
        let mut start = 0;
        for (number, &(end, kind)) in (chunk.first..).zip(&chunk.rows) {
            let bytes = &chunk.bytes[start..end];
            start = end;
            match (number, kind) {
                (0, Row::Whole) if table.header(bytes).is_err() => return Ok(()),
                (0, Row::Whole) => {}
                (_, Row::Whole) => row(bytes, format, &table)?,
                _ => {}
            }
        }
        all.extend(chunk.bytes);
    }
    same("all rows", &all[..], input)
}

fn row(row: &[u8], format: Format, table: &Table) -> Checked {
    let found = table.fields(row);
    if !matches!(format, Format::Separated(_)) {
        let json = row.strip_prefix(b"\xef\xbb\xbf").unwrap_or(row);
        let is_blank = format == Format::JsonLines && json.trim_ascii().is_empty();
        let is_json =
            serde_json::from_slice::<IgnoredAny>(json).is_ok() && str::from_utf8(row).is_ok();
        same("whether it is read", found.is_ok(), is_json || is_blank)?;
        if let (Ok((fields, _)), Ok(value)) = (&found, serde_json::from_slice::<Value>(json)) {
            // Of several members of one name serde_json takes the last.
            let body = fields.iter().rfind(|field| field.name == "body");
            if let (Some(body), Some(Value::String(text))) = (body, value.get("body")) {
                same("text", &*body.text, &**text)?;
            }
        }
    }
    let Ok((fields, _)) = found else {
        return Ok(());
    };
    let (mut new, mut copied, mut expected) = (Vec::new(), 0, Vec::new());
    for field in fields {
        let edits = edits(&field.text);
        copied = field.splice(row, copied, &edits, &mut new);
        let (mut text, edits) = (Vec::new(), edits.into_iter());
        abslink_html::splice(field.text.as_bytes(), edits, &mut text, |new, out| {
            out.extend_from_slice(&new);
        });
        expected.push(String::from_utf8_lossy(&text).into_owned());
    }
    new.extend_from_slice(&row[copied..]);
    let (read, _) = table.fields(&new).map_err(|error| error.to_string())?;
    let texts = read.into_iter().map(|field| field.text.into_owned());
    same("new texts", texts.collect::<Vec<_>>(), expected)
}

/// Some edits of a text, with what has to be escaped.
fn edits(text: &str) -> Vec<NewText<'static>> {
    let whole = text.char_indices().map(|(at, it)| at..at + it.len_utf8());
    let some = whole.enumerate().filter(|(nth, _)| nth % 5 == 2);
    some.map(|(nth, old)| {
        let old = if nth % 2 == 0 {
            old.start..old.start
        } else {
            old
        };
        (
            old,
            [&b"h/\"\\,"[..], b"\n\x01<", b"x", b""][nth % 4].into(),
        )
    })
    .collect()
}
