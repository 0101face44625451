//! What only Unix has: links, permissions, attributes.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::*;
use crate::batch::write::unix;
use crate::skip;

on_each_system! {
    other_hard_links_keep_the_old_contents
    no_link_below_the_root_is_followed
    a_link_in_the_place_of_the_file_is_replaced_and_not_followed
    what_a_killed_run_left_is_removed
    links_are_made_and_replaced
    leftovers_are_looked_for_once_in_a_folder_and_those_below
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
        original,
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

/// A list that lets in one more user. Version 2, then tag, permissions and id of each entry: owner, user
/// 12345, group, mask, others.
#[cfg(target_os = "linux")]
fn access_control_list() -> Vec<u8> {
    const NOBODY_IN_PARTICULAR: u32 = u32::MAX;
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
    list
}

#[cfg(target_os = "linux")]
fn has_access_control_lists(set: std::io::Result<()>) -> bool {
    if let Err(error) = &set {
        skip::tool(format_args!(
            "this file system has no access control lists ({error})"
        ));
    }
    set.is_ok()
}

/// A file that had no list must not get the directory's default.
#[cfg(target_os = "linux")]
#[test]
fn takes_no_access_control_list_from_the_directory() {
    let directory = directory();
    let path = directory.path().join(A);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let default = "system.posix_acl_default";
    if !has_access_control_lists(xattr::set(
        directory.path(),
        default,
        &access_control_list(),
    )) {
        return;
    }
    let original = original(&directory, A);
    let folder = folder::<unix::Folder>(&directory);
    replace(&folder, A.as_ref(), new(), original, None).unwrap();
    assert_eq!(contents(&directory, A), "new");
    assert_eq!(xattr::get(&path, "system.posix_acl_access").unwrap(), None);
    assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o640);
}

#[cfg(target_os = "linux")]
#[test]
fn keeps_an_access_control_list() {
    const ATTRIBUTE: &str = "system.posix_acl_access";
    let directory = directory();
    let path = directory.path().join(A);
    let list = access_control_list();
    if !has_access_control_lists(xattr::set(&path, ATTRIBUTE, &list)) {
        return;
    }
    let original = original(&directory, A);
    let folder = folder::<unix::Folder>(&directory);
    replace(&folder, A.as_ref(), new(), original, None).unwrap();
    assert_eq!(contents(&directory, A), "new");
    let set = xattr::get(&path, ATTRIBUTE).unwrap();
    assert_eq!(set, Some(list));
}

fn other_hard_links_keep_the_old_contents<F: Folder>() {
    let directory = directory();
    fs::hard_link(directory.path().join(A), directory.path().join("b")).unwrap();
    let original = original(&directory, A);
    replace(&folder::<F>(&directory), A.as_ref(), new(), original, None).unwrap();
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
            original,
            None,
        );
        assert!(matches!(result, Err(PublishError::Io(_))), "{result:?}");
    });
    assert_eq!(contents(&directory, A), "old");
}

fn no_link_below_the_root_is_followed<F: Folder>() {
    let directory = directory();
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), directory.path().join("link")).unwrap();
    let root = F::root(directory.path()).unwrap();
    for below in ["link", "link/x"].map(Path::new) {
        assert!(
            F::make(&root, below, Fsync::Never, &|_| 0o777).is_err(),
            "{below:?}"
        );
        assert!(F::open(&root, below, Fsync::Never).is_err(), "{below:?}");
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
    replace(&folder::<F>(&directory), A.as_ref(), new(), original, None).unwrap();
    assert_eq!(
        names(&directory),
        [
            ".abslink-1-3.tmp",
            ".abslink-1-4.tmp",
            ".abslink-notes.tmp",
            A
        ]
    );
}

fn links_are_made_and_replaced<F: Folder>() {
    let directory = directory();
    let read_link = |name: &str| fs::read_link(directory.path().join(name)).unwrap();
    let inode = || {
        let link = directory.path().join("b");
        fs::symlink_metadata(link).unwrap().ino()
    };
    symlink(A, directory.path().join(".abslink-1-2.tmp")).unwrap();
    fs::create_dir(directory.path().join("d")).unwrap();
    let folder = folder::<F>(&directory);
    let link = |name: &str, text: &str| folder.symlink(name.as_ref(), text.as_ref());
    link("b", "nowhere").unwrap();
    assert_eq!(read_link("b"), Path::new("nowhere"));
    let before = inode();
    link("b", "nowhere").unwrap();
    assert_eq!(inode(), before);
    link("b", "../else").unwrap();
    link(A, "b").unwrap();
    assert_eq!(
        (read_link("b"), read_link(A)),
        ("../else".into(), "b".into())
    );
    assert!(link("d", "b").is_err());
    assert_eq!(names(&directory), [A, "b", "d"]);
}

/// Otherwise a directory in which files and directories alternate would be read once for each.
fn leftovers_are_looked_for_once_in_a_folder_and_those_below<F: Folder>() {
    let directory = directory();
    let root = F::root(directory.path()).unwrap();
    let mut folders = Folders::<F>::new(Some(&root), Fsync::Never);
    let mut replace_in = |below: &str| {
        let folder = folders.make(below.as_ref(), &|_| 0o777).unwrap();
        let cleaned = folder.cleaned().get();
        for _ in 0..2 {
            create(folder, A.as_ref(), new(), &original(&directory, A)).unwrap();
        }
        cleaned
    };
    assert_eq!(
        ["", "b", "", "b/c", "", "d", "b", ""].map(&mut replace_in),
        [false, false, true, false, true, false, false, true]
    );
}

/// As on a file system without unnamed files.
#[test]
fn temporary_files_with_a_name() {
    let directory = directory();
    let folder = folder::<unix::Folder>(&directory);
    let named = || {
        let temporary = unix::Temporary::create(&folder, 0o600.into()).unwrap();
        let temporary = temporary.unwrap();
        assert!(temporary.claim().unwrap());
        Contents::Bytes(b"named")
            .write_to(&mut temporary.file())
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

/// A cleanup between any two steps of making a temporary file, by another run.
#[test]
fn what_is_swept_before_it_is_locked_is_made_again() {
    let directory = directory();
    let [ours, theirs]: [Rc<unix::Folder>; 2] = [folder(&directory), folder(&directory)];
    let create = || {
        let created = unix::Temporary::create(&ours, 0o600.into()).unwrap();
        created.unwrap()
    };
    let cleaned = create();
    assert_eq!(theirs.clean(true), [""; 0]);
    assert_eq!(names(&directory), [A]);
    assert!(!cleaned.claim().unwrap());

    // The other run has locked it, and is about to remove it.
    let created = create();
    let theirs = folder::<unix::Folder>(&directory);
    let leftover = theirs.leftovers().remove(0);
    let file = fs::File::open(directory.path().join(&leftover)).unwrap();
    file.lock().unwrap();
    assert!(!created.claim().unwrap());
    drop((created, file));

    let claimed = create();
    assert!(claimed.claim().unwrap());
    theirs.clean(true);
    assert_eq!(names(&directory).len(), 2);
    claimed.publish(A.as_ref()).unwrap();
    assert_eq!(names(&directory), [A]);
}

/// Without locks, whatever has the name now may be another run's.
#[test]
fn what_has_its_temporary_name_is_not_published_for_it() {
    let directory = directory();
    let original = original(&directory, A);
    let folder = folder::<unix::Folder>(&directory);
    let publish: [fn(unix::Temporary, &Original) -> bool; 3] = [
        |temporary, _| temporary.publish(A.as_ref()).is_err(),
        |temporary, _| temporary.publish_new("b".as_ref()).is_err(),
        |temporary, original| temporary.publish_over(A.as_ref(), original, None).is_err(),
    ];
    for is_refused in publish {
        for replaced in [true, false] {
            let temporary = unix::Temporary::create(&folder, 0o600.into()).unwrap();
            let temporary = temporary.unwrap();
            let path = directory.path().join(folder.leftovers().remove(0));
            fs::remove_file(&path).unwrap();
            if replaced {
                fs::write(&path, "theirs").unwrap();
            }
            assert!(is_refused(temporary, &original));
            assert_eq!(contents(&directory, A), "old");
            if replaced {
                fs::remove_file(path).unwrap();
            }
            assert_eq!(names(&directory), [A]);
        }
    }
}

#[test]
fn permissions_that_changed_meanwhile_are_left() {
    let directory = directory();
    let path = directory.path().join(A);
    let original = original(&directory, A);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    let folder = folder::<unix::Folder>(&directory);
    let result = replace(&folder, A.as_ref(), new(), original, None);
    assert!(matches!(result, Err(PublishError::Changed)), "{result:?}");
    assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
    assert_eq!(contents(&directory, A), "old");
}

/// Contents and their time are as before; only the ctime shows it.
#[test]
fn an_edit_that_sets_the_time_back_is_left() {
    let directory = directory();
    let path = directory.path().join(A);
    let original = original(&directory, A);
    fs::write(&path, "ed.").unwrap();
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(original.metadata.modified().unwrap())
        .unwrap();
    let folder = folder::<unix::Folder>(&directory);
    let result = replace(&folder, A.as_ref(), new(), original, None);
    assert!(matches!(result, Err(PublishError::Changed)), "{result:?}");
    assert_eq!(contents(&directory, A), "ed.");
}

/// Two workers each have one of them: what the first one does is not an edit to the other.
#[test]
fn two_names_of_a_file_are_both_replaced() {
    for backup in [None, Some(OsStr::new("backup"))] {
        let directory = directory();
        fs::hard_link(directory.path().join(A), directory.path().join("b")).unwrap();
        let originals = [A, "b"].map(|name| (name, original(&directory, name)));
        for (name, original) in originals {
            let folder = folder::<unix::Folder>(&directory);
            replace(&folder, name.as_ref(), new(), original, backup).unwrap();
            assert_eq!(contents(&directory, name), "new");
        }
    }
}

/// The root is the directory that was opened, whatever has its name later.
#[test]
fn a_root_stays_the_directory_that_was_opened() {
    let [directory, elsewhere] = [(); 2].map(|()| directory());
    let path = directory.path().join("root");
    let moved = directory.path().join("moved");
    fs::create_dir(&path).unwrap();
    let root = unix::Folder::root(&path).unwrap();
    let mut folders = Folders::<unix::Folder>::new(Some(&root), Fsync::Never);
    fs::rename(&path, &moved).unwrap();
    symlink(elsewhere.path(), &path).unwrap();
    let original = original(&directory, A);
    for below in ["", "x/y"] {
        let folder = folders.make(below.as_ref(), &|_| 0o777).unwrap();
        create(folder, "b".as_ref(), new(), &original).unwrap();
        assert!(moved.join(below).join("b").exists());
    }
    assert_eq!(names(&elsewhere), [A]);
}
