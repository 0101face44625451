//! What holds for every text of a field.

use abslink_containers::rows::{Field, Fields, Format, Holds, Table};
use abslink_containers::{Context, Settings};
use abslink_html::DocumentRewriter;
use serde_json::{Value, json};

use super::check::{Checked, same};

/// The text that comes out is read as the one before, and a second run changes nothing. In lines, as notebooks have them,
/// it becomes the same.
pub(crate) fn values(text: &str) -> Checked {
    let named = |documents: &[(Holds, &str)]| {
        let documents = documents
            .iter()
            .map(|(holds, name)| (*holds, (*name).to_owned()));
        let documents = documents.collect();
        let fields = Fields {
            documents,
            ..Fields::default()
        };
        Table::new(Format::JsonLines, &fields)
    };
    let urls = (Holds::Url, "/v/**/url");
    for holds in [Holds::Html, Holds::Urls, Holds::StyleSheet, Holds::Xhtml] {
        let table = named(&[(holds, "v"), urls]);
        let (new, left) = rewritten(&table, json!(text))?;
        let (again, left_again) = rewritten(&table, json!(&new))?;
        same("a second run", &*again, &*new)?;
        // A length that was wrong may fit by chance afterwards.
        same("what is left is left again", left_again >= left, true)?;
    }
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    if lines.len() > 1 {
        let table = named(&[(Holds::Html, "v")]);
        let in_lines = rewritten(&table, json!(lines))?;
        same("lines", in_lines, rewritten(&table, json!(text))?)?;
    }
    Ok(())
}

/// What becomes of a text, and how much in it is left.
fn rewritten(table: &Table, value: Value) -> Result<(String, usize), String> {
    let row = json!({ "v": value }).to_string();
    let (fields, _) = table
        .fields(row.as_bytes())
        .map_err(|error| error.to_string())?;
    let context = Context::retrieved_from("http://h/a/b").map_err(|error| error.to_string())?;
    let (settings, mut rewriter) = (Settings::default(), DocumentRewriter::default());
    let (mut out, mut copied, mut left) = (Vec::new(), 0, 0);
    for field in fields {
        let field: Field<'_> = field;
        let (_, edits, broken) =
            field.edits(&context, Default::default(), &settings, &mut rewriter);
        left += broken.len();
        copied = field.splice(row.as_bytes(), copied, &edits, &mut out);
    }
    out.extend_from_slice(&row.as_bytes()[copied..]);
    let value: Value = serde_json::from_slice(&out).map_err(|error| error.to_string())?;
    let text = match &value["v"] {
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().ok_or("no text comes out")?.to_owned(),
    };
    Ok((text, left))
}
