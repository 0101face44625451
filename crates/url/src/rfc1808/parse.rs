//! RFC 1808 §2.4: a URL's components, one function for each rule, applied in the RFC's order.

use memchr::memchr;

/// §2.1: the six components of a URL. `None` is a component that is absent; `Some("")` one whose
/// delimiter is there with nothing after it.
///
/// # Examples
/// ```
/// use abslink_url::rfc1808::Components;
/// let url = Components::parse("http://a/b/c/d;p?q#");
/// assert_eq!(url.scheme, Some("http"));
/// assert_eq!(url.net_loc, Some("a"));
/// assert_eq!(url.path, "/b/c/d");
/// assert_eq!(url.params, Some("p"));
/// assert_eq!(url.query, Some("q"));
/// assert_eq!(url.fragment, Some(""));
/// assert_eq!(url.to_string(), "http://a/b/c/d;p?q#");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Components<'a> {
    /// Before the first `:`.
    pub scheme: Option<&'a str>,
    /// After `//`: network location and login.
    pub net_loc: Option<&'a str>,
    /// The path with the slash that may precede it. §2.4.6: "even though the initial slash is not
    /// part of the URL path, the parser must remember whether or not it was present".
    pub path: &'a str,
    /// After `;`.
    pub params: Option<&'a str>,
    /// After `?`.
    pub query: Option<&'a str>,
    /// After `#`. Not part of the URL, but parsed with it.
    pub fragment: Option<&'a str>,
}

impl<'a> Components<'a> {
    /// §2.4: parses any text: every text has components.
    pub fn parse(url: &'a str) -> Components<'a> {
        let mut rest = url;
        let fragment = fragment(&mut rest);
        let scheme = scheme(&mut rest);
        let net_loc = net_loc(&mut rest);
        let query = query(&mut rest);
        let params = params(&mut rest);
        Components {
            scheme,
            net_loc,
            path: path(rest),
            params,
            query,
            fragment,
        }
    }
}

/// §2.4.1: the fragment identifier, after the left-most `#`.
pub(crate) fn fragment<'a>(rest: &mut &'a str) -> Option<&'a str> {
    cut_at(rest, b'#')
}

/// §2.4.2: the scheme, before a `:` that is preceded by scheme characters only, and at
/// least one.
///
/// The rule as it stands lets a scheme begin with a digit, `+`, `-` or `.`: `12:30.html` is an
/// absolute URL. RFC 3986 and browsers read a relative path there.
pub fn scheme<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let colon = rest.bytes().position(|byte| !is_scheme_byte(byte))?;
    if colon == 0 || rest.as_bytes()[colon] != b':' {
        return None;
    }
    let scheme = &rest[..colon];
    *rest = &rest[colon + 1..];
    Some(scheme)
}

/// §2.4.3: the network location and login, between `//` and the next `/`.
///
/// The rule as it stands lets it contain `?` and `;`: in `http://a?q/b` it is `a?q`.
pub(crate) fn net_loc<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let after = rest.strip_prefix("//")?;
    let end = memchr(b'/', after.as_bytes()).unwrap_or(after.len());
    *rest = &after[end..];
    Some(&after[..end])
}

/// §2.4.4: the query information, after the left-most `?`.
pub(crate) fn query<'a>(rest: &mut &'a str) -> Option<&'a str> {
    cut_at(rest, b'?')
}

/// §2.4.5: the parameters, after the left-most `;`, so they may contain slashes.
fn params<'a>(rest: &mut &'a str) -> Option<&'a str> {
    cut_at(rest, b';')
}

/// §2.4.6: the path is all that is left.
fn path(rest: &str) -> &str {
    rest
}

/// Removes the left-most `delimiter` and what follows it; returns what follows.
fn cut_at<'a>(rest: &mut &'a str, delimiter: u8) -> Option<&'a str> {
    let at = memchr(delimiter, rest.as_bytes())?;
    let after = &rest[at + 1..];
    *rest = &rest[..at];
    Some(after)
}

/// §2.2 `scheme`: the bytes that scheme names are made of.
pub fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// §2.1: put together again, the components give the text that they were parsed from.
impl std::fmt::Display for Components<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let delimited = [(";", self.params), ("?", self.query), ("#", self.fragment)];
        if let Some(scheme) = self.scheme {
            write!(f, "{scheme}:")?;
        }
        if let Some(net_loc) = self.net_loc {
            write!(f, "//{net_loc}")?;
        }
        f.write_str(self.path)?;
        for (delimiter, component) in delimited {
            if let Some(component) = component {
                write!(f, "{delimiter}{component}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn present_but_empty_differs_from_absent() {
        let url = Components::parse("//;?#");
        assert_eq!(url.net_loc, Some(";?"), "up to the next slash");
        let url = Components::parse("///;?#");
        let expected = Components {
            net_loc: Some(""),
            path: "/",
            params: Some(""),
            query: Some(""),
            fragment: Some(""),
            ..Components::default()
        };
        assert_eq!(url, expected);
        assert_eq!(Components::parse(""), Components::default());
    }

    #[test]
    fn a_scheme_needs_a_character_before_the_colon_and_only_its_own() {
        for (url, scheme) in [
            ("g:h", Some("g")),
            ("12:30", Some("12")),
            (":g", None),
            ("a/b:c", None),
            ("#a:b", None),
            ("é:b", None),
            ("http", None),
        ] {
            assert_eq!(Components::parse(url).scheme, scheme, "{url}");
        }
    }
}
