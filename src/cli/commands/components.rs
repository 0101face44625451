//! The components of a URL, by name and in their order.

use abslink_url::{Resolver, rfc1808, rfc3986};
use serde_json::{Value, json};

/// A component; `None` where it is absent, which is not the same as empty.
pub(super) type Row<'a> = (&'static str, Option<&'a str>);

/// RFC 1808 §2.1.
pub(super) fn of_rfc1808<'a>(parts: &rfc1808::Components<'a>) -> [Row<'a>; 6] {
    [
        ("scheme", parts.scheme),
        ("net_loc", parts.net_loc),
        ("path", Some(parts.path)),
        ("params", parts.params),
        ("query", parts.query),
        ("fragment", parts.fragment),
    ]
}

/// RFC 3986 §3.
fn of_rfc3986(uri: &str) -> [Row<'_>; 5] {
    let parts = rfc3986::split(uri);
    [
        ("scheme", parts.scheme),
        ("authority", parts.net_loc),
        ("path", Some(parts.path)),
        ("query", parts.query),
        ("fragment", parts.fragment),
    ]
}

/// The components as a resolver's standard defines them. The URL Standard does not define a split:
/// it is a state machine over characters. RFC 3986's components are close to its results.
pub(super) fn of(resolver: Resolver, url: &str) -> Vec<Row<'_>> {
    match resolver {
        Resolver::Rfc1808 => of_rfc1808(&rfc1808::Components::parse(url)).into(),
        Resolver::Rfc3986 | Resolver::Whatwg => of_rfc3986(url).into(),
    }
}

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
