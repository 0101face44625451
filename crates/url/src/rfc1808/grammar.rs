//! RFC 1808 §2.2: the grammar, as a validator that says at which byte and against which rule a URL
//! departs.
//!
//! Resolution never uses it: real pages depart from the grammar all the time, and §4 is defined
//! for any text.

use super::parse::Components;
use crate::text::bnf::{Cursor, GrammarError, RESERVED, Rule};

const NET_LOC: Rule = Rule::new(r#"net_loc = *( pchar | ";" | "?" )"#);
const FSEGMENT: Rule = Rule::new("fsegment = 1*pchar");
const SEGMENT: Rule = Rule::new("segment = *pchar");
const PARAM: Rule = Rule::new(r#"param = *( pchar | "/" )"#);
const QUERY: Rule = Rule::new("query = *( uchar | reserved )");
const FRAGMENT: Rule = Rule::new("fragment = *( uchar | reserved )");

/// §2.2 `URL = ( absoluteURL | relativeURL ) [ "#" fragment ]`.
///
/// Of the two forms of `absoluteURL`, `scheme ":" *( uchar | reserved )` takes whatever
/// `generic-RL` takes, so an absolute URL may have an empty first segment (`http://a//b`), and a
/// relative one may not.
///
/// # Errors
/// The first place, from the left, that no rule allows.
///
/// # Examples
/// ```
/// use abslink_url::rfc1808::validate;
/// assert!(validate("../g;x?y#s").is_ok());
/// assert_eq!(validate("g?50%").unwrap_err().offset, 4);
/// ```
pub fn validate(url: &str) -> Result<(), GrammarError> {
    let parts = Components::parse(url);
    check(url, &parts, parts.scheme.is_some())
}

/// §2.2 `generic-RL = scheme ":" relativeURL`, or `relativeURL` if there is no scheme: the
/// syntax that "describes valid base URLs", with an optional fragment.
///
/// # Errors
/// As [`validate`].
///
/// # Examples
/// ```
/// use abslink_url::rfc1808::grammar::validate_generic;
/// use abslink_url::rfc1808::validate;
/// assert!(validate("http://a//b").is_ok());
/// assert_eq!(validate_generic("http://a//b").unwrap_err().rule.name, "fsegment");
/// ```
pub fn validate_generic(url: &str) -> Result<(), GrammarError> {
    check(url, &Components::parse(url), false)
}

/// §2.2, component by component. §2.4 has split the URL at the delimiters already, so only
/// characters and the first segment are left to check.
fn check(url: &str, parts: &Components<'_>, empty_fsegment: bool) -> Result<(), GrammarError> {
    let mut at = parts.scheme.map_or(0, |scheme| scheme.len() + 1);
    // Below, `:@&=` and `uchar` make `pchar`.
    if let Some(net_loc) = parts.net_loc {
        at = characters(url, at + 2, net_loc, b":@&=;?", NET_LOC)?;
    }
    if !empty_fsegment {
        first_segment(url, at, parts.path)?;
    }
    at = characters(url, at, parts.path, b":@&=/", SEGMENT)?;
    if let Some(params) = parts.params {
        // params = param *( ";" param )
        at = characters(url, at + 1, params, b":@&=/;", PARAM)?;
    }
    if let Some(query) = parts.query {
        at = characters(url, at + 1, query, RESERVED, QUERY)?;
    }
    if let Some(fragment) = parts.fragment {
        characters(url, at + 1, fragment, RESERVED, FRAGMENT)?;
    }
    Ok(())
}

/// §2.2 `path = fsegment *( "/" segment )`, `fsegment = 1*pchar`: the first segment, after the
/// slash of `abs_path`, is not empty if another one follows.
fn first_segment(url: &str, at: usize, path: &str) -> Result<(), GrammarError> {
    if path.starts_with("//") {
        return Err(Cursor::new(url, at + 1, url.len()).departs(FSEGMENT));
    }
    Ok(())
}

/// Checks that a component at byte `at` is made of `uchar` and `more`; gives where it ends.
fn characters(
    url: &str,
    at: usize,
    component: &str,
    more: &[u8],
    rule: Rule,
) -> Result<usize, GrammarError> {
    let end = at + component.len();
    let mut cursor = Cursor::new(url, at, end);
    cursor.uchars(more)?;
    cursor.finish(rule)?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn departs(url: &str, offset: usize, rule: &str) {
        let error = validate_generic(url).unwrap_err();
        assert_eq!((error.offset, error.rule.name), (offset, rule), "{url}");
    }

    #[test]
    fn each_component_has_its_own_characters() {
        departs("//a b/", 3, "net_loc");
        departs("http://[::1]/", 7, "net_loc");
        departs("/a|b", 2, "segment");
        departs("é", 0, "segment");
        departs("g;a b", 3, "param");
        departs("g?a\\b", 3, "query");
        departs("g#a#b", 3, "fragment");
        departs("g#\"", 2, "fragment");
    }

    #[test]
    fn an_escape_is_two_hexadecimal_digits() {
        departs("a%zz", 1, "escape");
        departs("a%4z", 1, "escape");
        departs("a%z4", 1, "escape");
        departs("a%4", 1, "escape");
        departs("a?%", 2, "escape");
        assert!(validate("%7E%7e").is_ok());
    }

    #[test]
    fn the_first_segment_is_not_empty() {
        departs("http://a//b", 9, "fsegment");
        departs("////g", 3, "fsegment");
        assert!(validate_generic("x://").is_ok());
    }

    #[test]
    fn an_error_says_what_does_not_fit_which_rule() {
        for (url, expected) in [
            (
                "g?a b",
                "byte 3: ` ` does not fit query = *( uchar | reserved )",
            ),
            ("g%4", "byte 1: `%` does not fit escape = \"%\" hex hex"),
        ] {
            assert_eq!(validate(url).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn empty_components_fit() {
        for url in [
            "", "#", "?", ";", "//", "///", "g;x?y#s", "http:", "a_b:c", ":g", "http:g",
        ] {
            assert_eq!(validate(url), Ok(()), "{url}");
            assert_eq!(validate_generic(url), Ok(()), "{url}");
        }
    }
}
