//! Values in HTML, for the crate below this one.

use std::rc::Rc;

use abslink_html::given_places::ValueReader;
use abslink_html::{self as html, Context, DocumentRewriter, Edit, Reference, Settings};

use super::steps::Target;
use super::{Expected, Holds, Part, Reading, grammar};
use crate::examined::Examined;

/// Takes apart the values in HTML: in the texts of feeds, and in the blocks of WordPress.
#[derive(Debug)]
pub(crate) struct Values;

impl ValueReader for Values {
    fn read(
        &self,
        text: &str,
        context: &Context,
        settings: &Settings,
        each: Option<&mut dyn FnMut(&Reference<'_>)>,
    ) -> Option<(html::Examined, Vec<Edit>)> {
        let grammar = grammar(text, Holds::Html);
        // Where no markup is, nothing changes that could break it.
        let is_left = |_: &Expected| text.contains('<');
        if !(grammar.as_ref()).map_or_else(is_left, Option::is_some) {
            return None;
        }
        let rewriter = &mut DocumentRewriter::default();
        let (mut examined, mut broken) = (Examined::default(), Vec::new());
        let mut reading = Reading {
            name: "",
            context,
            read_other: &|_, _, _| Default::default(),
            settings,
            rewriter,
            texts: &mut None,
            edits: Vec::new(),
            each,
            examined: &mut examined,
            broken: &mut broken,
        };
        let mut part = Part {
            text,
            targets: &Rc::from([Target::all(Holds::Html)]),
            place: &mut |part| part,
            depth: 0,
        };
        reading.text_in(grammar, &mut part);
        reading.tally();
        let edits = reading.edits.into_iter();
        let edits = edits.map(|(old, new)| (old, rewriter.new[new].to_vec()));
        let mut examined = examined.whole?;
        let broken = broken.into_iter();
        examined.broken = broken.map(|it| (it.byte - 1, it.what)).collect();
        Some((examined, edits.collect()))
    }
}
