//! Where the links of Markdown are, and its HTML.
//!
//! The parser says what there is and where it stands. Where in a link its destination stands, and GFM's bare URLs,
//! which the parser does not know, are found here. HTML is read in a copy of the document in which all else is blank,
//! so that offsets stay.

use std::collections::HashSet;
use std::iter::Peekable;
use std::ops::Range;
use std::vec::IntoIter;

use abslink_html::given_places::FeedPlaces;
use abslink_html::shared::{
    Delimiter, MARKDOWN_AUTOLINK, MARKDOWN_DEFINITION, MARKDOWN_DEFINITION_OF_IMAGE,
    MARKDOWN_IMAGE, MARKDOWN_LINK,
};
use abslink_html::{Row, Wanted};
use pulldown_cmark::{Event, LinkType, Options, Parser, RefDefs, Tag, TagEnd};

use super::destination::{self, DestinationPlace, UNCLEAR};
use super::pieces::{self, OpenPiece};
use super::{bare, front_matter};

/// What is found in a document.
pub(super) struct Found {
    pub(super) places: FeedPlaces,
    /// The document with nothing but its HTML and destinations.
    pub(super) markup: Vec<u8>,
    destinations: Vec<Range<usize>>,
}

impl Found {
    /// The document with nothing but its HTML.
    pub(super) fn html(&self) -> Vec<u8> {
        let mut html = self.markup.clone();
        self.destinations
            .iter()
            .for_each(|it| html[it.clone()].fill(b'\n'));
        html
    }

    /// Whether an edit is one of a destination.
    pub(super) fn is_destination(&self, edit: &Range<usize>) -> bool {
        let next = self.destinations.partition_point(|it| it.end < edit.end);
        self.destinations
            .get(next)
            .is_some_and(|it| it.start <= edit.start)
    }
}

pub(super) fn parser(text: &str) -> Parser<'_> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    Parser::new_ext(text, options)
}

/// Finds all that carries a URL in a document, or says why that cannot be told.
pub(super) fn read(document: &str, wanted: Wanted<'_>) -> Result<Found, &'static str> {
    let start = front_matter::length(document);
    let mut parser = parser(&document[start..]).into_offset_iter();
    let mut reader = Reader {
        document,
        places: FeedPlaces::new(wanted),
        markup: vec![b'\n'; document.len()],
        destinations: Vec::new(),
        open: Vec::new(),
        images: 0,
        cell: None,
        code: false,
        brackets: 0,
        bare_end: 0,
        cdata: 0..0,
        ignores_next: false,
        open_piece: None,
        definitions: in_order(parser.reference_definitions(), start),
        block_at: 0,
        definition_places: Vec::new(),
        of_images: HashSet::new(),
    };
    while let Some((event, range)) = parser.next() {
        let range = start + range.start..start + range.end;
        reader.definitions_before(range.start)?;
        reader.event(event, range, parser.reference_definitions(), start)?;
    }
    reader.definitions_before(usize::MAX)?;
    reader.close_piece("");
    let Reader {
        mut places,
        mut markup,
        mut destinations,
        ..
    } = reader;
    for (at, index) in &reader.definition_places {
        if reader.of_images.contains(at) {
            places.set_row(*index, &MARKDOWN_DEFINITION_OF_IMAGE);
        }
    }
    places.html(&markup);
    destinations.sort_by_key(|it| it.start);
    // The parser may take one text for two things.
    let overlaps = |two: &[Range<usize>]| two[0].end > two[1].start;
    let is_html = |at: usize| markup[at] != b'\n' && markup[at] == document.as_bytes()[at];
    if destinations.windows(2).any(overlaps) || destinations.iter().cloned().flatten().any(is_html)
    {
        return Err(UNCLEAR);
    }
    for range in &destinations {
        markup[range.clone()].copy_from_slice(&document.as_bytes()[range.clone()]);
    }
    Ok(Found {
        places,
        markup,
        destinations,
    })
}

/// Where definitions stand, in their order.
fn in_order(definitions: &RefDefs<'_>, start: usize) -> Peekable<IntoIter<(Range<usize>, String)>> {
    let spans = definitions.iter().map(|(_, definition)| {
        let span = start + definition.span.start..start + definition.span.end;
        (span, definition.dest.to_string())
    });
    let mut spans: Vec<_> = spans.collect();
    spans.sort_by_key(|(span, _)| span.start);
    spans.into_iter().peekable()
}

struct Reader<'d> {
    document: &'d str,
    places: FeedPlaces,
    markup: Vec<u8>,
    /// What is put into the markup behind its HTML.
    destinations: Vec<Range<usize>>,
    /// The links and images that are open.
    open: Vec<OpenLink>,
    /// How many of these are images: what is in one is only its description.
    images: usize,
    /// The cell of a table that is open.
    cell: Option<Range<usize>>,
    code: bool,
    /// How many square brackets are open in the text: GFM has no bare URLs there.
    brackets: usize,
    /// Where the last bare URL ends, in which nothing else begins.
    bare_end: usize,
    /// The last blank line before the next end of a CDATA section, and that end: nothing is searched for twice.
    cdata: Range<usize>,
    /// A comment asks to leave what comes next.
    ignores_next: bool,
    /// The last piece of HTML, if an element is open in it.
    open_piece: Option<OpenPiece>,
    definitions: Peekable<IntoIter<(Range<usize>, String)>>,
    /// Where the last block begins or ends that is no paragraph.
    block_at: usize,
    /// Where definitions start, and the indices of their places.
    definition_places: Vec<(usize, usize)>,
    /// Where the definitions start that images use.
    of_images: HashSet<usize>,
}

/// A link or image whose end is still to come.
struct OpenLink {
    /// What its destination is, if it has one of its own.
    inline: Option<(&'static Row, String)>,
    range: Range<usize>,
    /// Where what is in it ends.
    inner_end: usize,
    is_image: bool,
    is_ignored: bool,
    /// Whether it is in an image.
    is_inside: bool,
}

impl Reader<'_> {
    fn definitions_before(&mut self, end: usize) -> Result<(), &'static str> {
        while let Some((span, expected)) = self.definitions.next_if(|next| next.0.start < end) {
            let is_ignored = self.passes(&span);
            let found = destination::of_definition(self.document, &span, &expected)?;
            if let Some(index) = self.push(&MARKDOWN_DEFINITION, found, is_ignored) {
                self.definition_places.push((span.start, index));
            }
        }
        Ok(())
    }

    /// Adds a place. The answer is its index.
    fn push(
        &mut self,
        row: &'static Row,
        (value, destination): DestinationPlace,
        is_ignored: bool,
    ) -> Option<usize> {
        if value.is_empty() {
            return None;
        }
        self.destinations.push(value.clone());
        let delimiter = destination.map_or(Delimiter::RawText, Delimiter::Markdown);
        let index = self.places.markdown(row, value, delimiter);
        if let Some(index) = index.filter(|_| is_ignored) {
            self.places.ignore(index);
        }
        index
    }

    /// Whether a comment asks to leave the element there, which is the next one. For what reads the HTML, there is an
    /// element.
    fn passes(&mut self, range: &Range<usize>) -> bool {
        let is_ignored = std::mem::take(&mut self.ignores_next);
        let place = range.start..range.start + 3;
        if let Some(markup) = self.markup.get_mut(place.clone())
            && is_ignored
        {
            // A URL in brackets may begin with that letter, and would look like HTML.
            let is_same = self.document.as_bytes()[place].starts_with(b"<s");
            markup.copy_from_slice(if is_same { b"<b>" } else { b"<s>" });
        }
        is_ignored
    }

    fn event(
        &mut self,
        event: Event<'_>,
        range: Range<usize>,
        definitions: &RefDefs<'_>,
        start: usize,
    ) -> Result<(), &'static str> {
        let ends = matches!(event, Event::End(TagEnd::Link | TagEnd::Image));
        if let Some(last) = self.open.last_mut().filter(|_| !ends) {
            last.inner_end = last.inner_end.max(range.end.min(last.range.end));
        }
        let in_bare = range.start < self.bare_end;
        match &event {
            Event::Start(Tag::Item | Tag::BlockQuote(_) | Tag::FootnoteDefinition(_)) => {
                self.block_at = range.start;
            }
            Event::End(
                TagEnd::Heading(_) | TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::CodeBlock,
            )
            | Event::End(TagEnd::HtmlBlock | TagEnd::Table | TagEnd::FootnoteDefinition)
            | Event::Rule => self.block_at = range.end,
            _ => {}
        }
        match event {
            Event::Start(
                ref tag @ (Tag::Link {
                    link_type,
                    ref dest_url,
                    ref id,
                    ..
                }
                | Tag::Image {
                    link_type,
                    ref dest_url,
                    ref id,
                    ..
                }),
            ) => {
                let definition = definitions.get(id).map(|it| start + it.span.start);
                let is_image = matches!(tag, Tag::Image { .. });
                self.start(is_image, (link_type, dest_url, definition), range, in_bare);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end()?,
            Event::Start(Tag::CodeBlock(_)) => self.code = true,
            Event::End(TagEnd::CodeBlock) => self.code = false,
            Event::Start(Tag::Table(_)) => self.table(range.start),
            Event::Start(Tag::TableCell) => {
                (self.cell, self.brackets) = (Some(range), 0);
            }
            Event::End(TagEnd::TableCell) => self.cell = None,
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item) => self.brackets = 0,
            Event::Html(text) => self.html(&text, range)?,
            Event::End(TagEnd::HtmlBlock) => self.open_piece = pieces::end(&mut self.markup, range),
            Event::InlineHtml(text) if self.images == 0 && !in_bare => {
                self.html(&text, range.clone())?;
                self.open_piece = pieces::end(&mut self.markup, range);
            }
            Event::Text(_) if !self.code && self.open.is_empty() => self.text(range),
            _ => {}
        }
        Ok(())
    }

    /// cmark-gfm reads no definitions in the lines directly above a table: they are shown as text.
    fn table(&mut self, start: usize) {
        let places = self.definition_places.iter().rev();
        for (at, index) in places.take_while(|(at, _)| *at >= self.block_at) {
            let is_blank = |line: &str| line.trim_start_matches([' ', '\t', '>']).trim().is_empty();
            // Behind the last line stands what the table is in.
            let above = self.document[*at..start].rsplit_once('\n');
            if above.is_none_or(|(lines, _)| lines.split('\n').any(is_blank)) {
                break;
            }
            self.places.ignore(*index);
        }
    }

    fn start(
        &mut self,
        is_image: bool,
        (link_type, target, definition): (LinkType, &str, Option<usize>),
        range: Range<usize>,
        in_bare: bool,
    ) {
        let is_inside = self.images > 0 || in_bare;
        let is_ignored = self.passes(&range);
        let row = if is_image {
            &MARKDOWN_IMAGE
        } else {
            &MARKDOWN_LINK
        };
        let mut inline = None;
        match link_type {
            LinkType::Inline => inline = Some((row, target.to_owned())),
            LinkType::Autolink if !is_inside => {
                let url = range.start + 1..range.end - 1;
                self.push(&MARKDOWN_AUTOLINK, (url, None), is_ignored);
            }
            LinkType::Reference | LinkType::Collapsed | LinkType::Shortcut
                if is_image && !is_inside =>
            {
                self.of_images.extend(definition);
            }
            _ => {}
        }
        // In a URL there is none, and what is in it stands for itself.
        let is_image = is_image && !in_bare;
        self.images += usize::from(is_image);
        self.open.push(OpenLink {
            inline,
            inner_end: range.start + 1 + usize::from(is_image),
            range,
            is_image,
            is_ignored,
            is_inside,
        });
    }

    fn end(&mut self) -> Result<(), &'static str> {
        let Some(link) = self.open.pop() else {
            return Err(UNCLEAR);
        };
        self.images -= usize::from(link.is_image);
        if let (Some((row, expected)), false) = (link.inline, link.is_inside) {
            let within = link.inner_end..link.range.end;
            let in_cell = self.cell.is_some();
            let found = destination::of_link(self.document, within, &expected, in_cell)?;
            self.push(row, found, link.is_ignored);
        }
        Ok(())
    }

    /// Closes the last piece of HTML before the next one, which begins with `next`.
    fn close_piece(&mut self, next: &str) {
        if let Some(open) = self.open_piece.take() {
            // The destination of a link between the two is no text of the element.
            let last = self.destinations.last();
            let is_behind = last.is_some_and(|it| it.start >= open.piece.end);
            let next = if is_behind { "" } else { next };
            open.close(&mut self.markup, next);
        }
    }

    /// Takes HTML into the markup. What stands before its further lines, as in quotes, is no part of it.
    fn html(&mut self, text: &str, range: Range<usize>) -> Result<(), &'static str> {
        const COMMENT: &str = "abslink-ignore";
        if text.starts_with("<!--") && text.contains(COMMENT) {
            self.ignores_next = !text.contains("abslink-ignore-file");
        } else if text.as_bytes().get(1).is_some_and(u8::is_ascii_alphabetic) {
            self.ignores_next = false;
        }
        self.close_piece(text);
        let source = &self.document[range.clone()];
        if source == text {
            self.markup[range].copy_from_slice(text.as_bytes());
        } else if !text.trim().is_empty() {
            let mut at = range.start;
            let mut lines = text.split_inclusive('\n');
            for line in source.split_inclusive('\n') {
                let end = line.trim_end_matches(['\r', '\n']).len();
                let part = lines.next().map(|part| part.trim_end_matches(['\r', '\n']));
                let part = part.unwrap_or_default();
                if !line[..end].ends_with(part) {
                    return Err(UNCLEAR);
                }
                let part = at + end - part.len()..at + end;
                self.markup[part.clone()].copy_from_slice(&self.document.as_bytes()[part]);
                at += line.len();
            }
        }
        Ok(())
    }

    /// CDATA sections with brackets in them, which the parser takes for text: nothing begins in them.
    fn pass_cdata(&mut self, text: Range<usize>) {
        let document = self.document;
        for at in memchr::memchr_iter(b'<', &document.as_bytes()[text.clone()]) {
            let at = text.start + at;
            let (before, section) = document.split_at(at);
            let is_open = section.starts_with("<![CDATA[") && !before.ends_with('\\');
            if !is_open || at < self.bare_end {
                continue;
            }
            if at >= self.cdata.end {
                let end = section.find("]]>").map_or(document.len(), |end| at + end);
                let blank = document[at..end].rfind("\n\n");
                self.cdata = blank.map_or(at, |blank| at + blank)..end;
            }
            if at >= self.cdata.start && self.cdata.end < document.len() {
                self.bare_end = self.cdata.end;
            }
        }
    }

    /// GFM §6.9: URLs in plain text.
    fn text(&mut self, range: Range<usize>) {
        self.pass_cdata(range.clone());
        let limit = self
            .cell
            .as_ref()
            .map_or(self.document.len(), |cell| cell.end);
        let (bytes, mut from) = (self.document.as_bytes(), range.start.max(self.bare_end));
        while from < range.end {
            let found = bare::next(&bytes[..limit], from..range.end);
            let end = found.as_ref().map_or(range.end, |url| url.start);
            self.count_brackets(from..end);
            let Some(url) = found else { return };
            from = url.end;
            if self.brackets > 0 {
                continue;
            }
            self.bare_end = url.end;
            // What has no scheme cannot be moved.
            if bytes[url.clone()].starts_with(b"www.") {
                continue;
            }
            self.push(&MARKDOWN_AUTOLINK, (url, None), false);
        }
    }

    fn count_brackets(&mut self, text: Range<usize>) {
        let bytes = self.document.as_bytes();
        for at in memchr::memchr2_iter(b'[', b']', &bytes[text.clone()]) {
            let at = text.start + at;
            if at > 0 && bytes[at - 1] == b'\\' {
                continue;
            }
            self.brackets = match bytes[at] {
                b'[' => self.brackets + 1,
                _ => self.brackets.saturating_sub(1),
            };
        }
    }
}
