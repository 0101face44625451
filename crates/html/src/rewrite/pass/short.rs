//! The short way: for a value that is one URL and whose raw bytes decide what becomes of it.
//! It finds and shows what the long way does.

use super::super::sink::Sink;
use super::super::write_back;
use super::facts::{is_pinned, is_relative_path, needs_server};
use super::place_view::NAME;
use super::{Outcome, Pass, To};
use crate::places::attributes::Against;
use crate::places::list::UrlPlace;
use crate::report::reference::Reference;
use crate::resolve::form::{ByteChange, ByteResult};
use crate::resolve::resolver::ReferenceResolver;
use crate::text::chunk::Chunk;
use crate::text::value::Delimiter;

impl Pass<'_> {
    /// Takes the short way for a place, if possible.
    #[inline]
    pub(super) fn short_way(
        &mut self,
        chunk: &Chunk<'_>,
        place: &UrlPlace,
        raw: &[u8],
        resolver: &ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) -> bool {
        // What is asked about each reference takes more to tell.
        if self.survey.is_some() {
            return false;
        }
        if self.context.pins.is_some() && is_pinned(chunk, place) {
            return false;
        }
        let shows = sink.each.is_some();
        let Some(found) = resolver.by_bytes(place.row, raw, &mut self.form) else {
            return false;
        };
        let spelled = shows.then(|| ShownPlace::of(chunk, place, raw)).flatten();
        // A relative one has been checked, and stands for itself.
        if shows && (spelled.is_none() || found.outcome == Outcome::Absolute && !is_literal(raw)) {
            return false;
        }
        let ByteResult {
            outcome,
            before,
            dropped,
            change,
        } = found;
        let (start, field) = (place.value.start, self.context.field);
        let written = match change {
            ByteChange::None | ByteChange::Outside => None,
            ByteChange::Absolute => Some((before, dropped)),
            ByteChange::Form => Some((&*self.form, raw.len())),
        };
        if let Some((new, end)) = written {
            if !write_back::fits(new, place.delimiter, field) {
                return false;
            }
            self.growth.add((new.len() + raw.len() - end) as u64);
            match (&mut sink.edits, change) {
                (Some(edits), ByteChange::Absolute) => {
                    edits.push_shared(start..start + dropped, before);
                }
                (Some(edits), _) => edits.push(start..start + end, |out| out.push_str(new)),
                (None, _) => {}
            }
        }
        self.count_short(change, outcome, raw);
        let changes = matches!(change, ByteChange::Absolute | ByteChange::Form);
        if changes && outcome == Outcome::Relative && self.counts_from_name(place.row, raw) {
            self.tally.query_names += 1;
        }
        if outcome == Outcome::Relative && self.settings.to == To::Files {
            let attribute = place.row.attribute;
            self.tally.need_server += u64::from(needs_server(chunk, place, attribute));
        }
        let base = resolver.shown_base();
        let length = base.map_or(0, str::len) + raw.len();
        self.growth.show(outcome, length);
        if base.is_none() && outcome == Outcome::Relative && raw.starts_with(b"/") {
            self.tally.nameless += 1;
        }
        if let (Some(each), Some(spelled)) = (&mut sink.each, spelled)
            && !self.growth.is_exceeded()
        {
            self.absolute.clear();
            self.absolute.push_str(before);
            self.absolute.push_str(&spelled.text[dropped..]);
            let start = chunk.start + place.value.start;
            let document_base = resolver.document_base();
            let is_known = base.is_some() || outcome == Outcome::Absolute;
            each(&Reference {
                span: start..start + raw.len(),
                element: spelled.element,
                attribute: place.row.attribute,
                kind: place.row.kind,
                reference: spelled.text,
                absolute: is_known.then_some(&*self.absolute),
                base,
                base_from: document_base.source,
                outcome,
                to: match change {
                    ByteChange::Absolute => Some(&self.absolute),
                    ByteChange::Form => Some(&self.form),
                    ByteChange::None | ByteChange::Outside => None,
                },
                divergent: None,
            });
        }
        true
    }

    /// Counts a reference that took the short way.
    #[inline]
    fn count_short(&mut self, change: ByteChange, outcome: Outcome, raw: &[u8]) {
        let tally = &mut self.tally;
        tally.count(outcome, false);
        if self.context.surroundings.is_some() && outcome == Outcome::Relative {
            tally.from_root[2] += u64::from(is_relative_path(raw));
        }
        match (change, outcome) {
            (ByteChange::None, Outcome::Relative) => tally.rewritten -= 1,
            (ByteChange::None, _) | (ByteChange::Absolute, _) => {}
            (ByteChange::Outside, _) => {
                tally.outside += 1;
                let own = (self.context.retrieval.as_ref()).zip(std::str::from_utf8(raw).ok());
                let alias =
                    own.and_then(|(own, url)| self.settings.site.alias(own.url.as_str(), url));
                if let Some(kind) = alias {
                    tally.aliases[kind] += 1;
                }
            }
            (ByteChange::Form, _) => {
                tally.made_relative += 1;
                if outcome == Outcome::Absolute {
                    tally.absolute -= 1;
                    tally.rewritten += 1;
                }
            }
        }
    }
}

/// What is shown of a place, as it is in the document.
struct ShownPlace<'d> {
    text: &'d str,
    element: &'d str,
}

impl<'d> ShownPlace<'d> {
    /// `None` if that takes more to tell.
    fn of(chunk: &Chunk<'d>, place: &UrlPlace, raw: &'d [u8]) -> Option<ShownPlace<'d>> {
        let element = &chunk.bytes[place.element.clone()];
        let is_attribute = matches!(place.delimiter, Delimiter::Attribute(_));
        // The rows of custom attributes have no attribute name.
        if !is_attribute
            || place.row.attribute.is_empty()
            || place.row.against != Against::Base
            || element.len() > NAME
            || element.iter().any(u8::is_ascii_uppercase)
        {
            return None;
        }
        Some(ShownPlace {
            text: std::str::from_utf8(raw).ok()?,
            element: std::str::from_utf8(element).ok()?,
        })
    }
}

/// Whether a value is ASCII without character references and white space.
fn is_literal(raw: &[u8]) -> bool {
    let other = |other, &byte: &u8| other | !matches!(byte, b'!'..=b'~') | (byte == b'&');
    !raw.iter().fold(false, other)
}
