//! A result as a JSON object.

use serde_json::{Value, json};

use super::{Resolution, ResolveArgs, Step, resolve};
use crate::cli::commands::components;
use abslink_url::{Resolver, explain};

pub(super) fn to_json(resolved: &Resolution<'_>, args: &ResolveArgs) -> Value {
    let mut object = result_json(resolved);
    object["base"] = resolved.base.as_str().into();
    object["reference"] = resolved.reference.into();
    if args.compare {
        let result = |by| result_json(&resolve(resolved.base, resolved.reference, by));
        object["compare"] = Resolver::ALL.map(result).into_iter().collect();
    }
    if args.explain {
        let rows = |url| components::to_json(&explain::components(resolved.resolver, url));
        let (base, reference) = (rows(resolved.base.as_str()), rows(resolved.reference));
        object["components"] = json!({"base": base, "reference": reference});
        let step = |step: &Step| json!({"step": step.number, "text": step.text});
        if let Some(steps) = resolved.steps() {
            object["steps"] = steps.iter().map(step).collect();
        }
        if let Some((_, steps)) = &resolved.inverse {
            object["back"] = steps.iter().map(step).collect();
        }
    }
    if resolved.inverse.is_some()
        && let Some(written) = resolved.written().filter(|it| *it != resolved.reference)
    {
        object["to"] = written.into();
    }
    object.sort_all_objects();
    object
}

/// What one resolver gave. `divergent` is what a browser gets, or the empty string for nothing; it
/// is there only if that differs.
fn result_json(resolved: &Resolution<'_>) -> Value {
    let mut object = json!({
        "resolver": resolved.resolver.name(),
        "absolute": resolved.absolute.as_ref().ok(),
        "error": resolved.absolute.as_ref().err(),
    });
    if let Some(divergence) = &resolved.divergence {
        let class = divergence.class;
        object["divergent"] = divergence.browser.as_deref().unwrap_or_default().into();
        object["class"] = json!({
            "number": class.number(),
            "name": class.name(),
            "explanation": class.to_string(),
        });
    }
    object
}
