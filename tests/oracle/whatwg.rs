//! The resolver `whatwg` against the web platform's own test vectors, which
//! testdata/fetch-suites.sh brings.

use std::fs;

use abslink::{BaseUrl, Resolver};
use serde_json::Value;

use crate::support::skip;

fn vectors() -> Option<Value> {
    let text = fs::read_to_string(skip::suite("urltestdata-2026-07.json")?).unwrap();
    Some(serde_json::from_str(&text).expect("urltestdata-2026-07.json is JSON"))
}

/// Whether the resolver gives what a vector expects, and a name for the vector.
fn check(vector: &Value) -> Option<(String, bool)> {
    let input = vector.get("input")?.as_str()?;
    let base = vector["base"].as_str();
    let expected = vector["href"].as_str();
    let base_url = BaseUrl::any(base.unwrap_or_default());
    // The vectors ask for a failure wherever the base is one.
    let failed_base =
        base.is_some_and(|base| Resolver::Whatwg.resolve(&BaseUrl::any(""), base).is_err());
    let resolved = Resolver::Whatwg.resolve(&base_url, input).ok();
    let passes = if failed_base {
        expected.is_none()
    } else {
        resolved.as_deref() == expected
    };
    let name = format!(
        "<{}> against <{}>",
        input.escape_debug(),
        base.unwrap_or("-").escape_debug()
    );
    Some((name, passes))
}

#[test]
fn the_web_platform_vectors() {
    let Some(vectors) = vectors() else {
        return;
    };
    let results: Vec<_> = vectors
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(check)
        .collect();
    assert!(results.len() > 500, "only {} vectors", results.len());

    let failed: Vec<_> = results
        .into_iter()
        .filter(|(_, passes)| !passes)
        .map(|(name, _)| name)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
