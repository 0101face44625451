//! RFC 1808 §3.1: what the `href` of an HTML `base` element means.
//!
//! The HTML standard's reading: a relative `href` is resolved against the fallback base URL. If the
//! URL Standard's parser fails on it, or if it is a `data:` or `javascript:` URL, the
//! element counts as if it named the fallback base URL (it still hides later `base` elements).
//!
//! A base URL to which nothing can be relative leaves the references unresolved, with every
//! resolver: §2.3 has no relative form for it (`mailto:`, `news:`, `telnet:`), and in the URL
//! Standard a URL whose scheme is not followed by `/` has an opaque path (`urn:x`), against which
//! only a fragment is resolved. That one exception is left alone as well: `#x` would become
//! `mailto:a@b#x`, which is not a place in any document, and it means the same in a browser as long
//! as it stays.
//!
//! To RFC 1808, `file:` and `file:x` are opaque too; here they are read as everywhere else, as
//! `file:///` and `file:///x`.

use super::Context;
use abslink_url::rfc1808::schemes::SchemeClass;
use abslink_url::{BaseUrl, Resolver, UnsuitableBase, divergence, pre_step, whatwg};

/// What a `base` element gives.
pub(super) enum Embedded {
    /// A base URL, and the one that browsers use, if it differs.
    Base(BaseUrl, Option<BaseUrl>),
    /// A base URL to which nothing can be relative.
    CarriesNone(UnsuitableBase),
    /// None, so the fallback base URL counts; and the one that browsers use, if it differs.
    Ignored(UnsuitableBase, Option<BaseUrl>),
}

impl Embedded {
    /// Reads the `href` of the `base` element that counts.
    pub(super) fn read(href: &str, context: &Context, resolver: Resolver) -> Embedded {
        let href = pre_step(href);
        let fallback = context.fallback().map(|(url, _)| url);
        // What browsers resolve the element's `href` against.
        let seen = context.browser.as_ref().or(fallback);
        let read = match fallback {
            Some(fallback) if !resolver.is_absolute(fallback, &href) => resolver
                .resolve(fallback, &href)
                .map_err(|_| UnsuitableBase::Relative)
                .and_then(|resolved| BaseUrl::parse(&resolved)),
            _ => BaseUrl::parse(&href),
        };
        match read {
            Ok(base) => {
                let differs = seen.and_then(|seen| match context.browser {
                    None => divergence(seen, &href, base.as_str()),
                    Some(_) => divergence::differs(seen, &href, base.as_str()),
                });
                let browser = differs.and_then(|found| {
                    let url = found.browser.map(|url| BaseUrl::any(&url));
                    url.or_else(|| seen.cloned())
                });
                Embedded::Base(base, browser)
            }
            Err(reason) => Embedded::unsuitable(&href, reason, seen, resolver),
        }
    }

    /// An `href` that is not a suitable base URL by RFC 1808.
    fn unsuitable(
        href: &str,
        reason: UnsuitableBase,
        seen: Option<&BaseUrl>,
        resolver: Resolver,
    ) -> Embedded {
        let Ok(url) = whatwg::parse(href, seen.and_then(BaseUrl::whatwg_url)) else {
            return Embedded::Ignored(reason, None);
        };
        let scheme = url.scheme();
        if matches!(scheme, "data" | "javascript") {
            return Embedded::Ignored(reason, None);
        }
        if SchemeClass::of(scheme) == SchemeClass::Never {
            return Embedded::CarriesNone(reason);
        }
        if url.cannot_be_a_base() {
            let scheme = scheme.to_owned();
            return Embedded::CarriesNone(UnsuitableBase::Opaque { scheme });
        }
        let browser = BaseUrl::any(url.text());
        if resolver == Resolver::Whatwg && seen.is_some() || scheme == "file" {
            Embedded::Base(browser, None)
        } else {
            Embedded::Ignored(reason, Some(browser))
        }
    }
}
