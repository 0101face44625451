//! A result as a JSON object.

use serde_json::{Map, Value, json};

use super::{Resolve, Resolved, resolve};
use crate::cli::components;
use crate::resolver::Resolver;

pub(super) fn to_json(resolved: &Resolved<'_>, args: &Resolve) -> Value {
    let mut object = result_json(resolved);
    object.insert("base".into(), resolved.base.as_str().into());
    object.insert("reference".into(), resolved.reference.into());
    if args.compare {
        let all = Resolver::ALL
            .map(|resolver| result_json(&resolve(resolved.base, resolved.reference, resolver)));
        object.insert("compare".into(), json!(all));
    }
    if args.explain {
        let rows = |url| components::to_json(&components::of(resolved.resolver, url));
        let (base, reference) = (rows(resolved.base.as_str()), rows(resolved.reference));
        let parts = json!({"base": base, "reference": reference});
        object.insert("components".into(), parts);
        if let Some(steps) = resolved.steps() {
            let steps: Vec<_> = steps
                .iter()
                .map(|step| json!({"step": step.number, "text": step.text}))
                .collect();
            object.insert("steps".into(), steps.into());
        }
    }
    Value::Object(object)
}

/// What one resolver gave. `divergent` is what a browser gets, the empty string for nothing; it is
/// there only where that differs.
fn result_json(resolved: &Resolved<'_>) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("resolver".into(), resolved.resolver.name().into());
    object.insert("absolute".into(), json!(resolved.absolute.as_ref().ok()));
    object.insert("error".into(), json!(resolved.absolute.as_ref().err()));
    if let Some(divergence) = &resolved.divergence {
        let class = divergence.class;
        let browser = divergence.browser.as_deref().unwrap_or_default();
        object.insert("divergent".into(), browser.into());
        object.insert(
            "class".into(),
            json!({
                "number": class.number(),
                "name": class.name(),
                "explanation": class.explanation(),
            }),
        );
    }
    object
}
