//! RFC 1808 §3: which base URL a document has, and which source of §3 gave it.

mod embedded;
pub(crate) mod moves;
pub mod retrieval;

use abslink_url::{BaseUrl, Resolver, UnsuitableBase, pre_step};
use embedded::Embedded;
use retrieval::confirmation::Confirmation;
use retrieval::mirror::Mirror;
use retrieval::neighbours::Neighbours;
use retrieval::repo::Checkout;
use retrieval::saved::SavedFiles;
use retrieval::surroundings::{Pins, Surroundings};
use retrieval::url_evidence::{Caveat, UrlEvidence};

use crate::text::unquoted::UnquotedField;

abslink_url::named! {
/// Where a base URL comes from by RFC 1808 §3 ([`document_base`]), from the innermost to the outermost. §3.3 has
/// one source for each kind of evidence of the retrieval URL.
///
/// # Examples
/// ```
/// use abslink_html::{BaseSource, Context, document_base};
///
/// let context = Context::retrieved_from("http://h/a/")?;
/// assert_eq!(document_base(Some("/b/"), &context, Default::default()).source, BaseSource::Embedded);
/// assert_eq!(document_base(None, &context, Default::default()).source, BaseSource::Layout);
/// assert_eq!(BaseSource::Layout.name(), "layout");
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BaseSource {
    /// §3.1: an HTML `base` element with an `href`.
    Embedded = "embedded",
    /// §3.2: the message, archive or document that encloses this one.
    Entity = "entity",
    /// §3.3: a line of a `--url-map`.
    Map = "map",
    /// §3.3: the extended attribute `user.xdg.origin.url`.
    Xattr = "xattr",
    /// §3.3: a comment that the saving program wrote.
    Comment = "comment",
    /// §3.3: the document's place in the tree, below `--base-url` or by `--layout`.
    Layout = "layout",
    /// §3.3: the document's place in a repository, by `--repo`.
    Repo = "repo",
    /// §3.3: the `WARC-Target-URI` of the document's record in a web archive.
    Archive = "archive",
    /// §3.3: the URL that a feed gives for itself (`rel=self`).
    SelfLink = "self",
    /// §3.3: the field with the URL of the document's row.
    Row = "row",
    /// Its place in a tree whose URL is not known, for references that lead from file to file.
    Tree = "tree",
    /// §3.4: there is no base URL; relative references stay as they are.
    #[default]
    None = "none",
}
/// The source's name in JSON and in messages.
name
}

impl BaseSource {
    /// Every kind of evidence of the retrieval URL that can be chosen, in the order of the ladder:
    /// [`Sources::order`](retrieval::Sources::order).
    pub const OF_RETRIEVAL: [BaseSource; 5] = [
        BaseSource::Map,
        BaseSource::Xattr,
        BaseSource::Comment,
        BaseSource::Layout,
        BaseSource::SelfLink,
    ];
}

/// The URL that a document was retrieved from (RFC 1808 §3.3), and the evidence for it:
/// [`Context::retrieval`].
///
/// # Examples
/// ```
/// let context = abslink_html::Context::retrieved_from("http://h/a/b.html")?;
/// let retrieval = context.retrieval.unwrap();
/// assert_eq!(retrieval.url.as_str(), "http://h/a/b.html");
/// assert!(!retrieval.is_guess);
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retrieval {
    /// The document's own URL.
    pub url: BaseUrl,
    /// The evidence: one of the sources of §3.3.
    pub source: BaseSource,
    /// Whether by this evidence it may be another URL.
    pub is_guess: bool,
}

impl Retrieval {
    /// Whether the document's name, which is a part of the path here, looks like one that a program has given it
    /// by its URL with a query.
    pub(crate) fn has_query_name(&self) -> bool {
        let is_of_path = matches!(self.source, BaseSource::Layout | BaseSource::Tree);
        let url = self.url.as_str();
        // Asked for each document.
        if !is_of_path || memchr::memchr(b'%', url.as_bytes()).is_none() {
            return false;
        }
        let path = &url[..url.find(['?', '#']).unwrap_or(url.len())];
        retrieval::path::names_query(path, &["%3F"])
    }
}

/// What is known about a document from outside its content: its base URL, and its character
/// encoding.
///
/// # Examples
/// ```
/// use abslink_html::Context;
///
/// let mut context = Context::retrieved_from("http://h/a/")?;
/// context.charset = Some("iso-8859-1".to_owned());
/// assert!(Context::retrieved_from("docs/").is_err());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Context {
    /// The label of the character encoding that the transport gives (`Content-Type: …; charset=…`).
    /// It takes precedence over what the document declares, and a byte order mark over it. A label
    /// that the Encoding Standard does not know is ignored.
    pub charset: Option<String>,
    /// §3.2: base URL of the encapsulating entity.
    pub entity: Option<BaseUrl>,
    /// §3.3.
    pub retrieval: Option<Retrieval>,
    /// What browsers take for the fallback base URL, if that differs: they read the
    /// `base` element of the enclosing document differently.
    #[doc(hidden)]
    pub browser: Option<BaseUrl>,
    /// All that is known about the retrieval URL, if that is wanted.
    #[doc(hidden)]
    pub evidence: Vec<UrlEvidence>,
    /// The mirror that the document is in, if that matters.
    #[doc(hidden)]
    pub mirror: Option<Mirror>,
    /// The base URL that the enclosing document will have, if it loses its `base` element.
    #[doc(hidden)]
    pub new_base: Option<BaseUrl>,
    /// The files around the document, if references become the names of files.
    #[doc(hidden)]
    pub neighbours: Option<Neighbours>,
    /// What a browser has saved with the document, if one has.
    #[doc(hidden)]
    pub saved: Option<SavedFiles>,
    /// Whether its `base` elements stay, since references that are left need them.
    #[doc(hidden)]
    pub keeps_base: bool,
    /// By how many bytes the document may grow, if that is less than its length allows: the message
    /// that it is part of has no more room.
    #[doc(hidden)]
    pub growth_budget: Option<u64>,
    /// How large the new document may become in memory, if that is less than 256 MiB.
    #[doc(hidden)]
    pub memory_budget: Option<u64>,
    /// Whether the `base` element of the enclosing document names a URL to which nothing can be
    /// relative, so there is no base URL here either.
    #[doc(hidden)]
    pub is_opaque: bool,
    /// Whether relative references are right as they are where there is no base URL: in the index that the
    /// mirroring program made of a mirror, for example, which has no URL.
    #[doc(hidden)]
    pub stays_without_base: bool,
    /// The tree that the document is in, if links from the root may be meant for that.
    #[doc(hidden)]
    pub surroundings: Option<Surroundings>,
    /// Where files are noted whose bytes pages name by a hash.
    #[doc(hidden)]
    pub pins: Option<Pins>,
    /// The repository that the document is in, if a forge shows that.
    #[doc(hidden)]
    pub checkout: Option<Checkout>,
    /// The document's URL in a web archive, if the one that this shows counts.
    #[doc(hidden)]
    pub archived: Option<BaseUrl>,
    /// Whether `#x` stays in every place, unless a `base` element counts: in an image, which is moved as a
    /// whole.
    #[doc(hidden)]
    pub keeps_fragments: bool,
    /// Whether the base URL is the document's own, although nobody retrieved it from there: the HTML of an item in a
    /// feed stands for the item's page.
    #[doc(hidden)]
    pub is_own_page: bool,
    /// Whether nothing tells the scheme of the retrieval URL.
    #[doc(hidden)]
    pub assumes_scheme: bool,
    /// The field of CSV that the document is in, if it has no quotes.
    #[doc(hidden)]
    pub field: Option<UnquotedField>,
    /// Whether it is the content of a row or feed, as a content system has it.
    #[doc(hidden)]
    pub is_content: bool,
    /// Whether its `base` elements have no effect: those in Markdown.
    #[doc(hidden)]
    pub ignores_bases: bool,
}

/// The result of [`document_base`].
///
/// # Examples
/// ```
/// use abslink_html::{Context, document_base};
///
/// let found = document_base(Some("mailto:x"), &Context::default(), Default::default());
/// assert!(found.base.is_none());
/// let found = document_base(Some("http://h/b/"), &Context::default(), Default::default());
/// assert_eq!(found.base.unwrap().as_str(), "http://h/b/");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentBase {
    /// The base URL; `None` if there is none (§3.4), and if the `base` element names one that
    /// [is opaque](DocumentBase::is_opaque).
    pub base: Option<BaseUrl>,
    /// Where it comes from.
    pub source: BaseSource,
    /// The embedded base that was refused, and why.
    pub refused: Option<(String, UnsuitableBase)>,
    /// The base URL that browsers use, if it differs: they read the `base` element
    /// differently.
    pub browser: Option<BaseUrl>,
    /// §3.3: all that is known about the retrieval URL, if `Context::evidence` has it.
    pub evidence: Vec<UrlEvidence>,
    /// §3.3: whether the base is a retrieval URL that may be wrong.
    pub is_guess: bool,
    /// The `href` of the `base` element, if it is relative, and what it was resolved against.
    pub relative: Option<RelativeBase>,
    /// The same base URL, if browsers do not read that in the document but will once its `base` element is
    /// absolute.
    #[doc(hidden)]
    pub becomes: Option<BaseUrl>,
    /// Whether the `base` elements are taken out, so that the document will have another base URL.
    #[doc(hidden)]
    pub is_removed: bool,
    /// Whether the `base` element, if there is one, names the directory that the document is in, wherever that is:
    /// old browsers write `<base href=".">` into what they save.
    #[doc(hidden)]
    pub is_here: bool,
}

/// An embedded base URL that is relative ([`DocumentBase::relative`]).
///
/// # Examples
/// ```
/// use abslink_html::{BaseSource, Context, document_base};
///
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// let found = document_base(Some("./"), &context, Default::default());
/// let relative = found.relative.unwrap();
/// assert_eq!((&*relative.href, relative.against.as_str()), ("./", "http://h/a/b.html"));
/// assert_eq!(relative.source, BaseSource::Layout);
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelativeBase {
    /// As it is written.
    pub href: String,
    /// What it was resolved against.
    pub against: BaseUrl,
    /// Where that comes from.
    pub source: BaseSource,
}

impl DocumentBase {
    /// Whether the `base` element names a URL to which nothing can be relative, such as `mailto:`
    /// (§2.3), so the references stay: browsers resolve nothing then either. A URL with a template
    /// placeholder is treated like that, too.
    pub fn is_opaque(&self) -> bool {
        self.base.is_none() && self.source == BaseSource::Embedded
    }

    /// The base URL that the document will have, if that is not the one that it has for browsers: `None` as
    /// well where nothing is known of it.
    #[doc(hidden)]
    pub fn new_base<'b>(&'b self, context: &'b Context) -> Option<&'b BaseUrl> {
        match &self.becomes {
            _ if self.is_removed => context.fallback().map(|(url, _)| url),
            None if !self.has_own() => context.new_base.as_ref(),
            becomes => becomes.as_ref(),
        }
    }

    /// Whether a `base` element of the document itself counted, and is taken out.
    pub(crate) fn has_lost_own(&self) -> bool {
        self.is_removed && self.source == BaseSource::Embedded
    }

    /// Whether a `base` element of the document itself counts.
    fn has_own(&self) -> bool {
        self.source == BaseSource::Embedded && (self.base.is_some() || self.refused.is_some())
    }

    /// Whether browsers will have another base URL after the run.
    pub(crate) fn will_differ(&self, context: &Context) -> bool {
        let is_from_around = !self.has_own() && self.browser == context.browser;
        let is_settled = is_from_around && context.new_base.is_some();
        self.browser.is_some() && !self.is_removed && !is_settled && self.becomes.is_none()
    }

    /// Whether the base URL is the document's own, fragments aside.
    pub(crate) fn is_own(&self, context: &Context) -> bool {
        let own = (context.retrieval.as_ref()).map(|retrieval| retrieval.url.without_fragment());
        let base = self.base.as_ref().map(BaseUrl::without_fragment);
        base.is_some() && base == own
    }

    /// The piece of evidence that the others are compared with: the first that names a URL.
    pub fn first(&self) -> Option<&UrlEvidence> {
        self.evidence.iter().find(|evidence| evidence.url.is_ok())
    }

    /// §3.3: takes into account what the document's links show about its URL.
    pub(crate) fn take(&mut self, confirmation: &Confirmation) {
        if !confirmation.is_missing() || self.source != BaseSource::Layout {
            return;
        }
        // Servers redirect `docs` to `docs/`, and hardly ever what has an ending.
        let url = self.base.as_ref().map_or("", BaseUrl::as_str);
        let path = url.split('?').next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        self.is_guess |= !name.is_empty() && !name.contains('.');
        let mut by_layout = self.evidence.iter_mut();
        if let Some(evidence) = by_layout.find(|evidence| evidence.source == BaseSource::Layout) {
            evidence.caveats.push(Caveat::Unconfirmed);
        }
    }

    /// Whether two pieces of evidence of the retrieval URL contradict each other.
    pub fn is_contested(&self) -> bool {
        let first = self.first();
        first.is_some_and(|first| self.evidence.iter().any(|it| !it.agrees_with(first)))
    }
}

/// What a [`Context`] has of files: nothing in the module for JavaScript, which leaves out all that looks there.
pub(crate) fn of_files<T>(option: &Option<T>) -> Option<&T> {
    option.as_ref().filter(|_| !cfg!(feature = "small"))
}

impl Context {
    /// §3.3: only the document's own URL is known.
    ///
    /// # Errors
    /// [`UnsuitableBase`] says why `url` cannot be one.
    pub fn retrieved_from(url: &str) -> Result<Context, UnsuitableBase> {
        BaseUrl::parse(&pre_step(url)).map(Context::from)
    }

    /// §3.2, then §3.3: the base URL that applies if the content names none (HTML's *fallback
    /// base URL*).
    pub fn fallback(&self) -> Option<(&BaseUrl, BaseSource)> {
        match (&self.entity, &self.retrieval) {
            (Some(url), _) => Some((url, BaseSource::Entity)),
            (None, Some(retrieval)) => Some((&retrieval.url, retrieval.source)),
            (None, None) => None,
        }
    }

    /// The same for what has a URL in full, without the root of a tree whose URL is not known.
    #[doc(hidden)]
    pub fn without_nameless(mut self) -> Context {
        self.retrieval
            .take_if(|retrieval| retrieval.source == BaseSource::Tree);
        self
    }
}

impl From<BaseUrl> for Context {
    /// §3.3: only the document's own URL is known.
    fn from(url: BaseUrl) -> Context {
        let retrieval = Some(Retrieval {
            url,
            source: BaseSource::Layout,
            is_guess: false,
        });
        Context {
            retrieval,
            ..Context::default()
        }
    }
}

/// §3: finds the base URL of one document. `embedded` is the decoded `href` of the `base` element
/// that counts (the HTML standard's rules pick it).
///
/// # Examples
/// ```
/// use abslink_html::{BaseSource, Context, Resolver, document_base};
///
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// let found = document_base(Some("../c/"), &context, Resolver::Rfc1808);
/// assert_eq!(found.base.expect("there is one").as_str(), "http://h/c/");
/// assert_eq!(found.source, BaseSource::Embedded);
/// assert_eq!(document_base(None, &context, Resolver::Rfc1808).source, BaseSource::Layout);
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
pub fn document_base(
    embedded: Option<&str>,
    context: &Context,
    resolver: Resolver,
) -> DocumentBase {
    let mut document_base = DocumentBase {
        source: BaseSource::Embedded,
        browser: context.browser.clone(),
        evidence: context.evidence.clone(),
        is_here: embedded.is_none_or(|href| matches!(href.trim(), "" | "." | "./")),
        ..DocumentBase::default()
    };
    let refused = |reason| embedded.map(|href| (href.to_owned(), reason));
    match embedded.map(|href| Embedded::read(href, context, resolver)) {
        Some(Embedded::Base(base, browser)) => {
            (document_base.base, document_base.browser) = (Some(base), browser);
            document_base.relative = (embedded.zip(context.fallback()))
                .filter(|(href, (url, _))| !resolver.is_absolute(url, &pre_step(href)))
                .map(|(href, (url, source))| RelativeBase {
                    href: href.to_owned(),
                    against: url.clone(),
                    source,
                });
            return document_base;
        }
        Some(Embedded::CarriesNone(reason)) => {
            (document_base.refused, document_base.browser) = (refused(reason), None);
            return document_base;
        }
        Some(Embedded::Ignored(reason, browser)) => {
            document_base.refused = refused(reason);
            document_base.browser = browser.or(document_base.browser);
        }
        None => {}
    }
    let (base, source) = match context.fallback() {
        Some((url, source)) => (Some(url.clone()), source),
        None if context.is_opaque => (None, BaseSource::Embedded),
        None => (None, BaseSource::None),
    };
    let retrieval = context.retrieval.as_ref();
    DocumentBase {
        base,
        source,
        is_guess: context.entity.is_none() && retrieval.is_some_and(|it| it.is_guess),
        ..document_base
    }
}
