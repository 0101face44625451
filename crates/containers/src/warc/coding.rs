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
        Ok(Some(match &*name.to_ascii_lowercase() {
            "" | "identity" => return Ok(None),
            "chunked" => Coding::Chunked,
            "gzip" | "x-gzip" => Coding::Gzip,
            "deflate" => Coding::Deflate,
            "br" => Coding::Brotli,
            "zstd" => Coding::Zstd,
            _ => return Err(RecordReason::UnknownCoding),
        }))
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

    /// `most` as [`read`] has it.
    fn undo(self, body: &[u8], most: Option<usize>) -> Result<Vec<u8>, RecordReason> {
        match self {
            Coding::Chunked => dechunked(body),
            Coding::Gzip => read(GzMembers(GzDecoder::new(body)), most),
            Coding::Deflate if is_zlib(body) => read(ZlibDecoder::new(body), most),
            // Nearly any text is the beginning of something.
            Coding::Deflate if is_text(body) && !is_whole_deflate(body) => {
                Err(RecordReason::Coding)
            }
            Coding::Deflate => read(DeflateDecoder::new(body), most),
            Coding::Brotli => read(Brotli::new(body), most),
            Coding::Zstd => {
                let decoder = zstd::stream::read::Decoder::with_buffer(body);
                read(decoder.map_err(|_| RecordReason::Coding)?, most)
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

/// Undoes codings, from the last to the first, and says whether the body does not have one of them. `stored` is how long
/// the whole body is, of which `body` may be the beginning.
pub(super) fn undo<'b>(
    codings: &[Coding],
    body: &'b [u8],
    stored: u64,
) -> Result<(Cow<'b, [u8]>, bool), RecordReason> {
    let stored = usize::try_from(stored).unwrap_or(usize::MAX);
    let most = stored.saturating_mul(RATIO).clamp(SMALL, LARGEST);
    undo_within(codings, body, Some(most))
}

/// The beginning of a body with its codings undone, as far as that is needed to know what it is.
pub(super) fn beginning<'b>(codings: &[Coding], body: &'b [u8]) -> Cow<'b, [u8]> {
    let beginning = &body[..body.len().min(BEGINNING)];
    undo_within(codings, beginning, None).map_or_else(|_| Cow::default(), |(body, _)| body)
}

fn undo_within<'b>(
    codings: &[Coding],
    body: &'b [u8],
    most: Option<usize>,
) -> Result<(Cow<'b, [u8]>, bool), RecordReason> {
    let (mut decoded, mut coding_missing) = (Cow::Borrowed(body), false);
    for coding in codings.iter().rev() {
        if decoded.is_empty() {
            break;
        }
        if !coding.is_at(&decoded) {
            coding_missing = true;
            continue;
        }
        match coding.undo(&decoded, most) {
            Ok(body) => decoded = body.into(),
            Err(RecordReason::Coding) if is_text(&decoded) => coding_missing = true,
            Err(reason) => return Err(reason),
        }
    }
    match most {
        Some(most) if decoded.len() > most => Err(RecordReason::Bomb),
        _ => Ok((decoded, coding_missing)),
    }
}

/// As much of a body tells what it is, in each of its codings.
const BEGINNING: usize = 64 << 10;

/// Reads to the end. A body that ends early is taken as far as it goes, as browsers do. One that is larger than `most` is
/// left; without that, no more than [`BEGINNING`] is looked at.
fn read(from: impl Read, most: Option<usize>) -> Result<Vec<u8>, RecordReason> {
    let mut body = Vec::new();
    let length = most.map_or(BEGINNING as u64, |most| most as u64 + 1);
    let result = from.take(length).read_to_end(&mut body);
    match result {
        _ if most.is_some_and(|most| body.len() > most) => Err(RecordReason::Bomb),
        Ok(_) => Ok(body),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !body.is_empty() => Ok(body),
        Err(_) => Err(RecordReason::Coding),
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
fn dechunked(mut body: &[u8]) -> Result<Vec<u8>, RecordReason> {
    let mut out = Vec::with_capacity(body.len());
    while !body.is_empty() {
        // The end may have come inside the line.
        let Some((size, line)) = chunk_size(body) else {
            return if begins_chunk(body) {
                Ok(out)
            } else {
                Err(RecordReason::Coding)
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
            _ => return Err(RecordReason::Coding),
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
        let (decoded, coding_missing) = undo(codings, body, body.len() as u64)?;
        Ok((decoded.into_owned(), coding_missing))
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
