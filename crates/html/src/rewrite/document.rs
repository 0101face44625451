//! One document, from its bytes to its new bytes: its encoding, a [`Pass`] over its
//! references, and their new text spliced in.

use std::borrow::Cow;

use super::error::RewriteError;
use super::pass::Pass;
use super::sink::{Sink, ValueReader};
use crate::base::Context;
use crate::locate::Syntax;
use crate::places::custom_attributes::Wanted;
use crate::places::list::Places;
use crate::report::examined::Examined;
use crate::report::growth::Growth;
use crate::report::reference::Reference;
use crate::settings::Settings;
use crate::settings::second_reader::DocumentParameters;
use crate::text::chunk::Chunk;
use crate::text::encoding::{self, Charset, Handling};
use crate::text::splice::{Edit, Edits, owned};

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
    let (bytes, settings) = (html.as_bytes(), Settings::default());
    let rewritten = rewrite_bytes(bytes, Syntax::Html, &context, &settings);
    match (rewritten.examined.left, rewritten.document) {
        (Some(reason), _) => Err(RewriteError::Left(reason)),
        (None, Cow::Borrowed(_)) => Ok(Cow::Borrowed(html)),
        // Text was put into text, so nothing is lost.
        (None, Cow::Owned(new)) => Ok(String::from_utf8_lossy(&new).into_owned().into()),
    }
}

/// What [`rewrite_bytes`] made of a document. What encloses documents is told in more than one
/// [`Examined`].
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let context = Context::retrieved_from("http://h/")?;
/// let rewritten = rewrite_bytes(b"<p>", Syntax::Html, &context, &Settings::default());
/// assert!(!rewritten.is_changed());
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten<'d, E = Examined> {
    /// The whole document with absolute references; borrowed where nothing changes.
    pub document: Cow<'d, [u8]>,
    /// What reading it told.
    pub examined: E,
}

impl<'d, E> Rewritten<'d, E> {
    /// The new bytes, if they differ.
    #[doc(hidden)]
    pub fn of(old: &'d [u8], new: Option<Vec<u8>>, examined: E) -> Rewritten<'d, E> {
        let document = new.map_or(old.into(), Into::into);
        Rewritten { document, examined }
    }

    /// Whether the output differs from the input.
    pub fn is_changed(&self) -> bool {
        matches!(self.document, Cow::Owned(_))
    }
}

/// Finds every reference of a document and says what it means; changes nothing.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, examine};
///
/// let html = br#"<base href="http://h/a/"><img src=i.png><a href="http://x/">"#;
/// let mut found = Vec::new();
/// examine(html, Syntax::Html, &Context::default(), &Settings::default(), &mut |reference| {
///     found.push((reference.element.to_owned(), reference.absolute.map(str::to_owned)));
/// });
/// assert_eq!(found[1], ("img".into(), Some("http://h/a/i.png".into())));
/// assert_eq!(found.len(), 3);
/// ```
pub fn examine(
    bytes: &[u8],
    syntax: Syntax,
    context: &Context,
    settings: &Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Examined {
    DocumentRewriter::default().examine(bytes, syntax, context, settings, each)
}

/// A document that is held as a whole.
pub(super) struct Document<'d> {
    pub(super) bytes: &'d [u8],
    pub(super) syntax: Syntax,
    pub(super) context: &'d Context,
    pub(super) settings: &'d Settings,
}

impl<'d> Document<'d> {
    pub(super) fn new(
        bytes: &'d [u8],
        syntax: Syntax,
        context: &'d Context,
        settings: &'d Settings,
    ) -> Document<'d> {
        Document {
            bytes,
            syntax,
            context,
            settings,
        }
    }

    /// Goes through the document; unless it is left, gives the charset too that edits of its bytes
    /// are to be written in.
    fn read(&self, places: &mut Places, mut sink: Sink<'_>) -> (Examined, Option<Charset<'d>>) {
        let left = |reason| (Examined::left(self.context, reason), None);
        let is_xml = self.syntax == Syntax::Xml;
        let charset = encoding::sniff(self.bytes, self.context.charset.as_deref(), is_xml);
        let (charset, text) = match self.find(charset, places) {
            Ok(found) => found,
            Err(reason) => return left(reason),
        };
        let length = self.bytes.len() as u64;
        let growth = Growth::in_memory(length, self.context, text.is_some());
        let final_from = places.base_final_from();
        let mut pass = Pass::new(self.settings, self.context, final_from, growth);
        let document_base = match (&text, charset.handling()) {
            (Some(text), Handling::Transcode(encoding)) => {
                let decoded = Charset::transcoded(text, encoding);
                let chunk = Chunk::whole(text.as_bytes(), &decoded, self.syntax);
                sink.inside_decoded(&charset, text, self.bytes, |sink| {
                    let document_base = pass.whole(&chunk, places, sink);
                    (document_base, pass.growth.is_exceeded())
                })
            }
            _ => {
                let chunk = Chunk::whole(self.bytes, &charset, self.syntax);
                pass.whole(&chunk, places, &mut sink)
            }
        };
        let document_base = match document_base {
            Ok(document_base) => document_base,
            Err(reason) => return left(reason),
        };
        let mut examined = Examined::new(document_base, pass.tally, pass.growth);
        examined.broken = pass.broken;
        let charset = examined.left.is_none().then_some(charset);
        (examined, charset)
    }

    /// Finds the places, and so the encoding that the document is in; also gives the text that they
    /// stand in, where it has to be decoded first. An error where it has to be left as it is.
    fn find(
        &self,
        charset: Charset<'d>,
        places: &mut Places,
    ) -> Result<(Charset<'d>, Option<String>), &'static str> {
        let (bytes, syntax) = (self.bytes, self.syntax);
        let wanted = self.settings.wanted_in(self.context);
        match charset.handling() {
            Handling::Leave(reason) => Err(reason),
            Handling::Bytes => {
                places.find(bytes, syntax, wanted);
                let charset = charset.changed_by(places.declares).unwrap_or(charset);
                match charset.handling() {
                    Handling::Bytes => Ok((charset, None)),
                    _ => self.find(charset, places),
                }
            }
            Handling::Transcode(encoding) => {
                if charset.is_tentative() {
                    let (text, _) = encoding.decode_without_bom_handling(bytes);
                    places.find(text.as_bytes(), syntax, Wanted::NOTHING);
                    if let Some(charset) = charset.changed_by(places.declares) {
                        return self.find(charset, places);
                    }
                }
                let text = encoding::transcode(&bytes[charset.bom..], encoding)
                    .ok_or(encoding::NOT_VALID)?;
                let head = encoding::decoded_head(bytes, charset.bom, encoding);
                places.find_with_head(head, text.as_bytes(), syntax, wanted);
                Ok((charset, Some(text)))
            }
        }
    }

    /// Appends the edited document to `out`, unless the second reader does not agree with it; says
    /// whether it is there.
    fn write(
        &self,
        edits: &Edits,
        charset: &Charset<'_>,
        examined: &mut Examined,
        out: &mut Vec<u8>,
    ) -> bool {
        let start = out.len();
        edits.apply(self.bytes, charset, out);
        let known = DocumentParameters {
            syntax: self.syntax,
            encoding: charset.encoding(),
            document_base: &examined.document_base,
            context: self.context,
            settings: self.settings,
        };
        let checked = (self.settings.verify).check(out, start, Vec::new, |reader, new, _| {
            reader.whole(known, [self.bytes, new])
        });
        examined.disagreement = checked.err();
        examined.disagreement.is_none()
    }
}

/// Finds every reference of a document as [`examine`] does, and the edits that make them absolute:
/// for a document that is itself spelled in another encoding, such as one in a message. Where the
/// document has to be transcoded, there is one edit, of all of it.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, edits};
///
/// let html = br#"<base href="http://h/a/"><img src=i.png>"#;
/// let (context, settings) = (Context::default(), Settings::default());
/// let (examined, edits) =
///     edits(html, Syntax::Html, &context, &settings, &mut |_| {});
/// assert_eq!(examined.tally.rewritten, 1);
/// assert_eq!(edits, [(34..34, b"http://h/a/".to_vec())]);
/// ```
pub fn edits(
    bytes: &[u8],
    syntax: Syntax,
    context: &Context,
    settings: &Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> (Examined, Vec<Edit>) {
    let mut rewriter = DocumentRewriter::default();
    let (examined, edits) = rewriter.edits(bytes, syntax, context, settings, Some(each));
    (examined, owned(edits))
}

/// Makes the references of a document absolute.
///
/// # Examples
/// ```
/// use abslink_html::{Context, Settings, Syntax, rewrite_bytes};
///
/// let mut context = Context::retrieved_from("http://a/b/c/d;p?q#f")?;
/// context.charset = Some("iso-8859-1".to_owned());
/// let rewritten =
///     rewrite_bytes(b"<A HREF='../g'>\xe9", Syntax::Html, &context, &Settings::default());
/// assert_eq!(*rewritten.document, *b"<A HREF='http://a/b/g'>\xe9");
/// assert_eq!(rewritten.examined.tally.rewritten, 1);
/// # Ok::<(), abslink_html::UnsuitableBase>(())
/// ```
pub fn rewrite_bytes<'d>(
    bytes: &'d [u8],
    syntax: Syntax,
    context: &Context,
    settings: &Settings,
) -> Rewritten<'d> {
    let mut out = Vec::new();
    let (examined, changed) =
        DocumentRewriter::default().rewrite(bytes, syntax, context, settings, &mut out);
    Rewritten::of(bytes, changed.then_some(out), examined)
}

/// Rewrites one document after another in the same memory, for those who have many.
#[derive(Debug, Default)]
pub struct DocumentRewriter {
    pub(super) places: Places,
    pub(super) edits: Edits,
    /// What takes apart values in the content of rows.
    #[doc(hidden)]
    pub values: Option<&'static dyn ValueReader>,
    /// New text for the values in a row, one after the other.
    #[doc(hidden)]
    pub new: Vec<u8>,
    /// The name of the character encoding of the last document, if that was changed.
    pub encoding: Option<&'static str>,
}

impl DocumentRewriter {
    /// Shows every reference of a document, as the function of that name does.
    #[doc(hidden)]
    pub fn examine(
        &mut self,
        bytes: &[u8],
        syntax: Syntax,
        context: &Context,
        settings: &Settings,
        each: &mut dyn FnMut(&Reference<'_>),
    ) -> Examined {
        let document = Document::new(bytes, syntax, context, settings);
        if document.is_long()
            && let Some(facts) = document.facts(true)
        {
            return document.examine_long(&facts, each);
        }
        let sink = Sink {
            values: self.values,
            each: Some(each),
            edits: None,
        };
        document.read(&mut self.places, sink).0
    }

    /// Appends the document with absolute references to `out`, if anything changes; says whether it
    /// does.
    pub fn rewrite(
        &mut self,
        bytes: &[u8],
        syntax: Syntax,
        context: &Context,
        settings: &Settings,
        out: &mut Vec<u8>,
    ) -> (Examined, bool) {
        let document = Document::new(bytes, syntax, context, settings);
        if document.is_long()
            && let Some(facts) = document.facts(false)
        {
            let (examined, changed) = document.rewrite_long(&facts, out);
            self.encoding = changed.then(|| facts.encoding.name());
            return (examined, changed);
        }
        let (mut examined, charset) = self.read(&document, None);
        let changed = charset
            .is_some_and(|charset| document.write(&self.edits, &charset, &mut examined, out));
        (examined, changed)
    }

    /// The same without the new document: how long that would be, if anything changes.
    #[doc(hidden)]
    pub fn measure(
        &mut self,
        bytes: &[u8],
        syntax: Syntax,
        context: &Context,
        settings: &Settings,
    ) -> (Examined, Option<usize>) {
        let document = Document::new(bytes, syntax, context, settings);
        // The second reader needs the new document, and one that is made in pieces has no list of edits.
        if settings.verify.is_on() || document.is_long() {
            let mut new = Vec::new();
            let (examined, changed) = self.rewrite(bytes, syntax, context, settings, &mut new);
            return (examined, changed.then_some(new.len()));
        }
        let (examined, charset) = self.read(&document, None);
        let length = charset.map(|charset| self.edits.new_length(bytes, &charset));
        (examined, length)
    }

    /// Finds the edits of a document; gives the charset that they are to be written in, if there are any.
    fn read<'d>(
        &mut self,
        document: &Document<'d>,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> (Examined, Option<Charset<'d>>) {
        self.edits.clear();
        let sink = Sink {
            values: self.values,
            each: each.map(|each| each as &mut dyn FnMut(&Reference<'_>)),
            edits: Some(&mut self.edits),
        };
        let mut read = document.read(&mut self.places, sink);
        read.1 = read.1.filter(|_| !self.edits.is_empty());
        self.encoding = read.1.as_ref().map(|charset| charset.encoding().name());
        read
    }

    /// The edits that make the references of a document absolute, as the function of that name gives them. Shows the
    /// references only if that is wanted, which takes time.
    pub fn edits(
        &mut self,
        bytes: &[u8],
        syntax: Syntax,
        context: &Context,
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> (Examined, Vec<Edit<Cow<'_, [u8]>>>) {
        let document = Document::new(bytes, syntax, context, settings);
        let (mut examined, charset) = self.read(&document, each);
        let Some(charset) = charset else {
            return (examined, Vec::new());
        };
        if settings.verify.is_on()
            && !document.write(&self.edits, &charset, &mut examined, &mut Vec::new())
        {
            return (examined, Vec::new());
        }
        (examined, self.edits.encoded(&charset))
    }
}
