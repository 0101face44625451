//! Whether a reference leads above the root of its server: most often the base URL is wrong then.

use memchr::memchr2;

use super::Resolver;
use crate::base::BaseUrl;
use crate::rfc1808::Components;
use crate::rfc1808::path::directory;
use crate::whatwg;

impl Resolver {
    /// Whether a relative reference without a host has `..` for more levels than there are in its path and that
    /// of the base URL, which is an http or https URL. RFC 1808 §5.2 keeps those that are too many, the others
    /// drop them.
    ///
    /// # Examples
    /// ```
    /// use abslink_url::{BaseUrl, Resolver};
    /// let base = BaseUrl::parse("http://h/a/b.html")?;
    /// assert!(Resolver::Rfc1808.leads_above_root(&base, "../../x"));
    /// assert!(!Resolver::Rfc1808.leads_above_root(&base, "c/../../x"));
    /// # Ok::<(), abslink_url::UnsuitableBase>(())
    /// ```
    pub fn leads_above_root(self, base: &BaseUrl, reference: &str) -> bool {
        let resolved = (base.shortcut()).and_then(|it| it.resolve(reference.as_bytes()));
        if resolved.is_some() {
            return false;
        }
        let is_browsers = self == Resolver::Whatwg;
        let end = memchr2(b'?', b'#', reference.as_bytes()).unwrap_or(reference.len());
        let parts = Components::parse(&reference[..end]);
        let path = match self {
            Resolver::Rfc1808 => parts.path,
            _ => &reference[parts.scheme.map_or(0, |scheme| scheme.len() + 1)..end],
        };
        let is_slash = |c: char| c == '/' || is_browsers && c == '\\';
        let mut starts = path.chars().map(is_slash);
        let (is_rooted, is_host) = (starts.next() == Some(true), starts.next() == Some(true));
        if parts.net_loc.is_some() || is_rooted && is_host {
            return false;
        }
        let parts = Components::parse(base.as_str());
        let is_http = |scheme: &str| {
            scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
        };
        if !parts.scheme.is_some_and(is_http) {
            return false;
        }
        let dots = |segment: &str| match segment {
            _ if is_browsers => whatwg::dots(segment),
            "." => Some(1),
            ".." => Some(2),
            _ => None,
        };
        let mut depth = 0_usize;
        if !is_rooted {
            let directory = directory(parts.path.strip_prefix('/').unwrap_or_default());
            for segment in directory.split_terminator('/') {
                match dots(segment) {
                    None => depth += 1,
                    Some(1) => {}
                    Some(_) => depth = depth.saturating_sub(1),
                }
            }
        }
        let path = if is_rooted { &path[1..] } else { path };
        path.split(is_slash).any(|segment| {
            match dots(segment) {
                None => depth += 1,
                Some(1) => {}
                Some(_) if depth == 0 => return true,
                Some(_) => depth -= 1,
            }
            false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_counted() {
        use Resolver::{Rfc1808, Whatwg};
        for (resolver, base, reference, expected) in [
            (Rfc1808, "http://h/a/b", "../x", false),
            (Rfc1808, "http://h/a/b", "../../x", true),
            (Rfc1808, "http://h/a/b", "../..", true),
            (Rfc1808, "http://h/a/b", "c/../../../x", true),
            (Rfc1808, "http://h/a/b", "./../x", false),
            (Rfc1808, "http://h/a/b", "/../x", true),
            (Rfc1808, "http://h/a/b", "/x/../y", false),
            (Rfc1808, "http://h/a/b", "//o/../y", false),
            (Rfc1808, "http://h/a/b", "x?../../../y", false),
            (Rfc1808, "http://h/a/b", "x#../../../y", false),
            (Rfc1808, "http://h/a/b", "x;../../../y", false),
            (Rfc1808, "http://h/a/b", ".../../../x", false),
            (Rfc1808, "HTTPS://h", "../x", true),
            (Rfc1808, "http://h/../a/", "../x", false),
            (Rfc1808, "http://h/a//b", "../../x", false),
            (Rfc1808, "ftp://h/a", "../x", false),
            (Rfc1808, "file:///a", "../x", false),
            (Rfc1808, "http://h/a/b", "%2e%2e/../x", false),
            (Whatwg, "http://h/a/b", "%2e%2E/../x", true),
            (Whatwg, "http://h/%2e%2e/b", "../x", true),
            (Whatwg, "http://h/a/b", r"..\..\x", true),
            (Whatwg, "http://h/a/b", "x;/../../../y", true),
            (Whatwg, "http://h/a/b", "http:../../x", true),
            (Whatwg, "http://h/a/b", r"\/o/../x", false),
        ] {
            let found = resolver.leads_above_root(&BaseUrl::any(base), reference);
            assert_eq!(found, expected, "{resolver} {base} {reference}");
        }
    }

    /// RFC 1808 keeps what is too much, so that its result shows it.
    #[test]
    fn it_says_what_the_result_shows() {
        let segments = ["a", "..", ".", "", "../.."];
        for base in ["http://h/", "http://h/a", "http://h/a/b", "http://h/a/b/c/"] {
            let base = BaseUrl::any(base);
            for one in segments {
                for two in segments {
                    for three in segments.into_iter().chain(["x/y", "../x"]) {
                        for start in ["x/../", "../", "../../", "./../"] {
                            let reference = format!("{start}{one}/{two}/{three}");
                            let result = Resolver::Rfc1808.resolve(&base, &reference).unwrap();
                            let is_above = result.starts_with("http://h/..");
                            let found = Resolver::Rfc1808.leads_above_root(&base, &reference);
                            assert_eq!(found, is_above, "{base:?} {reference} {result}");
                        }
                    }
                }
            }
        }
    }
}
