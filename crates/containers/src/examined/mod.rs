//! What reading told of a file with documents in it: the same for messages and feeds.

mod refusal;
mod unknown;

use abslink_html as html;

pub(crate) use refusal::shortened;
pub use refusal::{Reason, Refusal, Remark};
pub use unknown::UnknownPlaces;

/// A document that is part of a message or feed: [`Examined::documents`].
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, message};
///
/// let mail = b"Content-Type: text/html\nContent-Base: http://h/a/\n\n<a href=x>";
/// let (context, html) = (Context::default(), Settings::default());
/// let rewritten = message::rewrite(mail, &context, &html);
/// let document = &rewritten.examined.documents[0];
/// assert_eq!((&*document.number, document.examined.tally.rewritten), ("1", 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Which one it is: of the parts of a message as IMAP counts (RFC 9051 §6.4.5), such as `1.2`, of
    /// the items of a feed from 1.
    pub number: String,
    /// What reading it told. The base URL of an item is that of its content.
    pub examined: html::Examined,
}

/// Why a feed is left as it is.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, feed};
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let rewritten = feed::rewrite(b"<rss><channel>", &context, &settings, Default::default());
/// assert_eq!(rewritten.examined.damage.unwrap().line, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unchanged: line {line}: {what}; fix the program that writes it")]
pub struct Damage {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// What reading one message or feed told.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, feed, message};
///
/// let mail = b"Content-Type: text/html\nContent-Base: http://h/a/\n\n<a href=x>";
/// let (context, settings) = (Context::default(), Settings::default());
/// let examined = message::rewrite(mail, &context, &settings).examined;
/// assert_eq!(examined.documents.len(), 1);
/// assert!(examined.refusals.is_empty() && examined.remarks.is_empty());
///
/// let rss = b"<rss><channel><link>http://h/</link><item><link>p</link></item></channel></rss>";
/// let examined = feed::rewrite(rss, &context, &settings, Default::default()).examined;
/// assert_eq!((examined.documents.len(), examined.damage), (1, None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examined {
    /// The feed itself; its references are those that stand in no item. A message has none of its own.
    pub whole: Option<html::Examined>,
    /// The documents in it, in order.
    pub documents: Vec<Document>,
    /// The parts of a message, or values in a feed, that could not be processed.
    pub refusals: Vec<Refusal>,
    /// What else is worth a word about a message.
    pub remarks: Vec<Remark>,
    /// Why a feed is left as it is, if it cannot be read.
    pub damage: Option<Damage>,
    /// What looks like relative links in a feed, in elements that abslink does not know.
    pub unknown: UnknownPlaces,
    /// Whether references of a feed with items stay because its own URL is not known.
    pub lacks_url: bool,
    /// Why all of it is left as it is otherwise, such as that URLs of its headings are too long.
    pub left: Option<&'static str>,
}

impl Examined {
    /// Each document in it with its number; a feed itself comes first, and has none.
    pub fn all(&self) -> impl Iterator<Item = (Option<&str>, &html::Examined)> {
        let documents = self.documents.iter();
        let documents = documents.map(|document| (Some(&*document.number), &document.examined));
        self.whole
            .iter()
            .map(|whole| (None, whole))
            .chain(documents)
    }
}

/// A document that stands for itself.
impl From<html::Examined> for Examined {
    fn from(whole: html::Examined) -> Examined {
        Examined {
            left: whole.left,
            whole: Some(whole),
            ..Examined::default()
        }
    }
}
