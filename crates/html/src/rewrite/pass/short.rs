//! The short way: for a value that is one URL and whose raw bytes decide what becomes of it.
//! It finds and shows what the long way does.

use super::super::sink::Sink;
use super::super::write_back;
use super::facts::{count_file, is_pinned, is_relative_path};
use super::place_view::NAME;
use super::{Outcome, Pass, To};
use crate::places::attributes::Against;
use crate::places::list::UrlPlace;
use crate::report::reference::Reference;
use crate::resolve::form::WrittenForm;
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
        let spelled = || plain_element(chunk, place).zip(std::str::from_utf8(raw).ok());
        let spelled = shows.then(spelled).flatten();
        // A relative one has been checked, and stands for itself.
        if shows && (spelled.is_none() || found.outcome == Outcome::Absolute && !is_literal(raw)) {
            return false;
        }
        let (outcome, before, dropped) = (found.outcome, found.before, found.dropped);
        let (form, changes) = (found.form, found.changes);
        let (start, field) = (place.value.start, self.context.field);
        let in_full = form == WrittenForm::InFull;
        if changes {
            let (new, end) = if in_full {
                (before, dropped)
            } else {
                (&*self.form, raw.len())
            };
            if !write_back::fits(new, place.delimiter, field) {
                return false;
            }
            self.growth.add((new.len() + raw.len() - end) as u64);
            match &mut sink.edits {
                Some(edits) if in_full => edits.push_shared(start..start + end, new),
                Some(edits) => edits.push(start..start + end, |out| out.push_str(new)),
                None => {}
            }
        }
        self.tally.count(outcome, false);
        self.count_written(outcome, form, changes);
        if form == WrittenForm::Outside {
            self.count_alias(std::str::from_utf8(raw).ok());
        }
        if self.context.surroundings.is_some() && outcome == Outcome::Relative {
            self.tally.from_root[2] += u64::from(is_relative_path(raw));
        }
        if changes && outcome == Outcome::Relative && self.starts_from_name(place.row, raw) {
            self.tally.query_names += 1;
        }
        if outcome == Outcome::Relative && self.settings.to == To::Files {
            let to = if changes { self.form.as_bytes() } else { raw };
            let (tally, attribute) = (&mut self.tally, place.row.attribute);
            count_file(tally, chunk, place, attribute, to, false);
        }
        let base = resolver.shown_base();
        let length = base.map_or(0, str::len) + raw.len();
        self.growth.show(outcome, length);
        if base.is_none() && outcome == Outcome::Relative && raw.starts_with(b"/") {
            self.tally.nameless += 1;
        }
        if let (Some(each), Some((element, text))) = (&mut sink.each, spelled)
            && !self.growth.is_exceeded()
        {
            self.absolute.clear();
            self.absolute.push_str(before);
            self.absolute.push_str(&text[dropped..]);
            let start = chunk.start + place.value.start;
            let document_base = resolver.rules.document_base;
            let is_known = base.is_some() || outcome == Outcome::Absolute;
            each(&Reference {
                span: start..start + raw.len(),
                element,
                attribute: place.row.attribute,
                kind: place.row.kind,
                reference: text,
                absolute: is_known.then_some(&*self.absolute),
                base,
                base_from: document_base.source,
                outcome,
                to: changes.then_some(if in_full { &self.absolute } else { &self.form }),
                divergent: None,
            });
        }
        true
    }
}

/// The name of a place's element, where it is shown as it is in the document; `None` if that takes more to tell.
fn plain_element<'d>(chunk: &Chunk<'d>, place: &UrlPlace) -> Option<&'d str> {
    let element = &chunk.bytes[place.element.clone()];
    // The rows of custom attributes have no attribute name.
    let is_plain = matches!(place.delimiter, Delimiter::Attribute(_))
        && !place.row.attribute.is_empty()
        && place.row.against == Against::Base
        && element.len() <= NAME
        && !element.iter().any(u8::is_ascii_uppercase);
    is_plain.then(|| std::str::from_utf8(element).ok())?
}

/// Whether a value is ASCII without character references and white space.
fn is_literal(raw: &[u8]) -> bool {
    let other = |other, &byte: &u8| other | !matches!(byte, b'!'..=b'~') | (byte == b'&');
    !raw.iter().fold(false, other)
}
