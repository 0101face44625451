//! Documents that are no HTML, whose places are given: style sheets, and feeds, in which their own
//! layer finds them.
//!
//! Such a document has several base URLs: each place comes with the number of its own. Otherwise it
//! takes the way that an HTML document takes.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::attributes::{Row, XML_STYLESHEET};
use super::chunk::Chunk;
use super::custom::{CustomAttributes, Wanted};
use super::encoding::{self, Charset, Handling};
use super::groups::Groups;
use super::growth::{Growth, OUTGROWN};
use super::locate::xml::Doctype;
use super::locate::{Attribute, Quote, RawText, Spelling, StartTag};
use super::pass::Pass;
use super::places::{Places, UrlPlace};
use super::sink::Sink;
use super::splice::{Change, Edit, Edits, owned};
use super::value::{Delimiter, Value};
use super::{Reference, Settings, Syntax, Tally};
use crate::base::{Context, DocumentBase};

pub use super::places::Coded;

/// The bytes of a document, and how they are read.
pub struct DocumentBytes<'d> {
    bytes: &'d [u8],
    charset: Charset<'d>,
    /// The text, where that has to be decoded before anything is found in it.
    decoded: Option<(String, &'static Encoding)>,
    syntax: Syntax,
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
    edits: Edits,
}

/// The places of a feed, each with the number of its base URL.
#[derive(Debug, Default)]
pub struct FeedPlaces {
    places: Places,
    numbers: Vec<usize>,
    groups: Groups,
    custom_attributes: CustomAttributes,
}

/// What the user said of a place in a feed.
#[derive(Clone, Debug)]
pub struct CustomPlace {
    pub row: &'static Row,
    /// The name of the attribute, in lower case.
    attribute: Arc<str>,
}

impl FeedPlaces {
    pub fn new(wanted: Wanted<'_>) -> FeedPlaces {
        FeedPlaces {
            groups: wanted.groups,
            custom_attributes: wanted.custom.clone(),
            ..FeedPlaces::default()
        }
    }

    /// The document type declaration that was found.
    pub fn doctype(&mut self, declaration: Option<&[u8]>) {
        self.places.doctype = Some(Arc::new(Doctype::lenient(declaration)));
    }

    /// The value of an attribute of a feed's element.
    pub fn attribute(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        attribute: &Attribute,
        number: usize,
    ) {
        let delimiter = Delimiter::Attribute(attribute.quote);
        self.push(row, element, attribute.value.clone(), delimiter, number);
    }

    /// The content of a feed's element. The answer is the index of its place, if it is one that counts.
    pub fn content(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        content: Range<usize>,
        number: usize,
    ) -> Option<usize> {
        self.push(row, element, content, Delimiter::Content, number)
    }

    /// A string in JSON, and what it is called. The answer is that of [`FeedPlaces::content`].
    pub fn string(
        &mut self,
        row: &'static Row,
        label: &str,
        string: Range<usize>,
        number: usize,
    ) -> Option<usize> {
        let start = string.start;
        let index = self.push(row, start..start, string, Delimiter::JsonString, number);
        let label = index.map(|index| (index, label.into()));
        self.places.labels.extend(label);
        index
    }

    /// The places: where the value is, of which kind, and the number of its base URL.
    pub fn iter(&self) -> impl Iterator<Item = (Range<usize>, &'static Row, usize)> {
        let places = self.places.list.iter().zip(&self.numbers);
        places.map(|(place, number)| (place.value.clone(), place.row, *number))
    }

    /// Lets a place be of another kind.
    pub fn set_row(&mut self, index: usize, row: &'static Row) {
        self.places.list[index].row = row;
    }

    fn push(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        value: Range<usize>,
        delimiter: Delimiter,
        number: usize,
    ) -> Option<usize> {
        // HTML in a feed has groups of its own.
        if !row.is_html() && !self.groups.contains(row.group) {
            return None;
        }
        Some(self.add(row, element, value, delimiter, number))
    }

    /// Adds a place, whatever the groups are that are wanted.
    fn add(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        value: Range<usize>,
        delimiter: Delimiter,
        number: usize,
    ) -> usize {
        self.places.list.push(UrlPlace {
            row,
            value,
            delimiter,
            element,
            is_inert: true,
            off: None,
        });
        self.numbers.push(number);
        self.places.list.len() - 1
    }

    /// What the user said of an attribute of a feed's element, by its name with its prefix or without; without an
    /// attribute, of its text. It is what the document has.
    pub fn custom(&self, element: &[u8], attribute: &[u8]) -> Option<CustomPlace> {
        let wanted = self.custom_attributes.wanted(self.groups);
        if attribute.is_empty() {
            let row = wanted.meet_text(element)?;
            let attribute = Arc::default();
            return Some(CustomPlace { row, attribute });
        }
        if !wanted.may_be_custom(attribute) {
            return None;
        }
        let local = element.iter().position(|byte| *byte == b':');
        let local = local.map_or(element, |colon| &element[colon + 1..]);
        let found = wanted.meet(element, attribute);
        let found = found.or_else(|| wanted.meet(local, attribute))?;
        Some(CustomPlace {
            row: found.xml_row(),
            attribute: Arc::clone(found.attribute()),
        })
    }

    /// An attribute of a feed's element that the user named.
    pub fn custom_attribute(
        &mut self,
        place: CustomPlace,
        element: Range<usize>,
        attribute: &Attribute,
        number: usize,
    ) {
        let delimiter = Delimiter::Attribute(attribute.quote);
        let index = self.add(
            place.row,
            element,
            attribute.value.clone(),
            delimiter,
            number,
        );
        self.places.own.push((index, place.attribute));
    }

    /// The text of a feed's element that the user named.
    pub fn custom_text(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        content: Range<usize>,
        number: usize,
    ) {
        self.add(row, element, content, Delimiter::Content, number);
    }

    /// The content of a feed's element that is HTML in a coding of its own. Where nobody can tell what it spells, it
    /// stays.
    pub fn coded(
        &mut self,
        row: &'static Row,
        element: Range<usize>,
        content: Range<usize>,
        (coded, number): (Option<Coded>, usize),
    ) {
        let index = self.add(row, element, content, Delimiter::Content, number);
        let coded = coded.map(|coded| (index, coded));
        self.places.coded.extend(coded);
    }

    /// The `href` of an `xml-stylesheet` instruction.
    pub fn stylesheet(&mut self, target: Range<usize>, href: &Attribute, number: usize) {
        let delimiter = Delimiter::Instruction(href.quote);
        self.push(
            &XML_STYLESHEET,
            target,
            href.value.clone(),
            delimiter,
            number,
        );
    }

    /// A start tag of XHTML, SVG or MathML.
    pub fn tag(&mut self, markup: &[u8], tag: &StartTag<'_>, number: usize) {
        let wanted = self.custom_attributes.wanted(self.groups);
        self.places
            .collect(markup, wanted, |collector| collector.start_tag(tag));
        self.numbers.resize(self.places.list.len(), number);
    }

    /// The content of a `style` or `script` element of one of these.
    pub fn raw_text(
        &mut self,
        markup: &[u8],
        element: RawText,
        content: Range<usize>,
        number: usize,
    ) {
        let wanted = self.custom_attributes.wanted(self.groups);
        self.places.collect(markup, wanted, |collector| {
            collector.raw_text(element, Spelling::Content, content);
        });
        self.numbers.resize(self.places.list.len(), number);
    }
}

/// A base URL, and what is known besides about what is resolved against it.
pub type Base = (Context, DocumentBase);

impl<'d> DocumentBytes<'d> {
    /// An error where the document cannot be decoded.
    pub(super) fn new(
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
            syntax,
        })
    }

    /// A feed in XML.
    pub fn xml(bytes: &'d [u8]) -> Result<DocumentBytes<'d>, &'static str> {
        DocumentBytes::new(
            bytes,
            Charset::of_xml(bytes).with_utf8_queries(),
            Syntax::Xml,
        )
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
        let delimiter = match is_content {
            true => Delimiter::Content,
            false => Delimiter::Attribute(Quote::Double),
        };
        let charset = self.charset();
        let reading = places.places.reading(&charset, self.syntax);
        let value = Value::decode(&self.markup()[range], delimiter, &reading);
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
        bases: &[Base],
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Resolved {
        let FeedPlaces {
            places, numbers, ..
        } = given;
        self.resolve(places, numbers, bases, settings, each)
    }

    /// The document in an encoding that ASCII is a part of: what places are counted in.
    pub fn markup(&self) -> &[u8] {
        match &self.decoded {
            Some((text, _)) => text.as_bytes(),
            None => self.bytes,
        }
    }

    /// The charset of [`DocumentBytes::markup`].
    pub(super) fn charset(&self) -> Cow<'_, Charset<'_>> {
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
    pub(super) fn resolve(
        &self,
        places: &Places,
        numbers: &[usize],
        bases: &[Base],
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Resolved {
        let mut edits = Edits::default();
        let rewrites = each.is_none();
        let mut shown = each.map(|each| move |reference: &Reference<'_>| each(reference));
        let shown = shown.as_mut();
        let each = shown.map(|each| each as &mut dyn FnMut(&Reference<'_>));
        let mut sink = Sink::new(each, rewrites.then_some(&mut edits));
        let mut resolved = match &self.decoded {
            None => self.runs(places, numbers, bases, settings, &mut sink),
            Some((text, encoding)) => {
                let mut offsets = encoding::Offsets::new(text, encoding, self.charset.bom);
                let mut new = Edits::default();
                let resolved = sink.inside(
                    |span| offsets.source(span.start)..offsets.source(span.end),
                    &mut new,
                    |sink| self.runs(places, numbers, bases, settings, sink),
                );
                new.sort();
                if let (Some(edits), false) = (&mut sink.edits, new.is_empty())
                    && resolved.left.is_none()
                {
                    let all = self.charset.bom..self.bytes.len();
                    edits.push_decoded(all, text, new);
                }
                resolved
            }
        };
        edits.sort();
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
        bases: &[Base],
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
