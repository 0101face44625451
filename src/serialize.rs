//! Feature `serde`: what has a name in the command's JSON is serialized as that name. What is made of
//! such values derives `Serialize` where it stands.

use serde::{Serialize, Serializer};

use crate::{Group, Outcome, Rung, ValueKind};

macro_rules! by_name {
    ($($named:ty),*) => {
        $(impl Serialize for $named {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        })*
    };
}

by_name!(Group, Outcome, Rung, ValueKind);

#[cfg(test)]
mod tests {
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
            "outcome": "relative", "divergent": null,
        });
        assert_eq!(found, [expected]);
    }

    #[test]
    fn counts_are_serialized() {
        let report = to_value(batch::Report::default()).unwrap();
        assert_eq!(report["tally"], to_value(Tally::default()).unwrap());
        assert_eq!(report["tally"]["same_document"], 0);
    }
}
