//! The references of one document, and of the documents inside it: resolved, shown, and rewritten.

mod counts;
pub(super) mod facts;
mod inside;
mod place_view;
mod short;

use std::ops::Range;

use super::remove_base::{self, Survey};
use super::sink::Sink;
use super::write_back;
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::{Context, DocumentBase, Retrieval};
use crate::locate::Quote;
use crate::places::attributes::{Against, ValueKind};
use crate::places::groups::Group;
use crate::places::list::Places;
use crate::report::growth::{self, Growth};
use crate::report::outcome::Outcome;
use crate::report::reference::Reference;
use crate::report::tally::Tally;
use crate::resolve::document_base::document_base_in;
use crate::resolve::early_base::{self, EarlyBase};
use crate::resolve::form::Replacement;
use crate::resolve::replay::is_wrapped;
use crate::resolve::resolution::Resolution;
use crate::resolve::resolver::ReferenceResolver;
use crate::settings::Settings;
use crate::settings::site::To;
use crate::text::chunk::Chunk;
use crate::text::splice::Edits;
use crate::text::value::{Delimiter, Value};
use crate::values::found::FoundReference;
use crate::values::{json, references};
use facts::allows_by_hash;
use place_view::PlaceView;

/// One pass over a document, chunk by chunk, and over the documents inside it.
#[derive(Clone)]
pub(crate) struct Pass<'p> {
    pub(super) settings: &'p Settings,
    pub(super) context: &'p Context,
    early_base: EarlyBase<'p>,
    pub(crate) tally: Tally,
    pub(crate) confirmation: Confirmation,
    pub(crate) growth: Growth,
    /// Where values break off, and what was expected.
    pub(crate) broken: Vec<(usize, String)>,
    /// Where the places begin that are values, which what reads them has compared.
    pub(crate) values: Vec<usize>,
    depth: usize,
    /// This chunk, or the one around it, was measured and fits the limit.
    is_measured: bool,
    /// For a pass that only looks which references need the `base` element.
    survey: Option<&'p Survey>,
    /// The group that is off, if all references here are only counted for that.
    off_group: Option<Group>,
    /// New text for the current value; its memory is reused.
    replacements: Edits,
    /// The absolute form of a reference that is shown; its memory is reused.
    absolute: String,
    /// What a reference becomes in another form; its memory is reused.
    form: String,
    /// Something changed that a page may allow by a hash.
    changes_hashed: bool,
    /// The document has a name with a query in it, which is read as a part of the path.
    has_query_name: bool,
    /// It is a page of a web archive.
    is_replayed: bool,
}

impl<'p> Pass<'p> {
    /// At the start of a document whose `base` element that counts is at `base_final_from`.
    pub(crate) fn new(
        settings: &'p Settings,
        context: &'p Context,
        base_final_from: usize,
        growth: Growth,
    ) -> Pass<'p> {
        let own = context.retrieval.as_ref();
        Pass {
            settings,
            context,
            early_base: EarlyBase::new(context, settings, base_final_from),
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            growth,
            broken: Vec::new(),
            values: Vec::new(),
            depth: 0,
            is_measured: false,
            survey: None,
            off_group: None,
            replacements: Edits::default(),
            absolute: String::new(),
            form: String::new(),
            changes_hashed: false,
            has_query_name: own.is_some_and(Retrieval::has_query_name),
            is_replayed: own.is_some_and(|own| is_wrapped(own.url.without_fragment())),
        }
    }

    /// Forgets what was found: another document follows, without a `base` element as the one before.
    pub(super) fn restart(&mut self, growth: Growth) {
        (self.tally, self.growth) = (Tally::default(), growth);
        self.broken.clear();
        self.values.clear();
        (self.is_measured, self.changes_hashed) = (false, false);
    }

    /// The references of a document that is one chunk, whose places were found; an error if it
    /// has to be left as it is.
    pub(crate) fn whole(
        &mut self,
        chunk: &Chunk<'_>,
        places: &Places,
        sink: &mut Sink<'_>,
    ) -> Result<DocumentBase, &'static str> {
        let embedded = places.base_href(chunk)?;
        let (charset, embedded) = (chunk.charset, embedded.as_deref());
        let mut document_base = document_base_in(charset, embedded, self.context, self.settings);
        if document_base.becomes.is_some() && places.base_is_ignored() {
            document_base.becomes = None;
        }
        let cuts = self.cuts(&mut document_base, chunk, places);
        self.chunk(&document_base, chunk, places, sink);
        if !cuts.is_empty()
            && !self.growth.is_exceeded()
            && let Some(edits) = sink.edits.as_deref_mut()
        {
            cuts.into_iter().for_each(|cut| edits.push(cut, |_| {}));
            edits.sort();
        }
        document_base.take(&self.confirmation);
        self.count_hashed(|| allows_by_hash(chunk.bytes));
        Ok(document_base)
    }

    pub(crate) fn count_hashed(&mut self, allows: impl FnOnce() -> bool) {
        let is_page = self.depth == 0 && self.changes_hashed;
        self.tally.hashed += u64::from(is_page && allows());
    }

    /// What is cut out of the document to take its `base` elements out, if no reference depends on them
    /// afterwards.
    fn cuts(
        &mut self,
        document_base: &mut DocumentBase,
        chunk: &Chunk<'_>,
        places: &Places,
    ) -> Vec<Range<usize>> {
        let is_wanted = self.settings.removes_base() && self.depth == 0 && !self.context.keeps_base;
        if !is_wanted || !places.list.iter().any(remove_base::is_active_base) {
            return Vec::new();
        }
        let Some(cuts) = remove_base::cuts(chunk, places) else {
            return Vec::new();
        };
        let survey = Survey::new(self.settings, self.context, places, document_base);
        let settings = self.settings.with_all_groups();
        let mut all = Places::default();
        all.find(chunk.bytes, chunk.syntax, settings.wanted_in(self.context));
        document_base.is_removed = true;
        let mut pass = Pass::new(&settings, self.context, all.base_final_from(), self.growth);
        pass.survey = Some(&survey);
        pass.chunk(document_base, chunk, &all, &mut Sink::default());
        self.tally.base_needed_by = pass.tally.base_needed_by;
        if pass.tally.base_needed_by.is_some() || pass.growth.is_exceeded() {
            document_base.is_removed = false;
            return Vec::new();
        }
        self.tally.scripted += u64::from(remove_base::has_scripts(chunk.bytes));
        cuts
    }

    pub(crate) fn chunk(
        &mut self,
        document_base: &DocumentBase,
        chunk: &Chunk<'_>,
        places: &Places,
        sink: &mut Sink<'_>,
    ) {
        self.tally.in_values[0] += places.relative_in_blocks;
        self.part(document_base, chunk, places, 0..places.list.len(), sink);
    }

    pub(crate) fn part(
        &mut self,
        document_base: &DocumentBase,
        chunk: &Chunk<'_>,
        places: &Places,
        within: Range<usize>,
        sink: &mut Sink<'_>,
    ) {
        self.growth.lists |= sink.each.is_some();
        if within.is_empty() {
            return;
        }
        let (settings, context) = (self.settings, self.context);
        let mut resolver = ReferenceResolver::new(
            settings,
            context,
            document_base,
            chunk.charset,
            self.is_replayed,
        );
        // What was shown cannot be taken back.
        if sink.each.is_some() && !self.is_measured && self.may_outgrow(document_base, places) {
            let mut measuring = self.clone();
            let sink = &mut Sink::default();
            measuring.places(chunk, places, within.clone(), &mut resolver, sink);
            if measuring.growth.is_exceeded() {
                self.growth = measuring.growth;
                return;
            }
            self.is_measured = true;
        }
        self.places(chunk, places, within, &mut resolver, sink);
    }

    fn may_outgrow(&self, document_base: &DocumentBase, places: &Places) -> bool {
        places.bases.len() > 1
            || !places.codebases.is_empty()
            || growth::is_long(document_base, self.context, self.settings, self.depth)
    }

    pub(crate) fn leave(&mut self, chunk: &Chunk<'_>, places: &Places) {
        self.early_base.leave(places, chunk);
        self.is_measured = false;
    }

    fn places(
        &mut self,
        chunk: &Chunk<'_>,
        places: &Places,
        within: Range<usize>,
        resolver: &mut ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        let value_context = places.value_context(chunk.charset, chunk.syntax);
        let (mut last, mut ascending) = (0, true);
        for index in within {
            let place = &places.list[index];
            if self.growth.is_exceeded() {
                return;
            }
            // An element's content comes before the child elements in it.
            ascending &= last <= place.value.start;
            last = place.value.end;
            let is_plain = place.delimiter.is_plain();
            let stays =
                !is_plain && matches!(place.delimiter, Delimiter::Declared | Delimiter::Ignored(_));
            let start = chunk.start + place.value.start;
            let is_early = !stays && start < self.early_base.base_final_from;
            let raw = &chunk.bytes[place.value.clone()];
            let off_group = place.off_group.or(self.off_group);
            if is_plain
                && !is_early
                && off_group.is_none()
                && self.short_way(chunk, place, raw, resolver, sink)
            {
                continue;
            }
            let value = Value::decode(raw, place.delimiter, &value_context);
            if place.row.against == Against::Codebase {
                let attribute = Delimiter::Attribute(Quote::Double);
                let codebase = places.codebase(index).map(|codebase| {
                    Value::decode(&chunk.bytes[codebase], attribute, &value_context)
                });
                match places.xml_base(index) {
                    Some(bases) => resolver.set_xml_base(bases),
                    None => resolver.set_codebase(codebase.as_ref().map(|value| &*value.text)),
                }
            }
            if place.row.kind == ValueKind::LinkedData {
                resolver.set_linked_data_base(json::linked_data_base(&value.text));
            }
            if is_early
                && early_base::is_fetched_while_parsing(place, places.attribute(index), chunk.bytes)
            {
                let current_base = self.early_base.at(place, places, chunk);
                resolver.rules.early_base = Some(current_base.clone());
            }
            let view = PlaceView {
                chunk,
                place,
                value: &value,
                label: places.label(index),
                coded: places.coded(index),
                attribute: places.attribute(index),
                off_group,
            };
            // What is only counted shows nothing about the document.
            let confirmation = off_group.and_then(|_| resolver.confirmation.take());
            self.place(&view, resolver, sink);
            if confirmation.is_some() {
                resolver.confirmation = confirmation;
            }
            if is_early {
                resolver.rules.early_base = None;
            }
        }
        if let Some(confirmation) = &resolver.confirmation {
            self.confirmation.merge(confirmation);
        }
        if let Some(edits) = sink.edits.as_deref_mut().filter(|_| !ascending) {
            edits.sort();
        }
    }

    fn place(
        &mut self,
        view: &PlaceView<'_>,
        resolver: &mut ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        let PlaceView { place, value, .. } = *view;
        self.replacements.clear();
        if place.row.kind != ValueKind::Srcdoc && !place.row.is_html() {
            let placeholders = self.settings.placeholders;
            references::each(place.row.kind, &value.text, placeholders, &mut |found| {
                self.reference(view, &found, resolver, sink);
            });
        } else if place.is_ignored() {
            // It counts as one reference, and so does what nobody can tell.
            let ignored = Resolution::ignored(&value.text);
            self.show(view, &ignored, None, sink);
        } else if view.cannot_be_resolved() {
            let unknown = Resolution::unresolved(&value.text);
            self.show(view, &unknown, None, sink);
        } else if place.row.is_html() {
            self.fragment(view, resolver, sink);
        } else {
            self.srcdoc(view, &resolver.inner_context(), sink);
        }
        if !self.replacements.is_empty()
            && !self.growth.is_exceeded()
            && let Some(edits) = &mut sink.edits
        {
            let field = self.context.field;
            write_back::write_back(view.chunk, place, value, &self.replacements, field, edits);
        }
    }

    fn reference(
        &mut self,
        view: &PlaceView<'_>,
        found: &FoundReference<'_>,
        resolver: &mut ReferenceResolver<'_>,
        sink: &mut Sink<'_>,
    ) {
        if self.growth.is_exceeded() {
            return;
        }
        let row = view.place.row;
        let is_removed = self.depth == 0 && resolver.rules.document_base.is_removed;
        let Some(mut resolution) = resolver.resolve(row, found) else {
            return;
        };
        let is_ignored = view.place.is_ignored();
        let is_unknown = view.cannot_be_resolved() || found.has_unknown_base;
        match self.settings.to {
            _ if is_ignored => resolution.ignore(),
            // Its target is not known here, but may be where it is used.
            to if is_unknown && (to == To::Keep || to.is_short() && found.has_unknown_base) => {
                resolution.stays();
            }
            _ if is_unknown => resolution.cannot_be_resolved(),
            _ => {}
        }
        if view.off_group.is_some() {
            return self.count_off(view, &resolution);
        }
        let mut is_cut = false;
        if self.settings.removes_base() && !is_ignored && remove_base::is_active_base(view.place) {
            is_cut = is_removed;
            self.tally.bases_removed += u64::from(is_cut);
            self.tally.bases_left += u64::from(!is_cut);
        }
        if is_cut {
            resolution.replacement = Replacement::absolute(Some(""));
        } else if let Some(to) = &resolution.replacement.to {
            self.growth.add(growth::cost(to, row.kind, self.depth));
        }
        self.show(view, &resolution, Some(found.span.clone()), sink);
        let is_hashed = row.kind == ValueKind::CssStylesheet
            || row.kind == ValueKind::ImportMap
            || row.attribute == "style";
        if let Some(to) = &resolution.replacement.to
            && !is_cut
        {
            self.changes_hashed |= is_hashed;
            if sink.edits.is_some() && !self.growth.is_exceeded() {
                self.replace(view, found, &to[..to.len() - resolution.unfilled]);
            }
        }
    }

    /// Puts a new reference in the place of one. From a placeholder on, the bytes stay.
    fn replace(&mut self, view: &PlaceView<'_>, found: &FoundReference<'_>, to: &str) {
        let (kind, charset) = (view.place.row.kind, view.chunk.charset);
        let (end, encode): (_, references::Encode) = match &found.template {
            Some(template) => (template.at, references::encode_beginning),
            None => (found.span.end, references::encode),
        };
        let span = found.span.start..end;
        (self.replacements).push(span, |out| encode(kind, found, to, charset, out));
    }

    /// Counts a reference, and shows it if that is wanted, and the limit allows it. `range` is where it is in the value's
    /// text; without one, it is the whole value.
    fn show(
        &mut self,
        view: &PlaceView<'_>,
        resolution: &Resolution<'_>,
        range: Option<Range<usize>>,
        sink: &mut Sink<'_>,
    ) {
        if view.off_group.is_some() {
            return self.count_off(view, resolution);
        }
        self.count(view, resolution);
        let divergence = resolution.divergence.as_ref();
        // The reference may come from an entity, and a browser may have another base.
        let browser = divergence.and_then(|it| it.browser.as_deref());
        let shown = [resolution.base, Some(&*resolution.reference), browser];
        let shown = shown.into_iter().flatten().map(str::len).sum::<usize>();
        self.growth.show(resolution.outcome, shown);
        if self.growth.is_exceeded() {
            return;
        }
        if let Some(each) = &mut sink.each {
            each(&Reference {
                span: view.in_document(range),
                element: &view.element(),
                attribute: view.attribute,
                kind: view.place.row.kind,
                reference: &resolution.reference,
                absolute: resolution.absolute(),
                base: resolution.base,
                base_from: resolution.base_from,
                outcome: resolution.outcome,
                to: resolution.replacement.to.as_deref(),
                divergent: divergence,
            });
        }
    }
}
