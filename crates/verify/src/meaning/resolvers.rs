//! Resolvers that are not abslink's: the crates `url` and `oxiri`, and RFC 1808 by the letter.

use std::borrow::Cow;

use abslink_url::{Resolver, whatwg};
use encoding_rs::{EncoderResult, Encoding, UTF_8};
use oxiri::{Iri, IriRef};
use url::{Position, Url};

use super::transcription;

/// Resolves a reference in a document of that encoding; `None` if that fails.
pub(super) fn resolve(
    resolver: Resolver,
    encoding: &'static Encoding,
    base: &str,
    reference: &str,
) -> Option<String> {
    match resolver {
        Resolver::Rfc1808 => Some(transcription::resolve(base, reference)),
        Resolver::Rfc3986 => {
            // The crate takes any text before a colon for a scheme, if it is not to be valid.
            let first = reference.split(['/', '?', '#']).next();
            let is_path = first.is_some_and(|first| first.contains(':')) && !has_scheme(reference);
            let reference = format!("{}{reference}", if is_path { "./" } else { "" });
            let reference = IriRef::parse_unchecked(reference);
            let target = Iri::parse_unchecked(base).resolve_unchecked(&reference);
            Some(target.into_inner())
        }
        Resolver::Whatwg => {
            let url = by_url_crate(encoding, base, reference)?;
            if url.scheme() == "file" {
                return file_url(base, reference, &url);
            }
            Some(url.into())
        }
    }
}

/// Whether a reference begins with a scheme (RFC 3986 §3.1).
pub(super) fn has_scheme(reference: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    reference.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_part)
    })
}

fn by_url_crate(encoding: &'static Encoding, base: &str, reference: &str) -> Option<Url> {
    let base = Url::parse(base).ok()?;
    // The crate fails on `///x`, where the URL Standard skips surplus slashes.
    let host = reference.trim_start_matches(['/', '\\']);
    let surplus = reference.len() - host.len() > 2;
    let reference = if surplus && base.is_special() && base.scheme() != "file" {
        Cow::Owned(format!("//{host}"))
    } else {
        Cow::Borrowed(reference)
    };
    // It also takes a backslash for a slash, which the URL Standard does in special schemes only.
    let reference = match (base.is_special(), reference.strip_prefix('/')) {
        (false, None) if reference.starts_with('\\') => Cow::Owned(format!("./{reference}")),
        (false, Some(rest)) if rest.starts_with('\\') => Cow::Owned(format!("/./{rest}")),
        _ => reference,
    };
    Url::options()
        .base_url(Some(&base))
        .encoding_override(Some(&|query| encoded(query, encoding)))
        .parse(&reference)
        .ok()
}

/// The crate cannot hold every path of a `file:` URL, so only what follows the path is taken from what it `read`.
fn file_url(base: &str, reference: &str, read: &Url) -> Option<String> {
    let base = whatwg::parse(base, None).ok()?;
    let url = whatwg::parse(reference, Some(&base)).ok()?;
    let url = url.text();
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    Some([&url[..path_end], &read[Position::AfterPath..]].concat())
}

/// URL Standard, "percent-encode after encoding": the bytes of a query. What the encoding lacks is
/// percent-encoded already, with the `&#` and the `;` of its numeric reference.
fn encoded<'q>(mut query: &'q str, encoding: &'static Encoding) -> Cow<'q, [u8]> {
    if encoding.output_encoding() == UTF_8 {
        return Cow::Borrowed(query.as_bytes());
    }
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::new();
    loop {
        bytes.reserve(4 * query.len() + 16);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(query, &mut bytes, true);
        query = &query[read..];
        match result {
            EncoderResult::InputEmpty => return Cow::Owned(bytes),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(lacking) => {
                bytes.extend(format!("%26%23{}%3B", u32::from(lacking)).bytes());
            }
        }
    }
}
