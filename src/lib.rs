//! abslink turns every relative URL in a tree of HTML files into an absolute one, by RFC 1808, and
//! changes no other byte.
//!
//! Data flows one way; everything below [`batch`] takes bytes and does no I/O:
//!
//! ```text
//! cli -> batch -> message | warc -> html -> base -> resolver
//! ```
//!
//! - `cli` (in the binary, feature `cli`): what a person types and sees.
//! - [`batch`]: many files: finding, reading, replacing, reporting.
//! - [`message`]: documents inside messages (`warc`, archives, is not written yet; the rung of
//!   RFC 1808 §3.2 that it will use is in [`base`]).
//! - [`html`]: one document: where its references are, and how a new one is spliced in.
//! - [`base`]: which base URL a document has.
//! - [`resolver`]: what a reference means, given a base URL.
//!
//! | RFC 1808 | module |
//! |---|---|
//! | §2.1, §2.4 components and their parsing | [`resolver::rfc1808::parse`] |
//! | §2.2 grammar | [`resolver::rfc1808::grammar`] |
//! | §2.3 scheme classes | [`resolver::rfc1808::schemes`] |
//! | §3 base URL | [`base`] |
//! | §3.1 in the content | [`html`], [`message`], [`base::establish`] |
//! | §3.2 encapsulating entity | [`message`], [`base::establish`] |
//! | §3.3 retrieval URL | [`base::retrieval`] |
//! | §3.4 none | [`base::establish`] |
//! | §4 resolution | [`resolver::rfc1808::resolve`] |
//! | §4 step 6 | [`resolver::rfc1808::path`] |
//!
//! # Features
//!
//! `cli` (default) builds the command `abslink` and brings clap, indicatif and signal-hook. The
//! library alone builds with `--no-default-features`.

// A test that cannot go on has failed.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod base;
pub mod batch;
pub mod html;
pub mod message;
pub mod resolver;

// Unit tests and those in tests/ say in one way what they skip.
#[cfg(test)]
#[path = "../tests/skip.rs"]
mod skip;
