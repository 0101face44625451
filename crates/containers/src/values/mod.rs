//! What a field holds, and values with a grammar of their own in it.
//!
//! ```text
//! read (text -> events) -> Reading (strings of a value -> their texts -> edits of these) -> back, text by text
//! ```
//!
//! JSON and what PHP serializes are taken apart into strings, which may hold the same again; in the end each string is a
//! document or a URL. Every other byte stays, but for the length that PHP writes before a string.

pub(crate) mod decode;
mod document;
mod foreign;
mod in_html;
pub(crate) mod json;
mod lists;
mod plain_text;
mod serialized;
pub(crate) mod spelling;
pub(crate) mod steps;
pub(crate) mod xml_root;

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use abslink_html::{Context, DocumentRewriter, Edit, Reference, Settings, TextRewriter, splice};
use decode::DecodedField;
use plain_text::Reads;
use spelling::{SpelledField, Spelling};
use steps::{Place, Target};

use crate::examined::Examined;
pub(crate) use abslink_html::given_places::is_relative;
pub use document::Holds;
pub(crate) use document::{doubled_quote, given, lost_sections, verify};
pub(crate) use in_html::Values;
pub(crate) use lists::is_file;

/// New text for a part of a field's text.
pub type NewText<'e> = Edit<Cow<'e, [u8]>>;

/// The same where new text is in the rewriter's memory: there may be a million short ones.
pub(crate) type NewRange = Edit<Range<usize>>;

/// What stands in a value, in order.
#[derive(Debug)]
enum Event<'v> {
    Open {
        is_object: bool,
    },
    Close,
    Key(Cow<'v, str>),
    /// So many elements of an array end.
    Commas(usize),
    String(SpelledString),
    /// A value in a grammar of its own, which stays.
    Opaque,
}

/// A string of a value.
#[derive(Debug)]
struct SpelledString {
    span: Range<usize>,
    spelling: Spelling,
    decoded: DecodedField,
    /// The digits that say how many bytes it has.
    length: Option<Range<usize>>,
}

/// Where a value breaks off, and why.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) at: usize,
    pub(crate) what: String,
}

/// Why a value in a field is left as it is, while the rest of the row is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unchanged: {field}, byte {byte}: {what}")]
pub struct ValueError {
    /// The field.
    pub field: String,
    /// Where in the field's text, from 1.
    pub byte: usize,
    /// What is wrong there.
    pub what: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grammar {
    Json,
    Serialized,
}

/// The grammar that a text has as a whole. An error if it begins in one, and breaks off, or if it holds markup by other
/// rules than those of `holds`.
pub(crate) fn grammar(text: &str, holds: Holds) -> Result<Option<Grammar>, Expected> {
    if serialized::begins(text) {
        serialized::read(text, |_| {})?;
        return Ok(Some(Grammar::Serialized));
    }
    if let Some(has_to) = json::begins(text) {
        match json::check(text) {
            Ok(()) => return Ok(Some(Grammar::Json)),
            Err(expected) if has_to => return Err(expected),
            Err(_) => {}
        }
    }
    // Where no markup is, nothing changes.
    let has_markup = memchr::memchr(b'<', text.as_bytes()).is_some();
    let inside = has_markup.then(|| serialized::inside(text)).flatten();
    let inside = inside.map(|at| {
        let what = "a serialized string, in a text that is no serialized value as a whole: its length would be wrong";
        (at, what.to_owned())
    });
    let foreign = || {
        let (at, format) = foreign::foreign(text, has_markup)?;
        let what = match format {
            "Markdown" => "Markdown, not HTML: KIND markdown reads it".to_owned(),
            "XML" => "XML, not HTML: KIND feed or xhtml may read it".to_owned(),
            _ => format!("{format}, which abslink does not read"),
        };
        Some((at, what))
    };
    match inside.or_else(|| foreign().filter(|_| holds == Holds::Html)) {
        Some((at, what)) => Err(Expected { at, what }),
        None => Ok(None),
    }
}

/// Whether a text looks as if it held other texts.
pub(crate) fn may_hold_others(text: &str) -> bool {
    serialized::begins(text) || json::begins(text).is_some()
}

/// Shows what stands in a value, up to where it breaks off. JSON was checked before.
fn read<'v>(
    text: &'v str,
    grammar: Grammar,
    mut each: impl FnMut(Event<'v>),
) -> Result<(), Expected> {
    match grammar {
        Grammar::Json => {
            json::read(text, &mut each);
            Ok(())
        }
        Grammar::Serialized => serialized::read(text, each),
    }
}

/// Whether a value has the same keys and as many strings after edits of it.
fn reads_alike(old: &str, grammar: Grammar, edits: &[NewRange], memory: &[u8]) -> bool {
    let mut new = Vec::new();
    splice(
        old.as_bytes(),
        edits.iter().cloned(),
        &mut new,
        |text, out| {
            out.extend_from_slice(&memory[text]);
        },
    );
    let Ok(new) = String::from_utf8(new) else {
        return false;
    };
    let shape = |text: &str| {
        let mut shape = Vec::new();
        let read = read(text, grammar, |event| {
            shape.push(match event {
                Event::String(_) => "string".to_owned(),
                other => format!("{other:?}"),
            });
        });
        read.map(|()| shape).ok()
    };
    self::grammar(&new, Holds::Html).is_ok_and(|read| read == Some(grammar))
        && shape(old) == shape(&new)
}

/// Lets the end stay that new text has in common with the old, and so its spelling.
fn keep_end(text: &str, (old, new): &mut NewRange, memory: &[u8]) {
    let of_old = text.as_bytes()[old.clone()].iter().rev();
    let mut kept = of_old
        .zip(memory[new.clone()].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    while !text.is_char_boundary(old.end - kept) {
        kept -= 1;
    }
    old.end -= kept;
    new.end -= kept;
}

/// An object or array that is open.
struct Level<'v, 't> {
    place: Place<'v>,
    /// What its strings hold, by the steps that lead from here.
    targets: Rc<[Target<'t>]>,
    /// What it says of its strings, and what is known of all of them.
    marks: u32,
    below: Option<Reads>,
}

impl Level<'_, '_> {
    fn is_at(&self, step: &str) -> bool {
        match step {
            "*" => !self.place.is_object,
            _ => self.place.is_object && self.place.key == step,
        }
    }
}

/// What the next value in what is open holds, by the steps that lead from there.
fn led<'t>(open: &[Level<'_, 't>], whole: &Rc<[Target<'t>]>) -> Rc<[Target<'t>]> {
    let Some(last) = open.last() else {
        return Rc::clone(whole);
    };
    match last.place.behind(&last.targets) {
        Cow::Borrowed(_) => Rc::clone(&last.targets),
        Cow::Owned(targets) => targets.into(),
    }
}

/// Shows the references in a feed or in Markdown, or makes edits of it if nobody sees them.
pub(crate) type OtherReader<'r> =
    &'r dyn Fn(Holds, &[u8], Option<&mut dyn FnMut(&Reference<'_>)>) -> (Examined, Vec<Edit>);

/// A field whose values are read.
pub(crate) struct Reading<'r, 'c, 'e> {
    pub(crate) name: &'r str,
    pub(crate) context: &'c Context,
    pub(crate) read_other: OtherReader<'r>,
    pub(crate) settings: &'c Settings,
    pub(crate) rewriter: &'r mut DocumentRewriter,
    /// What rewrites the texts in values, once there is one.
    pub(crate) texts: &'r mut Option<TextRewriter<'c>>,
    /// Edits of the text that is read, so far.
    pub(crate) edits: Vec<NewRange>,
    /// What is shown; without it, edits are made.
    pub(crate) each: Option<&'e mut dyn FnMut(&Reference<'_>)>,
    pub(crate) examined: &'r mut Examined,
    pub(crate) broken: &'r mut Vec<ValueError>,
}

/// A text in a field.
pub(crate) struct Part<'p> {
    pub(crate) text: &'p str,
    /// What it holds, by the steps that lead from here.
    pub(crate) targets: &'p Rc<[Target<'p>]>,
    /// Says where in the field a part of it is.
    pub(crate) place: &'p mut dyn FnMut(Range<usize>) -> Range<usize>,
    /// In how many values it is.
    pub(crate) depth: usize,
}

impl Part<'_> {
    /// Where in the field a byte of it is.
    fn at(&mut self, byte: usize) -> usize {
        (self.place)(byte..byte).start
    }
}

/// Values in strings of values are followed so deep.
const DEPTH: usize = 64;

impl Reading<'_, '_, '_> {
    fn broken(&mut self, byte: usize, what: String) {
        let (field, byte) = (self.name.to_owned(), byte + 1);
        self.broken.push(ValueError { field, byte, what });
    }

    /// Adds an edit.
    fn push(&mut self, old: Range<usize>, new: &[u8]) {
        let memory = &mut self.rewriter.new;
        let start = memory.len();
        memory.extend_from_slice(new);
        self.edits.push((old, start..memory.len()));
    }

    /// Adds what becomes of a text in a field.
    pub(crate) fn text(&mut self, part: &mut Part<'_>) {
        let text = part.text;
        let holds = steps::holds(part.targets);
        let start = text.trim_ascii_start();
        let read = || grammar(text, holds.unwrap_or(Holds::Url));
        let grammar = match holds {
            // `[[` opens a placeholder.
            Some(Holds::Urls) if start.starts_with('[') && !start.starts_with("[[") => {
                json::check(text).map(|()| Some(Grammar::Json))
            }
            Some(Holds::Url | Holds::Urls) => {
                let at = foreign::tag(text).filter(|at| {
                    // In templates a tag makes a URL.
                    holds == Some(Holds::Urls) || *at > text.len() - start.len()
                });
                let what = "markup, which is no part of a URL".to_owned();
                at.map_or(Ok(None), |at| Err(Expected { at, what }))
            }
            // A link may begin like an array.
            Some(Holds::Markdown) if start.starts_with('[') => read().or(Ok(None)),
            // It is read once where nobody sees what stands before the place where it breaks off.
            _ if self.each.is_none()
                && !self.settings.verify.is_on()
                && serialized::begins(text) =>
            {
                Ok(Some(Grammar::Serialized))
            }
            _ => read(),
        };
        self.text_in(grammar, part)
    }

    /// The same of a text whose grammar is known.
    fn text_in(&mut self, grammar: Result<Option<Grammar>, Expected>, part: &mut Part<'_>) {
        match (grammar, steps::holds(part.targets)) {
            (Err(expected), _) => self.broken(part.at(expected.at), expected.what),
            (Ok(Some(_)), _) if part.depth == DEPTH => {
                let what = format!("a value inside more than {DEPTH} others");
                self.broken(part.at(0), what);
            }
            (Ok(Some(grammar)), _) => {
                // Before all of a field nothing was counted.
                let tally = (part.depth > 0).then(|| *self.tally());
                let broken = self.broken.len();
                let before = self.edits.len();
                if let Err(expected) = self.value(part, grammar) {
                    *self.tally() = tally.unwrap_or_default();
                    self.broken.truncate(broken);
                    self.edits.truncate(before);
                    return self.text_in(Err(expected), part);
                }
                let is_asked = part.depth == 0 && self.settings.verify.is_on();
                let (edits, memory) = (&self.edits[before..], &self.rewriter.new);
                if is_asked && !reads_alike(part.text, grammar, edits, memory) {
                    self.edits.truncate(before);
                    self.broken(0, "the new value would be read in another way".to_owned());
                }
            }
            (Ok(None), Some(holds)) => self.string(part, holds),
            (Ok(None), None) => {}
        }
    }

    /// Whether a string is spelled as words, as most are: nothing is looked for in them, unless they are a URL, or a host
    /// that moves.
    fn are_words(&self, spelled: Option<&str>, targets: &[Target<'_>]) -> bool {
        let is_of_word =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-' | b'_');
        let is_host = |text: &str| !self.settings.moves.is_empty() && !text.contains(' ');
        spelled.is_some_and(|text| text.bytes().all(is_of_word) && !is_host(text))
            && !targets.iter().any(|target| target.holds.is_url())
    }

    /// Adds what becomes of the strings in a value.
    fn value(&mut self, part: &mut Part<'_>, grammar: Grammar) -> Result<(), Expected> {
        let text = part.text;
        let is_json = grammar == Grammar::Json;
        let marks = is_json.then(|| plain_text::marks(text));
        let mut marks = marks.unwrap_or_default().into_iter();
        let reads = |open: &[_], is_string| {
            is_json
                .then(|| plain_text::reads(open, is_string))
                .flatten()
        };
        let mut open = Vec::<Level<'_, '_>>::with_capacity(4);
        read(text, grammar, |event| match event {
            Event::Open { is_object } => {
                let level = Level {
                    place: Place::new(is_object),
                    targets: led(&open, part.targets),
                    marks: marks.next().unwrap_or_default(),
                    below: reads(&open, false),
                };
                open.push(level);
            }
            Event::Close => drop(open.pop()),
            Event::Key(key) => {
                if let Some(last) = open.last_mut() {
                    last.place.key = key;
                }
            }
            Event::Commas(commas) => {
                if let Some(last) = open.last_mut() {
                    last.place.number += commas;
                }
            }
            Event::Opaque => self.tally().in_values[1] += 1,
            Event::String(string) => {
                let targets = led(&open, part.targets);
                if self.are_words(text.get(string.span.clone()), &targets) {
                    return;
                }
                let is_named = targets.iter().any(|target| target.steps.is_empty());
                let targets = match reads(&open, true).filter(|_| !is_named) {
                    Some(None) => return,
                    Some(Some(Holds::Markdown)) if steps::holds(&targets) == Some(Holds::Html) => {
                        Rc::from([Target::all(Holds::Markdown)])
                    }
                    _ => targets,
                };
                if !targets.is_empty() {
                    self.inside(part, string, &targets);
                }
            }
        })
    }

    /// Adds what becomes of a string in a value, and of the length before it.
    fn inside(&mut self, whole: &mut Part<'_>, string: SpelledString, targets: &Rc<[Target<'_>]>) {
        let SpelledString {
            span,
            spelling,
            decoded,
            length,
        } = string;
        let (spelled, text) = if spelling == Spelling::Serialized {
            (None, whole.text.get(span.clone()).map(Cow::Borrowed))
        } else {
            let spelled = &whole.text.as_bytes()[span.clone()];
            SpelledField::new(spelled, spelling, decoded).unzip()
        };
        // Bytes that are no text hold none.
        let Some(text) = text else { return };
        let before = self.edits.len();
        self.edits.extend(length.map(|digits| (digits, 0..0)));
        let inner = self.edits.len();
        let outer = |part: Range<usize>| span.start + part.start..span.start + part.end;
        let mut places = spelled.as_ref().map(SpelledField::places);
        let mut place = |part| match &mut places {
            Some(places) => places(part),
            None => part,
        };
        self.text(&mut Part {
            text: &text,
            targets,
            place: &mut |part| (whole.place)(outer(place(part))),
            depth: whole.depth + 1,
        });
        let (edits, memory) = (&mut self.edits[inner..], &mut self.rewriter.new);
        let mut grown = text.len();
        for edit in &mut *edits {
            keep_end(&text, edit, memory);
            let (old, new) = edit;
            grown = grown + new.len() - old.len();
        }
        if let Some(spelled) = &spelled {
            spelled.respell(edits, memory);
        }
        for (old, _) in edits {
            *old = outer(old.clone());
        }
        if inner == before {
            return;
        }
        if grown == text.len() {
            self.edits.remove(before);
            return;
        }
        let start = memory.len();
        memory.extend_from_slice(itoa::Buffer::new().format(grown).as_bytes());
        self.edits[before].1 = start..memory.len();
    }
}
