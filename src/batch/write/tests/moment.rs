//! What happens in the moment between the last look at a file and its replacement.

use std::cell::{Cell, RefCell};
use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;

use super::*;

/// What happens in that moment.
type Moment<'a> = Rc<RefCell<Box<dyn FnMut() -> io::Result<()> + 'a>>>;

/// A folder in which something happens then.
struct At<'a, F>(Rc<F>, Moment<'a>);

/// A file in it that is not in its place yet.
struct Waiting<'a, T>(T, Moment<'a>);

impl<'a, F: Folder> Folder for At<'a, F> {
    type Root = F::Root;
    type Temporary = Waiting<'a, F::Temporary>;

    fn root(path: &Path) -> io::Result<F::Root> {
        F::root(path)
    }

    fn open(_: &F::Root, _: &Path, _: Fsync) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn make(_: &F::Root, _: &Path, _: Fsync, _: &dyn Fn(&Path) -> u32) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn cleaned(&self) -> &Cell<bool> {
        self.0.cleaned()
    }

    fn leftovers(&self) -> Vec<OsString> {
        self.0.leftovers()
    }

    fn clear(&self, leftover: &OsStr, removes: bool) -> bool {
        self.0.clear(leftover, removes)
    }

    fn look_for(&self, name: &OsStr) -> io::Result<bool> {
        self.0.look_for(name)
    }

    fn key(&self, name: &OsStr) -> io::Result<FileKey> {
        self.0.key(name)
    }

    fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        self.0.check_writable(name)
    }

    fn holds(&self, name: &OsStr, before: &Metadata) -> io::Result<bool> {
        self.0.holds(name, before)
    }

    fn link(&self, name: &OsStr, second: &OsStr, of: &Original) -> io::Result<Option<Metadata>> {
        self.0.link(name, second, of)
    }

    fn keeps_links(&self) -> bool {
        self.0.keeps_links()
    }

    fn take_back(&self, name: &OsStr, file: &Metadata) {
        self.0.take_back(name, file);
    }

    fn read(&self, name: &OsStr) -> io::Result<Original> {
        self.0.read(name)
    }

    fn create(&self, name: &OsStr) -> io::Result<File> {
        self.0.create(name)
    }

    fn hold(&self, name: &OsStr, original: &Original) -> Result<Option<File>, PublishError> {
        self.0.hold(name, original)
    }

    fn put_back(
        &self,
        backup: &OsStr,
        name: &OsStr,
        now: Option<Original>,
    ) -> Result<(), PublishError> {
        self.0.put_back(backup, name, now)
    }

    const WAITS: bool = F::WAITS;

    fn finish(&self) -> Result<(), PublishError> {
        self.0.finish()
    }

    fn fsync(&self) -> Fsync {
        self.0.fsync()
    }

    fn synced_at_once(&self) -> Option<u64> {
        self.0.synced_at_once()
    }

    fn sync_names(&self) -> io::Result<()> {
        self.0.sync_names()
    }

    fn sync_file_system(&self) -> io::Result<()> {
        self.0.sync_file_system()
    }

    fn settle(&self) -> io::Result<()> {
        self.0.settle()
    }

    fn symlink(&self, name: &OsStr, text: &Path) -> io::Result<()> {
        self.0.symlink(name, text)
    }

    fn temporary(self: &Rc<Self>, like: Option<&Metadata>) -> io::Result<Self::Temporary> {
        Ok(Waiting(self.0.temporary(like)?, Rc::clone(&self.1)))
    }
}

impl<T: Temporary> Temporary for Waiting<'_, T> {
    fn file(&self) -> &File {
        self.0.file()
    }

    fn keep_attributes(&self, of: &Original) -> io::Result<bool> {
        self.0.keep_attributes(of)
    }

    fn sync_file_system(&self) -> io::Result<()> {
        self.0.sync_file_system()
    }

    fn publish(self, name: &OsStr) -> io::Result<()> {
        self.0.publish(name)
    }

    fn publish_new(self, name: &OsStr) -> io::Result<()> {
        self.0.publish_new(name)
    }

    fn publish_over(
        self,
        name: &OsStr,
        original: &Original,
        backup: Option<(&OsStr, &Metadata)>,
    ) -> Result<(), PublishError> {
        (self.1.borrow_mut())()?;
        self.0.publish_over(name, original, backup)
    }
}

/// Replaces `a` with a backup, while something happens at that moment.
fn replace_when<F: Folder>(
    directory: &TempDir,
    happens: impl FnMut() -> io::Result<()>,
) -> Result<Vec<NoteKind>, PublishError> {
    let original = original(directory, A);
    let moment = Rc::new(RefCell::new(Box::new(happens) as Box<_>));
    let folder = Rc::new(At(folder::<F>(directory), moment));
    let backup = Some(OsStr::new("a.orig"));
    replace(&folder, A.as_ref(), new(), original, backup)
}

on_each_system! {
    a_backup_goes_where_replacing_fails
    an_older_backup_stays_where_replacing_fails
    a_backup_that_somebody_replaced_stays
}

fn a_backup_goes_where_replacing_fails<F: Folder>() {
    let directory = directory();
    let result = replace_when::<F>(&directory, || {
        assert_eq!(names(&directory).len(), 2 + leftovers(&directory));
        Err(io::ErrorKind::PermissionDenied.into())
    });
    assert!(matches!(result, Err(PublishError::Io(_))), "{result:?}");
    assert_eq!(contents(&directory, A), "old");
    assert_eq!(names(&directory), [A]);
}

/// How many temporary files there are.
fn leftovers(directory: &TempDir) -> usize {
    let names = names(directory);
    let leftovers = names.iter().filter(|name| name.starts_with(".abslink-"));
    leftovers.count()
}

fn an_older_backup_stays_where_replacing_fails<F: Folder>() {
    let directory = directory();
    fs::write(directory.path().join("a.orig"), "older").unwrap();
    let denied = || Err(io::ErrorKind::PermissionDenied.into());
    replace_when::<F>(&directory, denied).unwrap_err();
    assert_eq!(contents(&directory, "a.orig"), "older");
}

fn a_backup_that_somebody_replaced_stays<F: Folder>() {
    let directory = directory();
    let theirs = directory.path().join("theirs");
    fs::write(&theirs, "theirs").unwrap();
    let denied = || {
        fs::rename(&theirs, directory.path().join("a.orig"))?;
        Err(io::ErrorKind::PermissionDenied.into())
    };
    replace_when::<F>(&directory, denied).unwrap_err();
    assert_eq!(contents(&directory, "a.orig"), "theirs");
}

/// If names can be exchanged, what another program writes at that moment is not overwritten.
#[cfg(target_os = "linux")]
mod edits {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::batch::write::unix;

    #[track_caller]
    fn stays(edit: impl Fn(&Path) -> io::Result<()>, is_there: impl Fn(&Path) -> bool) {
        let directory = directory();
        let path = directory.path().join(A);
        let result = replace_when::<unix::Folder>(&directory, || edit(&path));
        assert!(matches!(result, Err(PublishError::Changed)), "{result:?}");
        assert!(is_there(&path));
        let mut names = names(&directory);
        names.retain(|name| name != A);
        assert!(names.is_empty(), "{names:?}");
    }

    fn reads(path: &Path, expected: &str) -> bool {
        fs::read_to_string(path).is_ok_and(|contents| contents == expected)
    }

    #[test]
    fn written_into_the_file() {
        stays(|path| fs::write(path, "ed."), |path| reads(path, "ed."));
    }

    #[test]
    fn put_in_its_place() {
        let edit = |path: &Path| {
            let other = path.with_file_name("b");
            fs::write(&other, "old")?;
            fs::rename(other, path)
        };
        stays(edit, |path| reads(path, "old"));
    }

    #[test]
    fn permissions() {
        let mode = |mode| fs::Permissions::from_mode(mode);
        stays(
            |path| fs::set_permissions(path, mode(0o600)),
            |path| path.metadata().unwrap().permissions().mode() & 0o777 == 0o600,
        );
    }

    #[test]
    fn a_link_or_a_directory() {
        let link = |path: &Path| {
            fs::remove_file(path)?;
            symlink("elsewhere", path)
        };
        stays(link, Path::is_symlink);
        let directory = |path: &Path| {
            fs::remove_file(path)?;
            fs::create_dir(path)
        };
        stays(directory, Path::is_dir);
    }

    /// The backup that this run has made is all that the other one has of the original.
    #[test]
    fn what_another_run_wrote_keeps_the_backup() {
        let directory = directory();
        let probe = xattr::set(directory.path().join(A), "user.abslink.probe", b"");
        if probe.is_err() {
            return;
        }
        let other = folder::<unix::Folder>(&directory);
        let result = replace_when::<unix::Folder>(&directory, || {
            let (contents, backup) = (Contents::Bytes(b"other"), Some(OsStr::new("a.orig")));
            let notes = replace(
                &other,
                A.as_ref(),
                contents,
                original(&directory, A),
                backup,
            );
            assert_eq!(notes.unwrap(), [NoteKind::OlderBackup("a.orig".into())]);
            Ok(())
        });
        assert!(matches!(result, Err(PublishError::Changed)), "{result:?}");
        assert_eq!(contents(&directory, A), "other");
        assert_eq!(contents(&directory, "a.orig"), "old");
        assert_eq!(names(&directory), [A, "a.orig"]);
    }

    #[test]
    fn its_removal() {
        stays(|path| fs::remove_file(path), |path| !path.exists());
    }

    /// A second name changes the ctime, which therefore says nothing any more.
    #[test]
    fn a_backup_is_no_edit() {
        let directory = directory();
        let notes = replace_when::<unix::Folder>(&directory, || Ok(())).unwrap();
        assert_eq!(notes, []);
        assert_eq!(contents(&directory, A), "new");
        assert_eq!(contents(&directory, "a.orig"), "old");
        assert_eq!(names(&directory), [A, "a.orig"]);
    }
}
