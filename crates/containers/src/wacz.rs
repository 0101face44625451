//! WACZ: a ZIP file with web archives in it (WACZ 1.1.1), and how these are found.
//!
//! The central directory is gone through once and not held. An archive is stored as it is, and read in its
//! place, or deflated: then it is inflated first. Nothing else in the file is read: its indexes and lists of
//! pages say nothing that the archives do not.

use std::io::{self, BufReader, Read, Write};
use std::ops::Range;

use abslink_html::growth_limit;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ErrorKind, RECOMMENDED_BUFFER_SIZE, ReaderAt, ZipLocator};

/// Why a file, or an archive in it, is not read.
#[derive(Debug)]
pub enum ZipFault {
    Read(io::Error),
    /// The spool for what is inflated cannot be written.
    Write(io::Error),
    Damage(&'static str),
}

impl From<rawzip::Error> for ZipFault {
    fn from(error: rawzip::Error) -> ZipFault {
        match error.into_kind() {
            ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                ZipFault::Read(error)
            }
            ErrorKind::MissingEndOfCentralDirectory => {
                ZipFault::Damage("not a ZIP file, or its end is missing")
            }
            _ => ZipFault::Damage("its ZIP directory is damaged"),
        }
    }
}

/// A web archive in the file.
pub struct Entry<'e, 's> {
    /// Its path in the file.
    pub name: String,
    data: rawzip::ZipEntry<'e, &'s dyn ReaderAt>,
    method: CompressionMethod,
    is_encrypted: bool,
    /// What it says of its length.
    length: u64,
}

impl Entry<'_, '_> {
    /// Where its bytes are, if they are there as they are.
    pub fn stored(&self) -> Option<Range<u64>> {
        let (start, end) = self.data.compressed_data_range();
        let is_plain = self.method == CompressionMethod::STORE && !self.is_encrypted;
        is_plain.then_some(start..end)
    }

    /// Inflates it, and checks what came of that.
    ///
    /// # Errors
    /// It is packed in another way, is damaged, or would become too large.
    pub fn inflate(&self, to: &mut dyn Write) -> Result<(), ZipFault> {
        if self.is_encrypted || self.method != CompressionMethod::DEFLATE {
            return Err(ZipFault::Damage(
                "encrypted, or not packed by deflate: unpack it, and give the archive",
            ));
        }
        let (start, end) = self.data.compressed_data_range();
        if self.length > growth_limit(end - start) {
            return Err(ZipFault::Damage(
                "unpacked it would be more than 256 times as long as it is",
            ));
        }
        let packed = BufReader::with_capacity(PIECE, self.data.reader());
        let mut plain = self.data.verifying_reader(DeflateDecoder::new(packed));
        let mut piece = vec![0; PIECE];
        loop {
            match plain.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(length) => to.write_all(&piece[..length]).map_err(ZipFault::Write)?,
                Err(error) if is_damage(&error) => {
                    return Err(ZipFault::Damage("what is packed is damaged"));
                }
                Err(error) => return Err(ZipFault::Read(error)),
            }
        }
    }
}

/// How much is inflated at a time.
const PIECE: usize = 128 << 10;

fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// Goes through the entries of a file of this length whose names `is_archive` takes, as long as `each` wants
/// more. The answer is how many there were.
///
/// # Errors
/// The directory cannot be read, or is damaged; what came before has been given to `each`.
pub fn each(
    source: &dyn ReaderAt,
    length: u64,
    is_archive: &dyn Fn(&[u8]) -> bool,
    each: &mut dyn FnMut(&Entry<'_, '_>) -> bool,
) -> Result<u64, ZipFault> {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let located = ZipLocator::new().locate_in_reader(source, &mut buffer, length);
    let zip = located.map_err(|(_, error)| error)?;
    let expected = zip.entries_hint();
    let (mut number, mut archives) = (0, 0);
    // Entries that overlap would make a small file a large one.
    let mut room = length;
    let mut entries = zip.entries(&mut buffer);
    while let Some(entry) = entries.next_entry()? {
        number += 1;
        let path = entry.file_path();
        if entry.is_dir() || !is_archive(path.as_ref()) {
            continue;
        }
        archives += 1;
        let data = zip.get_entry(entry.wayfinder())?;
        let (start, end) = data.compressed_data_range();
        let rest = room.checked_sub(end.saturating_sub(start));
        room = rest.ok_or(ZipFault::Damage("the files in it overlap"))?;
        let entry = Entry {
            name: String::from_utf8_lossy(path.as_ref()).into_owned(),
            data,
            method: entry.compression_method(),
            is_encrypted: entry.flags().is_encrypted(),
            length: entry.uncompressed_size_hint(),
        };
        if !each(&entry) {
            return Ok(archives);
        }
    }
    if number < expected {
        Err(ZipFault::Damage("its ZIP directory is damaged"))
    } else {
        Ok(archives)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rawzip::ZipArchiveWriter;

    use super::*;

    fn packed(method: CompressionMethod) -> Vec<u8> {
        let mut file = Vec::new();
        let mut zip = ZipArchiveWriter::new(&mut file);
        for name in ["archive/a.warc", "archive/b.warc", "x"] {
            let entry = zip.new_file(name).compression_method(method);
            let (mut entry, config) = entry.start().unwrap();
            let bytes = name.repeat(40);
            let descriptor = if method == CompressionMethod::DEFLATE {
                let encoder = flate2::write::DeflateEncoder::new(&mut entry, Default::default());
                let mut writer = config.wrap(encoder);
                writer.write_all(bytes.as_bytes()).unwrap();
                let (encoder, descriptor) = writer.finish().unwrap();
                encoder.finish().unwrap();
                descriptor
            } else {
                let mut writer = config.wrap(&mut entry);
                writer.write_all(bytes.as_bytes()).unwrap();
                writer.finish().unwrap().1
            };
            entry.finish(descriptor).unwrap();
        }
        zip.finish().unwrap();
        file
    }

    /// What there is to read: the contents of each archive, or that it cannot be read.
    fn contents(file: &[u8]) -> Result<Vec<Option<Vec<u8>>>, ZipFault> {
        let mut found = Vec::new();
        let asked = Cell::new(0);
        let is_archive = |name: &[u8]| {
            asked.set(asked.get() + 1);
            name.ends_with(b".warc")
        };
        let number = each(&file, file.len() as u64, &is_archive, &mut |entry| {
            let mut out = Vec::new();
            found.push(match entry.stored() {
                Some(range) => {
                    let [start, end] = [range.start, range.end].map(|at| at as usize);
                    file.get(start..end).map(<[u8]>::to_vec)
                }
                None => entry.inflate(&mut out).ok().map(|()| out),
            });
            true
        })?;
        assert!(number == found.len() as u64 && asked.get() >= found.len());
        Ok(found)
    }

    #[test]
    fn what_was_packed_is_found() {
        for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
            let found = contents(&packed(method)).unwrap();
            let expected = ["archive/a.warc", "archive/b.warc"];
            let expected = expected.map(|name| Some(name.repeat(40).into_bytes()));
            assert_eq!(found, expected);
        }
    }

    /// Neither a file that is cut nor one in which a bit is wrong makes it panic, and what is inflated is what
    /// was packed.
    #[test]
    fn damage_is_told() {
        for method in [CompressionMethod::STORE, CompressionMethod::DEFLATE] {
            let whole = packed(method);
            for length in 0..whole.len() {
                assert!(contents(&whole[..length]).is_err(), "{length}");
            }
            let good = contents(&whole).unwrap();
            for at in 0..whole.len() * 8 {
                let mut wrong = whole.clone();
                wrong[at / 8] ^= 1 << (at % 8);
                let found = contents(&wrong).unwrap_or_default();
                if method == CompressionMethod::DEFLATE {
                    // A bit may say that it is stored.
                    let mut found = found.iter().flatten();
                    let is_as_packed = |it: &&Vec<u8>| it.len() < 400;
                    assert!(
                        found.all(|it| is_as_packed(&it) || good.contains(&Some(it.clone()))),
                        "{at}"
                    );
                }
            }
        }
    }
}
