//! How a reference was resolved: which rung of RFC 1808 section 3 gave its base URL, the steps of section 4,
//! and what the other resolvers say. The names are those of `abslink resolve --explain --compare --format json`.

use abslink_html::{BaseSource, Reference};
use abslink_url::explain::{components, explain};
use abslink_url::{BaseUrl, Resolver, divergence};
use serde::{Serialize, Serializer};

/// Of one reference.
#[derive(Serialize)]
pub(crate) struct Explanation<'r> {
    /// The section of RFC 1808 by which its base URL is the one.
    section: &'static str,
    /// The components of its base URL and of itself, if it has a base URL.
    components: Option<Sides<'r>>,
    /// The steps of section 4, if RFC 1808 resolves.
    steps: Vec<Step>,
    /// What each resolver says.
    compare: Vec<Resolved>,
}

#[derive(Serialize)]
struct Sides<'r> {
    base: Components<'r>,
    reference: Components<'r>,
}

#[derive(Serialize)]
struct Step {
    step: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Resolved {
    resolver: &'static str,
    absolute: Option<String>,
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divergent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<Class>,
}

#[derive(Serialize)]
struct Class {
    number: u8,
    name: &'static str,
    explanation: String,
}

impl<'r> Explanation<'r> {
    pub(crate) fn of(reference: &Reference<'r>, resolver: Resolver) -> Explanation<'r> {
        let mut explanation = Explanation {
            section: section(reference.base_from),
            components: None,
            steps: Vec::new(),
            compare: Vec::new(),
        };
        let Some(url) = reference.base else {
            return explanation;
        };
        let (base, text) = (BaseUrl::any(url), reference.reference);
        explanation.components = Some(Sides {
            base: Components(components(resolver, url)),
            reference: Components(components(resolver, text)),
        });
        if resolver == Resolver::Rfc1808 {
            let steps = explain(&base, text).into_iter();
            let steps = steps.map(|step| Step {
                step: step.number,
                text: step.text,
            });
            explanation.steps = steps.collect();
        }
        explanation.compare = Resolver::ALL.map(|by| Resolved::by(by, &base, text)).into();
        explanation
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

/// The components of a URL; `null` means absent.
struct Components<'u>(Vec<(&'static str, Option<&'u str>)>);

impl Serialize for Components<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().copied())
    }
}

impl Resolved {
    /// What a resolver gives, and what a browser gets where that differs.
    fn by(resolver: Resolver, base: &BaseUrl, reference: &str) -> Resolved {
        let resolved = resolver.resolve(base, reference);
        let error = resolved.as_ref().err().map(ToString::to_string);
        let absolute = resolved.ok();
        let differs = absolute.as_ref();
        let differs = differs.and_then(|absolute| divergence(base, reference, absolute));
        let class = differs.as_ref().map(|divergence| Class {
            number: divergence.class.number(),
            name: divergence.class.name(),
            explanation: divergence.class.to_string(),
        });
        Resolved {
            resolver: resolver.name(),
            absolute: absolute.map(|absolute| absolute.into_owned()),
            error,
            divergent: differs.map(|divergence| divergence.browser.unwrap_or_default()),
            class,
        }
    }
}
