//! Members: each record is one of its own.

use std::io::{self, Write};

use flate2::{Compress, Crc, FlushCompress, Status};
use zstd::stream::raw::CParameter;
use zstd::stream::write::Encoder;
use zstd::zstd_safe::CCtx;

use super::super::member::Compression;

/// RFC 1952 leaves the choice to programs; this one is that of gzip and zlib.
const GZIP_LEVEL: u32 = 6;

/// What zstd takes where nothing is said.
const ZSTD_LEVEL: i32 = 3;

/// As much is compressed before it is passed on.
const PIECE: usize = 32 << 10;

/// Makes one member after another.
///
/// What compresses takes some hundred KB, and is made once: among the records that wait for their turn,
/// each of which takes little, the allocator would not find the room for it again.
pub(super) struct MemberWriter {
    compression: Compression,
    gzip: Option<Gzip>,
    zstd: Option<CCtx<'static>>,
}

impl MemberWriter {
    pub(super) fn new(compression: Compression) -> MemberWriter {
        MemberWriter {
            compression,
            gzip: None,
            zstd: None,
        }
    }

    /// Writes a member of what `write` writes, which is so long.
    pub(super) fn write(
        &mut self,
        length: u64,
        to: &mut dyn Write,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.compression {
            Compression::Plain => write(to),
            Compression::Gzip => {
                let gzip = self.gzip.get_or_insert_with(Gzip::new);
                gzip.begin(to)?;
                write(&mut Member { gzip, to })?;
                gzip.end(to)
            }
            Compression::Zstd => {
                let context = self.zstd.get_or_insert_with(CCtx::create);
                let mut zstd = Encoder::with_context(to, context);
                zstd.set_parameter(CParameter::CompressionLevel(ZSTD_LEVEL))?;
                zstd.set_pledged_src_size(Some(length))?;
                zstd.include_checksum(true)?;
                write(&mut zstd)?;
                zstd.finish().map(drop)
            }
        }
    }
}

impl Clone for MemberWriter {
    /// With memory of its own.
    fn clone(&self) -> MemberWriter {
        MemberWriter::new(self.compression)
    }
}

/// Gzip members (RFC 1952 §2.3), whose encoder in flate2 cannot be used again.
struct Gzip {
    deflate: Compress,
    crc: Crc,
    compressed: Vec<u8>,
}

impl Gzip {
    fn new() -> Gzip {
        Gzip {
            deflate: Compress::new(flate2::Compression::new(GZIP_LEVEL), false),
            crc: Crc::new(),
            compressed: vec![0; PIECE],
        }
    }

    /// Also where the member before it has no end, because something failed.
    fn begin(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.deflate.reset();
        self.crc.reset();
        // §2.3.1: no time and no name, so that the same input gives the same bytes; the usual effort;
        // and no word of the system.
        to.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
    }

    fn write(&mut self, mut bytes: &[u8], to: &mut dyn Write) -> io::Result<()> {
        self.crc.update(bytes);
        while !bytes.is_empty() {
            let (read, _) = self.step(bytes, FlushCompress::None, to)?;
            bytes = &bytes[read..];
        }
        Ok(())
    }

    /// §2.3.1: CRC32 and ISIZE come last.
    fn end(&mut self, to: &mut dyn Write) -> io::Result<()> {
        while self.step(&[], FlushCompress::Finish, to)?.1 != Status::StreamEnd {}
        to.write_all(&self.crc.sum().to_le_bytes())?;
        to.write_all(&self.crc.amount().to_le_bytes())
    }

    /// Compresses what there is room for, and says how much that was.
    fn step(
        &mut self,
        bytes: &[u8],
        flush: FlushCompress,
        to: &mut dyn Write,
    ) -> io::Result<(usize, Status)> {
        let (read, written) = (self.deflate.total_in(), self.deflate.total_out());
        let status = self.deflate.compress(bytes, &mut self.compressed, flush)?;
        let written = (self.deflate.total_out() - written) as usize;
        to.write_all(&self.compressed[..written])?;
        Ok(((self.deflate.total_in() - read) as usize, status))
    }
}

/// A member that is being written.
struct Member<'m> {
    gzip: &'m mut Gzip,
    to: &'m mut dyn Write,
}

impl Write for Member<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gzip.write(bytes, self.to)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
