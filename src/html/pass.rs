//! The references of one document, and of the documents inside it: judged, shown, and rewritten.

use std::borrow::Cow;

use super::attributes::Against;
use super::encoding::Charset;
use super::judge::{Judge, Short};
use super::places::{Delimiter, Place, Places};
use super::references::{self, Found};
use super::splice::Edits;
use super::value::{self, Replacements, Target, Value};
use super::{Outcome, Reference, Settings, Syntax, Tally};
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
    depth: usize,
    /// Of the place that is looked at; kept for its memory.
    replacements: Replacements,
}

impl<'p> Pass<'p> {
    pub(super) fn new(
        settings: &'p Settings,
        syntax: Syntax,
        each: Option<&'p mut dyn FnMut(&Reference<'_>)>,
    ) -> Pass<'p> {
        Pass {
            settings,
            syntax,
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            each,
            depth: 0,
            replacements: Replacements::default(),
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
        self.places(document, charset, places, &mut judge, edits);
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
        mut edits: Option<&mut Edits>,
    ) {
        let attribute = Delimiter::Attribute(super::locate::Quote::Double);
        // Whoever looks at references wants to know more than what is to be done.
        let at_once = self.each.is_none();
        for (index, place) in places.list.iter().enumerate() {
            let raw = &document[place.value.clone()];
            let short = at_once
                .then(|| judge.judge_at_once(place.row, raw))
                .flatten();
            match short {
                Some(Short::Absolute) => {
                    self.tally.count(Outcome::Absolute, false);
                    continue;
                }
                Some(Short::Relative { new, dropped }) if value::fits(new, place.delimiter) => {
                    self.tally.count(Outcome::Relative, false);
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
            self.place(
                document,
                charset,
                place,
                &value,
                judge,
                edits.as_deref_mut(),
            );
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
        if place.row.kind == super::Kind::Srcdoc {
            self.srcdoc(start, value, judge, wants_edits);
        } else {
            references::each(place.row.kind, &value.text, &mut |found: Found<'_>| {
                let Some(verdict) = judge.judge(place.row, &found.value) else {
                    return;
                };
                self.tally
                    .count(verdict.outcome, verdict.divergence.is_some());
                self.tally.file_names += u64::from(verdict.is_certain_name);
                self.tally.guesses += u64::from(verdict.is_guess);
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
    fn srcdoc(&mut self, start: usize, value: &Value<'_>, judge: &Judge<'_>, wants_edits: bool) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let context = Context {
            entity: judge.base().cloned(),
            mirror: judge.mirror().cloned(),
            ..Context::default()
        };
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
            // srcdoc is text/html also in an XHTML document.
            syntax: Syntax::Html,
            tally: Tally::default(),
            confirmation: Confirmation::default(),
            each,
            depth: self.depth + 1,
            replacements: Replacements::default(),
        };
        let charset = Charset::utf8(text);
        inner.document(
            text.as_bytes(),
            &charset,
            &context,
            Notes {
                places: &mut places,
                edits: wants_edits.then_some(&mut edits),
            },
        );
        self.tally.merge(&inner.tally);
        for (range, new) in edits.iter() {
            let new = String::from_utf8_lossy(new);
            self.replacements.push(range, |out| out.push_str(&new));
        }
    }
}
