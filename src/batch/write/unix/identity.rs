//! What a file is known by, without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use rustix::fs::{self, Stat};

/// Which file it is, when it was written to last, and who may do what with it. Two looks that give
/// the same saw the same contents, unless somebody set the time back or wrote twice within one tick
/// of the file system's clock.
///
/// The time of the last change of anything at all (ctime) is no part of it: giving a file a second
/// name or taking one away changes that too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    written: (i64, i64),
    mode: u32,
    owner: (u32, u32),
}

impl Identity {
    /// Whether it is the same file, whatever it holds.
    pub(super) fn is_file(&self, other: &Identity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether it holds the same and has the same rights, whichever file it is.
    pub(super) fn is_like(&self, other: &Identity) -> bool {
        let (device, inode) = (other.device, other.inode);
        Identity {
            device,
            inode,
            ..*self
        } == *other
    }

    /// Whether it is a regular file.
    pub(super) fn is_regular(&self) -> bool {
        fs::FileType::from_raw_mode(self.mode) == fs::FileType::RegularFile
    }

    /// A number for the name of a temporary file. The device is no part of it: that has another
    /// number after the next start of the system, and the file lies in the same directory.
    pub(super) fn number(&self) -> u64 {
        let fields = [
            self.inode,
            self.size,
            self.written.0 as u64,
            self.written.1 as u64,
            self.mode.into(),
            self.owner.0.into(),
            self.owner.1.into(),
        ];
        // FNV-1a: what one version of abslink leaves, another one has to know.
        let bytes = fields.into_iter().flat_map(u64::to_le_bytes);
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }
}

impl From<&Metadata> for Identity {
    fn from(of: &Metadata) -> Self {
        Identity {
            device: of.dev(),
            inode: of.ino(),
            size: of.size(),
            written: (of.mtime(), of.mtime_nsec()),
            mode: of.mode(),
            owner: (of.uid(), of.gid()),
        }
    }
}

impl From<&Stat> for Identity {
    // The types of the fields differ from system to system.
    #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
    fn from(of: &Stat) -> Self {
        Identity {
            device: of.st_dev as u64,
            inode: of.st_ino as u64,
            size: of.st_size as u64,
            written: (of.st_mtime as i64, of.st_mtime_nsec as i64),
            mode: of.st_mode as u32,
            owner: (of.st_uid as u32, of.st_gid as u32),
        }
    }
}
