//! Markdown: CommonMark 0.31 with GFM's tables, footnotes, alerts and bare URLs.
//!
//! Links and pictures, the definitions of labels, and HTML, each at its place; every other byte stays. What is code,
//! a comment, or front matter is none of it.

mod bare;
mod destination;
mod front_matter;
mod pieces;
mod read;
mod verify;

use abslink_html::base::{self, Context, DocumentBase};
use abslink_html::given_places::DocumentBytes;
use abslink_html::shared::DocumentParameters;
use abslink_html::{
    Edit, Examined, Fragments, Reference, Rewritten, Settings, Syntax, Tally, UnquotedField,
};
use read::Found;

/// No longer document is read.
#[doc(hidden)]
pub const LONGEST: usize = 256 << 20;

const NOT_UTF8: &str = "not UTF-8, as Markdown has to be; convert it to UTF-8";
const OTHER_STRUCTURE: &str = "a URL in its HTML has a line break or control character in it or beside it, and the new one \
                          would change other things; write it without";
/// Why a longer one is left.
#[doc(hidden)]
pub const TOO_LONG: &str = "larger than 256 MiB, the most that is read of Markdown";

/// Finds every reference in a document and says what it means; changes nothing.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, markdown};
///
/// let context = Context::retrieved_from("https://h/docs/a.md")?;
/// let mut found = Vec::new();
/// let text = b"[b](b.md) ![](c.png) <img src=d.png>";
/// markdown::examine(text, &context, &Settings::default(), &mut |reference| {
///     found.push(format!("{} {}", reference.element, reference.absolute.unwrap_or_default()));
/// });
/// let expected = ["link https://h/docs/b.md", "image https://h/docs/c.png", "img https://h/docs/d.png"];
/// assert_eq!(found, expected);
/// # Ok::<(), abslink_containers::UnsuitableBase>(())
/// ```
pub fn examine(
    bytes: &[u8],
    context: &Context,
    settings: &Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Examined {
    process(bytes, context, settings, Some(each)).0.examined
}

/// Makes the references in a document absolute.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, markdown};
///
/// let context = Context::retrieved_from("https://h/docs/a.md")?;
/// let text = b"[b]: <b c.md>\n`[x](y)` [](#top)";
/// let rewritten = markdown::rewrite(text, &context, &Settings::default());
/// assert_eq!(&*rewritten.document, b"[b]: <https://h/docs/b c.md>\n`[x](y)` [](#top)");
/// # Ok::<(), abslink_containers::UnsuitableBase>(())
/// ```
pub fn rewrite<'d>(bytes: &'d [u8], context: &Context, settings: &Settings) -> Rewritten<'d> {
    process(bytes, context, settings, None).0
}

/// What makes the references of a text in a field absolute; they are shown instead if somebody wants to see them.
pub(crate) fn edits(
    bytes: &[u8],
    context: &Context,
    settings: &Settings,
    each: Option<&mut dyn FnMut(&Reference<'_>)>,
) -> (crate::examined::Examined, Vec<Edit>) {
    let (rewritten, edits) = process(bytes, context, settings, each);
    let edits = if rewritten.is_changed() {
        edits
    } else {
        Vec::new()
    };
    (rewritten.examined.into(), edits)
}

fn process<'d>(
    bytes: &'d [u8],
    context: &Context,
    settings: &Settings,
    each: Option<&mut dyn FnMut(&Reference<'_>)>,
) -> (Rewritten<'d>, Vec<Edit>) {
    let mut context = context.clone();
    // What is shown of it is a page of its own.
    context.keeps_fragments = settings.fragments != Fragments::Resolve;
    context.ignores_bases = true;
    context.field = Some(UnquotedField { delimiter: b'|' });
    let document_base = base::document_base(None, &context, settings.resolver);
    let found = match read(bytes, settings) {
        Ok(found) => found,
        Err(reason) => {
            let mut examined = Examined::of(document_base);
            examined.left = Some(reason);
            return (Rewritten::of(bytes, None, examined), Vec::new());
        }
    };
    let bases: [(Context, DocumentBase); 1] = [(context, document_base)];
    let document = DocumentBytes::markdown(bytes, &found.markup);
    let resolved = document.references(&found.places, &bases, settings, each);
    let [(context, document_base)] = bases;
    let mut examined = Examined::of(document_base);
    examined.tally = resolved.tallies[0];
    examined.left = resolved.left;
    examined.growth = resolved.growth;
    let edits = document.edits(&resolved);
    let mut new = document.applied(&resolved);
    let known = DocumentParameters {
        syntax: Syntax::Html,
        encoding: encoding_rs::UTF_8,
        document_base: &examined.document_base,
        context: &context,
        settings,
    };
    if let Some(written) = &new {
        let change = (bytes, &found, &*edits);
        if !verify::keeps_structure(known, change, written) {
            (new, examined.left) = (None, Some(OTHER_STRUCTURE));
            examined.tally = Tally::default();
        } else if settings.verify.is_on() {
            examined.disagreement = verify::check(known, change, written).err();
        }
    }
    let new = new.filter(|_| examined.disagreement.is_none());
    (Rewritten::of(bytes, new, examined), edits)
}

fn read(bytes: &[u8], settings: &Settings) -> Result<Found, &'static str> {
    if bytes.len() > LONGEST {
        return Err(TOO_LONG);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| NOT_UTF8)?;
    read::read(text, settings.wanted())
}
