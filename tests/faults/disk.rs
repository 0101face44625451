//! Full disks, missing rights, and files that go away.

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::sync::atomic::{AtomicUsize, Ordering};

use abslink::batch::{self, Input, Observer, Plan, Problem, Task};
use abslink::retrieval::{Layout, Tree};

use crate::support::sandbox::Sandbox;
use crate::support::skip;

use super::*;

/// A small file system; it goes away with this.
struct Disk(TempDir);

impl Disk {
    /// `None` where mounting is not allowed.
    fn new(options: &str) -> Option<Disk> {
        let disk = Disk(tempfile::tempdir().unwrap());
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(disk.0.path())
            .output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(disk);
        }
        skip::right("mounting a file system is not allowed here");
        None
    }
}

/// Runs a command; answers whether it is there and went well.
pub(super) fn goes_well(command: &str, arguments: &[&OsStr]) -> bool {
    let output = Command::new(command).args(arguments).output();
    output.is_ok_and(|output| output.status.success())
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

/// Needs root, to mount a file system that soon has no room, or no inodes.
#[test]
fn a_full_disk_stops_no_other_file() {
    for full in ["size=96k", "nr_inodes=40"] {
        let Some(disk) = Disk::new(full) else { return };
        let site = Site::new(1);
        let output = disk.0.path().join("out");
        let ran = site.run_into(&output, "--copy-others");
        ran.exits(2).says("error: ").says("No space left");
        let written = files(&output);
        assert!(
            !written.is_empty() && written.len() < site.new.len(),
            "{full}"
        );
        for (path, bytes) in written {
            assert_eq!(site.new.get(&path), Some(&bytes), "{}", path.display());
        }
    }
}

/// Needs root, as above.
#[test]
fn in_place_a_full_disk_leaves_files_as_they_are() {
    let Some(disk) = Disk::new("size=400k") else {
        return;
    };
    let site = Site::new(1);
    let place = disk.0.path().join("site");
    write(&place, &site.old);
    fs::write(disk.0.path().join("filler"), vec![0; 400 << 10]).unwrap_err();
    let ran = Ran::of(abslink().args(IN_PLACE.split(' ')).arg(&place));
    ran.exits(2).says("No space left");
    assert_eq!(files(&place), site.old);
}

/// Needs root, loop devices and btrfs-progs.
#[test]
fn a_quota_that_is_used_up_leaves_files_as_they_are() {
    let scratch = tempfile::tempdir().unwrap();
    let image = scratch.path().join("image");
    fs::File::create(&image)
        .unwrap()
        .set_len(128 << 20)
        .unwrap();
    let disk = Disk(tempfile::tempdir().unwrap());
    let place = disk.0.path().join("quota");
    let mount = disk.0.path().as_os_str();
    if !skip::has_tool("mkfs.btrfs") {
        return;
    }
    if !goes_well("mkfs.btrfs", &["-q".as_ref(), image.as_os_str()])
        || !goes_well(
            "mount",
            &["-o".as_ref(), "loop".as_ref(), image.as_os_str(), mount],
        )
        || !goes_well("btrfs", &["quota".as_ref(), "enable".as_ref(), mount])
        || !goes_well(
            "btrfs",
            &["subvolume".as_ref(), "create".as_ref(), place.as_os_str()],
        )
    {
        skip::right("a btrfs with a quota cannot be mounted here");
        return;
    }
    let site = Site::new(1);
    write(&place, &site.old);
    let rewrite = || Ran::of(abslink().args(IN_PLACE.split(' ')).arg(&place));
    let arguments = ["qgroup", "limit", "16K"].map(OsStr::new);
    assert!(goes_well(
        "btrfs",
        &[&arguments[..], &[place.as_os_str()]].concat()
    ));
    rewrite().exits(2).says("quota exceeded").says("make room");
    assert_eq!(files(&place), site.old);
    assert!(goes_well(
        "btrfs",
        &["quota".as_ref(), "disable".as_ref(), mount]
    ));
    rewrite().exits(0);
    assert_eq!(files(&place), site.new);
}

/// A program that may not do everything: another user's where the tests run as root, and then it
/// lies in the directory that is returned.
pub(super) fn unprivileged(site: &Site) -> (Command, TempDir) {
    const NOBODY: u32 = 65_534;
    let directory = tempfile::tempdir().unwrap();
    if !skip::is_root() {
        return (abslink(), directory);
    }
    let program = directory.path().join("abslink");
    // Not from here: while it is written to, it is open in every process that another test starts,
    // and cannot be run.
    let copy = [env!("CARGO_BIN_EXE_abslink").as_ref(), program.as_os_str()];
    assert!(goes_well("cp", &copy));
    for root in [site.path(), directory.path()] {
        for entry in walkdir::WalkDir::new(root) {
            chown(entry.unwrap().path(), Some(NOBODY), Some(NOBODY)).unwrap();
        }
    }
    let mut command = Command::new(program);
    command.env_clear().uid(NOBODY).gid(NOBODY);
    (command, directory)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_may_not_be_written_stays_and_the_others_are_done() {
    let site = Site::new(1);
    let (mut command, _directory) = unprivileged(&site);
    let at = |name: &str| site.path().join("0").join(name);
    set_mode(&at("index.html"), 0o444);
    set_mode(&at("guide"), 0o555);
    set_mode(&at("blog/index.html"), 0o000);
    set_mode(&at("app"), 0o000);
    let ran = Ran::of(command.args(IN_PLACE.split(' ')).arg(site.path()));
    for name in ["index.html", "guide", "blog/index.html", "app"] {
        set_mode(&at(name), 0o755);
    }
    ran.exits(2);
    for name in [
        "0/index.html: cannot write",
        "0/guide/index.html: cannot write",
        "0/blog/index.html: cannot read",
        "0/app: cannot read",
    ] {
        ran.says(name);
    }
    let (replaced, others) = site.look();
    assert!(replaced > 5 && others.is_empty(), "{replaced} {others:?}");
    let now = files(site.path());
    for name in [
        "index.html",
        "guide/install.html",
        "blog/index.html",
        "app/form.html",
    ] {
        let path = Path::new("0").join(name);
        assert_eq!(now[&path], site.old[&path], "{name}");
    }
    site.finish();
}

/// Takes files away once the walk has read the names in `0`, and before it opens what is there.
struct Vandal<'a> {
    site: &'a Site,
    asked: AtomicUsize,
    said: std::sync::Mutex<Vec<String>>,
}

impl Observer for Vandal<'_> {
    /// Asked before a file is taken, and then before each step of the walk: to the input, to its
    /// directory, to `0`, into it.
    fn stop_requested(&self) -> bool {
        if self.asked.fetch_add(1, Ordering::Relaxed) == 4 {
            fs::remove_file(self.site.path().join("0/index.html")).unwrap();
            fs::remove_dir_all(self.site.path().join("0/guide")).unwrap();
        }
        false
    }

    fn problem(&self, problem: &Problem) {
        let path = problem.path.strip_prefix(self.site.path()).unwrap();
        let line = format!("{}: {}", path.display(), problem.error);
        self.said.lock().unwrap().push(line);
    }
}

#[test]
fn what_vanishes_during_the_run_is_told() {
    let site = Site::new(1);
    let inputs = vec![Input::Directory(site.path().into())];
    let mut plan = Plan::new(
        inputs,
        Task::Rewrite(batch::Output::InPlace { backup: None }),
    );
    plan.retrieval =
        Layout::Tree(Tree::new(BASE, &["index.html".into(), "index.htm".into()]).unwrap()).into();
    plan.jobs = 1;
    plan.fsync = batch::Fsync::Always;
    let vandal = Vandal {
        site: &site,
        asked: AtomicUsize::new(0),
        said: Default::default(),
    };
    let report = batch::run(&plan, &vandal, &mut std::io::sink()).unwrap();
    assert_eq!(report.files_failed, 2);
    let said = vandal.said.into_inner().unwrap();
    assert!(said[0].starts_with("0/guide: cannot read: "), "{said:?}");
    assert!(
        said[1].starts_with("0/index.html: cannot read: "),
        "{said:?}"
    );
    for (path, bytes) in files(site.path()) {
        assert_eq!(site.new[&path], bytes, "{}", path.display());
    }
}

/// The name of a new directory, the contents of a file in it, and then that file's name.
#[test]
fn with_fsync_new_directories_reach_the_disk() {
    if !may_trace() {
        return;
    }
    let sandbox = Sandbox::of(&[("in/d/a.html", "<a href=x>")]);
    let mut strace = Command::new("strace");
    strace.args(["-f", "-e", "trace=fsync,mkdirat,linkat"]);
    strace.args([env!("CARGO_BIN_EXE_abslink"), "rewrite", "-q", "-b", BASE]);
    strace.args(["--fsync=always", "-o", "out", "in"]);
    let said = Ran::of(strace.current_dir(sandbox.path())).stderr;
    let calls = ["mkdirat(", "fsync(", "linkat("].iter();
    let calls: BTreeMap<_, _> = calls.flat_map(|call| said.match_indices(call)).collect();
    let calls: Vec<&str> = calls.into_values().collect();
    let expected = ["mkdirat(", "fsync(", "fsync(", "linkat(", "fsync("];
    assert_eq!(calls, expected, "{said}");
}

/// Contents first, then the name: in the other order a power failure finds an empty file. Needs
/// strace.
#[test]
fn with_fsync_contents_reach_the_disk_before_the_name() {
    if !may_trace() {
        return;
    }
    // One file; and several, which the default syncs at once.
    for (fsync, path, expected) in [
        (
            "--fsync=always",
            "0/index.html",
            ["fsync(", "rename", "fsync("],
        ),
        ("--fsync=batch", "0/guide", ["syncfs(", "rename", "syncfs("]),
    ] {
        let site = Site::new(1);
        let mut strace = Command::new("strace");
        strace.args(["-f", "-e", "trace=fsync,syncfs,rename,renameat,renameat2"]);
        strace.args([env!("CARGO_BIN_EXE_abslink"), "rewrite", "-q", fsync, "-i"]);
        strace.args(["-j1", "-b", BASE]).arg(site.path().join(path));
        let said = Ran::of(&mut strace).stderr;
        let calls = ["fsync(", "syncfs(", "rename"].iter();
        let calls: BTreeMap<_, _> = calls.flat_map(|call| said.match_indices(call)).collect();
        let mut calls: Vec<&str> = calls.into_values().collect();
        calls.dedup();
        assert_eq!(calls, expected, "{fsync}: {said}");
    }
}
