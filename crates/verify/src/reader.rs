//! The second reader of `rewrite --verify`: it compares a document with what was made of it.
//!
//! It shares no code with the locator. lol_html says where the tags and values of the old document
//! are (`html`), quick-xml does for XHTML (`xml`). The new one is followed from there (`follow`, which
//! says why it then has the same tags). What stands between values is the same byte for byte
//! (`compare`); a value that changed is a place that carries URLs (`values`), its other parts are the
//! same (`grammar`), and are spelled by the same bytes (`spelled`), and each URL means the same by a
//! second resolver (`target`). Raw text that carries URLs is read again: `noscript` and `srcdoc` as
//! documents, style sheets by cssparser, JSON by serde_json.
//!
//! A value that gets quotes is written anew as a whole, so that only what it means is compared. So is
//! what stands in one entity of XML with a reference.
//!
//! Of the document it is told the encoding and the base URL. That this is what its `base` element
//! says is checked at the end. What it shares with the first reader is the table of attributes, the
//! reading of the `href` of a `base` element ([`document_base`](abslink_html::document_base)), which URL
//! the name of a file in a mirror stands for, and where template placeholders are (`unfilled`).
//!
//! lol_html builds no tree, so that it may take markup for text, or text for markup, where a browser
//! does not. Where a reference is rewritten in what it takes for text, it does not agree, and the
//! document is left. Of 100,000 documents that were generated to be hard, each for three resolvers,
//! these were 1,145 of 300,000 readings:
//!
//! - 678 with `svg` or `math` that another end tag closes, or several levels of which end at once: it
//!   loses count. (One that closes itself is mended: it begins anew behind that.)
//! - 435 with `frameset`: tags of raw text that a browser drops there.
//! - 32 with a `template` that begins with a `col`, and so holds no script.
//!
//! It does not know what a `table`, a `select` or a `template` does to a `base`: behind the first of
//! these, any `base` element may be the one that counts, and in a document with a `frameset` anywhere.
//! In real pages none of this was met.
//!
//! quick-xml expects documents that are well-formed: from where one is not, nothing may change. A
//! `base` element that a document type declaration spells is not looked for.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::compare::Comparison;
use super::target::Targets;
use super::values::Meaning;
use super::{feed, unfilled};
use abslink_html::Disagreement;
use abslink_html::ValueKind;
use abslink_html::given::Given;
use abslink_html::shared::Against;
use abslink_html::shared::{Known, KnownFeed, Reading, SecondReader};

/// Compares a document with what is made of it, while that is made.
pub(crate) struct Verifier<'v>(Comparison<'v>);

/// The second reader.
pub(crate) struct Reader;

impl SecondReader for Reader {
    fn begin<'v>(&self, known: Known<'_, 'v>) -> Box<dyn Reading + 'v> {
        Box::new(Verifier::new(known))
    }

    fn whole(&self, known: Known<'_, '_>, old: &[u8], new: &[u8]) -> Result<(), Disagreement> {
        whole(known, old, new)
    }

    fn sheet(&self, known: Known<'_, '_>, old: &[u8], new: &[u8]) -> Result<(), Disagreement> {
        sheet(known, old, new)
    }

    fn feed(&self, known: &KnownFeed<'_>, new: &Given<'_>) -> Result<(), Disagreement> {
        feed::compare(known, new)
    }
}

impl<'v> Verifier<'v> {
    pub(crate) fn new(known: Known<'_, 'v>) -> Verifier<'v> {
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
        let meaning = Meaning {
            syntax: known.syntax,
            encoding: if is_decoded { UTF_8 } else { known.encoding },
            wanted: known.settings.wanted(),
            targets,
        };
        Verifier(Comparison::new(meaning))
    }
}

impl Reading for Verifier<'_> {
    fn take(&mut self, old: &[u8], new: &[u8], last: bool) -> Result<(), Disagreement> {
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
