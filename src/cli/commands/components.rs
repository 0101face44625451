//! How the components of a URL are shown.

use serde_json::{Value, json};

/// A component; `None` where it is absent, which is not the same as empty.
pub(super) type Row<'a> = (&'static str, Option<&'a str>);

/// As a JSON object, in which `null` means absent.
pub(super) fn to_json(rows: &[Row<'_>]) -> Value {
    let rows = rows.iter();
    rows.map(|(name, part)| ((*name).to_owned(), json!(part)))
        .collect()
}

/// Shows a component in a way that tells an empty one from an absent one.
pub(super) fn quoted(component: Option<&str>) -> String {
    component.map_or("-".to_owned(), |component| format!("{component:?}"))
}
