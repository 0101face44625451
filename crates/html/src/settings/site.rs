//! Which form references get, and the URLs that stand for a tree.

use std::borrow::Cow;
use std::sync::Arc;

use abslink_url::BaseUrl;
use abslink_url::inverse::{self, Form};

use crate::base::moves::{MappedPrefixError, Prefix};
use crate::text::splice::sort_by_number;

abslink_url::named! {
/// Which form references get ([`Settings::to`](crate::Settings::to)).
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, To, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// let mut settings = Settings::default();
/// settings.to = To::Relative;
/// let page = b"<a href=http://h/c/>C</a> <a href=http://o/>O</a>";
/// let rewritten = rewrite_bytes(page, Syntax::Html, &context, &settings);
/// assert_eq!(*rewritten.document, *b"<a href=../c/>C</a> <a href=http://o/>O</a>");
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum To {
    /// The URL in full.
    #[default]
    Absolute = "absolute",
    /// Relative to the base URL, for targets in the [`Site`]; others in full.
    Relative = "relative",
    /// From the root of the server, for targets in the [`Site`] and on its server; others in full.
    Root = "root",
    /// From the document's file to the file of the target, for targets of which the tree has one; others in
    /// full. The command knows the tree; a document alone is in none.
    Files = "files",
    /// The form that each has: only what is moved or unwrapped changes, and no base URL is needed.
    Keep = "keep",
}
/// The form's name on the command line.
name
/// Every form.
ALL
}

impl To {
    /// Whether references get a form that is not absolute.
    #[doc(hidden)]
    pub fn is_short(self) -> bool {
        !matches!(self, To::Absolute | To::Keep)
    }

    /// What finds references of this form, if they follow from the URLs alone and are not in full.
    pub fn inverse(self) -> Option<Form> {
        match self {
            To::Absolute | To::Files | To::Keep => None,
            To::Relative => Some(Form::Relative),
            To::Root => Some(Form::Root),
        }
    }
}

/// The URLs that stand for a tree ([`Settings::site`](crate::Settings::site)): what begins with one of
/// them is in it. Without any, it is the server of each document.
///
/// # Examples
/// ```
/// use abslink_html::Site;
///
/// let site = Site::default().with("http://www.example.org/")?.with("https://example.org/")?;
/// assert!(site.with("docs/").is_err());
/// # Ok::<(), abslink_html::MappedPrefixError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Longer ones first. A run and its parts share them.
    prefixes: Arc<Vec<Prefix>>,
    /// One more, of a part alone.
    tree: Option<Prefix>,
    /// Whether the server of each document is in it too.
    #[doc(hidden)]
    pub has_own_server: bool,
}

impl Site {
    /// This one, with one more URL.
    ///
    /// # Errors
    /// As for the URLs of a [`MappedPrefix`](crate::MappedPrefix).
    pub fn with(mut self, url: &str) -> Result<Site, MappedPrefixError> {
        let prefix = Prefix::parse(url)?;
        let all = Arc::make_mut(&mut self.prefixes);
        let at = all.partition_point(|other| other.url.len() >= prefix.url.len());
        all.insert(at, prefix);
        Ok(self)
    }

    /// A site with all of these URLs.
    #[doc(hidden)]
    pub fn of<'u>(urls: impl IntoIterator<Item = Cow<'u, str>>) -> Result<Site, MappedPrefixError> {
        let prefixes = urls.into_iter().map(|url| Prefix::parse(&url));
        let mut prefixes = prefixes.collect::<Result<Vec<_>, _>>()?;
        sort_by_number(&mut prefixes, |prefix| usize::MAX - prefix.url.len());
        Ok(Site {
            prefixes: Arc::new(prefixes),
            ..Site::default()
        })
    }

    /// This one, with the URL of a tree in place of the one that it may have.
    #[doc(hidden)]
    pub fn with_tree(self, url: Option<&str>) -> Result<Site, MappedPrefixError> {
        let tree = url.map(Prefix::parse).transpose()?;
        Ok(Site { tree, ..self })
    }

    /// Longer ones first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Prefix> {
        let length = self.tree.as_ref().map_or(0, |tree| tree.url.len());
        let at = (self.prefixes).partition_point(|prefix| prefix.url.len() > length);
        let (longer, shorter) = self.prefixes.split_at(at);
        longer.iter().chain(&self.tree).chain(shorter)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.prefixes.is_empty() && self.tree.is_none()
    }

    /// How a URL outside the site differs from one in it, if that is only the scheme (0), a `www.` (1), or both
    /// (2).
    pub(crate) fn alias(&self, own: &str, url: &str) -> Option<usize> {
        let (scheme, host, path) = web(url)?;
        let differs = |home: &str| {
            let (home_scheme, home_host, home_path) = web(home)?;
            let bare = |host: &str| host.strip_prefix("www.").unwrap_or(host).len();
            let [of_url, of_home] = [host, home_host].map(|host| &host[host.len() - bare(host)..]);
            let is_below = || path.starts_with(home_path.trim_end_matches('/'));
            let is_alias = of_url.eq_ignore_ascii_case(of_home) && is_below();
            let kinds = (scheme != home_scheme, host.len() != home_host.len());
            let kind = match kinds {
                (true, false) => 0,
                (false, true) => 1,
                (true, true) => 2,
                (false, false) => return None,
            };
            is_alias.then_some(kind)
        };
        differs(self.home(own)?.as_ref())
    }

    /// What stands for the tree at the URL of one of its documents.
    fn home<'s>(&'s self, own: &'s str) -> Option<Cow<'s, str>> {
        match self.split(own) {
            Some((prefix, _)) if !self.has_own_server => Some(Cow::Borrowed(&*prefix.url)),
            _ => Prefix::server_of(own),
        }
    }

    /// The URL that [`Site::alias`] has found of this kind.
    #[doc(hidden)]
    pub fn alias_url(&self, own: &str, kind: usize) -> Option<String> {
        let home = self.home(own)?;
        let (scheme, host, path) = web(&home)?;
        let scheme = match (kind, scheme) {
            (1, same) => same,
            (_, "http") => "https",
            _ => "http",
        };
        let host = match (kind, host.strip_prefix("www.")) {
            (0, _) => host.to_owned(),
            (_, Some(bare)) => bare.to_owned(),
            (_, None) => format!("www.{host}"),
        };
        Some(format!("{scheme}://{host}{}/", path.trim_end_matches('/')))
    }

    /// The longest prefix of a URL, and the rest of that.
    pub(crate) fn split<'u>(&self, url: &'u str) -> Option<(&Prefix, &'u str)> {
        let found = |prefix| Some((prefix, Prefix::rest(prefix, url)?));
        self.all().find_map(found)
    }

    /// A target as a URL of the site of a document, if it is in that site: one below another prefix is
    /// moved to the prefix of the document.
    #[doc(hidden)]
    pub fn target(&self, own: &BaseUrl, target: &str) -> Option<String> {
        let is_own_server = self.has_own_server || self.is_empty();
        if is_own_server && inverse::have_same_server(own, target) {
            return Some(target.to_owned());
        }
        let (prefix, rest) = self.split(target)?;
        match self.split(own.as_str()) {
            Some((home, _)) if home != prefix => Some(format!("{}{rest}", home.url)),
            None if is_own_server => Some(format!("{}{rest}", Prefix::server_of(own.as_str())?)),
            _ => Some(target.to_owned()),
        }
    }
}

/// Scheme, host with port, and path of a URL of the web.
fn web(url: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    matches!(scheme, "http" | "https").then_some((scheme, host, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_has_urls_below_its_prefixes() {
        let site = Site::default().with("http://www.e.org/").unwrap();
        let site = site.with("https://e.org/docs/").unwrap();
        let own = BaseUrl::any("https://e.org/docs/a/b.html");
        for (target, expected) in [
            ("https://e.org/docs/x", Some("https://e.org/docs/x")),
            ("https://E.org/docs?q", Some("https://E.org/docs?q")),
            ("https://e.org/docsx", None),
            ("https://e.org/", None),
            ("http://www.e.org/x#f", Some("https://e.org/docs/x#f")),
            ("http://e.org/docs/x", None),
        ] {
            assert_eq!(site.target(&own, target).as_deref(), expected, "{target}");
        }
        let server = Site::default();
        assert!(server.target(&own, "https://e.org/blog/").is_some());
        assert!(server.target(&own, "https://o.org/").is_none());
        // A document elsewhere has no prefix to move to.
        let elsewhere = BaseUrl::any("http://o/");
        let target = site.target(&elsewhere, "http://www.e.org/x");
        assert_eq!(target.as_deref(), Some("http://www.e.org/x"));
    }
}
