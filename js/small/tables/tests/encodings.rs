//! encoding_rs: what the crate makes that it stands for.

#![allow(clippy::unwrap_used)]

use encoding_rs::{EncoderResult, Encoding};
use original_encoding_rs as original;

/// Every encoding, here and there.
fn all() -> Vec<(&'static Encoding, &'static original::Encoding)> {
    let names = "utf-8 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i \
        iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh windows-874 windows-1250 \
        windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 \
        x-mac-cyrillic gbk gb18030 big5 euc-jp iso-2022-jp shift_jis euc-kr replacement utf-16be utf-16le x-user-defined";
    let both = names.split_whitespace().map(|name| {
        let ours = Encoding::for_label(name.as_bytes()).unwrap();
        let theirs = original::Encoding::for_label(name.as_bytes()).unwrap();
        assert_eq!(ours.name(), theirs.name());
        assert_eq!(
            ours.output_encoding().name(),
            theirs.output_encoding().name()
        );
        (ours, theirs)
    });
    both.collect()
}

fn same_text(ours: &'static Encoding, theirs: &'static original::Encoding, bytes: &[u8]) {
    let what = || format!("{}: {}", ours.name(), bytes.escape_ascii());
    let expected = theirs.decode_without_bom_handling(bytes);
    assert_eq!(
        ours.decode_without_bom_handling(bytes),
        expected,
        "{}",
        what()
    );
    // Byte by byte, when each character comes.
    let mut one = ours.new_decoder_without_bom_handling();
    let mut other = theirs.new_decoder_without_bom_handling();
    for at in 0..bytes.len() {
        let (mut here, mut there) = ([0; 16], [0; 16]);
        let (byte, is_last) = (&bytes[at..=at], at + 1 == bytes.len());
        let (_, read, written, is_malformed) = one.decode_to_utf8(byte, &mut here, is_last);
        let (_, _, expected, expected_malformed) = other.decode_to_utf8(byte, &mut there, is_last);
        assert_eq!(
            (read, is_malformed),
            (1, expected_malformed),
            "{} at {at}",
            what()
        );
        assert_eq!(here[..written], there[..expected], "{} at {at}", what());
    }
}

#[test]
fn every_sequence_of_two_bytes() {
    for (ours, theirs) in all() {
        for first in 0..=255 {
            same_text(ours, theirs, &[first]);
            for second in 0..=255 {
                same_text(ours, theirs, &[first, second]);
                same_text(ours, theirs, &[b'a', first, second, b'<']);
            }
        }
    }
}

#[test]
fn every_long_sequence() {
    let find = |name: &str| {
        all()
            .into_iter()
            .find(|(ours, _)| ours.name() == name)
            .unwrap()
    };
    let (ours, theirs) = find("EUC-JP");
    for first in 0x80..=0xff {
        for second in 0x80..=0xff {
            same_text(ours, theirs, &[0x8f, first, second]);
        }
    }
    let (ours, theirs) = find("gb18030");
    let bytes = (0x81..=0xfe).flat_map(|one| (b'0'..=b'9').map(move |two| (one, two)));
    for (one, two) in bytes {
        for three in 0x81..=0xfe {
            for four in b'0'..=b'9' {
                let bytes = [one, two, three, four];
                let expected = theirs.decode_without_bom_handling(&bytes);
                assert_eq!(
                    ours.decode_without_bom_handling(&bytes),
                    expected,
                    "{bytes:?}"
                );
            }
        }
    }
}

/// Bytes that begin and break off what encodings know.
#[test]
fn random_sequences() {
    const BYTES: &[u8] = b"\x1b\x1b\x1b(($BJI@\x00 <&aZ09\\~\x0e\x0f!_\x7f\x80\x81\x8e\x8f\xa0\xa1\xd8\xdc\xdd\xdf\xe0\xf5\xfe\xff\x30\x39\x84\xc3\xb5";
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let all = all();
    for _ in 0..60_000 {
        let length = random(9);
        let bytes: Vec<u8> = (0..length).map(|_| BYTES[random(BYTES.len())]).collect();
        for (ours, theirs) in &all {
            same_text(ours, theirs, &bytes);
        }
    }
}

#[test]
fn every_character() {
    for (ours, theirs) in all() {
        // No encoding has single characters beyond the third plane.
        let all = (0..0x3_0000).chain(0x10_ff00..=0x10_ffff);
        for character in all.filter_map(char::from_u32) {
            let text = character.encode_utf8(&mut [0; 4]).to_owned();
            let (bytes, encoding, lacks) = theirs.encode(&text);
            let (here, output, also_lacks) = ours.encode(&text);
            let same = (here == bytes, output.name(), also_lacks);
            let what = format!(
                "{}: U+{:04X}: {here:x?} {bytes:x?}",
                ours.name(),
                u32::from(character)
            );
            assert_eq!(same, (true, encoding.name(), lacks), "{what}");
        }
    }
}

/// Escapes of ISO-2022-JP, and room that ends.
#[test]
fn texts_piece_by_piece() {
    const TEXTS: [&str; 7] = [
        "a日¥b‾c",
        "日\\",
        "¥\\~",
        "☃日☃¥☃",
        "\x1b日\x1b¥\x0e",
        "ｱ−日",
        "日本語é한ж",
    ];
    for (ours, theirs) in all() {
        for text in TEXTS {
            for (one, other) in [
                (text, ""),
                text.split_at(text.char_indices().nth(1).unwrap().0),
            ] {
                let (mut here, mut there) = (Vec::new(), Vec::new());
                let mut encoder = ours.new_encoder();
                let mut expected = theirs.new_encoder();
                for (part, is_last) in [(one, false), (other, true)] {
                    let (mut rest, mut room) = (part, [0; 9]);
                    loop {
                        let (result, read, written) =
                            encoder.encode_from_utf8_without_replacement(rest, &mut room, is_last);
                        here.extend_from_slice(&room[..written]);
                        rest = &rest[read..];
                        match result {
                            EncoderResult::InputEmpty => break,
                            EncoderResult::OutputFull => {}
                            EncoderResult::Unmappable(c) => here.extend(format!("[{c}]").bytes()),
                        }
                    }
                    let (mut rest, mut room) = (part, [0; 64]);
                    loop {
                        let (result, read, written) =
                            expected.encode_from_utf8_without_replacement(rest, &mut room, is_last);
                        there.extend_from_slice(&room[..written]);
                        rest = &rest[read..];
                        match result {
                            original::EncoderResult::InputEmpty => break,
                            original::EncoderResult::OutputFull => {}
                            original::EncoderResult::Unmappable(c) => {
                                there.extend(format!("[{c}]").bytes())
                            }
                        }
                    }
                }
                assert_eq!(here, there, "{}: {text}", ours.name());
            }
        }
    }
}

#[test]
fn labels_and_marks() {
    for label in [
        "latin1",
        " UTF8\n",
        "x-sjis",
        "ms_kanji",
        "windows-31j",
        "utf-7",
        "",
        " ",
        "utf-16",
        "unicodefeff",
        "csbig5",
        "hz-gb-2312",
        "iso-ir-149",
        "gb_2312-80",
        "logical",
        "dos-874",
        "tis-620",
        "iso88591",
        "\u{b}utf-8",
        "x-gbk",
        "sun_eu_greek",
        "x-cp1252",
        "ucs-2",
        "cp819",
        "koi8-ru",
        "x-x-big5",
        "utf-8 ascii",
    ] {
        let theirs =
            original::Encoding::for_label(label.as_bytes()).map(|encoding| encoding.name());
        assert_eq!(
            Encoding::for_label(label.as_bytes()).map(Encoding::name),
            theirs,
            "{label:?}"
        );
    }
    for bytes in [
        &b"\xef\xbb\xbfx"[..],
        b"\xff\xfe",
        b"\xfe\xff",
        b"\xef\xbb",
        b"",
        b"\xff",
    ] {
        let theirs =
            original::Encoding::for_bom(bytes).map(|(encoding, length)| (encoding.name(), length));
        let ours = Encoding::for_bom(bytes).map(|(encoding, length)| (encoding.name(), length));
        assert_eq!(ours, theirs);
    }
}
