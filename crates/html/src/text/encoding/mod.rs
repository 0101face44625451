//! Which character encoding a document is in, and how its bytes become text and text its bytes.
//!
//! The HTML standard's encoding sniffing algorithm, as far as a file allows it: byte order mark,
//! the prescan of the first 1024 bytes ([`prescan`]), and without a declaration UTF-8 if the bytes
//! are valid UTF-8, else windows-1252. The result of the prescan or of this guess is tentative: the
//! first `meta` element that declares an encoding changes it, wherever it is
//! ([`Charset::changed_by`]). Browsers look for that element in the head only; the standard, and
//! abslink, in the whole document.

mod decoded;
pub(crate) mod offsets;
mod prescan;
mod written;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use encoding_rs::{
    EncoderResult, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use crate::locate::position::PositionMap;
use abslink_url::{BaseUrl, Resolver, percent, without_fragment};

/// A document's character encoding.
#[derive(Clone, Debug)]
pub struct Charset<'d> {
    /// What the document declares, if it does.
    declared: Option<&'static Encoding>,
    /// The standard's confidence: whether a `meta` element may change the encoding.
    tentative: bool,
    /// The encoding if none is declared: found out only when asked for, because that takes a look
    /// at every byte.
    guessed: OnceCell<&'static Encoding>,
    /// The encoding for writing, if the document was decoded first.
    transcoded: Option<&'static Encoding>,
    /// Whether queries are UTF-8 in a document of any encoding.
    has_utf8_queries: bool,
    document: &'d [u8],
    /// Length of the byte order mark.
    pub(crate) bom: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handling {
    /// Markup can be found on its bytes.
    Bytes,
    /// It has to be decoded first: ASCII bytes in it do not always mean ASCII characters.
    Transcode(&'static Encoding),
    /// It cannot be decoded.
    Leave(&'static str),
}

impl Handling {
    pub(crate) fn of(encoding: &'static Encoding) -> Handling {
        if [UTF_16LE, UTF_16BE, ISO_2022_JP].contains(&encoding) {
            Handling::Transcode(encoding)
        } else if encoding == REPLACEMENT {
            Handling::Leave(
                "its character encoding is one that browsers refuse to decode; convert it to UTF-8",
            )
        } else {
            Handling::Bytes
        }
    }
}

/// How many bytes at the start of a document are searched for its declared encoding.
pub(crate) const HEAD: usize = 1024;

pub(crate) use prescan::{declared as as_declared_in_ascii, declared_by_meta};
pub(crate) use written::{decoded_head, transcode};

/// Why a document that would have to be transcoded is left.
pub(crate) const NOT_VALID: &str =
    "its bytes are not valid in the character encoding that it declares; convert it to UTF-8";

/// Finds out the encoding of a document whose transport may give it a label. A label that the
/// Encoding Standard does not know is ignored. `xml`: by the rules of XML, in which `meta` says
/// nothing.
pub(crate) fn sniff<'d>(document: &'d [u8], label: Option<&str>, xml: bool) -> Charset<'d> {
    let head = &document[..document.len().min(HEAD)];
    let transport = label.and_then(|label| match label {
        // Rows have many short texts.
        "utf-8" => Some(UTF_8),
        _ => Encoding::for_label(label.as_bytes()),
    });
    let (declared, bom) = match Encoding::for_bom(head) {
        Some((encoding, length)) => (Some(encoding), length),
        None if transport.is_some() => (transport, 0),
        None if xml => (prescan::xml_declaration(head).or(Some(UTF_8)), 0),
        None => (prescan::prescan(head), 0),
    };
    Charset {
        declared,
        tentative: bom == 0 && transport.is_none() && !xml,
        bom,
        ..Charset::known(UTF_8, document)
    }
}

impl<'d> Charset<'d> {
    /// UTF-8 without a byte order mark: text that was decoded already.
    pub(crate) fn utf8(document: &'d str) -> Charset<'d> {
        Charset::known(UTF_8, document.as_bytes())
    }

    /// A part of a document whose encoding is known.
    pub fn known(encoding: &'static Encoding, document: &'d [u8]) -> Charset<'d> {
        Charset {
            declared: Some(encoding),
            tentative: false,
            guessed: OnceCell::new(),
            transcoded: None,
            has_utf8_queries: false,
            document,
            bom: 0,
        }
    }

    /// A document other than HTML, in the encoding of its byte order mark, or else in the one that
    /// its kind of document declares (`declared`).
    pub(crate) fn of_kind(document: &'d [u8], declared: Option<&'static Encoding>) -> Charset<'d> {
        let (declared, bom) = match Encoding::for_bom(document) {
            Some((encoding, length)) => (Some(encoding), length),
            None => (declared, 0),
        };
        Charset {
            declared,
            bom,
            ..Charset::known(UTF_8, document)
        }
    }

    /// XML's rules for a document without a label from its transport: a byte order mark, UTF-16 by its
    /// first markup, the XML declaration, UTF-8.
    pub(crate) fn of_xml(document: &'d [u8]) -> Charset<'d> {
        let declared = match document {
            [b'<', 0, b'?', 0, ..] => Some(UTF_16LE),
            [0, b'<', 0, b'?', ..] => Some(UTF_16BE),
            _ => prescan::xml_declaration(&document[..document.len().min(HEAD)]),
        };
        Charset::of_kind(document, declared.or(Some(UTF_8)))
    }

    /// The same, for a document whose queries are UTF-8 whatever its encoding.
    pub(crate) fn with_utf8_queries(self) -> Charset<'d> {
        Charset {
            has_utf8_queries: true,
            ..self
        }
    }

    /// Text that is part of this document, and is written in its encoding.
    pub(crate) fn of_part<'t>(&self, text: &'t str) -> Charset<'t> {
        Charset {
            transcoded: Some(self.output()),
            has_utf8_queries: self.has_utf8_queries,
            ..Charset::utf8(text)
        }
    }

    /// Whether a `meta` element may change the encoding: no mark, transport or rule has fixed it.
    /// "Changing the encoding while parsing" always keeps UTF-16.
    pub(crate) fn is_tentative(&self) -> bool {
        self.tentative && ![Some(UTF_16LE), Some(UTF_16BE)].contains(&self.declared)
    }

    /// HTML standard, "changing the encoding while parsing": the same document when its parser
    /// found a `meta` element that declares `encoding`; `None` if that changes nothing.
    ///
    /// A browser parses from the start again, with the new encoding fixed.
    pub(crate) fn changed_by(&self, encoding: Option<&'static Encoding>) -> Option<Charset<'d>> {
        let changed = encoding.filter(|_| self.is_tentative())?;
        (self.declared != Some(changed)).then(|| Charset::known(changed, self.document))
    }

    /// Text that was decoded, and will be written back in `encoding`.
    pub(crate) fn transcoded(document: &'d str, encoding: &'static Encoding) -> Charset<'d> {
        Charset {
            transcoded: Some(encoding),
            ..Charset::utf8(document)
        }
    }

    /// Whether no encoding is declared, so the bytes decide.
    pub(crate) fn declares_none(&self) -> bool {
        self.declared.is_none()
    }

    pub(crate) fn encoding(&self) -> &'static Encoding {
        self.encoding_or(|| std::str::from_utf8(self.document).is_ok())
    }

    /// The encoding; `is_utf8` says whether the whole document is valid UTF-8.
    pub(crate) fn encoding_or(&self, is_utf8: impl FnOnce() -> bool) -> &'static Encoding {
        self.declared.unwrap_or_else(|| {
            self.guessed
                .get_or_init(|| if is_utf8() { UTF_8 } else { WINDOWS_1252 })
        })
    }

    pub(crate) fn handling(&self) -> Handling {
        self.declared.map_or(Handling::Bytes, Handling::of)
    }

    /// The text of a slice of the document, with the place of each character. Bytes that are
    /// invalid in the encoding become U+FFFD.
    pub(crate) fn decode<'s>(&self, slice: &'s [u8]) -> (Cow<'s, str>, PositionMap) {
        // ASCII is ASCII in every encoding that gets here, so the encoding is not needed.
        if let Ok(text) = std::str::from_utf8(slice)
            && (self.declared == Some(UTF_8) || text.is_ascii() || self.encoding() == UTF_8)
        {
            return (Cow::Borrowed(text), PositionMap::default());
        }
        let (text, map) = decoded::decode(slice, self.encoding());
        (Cow::Owned(text), map)
    }

    /// The encoding that the document is written in.
    fn output(&self) -> &'static Encoding {
        // Instead of UTF-16 this is UTF-8, which lacks nothing either.
        let encoding = self.transcoded.unwrap_or_else(|| self.encoding());
        encoding.output_encoding()
    }

    /// Whether text that is written into the document reads back as itself.
    pub(crate) fn has(&self, text: &str) -> bool {
        let encoding = self.output();
        let is_plain = encoding == UTF_8 || text.is_ascii() && encoding != ISO_2022_JP;
        is_plain || written::reads_back(text, encoding)
    }

    /// Whether the encoding that the document is written in has no bytes for a character.
    pub(crate) fn lacks(&self, character: char) -> bool {
        !self.has(character.encode_utf8(&mut [0; 4]))
    }

    /// Whether text has the same bytes in the document's encoding as in UTF-8.
    pub(crate) fn is_plain(&self, text: &str) -> bool {
        self.declared == Some(UTF_8)
            || self.handling() == Handling::Bytes && (text.is_ascii() || self.encoding() == UTF_8)
    }

    /// Appends text in the document's encoding; what the encoding lacks becomes `&#N;`. If the
    /// document has to be transcoded, that is all of its text.
    pub(crate) fn encode(&self, text: &str, out: &mut Vec<u8>) {
        if self.is_plain(text) {
            out.extend_from_slice(text.as_bytes());
        } else {
            written::encode(text, self.encoding(), out);
        }
    }

    /// The URL Standard's query state: the query of a reference is spelled in the document's encoding,
    /// if the URL that it means has a [scheme](query_takes_encoding) for which that is done. `scheme` is
    /// a URL with that scheme. Everything else in a URL is UTF-8.
    pub(crate) fn percent_encode_query<'r>(
        &self,
        reference: &'r str,
        scheme: &str,
    ) -> Cow<'r, str> {
        let encoding = self.output();
        // ASCII stands for itself, apart from escapes of ISO-2022-JP.
        let is_plain = |text: &str| text.is_ascii() && encoding != ISO_2022_JP;
        if is_plain(reference) {
            return Cow::Borrowed(reference);
        }
        let Some(query) = query(reference) else {
            return Cow::Borrowed(reference);
        };
        if is_plain(&reference[query.clone()]) || !self.spells_queries_of(scheme) {
            return Cow::Borrowed(reference);
        }
        let mut out = reference[..query.start].to_owned();
        percent_encode_after_encoding(&reference[query.clone()], encoding, &mut out);
        out.push_str(&reference[query.end..]);
        Cow::Owned(out)
    }

    /// HTML, "set the frozen base URL", step 2: a URL in the document to which others are relative is
    /// itself a reference in the document (here after the pre-step). It is percent-encoded for every
    /// resolver, since a `srcdoc` and JSON inherit its query too, and are UTF-8. `outer` is what it is
    /// relative to.
    pub fn percent_encode_inner<'r>(&self, href: &'r str, outer: Option<&BaseUrl>) -> Cow<'r, str> {
        let is_relative = |outer: &&BaseUrl| !Resolver::Whatwg.is_absolute(outer, href);
        let scheme = outer.filter(is_relative).map_or(href, BaseUrl::as_str);
        self.percent_encode_query(href, scheme)
    }

    /// A URL from outside the document, spelled to mean the same inside: outside, a query is UTF-8
    /// (URL Standard, "basic URL parser" without an encoding).
    pub fn percent_encode_outer<'u>(&self, url: &'u BaseUrl) -> Cow<'u, BaseUrl> {
        let text = url.as_str();
        let query = query(text).filter(|query| !text[query.clone()].is_ascii());
        let Some(query) = query.filter(|_| self.spells_queries_of(text)) else {
            return Cow::Borrowed(url);
        };
        let mut out = text[..query.start].to_owned();
        let is_ascii = |rest: &[u8]| rest[0].is_ascii();
        percent::encode(&text.as_bytes()[query.clone()], is_ascii, &mut out);
        out.push_str(&text[query.end..]);
        Cow::Owned(BaseUrl::any(&out))
    }

    /// Whether queries of URLs with this URL's scheme are spelled in an encoding other than UTF-8.
    fn spells_queries_of(&self, url: &str) -> bool {
        query_takes_encoding(url) && !self.has_utf8_queries && self.output() != UTF_8
    }
}

/// Where the query of a URL is, with its `?`.
fn query(url: &str) -> Option<Range<usize>> {
    let url = without_fragment(url);
    url.find('?').map(|mark| mark..url.len())
}

/// URL Standard, query state: whether queries of URLs with this URL's scheme may be spelled in
/// encodings other than UTF-8: special schemes, except `ws:` and `wss:`.
fn query_takes_encoding(url: &str) -> bool {
    ["http:", "https:", "ftp:", "file:"].iter().any(|scheme| {
        let start = url.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    })
}

/// URL Standard, "percent-encode after encoding", with the special-query percent-encode set: bytes
/// outside this set stay as they are, even trail bytes of longer characters (`\` in Shift_JIS).
fn percent_encode_after_encoding(mut text: &str, encoding: &'static Encoding, out: &mut String) {
    // One encoder for all of it, so ISO-2022-JP goes back to ASCII only where it has to.
    let mut encoder = encoding.new_encoder();
    let stays =
        |rest: &[u8]| matches!(rest[0], b'!' | b'$'..=b'&' | b'('..=b';' | b'=' | b'?'..=b'~');
    let mut bytes = [0; 256];
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(text, &mut bytes, true);
        text = &text[read..];
        percent::encode(&bytes[..written], stays, out);
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(character) => {
                out.push_str(&format!("%26%23{}%3B", u32::from(character)));
            }
        }
    }
}

/// The label of the UTF-16 that a document without a byte order mark is in, as its first `<` shows.
///
/// # Examples
/// ```
/// use abslink_html::utf16_by_markup;
///
/// assert_eq!(utf16_by_markup(b"\0\n\0<\0p"), Some("utf-16be"));
/// assert_eq!(utf16_by_markup(b"<\0p\0"), Some("utf-16le"));
/// assert_eq!(utf16_by_markup(b"\0p"), None);
/// ```
pub fn utf16_by_markup(document: &[u8]) -> Option<&'static str> {
    document.chunks_exact(2).find_map(|unit| match unit {
        [0, b'<'] => Some("utf-16be"),
        [b'<', 0] => Some("utf-16le"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::offsets::Offsets;
    use super::*;

    #[test]
    fn offsets_of_a_transcoded_text_go_both_ways() {
        let text = "aä😀\nb";
        for (encoding, sources) in [
            (UTF_16LE, [2, 4, 6, 10, 12, 14]),
            (UTF_16BE, [2, 4, 6, 10, 12, 14]),
        ] {
            let mut offsets = Offsets::new(text, encoding, 2);
            let starts = [0, 1, 3, 7, 8, 9];
            for nth in [0, 5, 1, 4, 2, 3, 3, 0, 2] {
                assert_eq!(offsets.source(starts[nth]), sources[nth], "{nth}");
            }
        }
    }

    #[test]
    fn a_legacy_value_is_decoded_with_its_places() {
        let document = b"<meta charset=shift_jis>\x93\xfa\x96\x7b/x";
        let charset = sniff(document, None, false);
        assert_eq!(charset.encoding(), encoding_rs::SHIFT_JIS);
        let (text, map) = charset.decode(&document[24..]);
        assert_eq!(text, "日本/x");
        assert_eq!(
            [0, 3, 6, 7, 8].map(|offset| map.source(offset)),
            [0, 2, 4, 5, 6]
        );
    }

    #[test]
    fn invalid_utf8_becomes_replacement_characters_in_place() {
        let document = b"<meta charset=utf-8>a\xffb";
        let charset = sniff(document, None, false);
        let (text, map) = charset.decode(&document[20..]);
        assert_eq!(text, "a\u{fffd}b");
        assert_eq!([0, 1, 4, 5].map(|offset| map.source(offset)), [0, 1, 2, 3]);
    }

    #[test]
    fn an_ascii_byte_after_a_broken_character_has_its_own_place() {
        let charset = sniff(b"<meta charset=shift_jis>", None, false);
        let (text, map) = charset.decode(b"x\x81)y");
        assert_eq!(text, "x\u{fffd})y");
        assert_eq!([0, 1, 4, 5].map(|at| map.source(at)), [0, 1, 2, 3]);
    }

    #[test]
    fn without_a_declaration_valid_utf8_is_utf8() {
        assert_eq!(sniff("é".as_bytes(), None, false).encoding(), UTF_8);
        assert_eq!(sniff(b"\xe9", None, false).encoding(), WINDOWS_1252);
    }

    #[test]
    fn xml_is_utf8_unless_its_declaration_says_otherwise() {
        let declared = |document| sniff(document, None, true).declared;
        assert_eq!(declared(b"<a/>"), Some(UTF_8));
        assert_eq!(declared(b"<meta charset=shift_jis>"), Some(UTF_8));
        let document = b"<?xml version='1.0' encoding='shift_jis'?>";
        assert_eq!(declared(document), Some(encoding_rs::SHIFT_JIS));
    }

    #[test]
    fn the_first_markup_shows_the_order_of_the_bytes() {
        for (document, order) in [
            (&b"\0\n\0<\0p"[..], Some("utf-16be")),
            (b"\n\0<\0p\0", Some("utf-16le")),
            (b"\0p\0", None),
        ] {
            assert_eq!(utf16_by_markup(document), order);
        }
    }

    #[test]
    fn the_label_of_the_transport_counts_more_than_the_declaration() {
        let document = b"<meta charset=shift_jis>";
        let encoding = |document, label| sniff(document, Some(label), false).encoding();
        assert_eq!(encoding(document, "ISO-8859-1"), WINDOWS_1252);
        assert_eq!(encoding(document, "x-nonsense"), encoding_rs::SHIFT_JIS);
        assert_eq!(encoding(b"\xef\xbb\xbf", "shift_jis"), UTF_8);
    }

    #[test]
    fn a_character_that_the_encoding_lacks_is_a_numeric_reference() {
        let mut out = Vec::new();
        sniff(b"<meta charset=windows-1252>", None, false).encode("é☃", &mut out);
        assert_eq!(out, b"\xe9&#9731;");
    }

    #[test]
    fn a_query_is_spelled_in_the_documents_encoding() {
        let charset = sniff(b"<meta charset=windows-1252>", None, false);
        let spelled =
            |reference, base: &str| charset.percent_encode_query(reference, base).into_owned();
        assert_eq!(spelled("é?é☃=a#é", "http://h/"), "é?%E9%26%239731%3B=a#é");
        assert_eq!(spelled("é?é", "ws://h/"), "é?é");
        assert_eq!(spelled("#?é", "http://h/"), "#?é");
    }

    #[test]
    fn the_query_of_a_url_from_outside_is_spelled_in_utf8() {
        let charset = sniff(b"<meta charset=windows-1252>", None, false);
        for (url, expected) in [
            ("http://h/é?é'&b#é", "http://h/é?%C3%A9'&b#é"),
            ("http://h/é?b#é", "http://h/é?b#é"),
            ("ws://h/?é", "ws://h/?é"),
        ] {
            let url = BaseUrl::any(url);
            assert_eq!(charset.percent_encode_outer(&url).as_str(), expected);
            let utf8 = Charset::utf8("").percent_encode_outer(&url).into_owned();
            assert_eq!(utf8, url);
        }
    }
}
