//! Extended attributes of open files. Where the system or the file system has none, the error is of the kind
//! [`Unsupported`](std::io::ErrorKind::Unsupported).

use std::fs::File;
use std::io;

#[cfg(unix)]
use xattr::FileExt as _;

pub(crate) fn get(file: &File, name: &str) -> io::Result<Option<Vec<u8>>> {
    #[cfg(unix)]
    return file.get_xattr(name);
    #[cfg(not(unix))]
    unsupported(file, name)
}

pub(crate) fn set(file: &File, name: &str, value: &[u8]) -> io::Result<()> {
    #[cfg(unix)]
    return file.set_xattr(name, value);
    #[cfg(not(unix))]
    unsupported(file, (name, value))
}

pub(crate) fn remove(file: &File, name: &str) -> io::Result<()> {
    #[cfg(unix)]
    return file.remove_xattr(name);
    #[cfg(not(unix))]
    unsupported(file, name)
}

#[cfg(not(unix))]
fn unsupported<T>(_: &File, _: impl Sized) -> io::Result<T> {
    Err(io::ErrorKind::Unsupported.into())
}
