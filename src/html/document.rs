//! One document, from its bytes to its new bytes: its encoding, a [`Pass`] over its
//! references, and their new text spliced in.

use std::ops::Range;

use super::encoding::{self, Charset, Handling};
use super::growth::{self, Growth, OUTGROWN};
use super::pass::{Notes, Pass};
use super::places::Places;
use super::splice::Edits;
use super::{Groups, Reference, Settings, Syntax, Tally};
use crate::base::{self, Context, Established};

/// What reading one document told.
#[derive(Clone, Debug)]
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

/// What [`rewrite`] did.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// What reading it told.
    pub examined: Examined,
    /// Whether the output differs from the input. If not, nothing was appended to `out`.
    pub changed: bool,
}

/// Finds every reference of a document and says what it means; changes nothing.
///
/// # Examples
/// ```
/// use abslink::base::Context;
/// use abslink::html::{Settings, Syntax, examine};
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
    let charset = encoding::sniff(bytes, syntax == Syntax::Xml);
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
/// for a document that is itself spelled in another encoding, such as one in a message.
///
/// `charset` is the label that the transport gives (`Content-Type`); it counts more than what the
/// document declares, and less than a byte order mark. Where the document has to be transcoded,
/// there is one edit, of all of it.
///
/// # Examples
/// ```
/// use abslink::base::Context;
/// use abslink::html::{Settings, Syntax, edits};
///
/// let html = br#"<base href="http://h/a/"><img src=i.png>"#;
/// let (context, settings) = (Context::default(), Settings::default());
/// let (examined, edits) =
///     edits(html, Syntax::Html, Some("us-ascii"), &context, &settings, &mut |_| {});
/// assert_eq!(examined.tally.rewritten, 1);
/// assert_eq!(edits, [(34..34, b"http://h/a/".to_vec())]);
/// ```
pub fn edits(
    bytes: &[u8],
    syntax: Syntax,
    charset: Option<&str>,
    context: &Context,
    settings: &Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> (Examined, Vec<Edit>) {
    let charset = encoding::sniff_labelled(bytes, charset, syntax == Syntax::Xml);
    let mut rewriter = Rewriter::default();
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

/// Appends the document with absolute references to `out`, if anything changes.
///
/// # Examples
/// ```
/// use abslink::base::{Context, Retrieval, Rung};
/// use abslink::html::{Settings, Syntax, rewrite};
/// use abslink::resolver::BaseUrl;
///
/// let url = BaseUrl::parse("http://a/b/c/d;p?q#f")?;
/// let retrieval = Some(Retrieval { url, rung: Rung::Layout, is_guess: false });
/// let context = Context { retrieval, ..Context::default() };
/// let mut out = Vec::new();
/// let rewritten =
///     rewrite(b"<A HREF='../g'>", Syntax::Html, &context, &Settings::default(), &mut out);
/// assert!(rewritten.changed);
/// assert_eq!(out, b"<A HREF='http://a/b/g'>");
/// # Ok::<(), abslink::resolver::UnsuitableBase>(())
/// ```
pub fn rewrite(
    bytes: &[u8],
    syntax: Syntax,
    context: &Context,
    settings: &Settings,
    out: &mut Vec<u8>,
) -> Rewritten {
    Rewriter::default().rewrite(bytes, syntax, context, settings, out)
}

/// Rewrites one document after another in the same memory, for those who have many.
///
/// # Examples
/// ```
/// use abslink::base::Context;
/// use abslink::html::{Rewriter, Settings, Syntax};
///
/// let (context, settings) = (Context::default(), Settings::default());
/// let mut rewriter = Rewriter::default();
/// let mut out = Vec::new();
/// for html in ["<base href=http://a/><img src=x>", "<base href=http://b/><img src=y>"] {
///     rewriter.rewrite(html.as_bytes(), Syntax::Html, &context, &settings, &mut out);
/// }
/// assert!(out.ends_with(b"<base href=http://b/><img src=http://b/y>"));
/// ```
#[derive(Debug, Default)]
pub struct Rewriter {
    places: Places,
    edits: Edits,
}

impl Rewriter {
    /// Does what [`rewrite`] does.
    pub fn rewrite(
        &mut self,
        bytes: &[u8],
        syntax: Syntax,
        context: &Context,
        settings: &Settings,
        out: &mut Vec<u8>,
    ) -> Rewritten {
        let charset = encoding::sniff(bytes, syntax == Syntax::Xml);
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
        Rewritten { examined, changed }
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
        let Rewriter { places, edits } = self;
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
