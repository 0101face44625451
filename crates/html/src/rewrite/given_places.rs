//! Documents that are no HTML, whose places are given: style sheets, and feeds, in which their own
//! layer finds them.
//!
//! Such a document has several base URLs: each place comes with the number of its own. Otherwise it
//! takes the way that an HTML document takes.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8};

use super::pass::Pass;
use super::sink::Sink;
pub use super::sink::ValueReader;
use crate::base::{Context, DocumentBase};
use crate::locate::{Quote, Syntax};
pub use crate::places::collect::blocks::is_relative;
use crate::places::list::Places;
use crate::report::growth::{Growth, OUTGROWN};
use crate::report::reference::Reference;
use crate::report::tally::Tally;
use crate::settings::Settings;
use crate::text::chunk::Chunk;
use crate::text::encoding::{self, Charset, Handling};
use crate::text::splice::{Change, Edit, Edits, owned, sort_by_number};
use crate::text::value::{Delimiter, Value};

pub use crate::places::feed::FeedPlaces;
pub use crate::places::list::HtmlCoding;

/// The bytes of a document, and how they are read.
pub struct DocumentBytes<'d> {
    bytes: &'d [u8],
    charset: Charset<'d>,
    /// The text, where that has to be decoded before anything is found in it.
    decoded: Option<(String, &'static Encoding)>,
    /// What is read in its place, with the same offsets.
    markup: Option<&'d [u8]>,
    syntax: Syntax,
    /// What takes apart values in its texts.
    pub values: Option<&'static dyn ValueReader>,
}

/// What became of the references.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Their outcomes, for each base URL.
    pub tallies: Vec<Tally>,
    /// Why the document is left as it is.
    pub left: Option<&'static str>,
    /// At most so many bytes stand where the relative references stood.
    pub growth: u64,
    /// Where values with a grammar of their own break off, and what was expected.
    pub broken: Vec<(usize, String)>,
    /// Where the places begin that are such values, in [`DocumentBytes::markup`].
    pub values: Vec<usize>,
    edits: Edits,
}

impl<'d> DocumentBytes<'d> {
    /// An error where the document cannot be decoded.
    pub(crate) fn new(
        bytes: &'d [u8],
        charset: Charset<'d>,
        syntax: Syntax,
    ) -> Result<DocumentBytes<'d>, &'static str> {
        let decoded = match charset.handling() {
            Handling::Leave(reason) => return Err(reason),
            Handling::Bytes => None,
            Handling::Transcode(encoding) => {
                let text = encoding::transcode(&bytes[charset.bom..], encoding);
                Some((text.ok_or(encoding::NOT_VALID)?, encoding))
            }
        };
        Ok(DocumentBytes {
            bytes,
            charset,
            decoded,
            markup: None,
            syntax,
            values: None,
        })
    }

    /// Markdown, of which `markup` has what is read as HTML, and the destinations of links.
    pub fn markdown(bytes: &'d [u8], markup: &'d [u8]) -> DocumentBytes<'d> {
        DocumentBytes {
            bytes,
            charset: Charset::of_kind(bytes, Some(UTF_8)),
            decoded: None,
            markup: Some(markup),
            syntax: Syntax::Html,
            values: None,
        }
    }

    /// A feed in XML.
    pub fn xml(bytes: &'d [u8]) -> Result<DocumentBytes<'d>, &'static str> {
        let charset = Charset::of_xml(bytes).with_utf8_queries();
        DocumentBytes::new(bytes, charset, Syntax::Xml)
    }

    /// A feed in JSON.
    pub fn json(bytes: &'d [u8]) -> Result<DocumentBytes<'d>, &'static str> {
        let charset = Charset::of_kind(bytes, Some(UTF_8)).with_utf8_queries();
        DocumentBytes::new(bytes, charset, Syntax::Html)
    }

    /// Where the document begins, behind a byte order mark.
    pub fn start(&self) -> usize {
        match self.decoded {
            Some(_) => 0,
            None => self.charset.bom,
        }
    }

    /// What an attribute of a feed's element says, or the content of one; `None` where nobody can tell.
    pub fn text(
        &self,
        places: &FeedPlaces,
        range: Range<usize>,
        is_content: bool,
    ) -> Option<String> {
        let delimiter = if is_content {
            Delimiter::Content
        } else {
            Delimiter::Attribute(Quote::Double)
        };
        let charset = self.charset();
        let value_context = places.places.value_context(&charset, self.syntax);
        let value = Value::decode(&self.markup()[range], delimiter, &value_context);
        (!value.is_unknown).then(|| value.text.into_owned())
    }

    /// What [`DocumentBytes::markup`] is in.
    pub fn markup_encoding(&self) -> &'static Encoding {
        match self.decoded {
            Some(_) => UTF_8,
            None => self.charset.encoding(),
        }
    }

    /// Shows the references in a feed, or makes them absolute if nobody sees them.
    pub fn references(
        &self,
        given: &FeedPlaces,
        bases: &[(Context, DocumentBase)],
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Resolved {
        self.resolve(&given.places, &given.numbers, bases, settings, each)
    }

    /// The document in an encoding that ASCII is a part of: what places are counted in.
    pub fn markup(&self) -> &[u8] {
        match (&self.decoded, &self.markup) {
            (Some((text, _)), _) => text.as_bytes(),
            (None, Some(markup)) => markup,
            (None, None) => self.bytes,
        }
    }

    pub(crate) fn charset(&self) -> Cow<'_, Charset<'_>> {
        match &self.decoded {
            Some((text, encoding)) => {
                Cow::Owned(Charset::transcoded(text, encoding).with_utf8_queries())
            }
            None => Cow::Borrowed(&self.charset),
        }
    }

    /// What the document is in.
    pub fn encoding(&self) -> &'static Encoding {
        self.charset.encoding()
    }

    /// Resolves the references in `places`, each against the base URL whose number `numbers` has for
    /// its place.
    pub(crate) fn resolve(
        &self,
        places: &Places,
        numbers: &[usize],
        bases: &[(Context, DocumentBase)],
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Resolved {
        let mut edits = Edits::default();
        let rewrites = each.is_none();
        let mut sink = Sink {
            values: self.values,
            each: each.map(|each| each as &mut dyn FnMut(&Reference<'_>)),
            edits: rewrites.then_some(&mut edits),
        };
        let work = |sink: &mut Sink<'_>| self.runs(places, numbers, bases, settings, sink);
        let mut resolved = match &self.decoded {
            None => work(&mut sink),
            Some((text, _)) => sink.inside_decoded(&self.charset, text, self.bytes, |sink| {
                let resolved = work(sink);
                let is_left = resolved.left.is_some();
                (resolved, is_left)
            }),
        };
        sort_by_number(&mut resolved.values, |it| *it);
        edits.sort();
        if let Some(markup) = self.markup {
            edits = edits.with_line_ends(self.bytes, markup);
        }
        if resolved.left.is_none() {
            resolved.edits = edits;
        } else {
            resolved.tallies.fill(Tally::default());
        }
        resolved
    }

    /// Goes through the places that have the same base URL at once.
    fn runs(
        &self,
        places: &Places,
        numbers: &[usize],
        bases: &[(Context, DocumentBase)],
        settings: &Settings,
        sink: &mut Sink<'_>,
    ) -> Resolved {
        let mut resolved = Resolved {
            tallies: vec![Tally::default(); bases.len()],
            ..Resolved::default()
        };
        let charset = self.charset();
        let chunk = Chunk::whole(self.markup(), &charset, self.syntax);
        let length = self.bytes.len() as u64;
        let mut growth = Growth::in_memory(length, &Context::default(), self.decoded.is_some());
        let mut start = 0;
        for run in numbers.chunk_by(|one, other| one == other) {
            let within = start..start + run.len();
            start = within.end;
            let (context, document_base) = &bases[run[0]];
            let mut pass = Pass::new(settings, context, 0, growth);
            pass.part(document_base, &chunk, places, within, sink);
            resolved.tallies[run[0]].merge(&pass.tally);
            resolved.broken.append(&mut pass.broken);
            resolved.values.append(&mut pass.values);
            growth = pass.growth;
            if growth.is_exceeded() {
                resolved.left = Some(OUTGROWN);
                return resolved;
            }
        }
        resolved.growth = growth.used;
        resolved
    }

    /// Where the new document differs, in [`DocumentBytes::markup`] and in that of the new one.
    pub fn changes(&self, resolved: &Resolved) -> Vec<Change> {
        resolved.edits.changes(&self.charset)
    }

    /// What makes the references absolute.
    pub fn edits(&self, resolved: &Resolved) -> Vec<Edit> {
        owned(resolved.edits.encoded(&self.charset))
    }

    /// The new document, if anything changes.
    pub fn applied(&self, resolved: &Resolved) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        (!resolved.edits.is_empty()).then(|| {
            resolved.edits.apply(self.bytes, &self.charset, &mut out);
            out
        })
    }
}
