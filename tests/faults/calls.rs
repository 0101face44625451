//! System calls that fail, one after the other: strace answers them with an error. What a disk that
//! breaks, a quota and a file system over a network do, and no mount can make happen.

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::support::skip;

/// A system call and an error that it may answer with.
struct Fault {
    call: &'static str,
    error: &'static str,
    /// Whether it is counted only where it is about a path of the site; programs do much of the
    /// same while they are loaded.
    below: bool,
}

const fn fault(call: &'static str, error: &'static str, below: bool) -> Fault {
    Fault { call, error, below }
}

/// What replacing a file takes, in that order.
const FAULTS: &[Fault] = &[
    fault("getdents64", "EIO", false),
    fault("openat,open", "EIO", true),
    // Everything is done without it.
    fault("openat2", "ENOSYS", false),
    fault("statx", "EIO", true),
    fault("read", "EIO", true),
    fault("faccessat2", "EROFS", false),
    fault("write", "EIO", false),
    fault("write", "EDQUOT", false),
    fault("write", "ENOSPC", false),
    fault("flistxattr", "EIO", false),
    fault("fgetxattr", "EIO", false),
    fault("fsetxattr", "EDQUOT", false),
    fault("fchmod", "EIO", false),
    fault("newfstatat", "EIO", true),
    fault("fsync", "EIO", false),
    fault("fsync", "EDQUOT", false),
    // What it would do for all files is then done for each.
    fault("syncfs", "EIO", false),
    fault("linkat", "EDQUOT", false),
    fault("linkat", "EIO", false),
    fault("rename,renameat,renameat2", "EIO", false),
    // As from file systems where names cannot be exchanged.
    fault("renameat2", "EINVAL", false),
    fault("unlinkat", "EIO", false),
    fault("mkdirat", "EDQUOT", false),
    fault("readlinkat", "EIO", true),
    fault("symlinkat", "EDQUOT", false),
    fault("copy_file_range", "EIO", false),
];

/// What only some runs do: many files at once, copies into a directory, a file in the place of another.
const OF_BATCHES: &[&str] = &["syncfs"];
const OF_COPIES: &[&str] = &["mkdirat", "readlinkat", "symlinkat", "copy_file_range"];
const OF_REPLACING: &[&str] = &[
    "faccessat2",
    "flistxattr",
    "fgetxattr",
    "fsetxattr",
    "fchmod",
    "fsync",
    "rename,renameat,renameat2",
    "renameat2",
    "unlinkat",
];

/// What the system calls them in its messages.
fn said_for(error: &str) -> &'static str {
    match error {
        "EIO" => "Input/output error",
        "EDQUOT" => "quota exceeded",
        "ENOSPC" => "No space left",
        _ => "Read-only file system",
    }
}

/// Three documents, two of them in a directory with a style sheet.
fn site() -> Site {
    let page = |number: usize| format!("<a href={number}>{}", "x".repeat(number * 1000));
    let files = [
        ("a.html", page(1)),
        ("d/b.html", page(2)),
        ("d/c.css", "p{}".into()),
        ("d/d.html", page(3)),
    ];
    let files = files.into_iter();
    Site::of(
        files
            .map(|(path, text)| (path.into(), text.into()))
            .collect(),
    )
}

/// `strace` that answers the call of this number with the error.
fn failing(fault: &Fault, nth: usize, log: &Path, site: &Site) -> Command {
    let mut command = Command::new("strace");
    let calls: Vec<String> = fault
        .call
        .split(',')
        .map(|call| format!("?{call}"))
        .collect();
    let calls = calls.join(",");
    command.args(["-f", "-qq", "-o"]).arg(log);
    command.args(["-e", &format!("trace={calls}")]);
    let inject = format!("inject={calls}:error={}:when={nth}", fault.error);
    command.args(["-e", &inject]);
    if fault.below {
        for entry in walkdir::WalkDir::new(site.path()) {
            command.arg("-P").arg(entry.unwrap().path());
        }
    }
    command.arg(env!("CARGO_BIN_EXE_abslink"));
    command
}

/// Runs `abslink` again and again, until none of the calls is left that might fail, each time after
/// `reset`. Each of the faults has to come at least once. `check` gets what the fault was, the exit code and what was said.
fn each_call<'f>(
    faults: impl IntoIterator<Item = &'f Fault>,
    site: &Site,
    arguments: &[&OsStr],
    reset: impl Fn(),
    mut check: impl FnMut(&Fault, i32, &str),
) {
    if !may_trace() {
        return;
    }
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut failed = BTreeMap::new();
    for fault in faults {
        for nth in 1..100 {
            reset();
            let mut run = failing(fault, nth, log.path(), site);
            let ran = Ran::of(run.args(arguments));
            let calls = String::from_utf8_lossy(&fs::read(log.path()).unwrap()).into_owned();
            if !calls.contains("(INJECTED)") {
                assert!(nth > 1, "no {} in {arguments:?}", fault.call);
                break;
            }
            let code = ran.code.unwrap_or_else(|| panic!("{ran:?}\n{calls}"));
            check(fault, code, &ran.stderr);
            if code == 2 {
                *failed.entry(fault.call).or_insert(0) += 1;
            }
        }
    }
    println!("runs that failed: {failed:?}");
    assert!(failed["write"] >= 6 && failed["linkat"] >= 4, "{failed:?}");
}

/// Whether a run said which files it failed on, and why. Calls are counted in each thread, so that
/// there may be several.
#[track_caller]
fn says(site: &Site, fault: &Fault, said: &str) {
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("error: "))
        .collect();
    let names_a_path = |line: &&str| line.contains(&*site.path().to_string_lossy());
    let is_clear = |line: &&str| line.contains(said_for(fault.error)) && names_a_path(line);
    assert!(
        !lines.is_empty() && lines.iter().all(is_clear),
        "{}: {said}",
        fault.call
    );
}

/// Checks what a run said of a fault; `done` is whether everything was done.
#[track_caller]
fn ended_well(site: &Site, fault: &Fault, code: i32, said: &str, done: bool) {
    match code {
        0 => assert!(done, "{} {}: {said}", fault.call, fault.error),
        // What is to be said cannot be.
        2 if fault.call == "write" && !said.contains("error: ") => {}
        2 => says(site, fault, said),
        _ => panic!("{} {}: {code}: {said}", fault.call, fault.error),
    }
}

#[test]
#[ignore = "slow tier: faults"]
fn whatever_call_fails_no_file_is_torn() {
    let site = site();
    let page = site.path().join("a.html");
    const ORIGIN: &str = "user.xdg.origin.url";
    let has_attributes = xattr::set(&page, ORIGIN, b"http://h/").is_ok();
    if !has_attributes {
        skip::tool("the file system has no extended attributes");
    }
    // In a batch, what comes before the names is the same.
    let of_batch = [
        "write",
        "syncfs",
        "linkat",
        "rename,renameat,renameat2",
        "unlinkat",
    ];
    let of_batch = |fault: &&Fault| of_batch.contains(&fault.call);
    let one_by_one = FAULTS.iter().filter(|fault| {
        let is_made = !OF_BATCHES.contains(&fault.call) && !OF_COPIES.contains(&fault.call);
        is_made && (has_attributes || !fault.call.ends_with("etxattr"))
    });
    let runs: [(_, Vec<&Fault>); 2] = [
        ("--fsync", one_by_one.collect()),
        ("--fsync=batch", FAULTS.iter().filter(of_batch).collect()),
    ];
    for (fsync, faults) in runs {
        let arguments = ["rewrite", "-b", BASE, "-j", "1", fsync, "--in-place"];
        let mut arguments = arguments.map(OsStr::new).to_vec();
        arguments.push(site.path().as_os_str());
        let reset = || site.restore();
        each_call(faults, &site, &arguments, reset, |fault, code, said| {
            let (_, others) = site.look();
            assert!(others.is_empty(), "{others:?} after {}", fault.call);
            let done = files(site.path()) == site.new;
            ended_well(&site, fault, code, said, done);
            let origin = xattr::get(&page, ORIGIN).ok().flatten();
            assert_eq!(origin.is_some(), has_attributes, "{}", fault.call);
            site.finish();
        });
    }
}

#[test]
#[ignore = "slow tier: faults"]
fn whatever_call_fails_no_file_is_written_in_part() {
    let mut site = site();
    symlink("nowhere", site.path().join("d/link")).unwrap();
    for files in [&mut site.old, &mut site.new] {
        files.insert("d/link".into(), Vec::new());
    }
    let scratch = tempfile::tempdir().unwrap();
    let output = scratch.path().join("output");
    let arguments = ["rewrite", "-b", BASE, "-j1", "--copy-others", "-o"];
    let mut arguments = arguments.map(OsStr::new).to_vec();
    arguments.extend([output.as_os_str(), site.path().as_os_str()]);
    let reset = || drop(fs::remove_dir_all(&output));
    let faults = FAULTS
        .iter()
        .filter(|fault| !OF_BATCHES.contains(&fault.call) && !OF_REPLACING.contains(&fault.call));
    each_call(faults, &site, &arguments, reset, |fault, code, said| {
        assert_eq!(files(site.path()), site.old);
        let written = files(&output);
        for (path, bytes) in &written {
            assert_eq!(site.new.get(path), Some(bytes), "{}", path.display());
        }
        ended_well(&site, fault, code, said, written == site.new);
    });
}

/// A file system over a network may say only when a file is closed that there is no room for it:
/// what is written there is waited for before it takes the place of anything. Here the system is
/// made to say that the file system is NFS.
#[test]
#[ignore = "slow tier: faults"]
fn what_a_network_does_not_take_replaces_nothing() {
    let site = site();
    let log = tempfile::NamedTempFile::new().unwrap();
    let traced = |injections: &[&str]| {
        site.restore();
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", "trace=fstatfs,fsync", "-o"]);
        strace.arg(log.path());
        for injection in injections {
            strace.args(["-e", &format!("inject={injection}")]);
        }
        strace
            .arg(abslink().get_program())
            .args(IN_PLACE.split(' '));
        let ran = Ran::of(strace.arg("--fsync=never").arg(site.path()));
        let calls = String::from_utf8_lossy(&fs::read(log.path()).unwrap()).into_owned();
        (ran, calls.matches("fsync(").count())
    };
    if !may_trace() {
        return;
    }
    let nfs = "fstatfs:poke_exit=@arg2=6969000000000000";
    for (injections, expected) in [(&[][..], 0), (&[nfs], 3)] {
        let (ran, synced) = traced(injections);
        ran.exits(0);
        assert_eq!(synced, expected);
    }
    let (ran, _) = traced(&[nfs, "fsync:error=EDQUOT"]);
    ran.exits(2).says("quota exceeded");
    assert_eq!(files(site.path()), site.old);
}

/// Not even for a moment may others look into the copy of a directory that is closed to them.
#[test]
fn a_private_directory_is_private_from_the_start() {
    if !may_trace() {
        return;
    }
    let site = site();
    let log = tempfile::NamedTempFile::new().unwrap();
    let output = tempfile::tempdir().unwrap();
    fs::set_permissions(site.path().join("d"), fs::Permissions::from_mode(0o700)).unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=/mkdir|chmod|chown", "-o"]);
    strace.arg(log.path());
    strace.args([env!("CARGO_BIN_EXE_abslink"), "rewrite", "-b", BASE, "-o"]);
    Ran::of(strace.args([output.path(), site.path()])).exits(0);
    let calls = fs::read_to_string(log.path()).unwrap();
    let made = |call: &&str| call.contains("mkdirat(");
    let calls: Vec<_> = calls
        .lines()
        .filter(|call| call.contains("\"d\""))
        .collect();
    assert!(!calls.is_empty() && calls.iter().all(made), "{calls:?}");
    // Two threads may make it at once; then the line has no end.
    let is_private = |call: &&str| call.contains("\"d\", 0700");
    assert!(calls.iter().all(is_private), "{calls:?}");
}
