//! The tree of entities that a message is (RFC 2046 §5): headings and bodies by their place.
//!
//! A walker of its own, because libraries for mail decode every part to get at one, and what is
//! needed here is where bytes stand, in order to leave them there.

use std::ops::Range;

use memchr::memmem;

use super::transfer::Transfer;
use crate::heading::{Heading, MediaType, line_end, split};
use abslink_html::Syntax;

/// How deep entities in entities are followed.
const MAX_DEPTH: usize = 32;

/// A message, or a part of one.
#[derive(Debug)]
pub(super) struct Entity {
    pub(super) heading: Range<usize>,
    pub(super) body: Range<usize>,
    /// The entity that encloses it, by its index.
    pub(super) parent: Option<usize>,
    /// Which of the parts of its parent it is, from 1.
    number: usize,
    /// How many entities enclose it.
    depth: usize,
    pub(super) content: Content,
    /// Whether its heading is that of an HTTP message.
    pub(super) is_http: bool,
}

/// What an entity holds, as far as it matters here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// A document.
    Html(Syntax),
    /// Parts; what stands between them.
    Multipart {
        /// With its two hyphens.
        delimiter: Vec<u8>,
        /// `multipart/signed`: not a byte of it may change.
        signed: bool,
    },
    /// A message.
    Message,
    /// Something encrypted or signed as one whole, of which nothing can be seen.
    Sealed,
    /// A message or parts that are nested too deep, or encoded where RFC 2045 §6.4 forbids it.
    Unopened,
    /// Anything else.
    Other,
}

/// The entities of the message in this range of a file, each before those that it encloses.
pub(super) fn entities(message: &[u8], range: Range<usize>) -> Vec<Entity> {
    let mut entities = Vec::new();
    let is_http = message[range.clone()].starts_with(b"HTTP/");
    walk(
        message,
        range,
        None,
        1,
        "text/plain",
        is_http,
        &mut entities,
    );
    entities
}

/// The number of an entity as IMAP counts (RFC 9051 §6.4.5, "part specifiers"), such as `1.2`.
pub(super) fn section(entities: &[Entity], index: usize) -> String {
    let mut numbers = Vec::new();
    for index in std::iter::successors(Some(index), |&index| entities[index].parent) {
        let entity = &entities[index];
        let parent = entity.parent.map(|parent| &entities[parent].content);
        let is_multipart = matches!(entity.content, Content::Multipart { .. });
        match parent {
            Some(Content::Multipart { .. }) => numbers.push(entity.number.to_string()),
            // The one body of a message that has no parts is its part 1.
            _ if !is_multipart && numbers.is_empty() => numbers.push("1".to_owned()),
            _ => {}
        }
    }
    numbers.reverse();
    numbers.join(".")
}

/// Adds the entity in this range, and those in it. `default` is the media type of one that names none.
fn walk(
    message: &[u8],
    range: Range<usize>,
    parent: Option<usize>,
    number: usize,
    default: &str,
    is_http: bool,
    entities: &mut Vec<Entity>,
) {
    let (heading, body) = split(message, range);
    let fields = Heading::new(message, heading.clone());
    let media_type = MediaType::of(fields, default);
    let mut content = content(&media_type);
    let encloses = matches!(content, Content::Multipart { .. } | Content::Message);
    let depth = parent.map_or(0, |parent| entities[parent].depth + 1);
    if encloses && (depth == MAX_DEPTH || is_encoded(fields)) {
        content = Content::Unopened;
    }
    let index = Some(entities.len());
    entities.push(Entity {
        heading,
        body: body.clone(),
        parent,
        number,
        depth,
        content: content.clone(),
        is_http,
    });
    match content {
        Content::Multipart { delimiter, .. } => {
            let default = match &*media_type.essence {
                "multipart/digest" => "message/rfc822",
                _ => "text/plain",
            };
            for (number, part) in parts(message, body, &delimiter).enumerate() {
                walk(message, part, index, number + 1, default, false, entities);
            }
        }
        Content::Message => {
            let is_http = media_type.essence.ends_with("/http");
            walk(message, body, index, 1, "text/plain", is_http, entities);
        }
        _ => {}
    }
}

fn content(media_type: &MediaType) -> Content {
    match &*media_type.essence {
        "text/html" | "text/x-amp-html" => Content::Html(Syntax::Html),
        "application/xhtml+xml" => Content::Html(Syntax::Xml),
        // RFC 5322, RFC 6532, RFC 9112 §10, and what news wrote.
        "message/rfc822" | "message/global" | "message/news" | "message/http"
        | "application/http" => Content::Message,
        "multipart/encrypted" | "application/pkcs7-mime" | "application/x-pkcs7-mime" => {
            Content::Sealed
        }
        essence if essence.starts_with("multipart/") => {
            let boundary = media_type.parameter("boundary");
            match boundary.as_deref().map(str::trim_end) {
                None | Some("") => Content::Other,
                Some(boundary) => Content::Multipart {
                    delimiter: [b"--", boundary.as_bytes()].concat(),
                    signed: essence == "multipart/signed",
                },
            }
        }
        _ => Content::Other,
    }
}

/// Whether a transfer encoding hides what is inside.
fn is_encoded(heading: Heading<'_>) -> bool {
    matches!(
        Transfer::of(heading),
        Ok(Transfer::QuotedPrintable | Transfer::Base64)
    )
}

/// §5.1.1: the parts of a multipart body. The line break before a delimiter belongs to the
/// delimiter; without a closing delimiter, the last part ends with the body.
fn parts<'m>(
    message: &'m [u8],
    body: Range<usize>,
    delimiter: &'m [u8],
) -> impl Iterator<Item = Range<usize>> {
    let mut lines = delimiter_lines(message, body.clone(), delimiter);
    let mut open = lines.next();
    std::iter::from_fn(move || {
        let (delimiter, _) = open.take().filter(|(_, closes)| !closes)?;
        let start = delimiter.end;
        open = lines.next();
        let Some((next, _)) = &open else {
            return Some(start..body.end);
        };
        let end = without_line_end(message, start, next.start);
        Some(start..end)
    })
}

fn without_line_end(message: &[u8], start: usize, end: usize) -> usize {
    let part = &message[start..end];
    let part = part.strip_suffix(b"\n").unwrap_or(part);
    start + part.strip_suffix(b"\r").unwrap_or(part).len()
}

/// Whether some line of `text` would be read as this delimiter.
pub(super) fn holds_delimiter(text: &[u8], delimiter: &[u8]) -> bool {
    delimiter_lines(text, 0..text.len(), delimiter)
        .next()
        .is_some()
}

/// The lines that are the delimiter and nothing else but the space at their end that transports
/// add. (§5.1.1 would let anything follow; then the boundary `a` would end the parts of a boundary
/// `ab` inside it, which programs do write.) With each, whether it closes the body.
fn delimiter_lines<'m>(
    message: &'m [u8],
    body: Range<usize>,
    delimiter: &'m [u8],
) -> impl Iterator<Item = (Range<usize>, bool)> {
    let text = &message[body.clone()];
    memmem::find_iter(text, delimiter).filter_map(move |at| {
        if at > 0 && text[at - 1] != b'\n' {
            return None;
        }
        let end = line_end(text, at, text.len());
        let rest = &text[at + delimiter.len()..end];
        let after = rest.strip_prefix(b"--");
        let is_delimiter = after.unwrap_or(rest).trim_ascii().is_empty();
        is_delimiter.then_some((body.start + at..body.start + end, after.is_some()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entities(message: &[u8]) -> Vec<Entity> {
        super::entities(message, 0..message.len())
    }

    /// Section and body of every entity.
    fn bodies(message: &str) -> Vec<(String, &str)> {
        let entities = entities(message.as_bytes());
        (0..entities.len())
            .map(|index| {
                let body = &message[entities[index].body.clone()];
                (section(&entities, index), body)
            })
            .collect()
    }

    #[test]
    fn a_message_without_parts() {
        assert_eq!(bodies("A: b\n\nc"), [("1".to_owned(), "c")]);
        assert_eq!(bodies("A: b\r\n"), [("1".to_owned(), "")]);
        assert_eq!(bodies("\nc"), [("1".to_owned(), "c")]);
        assert_eq!(bodies(""), [("1".to_owned(), "")]);
    }

    #[test]
    fn parts_in_parts_and_a_message_in_a_part() {
        let message = "Content-Type: multipart/mixed; boundary=a\n\n\
            preamble\n--a\n\none\n--a \t\n\
            Content-Type: multipart/related; boundary=ab\n\n--ab\n\ntwo\n--ab--\n\
            --a\nContent-Type: message/rfc822\n\nX: y\n\nthree\n--a--\nepilogue";
        let found = bodies(message);
        let sections: Vec<_> = found.iter().map(|(section, _)| &**section).collect();
        assert_eq!(sections, ["", "1", "2", "2.1", "3", "3.1"]);
        let leaves = [1, 3, 5].map(|index| found[index].1);
        assert_eq!(leaves, ["one", "two", "three"]);
    }

    #[test]
    fn boundaries_that_lie() {
        let head = "Content-Type: multipart/mixed; boundary=a\r\n\r\n";
        let leaves = |body: &str| {
            let message = head.to_owned() + body;
            let found: Vec<String> = bodies(&message)[1..]
                .iter()
                .map(|(_, body)| (*body).to_owned())
                .collect();
            found
        };
        assert_eq!(leaves(""), [""; 0]);
        assert_eq!(leaves("--a--\r\n--a\r\n\r\nx"), [""; 0]);
        assert_eq!(leaves("--a\r\n--a\r\n--a--"), ["", ""]);
        assert_eq!(leaves("--a\r\n\r\nnever closed\r\n"), ["never closed\r\n"]);
        assert_eq!(
            leaves("--a\r\n\r\nx --a\r\n--ab\r\n--a--"),
            ["x --a\r\n--ab"]
        );
    }

    #[test]
    fn a_boundary_inside_itself_ends() {
        let message = "Content-Type: multipart/mixed; boundary=a\n\n--a\n".repeat(100);
        assert!(entities(message.as_bytes()).len() <= 101);
    }

    #[test]
    fn depth_is_limited() {
        let message = "Content-Type: message/rfc822\n\n".repeat(10_000);
        let entities = entities(message.as_bytes());
        assert_eq!(entities.len(), MAX_DEPTH + 1);
        assert_eq!(entities[MAX_DEPTH].content, Content::Unopened);
    }

    #[test]
    fn a_digest_holds_messages() {
        let message = "Content-Type: multipart/digest; boundary=a\n\n\
            --a\n\nContent-Type: text/html\n\nx\n--a--";
        let entities = entities(message.as_bytes());
        assert_eq!(entities[1].content, Content::Message);
        assert_eq!(entities[2].content, Content::Html(Syntax::Html));
        assert_eq!(section(&entities, 2), "1.1");
    }
}
