//! Members: each record is one of its own.

use std::io::{self, Write};

use flate2::{Compress, Crc, FlushCompress, Status};
use zstd::stream::raw::{CParameter, Encoder, Operation, OutBuffer};

use super::super::member::Compression;

/// RFC 1952 leaves the choice to programs; this one is that of gzip and zlib.
const GZIP_LEVEL: u32 = 6;

/// What zstd takes where nothing is said.
const ZSTD_LEVEL: u32 = 3;

/// As much is compressed before it is passed on.
const PIECE: usize = 32 << 10;

/// Makes one member after another.
///
/// What compresses takes some hundred KB, and is made once: among the records that wait for their turn,
/// each of which takes little, the allocator would not find the room for it again.
pub(super) struct Members {
    compression: Compression,
    level: Option<u32>,
    /// Once something was compressed.
    coder: Option<Coder>,
}

impl Members {
    pub(super) fn new(compression: Compression, level: Option<u32>) -> Members {
        Members {
            compression,
            level,
            coder: None,
        }
    }

    /// Writes a member of what `write` writes, which is so long.
    pub(super) fn write(
        &mut self,
        length: u64,
        to: &mut dyn Write,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let coder = match (self.compression, &mut self.coder) {
            (Compression::Plain, _) => return write(to),
            (_, Some(coder)) => coder,
            (Compression::Gzip, none) => none.insert(Coder::gzip(self.level)),
            (Compression::Zstd, none) => none.insert(Coder::zstd(self.level)?),
        };
        coder.begin(length, to)?;
        write(&mut Member { coder, to })?;
        coder.end(to)
    }
}

impl Clone for Members {
    /// With a coder of its own.
    fn clone(&self) -> Members {
        Members::new(self.compression, self.level)
    }
}

struct Coder {
    method: Method,
    compressed: Vec<u8>,
}

enum Method {
    Gzip {
        deflate: Compress,
        level: u32,
        crc: Crc,
    },
    Zstd(Encoder<'static>),
}

impl Coder {
    fn gzip(level: Option<u32>) -> Coder {
        let level = level.unwrap_or(GZIP_LEVEL).min(9);
        Coder::new(Method::Gzip {
            deflate: Compress::new(flate2::Compression::new(level), false),
            level,
            crc: Crc::new(),
        })
    }

    fn zstd(level: Option<u32>) -> io::Result<Coder> {
        let level = i32::try_from(level.unwrap_or(ZSTD_LEVEL)).unwrap_or(i32::MAX);
        let mut zstd = Encoder::new(level.min(22))?;
        zstd.set_parameter(CParameter::ChecksumFlag(true))?;
        Ok(Coder::new(Method::Zstd(zstd)))
    }

    fn new(method: Method) -> Coder {
        Coder {
            method,
            compressed: vec![0; PIECE],
        }
    }

    /// Also where the member before it has no end, because something failed.
    fn begin(&mut self, length: u64, to: &mut dyn Write) -> io::Result<()> {
        match &mut self.method {
            Method::Gzip {
                deflate,
                level,
                crc,
            } => {
                deflate.reset();
                crc.reset();
                // RFC 1952 §2.3.1: no time and no name, so that the same input gives the same bytes;
                // how hard it was compressed; and no word of the system.
                let effort = match level {
                    9 => 2,
                    0 | 1 => 4,
                    _ => 0,
                };
                to.write_all(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, effort, 0xff])
            }
            Method::Zstd(zstd) => {
                zstd.reinit()?;
                zstd.set_pledged_src_size(Some(length))
            }
        }
    }

    fn write(&mut self, mut bytes: &[u8], to: &mut dyn Write) -> io::Result<()> {
        let Coder { method, compressed } = self;
        if let Method::Gzip { crc, .. } = method {
            crc.update(bytes);
        }
        while !bytes.is_empty() {
            let (read, written) = match method {
                Method::Gzip { deflate, .. } => {
                    let before = (deflate.total_in(), deflate.total_out());
                    deflate.compress(bytes, compressed, FlushCompress::None)?;
                    passed(deflate, before)
                }
                Method::Zstd(zstd) => {
                    let status = zstd.run_on_buffers(bytes, compressed)?;
                    (status.bytes_read, status.bytes_written)
                }
            };
            to.write_all(&compressed[..written])?;
            bytes = &bytes[read..];
        }
        Ok(())
    }

    fn end(&mut self, to: &mut dyn Write) -> io::Result<()> {
        let Coder { method, compressed } = self;
        loop {
            let (written, ended) = match method {
                Method::Gzip { deflate, .. } => {
                    let before = (deflate.total_in(), deflate.total_out());
                    let status = deflate.compress(&[], compressed, FlushCompress::Finish)?;
                    (passed(deflate, before).1, status == Status::StreamEnd)
                }
                Method::Zstd(zstd) => {
                    let mut out = OutBuffer::around(&mut compressed[..]);
                    let left = zstd.finish(&mut out, true)?;
                    (out.pos(), left == 0)
                }
            };
            to.write_all(&compressed[..written])?;
            if ended {
                break;
            }
        }
        match method {
            Method::Gzip { crc, .. } => {
                to.write_all(&crc.sum().to_le_bytes())?;
                to.write_all(&crc.amount().to_le_bytes())
            }
            Method::Zstd(_) => Ok(()),
        }
    }
}

/// How much was read and written since then.
fn passed(deflate: &Compress, before: (u64, u64)) -> (usize, usize) {
    let read = deflate.total_in() - before.0;
    let written = deflate.total_out() - before.1;
    (read as usize, written as usize)
}

/// A member that is being written.
struct Member<'m> {
    coder: &'m mut Coder,
    to: &'m mut dyn Write,
}

impl Write for Member<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.coder.write(bytes, self.to)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
