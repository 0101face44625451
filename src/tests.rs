//! Feature `serde`: the names of the command's JSON.

use serde_json::{json, to_value};

use crate::{Context, Settings, Syntax, Tally, batch};

#[test]
fn what_is_found_has_the_names_of_the_command() {
    let context = Context::retrieved_from("http://h/").unwrap();
    let mut found = Vec::new();
    let mut each = |reference: &crate::Reference<'_>| found.push(to_value(reference).unwrap());
    let document = b"<a href=x>";
    crate::examine(
        document,
        Syntax::Html,
        &context,
        &Settings::default(),
        &mut each,
    );
    let expected = json!({
        "span": {"start": 8, "end": 9}, "element": "a", "attribute": "href", "kind": "url",
        "reference": "x", "absolute": "http://h/x", "base": "http://h/", "base_from": "layout",
        "outcome": "relative", "to": "http://h/x", "divergent": null,
    });
    assert_eq!(found, [expected]);
}

#[test]
fn counts_are_serialized() {
    let report = to_value(batch::Report::default()).unwrap();
    assert_eq!(report["tally"], to_value(Tally::default()).unwrap());
    assert_eq!(report["tally"]["same_document"], 0);
}
