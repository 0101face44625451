//! Files that are not in their places yet: without a name on Linux.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::rc::Rc;

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::Errno;
use xattr::FileExt;

use super::{FileIdentity, Folder, file_system};
use crate::batch::plan::Fsync;
use crate::batch::read::Original;
use crate::batch::temporary;
use crate::batch::write::system;
use crate::batch::write::system::Folder as _;
use crate::batch::write::{PublishError, record};

/// A file that has a name only if the system supports no unnamed ones.
#[derive(Debug)]
pub(crate) struct Temporary {
    pub(super) folder: Rc<Folder>,
    pub(super) file: File,
    /// `None` if it has no name yet.
    pub(super) name: Option<OsString>,
}

impl Temporary {
    pub(super) fn new(folder: &Rc<Folder>, mode: Mode) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        match unnamed(folder, mode) {
            Ok(file) => {
                return Ok(Temporary {
                    folder: Rc::clone(folder),
                    file,
                    name: None,
                });
            }
            // The errors of file systems and kernels without such files.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::NOENT | Errno::INVAL) => {}
            Err(error) => return Err(error.into()),
        }
        Temporary::named(folder, mode)
    }

    /// As on a file system without unnamed files.
    fn named(folder: &Rc<Folder>, mode: Mode) -> io::Result<Self> {
        folder.clean(true);
        // A run that is cleaning up may remove some before they are locked, but not for ever.
        for _ in 0..100 {
            if let Some(created) = Temporary::create(folder, mode)?
                && created.claim()?
            {
                return Ok(created);
            }
        }
        Err(io::Error::other("a temporary file cannot be locked"))
    }

    /// A new file that is not locked yet; `None` if its name was taken.
    pub(in crate::batch::write) fn create(
        folder: &Rc<Folder>,
        mode: Mode,
    ) -> io::Result<Option<Self>> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let name = temporary::name();
        match fs::openat(&folder.directory, &name, flags, mode) {
            Ok(fd) => Ok(Some(Temporary {
                folder: Rc::clone(folder),
                file: fd.into(),
                name: Some(name),
            })),
            Err(Errno::EXIST) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Locks a file, after which no other run takes it for a leftover. `false` if one already has.
    pub(in crate::batch::write) fn claim(&self) -> io::Result<bool> {
        Ok(temporary::lock(&self.file) && self.has_its_name()?)
    }

    /// Whether its temporary name still stands for it.
    fn has_its_name(&self) -> io::Result<bool> {
        let Some(name) = &self.name else {
            return Ok(false);
        };
        match self.folder.look(name) {
            Err(Errno::NOENT) => Ok(false),
            now => Ok(now?.is_file(&FileIdentity::from(&self.file.metadata()?))),
        }
    }

    /// Its temporary name, which others could see while it was written to.
    fn checked_name(&self) -> io::Result<Option<OsString>> {
        if self.name.is_some() && !self.has_its_name()? {
            let gone = "another program has removed or replaced its temporary file";
            return Err(io::Error::other(gone));
        }
        Ok(self.name.clone())
    }

    /// Its contents reach the disk, if the folder's policy is that they do now. Over a network they do so
    /// anyway when a file is closed, and only then does the system report that there is no room: too
    /// late for a file that is in its place.
    pub(super) fn settle(&self) -> io::Result<()> {
        match self.folder.fsync {
            Fsync::Always => self.file.sync_all(),
            Fsync::Never if self.folder.file_system().is_remote => self.file.sync_all(),
            Fsync::Never | Fsync::Batch => Ok(()),
        }
    }

    /// Gives it a temporary name of this kind. A process that is killed before it takes the name
    /// away again leaves the file behind.
    pub(super) fn take_name(&mut self, name: impl Fn() -> OsString) -> io::Result<OsString> {
        let taken = match self.checked_name()? {
            Some(before) => {
                let name = name();
                self.folder.rename_over(&before, &name)?;
                name
            }
            None => {
                self.folder.clean(true);
                temporary::lock(&self.file);
                loop {
                    let name = name();
                    match self.give_name(&name) {
                        Err(Errno::EXIST) => {}
                        result => break result.map(|()| name)?,
                    }
                }
            }
        };
        self.name = Some(taken.clone());
        Ok(taken)
    }

    /// Gives it its final name, whatever has that so far.
    pub(super) fn rename(mut self, temporary: &OsStr, name: &OsStr) -> io::Result<()> {
        self.folder.rename_over(temporary, name)?;
        self.name = None;
        Ok(())
    }

    /// Gives a file with a temporary name one that must be free.
    #[cfg(target_os = "linux")]
    fn rename_to_free(&mut self, temporary: &OsStr, name: &OsStr) -> rustix::io::Result<()> {
        let (fd, free) = (&self.folder.directory, fs::RenameFlags::NOREPLACE);
        fs::renameat_with(fd, temporary, fd, name, free)?;
        self.name = None;
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn rename_to_free(&mut self, _: &OsStr, _: &OsStr) -> rustix::io::Result<()> {
        Err(Errno::NOSYS)
    }

    /// Gives a file without a name one that must be free.
    #[cfg(target_os = "linux")]
    fn give_name(&self, name: &OsStr) -> rustix::io::Result<()> {
        use std::os::fd::AsRawFd;
        use std::sync::atomic::{AtomicBool, Ordering};
        /// The direct way needs a capability, or Linux 6.10; a process without both need not try
        /// again.
        static DIRECTLY: AtomicBool = AtomicBool::new(true);
        let to = &self.folder.directory;
        if DIRECTLY.load(Ordering::Relaxed) {
            match fs::linkat(&self.file, "", to, name, AtFlags::EMPTY_PATH) {
                Err(Errno::NOENT | Errno::PERM | Errno::INVAL) => {
                    DIRECTLY.store(false, Ordering::Relaxed);
                }
                result => return result,
            }
        }
        let path = format!("/proc/self/fd/{}", self.file.as_raw_fd());
        fs::linkat(fs::CWD, path, to, name, AtFlags::SYMLINK_FOLLOW)
    }

    /// Every file has a name here.
    #[cfg(not(target_os = "linux"))]
    fn give_name(&self, _: &OsStr) -> rustix::io::Result<()> {
        Err(Errno::OPNOTSUPP)
    }
}

impl system::Temporary for Temporary {
    fn file(&self) -> &File {
        &self.file
    }

    fn sync_file_system(&self) -> io::Result<()> {
        Ok(file_system::sync(&self.file)?)
    }

    fn publish(mut self, name: &OsStr) -> io::Result<()> {
        self.settle()?;
        let temporary = match self.checked_name()? {
            Some(temporary) => temporary,
            None => match self.give_name(name) {
                // Linking cannot replace, but renaming can.
                Err(Errno::EXIST) => self.take_name(temporary::name)?,
                result => return Ok(result?),
            },
        };
        self.rename(&temporary, name)
    }

    fn publish_new(mut self, name: &OsStr) -> io::Result<()> {
        self.settle()?;
        let Some(temporary) = self.checked_name()? else {
            return Ok(self.give_name(name)?);
        };
        match self.rename_to_free(&temporary, name) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            result => return Ok(result?),
        }
        match self.folder.look(name) {
            Err(Errno::NOENT) => self.rename(&temporary, name),
            Err(error) => Err(error.into()),
            Ok(_) => Err(Errno::EXIST.into()),
        }
    }

    fn publish_over(
        self,
        name: &OsStr,
        original: &Original,
        _backup: Option<(&OsStr, &Metadata)>,
    ) -> Result<(), PublishError> {
        #[cfg(target_os = "linux")]
        if self.folder.exchanges.get() {
            return self.exchange(name, original);
        }
        // It was checked just before, and that is all that can be done here.
        let _ = original;
        Ok(self.publish(name)?)
    }

    fn keep_attributes(&self, of: &Original) -> io::Result<bool> {
        use std::os::unix::fs::fchown;
        let Original { file, metadata } = of;
        let has_both = fchown(&self.file, Some(metadata.uid()), Some(metadata.gid())).is_ok();
        // Only the superuser can give files away; changing to one of one's own groups is allowed
        // more often.
        let has_group = has_both || fchown(&self.file, None, Some(metadata.gid())).is_ok();
        if xattr::SUPPORTED_PLATFORM {
            keep_extended_attributes(file, &self.file, has_group)?;
        }
        // After the owner, whose change takes bits away, and after an ACL, which changes them.
        let mut mode = metadata.mode() & if has_both { 0o7777 } else { 0o1777 };
        if !has_group {
            // What the old group could do is not for another group: that gets the rights of
            // everybody.
            mode &= !0o070 | (mode & 0o007) << 3;
        }
        fs::fchmod(&self.file, Mode::from_raw_mode(mode as _))?;
        let now = self.file.metadata()?;
        Ok((now.uid(), now.gid()) == (metadata.uid(), metadata.gid()))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(name) = &self.name
            && self.has_its_name().is_ok_and(|has| has)
        {
            // A failure even of this cannot be reported.
            let _ = fs::unlinkat(&self.folder.directory, name, AtFlags::empty());
        }
    }
}

/// A file without a name, if the system can give it one later.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Folder, mode: Mode) -> rustix::io::Result<File> {
    use std::sync::LazyLock;
    static CAN_BE_NAMED: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").exists());
    if !*CAN_BE_NAMED {
        return Err(Errno::OPNOTSUPP);
    }
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    fs::openat(&folder.directory, ".", flags, mode).map(File::from)
}

/// An access control list. It also decides who may read a file.
const ACCESS: &str = "system.posix_acl_access";

fn keep_extended_attributes(from: &File, to: &File, has_group: bool) -> io::Result<()> {
    let names = match from.list_xattr() {
        // The file system has none.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        names => names?,
    };
    let stays = |name: &OsString| !record::is_ours(name) && (has_group || name != ACCESS);
    let names: Vec<OsString> = names.filter(stays).collect();
    if !names.iter().any(|name| name == ACCESS) && matches!(to.get_xattr(ACCESS), Ok(Some(_))) {
        // The directory's default for new files could let in users who had no access before.
        to.remove_xattr(ACCESS)?;
    }
    for name in names {
        let Some(value) = from.get_xattr(&name)? else {
            continue;
        };
        let result = to.set_xattr(&name, &value);
        // The others belong to the system, which sets them for every file.
        if name.as_encoded_bytes().starts_with(b"user.") {
            result?;
        }
    }
    Ok(())
}
