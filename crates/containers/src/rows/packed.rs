//! Rows in a file that is compressed as a whole: by gzip (RFC 1952) or Zstandard (RFC 8878).

use std::io::{self, Read, Write};

use crate::warc::Compression;

/// How a file is compressed, by its first bytes.
pub fn packing(head: &[u8]) -> Compression {
    match head {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
        // A frame that readers skip, with which some writers begin.
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
        _ => Compression::Plain,
    }
}

/// Reads what is in such a file.
pub fn unpacked<'r>(
    packing: Compression,
    from: impl Read + Send + 'r,
) -> io::Result<Box<dyn Read + Send + 'r>> {
    Ok(match packing {
        Compression::Plain => Box::new(from),
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(from)),
        Compression::Zstd => Box::new(zstd::Decoder::new(from)?),
    })
}

/// Compresses what it is given.
pub enum Compressor<W: Write> {
    Plain(W),
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Compressor<W> {
    pub fn new(packing: Compression, to: W) -> io::Result<Compressor<W>> {
        Ok(match packing {
            Compression::Plain => Compressor::Plain(to),
            Compression::Gzip => Compressor::Gzip(flate2::write::GzEncoder::new(
                to,
                flate2::Compression::default(),
            )),
            Compression::Zstd => {
                Compressor::Zstd(zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
        })
    }

    /// Writes the end of the file.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Compressor::Plain(mut to) => to.flush(),
            Compressor::Gzip(to) => to.finish()?.flush(),
            Compressor::Zstd(to) => to.finish()?.flush(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Compressor::Plain(to) => to.write(bytes),
            Compressor::Gzip(to) => to.write(bytes),
            Compressor::Zstd(to) => to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Compressor::Plain(to) => to.flush(),
            Compressor::Gzip(to) => to.flush(),
            Compressor::Zstd(to) => to.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_may_be_skipped() {
        let mut file = b"\x5f\x2a\x4d\x18\x03\0\0\0abc".to_vec();
        file.extend(zstd::encode_all(&b"{}"[..], 1).unwrap());
        let mut reader = unpacked(packing(&file), &file[..]).unwrap();
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, b"{}");
    }

    #[test]
    fn what_was_packed_is_read() {
        for compression in [Compression::Plain, Compression::Gzip, Compression::Zstd] {
            let mut packed = Vec::new();
            let mut writer = Compressor::new(compression, &mut packed).unwrap();
            writer.write_all(b"{}\n").unwrap();
            writer.finish().unwrap();
            assert_eq!(packing(&packed), compression);
            // Members and frames may follow each other.
            let twice = packed.repeat(2);
            let mut read = Vec::new();
            let mut reader = unpacked(compression, &twice[..]).unwrap();
            reader.read_to_end(&mut read).unwrap();
            assert_eq!(read, b"{}\n{}\n");
        }
    }
}
