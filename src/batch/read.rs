//! Reads files, into memory that is used again.

use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
#[cfg(unix)]
use std::os::{fd::OwnedFd, unix::ffi::OsStrExt};
use std::path::{Path, PathBuf};

#[cfg(unix)]
use rustix::fs::{self, Mode, OFlags};

use super::report::FileError;

/// A file that was opened to be read.
#[derive(Debug)]
pub(super) struct Original {
    pub(super) file: File,
    /// As it was when it was opened.
    pub(super) metadata: Metadata,
}

/// Whether a symbolic link in the last place of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Links {
    Follow,
    /// Opening fails. The walk saw no link, so this one was put there during the run.
    Refuse,
}

/// Opens a regular file. Nothing else is opened, so that a FIFO or a device cannot make the run
/// wait.
pub(super) fn open(path: &Path, links: Links) -> Result<Original, FileError> {
    regular(path, links, || open_at_once(path, links))
}

/// Opens one file after another. The directory that the last one lies in stays open: the way to it
/// takes the system longer than the last step.
#[derive(Debug, Default)]
pub(super) struct Opener {
    #[cfg(unix)]
    directory: Option<(Vec<u8>, OwnedFd)>,
}

impl Opener {
    /// Does what [`open`] does.
    pub(super) fn open(&mut self, path: &Path, links: Links) -> Result<Original, FileError> {
        regular(path, links, || self.open_at_once(path, links))
    }

    #[cfg(unix)]
    fn open_at_once(&mut self, path: &Path, links: Links) -> io::Result<File> {
        let bytes = path.as_os_str().as_bytes();
        let slash = memchr::memrchr(b'/', bytes).filter(|slash| slash + 1 < bytes.len());
        let step = slash.map(|slash| bytes.split_at(slash + 1));
        match step.and_then(|(directory, name)| Some((self.enter(directory)?, name))) {
            Some((directory, name)) => {
                Ok(fs::openat(directory, name, flags(links), Mode::empty())?.into())
            }
            None => open_at_once(path, links),
        }
    }

    /// A directory; `None` where it cannot be opened, which the whole way to a file may do without.
    #[cfg(unix)]
    fn enter(&mut self, directory: &[u8]) -> Option<&OwnedFd> {
        if (self.directory.as_ref()).is_none_or(|(last, _)| last != directory) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let fd = fs::open(directory, flags, Mode::empty()).ok();
            self.directory = fd.map(|fd| (directory.to_owned(), fd));
        }
        self.directory.as_ref().map(|(_, fd)| fd)
    }

    #[cfg(not(unix))]
    fn open_at_once(&mut self, path: &Path, links: Links) -> io::Result<File> {
        open_at_once(path, links)
    }
}

/// What `open` opens at `path`, if that is a regular file.
fn regular(
    path: &Path,
    links: Links,
    open: impl FnOnce() -> io::Result<File>,
) -> Result<Original, FileError> {
    if links == Links::Follow {
        // Before it is opened, because opening some devices does something.
        let file_type = path.metadata().map_err(FileError::Read)?.file_type();
        if let Some(what) = irregular(file_type) {
            return Err(FileError::NotRegular(what));
        }
    }
    let file = open().map_err(FileError::Read)?;
    let metadata = file.metadata().map_err(FileError::Read)?;
    match irregular(metadata.file_type()) {
        Some(what) => Err(FileError::NotRegular(what)),
        None => Ok(Original { file, metadata }),
    }
}

#[cfg(unix)]
fn flags(links: Links) -> OFlags {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NONBLOCK;
    match links {
        Links::Refuse => flags | OFlags::NOFOLLOW,
        Links::Follow => flags,
    }
}

#[cfg(unix)]
fn open_at_once(path: &Path, links: Links) -> io::Result<File> {
    Ok(fs::open(path, flags(links), Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open_at_once(path: &Path, links: Links) -> io::Result<File> {
    if links == Links::Refuse && path.symlink_metadata()?.is_symlink() {
        return Err(io::Error::other(
            "a symbolic link was put here during the run",
        ));
    }
    File::open(path)
}

/// What something is, if it is no regular file.
pub(super) fn irregular(file_type: FileType) -> Option<&'static str> {
    if file_type.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if file_type.is_fifo() {
            return Some("a FIFO");
        } else if file_type.is_socket() {
            return Some("a socket");
        } else if file_type.is_char_device() || file_type.is_block_device() {
            return Some("a device");
        }
    }
    Some(if file_type.is_dir() {
        "a directory"
    } else {
        "no regular file"
    })
}

/// A path in the file system's bytes, as the system wants it; `None` where it allows no such path.
pub(super) fn native(path: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Some(std::ffi::OsStr::from_bytes(path).into())
    }
    #[cfg(not(unix))]
    {
        std::str::from_utf8(path).ok().map(PathBuf::from)
    }
}

/// Memory that one file after another is read into.
///
/// It is not zeroed between files, which is why it is not a plain `Vec` with a length.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
}

/// Above this, memory is given back after the file.
pub(super) const KEPT: usize = 16 << 20;

impl Buffer {
    /// What was read.
    pub(super) fn filled(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    /// Forgets what was read.
    pub(super) fn clear(&mut self) {
        self.filled = 0;
        if self.bytes.len() > KEPT {
            self.bytes = Vec::new();
        }
    }

    /// Reads on until `limit` bytes are there or the end comes.
    pub(super) fn read_up_to(&mut self, limit: usize, from: &mut impl Read) -> io::Result<()> {
        while self.filled < limit {
            if self.bytes.len() < limit {
                self.bytes.resize(limit, 0);
            }
            match from.read(&mut self.bytes[self.filled..limit]) {
                Ok(0) => break,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads on to the end: after `size` bytes in all, as the file had when it was opened, unless
    /// that is 0, which it is for streams and for the files of /proc.
    pub(super) fn read_to_end(&mut self, size: u64, from: &mut impl Read) -> io::Result<()> {
        if size > 0 {
            // Asking for more, to be told that there is none, is a system call for each file.
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            return self.read_up_to(size, from);
        }
        let mut limit = 64 << 10;
        loop {
            self.read_up_to(limit, from)?;
            if self.filled < limit {
                return Ok(());
            }
            limit = limit.saturating_mul(2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    #[test]
    fn reads_in_two_parts_and_again() {
        let mut buffer = Buffer::default();
        for length in [0, 1, 10, 65_535, 65_536, 200_000] {
            let bytes: Vec<u8> = (0..length).map(|n| n as u8).collect();
            for size in [0, length, length / 2, 1_000_000] {
                let mut from = &bytes[..];
                buffer.clear();
                buffer.read_up_to(10, &mut from).unwrap();
                assert_eq!(buffer.filled(), &bytes[..length.min(10)]);
                buffer.read_to_end(size as u64, &mut from).unwrap();
                // What a file grew by since it was opened is not part of it.
                let end = if size == 0 {
                    length
                } else {
                    size.max(10).min(length)
                };
                assert_eq!(buffer.filled(), &bytes[..end], "{size} of {length}");
            }
        }
    }
}
