//! Which records hold documents, and what is known of each (RFC 1808 §3).

use std::borrow::Cow;

use super::RecordReason;
use super::coding;
use super::head::{Head, Kind, syntax};
use super::http::Response;
use crate::heading::{self, MediaType, RefusedBase};
use abslink_html::base::{BaseSource, Context, Retrieval};
use abslink_html::{self as html, Syntax, sniff};
use abslink_url::{BaseUrl, pre_step};

/// What a record is to those who look for documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It holds a document, unless its block tells otherwise.
    Document,
    /// It would, but for its size.
    TooLarge,
    /// It may hold a part of one.
    Segment,
    Other,
}

impl Role {
    /// By the head of a record and the beginning of its block. Where the media type is not given, the
    /// MIME Sniffing Standard decides on the decoded body.
    pub fn of(head: &Head, beginning: &[u8]) -> Role {
        let is_document = match head.kind() {
            Kind::Response if !is_http(head) => false,
            Kind::Response => {
                let response = Response::of(beginning);
                // A head that is not there as a whole may say anything yet.
                let goes_on = response.body.is_empty() && head.length > beginning.len() as u64;
                goes_on
                    || match response.media_type() {
                        Some(media_type) => syntax(&media_type).is_some(),
                        None => is_html(&response),
                    }
            }
            Kind::Resource | Kind::Conversion => {
                (head.media_type()).is_some_and(|media_type| syntax(&media_type).is_some())
            }
            Kind::Revisit | Kind::Other => false,
        };
        match () {
            () if !is_document => Role::Other,
            () if head.is_segment() => Role::Segment,
            () if head.length > coding::LARGEST_BLOCK => Role::TooLarge,
            () => Role::Document,
        }
    }
}

/// Whether the block is that of HTTP, as far as the record says: `text/dns` is another one.
fn is_http(head: &Head) -> bool {
    let media_type = head.media_type();
    media_type.is_none_or(|media_type| media_type.essence == "application/http")
}

/// Whether a body without media type is HTML.
fn is_html(response: &Response<'_>) -> bool {
    let codings = response.codings().unwrap_or_default();
    sniff::is_html(&coding::beginning(&codings, response.body))
}

/// A document in a record.
pub struct Payload<'b> {
    pub syntax: Syntax,
    /// `type/subtype`.
    pub media_type: String,
    /// With its codings undone.
    pub text: Cow<'b, [u8]>,
    pub context: Context,
    /// Fields that should give a base URL and give none.
    pub refused: Vec<RefusedBase>,
    /// Whether the body does not have a coding that its head names.
    pub coding_missing: bool,
}

impl<'b> Payload<'b> {
    /// The document in a record with this block, if there is one.
    ///
    /// # Errors
    /// Why the record is left.
    pub fn of(head: &Head, block: &'b [u8]) -> Result<Option<Payload<'b>>, RecordReason> {
        let (response, media_type) = match head.kind() {
            Kind::Response => {
                let response = Response::of(block);
                (response, response.media_type())
            }
            _ => {
                let body = block;
                (Response { head: b"", body }, head.media_type())
            }
        };
        let media_type = match media_type {
            Some(media_type) => media_type,
            None if is_html(&response) => MediaType::html(),
            None => return Ok(None),
        };
        let Some(syntax) = syntax(&media_type) else {
            return Ok(None);
        };
        let stored = response.body.len() as u64;
        let (body, coding_missing) = coding::undo(&response.codings()?, response.body, stored)?;
        let mut refused = Vec::new();
        let mut context = Context::default();
        context.charset = charset(&media_type, &body);
        context.entity = entity(&response, &mut refused);
        context.retrieval = retrieval(head);
        Ok(Some(Payload {
            syntax,
            media_type: media_type.essence,
            text: body,
            context,
            refused,
            coding_missing,
        }))
    }
}

/// The label of the character encoding. `utf-16` is little-endian where neither a mark nor the first
/// `<` tells, by the Encoding Standard.
fn charset(media_type: &MediaType, body: &[u8]) -> Option<String> {
    let label = media_type.parameter("charset")?;
    if !label.trim().eq_ignore_ascii_case("utf-16") {
        return Some(label);
    }
    Some(html::utf16_by_markup(body).unwrap_or("utf-16le").to_owned())
}

/// §3.2: what the HTTP head says of the base URL. Since RFC 7231 `Content-Location` says nothing.
fn entity(response: &Response<'_>, refused: &mut Vec<RefusedBase>) -> Option<BaseUrl> {
    let mut field = |name| {
        let url = |value: &[u8]| heading::unquoted(&heading::text(value));
        let found = heading::base(response.fields(), name, url)?;
        found.map_err(|base| refused.push(base)).ok()
    };
    field("Base").or_else(|| field("Content-Base"))
}

/// §3.3: `WARC-Target-URI`.
fn retrieval(head: &Head) -> Option<Retrieval> {
    let url = BaseUrl::parse(&pre_step(&head.target()?)).ok()?;
    Some(Retrieval {
        url,
        source: BaseSource::Archive,
        is_guess: false,
    })
}
