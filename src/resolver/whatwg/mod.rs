//! The URL Standard, by the crate `url` with work-arounds where that crate departs from it.
//!
//! The work-arounds rewrite the reference before the crate sees it, into one that means the same
//! by the standard. What still differs are shapes of
//! `file:` URLs, listed with reasons in `testdata/resolver/whatwg_expected_failures.txt`.

mod drive;

use std::borrow::Cow;

use url::{ParseError, Url};

use super::plain::is_plain_base;
use super::{pre_step, rfc3986};

/// A base URL as the URL Standard needs it.
#[derive(Clone, Debug)]
pub(crate) struct Base {
    /// `None` where the standard's parser fails on the base.
    pub(crate) url: Option<Url>,
    /// See [`is_plain_base`].
    pub(crate) is_plain: bool,
}

impl Base {
    pub(crate) fn new(text: &str) -> Base {
        Base::parsed(text, parse(text, None).ok())
    }

    /// The base of which the parser has made `url`.
    pub(crate) fn parsed(text: &str, url: Option<Url>) -> Base {
        let is_plain = url.as_ref().is_some_and(|url| is_plain_base(text, url));
        Base { url, is_plain }
    }

    /// Resolves `reference`. With a base that cannot be parsed, only absolute URLs have a result.
    pub(crate) fn join(&self, reference: &str) -> Result<Url, ParseError> {
        parse(reference, self.url.as_ref())
    }
}

/// Runs the URL parser.
pub(crate) fn parse(input: &str, base: Option<&Url>) -> Result<Url, ParseError> {
    // The parser's own first step; what follows looks at the first characters.
    let input = pre_step(input);
    let input = drive_letter(&input);
    if let Some(url) = drive::without_dots(&input, base) {
        return Url::parse(&drive_letter(&url));
    }
    let amended = match base {
        Some(base) if base.is_special() => one_host(&input, base),
        Some(_) => own_backslash(&input),
        None => Cow::Borrowed(&*input),
    };
    let url = Url::options().base_url(base).parse(&amended)?;
    if lacks_host(&amended, &url) {
        return Err(ParseError::EmptyHost);
    }
    Ok(url)
}

/// Of three or more slashes (or backslashes) the standard ignores those after the second; the
/// crate fails (<https://github.com/servo/rust-url/pull/1137>).
fn one_host<'a>(input: &'a str, base: &Url) -> Cow<'a, str> {
    let host = input.trim_start_matches(['/', '\\']);
    if base.scheme() == "file" || input.len() - host.len() < 2 {
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

/// `file:///C|/x` is `file:///C:/x`; the crate keeps the bar in an absolute URL.
fn drive_letter(input: &str) -> Cow<'_, str> {
    let path = input.strip_prefix("file:///").unwrap_or_default();
    match path.as_bytes() {
        [letter, b'|'] | [letter, b'|', b'/' | b'\\' | b'?' | b'#', ..]
            if letter.is_ascii_alphabetic() =>
        {
            Cow::Owned(input.replacen('|', ":", 1))
        }
        _ => Cow::Borrowed(input),
    }
}

/// The crate accepts `foo://@`, a login without a host, where the standard fails.
fn lacks_host(input: &str, url: &Url) -> bool {
    let authority = rfc3986::Components::split(input).authority;
    !url.is_special() && !url.has_host() && authority.is_some_and(|text| !text.is_empty())
}

/// Whether the standard lists `scheme` as special; upper and lower case are the same.
pub(crate) fn is_special(scheme: &str) -> bool {
    ["http", "https", "file", "ftp", "ws", "wss"]
        .iter()
        .any(|special| special.eq_ignore_ascii_case(scheme))
}

/// Whether `reference` has a scheme and is not relative in spite of it: `http:g` is `g` where the
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
    use crate::resolver::{BaseUrl, Resolver};

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
        ] {
            let base = BaseUrl::any(base);
            let resolved = Resolver::Whatwg.resolve(&base, reference).ok();
            assert_eq!(resolved.as_deref(), expected, "{base:?} + {reference}");
        }
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
