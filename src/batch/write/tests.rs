//! Tests of what [`super`] promises, and of the ways that only some systems take.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::super::read::{self, Links, Original};
use super::system::{Folder, Temporary};
use super::{Contents, Folders, Refused, create, replace};
use crate::skip;

fn original(directory: &TempDir, name: &str) -> Original {
    read::open(&directory.path().join(name), Links::Refuse).unwrap()
}

fn folder<F: Folder>(directory: &TempDir) -> F {
    F::open(directory.path(), Path::new(""), false).unwrap()
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

fn new() -> Contents<'static> {
    Contents::Bytes(b"new")
}

/// Makes tests of these: on this system, and as where there is nothing but the standard library.
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
    assert!(replace(&folder::<F>(&directory), A.as_ref(), new(), &original, None).unwrap());
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
        &original,
        Some("b".as_ref()),
    );
    assert!(matches!(result, Err(Refused::Changed)), "{result:?}");
    assert_eq!(contents(&directory, A), "other contents");
    assert_eq!(names(&directory), [A]);
}

fn a_file_that_vanished_meanwhile_is_not_made_again<F: Folder>() {
    let directory = directory();
    let original = original(&directory, A);
    fs::remove_file(directory.path().join(A)).unwrap();
    assert!(replace(&folder::<F>(&directory), A.as_ref(), new(), &original, None).is_err());
    assert!(names(&directory).is_empty());
}

fn a_backup_is_made_once<F: Folder>() {
    let directory = directory();
    let folder: F = folder(&directory);
    let backup = Some(OsStr::new("a.orig"));
    let first = original(&directory, A);
    assert!(replace(&folder, A.as_ref(), new(), &first, backup).unwrap());
    let second = original(&directory, A);
    let newer = Contents::Bytes(b"newer");
    assert!(!replace(&folder, A.as_ref(), newer, &second, backup).unwrap());
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
    let mut folders = Folders::<F>::new(true);
    for (below, name) in [("x/y", "1"), ("x/y", "2"), ("x", "3"), ("", "4")] {
        let folder = folders.make(directory.path(), below.as_ref()).unwrap();
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
    assert!(folders.make(directory.path(), Path::new("..")).is_err());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::super::unix;
    use super::*;

    on_each_system! {
        other_hard_links_keep_the_old_contents
        no_link_below_the_root_is_followed
        a_link_in_the_place_of_the_file_is_replaced_and_not_followed
        what_a_killed_run_left_is_removed
        strays_are_looked_for_once_in_a_folder_and_those_below
    }

    #[test]
    fn keeps_permissions_and_origin() {
        let directory = directory();
        let path = directory.path().join(A);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o666)).unwrap();
        let has_attributes = xattr::set(&path, "user.xdg.origin.url", b"http://h/").is_ok();
        let before = path.metadata().unwrap();
        let original = original(&directory, A);
        replace(
            &folder::<unix::Folder>(&directory),
            A.as_ref(),
            new(),
            &original,
            None,
        )
        .unwrap();
        let after = path.metadata().unwrap();
        assert_eq!(after.mode(), before.mode());
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        if has_attributes {
            let url = xattr::get(&path, "user.xdg.origin.url").unwrap();
            assert_eq!(url.as_deref(), Some(&b"http://h/"[..]));
        } else {
            skip::tool("this file system has no extended attributes");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn keeps_an_access_control_list() {
        const ATTRIBUTE: &str = "system.posix_acl_access";
        const NOBODY_IN_PARTICULAR: u32 = u32::MAX;
        let directory = directory();
        let path = directory.path().join(A);
        // Version 2, then tag, permissions and id of each entry: owner, user 12345, group, mask,
        // others.
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (tag, permissions, id) in [
            (0x01_u16, 6_u16, NOBODY_IN_PARTICULAR),
            (0x02, 4, 12_345),
            (0x04, 0, NOBODY_IN_PARTICULAR),
            (0x10, 4, NOBODY_IN_PARTICULAR),
            (0x20, 0, NOBODY_IN_PARTICULAR),
        ] {
            list.extend(tag.to_le_bytes());
            list.extend(permissions.to_le_bytes());
            list.extend(id.to_le_bytes());
        }
        if let Err(error) = xattr::set(&path, ATTRIBUTE, &list) {
            skip::tool(format_args!(
                "this file system has no access control lists ({error})"
            ));
            return;
        }
        let original = original(&directory, A);
        let folder = folder::<unix::Folder>(&directory);
        replace(&folder, A.as_ref(), new(), &original, None).unwrap();
        assert_eq!(contents(&directory, A), "new");
        let kept = xattr::get(&path, ATTRIBUTE).unwrap();
        assert_eq!(kept, Some(list));
    }

    fn other_hard_links_keep_the_old_contents<F: Folder>() {
        let directory = directory();
        fs::hard_link(directory.path().join(A), directory.path().join("b")).unwrap();
        let original = original(&directory, A);
        replace(&folder::<F>(&directory), A.as_ref(), new(), &original, None).unwrap();
        assert_eq!(contents(&directory, "b"), "old");
    }

    #[test]
    fn a_read_only_file_is_not_replaced() {
        let directory = directory();
        let path = directory.path().join(A);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let original = original(&directory, A);
        skip::without_override(|| {
            let result = replace(
                &folder::<unix::Folder>(&directory),
                A.as_ref(),
                new(),
                &original,
                None,
            );
            assert!(matches!(result, Err(Refused::Io(_))), "{result:?}");
        });
        assert_eq!(contents(&directory, A), "old");
    }

    fn no_link_below_the_root_is_followed<F: Folder>() {
        let directory = directory();
        let elsewhere = tempfile::tempdir().unwrap();
        symlink(elsewhere.path(), directory.path().join("link")).unwrap();
        for below in ["link", "link/x"] {
            assert!(
                F::make(directory.path(), below.as_ref(), false).is_err(),
                "{below}"
            );
            assert!(
                F::open(directory.path(), below.as_ref(), false).is_err(),
                "{below}"
            );
        }
        assert!(names(&elsewhere).is_empty());
    }

    fn a_link_in_the_place_of_the_file_is_replaced_and_not_followed<F: Folder>() {
        let directory = directory();
        let elsewhere = super::directory();
        symlink(elsewhere.path().join(A), directory.path().join("l")).unwrap();
        let original = original(&directory, A);
        create(&folder::<F>(&directory), "l".as_ref(), new(), &original).unwrap();
        assert_eq!(contents(&directory, "l"), "new");
        assert_eq!(contents(&elsewhere, A), "old");
    }

    fn what_a_killed_run_left_is_removed<F: Folder>() {
        let directory = directory();
        let path = |name: &str| directory.path().join(name);
        fs::write(path(".abslink-1-2.tmp"), "of a dead one").unwrap();
        let alive = fs::File::create(path(".abslink-1-3.tmp")).unwrap();
        alive.lock().unwrap();
        fs::create_dir(path(".abslink-1-4.tmp")).unwrap();
        symlink(A, path(".abslink-1-5.tmp")).unwrap();
        fs::write(path(".abslink-notes.tmp"), "not ours").unwrap();
        let original = original(&directory, A);
        replace(&folder::<F>(&directory), A.as_ref(), new(), &original, None).unwrap();
        assert_eq!(
            names(&directory),
            [
                ".abslink-1-3.tmp",
                ".abslink-1-4.tmp",
                ".abslink-1-5.tmp",
                ".abslink-notes.tmp",
                A
            ]
        );
    }

    /// Or a directory whose files and directories alternate would be read once for each.
    fn strays_are_looked_for_once_in_a_folder_and_those_below<F: Folder>() {
        let directory = directory();
        let mut folders = Folders::<F>::new(false);
        let mut replace_in = |below: &str| {
            let folder = folders.make(directory.path(), below.as_ref()).unwrap();
            let swept = folder.swept().get();
            for _ in 0..2 {
                create(folder, A.as_ref(), new(), &original(&directory, A)).unwrap();
            }
            swept
        };
        assert_eq!(
            ["", "b", "", "b/c", "", "d", "b", ""].map(&mut replace_in),
            [false, false, true, false, true, false, false, true]
        );
    }

    /// What a file system without files that have no name leads to.
    #[test]
    fn temporary_files_with_a_name() {
        let directory = directory();
        let folder: unix::Folder = folder(&directory);
        let named = || {
            let temporary = unix::Temporary::named(&folder, 0o600.into()).unwrap();
            Contents::Bytes(b"named")
                .write_to(temporary.file())
                .unwrap();
            temporary
        };
        assert_eq!(names(&directory).len(), 1);
        let dropped = named();
        assert_eq!(names(&directory).len(), 2);
        drop(dropped);
        assert_eq!(names(&directory), [A]);
        named().publish(A.as_ref()).unwrap();
        assert_eq!(contents(&directory, A), "named");
        named().publish_new("b".as_ref()).unwrap();
        assert_eq!(contents(&directory, "b"), "named");
        assert!(named().publish_new("b".as_ref()).is_err());
        assert!(named().publish("missing/c".as_ref()).is_err());
        assert_eq!(names(&directory), [A, "b"]);
    }
}
