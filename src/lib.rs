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
//! | §3 base URL | [`document_base`] |
//! | §3.1 base URL in the document | [`examine`] finds the `base` element, [`document_base`] reads it |
//! | §3.2 base URL of what encloses the document | [`message::rewrite`], [`feed::rewrite`] |
//! | §3.3 URL that the document was retrieved from | [`Context::retrieved_from`], [`retrieval::Sources::retrieval`] |
//! | §3.4 no base URL | [`document_base`] |
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
//! back, up to a limit. If you can read the document twice, give it to a [`Prescan`] first, and
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
//! threads, replaces files safely, and reports to a [`batch::Observer`]. [`message`] handles
//! documents in mail and MHTML archives, and [`retrieval`] finds out what a file says about the URL
//! that it was retrieved from.
//!
//! # How it is built
//!
//! Data flows one way; everything below [`batch`] takes bytes and does no I/O:
//!
//! ```text
//! cli -> batch -> abslink-containers -> abslink-html -> abslink-url
//! ```
//!
//! - `cli` (feature `cli`): what a person types and sees.
//! - [`batch`]: many files: finding, reading, replacing, reporting.
//! - the crate `abslink-containers`: documents inside messages ([`message`]), feeds ([`feed`]) and web
//!   archives.
//! - the crate `abslink-html`: one document: which base URL it has, where its references are, and how
//!   a new one is spliced in.
//! - the crate `abslink-url`: what a reference means, given a base URL.
//!
//! # Features
//!
//! `cli` (default) builds the command `abslink`, and includes `batch`: files and directories. `batch`
//! includes `archives`, which is what encloses documents ([`message`] and [`feed`], for example), and
//! `verify`, a second reader ([`Settings::verify`]). Without default features the library handles
//! single documents only, and builds without a C compiler, for WebAssembly too.
//!
//! `serde` implements `Serialize` for references and counts ([`Reference`], [`Tally`],
//! [`batch::Report`], and what they hold), with the names in the command's JSON.

// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "batch")]
pub mod batch;
#[cfg(feature = "cli")]
mod cli;
#[cfg(all(test, feature = "batch", feature = "serde"))]
mod tests;

#[cfg(feature = "markdown")]
#[doc(inline)]
pub use abslink_containers::markdown;
#[cfg(feature = "archives")]
#[doc(inline)]
pub use abslink_containers::{feed, message};
#[doc(inline)]
pub use abslink_html::{
    BaseSource, Context, CustomAttribute, CustomAttributeError, CustomAttributes, Disagreement,
    DocumentBase, Edit, Ended, Examined, Fragments, Group, Groups, MappedPrefix, MappedPrefixError,
    MappedPrefixes, Outcome, Placeholders, Prescan, Reference, ReferencePattern, RelativeBase,
    Retrieval, RewriteError, Rewriter, Rewritten, Settings, Site, Syntax, Tally, To, UnknownGroup,
    ValueKind, Verify, document_base, edits, examine, retrieval, rewrite, rewrite_bytes,
};
#[doc(inline)]
pub use abslink_url::{
    BaseUrl, Divergence, DivergenceClass, InvalidUrl, Resolver, UnknownResolver, UnsuitableBase,
    inverse, inverse::relative, pre_step, resolve,
};

#[cfg(feature = "verify")]
#[doc(inline)]
pub use abslink_verify::second_reader;

#[cfg(feature = "batch")]
#[doc(inline)]
pub use abslink_html::PatternError;

/// RFC 1808 itself: the components of a URL, the grammar, the classes of schemes, and the steps of a
/// resolution.
pub mod rfc1808 {
    #[doc(inline)]
    pub use abslink_url::{
        explain::{Step, explain},
        rfc1808::{Components, GrammarError, Rule, SchemeClass, validate},
    };
}

/// Runs the command `abslink` with these arguments, the first of which is its name, and returns its
/// exit code. For the package's own binary, and for packages that bring abslink to other
/// languages.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub fn command(typed: impl IntoIterator<Item = std::ffi::OsString>) -> u8 {
    cli::run(typed).code()
}

/// What packages that bring abslink to other languages need besides the public face: the options of
/// the command, and its account of a run. This is not part of that face: anything here may change
/// in any release.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod bindings {
    pub use crate::cli::bindings::{
        Check, Login, OUTGROWN, Rewrite, catch_panic, examine, password, silence,
    };
}

// So that its example is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library {}

// Unit tests and those in tests/ report what they skip in the same way.
#[cfg(test)]
#[path = "../tests/support/skip.rs"]
mod skip;
