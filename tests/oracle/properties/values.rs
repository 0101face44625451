//! What holds for every text of a field.

use abslink_containers::rows::{Field, Fields, Format, Holds, Table};
use abslink_containers::{Context, Settings};
use abslink_html::DocumentRewriter;
use serde_json::{Value, json};

use super::check::{Checked, same};

/// The text that comes out is read as the one before, and a second run changes nothing.
pub(crate) fn values(text: &str) -> Checked {
    let fields = Fields {
        documents: vec![
            (Holds::Html, "v".to_owned()),
            (Holds::Url, "/v/**/url".to_owned()),
        ],
        ..Fields::default()
    };
    let table = Table::new(Format::JsonLines, &fields);
    let (new, left) = rewritten(&table, text)?;
    let (again, left_again) = rewritten(&table, &new)?;
    same("a second run", &*again, &*new)?;
    same("what is left", left_again, left)
}

/// What becomes of a text, and how much in it is left.
fn rewritten(table: &Table, text: &str) -> Result<(String, usize), String> {
    let row = json!({ "v": text }).to_string();
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
    let text = value["v"].as_str().ok_or("no text comes out")?;
    Ok((text.to_owned(), left))
}
