//! How a file is recognised without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

use rustix::fs::{self, Stat};

use crate::batch::write::system::FileKey;

/// Which file it is, when it was last written, and who may do what with it. If two identities are
/// equal the contents were the same, unless the time was set back or the file was written twice
/// within one tick of the file system's clock.
///
/// The time of the last change of any kind (ctime) is not part of it: giving a file a second
/// name or taking one away changes that too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
    size: u64,
    written: (i64, i64),
    mode: u32,
    owner: (u32, u32),
}

impl FileIdentity {
    /// Whether it is the same file, whatever it holds.
    pub(super) fn is_file(&self, other: &FileIdentity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    pub(super) fn key(&self) -> FileKey {
        FileKey(self.device, self.inode)
    }

    /// Whether it has the same contents and permissions, whichever file it is.
    pub(super) fn is_like(&self, other: &FileIdentity) -> bool {
        let (device, inode) = (other.device, other.inode);
        FileIdentity {
            device,
            inode,
            ..*self
        } == *other
    }

    /// Whether it is a regular file.
    pub(super) fn is_regular(&self) -> bool {
        // It has 16 bits on macOS.
        fs::FileType::from_raw_mode(self.mode as _) == fs::FileType::RegularFile
    }

    /// A number for the name of a temporary file. The device is not part of it: that may have
    /// another number after a reboot, and the file is in the same directory.
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
        // FNV-1a: another version of abslink has to recognise what this one leaves.
        let bytes = fields.into_iter().flat_map(u64::to_le_bytes);
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }
}

impl From<&Metadata> for FileIdentity {
    fn from(of: &Metadata) -> Self {
        FileIdentity {
            device: of.dev(),
            inode: of.ino(),
            size: of.size(),
            written: (of.mtime(), of.mtime_nsec()),
            mode: of.mode(),
            owner: (of.uid(), of.gid()),
        }
    }
}

impl From<&Stat> for FileIdentity {
    // The types of the fields differ from system to system.
    #[allow(clippy::unnecessary_cast, clippy::cast_lossless)]
    fn from(of: &Stat) -> Self {
        FileIdentity {
            device: of.st_dev as u64,
            inode: of.st_ino as u64,
            size: of.st_size as u64,
            written: (of.st_mtime as i64, of.st_mtime_nsec as i64),
            mode: of.st_mode as u32,
            owner: (of.st_uid as u32, of.st_gid as u32),
        }
    }
}
