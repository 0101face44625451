//! How a reference was resolved: which rung of RFC 1808 section 3 gave its base URL, the steps of section 4,
//! and what the other resolvers say. The names are those of `abslink resolve --explain --compare --format json`.

use abslink_html::{BaseSource, Reference};
use abslink_url::explain::explain;
use abslink_url::rfc1808;
use abslink_url::{BaseUrl, Resolver, divergence, rfc3986};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Of one reference.
#[derive(Serialize)]
pub(crate) struct Explanation {
    /// The section of RFC 1808 by which its base URL is the one.
    section: &'static str,
    /// The components of its base URL and of itself, if it has a base URL.
    components: Option<Value>,
    /// The steps of section 4, if RFC 1808 resolves.
    steps: Vec<Value>,
    /// What each resolver says.
    compare: Vec<Value>,
}

impl Explanation {
    pub(crate) fn of(reference: &Reference<'_>, resolver: Resolver) -> Explanation {
        let section = section(reference.base_from);
        let Some(base) = reference.base.map(BaseUrl::any) else {
            return Explanation {
                section,
                components: None,
                steps: Vec::new(),
                compare: Vec::new(),
            };
        };
        let text = reference.reference;
        let parts = |url: &str| components(resolver, url);
        let steps = match resolver {
            Resolver::Rfc1808 => explain(&base, text),
            _ => Vec::new(),
        };
        let steps = (steps.iter()).map(|step| json!({"step": step.number, "text": step.text}));
        Explanation {
            section,
            components: Some(json!({"base": parts(base.as_str()), "reference": parts(text)})),
            steps: steps.collect(),
            compare: Resolver::ALL.map(|by| result(&base, text, by)).into(),
        }
    }
}

/// Where RFC 1808 says that a base URL may come from.
fn section(source: BaseSource) -> &'static str {
    match source {
        BaseSource::Embedded => "3.1",
        BaseSource::Entity => "3.2",
        BaseSource::None => "3.4",
        _ => "3.3",
    }
}

/// The components of a URL by the standard of a resolver; `null` means absent.
fn components(resolver: Resolver, url: &str) -> Value {
    let rows: Vec<(&str, Option<&str>)> = match resolver {
        Resolver::Rfc1808 => {
            let parts = rfc1808::Components::parse(url);
            vec![
                ("scheme", parts.scheme),
                ("net_loc", parts.net_loc),
                ("path", Some(parts.path)),
                ("params", parts.params),
                ("query", parts.query),
                ("fragment", parts.fragment),
            ]
        }
        Resolver::Rfc3986 | Resolver::Whatwg => {
            let parts = rfc3986::split(url);
            vec![
                ("scheme", parts.scheme),
                ("authority", parts.net_loc),
                ("path", Some(parts.path)),
                ("query", parts.query),
                ("fragment", parts.fragment),
            ]
        }
    };
    let members = rows
        .into_iter()
        .map(|(name, part)| (name.to_owned(), json!(part)));
    Value::Object(members.collect::<Map<_, _>>())
}

/// What a resolver gives, and what a browser gets where that differs.
fn result(base: &BaseUrl, reference: &str, resolver: Resolver) -> Value {
    let absolute = resolver.resolve(base, reference);
    let mut object = json!({
        "resolver": resolver.name(),
        "absolute": absolute.as_ref().ok(),
        "error": absolute.as_ref().err().map(ToString::to_string),
    });
    let differs = absolute
        .ok()
        .and_then(|absolute| divergence(base, reference, &absolute));
    if let Some(divergence) = differs {
        let class = divergence.class;
        object["divergent"] = divergence.browser.unwrap_or_default().into();
        object["class"] = json!({
            "number": class.number(),
            "name": class.name(),
            "explanation": class.to_string(),
        });
    }
    object
}
