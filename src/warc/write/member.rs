//! Members: each record is one of its own.

use std::io::{self, Write};

use flate2::GzBuilder;

use super::super::member::Compression;

/// RFC 1952 leaves the choice to programs; this one is that of gzip and zlib.
const GZIP_LEVEL: u32 = 6;

/// What zstd takes where nothing is said.
const ZSTD_LEVEL: u32 = 3;

/// How members are made.
pub(super) struct Members {
    pub(super) compression: Compression,
    pub(super) level: Option<u32>,
}

impl Members {
    /// Writes a member of what `write` writes, which is so long.
    pub(super) fn write(
        &self,
        length: u64,
        to: &mut dyn Write,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self.compression {
            Compression::Plain => write(to),
            Compression::Gzip => {
                let level = self.level.unwrap_or(GZIP_LEVEL).min(9);
                // No time and no name: the same input gives the same bytes.
                let mut gzip = GzBuilder::new().write(to, flate2::Compression::new(level));
                write(&mut gzip)?;
                gzip.finish().map(drop)
            }
            Compression::Zstd => {
                let level = i32::try_from(self.level.unwrap_or(ZSTD_LEVEL)).unwrap_or(i32::MAX);
                let mut zstd = zstd::stream::write::Encoder::new(to, level.min(22))?;
                zstd.set_pledged_src_size(Some(length))?;
                zstd.include_checksum(true)?;
                write(&mut zstd)?;
                zstd.finish().map(drop)
            }
        }
    }
}
