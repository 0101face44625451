//! Bytes as text in an encoding, with the place of each character.

use encoding_rs::{Encoding, UTF_8};

use crate::locate::position::PositionMap;

/// Decodes bytes in an encoding in which ASCII is ASCII. Invalid ones become U+FFFD.
pub(super) fn decode(bytes: &[u8], encoding: &'static Encoding) -> (String, PositionMap) {
    let (mut text, mut map) = (String::with_capacity(bytes.len()), PositionMap::default());
    if encoding == UTF_8 {
        utf8(bytes, &mut text, &mut map);
    } else {
        legacy(bytes, encoding, &mut text, &mut map);
    }
    map.whole(text.len(), bytes.len(), false);
    (text, map)
}

fn utf8(bytes: &[u8], text: &mut String, map: &mut PositionMap) {
    let mut source = 0;
    for chunk in bytes.utf8_chunks() {
        if !chunk.valid().is_empty() {
            map.literal(text.len(), source);
            text.push_str(chunk.valid());
            source += chunk.valid().len();
        }
        if !chunk.invalid().is_empty() {
            map.whole(text.len(), source, false);
            text.push(char::REPLACEMENT_CHARACTER);
            source += chunk.invalid().len();
        }
    }
}

fn legacy(bytes: &[u8], encoding: &'static Encoding, text: &mut String, map: &mut PositionMap) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // Where the bytes of the next character begin, and the byte being looked at.
    let (mut source, mut at) = (0, 0);
    // Whether the decoder holds nothing back, so ASCII stands for itself.
    let mut is_idle = true;
    // One byte gives no more than this: U+FFFD, and what was taken for a part of a longer
    // character.
    let mut buffer = [0; 16];
    while let Some(&byte) = bytes.get(at) {
        if is_idle
            && let run @ 1.. = bytes[at..]
                .iter()
                .take_while(|byte| byte.is_ascii())
                .count()
        {
            map.literal(text.len(), at);
            text.extend(bytes[at..at + run].iter().copied().map(char::from));
            at += run;
            source = at;
            continue;
        }
        // Byte by byte: a character comes from what went in since the one before it.
        let (_, _, written, _) = decoder.decode_to_utf8(&[byte], &mut buffer, false);
        let new = std::str::from_utf8(&buffer[..written]).unwrap_or_default();
        if !new.is_empty() {
            map.whole(text.len(), source, false);
            text.push_str(new);
            // An ASCII byte that cuts a longer character short still stands for itself.
            is_idle = byte.is_ascii() && buffer[..written].ends_with(&[byte]);
            if is_idle && written > 1 {
                map.whole(text.len() - 1, at, false);
            }
            source = at + 1;
        } else {
            is_idle = false;
        }
        at += 1;
    }
    // What follows the bytes in the document, such as a quote, ends an incomplete sequence: in gb18030 its digits
    // then stand for themselves.
    let (_, _, written, _) = decoder.decode_to_utf8(b"\"", &mut buffer, true);
    let new = std::str::from_utf8(&buffer[..written]).unwrap_or_default();
    if let Some(new) = new.strip_suffix('"').filter(|new| !new.is_empty()) {
        map.whole(text.len(), source, false);
        text.push_str(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every position that a document's decoder gives, one byte at a time.
    #[test]
    fn runs_are_what_single_bytes_are() {
        const BYTES: [u8; 10] = [b'a', b'0', b'\\', 0x80, 0x81, 0x8f, 0xa1, 0xc3, 0xe2, 0xff];
        for label in [
            "utf-8",
            "windows-1252",
            "shift_jis",
            "gb18030",
            "big5",
            "euc-jp",
            "euc-kr",
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            for number in 0..BYTES.len().pow(4) {
                let digit = |place: u32| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
                let bytes = [digit(3), digit(2), digit(1), digit(0), b'"'];
                let (text, map) = decode(&bytes, encoding);
                assert_eq!(
                    text,
                    encoding.decode_without_bom_handling(&bytes).0,
                    "{label} {bytes:x?}"
                );
                assert!(map.is_boundary(text.len() - 1), "{label} {bytes:x?}");
                assert_eq!(map.source(text.len() - 1), 4, "{label} {bytes:x?}");
                assert_eq!(map.source(text.len()), 5, "{label} {bytes:x?}");
                // The text before a place is what the bytes before it stand for.
                for at in
                    (0..text.len()).filter(|at| text.is_char_boundary(*at) && map.is_boundary(*at))
                {
                    let before = [&bytes[..map.source(at)], b"\""].concat();
                    let before = encoding.decode_without_bom_handling(&before).0;
                    let before = before.strip_suffix('"');
                    assert_eq!(Some(&text[..at]), before, "{label} {bytes:x?} {at}");
                }
            }
        }
    }

    /// What follows in the document is not in the bytes.
    #[test]
    fn an_incomplete_sequence_ends_as_in_the_document() {
        for label in [
            "gb18030",
            "gbk",
            "shift_jis",
            "big5",
            "euc-jp",
            "euc-kr",
            "windows-1252",
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            for bytes in [
                &b"x\x81"[..],
                b"x\x810",
                b"x\x810\x81",
                b"x\x8f\xa1",
                b"\x81",
                b"x",
            ] {
                let document = [bytes, b"\""].concat();
                let (text, map) = decode(bytes, encoding);
                let expected = encoding.decode_without_bom_handling(&document).0;
                assert_eq!(
                    Some(&*text),
                    expected.strip_suffix('"'),
                    "{label} {bytes:x?}"
                );
                assert_eq!(map.source(text.len()), bytes.len(), "{label} {bytes:x?}");
            }
        }
    }

    /// Not one for each character.
    #[test]
    fn a_run_of_text_has_one_place() {
        let plain = "a{b:url(q)}".repeat(1_000);
        for (label, bytes) in [
            ("windows-1252", [b"\xe9", plain.as_bytes()].concat()),
            (
                "utf-8",
                ["é".repeat(9).as_bytes(), b"\xe9", plain.as_bytes()].concat(),
            ),
            ("shift_jis", [b"\x93\xfa\\\x81", plain.as_bytes()].concat()),
        ] {
            let encoding = Encoding::for_label(label.as_bytes()).unwrap();
            let (text, map) = decode(&bytes, encoding);
            assert!(map.len() < 8, "{label}: {}", map.len());
            assert_eq!(
                map.source(text.len() - plain.len() + 1),
                bytes.len() - plain.len() + 1
            );
        }
    }
}
