//! One document, from its bytes to its new bytes: encoding, places, base, references, splice.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::Against;
use super::encoding::{self, Charset, Handling};
use super::judge::{Judge, Short};
use super::places::{self, Delimiter, Place, Places};
use super::references::{self, Found};
use super::splice::Edits;
use super::value::{self, Replacements, Target, Value};
use super::{Outcome, Reference, Settings, Syntax, Tally};
use crate::base::{self, Context, Established};

/// How deep `srcdoc` documents in `srcdoc` documents are followed. Each level spells its
/// ampersands longer, so real ones end far earlier.
const MAX_DEPTH: usize = 16;

/// What reading one document told.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Its base URL and the rung that gave it.
    pub established: Established,
    /// Its references by outcome.
    pub tally: Tally,
    /// Why the document is left as it is, where its encoding cannot be handled.
    pub left: Option<&'static str>,
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
    examine_in(bytes, &charset, syntax, context, settings, Some(each), None).0
}

/// Examines a document whose encoding is known; `edits` takes what would make its references
/// absolute, in the document or, where that has to be transcoded, in the text that is returned.
fn examine_in<'a>(
    bytes: &[u8],
    charset: &Charset<'_>,
    syntax: Syntax,
    context: &Context,
    settings: &'a Settings,
    each: Option<&'a mut dyn FnMut(&Reference<'_>)>,
    edits: Option<&mut Edits>,
) -> (Examined, Option<Transcoded>) {
    match charset.handling() {
        Handling::Leave(reason) => (Examined::left(context, reason), None),
        Handling::Bytes => {
            let mut pass = Pass::new(settings, syntax, each);
            let established = pass.document(bytes, charset, context, edits);
            (Examined::new(established, pass.tally), None)
        }
        Handling::Transcode(encoding) => {
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
            let mut pass = Pass::new(settings, syntax, each);
            let charset = Charset::transcoded(&text, encoding);
            let established = pass.document(text.as_bytes(), &charset, context, edits);
            let examined = Examined::new(established, pass.tally);
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
    let mut edits = Edits::default();
    let (examined, transcoded) = examine_in(
        bytes,
        &charset,
        syntax,
        context,
        settings,
        Some(each),
        Some(&mut edits),
    );
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
/// let retrieval = Some(Retrieval { url, rung: Rung::Layout });
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
    let charset = encoding::sniff(bytes, syntax == Syntax::Xml);
    let mut edits = Edits::default();
    let (examined, transcoded) = examine_in(
        bytes,
        &charset,
        syntax,
        context,
        settings,
        None,
        Some(&mut edits),
    );
    let changed = !edits.is_empty();
    match transcoded {
        _ if !changed => {}
        Some(transcoded) => {
            out.extend_from_slice(&bytes[..charset.bom]);
            transcoded.apply(&edits, out);
        }
        None => edits.apply(bytes, out),
    }
    Rewritten { examined, changed }
}

const NOT_VALID: &str =
    "its bytes are not valid in the character encoding that it declares; convert it to UTF-8";

impl Examined {
    pub(super) fn new(established: Established, tally: Tally) -> Examined {
        Examined {
            established,
            tally,
            left: None,
        }
    }

    pub(super) fn left(context: &Context, reason: &'static str) -> Examined {
        let established = base::establish(None, context, Default::default());
        Examined {
            established,
            tally: Tally::default(),
            left: Some(reason),
        }
    }
}

/// One pass over a document and the documents inside it.
pub(super) struct Pass<'p> {
    settings: &'p Settings,
    syntax: Syntax,
    pub(super) tally: Tally,
    /// Whom references are shown to, if anybody looks.
    each: Option<&'p mut dyn FnMut(&Reference<'_>)>,
    depth: usize,
    /// Of the place that is looked at; kept for its memory.
    replacements: Replacements,
}

impl<'p> Pass<'p> {
    pub(super) fn new(
        settings: &'p Settings,
        syntax: Syntax,
        each: Option<&'p mut dyn FnMut(&Reference<'_>)>,
    ) -> Pass<'p> {
        Pass {
            settings,
            syntax,
            tally: Tally::default(),
            each,
            depth: 0,
            replacements: Replacements::default(),
        }
    }

    /// Finds the references of one document; `edits` takes what would make them absolute.
    fn document(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        context: &Context,
        edits: Option<&mut Edits>,
    ) -> Established {
        let places = places::find(document, self.syntax, self.settings.groups);
        let embedded = places.base_href(document, charset, self.syntax);
        let established = base::establish(embedded.as_deref(), context, self.settings.resolver);
        let mut judge = Judge::new(self.settings, context, &established, charset);
        self.places(document, charset, &places, &mut judge, edits);
        established
    }

    /// The references of some places.
    pub(super) fn places(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        places: &Places,
        judge: &mut Judge<'_>,
        mut edits: Option<&mut Edits>,
    ) {
        let attribute = Delimiter::Attribute(super::locate::Quote::Double);
        // Whoever looks at references wants to know more than what is to be done.
        let at_once = self.each.is_none();
        if let Some(edits) = &mut edits {
            edits.reserve(places.list.len());
        }
        for place in &places.list {
            let raw = &document[place.value.clone()];
            let short = at_once
                .then(|| judge.judge_at_once(place.row, raw))
                .flatten();
            match short {
                Some(Short::Absolute) => {
                    self.tally.count(Outcome::Absolute, false);
                    continue;
                }
                Some(Short::Relative { new, dropped }) if value::fits(new, place.delimiter) => {
                    self.tally.count(Outcome::Relative, false);
                    if let Some(edits) = &mut edits {
                        let start = place.value.start;
                        edits.push_ascii(start..start + dropped, new);
                    }
                    continue;
                }
                _ => {}
            }
            let value = Value::decode(raw, place.delimiter, charset, self.syntax);
            if place.row.against == Against::Codebase {
                let codebase = place.codebase.map(|index| {
                    let raw = &document[places.codebases[index].clone()];
                    Value::decode(raw, attribute, charset, self.syntax)
                });
                judge.set_codebase(codebase.as_ref().map(|value| &*value.text));
            }
            self.place(
                document,
                charset,
                place,
                &value,
                judge,
                edits.as_deref_mut(),
            );
        }
    }

    /// The references of one place.
    fn place(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        place: &Place,
        value: &Value<'_>,
        judge: &mut Judge<'_>,
        edits: Option<&mut Edits>,
    ) {
        let start = place.value.start;
        self.replacements.clear();
        let wants_edits = edits.is_some();
        if place.row.kind == super::Kind::Srcdoc {
            self.srcdoc(start, value, judge, wants_edits);
        } else {
            references::each(place.row.kind, &value.text, &mut |found: Found<'_>| {
                let Some(verdict) = judge.judge(place.row, &found.value) else {
                    return;
                };
                self.tally
                    .count(verdict.outcome, verdict.divergence.is_some());
                self.tally.file_names += u64::from(verdict.is_certain_name);
                if let Some(each) = &mut self.each {
                    let element = match place.delimiter {
                        Delimiter::Attribute(_) => {
                            let name = document[place.element.clone()].to_ascii_lowercase();
                            Cow::Owned(String::from_utf8_lossy(&name).into_owned())
                        }
                        _ => Cow::Borrowed(place.row.text_element()),
                    };
                    let span = start + value.offset(found.range.start)
                        ..start + value.offset(found.range.end);
                    each(&Reference {
                        span,
                        element: &element,
                        attribute: place.row.attribute,
                        kind: place.row.kind,
                        reference: &verdict.reference,
                        absolute: verdict.absolute(),
                        base: verdict.base,
                        base_from: verdict.base_from,
                        outcome: verdict.outcome,
                        divergent: verdict.divergence.as_ref(),
                    });
                }
                if let (Outcome::Relative, Some(absolute), true) =
                    (verdict.outcome, verdict.resolved, wants_edits)
                {
                    self.replacements.push(found.range.clone(), |out| {
                        references::encode(place.row.kind, &found, absolute, charset, out);
                    });
                }
            });
        }
        if let (Some(edits), false) = (edits, self.replacements.is_empty()) {
            let target = Target {
                raw: &document[place.value.clone()],
                start,
                delimiter: place.delimiter,
                charset,
                syntax: self.syntax,
            };
            value::write_back(value, &target, &self.replacements, edits);
        }
    }

    /// A document in an attribute: its fallback base URL is this document's base URL (HTML
    /// standard, "fallback base URL").
    fn srcdoc(&mut self, start: usize, value: &Value<'_>, judge: &Judge<'_>, wants_edits: bool) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let context = Context {
            entity: judge.base().cloned(),
            mirror: judge.mirror().cloned(),
            ..Context::default()
        };
        let text: &str = &value.text;
        let mut edits = Edits::default();
        let mut located = self.each.as_deref_mut().map(|each| {
            move |reference: &Reference<'_>| {
                let span = start + value.offset(reference.span.start)
                    ..start + value.offset(reference.span.end);
                each(&Reference {
                    span,
                    ..reference.clone()
                });
            }
        });
        let each = located
            .as_mut()
            .map(|each| each as &mut dyn FnMut(&Reference<'_>));
        let mut inner = Pass {
            settings: self.settings,
            // srcdoc is text/html also in an XHTML document.
            syntax: Syntax::Html,
            tally: Tally::default(),
            each,
            depth: self.depth + 1,
            replacements: Replacements::default(),
        };
        let charset = Charset::utf8(text);
        inner.document(
            text.as_bytes(),
            &charset,
            &context,
            wants_edits.then_some(&mut edits),
        );
        self.tally.merge(&inner.tally);
        for (range, new) in edits.iter() {
            let new = String::from_utf8_lossy(new);
            self.replacements.push(range, |out| out.push_str(&new));
        }
    }
}
