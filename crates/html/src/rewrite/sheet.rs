//! Style sheets that are files of their own: CSS Syntax 3, with the sheet's URL as its base URL.

use encoding_rs::Encoding;

use super::document::Rewritten;
use super::given_places::DocumentBytes;
use crate::base::{self, Context};
use crate::locate::Syntax;
use crate::places::attributes::STYLE_SHEET;
use crate::places::groups::Group;
use crate::places::list::{Places, UrlPlace};
use crate::report::examined::Examined;
use crate::report::reference::Reference;
use crate::settings::Settings;
use crate::settings::second_reader::DocumentParameters;
use crate::text::encoding::{self, Charset};
use crate::text::splice::Edit;
use crate::text::value::Delimiter;

/// Finds every reference of a style sheet and says what it means; changes nothing.
pub fn examine(
    bytes: &[u8],
    context: &Context,
    settings: &Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Examined {
    process(bytes, context, settings, Some(each)).0
}

/// Finds what makes the references of a style sheet absolute.
pub fn edits(bytes: &[u8], context: &Context, settings: &Settings) -> (Examined, Vec<Edit>) {
    let (examined, new) = process(bytes, context, settings, None);
    (examined, new.map_or_else(Vec::new, |(_, edits)| edits))
}

/// Makes the references of a style sheet absolute.
pub fn rewrite<'d>(bytes: &'d [u8], context: &Context, settings: &Settings) -> Rewritten<'d> {
    let (examined, new) = process(bytes, context, settings, None);
    Rewritten::of(bytes, new.map(|(new, _)| new), examined)
}

/// A new style sheet, and the edits that have made it.
type New = (Vec<u8>, Vec<Edit>);

fn process(
    bytes: &[u8],
    context: &Context,
    settings: &Settings,
    each: Option<&mut dyn FnMut(&Reference<'_>)>,
) -> (Examined, Option<New>) {
    let charset = charset(bytes, context.charset.as_deref());
    let sheet = match DocumentBytes::new(bytes, charset, Syntax::Html) {
        Ok(sheet) => sheet,
        Err(reason) => return (Examined::left(context, reason), None),
    };
    let mut places = Places::default();
    if settings.groups.contains(Group::Css) {
        let start = sheet.charset().bom;
        places.list.push(UrlPlace {
            row: &STYLE_SHEET,
            value: start..sheet.markup().len(),
            delimiter: Delimiter::RawText,
            element: start..start,
            is_inert: true,
            off_group: None,
        });
    }
    // §3.3 alone: nothing in a style sheet names its base URL.
    let document_base = base::document_base(None, context, settings.resolver);
    let numbers = vec![0; places.list.len()];
    let bases = [(context.clone(), document_base)];
    let resolved = sheet.resolve(&places, &numbers, &bases, settings, each);
    let [(_, document_base)] = bases;
    let mut examined = Examined {
        tally: resolved.tallies[0],
        left: resolved.left,
        growth: resolved.growth,
        ..Examined::of(document_base)
    };
    let mut new = sheet.applied(&resolved);
    if let Some(out) = &mut new {
        let known = DocumentParameters {
            syntax: Syntax::Html,
            encoding: sheet.encoding(),
            document_base: &examined.document_base,
            context,
            settings,
        };
        let checked = (settings.verify).check(out, 0, Vec::new, |reader, new, _| {
            reader.sheet(known, [bytes, new])
        });
        examined.disagreement = checked.err();
    }
    let new = new.filter(|_| examined.disagreement.is_none());
    let new = new.map(|new| (new, sheet.edits(&resolved)));
    (examined, new)
}

/// CSS Syntax 3 §3.2: the encoding of a style sheet. Where nothing declares one, valid UTF-8 is UTF-8.
fn charset<'d>(bytes: &'d [u8], label: Option<&str>) -> Charset<'d> {
    let declared = label
        .and_then(|label| Encoding::for_label(label.as_bytes()))
        .or_else(|| declared(bytes));
    Charset::of_kind(bytes, declared)
}

/// What an `@charset` rule at the very beginning says, in exactly these bytes.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(encoding::HEAD)];
    let label = head.strip_prefix(b"@charset \"")?;
    let end = memchr::memchr(b'"', label)?;
    let is_ended = label[end..].starts_with(b"\";");
    let declared = Encoding::for_label(&label[..end]).filter(|_| is_ended)?;
    Some(encoding::as_declared_in_ascii(declared))
}
