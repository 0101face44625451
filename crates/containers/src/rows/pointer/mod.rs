//! Which strings of JSON a field names, by the steps of its pointer.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;
use std::rc::Rc;

use abslink_html::json::{Scanner, Token, decode};
use smallvec::{SmallVec, smallvec};

use crate::values::Holds;
use crate::values::decode::DecodedField;
use crate::values::json::Tokens;
use crate::values::may_hold_others;
use crate::values::steps::{Place, Step, Target};

/// What pointers lead to.
#[derive(Debug, Default)]
pub(super) struct PointerTargets<'t> {
    /// The strings that the pointers of documents lead to, in order.
    pub(super) documents: Vec<DocumentString<'t>>,
    /// What the URL is of each place, by the elements that lead to it.
    urls: BTreeMap<Vec<usize>, Range<usize>>,
    /// Whether there is what the URL's pointer leads to, if only a number.
    pub(super) has_url: bool,
}

/// A string, without its quotes, and what it says.
type Part = (Range<usize>, DecodedField);

/// A string that a document's pointer leads to, or an array of strings that are one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocumentString<'t> {
    /// The pointers that lead to it or into it, from there on. One that leads into it may come before one that leads
    /// to it.
    pub(super) targets: Rc<[Target<'t>]>,
    /// The numbers, from 0, of what its `*` stand for.
    pub(super) elements: Vec<usize>,
    /// The strings, without their quotes, and what they say: nearly every text is one.
    pub(super) parts: SmallVec<[Part; 1]>,
}

/// An object or array that is open.
struct OpenContainer<'j, 't> {
    place: Place<'j>,
    /// The pointers that lead here or further: one at least.
    targets: Vec<Target<'t>>,
    /// The pointer that leads to it if it is an array, and the strings in it, if it has nothing else.
    lines: Option<(Target<'t>, SmallVec<[Part; 1]>)>,
    /// How many documents were before it.
    documents: usize,
    /// Whether it is a cell of a notebook with something else than Markdown, and which document is its source.
    cell: (bool, Option<usize>),
}

/// What `pointers` lead to in `json`; nothing that counts, if it is not valid. That of the field `url` is the URL's, if
/// there is one so far. Those to Markdown lead to none in the code of a notebook.
///
/// Readers take the last of several members of one name. So it is for the URL; documents are found in all.
pub(super) fn find<'t>(json: &[u8], pointers: &[Target<'t>], url: usize) -> PointerTargets<'t> {
    let mut found = PointerTargets::default();
    let mut open = SmallVec::<[OpenContainer<'_, 't>; 2]>::new();
    // How many are open that no pointer leads into, which a hostile row may have millions of.
    let mut passed = 0_usize;
    let mut tokens = Tokens::new(json);
    while let Some((commas, token)) = tokens.next() {
        if passed > 0 {
            match token {
                Token::Object | Token::Array => passed += 1,
                Token::End => passed -= 1,
                Token::Key(_) | Token::String(_) => {}
            }
            continue;
        }
        if let Some(last) = open.last_mut() {
            last.place.number += commas;
        }
        match token {
            Token::Object | Token::Array => {
                let targets = led(&open, pointers).into_owned();
                // Only strings are a text.
                if let Some(last) = open.last_mut() {
                    last.lines = None;
                }
                if targets.is_empty() {
                    passed = 1;
                    continue;
                }
                let is_text = |it: &&Target<'_>| {
                    it.ends() && it.field != url && pointers[it.field].holds != Holds::Urls
                };
                let text = targets.iter().find(is_text).copied();
                let lines = text.filter(|_| token == Token::Array);
                open.push(OpenContainer {
                    place: Place::new(token == Token::Object),
                    targets,
                    lines: lines.map(|pointer| (pointer, SmallVec::new())),
                    documents: found.documents.len(),
                    cell: (false, None),
                });
            }
            Token::End => {
                let Some(ended) = open.pop() else { continue };
                if let (true, Some(source)) = ended.cell {
                    let targets = &mut found.documents[source].targets;
                    let others = targets.iter().filter(|it| it.holds != Holds::Markdown);
                    *targets = others.copied().collect();
                }
                if let Some((pointer, parts)) = ended
                    .lines
                    .filter(|(_, lines)| are_lines(lines, &ended.place, json))
                {
                    // What looked like values of their own are lines of the text.
                    found.documents.truncate(ended.documents);
                    let others = ended.targets.into_iter();
                    let others = others.filter(|it| it.field != url && !it.ends());
                    let string = DocumentString {
                        targets: iter::once(pointer.reached()).chain(others).collect(),
                        elements: elements(pointers[pointer.field].steps, &open),
                        parts,
                    };
                    found.push(string, &mut open);
                }
            }
            Token::Key(span) => {
                let Some(last) = open.last_mut() else {
                    continue;
                };
                last.place.key = if tokens.decoded.runs.is_empty() {
                    String::from_utf8_lossy(&json[span])
                } else {
                    decode(&json[span]).into()
                };
                let of_url = last.targets.iter().filter(|it| it.field == url);
                let named = of_url
                    .filter_map(|it| it.steps.split_first())
                    .find(|(step, _)| matches!(step, Step::Name(_)) && last.place.is_at(step));
                if let Some((_, rest)) = named {
                    found.has_url |= rest.is_empty();
                    found.forget_urls(&elements(pointers[url].steps, &open));
                }
            }
            Token::String(span) => {
                if let Some(last) = open.last_mut().filter(|last| last.place.key == "cell_type") {
                    last.cell.0 = json[span.clone()] != *b"markdown";
                }
                let string = (span, &mut tokens.decoded);
                found.string(json, (pointers, url), &mut open, string);
            }
        }
    }
    found.documents.retain(|it| !it.targets.is_empty());
    found
}

/// The pointers that lead to what the next token begins.
fn led<'o, 't>(
    open: &'o [OpenContainer<'_, 't>],
    pointers: &'o [Target<'t>],
) -> Cow<'o, [Target<'t>]> {
    match open.last() {
        Some(last) => last.place.behind(&last.targets),
        None => Cow::Borrowed(pointers),
    }
}

/// The numbers of what the `*` of a pointer stand for in what is open.
fn elements(steps: &[Step], open: &[OpenContainer<'_, '_>]) -> Vec<usize> {
    let known = steps.iter().zip(open);
    let known = known.take_while(|(step, _)| **step != Step::Deep);
    let every = known.filter(|(step, _)| **step == Step::Every);
    every.map(|(_, open)| open.place.number).collect()
}

/// Whether a string holds other strings, as far as its beginning says.
fn holds_others(spelled: &[u8], decoded: &DecodedField) -> bool {
    /// The beginning of a value that PHP has serialized is not longer.
    const MOST: usize = 64;
    let said = if decoded.runs.is_empty() {
        spelled
    } else {
        &decoded.text
    };
    let said = String::from_utf8_lossy(&said[..said.len().min(MOST)]);
    may_hold_others(&said)
}

/// Whether the strings of an array are one text, as nbformat 4 writes it: each but the last ends with a line break of
/// Python's `splitlines`.
fn are_lines(lines: &[Part], place: &Place<'_>, json: &[u8]) -> bool {
    const BREAKS: [char; 10] = [
        '\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}',
    ];
    let is_line = |(span, _): &Part| decode(&json[span.clone()]).ends_with(BREAKS);
    let all_but_last = lines
        .split_last()
        .filter(|_| lines.len() == place.number + 1);
    all_but_last.is_some_and(|(_, lines)| lines.iter().all(is_line))
}

impl<'t> PointerTargets<'t> {
    fn push(&mut self, string: DocumentString<'t>, open: &mut [OpenContainer<'_, 't>]) {
        if let Some(last) = open.last_mut().filter(|last| last.place.key == "source") {
            last.cell.1 = Some(self.documents.len());
        }
        self.documents.push(string);
    }

    /// Keeps a string, if pointers lead to it or into it, or if it may be a line of a text.
    fn string(
        &mut self,
        json: &[u8],
        (pointers, url): (&[Target<'t>], usize),
        open: &mut [OpenContainer<'_, 't>],
        (span, decoded): (Range<usize>, &mut DecodedField),
    ) {
        let mut targets = led(open, pointers).into_owned();
        let mut named = None;
        targets.retain_mut(|target| {
            if target.field == url {
                if target.ends() {
                    self.has_url = true;
                    let elements = elements(pointers[url].steps, open);
                    self.urls.insert(elements, span.clone());
                }
                false
            } else if target.ends() {
                let is_first = named.is_none();
                named.get_or_insert(target.field);
                *target = target.reached();
                is_first
            } else {
                holds_others(&json[span.clone()], decoded)
            }
        });
        let lines = open.last_mut().and_then(|it| it.lines.as_mut());
        if let Some((_, lines)) = lines.filter(|_| named.is_none()) {
            lines.push((span.clone(), decoded.clone()));
        }
        if targets.is_empty() {
            return;
        }
        let elements = named.map(|field| elements(pointers[field].steps, open));
        // Most strings of a row are as the one before.
        let same = self.documents.last().map(|last| &last.targets);
        let same = same.filter(|same| ***same == *targets).cloned();
        let string = DocumentString {
            targets: same.unwrap_or_else(|| targets.into()),
            elements: elements.unwrap_or_default(),
            parts: smallvec![(span, decoded.take())],
        };
        self.push(string, open);
    }

    /// Drops the URLs in this element.
    fn forget_urls(&mut self, elements: &[usize]) {
        let inner = self.urls.range(elements.to_vec()..);
        let inner = inner.take_while(|(inner, _)| inner.starts_with(elements));
        let stale: Vec<_> = inner.map(|(inner, _)| inner.clone()).collect();
        for inner in stale {
            self.urls.remove(&inner);
        }
    }

    /// The URL in the same element, of the innermost array that both are in.
    pub(super) fn url_of(&self, elements: &[usize]) -> Option<&Range<usize>> {
        let outer = (0..=elements.len()).rev();
        let mut outer = outer.filter_map(|length| self.urls.get(&elements[..length]));
        outer.next().or_else(|| {
            let (first, span) = self.urls.range(elements.to_vec()..).next()?;
            first.starts_with(elements).then_some(span)
        })
    }
}

/// The pointers to the first strings of a value, for who named others.
pub(super) fn names(json: &[u8], most: usize) -> Vec<String> {
    /// Longer ones help nobody.
    const LONGEST: usize = 200;
    /// A hostile row may have millions.
    const TOKENS: usize = 10_000;
    let mut names: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    for token in Scanner::new(json).take(TOKENS) {
        match token {
            Token::Object => open.push(String::new()),
            Token::Array => open.push("*".to_owned()),
            Token::End => drop(open.pop()),
            Token::Key(span) => {
                if let Some(key) = open.last_mut() {
                    let spelled = &json[span.start..span.end.min(span.start + 6 * LONGEST)];
                    *key = decode(spelled).replace('~', "~0").replace('/', "~1");
                }
            }
            Token::String(_) if open.len() < LONGEST => {
                let name: String = open.iter().map(|key| format!("/{key}")).collect();
                if !names.contains(&name) && name.len() < LONGEST {
                    names.push(name);
                }
            }
            Token::String(_) => {}
        }
        if names.len() == most {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests;
