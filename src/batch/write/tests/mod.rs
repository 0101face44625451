//! Tests of what [`super`] promises, and of what only some systems do.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use tempfile::TempDir;

use super::outputs::Outputs;
use super::system::{FileKey, Folder, Temporary};
use super::{Contents, Folders, NoteKind, PublishError, creation, replacement};
use crate::batch::plan::Fsync;
use crate::batch::read::{self, Original};

fn original(directory: &TempDir, name: &str) -> Original {
    read::open(&directory.path().join(name)).unwrap()
}

fn folder<F: Folder>(directory: &TempDir) -> Rc<F> {
    let root = F::root(directory.path()).unwrap();
    Rc::new(F::open(&root, Path::new(""), Fsync::Never).unwrap())
}

fn names(directory: &TempDir) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn contents(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).unwrap()
}

/// A directory with a file `a` that holds `old`.
fn directory() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a"), "old").unwrap();
    directory
}

const A: &str = "a";

/// Replaces a file, and closes the original.
fn replace(
    folder: &Rc<impl Folder>,
    name: &OsStr,
    contents: Contents<'_>,
    original: Original,
    backup: Option<&OsStr>,
) -> Result<Vec<NoteKind>, PublishError> {
    let prepared = replacement(folder, name, contents, &original, backup)?;
    let replaced = prepared.publish(&original)?;
    drop(original);
    folder.finish()?;
    Ok(replaced)
}

/// Writes a new file.
fn create(
    folder: &Rc<impl Folder>,
    name: &OsStr,
    contents: Contents<'_>,
    original: &Original,
) -> Result<(), PublishError> {
    let claim = Arc::<Outputs>::default().claim(Path::new("a"), false);
    let prepared = creation(folder, name, contents, original, claim)?;
    prepared.publish(original).map(drop)
}

fn new() -> Contents<'static> {
    Contents::Bytes(b"new")
}

/// Makes tests of these: on this system, and as if there were nothing but the standard library.
macro_rules! on_each_system {
    ($($name:ident)*) => {
        mod here {
            $(#[test] fn $name() { super::$name::<$crate::batch::write::FolderHere>(); })*
        }
        mod portable {
            $(#[test] fn $name() { super::$name::<$crate::batch::write::portable::Folder>(); })*
        }
    };
}

on_each_system! {
    replaces
    a_file_that_changed_meanwhile_is_left
    a_file_that_vanished_meanwhile_is_not_made_again
    a_backup_is_made_once
    creates_and_overwrites
    an_error_leaves_nothing_behind
    folders_are_made_and_found_again
}

fn replaces<F: Folder>() {
    let directory = directory();
    let original = original(&directory, A);
    let notes = replace(&folder::<F>(&directory), A.as_ref(), new(), original, None).unwrap();
    assert_eq!(notes, []);
    assert_eq!(contents(&directory, A), "new");
    assert_eq!(names(&directory), [A]);
}

fn a_file_that_changed_meanwhile_is_left<F: Folder>() {
    let directory = directory();
    let original = original(&directory, A);
    fs::write(directory.path().join(A), "other contents").unwrap();
    let result = replace(
        &folder::<F>(&directory),
        A.as_ref(),
        new(),
        original,
        Some("b".as_ref()),
    );
    assert!(matches!(result, Err(PublishError::Changed)), "{result:?}");
    assert_eq!(contents(&directory, A), "other contents");
    assert_eq!(names(&directory), [A]);
}

fn a_file_that_vanished_meanwhile_is_not_made_again<F: Folder>() {
    let directory = directory();
    let original = original(&directory, A);
    fs::remove_file(directory.path().join(A)).unwrap();
    assert!(replace(&folder::<F>(&directory), A.as_ref(), new(), original, None).is_err());
    assert!(names(&directory).is_empty());
}

fn a_backup_is_made_once<F: Folder>() {
    let directory = directory();
    let folder = folder::<F>(&directory);
    let backup = Some(OsStr::new("a.orig"));
    let first = original(&directory, A);
    let notes = replace(&folder, A.as_ref(), new(), first, backup).unwrap();
    assert_eq!(notes, []);
    let second = original(&directory, A);
    let newer = Contents::Bytes(b"newer");
    let notes = replace(&folder, A.as_ref(), newer, second, backup).unwrap();
    assert_eq!(notes, [NoteKind::OlderBackup("a.orig".into())]);
    assert_eq!(contents(&directory, A), "newer");
    assert_eq!(contents(&directory, "a.orig"), "old");
    assert_eq!(names(&directory), [A, "a.orig"]);
}

fn creates_and_overwrites<F: Folder>() {
    let directory = directory();
    let original = original(&directory, A);
    let from = Contents::File(&original.file);
    create(&folder::<F>(&directory), "b".as_ref(), from, &original).unwrap();
    assert_eq!(contents(&directory, "b"), "old");
    create(&folder::<F>(&directory), "b".as_ref(), new(), &original).unwrap();
    assert_eq!(contents(&directory, "b"), "new");
    assert_eq!(names(&directory), [A, "b"]);
}

fn an_error_leaves_nothing_behind<F: Folder>() {
    let directory = directory();
    fs::create_dir(directory.path().join("d")).unwrap();
    let original = original(&directory, A);
    assert!(create(&folder::<F>(&directory), "d".as_ref(), new(), &original).is_err());
    assert_eq!(names(&directory), [A, "d"]);
}

fn folders_are_made_and_found_again<F: Folder>() {
    let directory = directory();
    let original = original(&directory, A);
    let root = F::root(directory.path()).unwrap();
    let mut folders = Folders::<F>::new(Some(&root), Fsync::Always);
    for (below, name) in [("x/y", "1"), ("x/y", "2"), ("x", "3"), ("", "4")] {
        let folder = folders.make(below.as_ref(), &|_| 0o777).unwrap();
        create(folder, name.as_ref(), new(), &original).unwrap();
        assert_eq!(
            contents(
                &directory,
                format!("{below}/{name}").trim_start_matches('/')
            ),
            "new"
        );
    }
    assert!(folders.open(directory.path(), Path::new("z")).is_err());
    assert!(folders.make(Path::new(".."), &|_| 0o777).is_err());
}

mod moment;
#[cfg(unix)]
mod unix;
