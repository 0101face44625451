//! One document, from its bytes to its new bytes: its encoding, a [`Pass`] over its
//! references, and their new text spliced in.

use std::borrow::Cow;
use std::ops::Range;

use super::encoding::{self, Charset, Handling};
use super::growth::{self, Growth, OUTGROWN};
use super::pass::{Notes, Pass};
use super::places::Places;
use super::splice::Edits;
use super::{Groups, Reference, Settings, Syntax, Tally};
use crate::base::{self, Context, Established};

/// What reading one document told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Examined {
    /// Its base URL and the rung that gave it.
    pub established: Established,
    /// Its references by outcome.
    pub tally: Tally,
    /// Why the document is left as it is: its encoding cannot be handled, or it would grow by more
    /// than [`growth_limit`](super::growth_limit).
    pub left: Option<&'static str>,
    /// At most so many bytes stand where the relative references of a document stood that is
    /// rewritten.
    pub growth: u64,
}

/// What [`rewrite_bytes`] made of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rewritten<'d> {
    /// The whole document with absolute references; borrowed where nothing changes.
    pub document: Cow<'d, [u8]>,
    /// What reading it told.
    pub examined: Examined,
}

impl Rewritten<'_> {
    /// Whether the output differs from the input.
    pub fn is_changed(&self) -> bool {
        matches!(self.document, Cow::Owned(_))
    }
}

/// Finds every reference of a document and says what it means; changes nothing.
///
/// # Examples
/// ```
/// use abslink::{Context, Settings, Syntax, examine};
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
    let charset = encoding::sniff(bytes, context.charset.as_deref(), syntax == Syntax::Xml);
    let notes = Notes {
        places: &mut Places::default(),
        edits: None,
    };
    examine_in(
        bytes,
        &charset,
        syntax,
        context,
        settings,
        Some(each),
        notes,
    )
    .0
}

/// Examines a document whose encoding was found out. What is noted concerns the document or, where
/// that has to be transcoded, the text that is returned.
fn examine_in<'a>(
    bytes: &[u8],
    charset: &Charset<'_>,
    syntax: Syntax,
    context: &Context,
    settings: &'a Settings,
    each: Option<&'a mut dyn FnMut(&Reference<'_>)>,
    notes: Notes<'_>,
) -> (Examined, Option<Transcoded>) {
    let growth = Growth::up_to(growth::limit(bytes.len() as u64));
    match charset.handling() {
        Handling::Leave(reason) => (Examined::left(context, reason), None),
        Handling::Bytes => {
            notes.places.find(bytes, syntax, settings.groups);
            let changed = charset.changed_by(notes.places.declares);
            let charset = changed.as_ref().unwrap_or(charset);
            if charset.handling() != Handling::Bytes {
                return examine_in(bytes, charset, syntax, context, settings, each, notes);
            }
            let mut pass = Pass::new(settings, syntax, each, growth);
            let read = pass.located(bytes, charset, context, notes);
            (Examined::read(read, &pass, context), None)
        }
        Handling::Transcode(encoding) => {
            if charset.is_tentative() {
                let (text, _) = encoding.decode_without_bom_handling(bytes);
                notes.places.find(text.as_bytes(), syntax, Groups::NONE);
                if let Some(charset) = charset.changed_by(notes.places.declares) {
                    return examine_in(bytes, &charset, syntax, context, settings, each, notes);
                }
            }
            let Some(text) = encoding::transcode(&bytes[charset.bom..], encoding) else {
                return (Examined::left(context, NOT_VALID), None);
            };
            let mut offsets = encoding::Offsets::new(&text, encoding, charset.bom);
            let mut located = each.map(|each| {
                move |reference: &Reference<'_>| {
                    let span =
                        offsets.source(reference.span.start)..offsets.source(reference.span.end);
                    each(&Reference {
                        span,
                        ..reference.clone()
                    });
                }
            });
            let each = located
                .as_mut()
                .map(|each| each as &mut dyn FnMut(&Reference<'_>));
            let mut pass = Pass::new(settings, syntax, each, growth);
            let charset = Charset::transcoded(&text, encoding);
            let read = pass.document(text.as_bytes(), &charset, context, notes);
            let examined = Examined::read(read, &pass, context);
            (examined, Some(Transcoded { text, encoding }))
        }
    }
}

/// The text of a document that markup cannot be found in as it is.
struct Transcoded {
    text: String,
    encoding: &'static encoding_rs::Encoding,
}

impl Transcoded {
    /// Appends the edited text in the document's encoding, without a byte order mark.
    fn apply(&self, edits: &Edits, out: &mut Vec<u8>) {
        let mut new = Vec::new();
        edits.apply(self.text.as_bytes(), &mut new);
        encoding::encode_document(&String::from_utf8_lossy(&new), self.encoding, out);
    }
}

/// A byte range of a document, and what is to stand there.
pub type Edit = (Range<usize>, Vec<u8>);

/// Finds every reference of a document as [`examine`] does, and the edits that make them absolute:
/// for a document that is itself spelled in another encoding, such as one in a message. Where the
/// document has to be transcoded, there is one edit, of all of it.
///
/// # Examples
/// ```
/// use abslink::{Context, Settings, Syntax, edits};
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
    let charset = encoding::sniff(bytes, context.charset.as_deref(), syntax == Syntax::Xml);
    let mut rewriter = DocumentRewriter::default();
    let (examined, transcoded) =
        rewriter.examine(bytes, &charset, syntax, context, settings, Some(each));
    let edits = rewriter.edits;
    let list = match transcoded {
        _ if edits.is_empty() => Vec::new(),
        Some(transcoded) => {
            let mut new = Vec::new();
            transcoded.apply(&edits, &mut new);
            vec![(charset.bom..bytes.len(), new)]
        }
        None => (edits.iter().map(|(old, new)| (old, new.to_vec()))).collect(),
    };
    (examined, list)
}

/// Makes the references of a document absolute.
///
/// # Examples
/// ```
/// use abslink::{Context, Settings, Syntax, rewrite_bytes};
///
/// let mut context = Context::retrieved_from("http://a/b/c/d;p?q#f")?;
/// context.charset = Some("iso-8859-1".to_owned());
/// let rewritten =
///     rewrite_bytes(b"<A HREF='../g'>\xe9", Syntax::Html, &context, &Settings::default());
/// assert_eq!(*rewritten.document, *b"<A HREF='http://a/b/g'>\xe9");
/// assert_eq!(rewritten.examined.tally.rewritten, 1);
/// # Ok::<(), abslink::UnsuitableBase>(())
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
    let document = match changed {
        true => out.into(),
        false => bytes.into(),
    };
    Rewritten { document, examined }
}

/// Rewrites one document after another in the same memory, for those who have many.
#[derive(Debug, Default)]
pub struct DocumentRewriter {
    places: Places,
    edits: Edits,
}

impl DocumentRewriter {
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
        let charset = encoding::sniff(bytes, context.charset.as_deref(), syntax == Syntax::Xml);
        let (examined, transcoded) = self.examine(bytes, &charset, syntax, context, settings, None);
        let changed = !self.edits.is_empty();
        match transcoded {
            _ if !changed => {}
            Some(transcoded) => {
                out.extend_from_slice(&bytes[..charset.bom]);
                transcoded.apply(&self.edits, out);
            }
            None => self.edits.apply(bytes, out),
        }
        (examined, changed)
    }

    /// Examines a document, and notes what would make its references absolute.
    fn examine<'a>(
        &mut self,
        bytes: &[u8],
        charset: &Charset<'_>,
        syntax: Syntax,
        context: &Context,
        settings: &'a Settings,
        each: Option<&'a mut dyn FnMut(&Reference<'_>)>,
    ) -> (Examined, Option<Transcoded>) {
        let DocumentRewriter { places, edits } = self;
        edits.clear();
        let edits = Some(edits);
        let notes = Notes { places, edits };
        let examined = examine_in(bytes, charset, syntax, context, settings, each, notes);
        if examined.0.left.is_some() {
            self.edits.clear();
        }
        examined
    }
}

const NOT_VALID: &str =
    "its bytes are not valid in the character encoding that it declares; convert it to UTF-8";

impl Examined {
    /// What a pass has found, which may have ended early.
    pub(super) fn new(established: Established, tally: Tally, growth: Growth) -> Examined {
        let outgrown = growth.is_exceeded();
        Examined {
            established,
            tally: if outgrown { Tally::default() } else { tally },
            left: outgrown.then_some(OUTGROWN),
            growth: growth.used,
        }
    }

    /// What a pass over a document told; a reason to leave it, or its base URL.
    fn read(
        read: Result<Established, &'static str>,
        pass: &Pass<'_>,
        context: &Context,
    ) -> Examined {
        match read {
            Ok(established) => Examined::new(established, pass.tally, pass.growth),
            Err(reason) => Examined::left(context, reason),
        }
    }

    pub(super) fn left(context: &Context, reason: &'static str) -> Examined {
        let established = base::establish(None, context, Default::default());
        Examined {
            established,
            tally: Tally::default(),
            left: Some(reason),
            growth: 0,
        }
    }
}
