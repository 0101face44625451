//! The codings of an HTTP body (RFC 9110 §8.4.1, RFC 9112 §7): undone as far as crawlers meant them.
//! Many store the decoded body and keep the field that names its coding.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::Reason;

/// No decoded body is larger.
const LARGEST: usize = 256 << 20;
/// Up to this size it may be as many times as large as the stored one as it likes.
const SMALL: usize = 16 << 20;
const RATIO: usize = 1000;

/// The largest block that can hold such a body: with a head, and spelled in chunks.
pub(super) const LARGEST_BLOCK: u64 = LARGEST as u64 + (64 << 20);

/// One coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Chunked,
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

impl Coding {
    /// By its name in a field; nothing for `identity`.
    ///
    /// # Errors
    /// A name that is not known.
    pub(super) fn named(name: &str) -> Result<Option<Coding>, Reason> {
        let known = [
            ("", None),
            ("identity", None),
            ("chunked", Some(Coding::Chunked)),
            ("gzip", Some(Coding::Gzip)),
            ("x-gzip", Some(Coding::Gzip)),
            ("deflate", Some(Coding::Deflate)),
            ("br", Some(Coding::Brotli)),
            ("zstd", Some(Coding::Zstd)),
        ];
        let found = known
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        found
            .map(|(_, coding)| *coding)
            .ok_or(Reason::UnknownCoding)
    }

    /// Whether a body begins as one with this coding does; always, where nothing tells.
    fn is_at(self, body: &[u8]) -> bool {
        match self {
            Coding::Gzip => body.starts_with(&[0x1f, 0x8b]),
            Coding::Zstd => body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]),
            Coding::Chunked => chunk_size(body).is_some(),
            Coding::Deflate | Coding::Brotli => true,
        }
    }

    fn undo(self, body: &[u8], limit: Limit) -> Result<Vec<u8>, Failed> {
        match self {
            Coding::Chunked => dechunked(body),
            Coding::Gzip => limit.read(MultiGzDecoder::new(body)),
            Coding::Deflate if is_zlib(body) => limit.read(ZlibDecoder::new(body)),
            Coding::Deflate => limit.read(DeflateDecoder::new(body)),
            Coding::Brotli => limit.read(brotli_decompressor::Decompressor::new(body, 4096)),
            Coding::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(body);
                limit.read(decoder.map_err(|_| Failed::Damaged)?)
            }
        }
    }
}

/// Why a coding cannot be undone.
#[derive(Debug, PartialEq, Eq)]
enum Failed {
    Damaged,
    TooLarge,
}

/// A body with its codings undone.
pub(super) struct Decoded<'b> {
    pub(super) body: Cow<'b, [u8]>,
    /// Whether it does not have one of the codings that its head names.
    pub(super) lied: bool,
}

/// Undoes codings, from the last to the first. `stored` is how long the whole body is, of which
/// `body` may be the beginning.
pub(super) fn undo<'b>(
    codings: &[Coding],
    body: &'b [u8],
    stored: u64,
) -> Result<Decoded<'b>, Reason> {
    let stored = usize::try_from(stored).unwrap_or(usize::MAX);
    let most = stored.saturating_mul(RATIO).clamp(SMALL, LARGEST);
    undo_within(codings, body, Limit::Of(most))
}

/// The beginning of a body with its codings undone, as far as that is needed to know what it is.
pub(super) fn beginning<'b>(codings: &[Coding], body: &'b [u8]) -> Cow<'b, [u8]> {
    let beginning = &body[..body.len().min(BEGINNING)];
    match undo_within(codings, beginning, Limit::Cut) {
        Ok(decoded) => decoded.body,
        Err(_) => Cow::default(),
    }
}

fn undo_within<'b>(
    codings: &[Coding],
    body: &'b [u8],
    limit: Limit,
) -> Result<Decoded<'b>, Reason> {
    let mut decoded = Decoded {
        body: body.into(),
        lied: false,
    };
    for coding in codings.iter().rev() {
        if decoded.body.is_empty() {
            break;
        }
        if !coding.is_at(&decoded.body) {
            decoded.lied = true;
            continue;
        }
        match coding.undo(&decoded.body, limit) {
            Ok(body) => decoded.body = body.into(),
            Err(Failed::TooLarge) => return Err(Reason::Bomb),
            Err(Failed::Damaged) if is_text(&decoded.body) => decoded.lied = true,
            Err(Failed::Damaged) => return Err(Reason::Coding),
        }
    }
    match limit {
        Limit::Of(most) if decoded.body.len() > most => Err(Reason::Bomb),
        _ => Ok(decoded),
    }
}

/// What is done about a body that is larger than it may be.
#[derive(Clone, Copy)]
enum Limit {
    /// It is left, if it is larger than this.
    Of(usize),
    /// No more than [`BEGINNING`] is looked at.
    Cut,
}

/// As much of a body tells what it is, in each of its codings.
const BEGINNING: usize = 64 << 10;

impl Limit {
    /// Reads to the end. A body that ends early is taken as far as it goes, as browsers do.
    fn read(self, from: impl Read) -> Result<Vec<u8>, Failed> {
        let mut body = Vec::new();
        let most = match self {
            Limit::Of(most) => most as u64 + 1,
            Limit::Cut => BEGINNING as u64,
        };
        let result = from.take(most).read_to_end(&mut body);
        match result {
            _ if matches!(self, Limit::Of(most) if body.len() > most) => Err(Failed::TooLarge),
            Ok(_) => Ok(body),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !body.is_empty() => {
                Ok(body)
            }
            Err(_) => Err(Failed::Damaged),
        }
    }
}

/// RFC 1950 §2.2: whether a body has the header of zlib, or is raw, as some servers send it.
fn is_zlib(body: &[u8]) -> bool {
    match body {
        [cmf, flags, ..] => {
            cmf & 0x0f == 8
                && cmf >> 4 <= 7
                && u16::from_be_bytes([*cmf, *flags]).is_multiple_of(31)
        }
        _ => false,
    }
}

/// MIME Sniffing Standard §3: no binary data byte in the resource header.
fn is_text(body: &[u8]) -> bool {
    let head = &body[..body.len().min(crate::html::sniff::HEADER)];
    !(head.iter()).any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

/// RFC 9112 §7.1. A body that ends early is taken as far as it goes.
fn dechunked(mut body: &[u8]) -> Result<Vec<u8>, Failed> {
    let mut out = Vec::with_capacity(body.len());
    while !body.is_empty() {
        // The end may have come inside the line.
        let Some((size, line)) = chunk_size(body) else {
            let is_end = memchr::memchr(b'\n', body).is_none();
            return if is_end {
                Ok(out)
            } else {
                Err(Failed::Damaged)
            };
        };
        body = &body[line..];
        if size == 0 {
            return Ok(out);
        }
        let length = size.min(body.len());
        out.extend_from_slice(&body[..length]);
        body = &body[length..];
        body = match body {
            [b'\r', b'\n', rest @ ..] | [b'\n', rest @ ..] => rest,
            [] | [b'\r'] => return Ok(out),
            _ => return Err(Failed::Damaged),
        };
    }
    Ok(out)
}

/// The size of the chunk that begins here, and how long the line is that says it.
fn chunk_size(body: &[u8]) -> Option<(usize, usize)> {
    const LONGEST: usize = 4096;
    let line = memchr::memchr(b'\n', &body[..body.len().min(LONGEST)])?;
    let text = body[..line].split(|&byte| byte == b';').next()?;
    let digits = std::str::from_utf8(text.trim_ascii()).ok()?;
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    Some((usize::from_str_radix(digits, 16).ok()?, line + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undone(codings: &[Coding], body: &[u8]) -> Result<(Vec<u8>, bool), Reason> {
        let decoded = undo(codings, body, body.len() as u64)?;
        Ok((decoded.body.into_owned(), decoded.lied))
    }

    #[test]
    fn chunks() {
        for (body, expected) in [
            ("3\r\nabc\r\n0\r\n\r\n", "abc"),
            (
                "3;x=y\r\nabc\r\n2 \r\nde\r\n00\r\nTrailer: x\r\n\r\n",
                "abcde",
            ),
            ("3\nabc\n0\n\n", "abc"),
            ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            // It ends early.
            ("9\r\nabc", "abc"),
            ("3\r\nabc\r\n", "abc"),
            ("3\r\nabc\r\n5", "abc"),
        ] {
            let expected = Ok((expected.as_bytes().to_vec(), false));
            assert_eq!(
                undone(&[Coding::Chunked], body.as_bytes()),
                expected,
                "{body:?}"
            );
        }
    }

    #[test]
    fn what_is_not_in_chunks_is_taken_as_it_lies() {
        for body in ["<p>x", "\r\n<p>", "ag\r\nx", "5 p\r\nx", "3\r\n<p>x<p>"] {
            let expected = Ok((body.as_bytes().to_vec(), true));
            assert_eq!(
                undone(&[Coding::Chunked], body.as_bytes()),
                expected,
                "{body:?}"
            );
        }
    }

    #[test]
    fn a_decoded_body_is_no_bomb_if_it_is_small() {
        let compressed =
            |length: usize| zstd::encode_all(io::repeat(b'a').take(length as u64), 19).unwrap();
        let small = compressed(SMALL);
        assert_eq!(undone(&[Coding::Zstd], &small).unwrap().0.len(), SMALL);
        let large = compressed(SMALL + 1);
        assert_eq!(undone(&[Coding::Zstd], &large), Err(Reason::Bomb));
    }

    #[test]
    fn names_of_codings() {
        assert_eq!(Coding::named("X-GZIP"), Ok(Some(Coding::Gzip)));
        assert_eq!(Coding::named("identity"), Ok(None));
        assert_eq!(Coding::named("compress"), Err(Reason::UnknownCoding));
    }

    #[test]
    fn damage_is_told_from_a_lie() {
        let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
        body.extend([0xff; 40]);
        assert_eq!(undone(&[Coding::Gzip], &body), Err(Reason::Coding));
        for coding in [Coding::Gzip, Coding::Brotli, Coding::Deflate, Coding::Zstd] {
            let text = b"<!doctype html><p>This was decoded by the crawler already.";
            assert_eq!(
                undone(&[coding], text),
                Ok((text.to_vec(), true)),
                "{coding:?}"
            );
        }
    }
}
