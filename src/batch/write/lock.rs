//! Keeps other programs from a mailbox while it is replaced: a file `NAME.lock` beside it, and on Unix a lock by
//! `fcntl` as well. Programs that deliver mail ask for one or both.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::rc::Rc;

use super::{Folder, FolderHere, Original, PublishError};

/// Ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Lock<F: Folder = FolderHere> {
    folder: Rc<F>,
    name: OsString,
    made: Metadata,
    /// The mailbox, locked until this process closes any handle of it. For the moment from there to its
    /// replacement there is the file.
    _mailbox: Option<File>,
}

impl<F: Folder> Drop for Lock<F> {
    fn drop(&mut self) {
        self.folder.take_back(&self.name, &self.made);
    }
}

/// Locks a mailbox that was opened before. Returns also the name of a file that a killed program has left and that was
/// removed.
pub(crate) fn lock<F: Folder>(
    folder: &Rc<F>,
    name: &OsStr,
    original: &Original,
) -> Result<(Lock<F>, Option<OsString>), PublishError> {
    // This comes first: only who holds it removes what is left of another run.
    let mailbox = folder.hold(name, original)?;
    let mut name = name.to_owned();
    name.push(".lock");
    let mut stale = None;
    let make = || match folder.create(&name) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(PublishError::Locked(Some(name.clone())))
        }
        made => Ok(made?),
    };
    let mut file = match make() {
        Err(PublishError::Locked(_)) if remove_stale(&**folder, &name) => {
            stale = Some(name.clone());
            make()?
        }
        made => made?,
    };
    let mut lock = Lock {
        folder: Rc::clone(folder),
        name: name.clone(),
        made: file.metadata()?,
        _mailbox: mailbox,
    };
    file.write_all(contents(std::process::id()).as_bytes())?;
    // Where files have no numbers, it is known by its length and its time.
    lock.made = file.metadata()?;
    Ok((lock, stale))
}

/// What stands in the file: Dovecot and liblockfile see by that, as the next run does, whether the process is gone.
fn contents(process: u32) -> String {
    format!("{process}:{}\n", machine())
}

/// Removes the file of a process of this machine that is gone; returns whether it was one.
fn remove_stale(folder: &impl Folder, name: &OsStr) -> bool {
    let mut text = String::new();
    let Ok(left) = folder.read(name) else {
        return false;
    };
    let is_text = (&left.file).take(1024).read_to_string(&mut text).is_ok();
    let process = text.split(':').next().filter(|_| is_text);
    let process = process.and_then(|number| number.parse().ok());
    let is_stale = process.is_some_and(|process| text == contents(process) && is_gone(process));
    if is_stale {
        folder.take_back(name, &left.metadata);
    }
    is_stale
}

#[cfg(unix)]
fn machine() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

#[cfg(unix)]
fn is_gone(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    process.is_some_and(|process| test_kill_process(process) == Err(rustix::io::Errno::SRCH))
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// Another process may have got its number, and there is no other way to tell.
#[cfg(not(unix))]
fn is_gone(_: u32) -> bool {
    false
}
