//! What one piece of evidence says about a document's retrieval URL, and how certain that is.

use super::super::Retrieval;
use crate::base::BaseSource;
use abslink_url::{BaseUrl, UnsuitableBase, pre_step, without_fragment};

/// What one piece of evidence says.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::UrlEvidence;
/// use abslink_html::BaseSource;
///
/// let layout = UrlEvidence::plain(BaseSource::Layout, "https://h/a.html");
/// let comment = UrlEvidence::plain(BaseSource::Comment, "https://h/b.html");
/// assert!(!layout.agrees_with(&comment));
/// assert!(UrlEvidence::plain(BaseSource::Comment, "about:internet").url.is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlEvidence {
    /// The kind of evidence.
    pub source: BaseSource,
    /// The URL, as far as it is one.
    pub says: String,
    /// The URL, or why it is no base URL.
    pub url: Result<BaseUrl, UnsuitableBase>,
    /// The URL may as well be this one, by the rule that an index page stands for its
    /// directory.
    pub index: Option<String>,
    /// Why the true URL may be another one.
    pub caveats: Vec<Caveat>,
}

abslink_url::named! {
/// Why the URL that a piece of evidence names may not be the one that was retrieved.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::Caveat;
///
/// assert_eq!(Caveat::Query.to_string(), "the query may begin elsewhere in the name");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Caveat {
    /// The scheme is not recorded.
    #[error("the scheme is not recorded and was assumed; --scheme sets it")]
    Scheme = "scheme",
    /// wget: the name contains an escape.
    #[error("wget decodes some escapes in names and adds others, so a `%` may be `%25` in the URL")]
    Escape = "escape",
    /// wayback_machine_downloader: it undoes escapes.
    #[error(
        "wayback_machine_downloader undoes escapes in names, so a `%` or a blank may be another in the URL"
    )]
    Unescaped = "escape",
    /// wget: the name contains several characters that may start the query.
    #[error("the query may begin elsewhere in the name")]
    Query = "query",
    /// wget: `@` stands for `?` in a name, or for itself.
    #[error("`@` was read as a `?` that wget replaced, but it may be part of the name")]
    At = "at",
    /// wget: `.html` may have been appended.
    #[error("`.html` was read as an ending that wget -E added, but it may be part of the URL")]
    Appended = "appended",
    /// HTTrack: the name may be one that it made up.
    #[error(
        "HTTrack may have invented this name for a URL with a query; --url-map hts-cache/new.txt \
         has the URL"
    )]
    Renamed = "renamed",
    /// wget: a name has the greatest length that wget allows, and may have been longer.
    #[error("a name in the path is as long as wget allows, and may have been cut")]
    Cut = "cut",
    /// wget: what follows the last colon may be the port, or the end of an IPv6 address.
    #[error("the number after the last colon may be the port or a part of the address")]
    Port = "port",
    /// wget: nothing in the mirror confirms the URL, as when the page was redirected.
    #[error(
        "none of its relative links leads to a file of the mirror: the server may have redirected to \
         another URL, which only wget --xattr records"
    )]
    Unconfirmed = "redirect",
    /// HTTrack: the map has several failed pages of this name.
    #[error(
        "the URL map has several pages of this name that could not be fetched; took the one that its order suggests"
    )]
    Failed = "failed",
    /// curl records the URL that was asked for, not the one that it was redirected to.
    #[error(
        "curl records the URL that it asked for, even if the server redirected to another one (-L)"
    )]
    Redirect = "redirect",
    /// A mark of the web gives a length that its URL does not have.
    #[error("the length in the comment is not that of its URL")]
    Length = "length",
}
/// Its name in JSON.
name
}

impl Caveat {
    /// Whether it concerns only what comes after the last slash of the path.
    fn is_about_the_name(self) -> bool {
        matches!(
            self,
            Caveat::Escape
                | Caveat::Unescaped
                | Caveat::Query
                | Caveat::At
                | Caveat::Appended
                | Caveat::Renamed
                | Caveat::Cut
                | Caveat::Failed
        )
    }
}

impl UrlEvidence {
    /// Evidence without caveats.
    pub fn plain(source: BaseSource, says: &str) -> UrlEvidence {
        let mut says = pre_step(says).into_owned();
        // The one character that no document can contain.
        if says.contains('\0') {
            says = says.replace('\0', "%00");
        }
        let url = BaseUrl::parse(&says).and_then(|url| match source {
            BaseSource::Comment | BaseSource::Xattr => of_server(url),
            _ => Ok(url),
        });
        UrlEvidence {
            source,
            url,
            says,
            index: None,
            caveats: Vec::new(),
        }
    }

    pub(super) fn with(mut self, caveats: impl IntoIterator<Item = Caveat>) -> UrlEvidence {
        self.caveats.extend(caveats);
        self
    }

    /// The retrieval URL, if it names one.
    pub fn retrieval(&self) -> Option<Retrieval> {
        Some(Retrieval {
            url: self.url.as_ref().ok()?.clone(),
            source: self.source,
            is_guess: self.is_guess(),
        })
    }

    /// Whether the URL may be another one. An assumed scheme applies to a whole mirror, and
    /// does not count.
    pub fn is_guess(&self) -> bool {
        self.caveats.iter().any(|&caveat| caveat != Caveat::Scheme)
    }

    /// Whether two pieces of evidence may both be true: they name the same URL, as far as both are
    /// certain. One that names no base URL disagrees with none.
    pub fn agrees_with(&self, other: &UrlEvidence) -> bool {
        if self.url.is_err() || other.url.is_err() {
            return true;
        }
        let caveats = || self.caveats.iter().chain(&other.caveats);
        let any_scheme = caveats().any(|&caveat| caveat == Caveat::Scheme);
        let any_name = caveats().any(|caveat| caveat.is_about_the_name());
        let others: Vec<&str> = other.known(any_scheme, any_name).collect();
        self.known(any_scheme, any_name)
            .any(|url| others.contains(&url))
    }

    /// The URLs that it may mean, without the parts that are uncertain.
    fn known(&self, any_scheme: bool, any_name: bool) -> impl Iterator<Item = &str> {
        let urls = [Some(self.says.as_str()), self.index.as_deref()];
        urls.into_iter().flatten().map(move |url| {
            let url = without_fragment(url);
            let url = match url.split_once(':') {
                Some((_, rest)) if any_scheme => rest,
                _ => url,
            };
            if !any_name {
                return url;
            }
            let path = url.split('?').next().unwrap_or_default();
            path.rfind('/').map_or(path, |slash| &path[..slash])
        })
    }
}

/// The schemes of the URLs that documents are retrieved from.
const OF_SERVERS: [&str; 8] = [
    "http", "https", "ftp", "ftps", "gopher", "nntp", "wais", "prospero",
];

/// A program records the URL of what it was given, which may be a file or a part of the browser: that tells where
/// it was on somebody's computer, and nothing about a server.
fn of_server(url: BaseUrl) -> Result<BaseUrl, UnsuitableBase> {
    let scheme = url.as_str().split(':').next().unwrap_or_default();
    if OF_SERVERS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(scheme))
    {
        Ok(url)
    } else {
        Err(UnsuitableBase::NoServer {
            scheme: scheme.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubted(url: &str, caveat: Caveat) -> UrlEvidence {
        UrlEvidence {
            caveats: vec![caveat],
            ..UrlEvidence::plain(BaseSource::Layout, url)
        }
    }

    #[test]
    fn what_html_cannot_hold_is_encoded() {
        let evidence = UrlEvidence::plain(BaseSource::Xattr, "\0http://h/a\0b/");
        assert_eq!(evidence.says, "http://h/a%00b/");
    }

    #[test]
    fn sure_ones_agree_on_the_same_url() {
        let url = UrlEvidence::plain(BaseSource::Map, "http://h/a?b#c");
        assert!(url.agrees_with(&UrlEvidence::plain(BaseSource::Xattr, "http://h/a?b")));
        assert!(!url.agrees_with(&UrlEvidence::plain(BaseSource::Xattr, "http://h/a")));
        assert!(!url.agrees_with(&UrlEvidence::plain(BaseSource::Xattr, "https://h/a?b")));
        assert!(url.agrees_with(&UrlEvidence::plain(BaseSource::Xattr, "about:blank")));
    }

    #[test]
    fn unsure_ones_agree_on_what_is_sure() {
        let sure = UrlEvidence::plain(BaseSource::Xattr, "http://h/d/a?b");
        assert!(doubted("https://h/d/a?b", Caveat::Scheme).agrees_with(&sure));
        assert!(!doubted("https://h/d/a", Caveat::Scheme).agrees_with(&sure));
        assert!(sure.agrees_with(&doubted("http://h/d/a?c", Caveat::At)));
        assert!(!sure.agrees_with(&doubted("http://h/e/a?b", Caveat::At)));
        // That curl may be wrong is no reason to hide a contradiction.
        assert!(!sure.agrees_with(&doubted("http://h/old", Caveat::Redirect)));
    }

    #[test]
    fn an_index_page_and_its_directory_agree() {
        let layout = UrlEvidence {
            index: Some("http://h/d/index.html".into()),
            ..UrlEvidence::plain(BaseSource::Layout, "http://h/d/")
        };
        for url in ["http://h/d/", "http://h/d/index.html"] {
            assert!(
                layout.agrees_with(&UrlEvidence::plain(BaseSource::Xattr, url)),
                "{url}"
            );
        }
        assert!(!layout.agrees_with(&UrlEvidence::plain(BaseSource::Xattr, "http://h/d/x")));
    }
}
