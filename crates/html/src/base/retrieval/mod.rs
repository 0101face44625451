//! RFC 1808 §3.3: the URL that a document was retrieved from, from what is known about its file.
//!
//! Each kind of evidence ([`BaseSource`]) has a file here; what a piece of it says is a [`UrlEvidence`].
//! Nothing here reads a file: the evidence comes as bytes.

pub mod confirmation;
mod host;
pub mod mirror;
pub mod neighbours;
pub(super) mod path;
mod records;
pub mod repo;
pub mod saved;
pub mod surroundings;
pub mod target;
pub mod tree;
pub mod url_evidence;
pub mod url_map;

use std::sync::Arc;

use super::{BaseSource, Retrieval};
use abslink_url::BaseUrl;
use host::Host;
pub use records::{comment, httrack, wayback, wget, xattr};
use repo::Repo;
use url_evidence::{Caveat, UrlEvidence};
use url_map::UrlMap;

/// How the place of a document spells its URL, for [`Sources::layout`].
///
/// # Examples
/// ```
/// use abslink_html::retrieval::{Evidence, Layout, Sources};
///
/// let evidence = Evidence { path: b"h.org/a/b.html", ..Evidence::default() };
/// let retrieval = Sources::from(Layout::Wget).retrieval(&evidence).expect("there is a host");
/// assert_eq!(retrieval.url.as_str(), "https://h.org/a/b.html");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// There is one document, and this is its URL.
    Document(BaseUrl),
    /// A directory stands for a URL.
    Tree(tree::Tree),
    /// A directory stands for a repository on a forge.
    Repo(Arc<Repo>),
    /// What `wget -r` writes.
    Wget,
    /// What `wget -r --restrict-file-names=windows` writes.
    WgetWindows,
    /// What HTTrack writes.
    Httrack,
    /// What programs write that fetch a site from the Wayback Machine.
    Wayback,
}

impl Layout {
    /// §3.3: what the path of a document says.
    pub fn evidence(&self, path: &[u8], assumptions: &Assumptions) -> Option<UrlEvidence> {
        self.says(path, false, assumptions)
    }

    /// `is_appended` is as in [`Evidence`].
    fn says(
        &self,
        path: &[u8],
        is_appended: bool,
        assumptions: &Assumptions,
    ) -> Option<UrlEvidence> {
        let by_wget = |names| wget::evidence(path, names, is_appended, assumptions);
        match self {
            Layout::Document(url) => Some(UrlEvidence::plain(BaseSource::Layout, url.as_str())),
            Layout::Tree(tree) => Some(tree.says(path, is_appended)),
            Layout::Repo(repo) => Some(UrlEvidence {
                source: BaseSource::Repo,
                ..repo.files.says(path, false)
            }),
            Layout::Wget => by_wget(wget::FileNames::Unix),
            Layout::WgetWindows => by_wget(wget::FileNames::Windows),
            Layout::Httrack => httrack::evidence(path, assumptions),
            Layout::Wayback => wayback::evidence(path, assumptions),
        }
    }

    /// Whether the first directory is a host.
    pub fn has_hosts(&self) -> bool {
        self.port_separator().is_some()
    }

    /// Whether a directory has a name like the hosts in this layout.
    ///
    /// # Examples
    /// ```
    /// use abslink_html::retrieval::Layout;
    /// assert!(Layout::Wget.is_host("www.example.org"));
    /// assert!(Layout::Wget.is_host("intranet:8080"));
    /// assert!(!Layout::Wget.is_host("docs"));
    /// assert!(!Layout::Wget.is_host("v1.2"));
    /// ```
    pub fn is_host(&self, directory: &str) -> bool {
        let separator = self.port_separator();
        separator.is_some_and(|separator| Host::read(directory, separator, false).is_some())
    }

    /// Whether a directory has the name that this layout gives `host`, perhaps with a port.
    #[doc(hidden)]
    pub fn spells_host(&self, directory: &str, host: &str) -> bool {
        let read = (self.port_separator()).and_then(|mark| Host::read(directory, mark, true));
        read.is_some_and(|read| read.to_string().eq_ignore_ascii_case(host))
    }

    /// The host that a directory has the name of, with its port.
    #[doc(hidden)]
    pub fn host(&self, directory: &str) -> Option<String> {
        let host = Host::read(directory, self.port_separator()?, false)?;
        Some(host.to_string())
    }

    /// Whether a directory stands for a scheme or a moment, and contains those of hosts.
    #[doc(hidden)]
    pub fn holds_hosts(&self, directory: &str) -> bool {
        match self {
            Layout::Wget | Layout::WgetWindows => wget::SCHEMES.contains(&directory),
            Layout::Wayback => wayback::is_timestamp(directory.as_bytes()),
            Layout::Document(_) | Layout::Tree(_) | Layout::Repo(_) | Layout::Httrack => false,
        }
    }

    /// Whether wget has named the files.
    fn is_by_wget(&self) -> bool {
        match self {
            Layout::Wget | Layout::WgetWindows => true,
            Layout::Tree(tree) => tree.by_wget,
            Layout::Document(_) | Layout::Repo(_) | Layout::Httrack | Layout::Wayback => false,
        }
    }

    /// The separator between host and port, if the first directory is a host.
    fn port_separator(&self) -> Option<char> {
        match self {
            Layout::Document(_) | Layout::Tree(_) | Layout::Repo(_) => None,
            Layout::Wget => Some(wget::FileNames::Unix.port_separator()),
            Layout::WgetWindows => Some(wget::FileNames::Windows.port_separator()),
            Layout::Httrack => Some(httrack::PORT_SEPARATOR),
            Layout::Wayback => Some(wayback::PORT_SEPARATOR),
        }
    }
}

/// The evidence that a run may use, and its order.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::{Evidence, Sources};
/// use abslink_html::BaseSource;
///
/// // Without options, what the program that saved the document left behind counts.
/// let sources = Sources::default();
/// let head = b"<!-- saved from url=(0023)http://everything2.com/ --><html>";
/// let evidence = Evidence { head, ..Evidence::default() };
/// let retrieval = sources.retrieval(&evidence).expect("there is a comment");
/// assert_eq!(retrieval.url.as_str(), "http://everything2.com/");
/// assert_eq!(retrieval.source, BaseSource::Comment);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sources {
    /// Which kinds count, of [`BaseSource::OF_RETRIEVAL`]; the first that names a URL wins.
    pub order: Vec<BaseSource>,
    /// How paths spell URLs, if they do.
    pub layout: Option<Layout>,
    /// The map, if there is one; shared, because it may be large.
    pub map: Option<Arc<UrlMap>>,
    /// What the evidence leaves open.
    pub assumptions: Assumptions,
    /// Whether every piece of evidence is collected, even once the winner is known, and even of
    /// kinds that do not count.
    pub complete: bool,
    /// What stands for a tree whose URL is not known: [`Tree::nameless`](tree::Tree::nameless).
    #[doc(hidden)]
    pub nameless: Option<tree::Tree>,
}

impl Default for Sources {
    /// What saving programs leave behind in a file and in its attributes.
    fn default() -> Self {
        Sources {
            order: vec![BaseSource::Xattr, BaseSource::Comment, BaseSource::SelfLink],
            layout: None,
            map: None,
            assumptions: Assumptions::default(),
            complete: false,
            nameless: None,
        }
    }
}

impl From<Layout> for Sources {
    fn from(layout: Layout) -> Self {
        Sources {
            order: vec![BaseSource::Layout],
            layout: Some(layout),
            ..Sources::default()
        }
    }
}

/// How to complete what evidence may leave open, for [`Sources::assumptions`].
///
/// # Examples
/// ```
/// use abslink_html::retrieval::Sources;
///
/// let mut sources = Sources::default();
/// sources.assumptions.scheme = Some("http".to_owned());
/// sources.assumptions.index = vec!["index.html".to_owned()];
/// assert!(!sources.assumptions.any_host);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assumptions {
    /// The scheme of a URL that was recorded without one, if that is known. Otherwise https is assumed, with a caveat.
    pub scheme: Option<String>,
    /// The schemes of some hosts, each with its port, where something in the mirror tells them.
    #[doc(hidden)]
    pub schemes: Vec<(String, &'static str)>,
    /// Names of files to whose URLs pages link, which shows where the query in them begins.
    #[doc(hidden)]
    pub linked: Vec<String>,
    /// Names that stand for the URL of their directory.
    pub index: Vec<String>,
    /// Whether a directory may be a host although its name does not look like one: no dot, no port,
    /// not `localhost`, and no address.
    pub any_host: bool,
}

impl Assumptions {
    /// The scheme of a URL that was recorded without one. Most sites have https.
    pub(crate) fn scheme(&self) -> &str {
        self.scheme.as_deref().unwrap_or("https")
    }

    pub(crate) fn scheme_caveat(&self) -> Option<Caveat> {
        self.scheme.is_none().then_some(Caveat::Scheme)
    }
}

/// What is known about one document. [`Sources`] has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence<'a> {
    /// Path below PATH (or below `--root`), components separated by `/`, in the file system's
    /// bytes. Empty if the document is not below a directory.
    pub path: &'a [u8],
    /// The document as the user names it; a map of single files may name it like this too.
    pub name: &'a [u8],
    /// What its extended attributes say.
    pub xattr: Option<&'a xattr::Origin>,
    /// Its first bytes, or all of them.
    pub head: &'a [u8],
    /// The URL that the document gives for itself: that of a feed's link with `rel=self`.
    pub own: Option<&'a str>,
    /// Whether the original that `wget -K` has saved beside it shows that `wget -E` has appended the
    /// ending of its name.
    pub is_appended: bool,
}

impl Sources {
    /// §3.3: the retrieval URL of one document.
    pub fn retrieval(&self, evidence: &Evidence<'_>) -> Option<Retrieval> {
        self.first(evidence)?.retrieval()
    }

    /// The piece of evidence that counts: the first that names a URL.
    pub fn first(&self, document: &Evidence<'_>) -> Option<UrlEvidence> {
        let mut evidence = (self.order.iter()).flat_map(|&source| self.read(source, document));
        evidence.find(|evidence| evidence.url.is_ok()).or_else(|| {
            let nameless = self.nameless.as_ref().filter(|_| !document.path.is_empty());
            Some(UrlEvidence {
                source: BaseSource::Tree,
                ..nameless?.says(document.path, false)
            })
        })
    }

    /// Every piece of evidence: those of the kinds that count, in their order, then the others.
    pub fn all(&self, evidence: &Evidence<'_>) -> Vec<UrlEvidence> {
        let others = BaseSource::OF_RETRIEVAL
            .into_iter()
            .filter(|source| !self.order.contains(source));
        let sources = self.order.iter().copied().chain(others);
        sources
            .flat_map(|source| self.read(source, evidence))
            .collect()
    }

    fn read(
        &self,
        source: BaseSource,
        evidence: &Evidence<'_>,
    ) -> impl Iterator<Item = UrlEvidence> {
        let (mut comments, head) = (Vec::new(), evidence.head);
        let evidence = match source {
            BaseSource::Map => self.map.as_ref().and_then(|map| match evidence.path {
                [] => map.evidence(evidence.name),
                path => map.evidence(path),
            }),
            BaseSource::Xattr => evidence.xattr.map(xattr::Origin::evidence),
            BaseSource::Comment => {
                comments = comment::all(evidence.head, &self.assumptions);
                None
            }
            BaseSource::SelfLink => {
                (evidence.own).map(|own| UrlEvidence::plain(BaseSource::SelfLink, own))
            }
            BaseSource::Layout => (self.layout.as_ref()).and_then(|layout| {
                layout.says(evidence.path, evidence.is_appended, &self.assumptions)
            }),
            _ => None,
        };
        let said = evidence.into_iter().chain(comments);
        said.map(move |said| self.with_scheme(said, head))
    }

    /// The same with the scheme that something tells, where it was assumed. For the URL in a comment, the document
    /// itself may tell it.
    fn with_scheme(&self, said: UrlEvidence, head: &[u8]) -> UrlEvidence {
        let is_assumed = said.caveats.contains(&Caveat::Scheme);
        let behind_scheme = said.says.split_once("://").filter(|_| is_assumed);
        let Some((_, rest)) = behind_scheme else {
            return said;
        };
        let host = &rest[..rest.find('/').unwrap_or(rest.len())];
        let known = (self.assumptions.schemes.iter()).find(|(known, _)| known == host);
        let is_comment = said.source == BaseSource::Comment;
        let own = || comment::own_scheme(head, host).filter(|_| is_comment);
        let Some(scheme) = known.map(|(_, scheme)| *scheme).or_else(own) else {
            return said;
        };
        let with = |url: &str| Some(format!("{scheme}:{}", url.split_once(':')?.1));
        let mut settled = said;
        settled.says = with(&settled.says).unwrap_or_default();
        settled.index = settled.index.as_deref().and_then(with);
        settled.url = BaseUrl::parse(&settled.says);
        settled.caveats.retain(|it| *it != Caveat::Scheme);
        settled
    }
}

#[doc(hidden)]
impl Sources {
    /// Whether a kind of evidence is asked for, so that it has to be read.
    pub fn asks_for(&self, source: BaseSource) -> bool {
        self.complete || self.order.contains(&source)
    }

    /// The map of paths to URLs, if it is asked.
    pub fn map_in_use(&self) -> Option<&Arc<UrlMap>> {
        (self.map.as_ref()).filter(|_| self.order.contains(&BaseSource::Map))
    }

    /// What the map says about a file that may not be there, if maps count.
    pub fn mapped(&self, path: &[u8], name: &[u8]) -> Option<UrlEvidence> {
        let map = self.map_in_use()?;
        map.says_about(if path.is_empty() { name } else { path })
    }

    /// Whether documents are in a mirror whose file names may differ from their URLs, as far as is
    /// known without looking at one of them.
    pub fn may_be_renamed(&self) -> bool {
        let has_hosts = self.layout.as_ref().is_some_and(Layout::has_hosts);
        self.may_be_recorded() || (has_hosts && self.order.contains(&BaseSource::Layout))
    }

    /// Whether there is a map from the mirroring program, which names every file.
    pub fn are_mapped(&self) -> bool {
        self.map_in_use().is_some_and(|map| map.by_httrack)
    }

    /// Whether HTTrack saved the document at `path`, which the user calls `name`, as far as its place
    /// shows: its map lists it, or it has its URL from HTTrack's layout.
    pub fn are_by_httrack(&self, path: &[u8], name: &[u8], source: BaseSource) -> bool {
        let by_layout = self.layout == Some(Layout::Httrack) && source == BaseSource::Layout;
        by_layout || (self.are_mapped() && self.mapped(path, name).is_some())
    }

    /// The path of the base URL of the tree, with a slash at its end, unless that is the root.
    pub fn path_of_tree(&self) -> Option<&str> {
        let Some(Layout::Tree(tree)) = &self.layout else {
            return None;
        };
        let (_, rest) = tree.directory.split_once("://")?;
        Some(&rest[rest.find('/')?..]).filter(|path| path.len() > 1)
    }

    /// Whether only the document's links can show that `retrieval` was redirected.
    pub fn wants_confirmation(&self, retrieval: &Retrieval) -> bool {
        let layout = (self.layout.as_ref()).filter(|_| retrieval.source == BaseSource::Layout);
        // Their names are those of the URLs asked for, whatever these were redirected to.
        matches!(layout, Some(Layout::Wget | Layout::WgetWindows))
    }

    /// Whether anything but a file's own path may say which URL it was retrieved from.
    pub fn may_be_recorded(&self) -> bool {
        (self.order.iter()).any(|source| match source {
            BaseSource::Map => self.map.is_some(),
            BaseSource::Xattr | BaseSource::Comment => true,
            BaseSource::Layout => self.are_by_wget(),
            _ => false,
        })
    }

    /// Whether wget has named the files, and their names count.
    pub fn are_by_wget(&self) -> bool {
        let layout = (self.layout.as_ref()).filter(|_| self.asks_for(BaseSource::Layout));
        layout.is_some_and(Layout::is_by_wget)
    }
}

#[cfg(all(test, feature = "url-map"))]
mod tests;
