//! The references of one document, and of the documents inside it: judged, shown, and rewritten.

use std::borrow::Cow;
use std::ops::Range;

use super::attributes::Against;
use super::encoding::Charset;
use super::growth::{self, Growth};
use super::locate::xml::Allowance;
use super::moment::{self, Moments};
use super::places::{Declared, Delimiter, Place, Places};
use super::references::{self, FoundReference};
use super::resolve::{Fast, ReferenceResolver, Resolution};
use super::splice::Edits;
use super::value::{self, Replacements, Target, Value};
use super::{Outcome, Reference, Settings, Syntax, Tally, ValueKind};
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::{self, Context, Established, Rung};

/// How deep `srcdoc` documents in `srcdoc` documents are followed. Each level spells its
/// ampersands longer, so real ones end far earlier.
const MAX_DEPTH: usize = 16;

/// What is put down about a document on the way; other documents had the same memory before.
pub(super) struct Notes<'n> {
    pub(super) places: &'n mut Places,
    /// Takes what would make the references absolute.
    pub(super) edits: Option<&'n mut Edits>,
}

/// One pass over a document and the documents inside it.
pub(super) struct Pass<'p> {
    settings: &'p Settings,
    syntax: Syntax,
    pub(super) tally: Tally,
    /// What the references told about the document's URL.
    pub(super) confirmation: Confirmation,
    /// How much the entities of an XML document may still stand for.
    pub(super) allowance: Allowance,
    /// Whom references are shown to, if anybody looks.
    each: Option<&'p mut dyn FnMut(&Reference<'_>)>,
    /// Whether references will be shown, with the base URL of each.
    shows: bool,
    depth: usize,
    pub(super) growth: Growth,
    /// The document, or one around it, was gone through before to see how it grows.
    is_measured: bool,
    /// Of the place that is looked at; kept for its memory.
    replacements: Replacements,
}

impl<'p> Pass<'p> {
    pub(super) fn new(
        settings: &'p Settings,
        syntax: Syntax,
        each: Option<&'p mut dyn FnMut(&Reference<'_>)>,
        growth: Growth,
    ) -> Pass<'p> {
        Pass {
            settings,
            syntax,
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            shows: each.is_some(),
            allowance: Allowance::default(),
            each,
            depth: 0,
            growth,
            is_measured: false,
            replacements: Replacements::default(),
        }
    }

    /// A pass that only sees how a document grows. `shows`: what is shown of it counts as well.
    pub(super) fn measuring(
        settings: &'p Settings,
        syntax: Syntax,
        shows: bool,
        growth: Growth,
    ) -> Pass<'p> {
        Pass {
            shows,
            is_measured: true,
            ..Pass::new(settings, syntax, None, growth)
        }
    }

    /// Finds the references of one document; an error where it has to be left as it is.
    pub(super) fn document(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        context: &Context,
        notes: Notes<'_>,
    ) -> Result<Established, &'static str> {
        notes
            .places
            .find(document, self.syntax, self.settings.groups);
        self.located(document, charset, context, notes)
    }

    /// The references of a document whose places were found.
    pub(super) fn located(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        context: &Context,
        notes: Notes<'_>,
    ) -> Result<Established, &'static str> {
        let Notes { places, edits } = notes;
        let embedded = places.base_href(document, charset, self.syntax)?;
        let mut established = base::establish(embedded.as_deref(), context, self.settings.resolver);
        let mut resolver = ReferenceResolver::new(self.settings, context, &established, charset);
        let settled = places.bases.last().map_or(0, |last| last.at);
        let moments = || Moments::new(context, self.settings.resolver, None, settled);
        let varies = places.bases.len() > 1 || places.has_codebases();
        if !self.is_measured && (varies || growth::is_long(&established, context, self.depth)) {
            let mut measuring =
                Pass::measuring(self.settings, self.syntax, self.shows, self.growth);
            measuring.depth = self.depth;
            measuring.places(
                document,
                charset,
                places,
                &mut resolver,
                &mut moments(),
                None,
            );
            if measuring.growth.is_exceeded() {
                self.growth = measuring.growth;
                return Ok(established);
            }
            self.is_measured = true;
        }
        let mut moments = moments();
        self.places(
            document,
            charset,
            places,
            &mut resolver,
            &mut moments,
            edits,
        );
        established.take(&self.confirmation);
        Ok(established)
    }

    /// The references of some places.
    pub(super) fn places(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        places: &Places,
        resolver: &mut ReferenceResolver<'_>,
        moments: &mut Moments<'_>,
        mut edits: Option<&mut Edits>,
    ) {
        let attribute = Delimiter::Attribute(super::locate::Quote::Double);
        // Whoever looks at references wants to know more than what is to be done.
        let at_once = !self.shows;
        let mut reading = places.reading(self.syntax, self.allowance);
        let (mut last, mut ascending) = (0, true);
        for (index, place) in places.list.iter().enumerate() {
            if self.growth.is_exceeded() {
                return;
            }
            // An element's content comes before the child elements in it.
            ascending &= last <= place.value.start;
            last = place.value.end;
            if place.delimiter == Delimiter::Declared
                && let Some(declared) = places.declared(index)
            {
                reading.are_declared = true;
                let value = Value::decode(&declared.raw, declared.delimiter, charset, &mut reading);
                reading.are_declared = false;
                self.declared(place, declared, &value, resolver);
                continue;
            }
            let raw = &document[place.value.clone()];
            let is_early = moments.concern(place);
            let short = (at_once && !is_early)
                .then(|| resolver.fast_path(place.row, raw))
                .flatten();
            match short {
                Some(Fast::Absolute) => {
                    self.tally.count(Outcome::Absolute, false);
                    continue;
                }
                Some(Fast::Relative { new, dropped }) if value::fits(new, place.delimiter) => {
                    self.tally.count(Outcome::Relative, false);
                    self.growth.add((new.len() + raw.len() - dropped) as u64);
                    if let Some(edits) = &mut edits {
                        let start = place.value.start;
                        edits.push_ascii(start..start + dropped, new);
                    }
                    continue;
                }
                _ => {}
            }
            let value = Value::decode(raw, place.delimiter, charset, &mut reading);
            if place.row.against == Against::Codebase {
                let codebase = places.codebase(index).map(|codebase| {
                    let raw = &document[codebase];
                    Value::decode(raw, attribute, charset, &mut reading)
                });
                resolver.set_codebase(codebase.as_ref().map(|value| &*value.text));
            }
            if is_early && moment::is_heeded_at_once(place, document) {
                let moment = moments.at(place, places, document, charset, self.syntax);
                resolver.set_moment(Some(moment.clone()));
            }
            let edits = edits.as_deref_mut();
            self.place(document, charset, place, &value, resolver, edits);
            if is_early {
                resolver.set_moment(None);
            }
        }
        if let Some(confirmation) = resolver.confirmation() {
            self.confirmation.merge(confirmation);
        }
        self.allowance = reading.allowance;
        if let Some(edits) = edits.filter(|_| !ascending) {
            edits.sort();
        }
    }

    /// The references of one place.
    fn place(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        place: &Place,
        value: &Value<'_>,
        resolver: &mut ReferenceResolver<'_>,
        edits: Option<&mut Edits>,
    ) {
        let start = place.value.start;
        self.replacements.clear();
        let wants_edits = edits.is_some();
        let element = || match place.delimiter {
            Delimiter::Attribute(_) => element_name(&document[place.element.clone()]),
            _ => Cow::Borrowed(place.row.text_element()),
        };
        if place.row.kind == ValueKind::Srcdoc && value.is_unknown {
            self.unknown_document(place, &value.text, &element());
        } else if place.row.kind == ValueKind::Srcdoc {
            self.srcdoc(start, value, &resolver.inner_context(), wants_edits);
        } else {
            references::each(place.row.kind, &value.text, &mut |found: FoundReference<
                '_,
            >| {
                if self.growth.is_exceeded() {
                    return;
                }
                let Some(mut resolution) = resolver.resolve(place.row, &found.value) else {
                    return;
                };
                if value.is_unknown {
                    resolution.cannot_be_resolved();
                }
                if let (Outcome::Relative, Some(absolute)) =
                    (resolution.outcome, resolution.resolved)
                {
                    self.growth.add(growth::cost(absolute, self.depth));
                }
                let span = || {
                    let span = value.span(found.range.clone());
                    start + span.start..start + span.end
                };
                self.show(place, &resolution, &element, span);
                if let (Outcome::Relative, Some(absolute), true) =
                    (resolution.outcome, resolution.resolved, wants_edits)
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

    /// Counts a reference, and shows it to whom it may concern.
    fn show<'e>(
        &mut self,
        place: &Place,
        resolution: &Resolution<'_>,
        element: &dyn Fn() -> Cow<'e, str>,
        span: impl FnOnce() -> Range<usize>,
    ) {
        self.tally
            .count(resolution.outcome, resolution.divergence.is_some());
        self.tally.file_names += u64::from(resolution.is_certain_name);
        self.tally.guesses += u64::from(resolution.is_guess);
        self.tally.before_base += u64::from(resolution.is_before_base());
        if self.shows {
            // A reference may be what an entity stands for, and a browser may have another base.
            let browser = (resolution.divergence.as_ref()).and_then(|it| it.browser.as_ref());
            let shown = [
                resolution.base,
                Some(&resolution.reference),
                browser.map(|it| it.as_str()),
            ];
            let shown = shown.into_iter().flatten().map(str::len).sum::<usize>();
            self.growth.shown = self.growth.shown.saturating_add(shown as u64);
        }
        if let Some(each) = &mut self.each {
            each(&Reference {
                span: span(),
                element: &element(),
                attribute: place.row.attribute,
                kind: place.row.kind,
                reference: &resolution.reference,
                absolute: resolution.absolute(),
                base: resolution.base,
                base_from: resolution.base_from,
                outcome: resolution.outcome,
                divergent: resolution.divergence.as_ref(),
            });
        }
    }

    /// The references of a place whose value the document type declaration spells: what is relative
    /// stays so, since what is written there may have its effect in several places.
    fn declared(
        &mut self,
        place: &Place,
        declared: &Declared,
        value: &Value<'_>,
        resolver: &mut ReferenceResolver<'_>,
    ) {
        let element = || match declared.delimiter {
            Delimiter::Attribute(_) => element_name(&declared.element),
            _ => Cow::Borrowed(place.row.text_element()),
        };
        if place.row.kind == ValueKind::Srcdoc {
            return self.unknown_document(place, &value.text, &element());
        }
        references::each(place.row.kind, &value.text, &mut |found: FoundReference<
            '_,
        >| {
            if self.growth.is_exceeded() {
                return;
            }
            if let Some(mut resolution) = resolver.resolve(place.row, &found.value) {
                resolution.cannot_be_resolved();
                self.show(place, &resolution, &element, || place.value.clone());
            }
        });
    }

    /// A `srcdoc` document whose references cannot be told, or not be written: it counts as one.
    fn unknown_document(&mut self, place: &Place, text: &str, element: &str) {
        self.tally.count(Outcome::Unresolved, false);
        if let Some(each) = &mut self.each {
            each(&Reference {
                span: place.value.clone(),
                element,
                attribute: place.row.attribute,
                kind: place.row.kind,
                reference: text,
                absolute: None,
                base: None,
                base_from: Rung::None,
                outcome: Outcome::Unresolved,
                divergent: None,
            });
        }
    }

    /// A document in an attribute: its fallback base URL is this document's base URL (HTML
    /// standard, "fallback base URL").
    fn srcdoc(&mut self, start: usize, value: &Value<'_>, context: &Context, wants_edits: bool) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let text: &str = &value.text;
        let (mut places, mut edits) = (Places::default(), Edits::default());
        let mut located = self.each.as_deref_mut().map(|each| {
            move |reference: &Reference<'_>| {
                let span = value.span(reference.span.clone());
                let span = start + span.start..start + span.end;
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
            each,
            shows: self.shows,
            depth: self.depth + 1,
            is_measured: self.is_measured,
            // srcdoc is text/html also in an XHTML document.
            ..Pass::new(self.settings, Syntax::Html, None, self.growth)
        };
        let charset = Charset::utf8(text);
        // HTML gives no reason to leave a document.
        let _ = inner.document(
            text.as_bytes(),
            &charset,
            context,
            Notes {
                places: &mut places,
                edits: wants_edits.then_some(&mut edits),
            },
        );
        self.tally.merge(&inner.tally);
        self.growth = inner.growth;
        if self.growth.is_exceeded() {
            return;
        }
        for (range, new) in edits.iter() {
            let new = String::from_utf8_lossy(new);
            self.replacements.push(range, |out| out.push_str(&new));
        }
    }
}

/// The name of an element as it is shown.
fn element_name(spelled: &[u8]) -> Cow<'static, str> {
    let name = spelled.to_ascii_lowercase();
    Cow::Owned(String::from_utf8_lossy(&name).into_owned())
}
