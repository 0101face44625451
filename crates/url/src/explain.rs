//! RFC 1808 §4, step by step.

use crate::base::BaseUrl;
use crate::resolver::Resolver;
use crate::rfc1808::Components;
use crate::rfc1808::path::{self, directory};
use crate::rfc1808::resolve::{Inherited, inherited};
use crate::rfc3986;

/// The components of a URL by name and in their order, as a resolver's standard defines them; `None` where one is
/// absent, which is not the same as empty. The URL Standard does not define a split: it is a state machine over
/// characters. RFC 3986's components (§3) are close to its results.
///
/// # Examples
/// ```
/// use abslink_url::{Resolver, explain::components};
///
/// let of_rfc1808 = components(Resolver::Rfc1808, "//h/a;p?");
/// assert_eq!(of_rfc1808[..4], [("scheme", None), ("net_loc", Some("h")), ("path", Some("/a")), ("params", Some("p"))]);
/// assert_eq!(components(Resolver::Rfc3986, "//h/a;p?")[2..4], [("path", Some("/a;p")), ("query", Some(""))]);
/// ```
pub fn components(resolver: Resolver, url: &str) -> Vec<(&'static str, Option<&str>)> {
    match resolver {
        // §2.1
        Resolver::Rfc1808 => {
            let parts = Components::parse(url);
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
    }
}

/// A step of §4, as it was taken.
///
/// # Examples
/// ```
/// let base = abslink_url::BaseUrl::parse("http://a/b/c")?;
/// for step in abslink_url::explain::explain(&base, "../g") {
///     println!("step {}: {}", step.number, step.text);
/// }
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The step's number in §4: `1`, `2a`, ... `7`.
    pub number: &'static str,
    /// What was found and done.
    pub text: String,
}

/// §4: resolves `reference` and reports each step.
///
/// # Examples
/// ```
/// use abslink_url::explain::explain;
/// use abslink_url::BaseUrl;
/// let base = BaseUrl::any("http://a/b/c/d;p?q#f");
/// let steps = explain(&base, "../g");
/// assert_eq!(steps.last().unwrap().text, "recombined: http://a/b/g");
/// let merged = steps.iter().find(|step| step.number == "6c").unwrap();
/// assert_eq!(merged.text, "\"<segment>/../\" is removed: /b/g");
/// ```
pub fn explain(base: &BaseUrl, reference: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    tell(base, reference, &mut |number, text| {
        let text = text.to_owned();
        steps.push(Step { number, text });
    });
    steps
}

/// Reports steps 1 to 7, in the order of §4; returns where the RFC says "we are done".
fn tell(base: &BaseUrl, reference: &str, step: &mut dyn FnMut(&'static str, &str)) {
    let url = base.as_str();
    if url.is_empty() {
        let said = "the base URL is empty: the reference is taken as absolute";
        return step("1", said);
    }
    step("1", &format!("the base URL is {url}"));
    step("2", "both are parsed into their components");
    if reference.is_empty() {
        return step("2a", &format!("the reference is empty: {url}"));
    }
    step("2a", "the reference is not empty");
    let (from, parts) = (Components::parse(url), Components::parse(reference));
    if let Some(scheme) = parts.scheme {
        let found = format!("it starts with the scheme {scheme}: it is absolute");
        return step("2b", &found);
    }
    step("2b", "it does not start with a scheme");
    step("2c", &inherit("scheme", from.scheme));
    let inherits = inherited(url, reference, &parts);
    tell_steps_3_to_6(&from, &parts, inherits, step);
    let mut absolute = String::new();
    // RFC 1808 has a result for every reference.
    let _ = Resolver::Rfc1808.resolve_into(base, reference, &mut absolute);
    step("7", &format!("recombined: {absolute}"));
}

fn tell_steps_3_to_6(
    base: &Components<'_>,
    reference: &Components<'_>,
    inherits: Inherited,
    step: &mut dyn FnMut(&'static str, &str),
) {
    if inherits == Inherited::Scheme {
        return step("3", "its net_loc is not empty: on to step 7");
    }
    let inherited = inherit("net_loc", base.net_loc);
    step("3", &format!("its net_loc is empty; {inherited}"));
    if inherits == Inherited::NetLoc {
        return step("4", "its path begins with a slash: on to step 7");
    }
    step("4", "its path does not begin with a slash");
    if inherits == Inherited::Directory {
        step("5", "its path is not empty");
        return tell_step_6(base, reference, step);
    }
    let inherited = inherit("path", Some(base.path));
    step("5", &format!("its path is empty; {inherited}"));
    if inherits == Inherited::Path {
        return step("5a", "it has params: on to step 7");
    }
    step("5a", &inherit("params", base.params));
    if inherits == Inherited::Params {
        return step("5b", "it has a query: on to step 7");
    }
    step("5b", &inherit("query", base.query));
}

fn tell_step_6(
    base: &Components<'_>,
    reference: &Components<'_>,
    step: &mut dyn FnMut(&'static str, &str),
) {
    let rooted = base.path.starts_with('/') || base.net_loc.is_some();
    let root = if rooted { "/" } else { "" };
    let below_root = base.path.strip_prefix('/').unwrap_or(base.path);
    let merged = format!("{}{}", directory(below_root), reference.path);
    let mut segments: Vec<&str> = merged.split('/').collect();

    let put = format!("put in place of the base path's last segment: {root}{merged}");
    step("6", &put);
    type Rule = fn(&mut Vec<&str>);
    let rules: [(_, _, Rule); 4] = [
        ("6a", "\"./\" is removed", path::rule_a),
        ("6b", "\".\" at the end is removed", path::rule_b),
        ("6c", "\"<segment>/../\" is removed", path::rule_c),
        ("6d", "\"<segment>/..\" at the end is removed", path::rule_d),
    ];
    for (number, what, rule) in rules {
        rule(&mut segments);
        step(number, &format!("{what}: {root}{}", segments.join("/")));
    }
}

/// Says that a component is inherited, and its value.
fn inherit(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("it inherits the {name} \"{value}\""),
        None => format!("it inherits no {name}, since the base URL has none"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn numbers(base: &str, reference: &str) -> String {
        let base = BaseUrl::any(base);
        let steps = explain(&base, reference);
        steps
            .iter()
            .map(|step| step.number)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn only_the_steps_that_were_taken() {
        let base = "http://a/b/c/d;p?q#f";
        assert_eq!(numbers("", "g"), "1");
        assert_eq!(numbers(base, ""), "1 2 2a");
        assert_eq!(numbers(base, "g:h"), "1 2 2a 2b");
        assert_eq!(numbers(base, "//g"), "1 2 2a 2b 2c 3 7");
        assert_eq!(numbers(base, "/g"), "1 2 2a 2b 2c 3 4 7");
        assert_eq!(numbers(base, ";x"), "1 2 2a 2b 2c 3 4 5 5a 7");
        assert_eq!(numbers(base, "?y"), "1 2 2a 2b 2c 3 4 5 5a 5b 7");
        assert_eq!(numbers(base, "#s"), "1 2 2a 2b 2c 3 4 5 5a 5b 7");
        assert_eq!(numbers(base, "g"), "1 2 2a 2b 2c 3 4 5 6 6a 6b 6c 6d 7");
    }

    /// Checks what each of these steps said, of those that were taken.
    #[track_caller]
    fn told(base: &str, reference: &str, expected: &[(&str, &str)]) {
        let base = BaseUrl::any(base);
        let steps = explain(&base, reference);
        for (number, text) in expected {
            let step = steps.iter().find(|step| step.number == *number).unwrap();
            assert_eq!(step.text, *text, "{number} of {base:?} + {reference}");
        }
    }

    #[test]
    fn what_is_inherited() {
        told(
            "http://a/b;p?q",
            "#s",
            &[
                ("2c", "it inherits the scheme \"http\""),
                ("3", "its net_loc is empty; it inherits the net_loc \"a\""),
                ("5", "its path is empty; it inherits the path \"/b\""),
                ("5a", "it inherits the params \"p\""),
                ("5b", "it inherits the query \"q\""),
            ],
        );
        let none = "it inherits no query, since the base URL has none";
        told("http://a/b", "#s", &[("5b", none)]);
    }

    #[test]
    fn the_path_of_a_base_may_begin_with_no_slash() {
        let merged = |path| format!("put in place of the base path's last segment: {path}");
        told("http://a/b/c", "g", &[("6", &merged("/b/g"))]);
        told("http://a", "g", &[("6", &merged("/g"))]);
        told("file:/b/c", "g", &[("6", &merged("/b/g"))]);
        told("x:b/c", "g", &[("6", &merged("b/g"))]);
    }
}
