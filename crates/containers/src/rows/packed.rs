//! Rows in a file that is compressed as a whole: by gzip (RFC 1952) or Zstandard (RFC 8878).

use std::io::{self, Read, Write};

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// What the first bytes of a file say.
    pub fn of(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            // A frame that readers skip, with which some writers begin.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            _ => Packing::None,
        }
    }

    /// Reads what is in such a file.
    pub fn reader<'r>(self, from: impl Read + Send + 'r) -> io::Result<Box<dyn Read + Send + 'r>> {
        Ok(match self {
            Packing::None => Box::new(from),
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(from)),
            Packing::Zstd => Box::new(zstd::Decoder::new(from)?),
        })
    }

    /// Writes such a file.
    pub fn writer<W: Write>(self, to: W) -> io::Result<Compressor<W>> {
        Ok(match self {
            Packing::None => Compressor::Plain(to),
            Packing::Gzip => Compressor::Gzip(flate2::write::GzEncoder::new(
                to,
                flate2::Compression::default(),
            )),
            Packing::Zstd => {
                Compressor::Zstd(zstd::Encoder::new(to, zstd::DEFAULT_COMPRESSION_LEVEL)?)
            }
        })
    }
}

/// Compresses what it is given.
pub enum Compressor<W: Write> {
    Plain(W),
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Compressor<W> {
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
        let mut reader = Packing::of(&file).reader(&file[..]).unwrap();
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, b"{}");
    }

    #[test]
    fn what_was_packed_is_read() {
        for packing in [Packing::None, Packing::Gzip, Packing::Zstd] {
            let mut packed = Vec::new();
            let mut writer = packing.writer(&mut packed).unwrap();
            writer.write_all(b"{}\n").unwrap();
            writer.finish().unwrap();
            assert_eq!(Packing::of(&packed), packing);
            // Members and frames may follow each other.
            let twice = packed.repeat(2);
            let mut read = Vec::new();
            let mut reader = packing.reader(&twice[..]).unwrap();
            reader.read_to_end(&mut read).unwrap();
            assert_eq!(read, b"{}\n{}\n");
        }
    }
}
