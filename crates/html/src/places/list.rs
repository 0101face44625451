//! The places of a document, or of a part of one, that carry URLs, and what its `base` element
//! says.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use encoding_rs::Encoding;

use super::attributes::Row;
use super::groups::Group;
use super::ignore::Ignored;
use crate::locate::{Quote, Spelling, Syntax, xml};
use crate::text::chunk::Chunk;
use crate::text::encoding::Charset;
use crate::text::splice::sort_by_number;
use crate::text::value::{Delimiter, Value, ValueContext};

/// A value that carries references.
#[derive(Debug)]
pub(crate) struct UrlPlace {
    pub(crate) row: &'static Row,
    /// Byte range of the value, without quotes.
    pub(crate) value: Range<usize>,
    pub(crate) delimiter: Delimiter,
    /// Byte range of the element's name.
    pub(crate) element: Range<usize>,
    /// Whether it is where a scripting browser acts on nothing: in a template, or in text. A template that
    /// declares a shadow root is taken for one: only a tree could tell whether its parent can have it.
    pub(crate) is_inert: bool,
    /// The group that is off, if its references are only counted.
    pub(crate) off_group: Option<Group>,
}

/// Which `base` element counts from where on in a document.
#[derive(Debug)]
pub(crate) struct BaseChange {
    /// Where the name of the tag is that causes it.
    pub(crate) at: usize,
    /// The `href` of the element that counts; `None` if the previous one is gone.
    pub(crate) href: Option<Range<usize>>,
}

/// HTML in a coding of its own.
#[derive(Debug)]
pub struct HtmlCoding {
    /// What it spells.
    pub text: String,
    /// Spells other HTML as a coded text does.
    pub encode: fn(coded: &str, html: &str) -> String,
}

/// What a document holds.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// In the order of the document.
    pub(crate) list: Vec<UrlPlace>,
    /// Values of `codebase` attributes that a place is resolved against, each with the place's
    /// index in the list.
    pub(crate) codebases: Vec<(usize, Range<usize>)>,
    /// The values of `xml:base` that a place counts from, each with the place's index in the list.
    pub(crate) xml_bases: Vec<(usize, Arc<str>)>,
    /// Those that count for the next place.
    pub(crate) xml_base: Option<Arc<str>>,
    /// Names of attributes that the user named, each with the place's index in the list.
    pub(crate) custom_names: Vec<(usize, Arc<str>)>,
    /// Names of elements that are not in the document, each with the place's index in the list.
    pub(crate) labels: Vec<(usize, Box<str>)>,
    /// What places in another coding hold, each with the place's index in the list.
    pub(crate) coded: Vec<(usize, HtmlCoding)>,
    /// Which `base` element counts, from where on. That may change while a document is parsed; in
    /// the end the last one counts for all of it.
    pub(crate) bases: Vec<BaseChange>,
    /// Whether the last start tag is in a template.
    pub(crate) in_template: bool,
    /// Whether a `base` element counts now.
    pub(crate) has_base: bool,
    /// The encoding that the first `meta` element with one declares.
    pub(crate) declares: Option<&'static Encoding>,
    /// What the document type declaration of an XML document declares.
    pub(crate) doctype: Option<Arc<xml::Doctype>>,
    /// Why nothing can be said about the document, if that is so.
    pub(crate) refused: Option<&'static str>,
    /// What the text of the last `script` element holds, if that carries URLs.
    pub(crate) script: Option<&'static Row>,
    /// Whether the document is MJML.
    pub(crate) is_mjml: bool,
    /// Whether the last navigation bar of MJML has a base URL, which is put before its links as text.
    pub(crate) navbar_has_base: bool,
    /// Where in the piece that was seen, or one of its links.
    pub(crate) navbar_seen: usize,
    /// How many strings in blocks look like relative URLs, and are no place.
    pub(crate) relative_in_blocks: u64,
    /// What comments ask to leave as it is.
    pub(crate) ignored: Ignored,
}

const UNKNOWN_BASE: &str =
    "its base element has an entity of its own; write the base URL without it";

impl Places {
    /// What the `base` element that counts in the end says; an error if it is only known that
    /// nothing can be resolved in this document.
    pub(crate) fn base_href<'d>(
        &'d self,
        chunk: &Chunk<'d>,
    ) -> Result<Option<Cow<'d, str>>, &'static str> {
        if let Some(reason) = self.refused {
            return Err(reason);
        }
        let value = self.bases.last().and_then(|last| last.value(chunk.bytes));
        value
            .map(|raw| self.href(raw, chunk.charset, chunk.syntax))
            .transpose()
    }

    /// Whether a comment asks to leave that element.
    pub(crate) fn base_is_ignored(&self) -> bool {
        let href = self.bases.last().and_then(|last| last.href.as_ref());
        let mut places = self.list.iter();
        href.is_some_and(|href| places.any(|place| place.value == *href && place.is_ignored()))
    }

    /// Where that element is, or where it went.
    pub(crate) fn base_final_from(&self) -> usize {
        self.bases.last().map_or(0, |last| last.at)
    }

    /// The text of a `base` element's value; an error if it cannot be told.
    pub(crate) fn href<'d>(
        &self,
        raw: &'d [u8],
        charset: &Charset<'_>,
        syntax: Syntax,
    ) -> Result<Cow<'d, str>, &'static str> {
        let delimiter = Delimiter::Attribute(Quote::Double);
        let value = Value::decode(raw, delimiter, &self.value_context(charset, syntax));
        if value.is_unknown {
            return Err(UNKNOWN_BASE);
        }
        Ok(value.text)
    }

    /// How the values of the document are read.
    pub(crate) fn value_context<'r>(
        &'r self,
        charset: &'r Charset<'r>,
        syntax: Syntax,
    ) -> ValueContext<'r> {
        ValueContext {
            charset,
            syntax,
            doctype: self.doctype.as_deref(),
        }
    }

    /// Puts places in the order of the document that were found in another one.
    pub(crate) fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        sort_by_number(&mut order, |&index| self.list[index].value.start);
        let mut places = vec![0; order.len()];
        for (now, &before) in order.iter().enumerate() {
            places[before] = now;
        }
        sort_by_number(&mut self.list, |place| place.value.start);
        self.codebases.iter_mut().for_each(|it| it.0 = places[it.0]);
        sort_by_number(&mut self.codebases, |it| it.0);
        self.custom_names
            .iter_mut()
            .for_each(|it| it.0 = places[it.0]);
        sort_by_number(&mut self.custom_names, |it| it.0);
        self.xml_bases.iter_mut().for_each(|it| it.0 = places[it.0]);
    }

    /// Whether something later in the document may be a reason to leave it as it is.
    pub(crate) fn may_be_refused(&self) -> bool {
        self.doctype
            .as_ref()
            .is_some_and(|doctype| doctype.has_entities())
    }

    /// The name of a place's element, if that is not in the document.
    pub(crate) fn label(&self, index: usize) -> Option<&str> {
        of_place(&self.labels, index).map(|label| &**label)
    }

    /// What a place holds that is in a coding of its own.
    pub(crate) fn coded(&self, index: usize) -> Option<&HtmlCoding> {
        of_place(&self.coded, index)
    }

    /// The name of a place's attribute, in lower case; empty if it is an element's text.
    pub(crate) fn attribute(&self, index: usize) -> &str {
        let custom_names = of_place(&self.custom_names, index);
        custom_names.map_or(self.list[index].row.attribute, |name| &**name)
    }

    /// The values of `xml:base` that a place counts from.
    pub(crate) fn xml_base(&self, index: usize) -> Option<&str> {
        of_place(&self.xml_bases, index).map(|bases| &**bases)
    }

    /// The value of the `codebase` attribute that a place is resolved against, if there is one.
    pub(crate) fn codebase(&self, index: usize) -> Option<Range<usize>> {
        of_place(&self.codebases, index).cloned()
    }
}

/// What a list in the order of the places has for one of them.
fn of_place<T>(list: &[(usize, T)], index: usize) -> Option<&T> {
    let found = list.binary_search_by_key(&index, |(place, _)| *place);
    found.ok().map(|found| &list[found].1)
}

impl UrlPlace {
    /// Its references stay, since a comment asks for that. What has no meaning stays that way.
    pub(crate) fn ignore(&mut self) {
        self.delimiter = match self.delimiter {
            Delimiter::Attribute(_) | Delimiter::Instruction(_) | Delimiter::Text => {
                Delimiter::Ignored(Spelling::References)
            }
            Delimiter::RawText | Delimiter::Block | Delimiter::Markdown(_) => {
                Delimiter::Ignored(Spelling::Raw)
            }
            Delimiter::Content => Delimiter::Ignored(Spelling::Content),
            other => other,
        };
    }

    pub(crate) fn is_ignored(&self) -> bool {
        matches!(self.delimiter, Delimiter::Ignored(_))
    }
}

impl BaseChange {
    /// The raw value of the element that counts.
    pub(crate) fn value<'d>(&self, document: &'d [u8]) -> Option<&'d [u8]> {
        Some(&document[self.href.clone()?])
    }
}
