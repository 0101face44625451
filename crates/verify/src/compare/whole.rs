//! Whole documents, style sheets and values, and what was made of them.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::Comparison;
use super::values::Rules;
use crate::fault::Fault;
use crate::markup::html::{self, TagFilter};
use crate::meaning::Targets;
use crate::text::Texts;
use abslink_html::Disagreement;
use abslink_html::Group;
use abslink_html::ValueKind;
use abslink_html::shared::Against;
use abslink_html::shared::{DocumentParameters, Edited, PieceReader};

/// At the start of a document that is compared with what is made of it, while that is made.
pub(crate) fn begin<'v>(
    parameters: DocumentParameters<'_, 'v>,
    filter: TagFilter,
) -> Comparison<'v> {
    Comparison::new(rules_of(parameters), filter)
}

fn rules_of<'v>(parameters: DocumentParameters<'_, 'v>) -> Rules<'v> {
    let context = parameters.context;
    let targets = Targets {
        settings: parameters.settings,
        encoding: parameters.encoding,
        base: parameters.document_base.base.clone(),
        new_base: parameters.document_base.new_base(context).cloned(),
        loses_base: parameters.document_base.is_removed,
        context,
    };
    let is_decoded = IN_TEXT.contains(&parameters.encoding);
    Rules {
        syntax: parameters.syntax,
        encoding: if is_decoded {
            UTF_8
        } else {
            parameters.encoding
        },
        wanted: parameters.settings.wanted(),
        targets,
    }
}

impl PieceReader for Comparison<'_> {
    fn take(&mut self, edited: Edited<'_>, last: bool) -> Result<(), Disagreement> {
        let compared = Comparison::take(self, edited, last);
        compared.map_err(|difference| self.disagreement(difference))
    }
}

/// Encodings in whose bytes no tags can be found. Documents are compared by their text.
const IN_TEXT: [&Encoding; 3] = [UTF_16LE, UTF_16BE, ISO_2022_JP];

/// Compares a value with what was made of it: the HTML in a feed, a document in an attribute, or what
/// has a grammar.
pub(crate) fn value(
    parameters: DocumentParameters<'_, '_>,
    place: (ValueKind, Against),
    texts: &Texts,
) -> Result<(), Fault> {
    let rules = rules_of(parameters);
    match place.0 {
        ValueKind::Html | ValueKind::EncodedHtml | ValueKind::Srcdoc => {
            Comparison::inside(rules, 0)
                .take(texts.bytes(), true)
                .map_err(|difference| difference.fault)
        }
        ValueKind::LinkedData => rules.linked_data(place.0, texts.edited()),
        _ => rules.targets.are_all_same(place, None, texts.edited()),
    }
}

/// Compares a style sheet with what was made of it.
pub(crate) fn sheet(
    parameters: DocumentParameters<'_, '_>,
    edited: Edited<'_>,
) -> Result<(), Disagreement> {
    let rules = rules_of(parameters);
    let compared = if IN_TEXT.contains(&parameters.encoding) {
        texts(parameters.encoding, edited)
            .and_then(|texts| rules.text(ValueKind::CssFile, true, texts.bytes()))
    } else {
        rules.text(ValueKind::CssFile, true, edited)
    };
    compared.map_err(at_start)
}

/// Compares a document with what was made of it.
pub(crate) fn whole(
    parameters: DocumentParameters<'_, '_>,
    edited: Edited<'_>,
) -> Result<(), Disagreement> {
    if !IN_TEXT.contains(&parameters.encoding) {
        return read_whole(parameters, edited);
    }
    let texts = texts(parameters.encoding, edited).map_err(at_start)?;
    read_whole(parameters, texts.bytes())
}

/// First by those tags only in which edits usually are, where that seems to do.
fn read_whole(
    parameters: DocumentParameters<'_, '_>,
    edited: Edited<'_>,
) -> Result<(), Disagreement> {
    let by = |filter| PieceReader::take(&mut begin(parameters, filter), edited, true);
    let looks_at_all = parameters.settings.groups.contains(Group::Comments)
        || parameters
            .document_base
            .new_base(parameters.context)
            .is_some();
    if !looks_at_all && html::are_usual(edited.old, edited.changes) && by(TagFilter::Usual).is_ok()
    {
        debug_assert_eq!(by(TagFilter::Every), Ok(()));
        return Ok(());
    }
    by(TagFilter::Every)
}

fn at_start(fault: Fault) -> Disagreement {
    Disagreement {
        line: 1,
        column: 1,
        what: fault.to_string(),
    }
}

/// The texts of a document and of what was made of it, each of which is spelled in the one way in which
/// an encoder spells it: so where the texts are the same, the bytes are.
fn texts(encoding: &'static Encoding, edited: Edited<'_>) -> Result<Texts, Fault> {
    let length = Encoding::for_bom(edited.old).map_or(0, |(_, length)| length);
    let (mark, old) = edited.old.split_at(length);
    let new = edited.new.strip_prefix(mark);
    let new = new.ok_or(Fault::ByteOrderMark)?;
    let text = |bytes| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
        // encoding_rs has no encoder for UTF-16, in which no character is spelled in two ways.
        let is_usual = encoding != ISO_2022_JP || *encoding.encode(&text).0 == *bytes;
        is_usual.then(|| text.into_owned())
    };
    match (text(old), text(new)) {
        (Some(old), Some(new)) => Ok(Texts {
            old,
            new,
            changes: edited.changes.into(),
        }),
        _ => Err(Fault::Encoding),
    }
}
