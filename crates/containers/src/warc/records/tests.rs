use std::io::Write as _;

use super::*;

fn record(target: &str, block: &str) -> Vec<u8> {
    format!(
        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: {target}\r\nContent-Length: {}\r\n\r\n\
         {block}\r\n\r\n",
        block.len()
    )
    .into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// An archive of these records, each in a member of its own, and where each begins.
fn archive(records: &[Vec<u8>], member: fn(&[u8]) -> Vec<u8>) -> (Vec<u8>, Vec<u64>) {
    let mut archive = Vec::new();
    let mut offsets = Vec::new();
    for record in records {
        offsets.push(archive.len() as u64);
        archive.extend(member(record));
    }
    (archive, offsets)
}

/// What is found in an archive: `offset target block`, or `offset reason`.
fn found(archive: &[u8]) -> Vec<String> {
    let shape = match Shape::of(&archive) {
        Ok(shape) => shape,
        Err(fault) => return vec![format!("{fault:?}")],
    };
    let mut records = Records::new(&archive, &shape, shape.start).unwrap();
    let mut found = Vec::new();
    while let Some(next) = records.advance().unwrap() {
        let record = match next {
            ArchiveItem::Record(record) => record,
            ArchiveItem::Damage { offset, reason } => {
                found.push(format!("{offset} {reason:?}"));
                continue;
            }
        };
        let mut block = Vec::new();
        let peeked = records.peek().map(<[u8]>::to_vec);
        let read = records.read(&mut block).and_then(|()| records.end());
        found.push(match (peeked, read) {
            (Ok(peeked), Ok(_)) => {
                assert!(block.starts_with(&peeked));
                let target = record.head.target().unwrap_or_default();
                let block = String::from_utf8_lossy(&block).into_owned();
                format!("{} {target} {}", record.offset, block.len().min(9_999))
            }
            (_, Err(Fault::Damage(reason))) => format!("{} {reason:?}", record.offset),
            other => panic!("{other:?}"),
        });
    }
    found
}

fn samples() -> Vec<Vec<u8>> {
    vec![
        record("a", "x"),
        record("b", ""),
        record("c", &"long ".repeat(100_000)),
        record("d", "\r\n\r\nWARC/1.0\r\nin a block\r\n\r\n"),
    ]
}

fn expected(offsets: &[u64]) -> Vec<String> {
    let sizes = ["a 1", "b 0", "c 9999", "d 28"];
    let each = offsets.iter().zip(sizes);
    each.map(|(offset, rest)| format!("{offset} {rest}"))
        .collect()
}

#[test]
fn records_of_each_compression() {
    for member in [<[u8]>::to_vec, gzip, zstd] {
        let (archive, offsets) = archive(&samples(), member);
        assert_eq!(found(&archive), expected(&offsets));
    }
}

#[test]
fn many_records_in_one_member() {
    for member in [gzip, zstd] {
        let archive = member(&samples().concat());
        assert_eq!(found(&archive), expected(&[0; 4]));
    }
}

#[test]
fn a_member_that_is_damaged_is_one_record_less() {
    for member in [gzip, zstd] {
        let (mut archive, offsets) = archive(&samples(), member);
        let end = offsets[3] as usize;
        archive[end - 30..end - 10].fill(0xff);
        let expected = expected(&offsets);
        let found = found(&archive);
        assert_eq!((&found[..2], &found[3..]), (&expected[..2], &expected[3..]));
        let damage = [
            format!("{} Inflate", offsets[2]),
            format!("{} Length", offsets[2]),
        ];
        assert!(damage.contains(&found[2]), "{found:?}");
    }
}

#[test]
fn a_length_that_is_wrong_costs_one_record() {
    for (from, to) in [
        ("Length: 1\r", "Length: 0\r"),
        ("Length: 1\r", "Length: 2\r"),
        ("Length: 1\r", "Length: 88888888\r"),
    ] {
        for member in [<[u8]>::to_vec, gzip, zstd] {
            let mut records = samples();
            records[0] = String::from_utf8(records[0].clone())
                .unwrap()
                .replace(from, to)
                .into();
            let (archive, offsets) = archive(&records, member);
            let mut expected = expected(&offsets);
            expected[0] = "0 Length".to_owned();
            assert_eq!(found(&archive), expected, "{to}");
        }
    }
}

#[test]
fn what_is_no_member_is_passed_over() {
    let (mut archive, offsets) = archive(&samples(), gzip);
    let end = archive.len();
    archive.extend(b"trailing garbage");
    let mut expected = expected(&offsets);
    expected.push(format!("{end} NoMember"));
    assert_eq!(found(&archive), expected);
    assert_eq!(found(b"no archive"), ["0 NoRecord"]);
    assert_eq!(
        found(b"filedesc://x 0.0.0.0 20200101000000 text/plain 76\n"),
        ["0 Arc"]
    );
    assert_eq!(found(b""), [""; 0]);
}

#[test]
fn an_archive_that_ends_early() {
    let (archive, offsets) = archive(&samples(), gzip);
    for (cut, reason) in [(5, "Cut"), (12, "Cut"), (0, "")] {
        let end = offsets[2] as usize + cut;
        let mut expected = expected(&offsets[..2]);
        if cut > 0 {
            expected.push(format!("{} {reason}", offsets[2]));
        }
        assert_eq!(found(&archive[..end]), expected, "{cut}");
    }
}

#[test]
fn a_dictionary_comes_first() {
    let records = samples();
    let dictionary = records.concat();
    for compresses in [false, true] {
        let dictionary_frame = if compresses {
            zstd(&dictionary)
        } else {
            dictionary.clone()
        };
        let mut archive = 0x184D_2A5D_u32.to_le_bytes().to_vec();
        archive.extend((dictionary_frame.len() as u32).to_le_bytes());
        archive.extend(dictionary_frame);
        let mut offsets = Vec::new();
        for record in &records {
            offsets.push(archive.len() as u64);
            let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
            archive.extend(compressor.compress(record).unwrap());
        }
        // A skippable frame between others, and at the end.
        let skippable = [&0x184D_2A50_u32.to_le_bytes()[..], &[3, 0, 0, 0, 1, 2, 3]].concat();
        archive.splice(offsets[3] as usize..offsets[3] as usize, skippable.clone());
        archive.extend(skippable);
        assert_eq!(found(&archive), expected(&offsets), "{compresses}");
    }
    assert!(found(b"\x5d\x2a\x4d\x18\xff\xff\xff\xff")[0].contains("Dictionary"));
}

/// Members that end with their blocks are whole: other readers take them as well.
#[test]
fn a_member_may_end_with_its_block() {
    let whole = record("http://h/", "<a href=x>");
    for missing in 0..=TERMINATOR.len() {
        for member in [gzip, zstd] {
            let cut = whole[..whole.len() - missing].to_vec();
            let (archive, offsets) = archive(&[cut, record("http://k/", "b")], member);
            let expected = [
                "0 http://h/ 10".to_owned(),
                format!("{} http://k/ 1", offsets[1]),
            ];
            assert_eq!(found(&archive), expected, "{missing}");
        }
    }
    // A block that is cut is not.
    let (archive, _) = archive(&[whole[..whole.len() - 5].to_vec()], gzip);
    assert_eq!(found(&archive), ["0 Length"]);
}

/// Each of these members goes on through all that follow, and is damaged at the end of the last one.
#[test]
fn members_in_members_are_gone_through_a_few_times() {
    const INSIDE: usize = 64 << 10;
    const MEMBERS: usize = 500;
    let stored = |bytes: &[u8]| {
        let length = bytes.len() as u16;
        [
            &[0][..],
            &length.to_le_bytes(),
            &(!length).to_le_bytes(),
            bytes,
        ]
        .concat()
    };
    let head = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 999999999\r\n\r\n";
    let mut run = Vec::with_capacity(INSIDE);
    let mut deflate = flate2::Compress::new(flate2::Compression::best(), false);
    let flush = flate2::FlushCompress::Sync;
    deflate
        .compress_vec(&[b'a'; INSIDE], &mut run, flush)
        .unwrap();
    let header = b"\x1f\x8b\x08\0\0\0\0\0\0\x03";
    let next = &stored(header)[..5];
    let mut bytes = [&header[..], &stored(head), &run, next]
        .concat()
        .repeat(MEMBERS);
    bytes.extend([0xff; 64]);
    let start = bytes.len();
    bytes.extend(gzip(&record("http://h/", "b")));
    let found = found(&bytes);
    let most = (INFLATED * LARGEST_WASTE) as usize / (INSIDE * MEMBERS) + 4;
    assert!(found.len() < most, "{}", found.len());
    assert_eq!(
        found.last().map(String::as_str),
        Some(&*format!("{start} http://h/ 1"))
    );
}
