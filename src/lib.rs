//! abslink turns every relative URL in HTML documents into an absolute one, by RFC 1808, and changes
//! no other byte.
//!
//! ```
//! let html = abslink::rewrite(r#"<a href="../g">"#, "http://a/b/c/d;p?q")?;
//! assert_eq!(html, r#"<a href="http://a/b/g">"#); // borrowed where nothing changes
//! let url = abslink::resolve("http://a/b/c/d;p?q", "../g")?;
//! assert_eq!(url, "http://a/b/g");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | RFC 1808 | function |
//! |---|---|
//! | §2.1, §2.4 components and their parsing | [`rfc1808::Components::parse`] |
//! | §2.2 grammar | [`rfc1808::validate`] |
//! | §2.3 classes of schemes | [`rfc1808::SchemeClass::of`] |
//! | §3 base URL | [`establish`] |
//! | §3.1 base URL in the document | [`examine`] finds the `base` element, [`establish`] reads it |
//! | §3.2 base URL of what encloses the document | [`message::rewrite`], [`feed::rewrite`] |
//! | §3.3 URL that the document was retrieved from | [`Context::retrieved_from`], [`retrieval::Sources::retrieval`] |
//! | §3.4 no base URL | [`establish`] |
//! | §4 resolution | [`resolve`], [`Resolver::resolve`] |
//! | §4 step by step, step 6 (the path) among them | [`rfc1808::explain`] |
//!
//! # Documents of any encoding
//!
//! [`rewrite_bytes`] takes bytes, finds out their character encoding, and takes what is known about
//! the document from outside ([`Context`]: its URL, the label of its encoding in a `Content-Type`) and
//! how to rewrite it ([`Settings`]: which standard resolves, which places count). [`examine`] lists
//! the references of a document, and [`edits`] says what would change in it.
//!
//! ```
//! use abslink::{Context, Settings, Syntax};
//!
//! let mut context = Context::retrieved_from("http://h/a/")?;
//! context.charset = Some("iso-8859-1".to_owned());
//! let page = b"<a href=x>caf\xe9</a>";
//! let rewritten = abslink::rewrite_bytes(page, Syntax::Html, &context, &Settings::default());
//! assert_eq!(*rewritten.document, *b"<a href=http://h/a/x>caf\xe9</a>");
//! assert_eq!(rewritten.examined.tally.rewritten, 1);
//! # Ok::<(), abslink::UnsuitableBase>(())
//! ```
//!
//! # Documents in pieces
//!
//! [`Rewriter`] takes a document piece by piece and writes the new one to any [`Write`](std::io::Write).
//! What comes before the document's `base` element, or before it declares its encoding, is held
//! back, up to a limit. Whoever can read the document twice gives it to a [`Prepass`] first, and
//! nothing is held back.
//!
//! ```
//! use abslink::{Context, Rewriter, Settings, Syntax};
//!
//! let context = Context::retrieved_from("http://h/a/")?;
//! let settings = Settings::default();
//! let mut rewriter = Rewriter::new(Syntax::Html, &context, &settings, Vec::new());
//! rewriter.write(b"<a hr")?;
//! rewriter.write(b"ef=x>")?;
//! assert_eq!(rewriter.end()?.out, b"<a href=http://h/a/x>");
//! # Ok::<(), abslink::RewriteError>(())
//! ```
//!
//! # Files and directories
//!
//! [`batch::run`] carries out a [`batch::Plan`]: it finds documents, rewrites them with several
//! threads, replaces files safely, and reports to a [`batch::Observer`]. [`message`] has documents in
//! mail and MHTML archives, [`retrieval`] what a file tells about the URL that it was retrieved from.
//!
//! # How it is built
//!
//! Data flows one way; everything below [`batch`] takes bytes and does no I/O:
//!
//! ```text
//! cli -> batch -> message | feed | warc -> heading -> html -> base -> abslink-url
//! ```
//!
//! - `cli` (feature `cli`): what a person types and sees.
//! - [`batch`]: many files: finding, reading, replacing, reporting.
//! - [`message`], [`feed`], `warc`: documents inside messages, feeds and web archives.
//! - `heading`: header fields, which mail, HTTP and web archives share.
//! - `html`: one document: where its references are, and how a new one is spliced in.
//! - `base`: which base URL a document has.
//! - `abslink-url`, a crate of its own: what a reference means, given a base URL.
//!
//! # Features
//!
//! `cli` (default) builds the command `abslink` and brings clap, indicatif and signal-hook. The
//! library alone builds with `--no-default-features`.
//!
//! `serde` implements `Serialize` for references and counts ([`Reference`], [`Tally`],
//! [`batch::Report`], and what they hold), with the names that the command's JSON has.

// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod base;
pub mod batch;
#[cfg(feature = "cli")]
mod cli;
pub mod feed;
mod heading;
mod html;
pub mod message;
#[cfg(feature = "serde")]
mod serialize;
mod warc;

use std::borrow::Cow;

#[doc(inline)]
pub use abslink_url::{
    BaseUrl, Divergence, DivergenceClass, InvalidUrl, ResolveError, Resolver, UnknownResolver,
    UnsuitableBase, pre_step,
};
pub use base::{Context, Established, Retrieval, Rung, establish};
pub use html::{
    Disagreement, Edit, Ended, Examined, Fragments, Group, Groups, MappedPrefix, MappedPrefixError,
    MappedPrefixes, Outcome, OwnPlace, OwnPlaceError, OwnPlaces, PatternError, Placeholders,
    Prepass, Reference, ReferencePattern, RewriteError, Rewriter, Rewritten, Settings, Syntax,
    Tally, UnknownGroup, ValueKind, Verify, edits, examine, rewrite_bytes,
};

/// RFC 1808 itself: the components of a URL, the grammar, the classes of schemes, and the steps of a
/// resolution.
pub mod rfc1808 {
    #[doc(inline)]
    pub use abslink_url::rfc1808::{
        Components, Explanation, GrammarError, Rule, SchemeClass, Step, explain, validate,
    };
}

/// RFC 1808 §3.3: which URL a document was retrieved from, by what is known about its file.
pub mod retrieval {
    pub use crate::base::retrieval::mirror::ConvertedLinks;
    pub use crate::base::retrieval::tree::Tree;
    pub use crate::base::retrieval::url_evidence::{Caveat, UrlEvidence};
    pub use crate::base::retrieval::url_map::{MapError, UrlMap};
    pub use crate::base::retrieval::xattr::Origin;
    pub use crate::base::retrieval::{Evidence, EvidenceKind, Layout, Scheme, Sources, Unrecorded};
}

/// Does what the command `abslink` does with these arguments, the first of which is its name, and
/// returns its exit code. For the package's own binary, and for packages that bring it to other
/// languages.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn command(typed: impl IntoIterator<Item = std::ffi::OsString>) -> u8 {
    cli::run(typed).code()
}

/// What packages that bring abslink to other languages need besides the public face: the options of
/// the command, and what it tells of a run. No part of that face: anything here may change in any
/// release.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod bindings {
    pub use crate::cli::bindings::{
        Check, Login, OUTGROWN, Rewrite, catch_panic, examine, silence,
    };
}

/// What this package's tests, benchmarks and fuzzers need besides the public face: they compare the
/// steps of the work, not only its result. No part of that face: anything here may change in any
/// release.
#[doc(hidden)]
pub mod internals {
    pub mod base {
        pub use crate::base::*;
    }
    pub mod html {
        pub use crate::html::*;
    }
}

/// Makes the references of an HTML document absolute. `base` is the URL that the document was
/// retrieved from; a `base` element in the document counts more (RFC 1808 §3).
///
/// The document is text already, so that the encoding that it declares does not matter. One of
/// another encoding is for [`rewrite_bytes`].
///
/// # Errors
/// [`RewriteError`] where `base` cannot be a base URL, and where the document would grow by more
/// than it may.
///
/// # Examples
/// ```
/// use std::borrow::Cow;
///
/// let html = abslink::rewrite("<img src=i.png>", "http://a/b/")?;
/// assert_eq!(html, "<img src=http://a/b/i.png>");
/// let again = abslink::rewrite(&html, "http://a/b/")?;
/// assert!(matches!(again, Cow::Borrowed(_)));
/// assert!(abslink::rewrite("<img src=i.png>", "mailto:a@b").is_err());
/// # Ok::<(), abslink::RewriteError>(())
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
        // Text was put into text, so that nothing is lost.
        (None, Cow::Owned(new)) => Ok(String::from_utf8_lossy(&new).into_owned().into()),
    }
}

/// RFC 1808 §4: the absolute form of `reference`, borrowed where it is the reference itself.
/// [`Resolver::resolve`] has other standards, and takes a base URL that was parsed already.
///
/// # Errors
/// [`UnsuitableBase`] says why `base` cannot be a base URL.
///
/// # Examples
/// ```
/// assert_eq!(abslink::resolve("http://a/b/c/d;p?q", "../g")?, "http://a/b/g");
/// assert_eq!(abslink::resolve("http://a/b/c/d;p?q", "http://x/")?, "http://x/");
/// assert!(abslink::resolve("docs/", "g").is_err());
/// # Ok::<(), abslink::UnsuitableBase>(())
/// ```
pub fn resolve<'r>(base: &str, reference: &'r str) -> Result<Cow<'r, str>, UnsuitableBase> {
    let base = BaseUrl::parse(&pre_step(base))?;
    let stays = |_| Cow::Borrowed(reference);
    Ok(match pre_step(reference) {
        // By RFC 1808 every reference has a result.
        Cow::Borrowed(text) => (Resolver::Rfc1808.resolve(&base, text)).unwrap_or_else(stays),
        Cow::Owned(text) => match Resolver::Rfc1808.resolve(&base, &text) {
            Ok(url) => Cow::Owned(url.into_owned()),
            Err(error) => stays(error),
        },
    })
}

// So that its example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

// Unit tests and those in tests/ say in one way what they skip.
#[cfg(test)]
#[path = "../tests/skip.rs"]
mod skip;
