//! A base URL, parsed once and used for every reference of a document.

use std::sync::{Arc, OnceLock};

use crate::rfc1738::Login;
use crate::rfc1808::{self, Components, SchemeClass};
use crate::rfc3986;
use crate::shortcut::Shortcut;
use crate::whatwg::{self, InvalidUrl};

/// A base URL, parsed once for each resolver that is asked. Clones share what was parsed.
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, UnsuitableBase};
/// let base = BaseUrl::parse("http://a/b/c/d;p?q#f")?;
/// assert_eq!(base.without_fragment(), "http://a/b/c/d;p?q");
/// assert_eq!(BaseUrl::parse("docs/").unwrap_err(), UnsuitableBase::Relative);
/// # Ok::<(), UnsuitableBase>(())
/// ```
#[derive(Clone, Debug)]
pub struct BaseUrl(Arc<Parsed>);

/// Equal if the text is.
impl PartialEq for BaseUrl {
    fn eq(&self, other: &BaseUrl) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for BaseUrl {}

#[derive(Debug)]
struct Parsed {
    text: String,
    rfc1808: rfc1808::resolve::Base,
    /// `None` for a base that the standards do not share.
    shortcut: Option<Shortcut>,
    rfc3986: OnceLock<Box<rfc1808::resolve::Base>>,
    /// `None` if the URL Standard's parser fails on it.
    whatwg: OnceLock<Option<Box<whatwg::Url>>>,
}

/// Why a URL cannot serve as a base (RFC 1808 §2: "relative URLs cannot be used within documents
/// that have unsuitable base URLs").
///
/// # Examples
/// ```
/// use abslink_url::{BaseUrl, UnsuitableBase};
///
/// assert!(matches!(BaseUrl::parse("a/b"), Err(UnsuitableBase::Relative)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsuitableBase {
    /// It has no scheme.
    #[error("not absolute: no scheme; write for example https://example.org/docs/")]
    Relative,
    /// §2.3: its scheme is never used with relative URLs.
    #[error(
        "`{scheme}:` URLs are never used with relative ones (RFC 1808 section 2.3); \
         give the http, https, ftp or file URL of the document"
    )]
    NeverRelative {
        /// The scheme.
        scheme: String,
    },
    /// What follows its scheme is not a path from a root.
    #[error(
        "`{scheme}:` is not followed by `/`, so there is no path to be relative to; \
         give the http, https, ftp or file URL of the document"
    )]
    Opaque {
        /// The scheme.
        scheme: String,
    },
    /// The URL Standard's parser fails on it, so browsers cannot use it.
    #[error("browsers do not take it for a URL: {}", .0.0)]
    Invalid(#[source] InvalidUrl),
    /// It was recorded as the URL that a document was retrieved from, and its scheme is of no server.
    #[error("`{scheme}:` URLs mean something only on the computer on which the page was saved")]
    NoServer {
        /// The scheme.
        scheme: String,
    },
    /// It has a template placeholder.
    #[error("it has a template placeholder, so only the template's data can tell what it is")]
    Unfilled,
    /// Its scheme needs a host, and there is none.
    #[error("it names no host; write {scheme}://HOST/ and the path")]
    NoHost {
        /// The scheme.
        scheme: String,
    },
}

/// Schemes whose URLs mean nothing without a host.
const NEED_HOST: [&str; 9] = [
    "http", "https", "ftp", "ws", "wss", "gopher", "nntp", "wais", "prospero",
];

impl BaseUrl {
    /// Parses a base URL that relative references can be resolved against. The
    /// [pre-step](crate::pre_step) is the caller's.
    ///
    /// # Errors
    /// [`UnsuitableBase`] says why it cannot be one.
    pub fn parse(url: &str) -> Result<BaseUrl, UnsuitableBase> {
        let base = BaseUrl::any(url);
        if base.0.shortcut.is_none() {
            check_suitable(&Components::parse(url))?;
            let parsed = whatwg::parse(url, None).map_err(UnsuitableBase::Invalid)?;
            base.0.whatwg.get_or_init(|| Some(Box::new(parsed)));
        }
        Ok(base)
    }

    /// Takes any text as a base, suitable or not: RFC 1808 §4 is defined for each.
    pub fn any(url: &str) -> BaseUrl {
        BaseUrl(Arc::new(Parsed {
            text: url.to_owned(),
            rfc1808: rfc1808::resolve::Base::new(url),
            shortcut: Shortcut::of(url),
            rfc3986: OnceLock::new(),
            whatwg: OnceLock::new(),
        }))
    }

    /// The base URL as it was given.
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// The base URL without its fragment.
    pub fn without_fragment(&self) -> &str {
        &self.0.text[..self.0.rfc1808.query]
    }

    /// The base as RFC 1808 §4 needs it.
    pub(crate) fn rfc1808(&self) -> &rfc1808::resolve::Base {
        &self.0.rfc1808
    }

    /// The base as RFC 3986 §5.2.2 needs it.
    pub(crate) fn rfc3986(&self) -> &rfc1808::resolve::Base {
        (self.0.rfc3986).get_or_init(|| Box::new(rfc3986::base(&self.0.text)))
    }

    /// What the URL Standard's parser makes of it; nothing where that fails.
    #[doc(hidden)]
    pub fn whatwg_url(&self) -> Option<&whatwg::Url> {
        let parse = || whatwg::parse(&self.0.text, None).ok().map(Box::new);
        self.0.whatwg.get_or_init(parse).as_deref()
    }

    /// How most references are resolved, if the three standards read and write this base alike.
    #[doc(hidden)]
    #[inline]
    pub fn shortcut(&self) -> Option<&Shortcut> {
        self.0.shortcut.as_ref()
    }
}

/// Checks what RFC 1808 requires of a base URL.
fn check_suitable(parts: &Components<'_>) -> Result<(), UnsuitableBase> {
    let scheme = parts.scheme.ok_or(UnsuitableBase::Relative)?;
    let named = || scheme.to_owned();
    if SchemeClass::of(scheme) == SchemeClass::Never {
        return Err(UnsuitableBase::NeverRelative { scheme: named() });
    }
    let needs_host = NEED_HOST
        .iter()
        .any(|name| name.eq_ignore_ascii_case(scheme));
    let login = Login::parse(parts.net_loc.unwrap_or_default());
    if needs_host && login.host.is_empty() {
        return Err(UnsuitableBase::NoHost { scheme: named() });
    }
    if parts.net_loc.is_none() && !parts.path.starts_with('/') {
        return Err(UnsuitableBase::Opaque { scheme: named() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suitable() {
        for url in [
            "http://a/b/c/d;p?q#f",
            "http://a",
            "HTTP://user:pw@a:80/",
            "file:///x",
            "file:/x",
            "ftp://h/d;type=d",
            "gopher://h/1/x",
            "wais://h/db",
            "prospero://h/x",
            "foo://",
            "x:/a/b",
            "httrack:/x",
        ] {
            assert!(BaseUrl::parse(url).is_ok(), "{url}");
        }
    }

    #[test]
    fn unsuitable_with_the_reason() {
        for (url, reason) in [
            ("", "no scheme"),
            ("a/b", "no scheme"),
            ("//host/x", "no scheme"),
            ("mailto:x@y", "`mailto:` URLs are never used"),
            ("NEWS:x", "`NEWS:` URLs are never used"),
            ("telnet://h/", "`telnet:` URLs are never used"),
            ("data:text/html,x", "`data:` is not followed by `/`"),
            ("javascript:x", "`javascript:` is not followed by `/`"),
            ("about:blank", "`about:` is not followed by `/`"),
            ("x:a", "`x:` is not followed by `/`"),
            ("file:x", "`file:` is not followed by `/`"),
            ("http:", "names no host; write http://HOST/"),
            ("http:/x", "names no host"),
            ("https:///x", "names no host"),
            ("http://user@/x", "names no host"),
            ("http://:80/x", "names no host"),
        ] {
            let error = BaseUrl::parse(url).unwrap_err().to_string();
            assert!(error.contains(reason), "{url}: {error}");
        }
    }
}
