//! Reads files into memory that is reused.

pub(crate) mod attributes;
pub(crate) mod beneath;
pub(crate) mod windows_names;

use std::ffi::OsStr;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::batch::path;
use crate::batch::report::FileError;
use beneath::{Directory, LinkPolicy};

/// A file that was opened for reading.
#[derive(Debug)]
pub(super) struct Original {
    pub(super) file: File,
    /// As it was when it was opened.
    pub(super) metadata: Metadata,
}

impl Original {
    /// The same open file.
    pub(super) fn try_clone(&self) -> io::Result<Original> {
        Ok(Original {
            file: self.file.try_clone()?,
            metadata: self.metadata.clone(),
        })
    }
}

/// So many bytes of what a file begins with, as far as they can be read.
pub(crate) fn head(file: &File, length: usize) -> Vec<u8> {
    let mut head = Vec::new();
    // What was read before it failed may say enough.
    let _ = file.take(length as u64).read_to_end(&mut head);
    head
}

/// Opens a regular file. Nothing else is opened, so that a FIFO or a device cannot make the run
/// wait.
pub(super) fn open(path: &Path) -> Result<Original, FileError> {
    check_regular(path)?;
    regular(beneath::open(path))
}

/// Like [`open`], for the path `below` a directory; no link on the way is followed.
pub(super) fn open_beneath(directory: &Directory, below: &Path) -> Result<Original, FileError> {
    regular(directory.at(below, |directory, name| {
        directory.open(name, LinkPolicy::Refuse)
    }))
}

/// Opens one file after another. The directory of the last one stays open: the way to it
/// takes the system longer than the last step.
#[derive(Debug, Default)]
pub(super) struct Opener {
    /// The root that the directory is below; `None` if links on the way to it were followed.
    root: Option<Arc<Directory>>,
    path: PathBuf,
    directory: Option<Directory>,
}

impl Opener {
    /// Opens a regular file below a root, or by its whole path.
    pub(super) fn open(
        &mut self,
        root: Option<&Arc<Directory>>,
        path: &Path,
    ) -> Result<Original, FileError> {
        if root.is_some() {
            let reached = self.reach(root, path);
            return regular(
                reached.and_then(|(directory, name)| directory.open(name, LinkPolicy::Refuse)),
            );
        }
        check_regular(path)?;
        regular(match self.reach(None, path) {
            Ok((directory, name)) => directory.open(name, LinkPolicy::Follow),
            // A directory that cannot be opened may still be traversed.
            Err(_) => beneath::open(path),
        })
    }

    /// The text of a symbolic link below a root.
    pub(super) fn read_link(
        &mut self,
        root: Option<&Arc<Directory>>,
        path: &Path,
    ) -> Result<PathBuf, FileError> {
        let reached = self.reach(root, path);
        let text = reached.and_then(|(directory, name)| directory.read_link(name));
        text.map_err(|error| match error.kind() {
            // It is no link any more.
            io::ErrorKind::InvalidInput => FileError::Changed,
            _ => FileError::Read(error),
        })
    }

    /// The directory that a file is in, and the file's name.
    fn reach<'a>(
        &'a mut self,
        root: Option<&'a Arc<Directory>>,
        path: &'a Path,
    ) -> io::Result<(&'a Directory, &'a OsStr)> {
        let (path, name) = path::split(path).ok_or(io::ErrorKind::NotFound)?;
        if path.as_os_str().is_empty() {
            return Ok((root.ok_or(io::ErrorKind::NotFound)?, name));
        }
        let is_here = self.path.as_os_str() == path.as_os_str()
            && self.root.as_ref().map(Arc::as_ptr) == root.map(Arc::as_ptr);
        let directory = match self.directory.take() {
            Some(directory) if is_here => directory,
            _ => {
                (self.root, self.path) = (root.cloned(), path.to_owned());
                match root {
                    Some(root) => root.enter(path)?,
                    None => Directory::by_path(path)?,
                }
            }
        };
        Ok((self.directory.insert(directory), name))
    }
}

/// Checks a file before it is opened, because opening some devices has effects.
fn check_regular(path: &Path) -> Result<(), FileError> {
    windows_names::refuse(path).map_err(FileError::Read)?;
    let file_type = path.metadata().map_err(FileError::Read)?.file_type();
    irregular(file_type).map_or(Ok(()), |what| Err(FileError::NotRegular(what)))
}

/// A file that was opened, if it is regular.
pub(super) fn regular_file(file: File) -> io::Result<Original> {
    regular(Ok(file)).map_err(|error| match error {
        FileError::Read(error) => error,
        error => io::Error::other(error.to_string()),
    })
}

fn regular(opened: io::Result<File>) -> Result<Original, FileError> {
    let file = opened.map_err(FileError::Read)?;
    let metadata = file.metadata().map_err(FileError::Read)?;
    match irregular(metadata.file_type()) {
        Some(what) => Err(FileError::NotRegular(what)),
        None => Ok(Original { file, metadata }),
    }
}

/// A name for something that is not a regular file.
pub(crate) fn irregular(file_type: FileType) -> Option<&'static str> {
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
        "not a regular file"
    })
}

/// Memory into which one file after another is read.
///
/// It is not zeroed between files; that is why it is not a plain `Vec` with a length.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
}

/// Above this, memory is given back after the file.
pub(super) const REUSED: usize = 16 << 20;

impl Buffer {
    pub(super) fn filled(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    /// Discards what was read.
    pub(super) fn clear(&mut self) {
        self.filled = 0;
        if self.bytes.len() > REUSED {
            self.bytes = Vec::new();
        }
    }

    /// Reads on until there are `limit` bytes, or to the end.
    pub(super) fn read_up_to(
        &mut self,
        limit: usize,
        from: &mut impl Read,
    ) -> Result<(), FileError> {
        while self.filled < limit {
            if self.bytes.len() < limit {
                self.bytes.resize(limit, 0);
            }
            match from.read(&mut self.bytes[self.filled..limit]) {
                Ok(0) => break,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(FileError::Read(error)),
            }
        }
        Ok(())
    }

    /// Reads on to the end: up to `size` bytes in all, the file's length when it was opened, unless
    /// that is 0, as for streams and the files of /proc.
    pub(super) fn read_to_end(&mut self, size: u64, from: &mut impl Read) -> Result<(), FileError> {
        if size > 0 {
            // Asking for more only to learn that there is none would be one more system call for
            // each file.
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
                // What was added to a file since it was opened is not part of it.
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
