//! The codings of an HTTP body (RFC 9110 §8.4.1, RFC 9112 §7): undone as far as crawlers meant them.
//! Many store the decoded body and keep the field that names its coding.

use std::borrow::Cow;
use std::io::{self, Read};

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::bufread::{DeflateDecoder, GzDecoder, ZlibDecoder};
use flate2::{Decompress, FlushDecompress, Status};

use super::RecordReason;

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
    pub(super) fn named(name: &str) -> Result<Option<Coding>, RecordReason> {
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
            .ok_or(RecordReason::UnknownCoding)
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

    fn undo(self, body: &[u8], limit: Limit) -> Result<Vec<u8>, CodingError> {
        match self {
            Coding::Chunked => dechunked(body),
            Coding::Gzip => limit.read(GzMembers(GzDecoder::new(body))),
            Coding::Deflate if is_zlib(body) => limit.read(ZlibDecoder::new(body)),
            // Nearly any text is the beginning of something.
            Coding::Deflate if is_text(body) && !is_whole_deflate(body) => {
                Err(CodingError::Damaged)
            }
            Coding::Deflate => limit.read(DeflateDecoder::new(body)),
            Coding::Brotli => limit.read(Brotli::new(body)),
            Coding::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(body);
                limit.read(decoder.map_err(|_| CodingError::Damaged)?)
            }
        }
    }
}

/// RFC 1952 §2.2: the members of a body one after another. What stands behind them and is none counts for
/// nothing, as in browsers.
struct GzMembers<'b>(GzDecoder<&'b [u8]>);

impl Read for GzMembers<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.0.read(into)?;
            let rest = *self.0.get_ref();
            if read > 0 || into.is_empty() || !Coding::Gzip.is_at(rest) {
                return Ok(read);
            }
            self.0 = GzDecoder::new(rest);
        }
    }
}

/// RFC 7932. The crate's own reader does not tell an early end from damage.
struct Brotli<'b> {
    body: &'b [u8],
    at: usize,
    state: Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>,
}

impl<'b> Brotli<'b> {
    fn new(body: &'b [u8]) -> Brotli<'b> {
        let state = BrotliState::new(
            StandardAlloc::default(),
            StandardAlloc::default(),
            StandardAlloc::default(),
        );
        let state = Box::new(state);
        Brotli { body, at: 0, state }
    }
}

impl Read for Brotli<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut input = self.body.len() - self.at;
        let (mut room, mut written, mut total) = (into.len(), 0, 0);
        let result = BrotliDecompressStream(
            &mut input,
            &mut self.at,
            self.body,
            &mut room,
            &mut written,
            into,
            &mut total,
            &mut self.state,
        );
        match result {
            BrotliResult::NeedsMoreInput if written == 0 => {
                Err(io::ErrorKind::UnexpectedEof.into())
            }
            BrotliResult::ResultFailure => Err(io::ErrorKind::InvalidData.into()),
            _ => Ok(written),
        }
    }
}

/// RFC 1951: whether a body is one stream up to its end.
fn is_whole_deflate(body: &[u8]) -> bool {
    let mut inflate = Decompress::new(false);
    let mut out = vec![0; 32 << 10];
    loop {
        let (read, written) = (inflate.total_in(), inflate.total_out());
        let rest = &body[usize::try_from(read).unwrap_or(body.len())..];
        match inflate.decompress(rest, &mut out, FlushDecompress::None) {
            Ok(Status::StreamEnd) => return true,
            Ok(_) if (read, written) != (inflate.total_in(), inflate.total_out()) => {}
            _ => return false,
        }
    }
}

/// Why a coding cannot be undone.
#[derive(Debug, PartialEq, Eq)]
enum CodingError {
    Damaged,
    TooLarge,
}

/// A body with its codings undone.
pub(super) struct BareBody<'b> {
    pub(super) body: Cow<'b, [u8]>,
    /// Whether it does not have one of the codings that its head names.
    pub(super) coding_missing: bool,
}

/// Undoes codings, from the last to the first. `stored` is how long the whole body is, of which
/// `body` may be the beginning.
pub(super) fn undo<'b>(
    codings: &[Coding],
    body: &'b [u8],
    stored: u64,
) -> Result<BareBody<'b>, RecordReason> {
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
) -> Result<BareBody<'b>, RecordReason> {
    let mut decoded = BareBody {
        body: body.into(),
        coding_missing: false,
    };
    for coding in codings.iter().rev() {
        if decoded.body.is_empty() {
            break;
        }
        if !coding.is_at(&decoded.body) {
            decoded.coding_missing = true;
            continue;
        }
        match coding.undo(&decoded.body, limit) {
            Ok(body) => decoded.body = body.into(),
            Err(CodingError::TooLarge) => return Err(RecordReason::Bomb),
            Err(CodingError::Damaged) if is_text(&decoded.body) => decoded.coding_missing = true,
            Err(CodingError::Damaged) => return Err(RecordReason::Coding),
        }
    }
    match limit {
        Limit::Of(most) if decoded.body.len() > most => Err(RecordReason::Bomb),
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
    fn read(self, from: impl Read) -> Result<Vec<u8>, CodingError> {
        let mut body = Vec::new();
        let most = match self {
            Limit::Of(most) => most as u64 + 1,
            Limit::Cut => BEGINNING as u64,
        };
        let result = from.take(most).read_to_end(&mut body);
        match result {
            _ if matches!(self, Limit::Of(most) if body.len() > most) => Err(CodingError::TooLarge),
            Ok(_) => Ok(body),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !body.is_empty() => {
                Ok(body)
            }
            Err(_) => Err(CodingError::Damaged),
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
    let head = &body[..body.len().min(abslink_html::sniff::HEADER)];
    !(head.iter()).any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

/// RFC 9112 §7.1. A body that ends early is taken as far as it goes.
fn dechunked(mut body: &[u8]) -> Result<Vec<u8>, CodingError> {
    let mut out = Vec::with_capacity(body.len());
    while !body.is_empty() {
        // The end may have come inside the line.
        let Some((size, line)) = chunk_size(body) else {
            return if begins_chunk(body) {
                Ok(out)
            } else {
                Err(CodingError::Damaged)
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
            _ => return Err(CodingError::Damaged),
        };
    }
    Ok(out)
}

/// No line with the size of a chunk is longer.
const LONGEST: usize = 4096;

/// Whether this may be the beginning of such a line.
fn begins_chunk(rest: &[u8]) -> bool {
    let digits = rest
        .iter()
        .take_while(|digit| digit.is_ascii_hexdigit())
        .count();
    let behind = rest[digits..].trim_ascii_start();
    let is_size = behind.is_empty() || digits > 0 && behind.starts_with(b";");
    is_size && rest.len() < LONGEST && memchr::memchr(b'\n', rest).is_none()
}

/// The size of the chunk that begins here, and how long the line is that says it.
fn chunk_size(body: &[u8]) -> Option<(usize, usize)> {
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

    fn undone(codings: &[Coding], body: &[u8]) -> Result<(Vec<u8>, bool), RecordReason> {
        let decoded = undo(codings, body, body.len() as u64)?;
        Ok((decoded.body.into_owned(), decoded.coding_missing))
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
            ("3\r\nabc\r\n5 ;x=y", "abc"),
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
        for body in [
            "<p>x",
            "\r\n<p>",
            "ag\r\nx",
            "5 p\r\nx",
            "3\r\n<p>x<p>",
            "3\r\n<p>\r\n<p>more",
            "3\r\n<p>\r\nabc and more",
        ] {
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
        assert_eq!(undone(&[Coding::Zstd], &large), Err(RecordReason::Bomb));
    }

    #[test]
    fn a_body_that_ends_early_is_taken_as_far_as_it_goes() {
        let text = (0..100_000).map(|n| format!("<p>{}", n * 7_919 % 65_537));
        let text = text.collect::<String>().into_bytes();
        let mut brotli = Vec::new();
        // testdata has no encoder for it, and neither has this crate.
        let compressed = include_bytes!("../../testdata/page.br");
        Read::read_to_end(&mut Brotli::new(compressed), &mut brotli).unwrap();
        let deflated = |text: &[u8]| {
            let mut to = flate2::write::DeflateEncoder::new(Vec::new(), Default::default());
            io::Write::write_all(&mut to, text).unwrap();
            to.finish().unwrap()
        };
        for (coding, body, whole) in [
            (Coding::Brotli, compressed.to_vec(), brotli),
            (
                Coding::Zstd,
                zstd::encode_all(&text[..], 1).unwrap(),
                text.clone(),
            ),
            (Coding::Deflate, deflated(&text), text),
        ] {
            let half = undone(&[coding], &body[..body.len() / 2]).unwrap().0;
            assert!(half.len() > whole.len() / 4, "{coding:?}: {}", half.len());
            assert!(whole.starts_with(&half), "{coding:?}");
            let beginning = beginning(&[coding], &body[..body.len() / 2]);
            assert!(
                !beginning.is_empty() && whole.starts_with(&beginning),
                "{coding:?}"
            );
        }
    }

    #[test]
    fn text_is_no_stream_that_ends_early() {
        for text in ["\n\n\n\n<p><a href=x>", "\n<p>", "<a href=x>"] {
            let found = undone(&[Coding::Deflate], text.as_bytes());
            assert_eq!(found, Ok((text.as_bytes().to_vec(), true)), "{text:?}");
        }
    }

    #[test]
    fn gzip_ends_where_no_member_follows() {
        let member = |text: &str| {
            let mut member = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            io::Write::write_all(&mut member, text.as_bytes()).unwrap();
            member.finish().unwrap()
        };
        let two = [member("<p>"), member("x")].concat();
        for (behind, expected) in [
            (&b""[..], Ok((b"<p>x".to_vec(), false))),
            (b"\0\0\0", Ok((b"<p>x".to_vec(), false))),
            (b"\x1f", Ok((b"<p>x".to_vec(), false))),
            (b"junk behind it", Ok((b"<p>x".to_vec(), false))),
            (b"\x1f\x8bjunk in a member", Err(RecordReason::Coding)),
        ] {
            let body = [&two, behind].concat();
            assert_eq!(undone(&[Coding::Gzip], &body), expected, "{behind:?}");
        }
        // What is broken inside stays so.
        let mut broken = two;
        broken[25] ^= 1;
        assert_eq!(undone(&[Coding::Gzip], &broken), Err(RecordReason::Coding));
    }

    #[test]
    fn names_of_codings() {
        assert_eq!(Coding::named("X-GZIP"), Ok(Some(Coding::Gzip)));
        assert_eq!(Coding::named("identity"), Ok(None));
        assert_eq!(Coding::named("compress"), Err(RecordReason::UnknownCoding));
    }

    #[test]
    fn damage_is_told_from_a_lie() {
        let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
        body.extend([0xff; 40]);
        assert_eq!(undone(&[Coding::Gzip], &body), Err(RecordReason::Coding));
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
