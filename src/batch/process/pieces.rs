//! Reading a piece at a time.

use std::fs::File;
use std::io::{self, Read, Seek, Take};

use crate::batch::report::FileError;

/// How much is read or written at a time.
pub(super) const PIECE: usize = 256 << 10;

/// Reads to the end in pieces of this size, or until `take` has enough. It gets each piece, and whether it is the last.
pub(super) fn each_piece(
    size: usize,
    from: &mut dyn Read,
    mut take: impl FnMut(&[u8], bool) -> Result<bool, FileError>,
) -> Result<(), FileError> {
    let mut piece = vec![0; size];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return take(&[], true).map(drop),
            Ok(length) => {
                if !take(&piece[..length], false)? {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(FileError::Read(error)),
        }
    }
}

pub(super) fn rewound(mut file: &File) -> Result<&File, FileError> {
    file.rewind().map_err(FileError::Read)?;
    Ok(file)
}

/// The beginning of a file.
pub(super) fn beginning(file: &File, length: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::with_capacity(length);
    let mut head = rewound(file)?.take(length as u64);
    head.read_to_end(&mut bytes).map_err(FileError::Read)?;
    Ok(bytes)
}

/// A reader whose limit is never reached, and that knows by it how much was read.
pub(super) fn counting<R: Read>(from: R) -> Take<R> {
    from.take(u64::MAX)
}

pub(super) fn counted<R>(from: &Take<R>) -> u64 {
    u64::MAX - from.limit()
}
