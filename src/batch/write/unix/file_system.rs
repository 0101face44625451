//! What kinds of file systems promise about what was written.

use std::os::fd::AsFd;

#[cfg(target_os = "linux")]
use rustix::fs;

/// A kind of file system.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FileSystem {
    /// Whether what is written in it goes over a network.
    pub(super) is_remote: bool,
    /// Its number, if one call writes all that is new in it to the disk, and says whether that failed.
    pub(super) synced_at_once: Option<u64>,
}

impl FileSystem {
    /// That of a directory.
    #[cfg(target_os = "linux")]
    pub(super) fn of(directory: impl AsFd) -> FileSystem {
        // NFS, SMB, CIFS, SMB 2, Ceph, AFS and FUSE.
        const REMOTE: [u32; 7] = [
            0x6969,
            0x517b,
            0xff53_4d42,
            0xfe53_4d42,
            0x00c3_6400,
            0x5346_414f,
            0x6573_5546,
        ];
        // ext2 to ext4, XFS, Btrfs, F2FS, bcachefs, overlay and tmpfs.
        const AT_ONCE: [u32; 7] = [
            0xef53,
            0x5846_5342,
            0x9123_683e,
            0xf2f5_2010,
            0xca45_1a4e,
            0x794c_7630,
            0x0102_1994,
        ];
        let directory = directory.as_fd();
        let Ok(system) = fs::fstatfs(directory) else {
            return FileSystem::default();
        };
        // Its type, and with that its sign, differs from system to system.
        let kind = system.f_type as u32;
        let is_at_once = AT_ONCE.contains(&kind) && reports_failures();
        let number = || Some(fs::fstat(directory).ok()?.st_dev);
        FileSystem {
            is_remote: REMOTE.contains(&kind),
            synced_at_once: is_at_once.then(number).flatten(),
        }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(_: impl AsFd) -> FileSystem {
        FileSystem::default()
    }
}

/// Whether `syncfs` says that something could not be written: from Linux 5.8.
#[cfg(target_os = "linux")]
fn reports_failures() -> bool {
    use std::sync::LazyLock;
    static REPORTS: LazyLock<bool> = LazyLock::new(|| {
        let uname = rustix::system::uname();
        let release = uname.release().to_str().unwrap_or_default();
        let mut numbers = release.split('.').map(|number| number.parse().unwrap_or(0));
        let release: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        release >= (5, 8)
    });
    *REPORTS
}

/// All that is new in a file system reaches the disk.
#[cfg(target_os = "linux")]
pub(super) fn sync(file: impl AsFd) -> rustix::io::Result<()> {
    fs::syncfs(file)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn sync(_: impl AsFd) -> rustix::io::Result<()> {
    Err(rustix::io::Errno::NOSYS)
}
