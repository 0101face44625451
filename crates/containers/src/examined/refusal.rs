//! What there is to say about a message: parts that are left, and what else is worth a word.

use abslink_html::Disagreement;

use crate::heading::RefusedBase;

/// A part of a message, or a value in a feed, that could not be processed. The rest was.
///
/// # Examples
/// ```
/// use abslink_containers::message::{Reason, Refusal};
///
/// let refusal = Refusal { section: "1.2".to_owned(), reason: Reason::Signed };
/// assert!(refusal.to_string().starts_with("part 1.2 unchanged: signed"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{section} unchanged: {reason}", if matches!(reason, Reason::Value(_)) { "" } else { "part " })]
pub struct Refusal {
    /// Which part, as IMAP counts (RFC 9051 §6.4.5), such as `1.2`; of a value, line and column.
    pub section: String,
    /// Why.
    pub reason: Reason,
}

/// Why a part of a message is left as it is.
///
/// # Examples
/// ```
/// use abslink_containers::message::Reason;
///
/// let reason = Reason::HttpCoding("br".to_owned());
/// assert_eq!(reason.to_string(), "its `br` is not decoded; save it without that");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// It is part of a `multipart/signed`, and holds relative references.
    #[error("signed: a change would make the signature invalid; rewrite it before signing")]
    Signed,
    /// S/MIME, or `multipart/encrypted`.
    #[error("signed or encrypted as a whole (S/MIME, OpenPGP); save its content as a message")]
    Sealed,
    /// Its nesting is too deep, or it holds parts and is encoded.
    #[error(
        "it holds other parts and is itself encoded or nested too deep; save it as a file of its own"
    )]
    Unopened,
    /// `Content-Encoding` or `Transfer-Encoding`, of HTTP.
    #[error("its `{0}` is not decoded; save it without that")]
    HttpCoding(String),
    /// `Content-Transfer-Encoding` names none of RFC 2045.
    #[error(
        "its transfer encoding `{0}` is unknown; 7bit, 8bit, binary, quoted-printable and base64 \
         are read"
    )]
    UnknownTransfer(String),
    /// Something else than base64 stands in it.
    #[error("its base64 is damaged; save it again")]
    DamagedBase64,
    /// A new URL is not ASCII, and the part is `7bit`.
    #[error("a new URL is not ASCII, which its transfer encoding 7bit does not allow")]
    NotSevenBit,
    /// A line of its new text would be a boundary of the message.
    #[error("a line of its new text would be read as a boundary of the message")]
    Boundary,
    /// In an mbox, a line would begin with `From ` that did not before.
    #[error(
        "a line of its new text would begin with `From `, which may begin a message in an mbox"
    )]
    FromLine,
    /// The document's character encoding cannot be handled.
    #[error("{0}")]
    Document(&'static str),
    /// The second reader does not agree with what was made of the document
    /// ([`abslink_html::Settings::verify`]).
    #[error("at {}:{} of its text the second reader disagrees: {}{}", .0.line, .0.column, .0.what, .0.report())]
    Disagreement(Disagreement),
    /// A value breaks off, and what was expected there.
    #[error("{0}")]
    Value(String),
    /// As above: the new body, decoded, is not the new document.
    #[error("its new body does not decode to its new text; please report this")]
    Misspelt,
}

impl Reason {
    /// Whether the references of the part could not even be read.
    pub(crate) fn hides_references(&self) -> bool {
        !matches!(
            self,
            Reason::Signed
                | Reason::NotSevenBit
                | Reason::Boundary
                | Reason::FromLine
                | Reason::Disagreement(_)
                | Reason::Misspelt
        )
    }
}

/// Something about a message that is worth a word, but is no failure.
///
/// # Examples
/// ```
/// use abslink_containers::message::{Remark, rewrite};
/// use abslink_containers::{Context, Settings};
///
/// let mail = b"Content-Type: text/html\nContent-Base: mailto:x\n\n<a href=x>";
/// let (context, html) = (Context::default(), Settings::default());
/// let examined = rewrite(mail, &context, &html).examined;
/// assert!(matches!(examined.remarks[0], Remark::RefusedBase(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Remark {
    /// A header field that should give a base URL gives none.
    #[error(transparent)]
    RefusedBase(#[from] RefusedBase),
    /// RFC 2557 §5: references led to other parts of the message, and their absolute forms do not.
    #[error(
        "references in part {section} led to other parts of the message and no longer do: {count}, \
         the first was {reference} and is now {absolute}; --exclude-url leaves references as they are"
    )]
    LostMatch {
        /// The part that holds the references.
        section: String,
        /// How many there are.
        count: usize,
        /// The first as it was.
        reference: String,
        /// The first as it is now.
        absolute: String,
    },
    /// The parts are named by `file:` URLs, as Word does.
    #[error("part {section} was saved at {base}: its links are left unchanged")]
    FileLocation {
        /// The part.
        section: String,
        /// Its base URL.
        base: String,
    },
    /// RFC 6376: the body of a message with this header field has changed.
    #[error("its DKIM-Signature is no longer valid")]
    Dkim,
}

/// A URL as a message to people names it: each part of a message may have one, and they may be as
/// long as the message.
pub(crate) fn shortened(url: &str) -> String {
    const LONGEST: usize = 200;
    match url.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &url[..end]),
        None => url.to_owned(),
    }
}
