//! Which strings of JSON a field names, by the steps of its pointer.

use std::collections::BTreeMap;
use std::ops::Range;

use abslink_html::json::{Scanner, Token, decode};

use crate::values::decode::DecodedField;
use crate::values::json::Tokens;
use crate::values::may_hold_others;
use crate::values::steps::Step;

/// What pointers lead to.
#[derive(Debug, Default)]
pub(super) struct PointerTargets {
    /// The strings that the pointers of documents lead to, in order.
    pub(super) documents: Vec<DocumentString>,
    /// What the URL is of each place, by the elements that lead to it.
    urls: BTreeMap<Vec<usize>, Range<usize>>,
    /// Whether there is what the URL's pointer leads to, if only a number.
    pub(super) has_url: bool,
}

/// A string, without its quotes, and what it says.
type Part = (Range<usize>, DecodedField);

/// A string that a document's pointer leads to, or an array of strings that are one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocumentString {
    /// Which of the pointers lead to it or into it, each with how many of its steps lead to it.
    pub(super) pointers: Vec<(usize, usize)>,
    /// The numbers, from 0, of what its `*` stand for.
    pub(super) elements: Vec<usize>,
    /// The strings, without their quotes, and what they say.
    pub(super) parts: Vec<Part>,
    /// Whether the pointer leads to the array that it is in.
    pub(super) is_in_list: bool,
}

/// An object or array that is open.
struct OpenContainer {
    is_object: bool,
    /// How many members or elements were before.
    number: usize,
    key: String,
    /// The pointers that lead here or further, as bits: one at least.
    pointers: u64,
    /// The pointer that leads to it if it is an array, and the strings in it, if it has nothing else.
    lines: Option<(usize, Vec<Part>)>,
    /// Whether it is a cell of a notebook with something else than Markdown, and which document is its source.
    cell: (bool, Option<usize>),
}

/// How many pointers there may be: one for each bit.
pub(super) const MOST: usize = 64;

/// What `pointers` lead to in `json`; nothing that counts, if it is not valid. That at `url` is the URL's, if
/// there is one so far. Those of `lists`, as bits, lead to the strings of an array, too; those of `texts` to Markdown,
/// and so not to the code in the cells of a notebook.
///
/// Readers take the last of several members of one name. So it is for the URL; documents are found in all.
pub(super) fn find(
    json: &[u8],
    pointers: &[Vec<Step>],
    url: usize,
    (lists, texts): (u64, u64),
) -> PointerTargets {
    let mut found = PointerTargets::default();
    let mut open: Vec<OpenContainer> = Vec::new();
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
        let depth = open.len();
        if let Some(last) = open.last_mut() {
            last.number += commas;
        }
        // The pointers that lead to what the token begins.
        let led = |last: &OpenContainer| {
            let all = pointers.iter().enumerate();
            let led = all.filter(|(bit, steps)| {
                let is_led = || {
                    let step = steps.get(depth - 1);
                    deep(steps) < depth || step.is_some_and(|step| last.is_at(step))
                };
                last.pointers & 1 << bit != 0 && is_led()
            });
            led.fold(0, |bits, (bit, _)| bits | 1 << bit)
        };
        match token {
            Token::Object | Token::Array => {
                let led = open.last().map_or(u64::MAX, led);
                // Only strings are a text.
                if let Some(last) = open.last_mut() {
                    last.lines = None;
                }
                if led == 0 {
                    passed = 1;
                    continue;
                }
                let ended = pointers.iter().enumerate().position(|(bit, steps)| {
                    bit != url && led & !lists & 1 << bit != 0 && ends(steps, &open)
                });
                let lines = ended.filter(|_| token == Token::Array);
                open.push(OpenContainer {
                    is_object: token == Token::Object,
                    number: 0,
                    key: String::new(),
                    pointers: led,
                    lines: lines.map(|pointer| (pointer, Vec::new())),
                    cell: (false, None),
                });
            }
            Token::End => {
                let ended = open.pop();
                if let Some(OpenContainer {
                    cell: (true, Some(source)),
                    ..
                }) = ended
                {
                    let pointers = &mut found.documents[source].pointers;
                    pointers.retain(|(pointer, _)| texts & 1 << pointer == 0);
                }
                found.lines(ended, json, pointers, &mut open);
            }
            Token::Key(span) => {
                let Some(last) = open.last_mut() else {
                    continue;
                };
                last.set_key(&json[span]);
                let Some(steps) = pointers.get(url) else {
                    continue;
                };
                let is_named = |step: &Step| matches!(step, Step::Name(_)) && last.is_at(step);
                if last.pointers & 1 << url != 0 && steps.get(depth - 1).is_some_and(is_named) {
                    found.has_url |= steps.len() == depth;
                    found.forget_urls(&elements(steps, &open));
                }
            }
            Token::String(span) => {
                let led = open.last().map_or(u64::MAX, led);
                if let Some(last) = open
                    .last_mut()
                    .filter(|last| texts != 0 && last.key == "cell_type")
                {
                    last.cell.0 = json[span.clone()] != *b"markdown";
                }
                let of_array = open.last().filter(|last| !last.is_object);
                let of_lists = of_array.map_or(0, |last| last.pointers & lists);
                let lists = (of_lists, led);
                found.string(
                    json,
                    pointers,
                    url,
                    lists,
                    &mut open,
                    (span, &mut tokens.decoded),
                );
            }
        }
    }
    found.documents.retain(|it| !it.pointers.is_empty());
    found
}

/// The numbers of what the `*` of a pointer stand for in what is open.
fn elements(steps: &[Step], open: &[OpenContainer]) -> Vec<usize> {
    let known = steps.iter().zip(open).take(deep(steps));
    let every = known.filter(|(step, _)| **step == Step::Every);
    every.map(|(_, open)| open.number).collect()
}

/// Where the first `**` of a pointer is, from which on it leads anywhere.
fn deep(steps: &[Step]) -> usize {
    let deep = steps.iter().position(|step| *step == Step::Deep);
    deep.unwrap_or(usize::MAX)
}

/// Whether a pointer of which all steps lead here ends here.
fn ends(steps: &[Step], open: &[OpenContainer]) -> bool {
    let deep = deep(steps);
    if deep == usize::MAX {
        return steps.len() == open.len();
    }
    // What is behind the last one is at the end, and what is between two of them comes as soon as it can.
    let mut parts = steps[deep + 1..].rsplit(|step| *step == Step::Deep);
    let is = |part: &[Step], open: &[OpenContainer]| {
        part.iter().zip(open).all(|(step, open)| open.is_at(step))
    };
    let mut rest = open.get(deep..).unwrap_or_default();
    let Some((before, end)) = parts
        .next()
        .and_then(|part| Some((rest.len().checked_sub(part.len())?, part)))
        .map(|(at, part)| (at, is(part, &rest[at..])))
    else {
        return false;
    };
    rest = &rest[..before];
    end && parts.all(|part| {
        let mut ends = (part.len()..=rest.len()).rev();
        let found = ends.find(|end| is(part, &rest[end - part.len()..]));
        rest = &rest[..found.map_or(0, |end| end - part.len())];
        found.is_some()
    })
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

impl OpenContainer {
    /// The strings of an array that are one text, as nbformat 4 writes it: each but the last ends with a line break of
    /// Python's `splitlines`.
    fn lines(self, json: &[u8]) -> Option<(usize, Vec<Part>)> {
        const BREAKS: [char; 11] = [
            '\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}',
            '\n',
        ];
        let (pointer, lines) = self.lines?;
        let (_, all_but_last) = lines.split_last()?;
        let is_line = |(span, _): &Part| decode(&json[span.clone()]).ends_with(BREAKS);
        let are_all = lines.len() == self.number + 1;
        (are_all && all_but_last.iter().all(is_line)).then_some((pointer, lines))
    }

    fn set_key(&mut self, spelled: &[u8]) {
        if memchr::memchr(b'\\', spelled).is_some() {
            self.key = decode(spelled);
        } else {
            // Every row has the same keys: this takes no new memory.
            self.key.clear();
            self.key.push_str(&String::from_utf8_lossy(spelled));
        }
    }

    fn is_at(&self, step: &Step) -> bool {
        match step {
            Step::Every | Step::Deep => true,
            Step::Name(name) if self.is_object => *name == self.key,
            Step::Name(number) => number.parse() == Ok(self.number),
        }
    }
}

impl PointerTargets {
    /// Keeps an array, if it is one text.
    fn lines(
        &mut self,
        ended: Option<OpenContainer>,
        json: &[u8],
        pointers: &[Vec<Step>],
        open: &mut [OpenContainer],
    ) {
        if let Some((pointer, parts)) = ended.and_then(|it| it.lines(json)) {
            let string = DocumentString {
                pointers: vec![(pointer, pointers[pointer].len())],
                elements: elements(&pointers[pointer], open),
                parts,
                is_in_list: false,
            };
            self.push(string, open);
        }
    }

    fn push(&mut self, string: DocumentString, open: &mut [OpenContainer]) {
        if let Some(last) = open.last_mut().filter(|last| last.key == "source") {
            last.cell.1 = Some(self.documents.len());
        }
        self.documents.push(string);
    }

    /// Keeps a string, if pointers lead to it or into it, or if it may be a line of a text.
    fn string(
        &mut self,
        json: &[u8],
        pointers: &[Vec<Step>],
        url: usize,
        (of_lists, led): (u64, u64),
        open: &mut [OpenContainer],
        (span, decoded): (Range<usize>, &mut DecodedField),
    ) {
        let depth = open.len();
        let mut string = DocumentString {
            pointers: Vec::new(),
            elements: Vec::new(),
            parts: Vec::new(),
            is_in_list: false,
        };
        for (bit, steps) in pointers.iter().enumerate() {
            let is_led = led & 1 << bit != 0;
            let is_in_list = of_lists & 1 << bit != 0 && steps.len() + 1 == depth;
            let is_end = is_led && ends(steps, open) || is_in_list;
            if bit == url && is_end {
                self.has_url = true;
                self.urls.insert(elements(steps, open), span.clone());
            } else if is_end && string.pointers.is_empty() {
                string.elements = elements(steps, open);
                string.pointers.push((bit, steps.len()));
                string.is_in_list = is_in_list;
            } else if bit != url && is_led && !is_end {
                let further = deep(steps).min(depth);
                if further < steps.len() && holds_others(&json[span.clone()], decoded) {
                    let named = |(named, _): &(usize, usize)| *named == bit;
                    if !string.pointers.iter().any(named) {
                        string.pointers.push((bit, further));
                    }
                }
            }
        }
        if !string.pointers.is_empty() {
            // One that leads into it may come before one that leads to it.
            string.parts.push((span, decoded.take()));
            self.push(string, open);
        } else if let Some((_, lines)) = open.last_mut().and_then(|it| it.lines.as_mut()) {
            lines.push((span, decoded.take()));
        }
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
    let mut names: Vec<String> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    // How many are open further in, which a hostile row may have millions of.
    let mut passed = 0_usize;
    for token in Scanner::new(json) {
        match token {
            Token::Object | Token::Array if passed > 0 || open.len() == LONGEST / 2 => passed += 1,
            Token::Object => open.push(String::new()),
            Token::Array => open.push("*".to_owned()),
            Token::End if passed > 0 => passed -= 1,
            Token::End => {
                open.pop();
            }
            _ if passed > 0 => {}
            Token::Key(span) => {
                if let Some(key) = open.last_mut() {
                    let spelled = &json[span.start..span.end.min(span.start + 6 * LONGEST)];
                    *key = decode(spelled).replace('~', "~0").replace('/', "~1");
                }
            }
            Token::String(_) => {
                let name: String = open.iter().map(|key| format!("/{key}")).collect();
                if !names.contains(&name) && name.len() < LONGEST {
                    names.push(name);
                }
            }
        }
        if names.len() == most {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests;
