//! From start tags to places: keeps what the table of [`super::attributes`] names, and finds the
//! `base` element that counts.

pub(crate) mod blocks;
mod custom;
mod noted;

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;

use self::noted::NOTED;
use super::attributes::lookup::{Lookup, LookupKey};
use super::attributes::{
    Against, DECLARED_MARKUP, MJML_STYLE, Row, STYLE_TEXT, UNKNOWN, XML_STYLESHEET,
};
use super::custom_attributes::Wanted;
use super::groups::Group;
use super::ignore::Ignored;
use super::list::{BaseChange, Places, UrlPlace};
use crate::locate::name_filter::NameFilter;
use crate::locate::{
    self, Attribute, Handler, Namespace, Pieces, RawText, Spelling, StartTag, Syntax, xml,
};
use crate::text::encoding::HEAD;
use crate::text::value::Delimiter;

impl Places {
    /// Finds the wanted places of a document, and replaces those of the one before.
    pub(crate) fn find(&mut self, document: &[u8], syntax: Syntax, wanted: Wanted<'_>) {
        self.find_with_head(HEAD, document, syntax, wanted);
    }

    /// The same for one that was decoded, and has so much of what its first [`HEAD`] bytes say.
    pub(crate) fn find_with_head(
        &mut self,
        head: usize,
        document: &[u8],
        syntax: Syntax,
        wanted: Wanted<'_>,
    ) {
        /// Documentation pages have about one place in two hundred bytes.
        const BYTES_FOR_A_PLACE: usize = 256;
        /// Memory for more is given back.
        const REUSED: usize = 1 << 16;
        (self.has_base, self.declares, self.script) = (false, None, None);
        (self.doctype, self.refused, self.xml_base) = (None, None, None);
        self.is_mjml = false;
        self.navbar_has_base = false;
        self.ignored = Ignored::with_head(head);
        self.list.shrink_to(REUSED);
        self.list.reserve(document.len() / BYTES_FOR_A_PLACE);
        self.find_by(document, wanted, |collector| {
            locate::locate(document, syntax, true, collector);
            document.len()
        });
        if self.ignored.document {
            // Some may come before the comment.
            self.list.iter_mut().for_each(UrlPlace::ignore);
        }
    }

    /// Adds the places that `report` finds, for a document whose tags another layer reads.
    pub(crate) fn collect(
        &mut self,
        document: &[u8],
        wanted: Wanted<'_>,
        report: impl FnOnce(&mut dyn Handler),
    ) {
        report(&mut Collector::new(document, wanted, self));
    }

    /// Finds the places in the next piece of a document, and replaces those of the piece before;
    /// returns how much of it is done.
    pub(crate) fn find_next(
        &mut self,
        piece: &[u8],
        last: bool,
        pieces: &mut Pieces,
        wanted: Wanted<'_>,
    ) -> usize {
        self.find_by(piece, wanted, |collector| {
            pieces.locate(piece, last, collector)
        })
    }

    fn find_by(
        &mut self,
        piece: &[u8],
        wanted: Wanted<'_>,
        locate: impl FnOnce(&mut Collector<'_>) -> usize,
    ) -> usize {
        self.forget();
        let mut collector = Collector::new(piece, wanted, self);
        let done = locate(&mut collector);
        if wanted.is_content && collector.takes(Group::Blocks) {
            collector.blocks_in_content();
        }
        collector.mjml_styles(done);
        self.ignored.leave(piece, done);
        done
    }

    fn forget(&mut self) {
        (self.navbar_seen, self.relative_in_blocks) = (0, 0);
        self.list.clear();
        self.codebases.clear();
        self.custom_names.clear();
        self.xml_bases.clear();
        self.labels.clear();
        self.bases.clear();
    }
}

struct Collector<'a> {
    slice: &'a [u8],
    wanted: Wanted<'a>,
    name_filter: &'a NameFilter,
    places: &'a mut Places,
    lookup: Lookup<'a>,
    /// Where the slice starts in the document.
    offset: usize,
    /// Text that a scripting browser does not parse: no `base` counts there.
    nested: bool,
    /// The group that is off, if all places here are only counted for that.
    off_group: Option<Group>,
}

impl<'a> Collector<'a> {
    fn new(document: &'a [u8], wanted: Wanted<'a>, places: &'a mut Places) -> Collector<'a> {
        Collector {
            slice: document,
            wanted,
            name_filter: wanted.name_filter(),
            places,
            lookup: Lookup::default(),
            offset: 0,
            nested: false,
            off_group: None,
        }
    }

    fn absolute(&self, range: &Range<usize>) -> Range<usize> {
        range.start + self.offset..range.end + self.offset
    }

    #[inline]
    fn bytes(&self, range: &Range<usize>) -> &'a [u8] {
        &self.slice[range.clone()]
    }

    fn value_of<'t>(&self, tag: &'t StartTag<'_>, name: &str) -> Option<&'t Attribute> {
        let is = |attribute: &&Attribute| match (self.bytes(&attribute.name), tag.is_exact) {
            (spelled, true) => spelled == name.as_bytes(),
            (spelled, false) => spelled.eq_ignore_ascii_case(name.as_bytes()),
        };
        tag.attributes.iter().find(is)
    }

    /// The value of an attribute that says what another attribute holds.
    fn decoded_value(&self, tag: &StartTag<'_>, name: &str) -> Option<Cow<'_, [u8]>> {
        let value = self.bytes(&self.value_of(tag, name)?.value);
        Some(htmlize::unescape_bytes_in(
            value,
            htmlize::Context::Attribute,
        ))
    }

    /// Whether the places of a group are looked for, be it to count them.
    fn takes(&self, group: Group) -> bool {
        self.wanted.groups.contains(group) || self.wanted.counted.contains(group)
    }

    /// The group under which references are only counted.
    fn off_group(&self, group: Group) -> Option<Group> {
        let is_off = !self.wanted.groups.contains(group);
        self.off_group.or_else(|| is_off.then_some(group))
    }

    fn nested_in(&mut self, group: Group, text: Range<usize>) {
        let off_group = self.off_group(group);
        let around = std::mem::replace(&mut self.off_group, off_group);
        self.nested(text);
        self.off_group = around;
    }

    /// Parses text that the tokenizer took for raw text, as a document of its own.
    fn nested(&mut self, text: Range<usize>) {
        let (slice, offset, nested) = (self.slice, self.offset, self.nested);
        let within = self.places.ignored.within();
        let around = std::mem::replace(&mut self.places.ignored, within);
        self.offset += text.start;
        self.slice = &slice[text];
        self.nested = true;
        locate::locate(self.slice, Syntax::Html, false, self);
        (self.slice, self.offset, self.nested) = (slice, offset, nested);
        self.places.ignored = around;
    }

    /// After a comment asked for something: where the places of the element begin whose name is there, if they are
    /// to be ignored.
    #[inline]
    fn ignored(&mut self, name: &Range<usize>) -> Option<usize> {
        #[cold]
        fn first(places: &mut Places, slice: &[u8], name: &Range<usize>) -> Option<usize> {
            let first = places.list.len();
            places.ignored.tag(slice, name).then_some(first)
        }
        if self.places.ignored.is_on {
            first(self.places, self.slice, name)
        } else {
            None
        }
    }

    #[cold]
    fn ignore_from(&mut self, first: usize) {
        self.places.list[first..]
            .iter_mut()
            .for_each(UrlPlace::ignore);
    }

    // This and `place` are called in one place, for nearly every tag; left to itself, the compiler makes calls of
    // them.
    #[inline(always)]
    fn tag(&mut self, tag: &StartTag<'_>) {
        self.places.in_template = tag.is_inert;
        let mut name = self.bytes(&tag.name);
        if tag.namespace == Namespace::Html && NOTED.passes(name) {
            match self.noted(tag, name) {
                Some(same) => name = same,
                None => return,
            }
        }
        for (index, attribute) in tag.attributes.iter().enumerate() {
            // Whether an entity spells what decides.
            let is_unknown = Cell::new(false);
            let sibling = |wanted: &str| {
                let value = self.decoded_value(tag, wanted);
                is_unknown.set(is_unknown.get() || tag.is_exact && self.is_declared(&value));
                value
            };
            let attribute_name: &[u8] = if tag.xlink == Some(index) {
                b"xlink:href"
            } else {
                self.bytes(&attribute.name)
            };
            let names = LookupKey {
                namespace: tag.namespace,
                is_exact: tag.is_exact,
                element: name,
                attribute: attribute_name,
            };
            let row = self.lookup.row(names, &sibling);
            if !self.wanted.is_empty()
                && let Some(custom) = self.custom(&tag.name, name, attribute_name)
            {
                let is_inert = self.nested || tag.is_inert || row.is_none();
                self.custom_attribute(custom, is_inert, &tag.name, attribute);
            } else if let Some(row) = row.filter(|row| self.takes(row.group)) {
                self.place(row, tag, attribute);
            } else if is_unknown.get() {
                let shown = String::from_utf8_lossy(attribute_name).into();
                self.named(shown);
                self.declared_value(&UNKNOWN, &tag.name, attribute);
            }
        }
    }

    /// The style sheets of MJML, whose elements are unknown ones in HTML.
    fn mjml_styles(&mut self, done: usize) {
        const HEAD: usize = 1 << 12;
        const NAME: &[u8] = b"mj-style";
        const END: &[u8] = b"</mj-style";
        static ROOT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("<mjml"));
        let find = |bytes: &[u8], text: &[u8]| memchr::memmem::find(bytes, text);
        let slice = &self.slice[..done.min(self.slice.len())];
        if !self.takes(Group::Css) {
            return;
        }
        let head = &slice[..slice.len().min(HEAD)];
        // A byte is found sooner than a name, and few texts have this one.
        let may_be = memchr::memchr(b'j', head).is_some();
        self.places.is_mjml |= may_be && ROOT.find(head).is_some();
        if !self.places.is_mjml {
            return;
        }
        let mut at = 0;
        while let Some(name) = find(&slice[at..], NAME).map(|found| at + found) {
            at = name + NAME.len();
            let is_start = slice[..name].ends_with(b"<");
            let text = is_start.then(|| find(&slice[name..], b">")).flatten();
            if let Some(start) = text.map(|end| name + end + 1)
                && let Some(length) = find(&slice[start..], END)
            {
                at = start + length;
                self.text(&MJML_STYLE, Delimiter::RawText, start..at);
            }
        }
        self.places.sort();
    }

    fn text_of(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
        let delimiter = match spelling {
            Spelling::Raw => Delimiter::RawText,
            Spelling::References => Delimiter::Text,
            Spelling::Content => Delimiter::Content,
        };
        match element {
            RawText::Style if self.takes(Group::Css) => {
                self.text(&STYLE_TEXT, delimiter, text);
            }
            RawText::Script => {
                if let Some(row) = self.places.script.take()
                    && self.takes(row.group)
                {
                    self.text(row, delimiter, text);
                }
            }
            RawText::Noscript | RawText::Noframes if self.takes(Group::Noscript) => {
                self.nested_in(Group::Noscript, text);
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn place(&mut self, row: &'static Row, tag: &StartTag<'_>, attribute: &Attribute) {
        if row.against == Against::Codebase
            && let Some(codebase) = self.value_of(tag, "codebase")
        {
            let value = self.absolute(&codebase.value);
            self.places.codebases.push((self.places.list.len(), value));
        }
        // In a shadow root a `base` does not count, although links do.
        let is_no_base = !tag.base_applies && row.against == Against::Fallback;
        let is_inert = self.nested || tag.is_inert || is_no_base;
        self.value(
            row,
            &tag.name,
            attribute,
            is_inert,
            self.off_group(row.group),
        );
    }

    fn value(
        &mut self,
        row: &'static Row,
        element: &Range<usize>,
        attribute: &Attribute,
        is_inert: bool,
        off_group: Option<Group>,
    ) {
        let place = UrlPlace {
            row,
            value: self.absolute(&attribute.value),
            delimiter: Delimiter::Attribute(attribute.quote),
            element: self.absolute(element),
            is_inert,
            off_group,
        };
        self.places.list.push(place);
    }

    /// A value that stays, since it has its effect elsewhere or nobody can tell what it is.
    fn declared_value(&mut self, row: &'static Row, element: &Range<usize>, attribute: &Attribute) {
        self.value(row, element, attribute, false, self.off_group);
        if let Some(place) = self.places.list.last_mut() {
            place.delimiter = Delimiter::Declared;
        }
    }

    fn is_declared(&self, value: &Option<Cow<'_, [u8]>>) -> bool {
        self.places.may_be_refused() && value.as_ref().is_some_and(|value| xml::has_entities(value))
    }

    fn text(&mut self, row: &'static Row, delimiter: Delimiter, text: Range<usize>) {
        let value = self.absolute(&text);
        let place = UrlPlace {
            row,
            element: value.start..value.start,
            delimiter,
            value,
            is_inert: self.nested || self.places.in_template,
            off_group: self.off_group(row.group),
        };
        self.places.list.push(place);
    }
}

impl Handler for Collector<'_> {
    #[inline]
    fn wants(&self, attribute: &[u8]) -> bool {
        self.name_filter.passes(attribute)
    }

    fn wants_anywhere(&self, attribute: &[u8]) -> bool {
        self.wanted.may_be_custom(attribute)
    }

    fn wants_text(&self, element: &[u8]) -> bool {
        self.wanted.custom_text(element).is_some()
    }

    fn wants_bare(&self) -> bool {
        false
    }

    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let ignored = self.ignored(&tag.name);
        self.tag(tag);
        if let Some(first) = ignored {
            self.ignore_from(first);
        }
    }

    fn unknown_tag(&mut self, name: Range<usize>, attributes: &[Attribute]) {
        let ignored = self.ignored(&name);
        self.unknown(name, attributes);
        if let Some(first) = ignored {
            self.ignore_from(first);
        }
    }

    fn xml_base(&mut self, bases: &str) {
        /// Each place takes its own along.
        const LONGEST: usize = 1 << 12;
        let counts = !self.wanted.is_empty() && !bases.is_empty() && bases.len() < LONGEST;
        self.places.xml_base = counts.then(|| bases.into());
    }

    fn raw_text(&mut self, element: RawText, spelling: Spelling, text: Range<usize>) {
        let first = self.places.list.len();
        self.text_of(element, spelling, text);
        // Markup in the text has places of its own elements.
        let is_own = matches!(element, RawText::Style | RawText::Script);
        if is_own && self.places.ignored.text() {
            self.ignore_from(first);
        }
    }

    fn element_text(&mut self, name: Range<usize>, content: Range<usize>) {
        if let Some(custom) = self.wanted.mark_used(self.bytes(&name), b"") {
            let first = self.places.list.len();
            self.text(custom.xml_row(), Delimiter::Content, content);
            let element = self.absolute(&name);
            let place = &mut self.places.list[first];
            (place.element, place.off_group) = (element, self.off_group);
            if custom.xml_row().against == Against::Base {
                self.in_xml_base(first, custom.xml_row_in_xml_base());
            }
            if self.places.ignored.text() {
                self.ignore_from(first);
            }
        }
    }

    fn stylesheet(&mut self, target: Range<usize>, href: &Attribute) {
        if self.wanted.groups.contains(XML_STYLESHEET.group) {
            let first = self.places.list.len();
            self.value(&XML_STYLESHEET, &target, href, true, self.off_group);
            self.places.list[first].delimiter = Delimiter::Instruction(href.quote);
            if self.places.ignored.document {
                self.ignore_from(first);
            }
        }
    }

    fn bases_removed(&mut self, at: usize) {
        if !self.nested {
            self.places.bases.push(BaseChange { at, href: None });
            self.places.has_base = false;
        }
    }

    /// `<!--[if …]> … <![endif]-->`: markup that older Internet Explorers parse.
    fn comment(&mut self, data: Range<usize>) {
        self.places.ignored.comment(self.slice, &data);
        if !self.wanted.is_content && self.takes(Group::Blocks) {
            let part = data.start.saturating_sub("<!--".len());
            self.blocks(part..(data.end + "-->".len()).min(self.slice.len()), |_| {
                true
            });
        }
        if !self.takes(Group::Comments) {
            return;
        }
        let bytes = self.bytes(&data);
        let Some(condition) = bytes.strip_prefix(b"[if ") else {
            return;
        };
        let Some(open) = memchr::memmem::find(condition, b"]>") else {
            return;
        };
        let Some(close) = memchr::memmem::rfind(bytes, b"<![endif]") else {
            return;
        };
        let start = b"[if ".len() + open + b"]>".len();
        if start < close {
            self.nested_in(Group::Comments, data.start + start..data.start + close);
        }
    }

    fn without_tags(&mut self, markup: Range<usize>) {
        self.places.ignored.without_tags(self.slice, &markup);
    }

    fn doctype(&mut self, doctype: &Arc<xml::Doctype>) {
        self.places.doctype = Some(Arc::clone(doctype));
    }

    /// It counts as one reference, whatever is in it.
    fn declared_markup(&mut self, text: Range<usize>) {
        self.text(&DECLARED_MARKUP, Delimiter::Declared, text);
    }

    fn declared_attribute(&mut self, element: Range<usize>, attribute: &Attribute) {
        let (name, attribute_name) = (self.bytes(&element), self.bytes(&attribute.name));
        let custom = self.wanted.mark_used(name, attribute_name);
        let row = [Namespace::Html, Namespace::Svg, Namespace::MathMl]
            .into_iter()
            .find_map(|namespace| {
                let names = LookupKey {
                    namespace,
                    is_exact: true,
                    element: name,
                    attribute: attribute_name,
                };
                self.lookup.row(names, &|_| None)
            })
            .filter(|row| self.takes(row.group));
        let custom = custom.map(|custom| {
            self.named(Arc::clone(custom.attribute()));
            custom.row()
        });
        if let Some(row) = custom.or(row) {
            self.declared_value(row, &element, attribute);
        }
    }

    fn refuse(&mut self, reason: &'static str) {
        self.places.refused.get_or_insert(reason);
    }
}
