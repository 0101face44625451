//! What holds for every Markdown.

use abslink_containers::{Context, Settings, markdown};

use super::check::{Checked, same};

/// The second reader agrees with what is made of it, and a second run changes nothing.
pub(crate) fn markdown(input: &[u8]) -> Checked {
    let context = Context::retrieved_from("http://h/a/b.md").map_err(|error| error.to_string())?;
    let mut settings = Settings::default();
    settings.verify = abslink_verify::second_reader();
    let new = markdown::rewrite(input, &context, &settings);
    if let Some(disagreement) = &new.examined.disagreement {
        return Err(disagreement.to_string());
    }
    let again = markdown::rewrite(&new.document, &context, &settings);
    same("a second run", &*again.document, &*new.document)
}
