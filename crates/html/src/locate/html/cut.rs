//! Whether `base` elements can be taken out of a document: what is left has to be read as it was, by browsers with
//! and without scripts.

use std::ops::Range;

use super::super::{Handler, Namespace, StartTag};
use super::tokenizer::Tokenizer;
use super::tree::TreeBuilder;
use super::{Quiet, locate, tag};

/// Which of these elements, in the order of the document, leave the same tree without them, but for text on both
/// sides of one that becomes one node.
pub(crate) fn can_go(document: &[u8], elements: &[Range<usize>]) -> Vec<bool> {
    let mut can_go = vec![true; elements.len()];
    for scripting in [true, false] {
        let mut tokenizer = Tokenizer::new(document, scripting);
        let mut tree = TreeBuilder::new(scripting);
        for (element, can_go) in elements.iter().zip(&mut can_go) {
            // The tree never halts.
            let _ = tokenizer.run(&mut tree, &mut Quiet, element.start);
            *can_go &= tokenizer.position == element.start
                && tree.is_same_without_base(&document[element.end..]);
            if *can_go {
                tokenizer.position = element.end;
            }
        }
    }
    can_go
}

/// Whether the same `base` elements count with and without scripts. Where they do not, one that is left would count.
pub(crate) fn has_same_bases(document: &[u8]) -> bool {
    let [one, other] = [true, false].map(|scripting| {
        let mut bases = Bases(document, Vec::new());
        locate(document, scripting, &mut bases);
        bases.1
    });
    one == other
}

/// Where the names of the `base` elements are that count.
struct Bases<'d>(&'d [u8], Vec<usize>);

impl Handler for Bases<'_> {
    fn wants(&self, attribute: &[u8]) -> bool {
        tag::is(attribute, b"href")
    }

    fn wants_bare(&self) -> bool {
        false
    }

    fn start_tag(&mut self, tag: &StartTag<'_>) {
        let is_base = tag.namespace == Namespace::Html
            && self.0[tag.name.clone()].eq_ignore_ascii_case(b"base")
            && !tag.attributes.is_empty();
        if is_base && tag.base_applies {
            self.1.push(tag.name.start);
        }
    }
}
