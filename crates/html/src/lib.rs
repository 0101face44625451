#![doc = include_str!("../README.md")]
// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod attributes;
pub mod base;
mod chunk;
mod chunked;
mod collect;
mod css;
mod custom;
mod document;
#[doc(hidden)]
pub mod document_bytes;
mod early_base;
mod encode;
mod encoding;
mod entity;
mod examined;
mod form;
mod found;
mod groups;
mod growth;
mod ignore;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod line_column;
mod list;
pub mod locate;
mod long;
mod name_filter;
mod pass;
mod pattern;
#[doc(hidden)]
pub mod placeholder;
mod places;
mod position;
mod prefix;
mod prescan;
mod references;
mod refresh;
mod remove_base;
mod replay;
mod resolve;
mod rewriter;
mod rules;
#[cfg(feature = "serde")]
mod serialize;
pub mod sheet;
mod sink;
#[doc(hidden)]
pub mod sniff;
mod splice;
mod srcset;
#[cfg(test)]
mod table;
mod task;
#[cfg(test)]
mod tests;
mod unquoted;
mod value;
mod verify;
mod window;

use std::borrow::Cow;

#[doc(inline)]
pub use abslink_url::{
    BaseUrl, Divergence, DivergenceClass, InvalidUrl, ResolveError, Resolver, UnknownResolver,
    UnsuitableBase, pre_step,
};
pub use attributes::ValueKind;
pub use base::{BaseSource, Context, DocumentBase, RelativeBase, Retrieval, document_base};
pub use chunked::{ChunkedRewriter, Seen};
pub use custom::{CustomAttribute, CustomAttributeError, CustomAttributes};
pub use document::{DocumentRewriter, Rewritten, edits, examine, rewrite_bytes};
pub use examined::Examined;
pub use form::{Site, To};
pub use groups::{Group, GroupCounts, Groups, UnknownGroup};
#[cfg(feature = "exclude")]
pub use pattern::PatternError;
pub use pattern::ReferencePattern;
pub use placeholder::Placeholders;
pub use prefix::{MappedPrefix, MappedPrefixError, MappedPrefixes};
pub use prescan::{BasePrescan, DocumentInfo, EncodingPrescan};
#[doc(hidden)]
pub use replay::unwrapped;
pub use rewriter::{Ended, Prescan, RewriteError, Rewriter};
pub use splice::Edit;
pub use verify::{Disagreement, Verify};

use placeholder::Sample;

/// RFC 1808 §3.3: which URL a document was retrieved from, by what is known about its file.
pub mod retrieval {
    pub use crate::base::retrieval::mirror::ConvertedLinks;
    pub use crate::base::retrieval::tree::Tree;
    pub use crate::base::retrieval::url_evidence::{Caveat, UrlEvidence};
    #[cfg(feature = "url-map")]
    pub use crate::base::retrieval::url_map::MapError;
    pub use crate::base::retrieval::url_map::UrlMap;
    pub use crate::base::retrieval::xattr::Origin;
    pub use crate::base::retrieval::{Evidence, EvidenceKind, Layout, Scheme, Sources, Unrecorded};
}

// For the other crates here, which find references in feeds, messages and archives. Not part of the
// face: anything here may change in any release.
/// What a second reader is told, and the little that it shares with the first one.
#[doc(hidden)]
pub mod shared {
    pub use crate::attributes::{Against, Lookup, Names, Row, XML_STYLESHEET};
    pub use crate::custom::Wanted;
    pub use crate::encoding::Charset;
    pub use crate::json::{LinkedDataBase, linked_data_base};
    pub use crate::locate::Namespace;
    pub use crate::placeholder::{document_base, document_base_in};
    pub use crate::references::decode;
    pub use crate::splice::Change;
    pub use crate::verify::{DocumentParameters, Edited, FeedParameters, Reading, SecondReader};
}

#[doc(hidden)]
pub use {
    attributes::{Against, Row},
    custom::Wanted,
    encoding::utf16_by_markup,
    growth::{HELD, OUTGROWN, limit as growth_limit},
    locate::xml::{markup, prefixes},
    splice::splice,
    unquoted::UnquotedField,
};

/// Makes the references of an HTML document absolute. `base` is the URL that the document was
/// retrieved from; a `base` element in the document takes precedence (RFC 1808 §3).
///
/// The document is text already, so the encoding that it declares does not matter. For bytes in any
/// encoding there is [`rewrite_bytes`].
///
/// # Errors
/// [`RewriteError`] if `base` cannot be a base URL, or if the document would grow by more
/// than it may.
///
/// # Examples
/// ```
/// use std::borrow::Cow;
///
/// let html = abslink_html::rewrite("<img src=i.png>", "http://a/b/")?;
/// assert_eq!(html, "<img src=http://a/b/i.png>");
/// let again = abslink_html::rewrite(&html, "http://a/b/")?;
/// assert!(matches!(again, Cow::Borrowed(_)));
/// assert!(abslink_html::rewrite("<img src=i.png>", "mailto:a@b").is_err());
/// # Ok::<(), abslink_html::RewriteError>(())
/// ```
pub fn rewrite<'h>(html: &'h str, base: &str) -> Result<Cow<'h, str>, RewriteError> {
    let mut context = Context::retrieved_from(base)?;
    context.charset = Some("utf-8".to_owned());
    let rewritten = rewrite_bytes(
        html.as_bytes(),
        Syntax::Html,
        &context,
        &Settings::default(),
    );
    match (rewritten.examined.left, rewritten.document) {
        (Some(reason), _) => Err(RewriteError::Left(reason)),
        (None, Cow::Borrowed(_)) => Ok(Cow::Borrowed(html)),
        // Text was put into text, so nothing is lost.
        (None, Cow::Owned(new)) => Ok(String::from_utf8_lossy(&new).into_owned().into()),
    }
}

/// The rules by which a document is parsed. [`rewrite_bytes`] has an example.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let (context, settings) = (Context::retrieved_from("http://h/")?, Settings::default());
/// // In XML, names are case-sensitive.
/// let rewritten = |syntax| rewrite_bytes(b"<A HREF='x'/>", syntax, &context, &settings).is_changed();
/// assert!(rewritten(Syntax::Html) && !rewritten(Syntax::Xml));
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `text/html`.
    #[default]
    Html,
    /// `application/xhtml+xml`.
    Xml,
}

/// What happens to `href="#x"` on `a` and `area`, and to `#x` in the URLs of a feed: [`Settings::fragments`].
///
/// # Examples
/// ```
/// use abslink_html::{Context, Fragments, Settings, Syntax, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/a.html")?;
/// let mut settings = Settings::default();
/// settings.fragments = Fragments::Keep;
/// assert!(!rewrite_bytes(b"<a href=#x>", Syntax::Html, &context, &settings).is_changed());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fragments {
    /// It is resolved like every other reference.
    #[default]
    Resolve,
    /// It stays if the base URL is the document's own URL.
    Keep,
}

/// How much of a document is held in memory ([`Settings::engine`]); the result is the same.
///
/// # Examples
/// ```
/// use abslink_html::Settings;
/// use abslink_html::Engine;
///
/// let mut settings = Settings::default();
/// settings.engine = Engine::Stream;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// All of a file up to 16 MiB and of standard input up to 8 MiB, and a window of a larger one.
    #[default]
    Auto,
    /// All of it.
    Memory,
    /// A window of it.
    Stream,
}

impl Engine {
    /// How many bytes a file may have to be held whole in memory.
    #[doc(hidden)]
    pub fn largest_held(self) -> u64 {
        match self {
            Engine::Auto => 16 << 20,
            Engine::Memory => u64::MAX,
            Engine::Stream => 0,
        }
    }
}

/// How documents are rewritten: the same for a whole run.
///
/// # Examples
#[cfg_attr(feature = "exclude", doc = "```")]
#[cfg_attr(not(feature = "exclude"), doc = "```ignore")]
/// use abslink_html::{Group, Resolver, Settings};
///
/// let mut settings = Settings::default();
/// settings.resolver = Resolver::Whatwg;
/// settings.groups = settings.groups.with(Group::Lazy);
/// settings.exclude = Some("^javascript:".parse()?);
/// # Ok::<(), abslink_html::PatternError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Which standard resolves.
    pub resolver: Resolver,
    /// Which places count.
    pub groups: Groups,
    /// Other groups, whose relative references are only counted ([`Tally::off`]).
    #[doc(hidden)]
    pub counted: Option<Groups>,
    /// Further attributes that carry URLs, or that replace those of the groups.
    pub custom_attributes: CustomAttributes,
    /// What happens to same-document links.
    pub fragments: Fragments,
    /// What happens to template placeholders.
    pub placeholders: Placeholders,
    /// References to leave alone, matched against the decoded value after the pre-step.
    pub exclude: Option<ReferencePattern>,
    /// What the results are mapped to.
    pub prefixes: MappedPrefixes,
    /// Which form references get.
    pub to: To,
    /// What a server may append to a path without saying so, such as `.html`, for the names of files.
    pub try_ext: Vec<String>,
    /// Whether `base` elements with a URL are taken out where no reference depends on them any more. With
    /// [`To::Files`] they are.
    pub remove_base: bool,
    /// What is in the same tree, for the forms of references that are not absolute.
    pub site: Site,
    /// Where references are moved to, before their form is chosen: those that are absolute as well.
    pub moves: MappedPrefixes,
    /// Whether the URL in that of a web archive's copy is taken, such as
    /// `/web/20200103104500/http://www.example.com/`, in references and in base URLs.
    pub unwrap: bool,
    /// Whether references to files in the tree stay (`Context::mirror`).
    pub only_missing: bool,
    /// How much of a document is held in memory.
    pub engine: Engine,
    /// Whether a second reader has to confirm a rewritten document.
    pub verify: Verify,
}

impl Settings {
    /// Whether absolute references change too.
    #[doc(hidden)]
    pub fn has_forms(&self) -> bool {
        self.to != To::Absolute || !self.moves.is_empty() || self.remove_base || self.unwrap
    }

    /// Which places count.
    #[doc(hidden)]
    pub fn wanted(&self) -> Wanted<'_> {
        Wanted {
            counted: self.counted.unwrap_or(Groups::NONE),
            ..self.custom_attributes.wanted(self.groups)
        }
    }
}

/// What became of a reference: [`Reference::outcome`].
///
/// # Examples
/// ```
/// use abslink_html::{Context, Outcome, Settings, Syntax, examine};
///
/// let mut outcomes = Vec::new();
/// let html = b"<a href=x><a href='http://h/'>";
/// examine(html, Syntax::Html, &Context::default(), &Settings::default(), &mut |reference| {
///     outcomes.push(reference.outcome);
/// });
/// assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Absolute]);
/// assert_eq!(Outcome::Unresolved.name(), "unresolved");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It is relative; `rewrite` makes it absolute.
    Relative,
    /// It was absolute already.
    Absolute,
    /// It points into its own document and stays (`usemap`, `url(#x)`, kept fragments).
    SameDocument,
    /// It stays relative: there is no base URL, or the resolver gives no result.
    Unresolved,
    /// `--exclude-url` matched it.
    Excluded,
    /// It is relative and stays: its target is in the tree, and only references to missing files
    /// become absolute; or a browser has saved its target with the document.
    Present,
    /// It begins with a template placeholder and stays: only the template's data can tell whether
    /// it is relative.
    Placeholder,
}

impl Outcome {
    /// The outcome's name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Relative => "relative",
            Outcome::Absolute => "absolute",
            Outcome::SameDocument => "same-document",
            Outcome::Unresolved => "unresolved",
            Outcome::Excluded => "excluded",
            Outcome::Present => "present",
            Outcome::Placeholder => "placeholder",
        }
    }
}

/// One reference of a document, as `links` and `check` show it. [`examine`] has an example.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, examine};
///
/// let html = b"<img alt='' src=../i.png>";
/// let context = Context::retrieved_from("http://h/a/b.html")?;
/// examine(html, Syntax::Html, &context, &Settings::default(), &mut |reference| {
///     assert_eq!((reference.element, reference.attribute), ("img", "src"));
///     assert_eq!(html[reference.span.clone()], *b"../i.png");
///     assert_eq!(reference.absolute, Some("http://h/i.png"));
/// });
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Reference<'a> {
    /// Byte range in the document of the part of the value that is replaced.
    pub span: std::ops::Range<usize>,
    /// The element's name in lower case.
    pub element: &'a str,
    /// The attribute's name in lower case; empty if the reference is in an element's text.
    pub attribute: &'a str,
    /// The grammar of the value that contains it.
    pub kind: ValueKind,
    /// The decoded value after the pre-step.
    pub reference: &'a str,
    /// Its absolute form, if it has one; if it is mapped, the URL that it is mapped to.
    pub absolute: Option<&'a str>,
    /// The base URL that it was resolved against.
    pub base: Option<&'a str>,
    /// Where the base URL comes from, by RFC 1808 §3.
    pub base_from: BaseSource,
    /// What became of it.
    pub outcome: Outcome,
    /// What `rewrite` writes in its place, if it does not stay: its absolute form, or with
    /// [`Settings::to`] the form that is asked for.
    pub to: Option<&'a str>,
    /// What a browser gets, if that is another target.
    pub divergent: Option<&'a Divergence>,
}

impl Reference<'_> {
    /// The same reference at another place.
    #[doc(hidden)]
    pub fn at(&self, span: std::ops::Range<usize>) -> Self {
        Reference {
            span,
            ..self.clone()
        }
    }
}

/// How many references had which outcome. The fields are those of the JSON summary.
///
/// # Examples
/// ```
/// use abslink_html::{Outcome, Tally};
///
/// let mut tally = Tally::default();
/// tally.count(Outcome::Relative, false);
/// let mut all = tally;
/// all.merge(&tally);
/// assert_eq!((all.references, all.rewritten), (2, 2));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Tally {
    /// All references.
    pub references: u64,
    /// [`Outcome::Relative`]: made absolute. With another [`Settings::to`]: all that is written anew.
    pub rewritten: u64,
    /// [`Outcome::Absolute`].
    pub absolute: u64,
    /// [`Outcome::SameDocument`].
    pub same_document: u64,
    /// [`Outcome::Unresolved`].
    pub unresolved: u64,
    /// [`Outcome::Excluded`].
    pub excluded: u64,
    /// [`Outcome::Present`].
    pub present: u64,
    /// Those of [`Outcome::Relative`] whose absolute form was mapped to another
    /// ([`Settings::prefixes`]).
    pub mapped: u64,
    /// References of any outcome that a browser takes elsewhere.
    pub divergent: u64,
    /// Divergent ones that a browser fetches before it reads the `base` element.
    pub before_base: u64,
    /// References that can only be names of files ([`crate::base::retrieval::mirror`]), in documents
    /// whose other links were taken as they are.
    pub file_names: u64,
    /// References that are names of files whose URLs are guesses although there is a map.
    pub guesses: u64,
    /// References to files that a browser has saved with the document ([`Outcome::Present`]).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub saved: u64,
    /// [`Outcome::Placeholder`].
    pub placeholders: u64,
    /// References whose targets were moved ([`Settings::moves`]).
    pub moved: u64,
    /// Those that begin with `/` in documents of a tree whose URL is not known.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub nameless: u64,
    /// Of these, those that lead to no file of the tree.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub nameless_missing: u64,
    /// References that were written in the form of [`Settings::to`], which is not absolute.
    pub made_relative: u64,
    /// Those to targets in the [`Site`] that stay absolute or become it: no such reference leads there.
    pub kept: u64,
    /// Those to targets on servers that are not in the [`Site`].
    pub outside: u64,
    /// References whose URL was taken out of that of a web archive ([`Settings::unwrap`]).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub unwrapped: u64,
    /// References that are those of a web archive, and stay so.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub wrapped: u64,
    /// Those with `..` for more levels than the path of the base URL has, if that is an http or https URL.
    pub above_root: u64,
    /// In a tree below a path: links from the root that lead out of it to what the tree would have, and to
    /// what it would not have or into it; and relative paths.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub from_root: [u64; 3],
    /// Of those outside the site, how many differ from it in the scheme, in a `www.`, or in both.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub aliases: [u64; 3],
    /// Documents that allow by a hash what was changed in them.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub hashed: u64,
    /// Elements with `integrity` or `crossorigin` whose references became the names of files: browsers do
    /// not load such an element from a disk.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub need_server: u64,
    /// `base` elements that were taken out, or whose URL was ([`Settings::remove_base`]).
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bases_removed: u64,
    /// Documents of these that have scripts, which may ask for the base URL.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub scripted: u64,
    /// `base` elements that stay, since references depend on them.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub bases_kept: u64,
    /// The group of one of these references.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub base_needed_by: Option<Group>,
    /// Whether a reference is resolved against the document's own URL although there may be a `base` element.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub needs_own_url: bool,
    /// Relative references in groups that are off ([`Settings::counted`]).
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub off: GroupCounts,
    /// How one reference with a placeholder begins.
    #[cfg_attr(feature = "serde", serde(skip))]
    #[doc(hidden)]
    pub sample: Sample,
}

impl Tally {
    /// Adds one reference.
    pub fn count(&mut self, outcome: Outcome, divergent: bool) {
        self.references += 1;
        *match outcome {
            Outcome::Relative => &mut self.rewritten,
            Outcome::Absolute => &mut self.absolute,
            Outcome::SameDocument => &mut self.same_document,
            Outcome::Unresolved => &mut self.unresolved,
            Outcome::Excluded => &mut self.excluded,
            Outcome::Present => &mut self.present,
            Outcome::Placeholder => &mut self.placeholders,
        } += 1;
        self.divergent += u64::from(divergent);
    }

    /// Adds another tally to this one.
    pub fn merge(&mut self, other: &Tally) {
        self.references += other.references;
        self.rewritten += other.rewritten;
        self.absolute += other.absolute;
        self.same_document += other.same_document;
        self.unresolved += other.unresolved;
        self.excluded += other.excluded;
        self.present += other.present;
        self.mapped += other.mapped;
        self.divergent += other.divergent;
        self.before_base += other.before_base;
        self.file_names += other.file_names;
        self.guesses += other.guesses;
        self.saved += other.saved;
        self.placeholders += other.placeholders;
        self.moved += other.moved;
        self.nameless += other.nameless;
        self.nameless_missing += other.nameless_missing;
        self.made_relative += other.made_relative;
        self.kept += other.kept;
        self.outside += other.outside;
        self.unwrapped += other.unwrapped;
        self.wrapped += other.wrapped;
        self.above_root += other.above_root;
        for (own, other) in self.from_root.iter_mut().zip(other.from_root) {
            *own += other;
        }
        for (own, other) in self.aliases.iter_mut().zip(other.aliases) {
            *own += other;
        }
        self.hashed += other.hashed;
        self.need_server += other.need_server;
        self.bases_removed += other.bases_removed;
        self.scripted += other.scripted;
        self.bases_kept += other.bases_kept;
        self.base_needed_by = self.base_needed_by.or(other.base_needed_by);
        self.needs_own_url |= other.needs_own_url;
        self.off.merge(&other.off);
        self.sample.merge(&other.sample);
    }
}
