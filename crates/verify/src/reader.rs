//! The second reader of `rewrite --verify`: it is told which bytes of a document were replaced, and by
//! what, and says whether these edits change references only.
//!
//! It shares no code with the locator. All other bytes are the same (`edits`). lol_html says where the
//! tags and values of the document are (`html`), quick-xml does for XHTML (`xml`). An edit has to be in one
//! value or text (`compare`) that is a place of URLs (`values`), and leave it there: it ends where it
//! ended. In what the place spells before and after (`spelled`), the edit is inside a URL (`urls`, `css`),
//! and each URL means the same by a second resolver (`target`). Raw text that carries URLs is read again:
//! `noscript` and `srcdoc` as documents, style sheets by cssparser, JSON by serde_json.
//!
//! In a value that gets quotes, what is no URL only has to mean the same.
//!
//! That no reference was missed is not shown: what has no edit is not looked at.
//!
//! Of the document it is told the encoding and the base URL. That this is what its `base` element
//! says is checked at the end. What it shares with the first reader is the table of attributes, the
//! reading of the `href` of a `base` element ([`document_base`](abslink_html::document_base)), which URL
//! the name of a file in a mirror stands for, and where template placeholders are (`unfilled`).
//!
//! lol_html builds no tree, so that it may take markup for text, or text for markup, where a browser
//! does not. Where a reference is rewritten in what it takes for text, it does not agree, and the
//! document is left. Of 200,000 documents that were generated to be hard, each for three resolvers,
//! these were 2,166 of 600,000 readings:
//!
//! - 1,379 with `svg` or `math` that another end tag closes, or several levels of which end at once: it
//!   loses count. (One that closes itself is mended: it begins anew behind that.)
//! - 727 with `frameset`: tags of raw text that a browser drops there.
//! - 60 with a `template` that begins with a `col`, and so holds no script.
//!
//! It does not know what a `table`, a `select` or a `template` does to a `base`: behind the first of
//! these, any `base` element may be the one that counts, and in a document with a `frameset` anywhere.
//! In real pages none of this was met.
//!
//! quick-xml expects documents that are well-formed: from where one is not, nothing may change. Names that
//! a document type declaration gives to text, and a `base` element that it spells, are not looked for.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::compare::Comparison;
use crate::compare::values::Meaning;
use crate::feed;
use crate::markup::html::{self, Which};
use crate::target::Targets;
use crate::text::Texts;
use abslink_html::Disagreement;
use abslink_html::Group;
use abslink_html::ValueKind;
use abslink_html::shared::Against;
use abslink_html::shared::{DocumentParameters, Edited, FeedParameters, PieceReader, SecondReader};

/// Compares a document with what is made of it, while that is made.
pub(crate) struct Verifier<'v>(Comparison<'v>);

/// The second reader.
pub(crate) struct Reader;

impl SecondReader for Reader {
    fn begin<'v>(&self, known: DocumentParameters<'_, 'v>) -> Box<dyn PieceReader + 'v> {
        Box::new(Verifier::new(known, Which::Every))
    }

    fn whole(
        &self,
        known: DocumentParameters<'_, '_>,
        edited: Edited<'_>,
    ) -> Result<(), Disagreement> {
        whole(known, edited)
    }

    fn sheet(
        &self,
        known: DocumentParameters<'_, '_>,
        edited: Edited<'_>,
    ) -> Result<(), Disagreement> {
        sheet(known, edited)
    }

    fn feed(&self, known: &FeedParameters<'_>, edited: Edited<'_>) -> Result<(), Disagreement> {
        feed::compare(known, edited)
    }
}

impl<'v> Verifier<'v> {
    pub(crate) fn new(known: DocumentParameters<'_, 'v>, which: Which) -> Verifier<'v> {
        Verifier(Comparison::new(meaning(known), which))
    }
}

fn meaning<'v>(known: DocumentParameters<'_, 'v>) -> Meaning<'v> {
    let context = known.context;
    let targets = Targets {
        settings: known.settings,
        encoding: known.encoding,
        base: known.document_base.base.clone(),
        new_base: known.document_base.new_base(context).cloned(),
        loses_base: known.document_base.is_removed,
        context,
    };
    let is_decoded = IN_TEXT.contains(&known.encoding);
    Meaning {
        syntax: known.syntax,
        encoding: if is_decoded { UTF_8 } else { known.encoding },
        wanted: known.settings.wanted(),
        targets,
    }
}

impl PieceReader for Verifier<'_> {
    fn take(&mut self, edited: Edited<'_>, last: bool) -> Result<(), Disagreement> {
        self.0.take(edited, last).map_err(|difference| {
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
    known: DocumentParameters<'_, '_>,
    place: (ValueKind, Against),
    texts: &Texts,
) -> Result<(), String> {
    let meaning = meaning(known);
    match place.0 {
        ValueKind::Html | ValueKind::EncodedHtml | ValueKind::Srcdoc => {
            Comparison::inside(meaning, 0)
                .take(texts.bytes(), true)
                .map_err(|difference| difference.what)
        }
        ValueKind::LinkedData => meaning.linked_data(place.0, texts.edited()),
        _ => meaning.targets.are_all_same(place, None, texts.edited()),
    }
}

/// Compares a style sheet with what was made of it.
pub(crate) fn sheet(
    known: DocumentParameters<'_, '_>,
    edited: Edited<'_>,
) -> Result<(), Disagreement> {
    let meaning = meaning(known);
    let compared = match IN_TEXT.contains(&known.encoding) {
        true => texts(known.encoding, edited)
            .and_then(|texts| meaning.text(ValueKind::CssFile, true, texts.bytes())),
        false => meaning.text(ValueKind::CssFile, true, edited),
    };
    compared.map_err(at_start)
}

/// Compares a document with what was made of it.
pub(crate) fn whole(
    known: DocumentParameters<'_, '_>,
    edited: Edited<'_>,
) -> Result<(), Disagreement> {
    if !IN_TEXT.contains(&known.encoding) {
        return read_whole(known, edited);
    }
    let texts = texts(known.encoding, edited).map_err(at_start)?;
    read_whole(known, texts.bytes())
}

/// First by those tags only in which edits usually are, where that seems to do.
fn read_whole(known: DocumentParameters<'_, '_>, edited: Edited<'_>) -> Result<(), Disagreement> {
    let by = |which| Verifier::new(known, which).take(edited, true);
    let looks_at_all = known.settings.groups.contains(Group::Comments)
        || known.document_base.new_base(known.context).is_some();
    if !looks_at_all && html::are_usual(edited.old, edited.changes) && by(Which::Usual).is_ok() {
        debug_assert_eq!(by(Which::Every), Ok(()));
        return Ok(());
    }
    by(Which::Every)
}

fn at_start(what: String) -> Disagreement {
    Disagreement {
        line: 1,
        column: 1,
        what,
    }
}

/// The texts of a document and of what was made of it, each of which is spelled in the one way in which
/// an encoder spells it: so where the texts are the same, the bytes are.
fn texts(encoding: &'static Encoding, edited: Edited<'_>) -> Result<Texts, String> {
    let length = Encoding::for_bom(edited.old).map_or(0, |(_, length)| length);
    let (mark, old) = edited.old.split_at(length);
    let new = edited.new.strip_prefix(mark);
    let new = new.ok_or("its byte order mark changed")?;
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
        _ => Err("it is not spelled as its encoding spells it".to_owned()),
    }
}
