//! The second reader of `rewrite --verify`: it compares a document with what was made of it.
//!
//! It shares no code with the locator. lol_html says where the tags and values of the old document
//! are (`html`), quick-xml does for XHTML (`xml`). The new one is followed from there (`follow`, which
//! says why it then has the same tags). What stands between values is the same byte for byte
//! (`compare`); a value that changed is a place that carries URLs (`values`), its other parts are the
//! same (`grammar`), and are spelled by the same bytes (`spelled`), and each URL means the same by a
//! second resolver (`target`). Raw text that carries URLs is read again: `noscript` and `srcdoc` as
//! documents, style sheets by cssparser, JSON by serde_json.
//!
//! A value that gets quotes is written anew as a whole, so that only what it means is compared. So is
//! what stands in one entity of XML with a reference.
//!
//! Of the document it is told the encoding and the base URL. That this is what its `base` element
//! says is checked at the end. What it shares with the first reader is the table of attributes, the
//! reading of the `href` of a `base` element ([`document_base`](crate::base::document_base)), which URL
//! the name of a file in a mirror stands for, and where template placeholders are (`unfilled`).
//!
//! lol_html builds no tree, so that it may take markup for text, or text for markup, where a browser
//! does not. Where a reference is rewritten in what it takes for text, it does not agree, and the
//! document is left. Of 100,000 documents that were generated to be hard, each for three resolvers,
//! these were 1,145 of 300,000 readings:
//!
//! - 678 with `svg` or `math` that another end tag closes, or several levels of which end at once: it
//!   loses count. (One that closes itself is mended: it begins anew behind that.)
//! - 435 with `frameset`: tags of raw text that a browser drops there.
//! - 32 with a `template` that begins with a `col`, and so holds no script.
//!
//! It does not know what a `table`, a `select` or a `template` does to a `base`: behind the first of
//! these, any `base` element may be the one that counts, and in a document with a `frameset` anywhere.
//! In real pages none of this was met.
//!
//! quick-xml expects documents that are well-formed: from where one is not, nothing may change. A
//! `base` element that a document type declaration spells is not looked for.

// The feature's own code, and what stands in for it.
#[cfg(not(feature = "verify"))]
mod absent;
#[cfg(feature = "verify")]
mod reader;

#[cfg(feature = "verify")]
mod bases;
#[cfg(feature = "verify")]
mod blanks;
#[cfg(feature = "verify")]
mod compare;
#[cfg(feature = "verify")]
mod follow;
#[cfg(feature = "verify")]
mod grammar;
#[cfg(feature = "verify")]
mod html;
#[cfg(feature = "verify")]
mod rfc3986;
#[cfg(feature = "verify")]
mod side;
#[cfg(feature = "verify")]
mod spelled;
#[cfg(feature = "verify")]
mod target;
#[cfg(feature = "verify")]
mod tokens;
#[cfg(feature = "verify")]
pub mod transcription;
#[cfg(feature = "verify")]
mod unfilled;
#[cfg(feature = "verify")]
mod values;
#[cfg(feature = "verify")]
mod xml;

use encoding_rs::Encoding;

use super::{Settings, Syntax};
use crate::base::{Context, DocumentBase};
#[cfg(not(feature = "verify"))]
pub(super) use absent::{Verifier, begin, sheet, value, whole};
#[cfg(feature = "verify")]
pub(super) use reader::{Verifier, begin, sheet, value, whole};

/// Where the second reader does not agree with what was made of a document, and why.
///
/// # Examples
/// ```
/// let found = abslink_html::Disagreement { line: 3, column: 1, what: "a tag is gone".to_owned() };
/// let text = "left as it is: the second reader does not agree: a tag is gone; please report this";
/// assert_eq!(found.to_string(), text);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("left as it is: the second reader does not agree: {what}; please report this")]
pub struct Disagreement {
    /// Line in the document as it was, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// What is not as it should be.
    pub what: String,
}

/// Whether a second reader has to agree with what is made of a document: that nothing but
/// references has changed, and that each means what it meant.
///
/// # Examples
#[cfg_attr(feature = "verify", doc = "```")]
#[cfg_attr(not(feature = "verify"), doc = "```ignore")]
/// use abslink_html::{Context, Settings, Syntax, Verify, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/")?;
/// let mut settings = Settings::default();
/// settings.verify = Verify::On;
/// let rewritten = rewrite_bytes(b"<a href=x>", Syntax::Html, &context, &settings);
/// assert!(rewritten.examined.disagreement.is_none() && rewritten.is_changed());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verify {
    /// Nobody else looks at it.
    #[default]
    Off,
    /// Where it does not agree, the document stays as it is ([`Disagreement`]).
    #[cfg(feature = "verify")]
    On,
    /// As [`Verify::On`], where `from` first becomes `to` in what is made of a document. Stands in
    /// for a bug, so that tests see what becomes of it. Not in a release.
    #[cfg(all(debug_assertions, feature = "verify"))]
    #[doc(hidden)]
    Planted {
        /// What stands there.
        from: String,
        /// What shall stand there.
        to: String,
    },
}

impl Verify {
    #[doc(hidden)]
    pub fn is_on(&self) -> bool {
        *self != Verify::Off
    }

    /// Plants the fault that is asked for in what was made of a document, from `start` on.
    #[doc(hidden)]
    pub fn plant(&self, start: usize, new: &mut Vec<u8>) {
        #[cfg(all(debug_assertions, feature = "verify"))]
        if let Verify::Planted { from, to } = self
            && let Some(at) = memchr::memmem::find(&new[start..], from.as_bytes())
        {
            new.splice(start + at..start + at + from.len(), to.bytes());
        }
        let _ = (start, new);
    }
}

/// What the second reader is told of a document, besides its bytes.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "verify"), allow(dead_code, reason = "nobody is told"))]
pub(super) struct Known<'t, 'c> {
    pub(super) syntax: Syntax,
    pub(super) encoding: &'static Encoding,
    pub(super) document_base: &'t DocumentBase,
    pub(super) context: &'c Context,
    pub(super) settings: &'c Settings,
}

#[cfg(all(test, feature = "verify"))]
mod tests;
