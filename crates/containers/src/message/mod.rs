//! Messages with HTML in them: MHTML archives (`.mht`, `.mhtml`), mail (`.eml`), and what HTTP
//! sends.
//!
//! RFC 1808 §3.1 and §3.2: a document in a message has the base URL of what encloses it, the
//! innermost first: `Base`, `Content-Base` or `Content-Location` of its own heading, then those of
//! each heading around it (`location`). [`rewrite`] and [`examine`] find the parts of a message
//! (`entity`), undo the transfer encoding of the HTML ones (`transfer`), have
//! them processed by `html` (`part`), and put the new octets back in the same encoding;
//! header fields that count or sum up a body follow (`fields`). Every other byte stays. Of a file with many messages
//! (`mbox`) each is done; one of Apple Mail (.emlx) has its length before it (`frame`).
//!
//! What is left alone:
//! - parts that are signed or cannot be read; each is a [`Refusal`];
//! - references whose base URL would be `thismessage:/…` (RFC 2557 §5), which means nothing outside
//!   the message; they are unresolved;
//! - references of parts that were saved at a `file:` URL: absolute, they would name files on the computer
//!   of whoever saved them;
//! - style sheets that are parts of their own, like those that are files of their own.

mod entity;
mod fields;
mod frame;
mod framing;
mod location;
// As `rows`, for the crate abslink.
#[doc(hidden)]
pub mod mbox;
mod part;
mod transfer;

pub use crate::examined::{Document, Examined, Reason, Refusal, Remark};
pub use crate::heading::RefusedBase;
#[doc(hidden)]
pub use framing::{Framing, framing};

use crate::heading::Heading;
use abslink_html::base::Context;
use abslink_html::{self as html, Edit, Reference, Rewritten, sort_by_number};
use entity::Content;
use frame::Frame;
use location::Locations;
use part::Message;

/// Finds every reference in a message and says what it means; changes nothing. The span of a
/// reference in an encoded part is that of what spells it in the message.
///
/// `context` is what is known about the message from outside.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, message};
///
/// let mail = b"Base: <URL:http://h/a/>\n\
///     Content-Type: text/html\n\
///     Content-Transfer-Encoding: quoted-printable\n\
///     \n\
///     <img src=3D\"i.png\">";
/// let (context, html) = (Context::default(), Settings::default());
/// let mut found = Vec::new();
/// let examined = message::examine(mail, &context, &html, &mut |reference| {
///     found.push((mail[reference.span.clone()].to_vec(), reference.absolute.map(str::to_owned)));
/// });
/// assert_eq!(found, [(b"i.png".to_vec(), Some("http://h/a/i.png".to_owned()))]);
/// assert_eq!(examined.documents[0].number, "1");
/// ```
pub fn examine(
    message: &[u8],
    context: &Context,
    html: &html::Settings,
    each: &mut dyn FnMut(&Reference<'_>),
) -> Examined {
    let known = Known { context, html };
    if framing(message) == Some(Framing::Mbox) {
        return mbox::examine_all(message, known, each);
    }
    match Frame::of(message) {
        Ok(frame) => examine_framed(message, &frame, known, each),
        Err(left) => left_for(left),
    }
}

/// What is known about a message from outside, and how its documents are processed.
#[derive(Clone, Copy)]
struct Known<'k> {
    context: &'k Context,
    html: &'k html::Settings,
}

/// Is shown each reference.
type Each<'e> = &'e mut dyn FnMut(&Reference<'_>);

fn examine_framed(file: &[u8], frame: &Frame, known: Known<'_>, each: Each<'_>) -> Examined {
    let (mut examined, _) = process(file, frame, known, Some(each));
    (examined.refusals).retain(|refusal| refusal.reason.hides_references());
    examined
}

fn left_for(reason: &'static str) -> Examined {
    Examined {
        left: Some(reason),
        ..Examined::default()
    }
}

/// Makes the references in the HTML parts of a message absolute.
///
/// # Examples
/// ```
/// use abslink_containers::{Context, Settings, message};
///
/// let mail = b"Content-Type: text/html\nContent-Base: http://h/a/\n\n<img src='i.png'>";
/// let (context, html) = (Context::default(), Settings::default());
/// let rewritten = message::rewrite(mail, &context, &html);
/// assert!(rewritten.document.ends_with(b"<img src='http://h/a/i.png'>"));
/// ```
pub fn rewrite<'m>(
    message: &'m [u8],
    context: &Context,
    html: &html::Settings,
) -> Rewritten<'m, Examined> {
    let known = Known { context, html };
    if framing(message) == Some(Framing::Mbox) {
        return mbox::rewrite_all(message, known);
    }
    match Frame::of(message) {
        Ok(frame) => rewrite_framed(message, &frame, known),
        Err(left) => Rewritten::of(message, None, left_for(left)),
    }
}

fn rewrite_framed<'m>(file: &'m [u8], frame: &Frame, known: Known<'_>) -> Rewritten<'m, Examined> {
    let (examined, mut edits) = process(file, frame, known, None);
    if !edits.is_empty()
        && let Some(edit) = frame.edit(file, &edits)
    {
        edits.insert(0, edit);
    }
    let new = (!edits.is_empty()).then(|| transfer::splice(file, &edits));
    Rewritten::of(file, new, examined)
}

/// Whether a file has no HTML part, and does not say either that it holds something else: only its first
/// fields look like a message's.
#[doc(hidden)]
pub fn is_bare(file: &[u8]) -> bool {
    let Ok(frame) = Frame::of(file) else {
        return false;
    };
    let entities = entity::entities(file, frame.message);
    let has_type = |entity: &entity::Entity| {
        let heading = Heading::new(file, entity.heading.clone());
        heading.get("Content-Type").is_some()
    };
    entities.first().is_none_or(|whole| !has_type(whole))
}

/// Why a message is left where references do not become absolute.
const NAMED: &str = "its parts have URLs of their own (Content-Location, Content-ID), which its links use: \
                     leave --to out";

/// Why a message of an mbox is left.
const SIGNED: &str = "signed or encrypted";

fn process(
    message: &[u8],
    frame: &Frame,
    known: Known<'_>,
    each: Option<Each<'_>>,
) -> (Examined, Vec<Edit>) {
    let Known { context, html } = known;
    let rewrites = each.is_none();
    let mut nobody = |_: &Reference<'_>| {};
    let each = each.unwrap_or(&mut nobody);
    let entities = entity::entities(message, frame.message.clone());
    let mut examined = Examined::default();
    let mut headings =
        (entities.iter()).map(|entity| Heading::new(message, entity.heading.clone()));
    let are_named = headings.any(|heading| {
        ["Content-Location", "Content-ID"]
            .iter()
            .any(|name| heading.get(name).is_some())
    });
    if html.to.is_short() && are_named {
        return (left_for(NAMED), Vec::new());
    }
    let locations = |outer, refused: &mut Vec<Remark>| {
        Locations::new(message, &entities, outer, html.resolver, refused)
    };
    let inside = locations(part::this_message(), &mut examined.remarks);
    let outside = (context.retrieval.as_ref())
        .map(|retrieval| locations(retrieval.url.clone(), &mut Vec::new()));
    if inside.are_outgrown() || outside.as_ref().is_some_and(Locations::are_outgrown) {
        let left = Some(html::OUTGROWN);
        return (Examined { left, ..examined }, Vec::new());
    }
    // By how much the parts before have grown.
    let mut grown = 0;
    let parts = Message {
        bytes: message,
        entities: &entities,
        known: outside.as_ref().unwrap_or(&inside),
        inside: &inside,
        context,
        html,
        line_end: line_end(&message[frame.message.clone()]),
        is_in_mbox: frame.framing == Framing::Mbox,
        rewrites,
    };
    let mut bodies = Vec::new();
    for (index, entity) in entities.iter().enumerate() {
        let section = || entity::section(&entities, index);
        let refused = |reason| Refusal {
            section: section(),
            reason,
        };
        match entity.content {
            Content::Html(syntax) => {
                let section = section();
                let part = parts.part(index, &section, syntax, grown, each);
                if part.refusal.is_none() {
                    grown += part.examined.growth;
                }
                examined.refusals.extend(part.refusal.map(refused));
                examined.remarks.extend(part.remark);
                bodies.extend(part.body.map(|new| (index, (entity.body.clone(), new))));
                examined.documents.push(Document {
                    number: section,
                    examined: part.examined,
                });
            }
            Content::Sealed => examined.refusals.push(refused(Reason::Sealed)),
            Content::Unopened => examined.refusals.push(refused(Reason::Unopened)),
            Content::Multipart { .. } | Content::Message | Content::Other => {}
        }
    }
    let is_sealed = |refusal: &Refusal| matches!(refusal.reason, Reason::Signed | Reason::Sealed);
    if parts.is_in_mbox && rewrites && examined.refusals.iter().any(is_sealed) {
        return (left_for(SIGNED), Vec::new());
    }
    let (mut edits, broken_signatures) = fields::follow(message, &entities, &bodies, frame);
    let broken = std::iter::repeat_n(Remark::Dkim, broken_signatures);
    examined.remarks.extend(broken);
    edits.extend(bodies.into_iter().map(|(_, edit)| edit));
    sort_by_number(&mut edits, |(range, _)| range.start);
    (examined, edits)
}

/// How lines of a message end: as the first one does.
fn line_end(message: &[u8]) -> &[u8] {
    match memchr::memchr(b'\n', message) {
        Some(0) => b"\n",
        Some(feed) if message[feed - 1] != b'\r' => b"\n",
        _ => b"\r\n",
    }
}
