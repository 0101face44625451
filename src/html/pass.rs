//! The references of one document, and of the documents inside it: judged, shown, and rewritten.

use std::borrow::Cow;

use super::attributes::Against;
use super::encoding::Charset;
use super::growth::{self, Growth};
use super::judge::{Judge, Short};
use super::moment::{self, Moments};
use super::places::{Delimiter, Place, Places};
use super::references::{self, Found};
use super::splice::Edits;
use super::value::{self, Replacements, Target, Value};
use super::{Kind, Outcome, Reference, Settings, Syntax, Tally};
use crate::base::retrieval::confirmation::Confirmation;
use crate::base::{self, Context, Established};

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

    /// Finds the references of one document.
    pub(super) fn document(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        context: &Context,
        notes: Notes<'_>,
    ) -> Established {
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
    ) -> Established {
        let Notes { places, edits } = notes;
        let embedded = places.base_href(document, charset, self.syntax);
        let mut established = base::establish(embedded.as_deref(), context, self.settings.resolver);
        let mut judge = Judge::new(self.settings, context, &established, charset);
        let settled = places.bases.last().map_or(0, |last| last.at);
        let moments = || Moments::new(context, self.settings.resolver, None, settled);
        let varies = places.bases.len() > 1 || places.has_codebases();
        if !self.is_measured && (varies || growth::is_long(&established, context, self.depth)) {
            let mut measuring =
                Pass::measuring(self.settings, self.syntax, self.shows, self.growth);
            measuring.depth = self.depth;
            measuring.places(document, charset, places, &mut judge, &mut moments(), None);
            if measuring.growth.is_exceeded() {
                self.growth = measuring.growth;
                return established;
            }
            self.is_measured = true;
        }
        let mut moments = moments();
        self.places(document, charset, places, &mut judge, &mut moments, edits);
        established.take(&self.confirmation);
        established
    }

    /// The references of some places.
    pub(super) fn places(
        &mut self,
        document: &[u8],
        charset: &Charset<'_>,
        places: &Places,
        judge: &mut Judge<'_>,
        moments: &mut Moments<'_>,
        mut edits: Option<&mut Edits>,
    ) {
        let attribute = Delimiter::Attribute(super::locate::Quote::Double);
        // Whoever looks at references wants to know more than what is to be done.
        let at_once = !self.shows;
        for (index, place) in places.list.iter().enumerate() {
            if self.growth.is_exceeded() {
                return;
            }
            let raw = &document[place.value.clone()];
            let is_early = moments.concern(place);
            let short = (at_once && !is_early)
                .then(|| judge.judge_at_once(place.row, raw))
                .flatten();
            match short {
                Some(Short::Absolute) => {
                    self.tally.count(Outcome::Absolute, false);
                    continue;
                }
                Some(Short::Relative { new, dropped }) if value::fits(new, place.delimiter) => {
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
            let value = Value::decode(raw, place.delimiter, charset, self.syntax);
            if place.row.against == Against::Codebase {
                let codebase = places.codebase(index).map(|codebase| {
                    let raw = &document[codebase];
                    Value::decode(raw, attribute, charset, self.syntax)
                });
                judge.set_codebase(codebase.as_ref().map(|value| &*value.text));
            }
            if is_early && moment::is_heeded_at_once(place, document) {
                let moment = moments.at(place, places, document, charset, self.syntax);
                judge.set_moment(Some(moment.clone()));
            }
            let edits = edits.as_deref_mut();
            self.place(document, charset, place, &value, judge, edits);
            if is_early {
                judge.set_moment(None);
            }
        }
        if let Some(confirmation) = judge.confirmation() {
            self.confirmation.merge(confirmation);
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
        if place.row.kind == Kind::Srcdoc {
            self.srcdoc(start, value, &judge.inner_context(), wants_edits);
        } else {
            references::each(place.row.kind, &value.text, &mut |found: Found<'_>| {
                if self.growth.is_exceeded() {
                    return;
                }
                let Some(verdict) = judge.judge(place.row, &found.value) else {
                    return;
                };
                self.tally
                    .count(verdict.outcome, verdict.divergence.is_some());
                self.tally.file_names += u64::from(verdict.is_certain_name);
                self.tally.guesses += u64::from(verdict.is_guess);
                self.tally.before_base += u64::from(verdict.is_before_base());
                if let (Outcome::Relative, Some(absolute)) = (verdict.outcome, verdict.resolved) {
                    self.growth.add(growth::cost(absolute, self.depth));
                }
                if self.shows {
                    self.growth.shown += verdict.base.map_or(0, |base| base.len() as u64);
                }
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
    fn srcdoc(&mut self, start: usize, value: &Value<'_>, context: &Context, wants_edits: bool) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let text: &str = &value.text;
        let (mut places, mut edits) = (Places::default(), Edits::default());
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
            each,
            shows: self.shows,
            depth: self.depth + 1,
            is_measured: self.is_measured,
            // srcdoc is text/html also in an XHTML document.
            ..Pass::new(self.settings, Syntax::Html, None, self.growth)
        };
        let charset = Charset::utf8(text);
        inner.document(
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
