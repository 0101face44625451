//! Links that the mirroring program has rewritten to the names of its files: RFC 1808 §3.3 for what
//! a reference leads to, not for the document that contains it.
//!
//! HTTrack does that by default, and so does `wget -k`. Such a link works inside the mirror, and
//! names nothing on the server: `list4658.html?page=2`, `view.php%3Fid=1.html`, `../other:80/a.html`.
//! It means the URL of the file that it leads to.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::path;
use super::target::{DocumentPlace, same_url};
use super::url_evidence::{Caveat, UrlEvidence};
use super::{Assumptions, Layout};
use crate::base::BaseSource;
use abslink_url::rfc1808::Components;
use abslink_url::{percent, without_fragment};

/// Whether the links of a document were rewritten to names of files.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::ConvertedLinks;
///
/// // A mirror by `wget -k` says `Always`: its links are names of files.
/// assert_eq!(ConvertedLinks::default(), ConvertedLinks::Auto);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConvertedLinks {
    /// As HTTrack's comment or map says. Elsewhere a link is taken for a file name if it cannot be
    /// anything else.
    #[default]
    Auto,
    /// They were, as by `wget -k`. Files have the names that wget gives them, below a
    /// [`Tree`](crate::base::retrieval::tree::Tree) too.
    Always,
    /// They were not, as by `httrack -K4`.
    Never,
}

/// The files of a mirror. Paths start at its root, with components separated by `/`.
///
/// This layer does no I/O. What only the disk knows about a mirror it asks through this trait, which
/// the layer that reads files implements.
///
/// An implementation goes where its [`Context`](crate::base::Context) goes, which may be another
/// thread.
pub trait Files: Send + Sync {
    /// Whether anything other than a layout may say which URL a file was retrieved from.
    fn may_be_recorded(&self) -> bool {
        false
    }

    /// Whether the mirroring program's map names every file.
    fn are_mapped(&self) -> bool {
        false
    }

    /// Whether there is a regular file.
    fn is_file(&self, path: &[u8]) -> bool;

    /// The paths at which records other than a layout say that the file of an absolute URL is.
    fn recorded(&self, _url: &str) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// The URL of the file for which a map names this one too.
    fn own_url(&self, _url: &str) -> Option<String> {
        None
    }

    /// Whether there is a regular file, asked for again and again.
    fn is_still_file(&self, path: &[u8]) -> bool {
        self.is_file(path)
    }

    /// Whether there is a file whose URL only its place in a nameless tree tells
    /// ([`Tree::nameless`](super::tree::Tree::nameless)), asked for again and again.
    fn is_still_nameless(&self, path: &[u8]) -> bool {
        self.known(path).is_some_and(|known| known.is_nameless())
    }

    /// The names of the directories in a directory, whose path ends with a slash unless it is the root.
    fn directories(&self, _path: &[u8]) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// What is known about a file; `None` if there is none, and none is known to have existed.
    fn known(&self, path: &[u8]) -> Option<Arc<KnownFile>>;
}

impl fmt::Debug for dyn Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}

/// What is known about a file.
#[derive(Debug, Default)]
pub struct KnownFile {
    /// Whether it is there; a map may name files that are not.
    pub is_there: bool,
    /// What says which URL it was retrieved from: of all evidence that counts, the first that
    /// names one.
    pub evidence: Option<UrlEvidence>,
}

impl KnownFile {
    /// Whether it is there, and only its place in a nameless tree tells its URL.
    pub fn is_nameless(&self) -> bool {
        let source = self.evidence.as_ref().map(|evidence| evidence.source);
        self.is_there && source == Some(BaseSource::Tree)
    }
}

/// The mirror around a document.
#[derive(Clone, Debug)]
pub struct Mirror {
    place: DocumentPlace,
    files: Arc<dyn Files>,
    /// `Auto` stands for what makes no sense on the server alone.
    reading: ConvertedLinks,
    /// Whether HTTrack saved the document.
    by_httrack: bool,
    /// Whether the document's links have to confirm its URL.
    pub wants_confirmation: bool,
    /// Whether only what escapes a question mark can be a name.
    pub is_of_marks: bool,
}

/// A file that a reference names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Its URL, with the fragment of the reference. `None` if that is what the reference resolves
    /// to, or is not known.
    pub url: Option<String>,
    /// Whether it is there.
    pub is_there: bool,
    /// Whether the other links of the document are read like that too.
    pub converted: bool,
    /// Whether the URL is a guess although there is a map that should have it.
    pub is_guess: bool,
}

impl Mirror {
    /// The mirror around the document at `place`; `by_httrack` says whether HTTrack saved it.
    pub fn new(
        place: DocumentPlace,
        files: Arc<dyn Files>,
        links: ConvertedLinks,
        by_httrack: bool,
    ) -> Mirror {
        let reading = match links {
            ConvertedLinks::Auto if by_httrack => ConvertedLinks::Always,
            links => links,
        };
        Mirror {
            place,
            files,
            reading,
            by_httrack,
            wants_confirmation: false,
            is_of_marks: false,
        }
    }

    /// Whether a link is taken as on the server, unless it escapes a question mark, leads above the root, or
    /// leads to a file whose URL is recorded.
    pub(crate) fn is_of_exceptions(&self) -> bool {
        self.reading != ConvertedLinks::Always && !self.wants_confirmation
    }

    /// The same mirror for something that no mirroring program converts: a part of a message.
    pub fn with_links_as_served(self) -> Mirror {
        Mirror {
            reading: ConvertedLinks::Never,
            wants_confirmation: false,
            ..self
        }
    }

    /// Whether the mirror contains what an absolute URL names.
    pub fn holds(&self, url: &str) -> bool {
        let mut candidates = self.place.candidates(url);
        candidates.any(|path| self.files.is_file(&path))
    }

    /// The file whose name the mirroring program put in place of `reference`, if it did. `resolved`
    /// is what the reference is on the server.
    pub fn named(&self, reference: &str, resolved: &str) -> Option<NamedFile> {
        if self.is_of_marks && memchr::memchr(b'%', reference.as_bytes()).is_none() {
            return None;
        }
        let reference = Components::parse(reference);
        let resolved = without_fragment(resolved);
        let converted = match self.reading {
            ConvertedLinks::Never => return None,
            ConvertedLinks::Auto if !self.may_be_certain(&reference, resolved) => return None,
            reading => reading == ConvertedLinks::Always,
        };
        let (known, whole, path) = self.file(&reference)?;
        let file = |url| NamedFile {
            url,
            is_there: known.is_there,
            converted,
            is_guess: match &known.evidence {
                Some(evidence) => evidence.caveats.contains(&Caveat::Failed),
                None => converted && self.files.are_mapped(),
            },
        };
        let evidence = match (&known.evidence, reference.query) {
            (Some(evidence), Some(_)) if whole => Some(without_endings(evidence, &path)),
            (Some(evidence), _) => Some(Cow::Borrowed(evidence)),
            (None, _) => self.spelled_by_httrack(&path).map(Cow::Owned),
        };
        // The program unescaped and escaped the name in its own way; the URL is as it was.
        let evidence = evidence.filter(|evidence| {
            if converted {
                evidence.says != resolved
            } else {
                self.is_certain(&reference, resolved, evidence)
            }
        });
        let Some(evidence) = evidence else {
            return converted.then(|| file(None));
        };
        // HTTrack leaves the query there for people to see; any other query would be another page.
        let decoded = |query: Option<&str>| query.map(percent::decode);
        let query = Components::parse(&evidence.says).query;
        if !(whole || decoded(query) == decoded(reference.query)) {
            return None;
        }
        let mut url = without_fragment(&evidence.says).to_owned();
        if let Some(fragment) = reference.fragment {
            url.push('#');
            url.push_str(fragment);
        }
        Some(file(Some(url)))
    }

    /// Whether a reference that escapes a question mark leads to a file, and that has the name of a URL with a query.
    pub(crate) fn may_name_query(&self, reference: &str) -> bool {
        let path = Components::parse(reference).path;
        self.is_of_marks && path::names_query(path, &["%3F", "%3f"]) && self.has_file(reference)
    }

    /// Whether a reference leads to a file.
    pub(crate) fn has_file(&self, reference: &str) -> bool {
        let file = self.file(&Components::parse(reference));
        file.is_some_and(|(known, ..)| known.is_there)
    }

    /// The file that a reference leads to, and whether the whole reference is its name.
    fn file(&self, reference: &Components<'_>) -> Option<(Arc<KnownFile>, bool, Vec<u8>)> {
        let query = reference.query;
        let find = |query| {
            let path = self.place.local(reference, query)?;
            Some((self.files.known(&path)?, path))
        };
        if let (Some(_), Some((known, path))) = (query, find(query)) {
            return Some((known, true, path));
        }
        let (known, path) = find(None)?;
        Some((known, query.is_none(), path))
    }

    /// Whether [`Mirror::is_certain`] may be true, before any file is looked for.
    fn may_be_certain(&self, reference: &Components<'_>, resolved: &str) -> bool {
        let may_be_appended = || {
            let mut appended = APPENDED.iter();
            appended.any(|ending| resolved.ends_with(ending)) && self.files.may_be_recorded()
        };
        has_escaped_mark(reference)
            || !self.is_of_marks && (may_be_appended() || self.place.is_left_by(reference))
    }

    /// Whether a reference can mean nothing but the file: it leads out of the directory of the
    /// host, or escapes the question mark before a query, or has the `.html` or `.css` that the file's
    /// URL is known not to have.
    fn is_certain(
        &self,
        reference: &Components<'_>,
        resolved: &str,
        evidence: &UrlEvidence,
    ) -> bool {
        let stems = APPENDED
            .iter()
            .filter_map(|ending| resolved.strip_suffix(ending));
        let mut stems = stems.filter(|_| !evidence.is_guess());
        let appended = stems.any(|stem| percent::decode(stem) == percent::decode(&evidence.says));
        let is_mark = has_escaped_mark(reference) && starts_query(evidence);
        let is_name = self.place.is_left_by(reference) || is_mark;
        appended || (is_name && !same_url(&evidence.says, resolved))
    }

    /// What the name of a file without any evidence says, if HTTrack saved the document: so a
    /// picture from another host gets the right host.
    fn spelled_by_httrack(&self, path: &[u8]) -> Option<UrlEvidence> {
        if !self.by_httrack {
            return None;
        }
        let url = Components::parse(&self.place.url);
        let assumptions = Assumptions {
            scheme: Some(url.scheme?.to_owned()),
            index: self.place.index.clone(),
            // The document's own directory shows that the first one is the host.
            any_host: true,
            ..Assumptions::default()
        };
        let says = |path| Layout::Httrack.evidence(path, &assumptions);
        let is_here =
            |evidence: &UrlEvidence| Components::parse(&evidence.says).net_loc == url.net_loc;
        says(&self.place.path).filter(is_here)?;
        says(path).filter(|evidence| !is_here(evidence))
    }
}

/// The endings that wget -E appends.
const APPENDED: [&str; 2] = [".html", ".css"];

/// Whether a question mark is escaped in a path.
fn has_escaped_mark(reference: &Components<'_>) -> bool {
    reference.path.contains("%3F") || reference.path.contains("%3f")
}

/// Whether the question mark in a file name certainly starts a query. wget gives the page `what%3F`
/// the name `what?` too, but a page's own name is unlikely to have `=` after that, and `.html`.
fn starts_query(evidence: &UrlEvidence) -> bool {
    let query = Components::parse(&evidence.says).query.unwrap_or_default();
    evidence.source != BaseSource::Layout
        || (evidence.caveats.contains(&Caveat::Appended) && query.contains('='))
}

/// What a file name says if the reference has it with a literal question mark: wget -E would
/// have escaped that, so it appended no ending either.
fn without_endings<'t>(evidence: &'t UrlEvidence, path: &[u8]) -> Cow<'t, UrlEvidence> {
    if !evidence.caveats.contains(&Caveat::Appended) {
        return Cow::Borrowed(evidence);
    }
    let is_page = path.ends_with(b".html");
    let url = evidence.says.clone() + if is_page { ".html" } else { ".css" };
    Cow::Owned(UrlEvidence::plain(evidence.source, &url))
}
