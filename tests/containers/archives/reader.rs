//! A second reader of archives, for what abslink writes: everything has to be in order.

use std::io::Read;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) head: String,
    pub(super) block: Vec<u8>,
}

impl Record {
    /// The first field of that name.
    pub(super) fn get(&self, name: &str) -> &str {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(':'));
        let found = fields.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value.trim())
    }

    /// The body of a block that is an HTTP message.
    pub(super) fn body(&self) -> &[u8] {
        let end = self.block.windows(4).position(|bytes| bytes == b"\r\n\r\n");
        &self.block[end.unwrap() + 4..]
    }
}

/// All records of an archive, of which each is a member of its own.
pub(super) fn records(archive: &[u8]) -> Vec<Record> {
    members(archive)
        .iter()
        .map(|member| one(&inflated(member)))
        .collect()
}

/// The members of an archive, or its records where there are none.
pub(super) fn members(mut archive: &[u8]) -> Vec<Vec<u8>> {
    let mut members = Vec::new();
    while !archive.is_empty() {
        let (member, rest) = archive.split_at(length(archive));
        members.push(member.to_vec());
        archive = rest;
    }
    members
}

/// How long the first member is.
fn length(archive: &[u8]) -> usize {
    match archive {
        [0x1f, 0x8b, ..] => {
            let mut rest = archive;
            let mut decoder = flate2::bufread::GzDecoder::new(&mut rest);
            decoder.read_to_end(&mut Vec::new()).unwrap();
            archive.len() - rest.len()
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            // Each has a checksum.
            assert_ne!(archive[4] & 0b0000_0100, 0);
            zstd::zstd_safe::find_frame_compressed_size(archive).unwrap()
        }
        _ => archive.len() - split(archive).1.len(),
    }
}

/// What a member holds.
pub(super) fn inflated(member: &[u8]) -> Vec<u8> {
    match member {
        [0x1f, 0x8b, ..] => {
            let mut text = Vec::new();
            flate2::bufread::GzDecoder::new(member)
                .read_to_end(&mut text)
                .unwrap();
            text
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            let text = zstd::decode_all(member).unwrap();
            // And the size of its content.
            let size = zstd::zstd_safe::get_frame_content_size(member).unwrap();
            assert_eq!(size, Some(text.len() as u64));
            text
        }
        _ => member.to_vec(),
    }
}

fn one(member: &[u8]) -> Record {
    let (record, rest) = split(member);
    assert_eq!(rest, b"", "more than one record in a member");
    record
}

fn split(bytes: &[u8]) -> (Record, &[u8]) {
    let end = bytes
        .windows(4)
        .position(|bytes| bytes == b"\r\n\r\n")
        .unwrap();
    let mut record = Record {
        head: String::from_utf8(bytes[..end + 2].to_vec()).unwrap(),
        block: Vec::new(),
    };
    assert!(record.head.starts_with("WARC/1."), "{}", record.head);
    let length: usize = record.get("Content-Length").parse().unwrap();
    let rest = &bytes[end + 4..];
    record.block = rest[..length].to_vec();
    let rest = rest[length..]
        .strip_prefix(b"\r\n\r\n")
        .expect("a block ends in two line ends");
    (record, rest)
}
