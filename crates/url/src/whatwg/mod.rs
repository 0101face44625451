//! The URL Standard, by the crate `url`, with work-arounds where that crate departs from it.
//!
//! The work-arounds rewrite the reference before the crate sees it, into one that means the same
//! by the standard. The crate cannot hold every `file:` URL, so those are parsed here.

mod drive;
mod file;
mod host;
mod url;

use std::borrow::Cow;

use ::url::{ParseError, Position};

use crate::rfc3986;
use crate::text::pre_step;
pub(crate) use file::dots;
pub use url::Url;

/// Where the URL Standard's parser fails.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, Resolver};
///
/// let error = Resolver::Whatwg.resolve(&BaseUrl::parse("http://h/")?, "//a:x/").unwrap_err();
/// assert_eq!(error.to_string(), "the URL Standard gives no result for it: invalid port number");
/// # Ok::<(), abslink_url::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the URL Standard gives no result for it: {0}")]
pub struct InvalidUrl(pub(crate) ParseError);

/// Runs the URL parser (URL Standard §4.4). Without a base URL only absolute URLs have a result.
///
/// # Errors
/// [`InvalidUrl`] if the parser returns failure.
///
/// # Examples
/// ```
/// use abslink_url::whatwg;
///
/// let base = whatwg::parse("HTTP://A/b/c", None)?;
/// assert_eq!(whatwg::parse("../g", Some(&base))?.text(), "http://a/g");
/// assert!(whatwg::parse("mailto:a@b", None)?.cannot_be_a_base());
/// assert!(whatwg::parse("../g", None).is_err());
/// # Ok::<(), abslink_url::InvalidUrl>(())
/// ```
pub fn parse(input: &str, base: Option<&Url>) -> Result<Url, InvalidUrl> {
    parse_against(input, base).map_err(InvalidUrl)
}

fn parse_against(input: &str, base: Option<&Url>) -> Result<Url, ParseError> {
    // The parser's own first step; what follows looks at the first characters.
    let input = pre_step(input);
    let file_base = base.filter(|base| base.read.is_none());
    if let Some(text) = file::parse(&input, file_base.map(Url::text)) {
        return text.map(|text| Url { text, read: None });
    }
    let base_read = base.and_then(|base| base.read.as_ref());
    let (read, refused_host) = match read(&input, base_read) {
        Ok(read) => {
            let inherited = base.zip(base_read).filter(|(base, base_read)| {
                base.text != base_read.as_str() && host::is_inherited(&input, &read, base_read)
            });
            let host = inherited.map(|(base, base_read)| {
                let before = base_read[..Position::BeforeHost].len();
                let after = base.text.len() - base_read[Position::AfterHost..].len();
                base.text[before..after].to_owned()
            });
            (read, host)
        }
        Err(error) => {
            let (stand_in, host) = host::stand_in(&input, base_read).ok_or(error)?;
            (read(&stand_in, base_read)?, Some(host))
        }
    };
    let text = match refused_host {
        None => read.as_str().to_owned(),
        Some(host) => {
            let (before, after) = (..Position::BeforeHost, Position::AfterHost..);
            [&read[before], &host, &read[after]].concat()
        }
    };
    let read = Some(read);
    Ok(Url { text, read })
}

/// Runs the parser of the crate.
fn read(input: &str, base: Option<&::url::Url>) -> Result<::url::Url, ParseError> {
    if let Some(url) = drive::without_dots(input, base) {
        return with_newer_escapes(::url::Url::parse(&url)?);
    }
    let amended = match base {
        Some(base) if base.is_special() => one_host(input),
        Some(_) => own_backslash(input),
        None => Cow::Borrowed(input),
    };
    let url = ::url::Url::options().base_url(base).parse(&amended)?;
    if lacks_host(&amended, &url) {
        return Err(ParseError::EmptyHost);
    }
    with_newer_escapes(url)
}

/// What the standard has percent-encoded in a path since 2025 and the crate leaves: `^`, and in an
/// opaque path a final space before a query or a fragment.
fn with_newer_escapes(url: ::url::Url) -> Result<::url::Url, ParseError> {
    let (before, after) = (&url[..Position::BeforePath], &url[Position::AfterPath..]);
    let path = if url.cannot_be_a_base() {
        let shorter = url.path().strip_suffix(' ').filter(|_| !after.is_empty());
        shorter.map(|shorter| format!("{shorter}%20"))
    } else {
        let has_caret = url.path().contains('^');
        has_caret.then(|| url.path().replace('^', "%5E"))
    };
    match path {
        Some(path) => ::url::Url::parse(&[before, &path, after].concat()),
        None => Ok(url),
    }
}

/// Of three or more slashes (or backslashes) the standard ignores those after the second; the
/// crate fails (<https://github.com/servo/rust-url/pull/1137>).
fn one_host(input: &str) -> Cow<'_, str> {
    let host = input.trim_start_matches(['/', '\\']);
    if input.len() - host.len() < 2 {
        return Cow::Borrowed(input);
    }
    Cow::Owned(format!("//{host}"))
}

/// With a scheme that is not special, `\` is an ordinary character; the crate reads a slash.
fn own_backslash(input: &str) -> Cow<'_, str> {
    if input.starts_with('\\') {
        Cow::Owned(format!("./{input}"))
    } else if input.starts_with("/\\") {
        Cow::Owned(format!("/.{input}"))
    } else {
        Cow::Borrowed(input)
    }
}

/// The crate accepts `foo://@`, a login without a host, where the standard fails.
fn lacks_host(input: &str, url: &::url::Url) -> bool {
    let authority = rfc3986::split(input).net_loc;
    !url.is_special() && !url.has_host() && authority.is_some_and(|text| !text.is_empty())
}

/// Whether the standard lists `scheme` as special; upper and lower case are the same.
pub(crate) fn is_special(scheme: &str) -> bool {
    ["http", "https", "file", "ftp", "ws", "wss"]
        .iter()
        .any(|special| special.eq_ignore_ascii_case(scheme))
}

/// Whether `reference` has a scheme and is not relative in spite of it: `http:g` is `g` if the
/// base is an http URL too.
pub(crate) fn is_absolute(base: &str, reference: &str) -> bool {
    let Some(scheme) = rfc3986::scheme(reference) else {
        return false;
    };
    let same = rfc3986::scheme(base).is_some_and(|base| base.eq_ignore_ascii_case(scheme));
    !(same && is_special(scheme)) || reference[scheme.len() + 1..].starts_with("//")
}

#[cfg(test)]
mod tests {
    use crate::{BaseUrl, Resolver, divergence};

    /// Each of these came out wrong, or failed, without a work-around.
    #[test]
    fn where_the_crate_departs_from_the_standard() {
        for (base, reference, expected) in [
            ("http://a/b", "///x", Some("http://x/")),
            ("http://a/b", "/\\\\/x", Some("http://x/")),
            ("foo://a/b", "\\g", Some("foo://a/\\g")),
            ("foo://a/b", "/\\g", Some("foo://a/\\g")),
            ("http://a/b", "file:///C|/x", Some("file:///C:/x")),
            ("http://a/b", "file:///1|/x", Some("file:///1|/x")),
            ("http://a/b", "foo://@", None),
            ("http://a/b", "foo://@/x", None),
            ("http://a/b", "x^y?^#^", Some("http://a/x%5Ey?^#^")),
            ("http://a/b^/c", "d", Some("http://a/b%5E/d")),
            ("http://a/b", "C:/../^", Some("c:/%5E")),
            ("http://a/b", "C|/../^", Some("http://a/%5E")),
            ("http://a/b", "mailto:x^y", Some("mailto:x^y")),
            ("http://a/b", "x:y  #z", Some("x:y %20#z")),
            ("http://a/b", "x:y z", Some("x:y z")),
        ] {
            let base = BaseUrl::any(base);
            let resolved = Resolver::Whatwg.resolve(&base, reference).ok();
            assert_eq!(resolved.as_deref(), expected, "{base:?} + {reference}");
        }
    }

    #[test]
    fn a_domain_of_ascii_characters_is_what_it_is() {
        for (base, reference, expected) in [
            ("http://a/b", "//xn--/x", Some("http://xn--/x")),
            (
                "http://a/b",
                "\\\\/u:p@XN--a.%58n--%2ec:8/^",
                Some("http://u:p@xn--a.xn--.c:8/%5E"),
            ),
            ("http://a/b", "https:xn--#f", Some("https://xn--/#f")),
            ("http://a/b", "file://xn--/p", Some("file://xn--/p")),
            // The host of the base, or another one.
            ("http://u@XN--:8/b/c", "d", Some("http://u@xn--:8/b/d")),
            ("http://xn--/b/c", "http:C|/../d", Some("http://xn--/b/d")),
            ("http://xn--/b/c", "//xo--/", Some("http://xo--/")),
            ("http://xn--/b/c", "https:xo--", Some("https://xo--/")),
            ("http://xn--/b/c", "x://xo--", Some("x://xo--")),
            ("http://xn--/b/c", "//xn--a", Some("http://xn--a/")),
            ("file://xn--/b", "c", Some("file://xn--/c")),
            ("file://xn--/b", "///c", Some("file:///c")),
            // No such host: of a number, with a forbidden character, not ASCII.
            ("http://a/b", "//xn--.1", None),
            ("http://a/b", "//xn--%2Fx/", None),
            ("http://a/b", "//xn--%25/", None),
            ("http://a/b", "//xn--:x/", None),
            ("http://a/b", "//xn--a.\u{3b2}/", None),
            // Not a domain.
            ("http://a/b", "x://XN--/", Some("x://XN--/")),
        ] {
            let base = BaseUrl::any(base);
            let resolved = Resolver::Whatwg.resolve(&base, reference).ok();
            assert_eq!(resolved.as_deref(), expected, "{base:?} + {reference}");
            // What the resolver gives is what a browser gets.
            if let Some(expected) = expected {
                let again = Resolver::Whatwg.resolve(&BaseUrl::any(""), expected);
                assert_eq!(again.as_deref(), Ok(expected));
                assert_eq!(divergence::differs(&base, reference, expected), None);
            }
        }
        let differs = |base, reference, resolved| {
            divergence::differs(&BaseUrl::any(base), reference, resolved).is_some()
        };
        assert!(differs("http://xn--/b", "//xo--/", "http://xn--/"));
        assert!(differs("http://xn--a/b", "c", "http://xn--b/c"));
    }

    #[test]
    fn a_scheme_does_not_always_make_a_reference_absolute() {
        for (base, reference, absolute) in [
            ("http://a/b", "http://x", true),
            ("http://a/b", "https:x", true),
            ("http://a/b", "HTTP:/x", false),
            ("foo://a/b", "foo:x", true),
            ("http://a/b", "12:30", false),
            ("http://a/b", "//x", false),
        ] {
            let base = BaseUrl::any(base);
            assert_eq!(
                Resolver::Whatwg.is_absolute(&base, reference),
                absolute,
                "{reference}"
            );
        }
    }
}
