//! `abslink restore`, after runs that ended, were killed, or were followed by edits.

use std::os::unix::fs::MetadataExt as _;

use super::*;
use crate::support::kills::{self, Length};
use crate::support::skip;

const SUFFIX: &str = ".orig";

const REWRITE: &str = "rewrite -q -b https://docs.example.org/ -i --backup .orig";
const RESTORE: &str = "restore --backup .orig";

/// Whether the file system of a site has extended attributes.
fn has_attributes(site: &Site) -> bool {
    let probe = site.path().join("probe");
    fs::write(&probe, "").unwrap();
    let has = xattr::set(&probe, "user.abslink.probe", b"x").is_ok();
    fs::remove_file(&probe).unwrap();
    has
}

#[test]
fn the_tree_of_before_comes_back() {
    let site = Site::new(2);
    let before = times(site.path());
    site.run(REWRITE).exits(0);
    assert_ne!(files(site.path()), site.old);
    let trial = site.run("restore --backup .orig --dry-run");
    trial.exits(0).begins("dry run: would restore");
    assert_ne!(files(site.path()), site.old);
    site.run(RESTORE).exits(0);
    assert_eq!(files(site.path()), site.old);
    assert_eq!(times(site.path()), before);
    let attributes = |path: &Path| xattr::list(path).unwrap().count();
    assert!(
        site.old
            .keys()
            .all(|name| attributes(&site.path().join(name)) == 0)
    );
    // A second one finds nothing.
    site.run(RESTORE).exits(2).says("no backups found (*.orig)");
}

/// When each file was written, and which it is.
fn times(root: &Path) -> Vec<(PathBuf, i64, i64, u64)> {
    let entries = walkdir::WalkDir::new(root).sort_by_file_name();
    let entries = entries.into_iter().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().is_file());
    let of = |entry: walkdir::DirEntry| {
        let metadata = entry.metadata().unwrap();
        let times = (metadata.mtime(), metadata.mtime_nsec());
        (entry.into_path(), times.0, times.1, metadata.ino())
    };
    files.map(of).collect()
}

/// Killed at any moment, and then restored. Every other time `restore` is killed as well, and run again.
#[test]
#[ignore = "slow tier: faults"]
fn killed_at_any_moment_the_tree_of_before_comes_back() {
    let wanted = kills::how_many(100);
    let site = Site::new(3);
    let mut writing = Length::of(site.command(REWRITE));
    let mut back = Length::of(site.command(RESTORE));
    let (mut kills, mut during, mut restoring) = (0, 0, 0);
    let seen = |during, restoring| during * 10 >= wanted && restoring * 30 >= wanted;
    while kills < wanted || (!seen(during, restoring) && kills < wanted * kills::TRIALS) {
        writing.kill(site.command(REWRITE), kills);
        let written = site
            .old
            .iter()
            .filter(|(name, old)| fs::read(site.path().join(name)).unwrap() != **old);
        let written = written.count();
        during += u32::from(written > 0 && written < site.old.len());
        if kills % 2 == 1 {
            restoring += u32::from(back.kill(site.command(RESTORE), kills));
        }
        let ran = site.run(RESTORE);
        if ran.code != Some(0) {
            ran.says("no backups found (*.orig)");
        }
        assert_eq!(files(site.path()), site.old, "kill {kills}");
        kills += 1;
    }
    println!("{kills} kills, {during} between the first file and the last");
    assert!(seen(during, restoring), "{restoring} while restoring");
}

#[test]
fn an_edit_stays_and_a_later_run_is_recorded() {
    let site = Site::new(1);
    if !has_attributes(&site) {
        return skip::tool("the file system of temporary files has no extended attributes");
    }
    site.run(REWRITE).exits(0);
    let name = site
        .old
        .keys()
        .find(|name| name.ends_with("install.html"))
        .unwrap();
    let path = site.path().join(name);
    // What a run wrote over what a run wrote is no edit.
    fs::write(&path, fs::read(&path).unwrap()).unwrap();
    site.run(&format!("{REWRITE} --to root")).exits(0);
    let written = fs::read(&path).unwrap();
    fs::write(&path, [&written[..], b"edit"].concat()).unwrap();
    let said = "install.html: edited since the backup was made; skipped";
    site.run(RESTORE).exits(1).says(said);
    let mut expected = site.old.clone();
    let mut backup = name.clone().into_os_string();
    backup.push(SUFFIX);
    let old = expected
        .insert(name.clone(), [&written[..], b"edit"].concat())
        .unwrap();
    expected.insert(backup.into(), old);
    assert_eq!(files(site.path()), expected);
    site.run("restore --backup .orig --force").exits(0);
    assert!(files(site.path()) == site.old);
}

/// Each run leaves the files that the other one was faster with, and whichever was faster, the original is there.
#[test]
#[ignore = "slow tier: faults"]
fn two_runs_at_once_are_taken_back() {
    let site = Site::new(3);
    if !has_attributes(&site) {
        return skip::tool("the file system of temporary files has no extended attributes");
    }
    for round in 0..12 {
        let runs = ["https://one.example/", "https://two.example/"].map(|base| {
            let mut run = site.command(&format!("rewrite -q -i --backup .orig -b {base}"));
            run.stderr(std::process::Stdio::null()).spawn().unwrap()
        });
        for mut run in runs {
            run.wait().unwrap();
        }
        site.run(RESTORE).exits(0);
        assert!(files(site.path()) == site.old, "{round}");
    }
}

/// A run after an edit writes over the edit, and `restore` does not.
#[test]
fn what_a_run_wrote_over_an_edit_is_no_work_of_runs_alone() {
    let site = Site::new(1);
    if !has_attributes(&site) {
        return skip::tool("the file system of temporary files has no extended attributes");
    }
    site.run(REWRITE).exits(0);
    let name = site.old.keys().find(|name| name.ends_with("install.html"));
    let path = site.path().join(name.unwrap());
    fs::write(&path, "<p>my edit <a href=x>").unwrap();
    site.run(REWRITE).exits(0);
    let written = fs::read(&path).unwrap();
    assert!(written.starts_with(b"<p>my edit <a href=http"));
    site.run(RESTORE).exits(1);
    assert_eq!(fs::read(&path).unwrap(), written);
}

/// A mark is about the file that has it, and says nothing about the file beside it.
#[test]
fn a_mark_is_no_sign_of_a_backup() {
    let site = Site::new(1);
    if !has_attributes(&site) {
        return skip::tool("the file system of temporary files has no extended attributes");
    }
    site.run(REWRITE).exits(0);
    let mut marked = 0;
    for name in site.old.keys() {
        let path = site.path().join(name);
        let backup = site.path().join(format!("{}{SUFFIX}", name.display()));
        if backup.exists() {
            marked += usize::from(xattr::get(&path, "user.abslink.written").unwrap().is_some());
            assert_eq!(xattr::get(&backup, "user.abslink.written").unwrap(), None);
            xattr::remove(&backup, "user.abslink.sha256").unwrap();
        }
    }
    assert!(marked > 0);
    let said = "skipped 34 backups that abslink did not make";
    site.run(RESTORE).exits(1).says(said);
    // The mark of a file that a run wrote does not go with what the next one writes.
    site.run(&format!("{IN_PLACE} -q --to root")).exits(0);
    let marks = site.old.keys().filter(|name| {
        let mark = xattr::get(site.path().join(name), "user.abslink.written");
        mark.unwrap().is_some()
    });
    assert!(marks.count() < marked);
}

/// patch writes .orig too.
#[test]
fn the_backup_of_another_program_stays() {
    let site = Site::new(1);
    if !has_attributes(&site) {
        return skip::tool("the file system of temporary files has no extended attributes");
    }
    fs::write(site.path().join("x.c"), "new").unwrap();
    fs::write(site.path().join("x.c.orig"), "old").unwrap();
    site.run(REWRITE).exits(0);
    let said = "skipped 1 backup that abslink did not make";
    site.run(RESTORE).exits(1).says(said);
    assert_eq!(fs::read(site.path().join("x.c")).unwrap(), b"new");
}

/// A file is named by itself, or by its backup.
#[test]
fn one_file_comes_back() {
    for suffix in ["", SUFFIX] {
        let site = Site::new(1);
        site.run(REWRITE).exits(0);
        let name = site
            .old
            .keys()
            .find(|name| name.ends_with("install.html"))
            .unwrap();
        let mut path = site.path().join(name).into_os_string();
        path.push(suffix);
        Ran::of(abslink().args(RESTORE.split(' ')).arg(path)).exits(0);
        assert_eq!(fs::read(site.path().join(name)).unwrap(), site.old[name]);
    }
}

/// On a file system without extended attributes the time at which a file was written tells.
#[test]
fn without_attributes_the_time_tells() {
    if !may_trace() {
        return;
    }
    let site = Site::new(1);
    let traced = |arguments: &str| {
        let inject = "inject=fsetxattr,fgetxattr,flistxattr:error=EOPNOTSUPP";
        let mut strace = Command::new("strace");
        strace.args(["-f", "-o", "/dev/null", "-e", inject]);
        strace.arg(abslink().get_program());
        Ran::of(strace.args(arguments.split(' ')).arg(site.path()))
    };
    traced(REWRITE).exits(0);
    traced(RESTORE).exits(0);
    assert_eq!(files(site.path()), site.old);
    traced(REWRITE).exits(0);
    let name = (site.old.keys().find(|name| name.ends_with("install.html"))).unwrap();
    fs::write(site.path().join(name), "edit").unwrap();
    let said = "install.html: edited since the backup was made; skipped";
    traced(RESTORE).exits(1).says(said);
    assert_eq!(fs::read(site.path().join(name)).unwrap(), b"edit");
}
