//! Where the findings in a document go.

use std::ops::Range;

use crate::base::Context;
use crate::report::examined::Examined;
use crate::report::reference::Reference;
use crate::settings::Settings;
use crate::text::encoding::Charset;
use crate::text::encoding::offsets::Offsets;
use crate::text::splice::{Edit, Edits};

/// Takes texts apart that are values with a grammar of their own, such as JSON: a crate above this one has the decoders.
#[doc(hidden)]
pub trait ValueReader: std::fmt::Debug + Sync {
    /// Shows the references in a value, or makes edits of it if nobody sees them; `None` if the text is not a value.
    fn read(
        &self,
        text: &str,
        context: &Context,
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Option<(Examined, Vec<Edit>)>;
}

/// Takes the references of a document, or only lets them be counted.
#[derive(Default)]
pub(crate) struct Sink<'s> {
    /// What takes the values in it apart.
    pub(crate) values: Option<&'s dyn ValueReader>,
    /// Gets each reference, if they are wanted.
    pub(crate) each: Option<&'s mut dyn FnMut(&Reference<'_>)>,
    /// Takes the edits that make the references absolute.
    pub(crate) edits: Option<&'s mut Edits>,
}

impl Sink<'_> {
    /// Does work on text that is decoded from this sink's text: `source` says where in that a span
    /// of the decoded text is, and `edits` takes the edits of the decoded text. The references in the text of an
    /// element are shown as parts of that.
    pub(crate) fn inside<T>(
        &mut self,
        element: Option<&str>,
        mut source: impl FnMut(Range<usize>) -> Range<usize>,
        edits: &mut Edits,
        work: impl FnOnce(&mut Sink<'_>) -> T,
    ) -> T {
        let mut moved = self.each.as_deref_mut().map(|each| {
            move |reference: &Reference<'_>| {
                let moved = reference.at(source(reference.span.clone()));
                match element {
                    None => each(&moved),
                    Some(element) => {
                        let element = &format!("{element} > {}", moved.element);
                        each(&Reference { element, ..moved });
                    }
                }
            }
        });
        let each = moved.as_mut();
        work(&mut Sink {
            values: self.values,
            each: each.map(|each| each as &mut dyn FnMut(&Reference<'_>)),
            edits: self.edits.is_some().then_some(edits),
        })
    }

    /// The same for the `text` of a document in `charset`, whose encoding is decoded as a whole: the edits of the text
    /// become one of `bytes`, unless `work` says that they are too much.
    pub(crate) fn inside_decoded<T>(
        &mut self,
        charset: &Charset<'_>,
        text: &str,
        bytes: &[u8],
        work: impl FnOnce(&mut Sink<'_>) -> (T, bool),
    ) -> T {
        let mut offsets = Offsets::new(text, charset.encoding(), charset.bom);
        let source = |span: Range<usize>| offsets.source(span.start)..offsets.source(span.end);
        let mut new = Edits::default();
        let (done, is_too_much) = self.inside(None, source, &mut new, work);
        new.sort();
        if !new.is_empty()
            && !is_too_much
            && let Some(edits) = &mut self.edits
        {
            edits.push_decoded(charset.bom..bytes.len(), text, new);
        }
        done
    }
}
