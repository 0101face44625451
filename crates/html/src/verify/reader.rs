//! The second reader itself.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::compare::Comparison;
use super::target::Targets;
use super::values::Meaning;
use super::{Disagreement, Known, unfilled};
use crate::ValueKind;
use crate::attributes::Against;

/// Compares a document with what is made of it, while that is made.
pub(crate) struct Verifier<'v>(Comparison<'v>);

/// At the start of a document, if a second reader is asked for.
pub(crate) fn begin<'v>(known: Known<'_, 'v>) -> Option<Verifier<'v>> {
    known.settings.verify.is_on().then(|| Verifier::new(known))
}

impl<'v> Verifier<'v> {
    pub(super) fn new(known: Known<'_, 'v>) -> Verifier<'v> {
        let context = known.context;
        let targets = Targets {
            settings: known.settings,
            encoding: known.encoding,
            base: known.document_base.base.clone(),
            context,
        };
        let is_decoded = IN_TEXT.contains(&known.encoding);
        let meaning = Meaning {
            syntax: known.syntax,
            encoding: if is_decoded { UTF_8 } else { known.encoding },
            wanted: known.settings.wanted(),
            targets,
        };
        Verifier(Comparison::new(meaning))
    }

    /// Takes the next bytes of the old document, and what they have become.
    pub(crate) fn take(&mut self, old: &[u8], new: &[u8], last: bool) -> Result<(), Disagreement> {
        self.0.take(old, new, last).map_err(|difference| {
            let (line, column) = self.0.locate(difference.at);
            let what = difference.what;
            Disagreement { line, column, what }
        })
    }
}

/// Encodings in whose bytes no tags can be found. Documents are compared by their text.
const IN_TEXT: [&Encoding; 3] = [UTF_16LE, UTF_16BE, ISO_2022_JP];

/// Compares a value with what was made of it: the HTML in a feed, a document in an attribute, or what
/// has a grammar.
pub(crate) fn value(
    known: Known<'_, '_>,
    place: (ValueKind, Against),
    old: &str,
    new: &str,
) -> Result<(), String> {
    let meaning = Verifier::new(known).0.into_meaning();
    match place.0 {
        ValueKind::Html | ValueKind::Srcdoc => Comparison::inside(meaning, 0)
            .take(old.as_bytes(), new.as_bytes(), true)
            .map_err(|difference| difference.what),
        kind => unfilled::compare(kind, old, new, known.settings, &mut |old, new| {
            meaning.targets.are_same(place, None, old, new)
        })
        .map(drop),
    }
}

/// Compares a style sheet with what was made of it.
pub(crate) fn sheet(known: Known<'_, '_>, old: &[u8], new: &[u8]) -> Result<(), Disagreement> {
    let meaning = Verifier::new(known).0.into_meaning();
    let kind = (ValueKind::CssFile, true);
    let compared = match IN_TEXT.contains(&known.encoding) {
        true => texts(known.encoding, old, new)
            .and_then(|[old, new]| meaning.text(kind, old.as_bytes(), new.as_bytes(), None)),
        false => unmarked(old, new).and_then(|[old, new]| meaning.text(kind, old, new, None)),
    };
    compared.map_err(at_start)
}

/// Compares a document with what was made of it.
pub(crate) fn whole(known: Known<'_, '_>, old: &[u8], new: &[u8]) -> Result<(), Disagreement> {
    let mut verifier = Verifier::new(known);
    if !IN_TEXT.contains(&known.encoding) {
        return verifier.take(old, new, true);
    }
    let [old, new] = texts(known.encoding, old, new).map_err(at_start)?;
    verifier.take(old.as_bytes(), new.as_bytes(), true)
}

fn at_start(what: String) -> Disagreement {
    Disagreement {
        line: 1,
        column: 1,
        what,
    }
}

/// Two documents without their byte order mark, which has to be the same.
fn unmarked<'d>(old: &'d [u8], new: &'d [u8]) -> Result<[&'d [u8]; 2], String> {
    let length = Encoding::for_bom(old).map_or(0, |(_, length)| length);
    let (mark, old) = old.split_at(length);
    let what = "its byte order mark changed";
    let new = new.strip_prefix(mark).ok_or_else(|| what.to_owned())?;
    Ok([old, new])
}

/// The texts of two documents, each of which is spelled in the one way in which an encoder spells it:
/// so where the texts are the same, the bytes are.
fn texts(encoding: &'static Encoding, old: &[u8], new: &[u8]) -> Result<[String; 2], String> {
    let [old, new] = unmarked(old, new)?;
    let text = |bytes| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        // encoding_rs has no encoder for UTF-16, in which no character is spelled in two ways.
        let is_usual = encoding != ISO_2022_JP || *encoding.encode(&text).0 == *bytes;
        is_usual.then(|| text.into_owned())
    };
    let what = "it is not spelled as its encoding spells it";
    match (text(old), text(new)) {
        (Some(old), Some(new)) => Ok([old, new]),
        _ => Err(what.to_owned()),
    }
}
