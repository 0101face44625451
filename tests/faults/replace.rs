//! Files that others work on while they are replaced, and files that cannot be replaced.

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::{Child, Stdio};

use super::disk::{goes_well, unprivileged};
use super::*;

/// A site of one page that would change.
fn page() -> (Site, PathBuf) {
    let site = Site::of([("page.html".into(), b"<a href=x>".to_vec())].into());
    let page = site.path().join("page.html");
    (site, page)
}

/// The names in a site.
fn names(site: &Site) -> Vec<String> {
    let names = files(site.path()).into_keys();
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

/// Nobody may take a file of somebody else's out of a sticky directory, not even what looks like a
/// backup. Needs root, for there to be somebody else.
#[test]
fn no_backup_stays_in_a_sticky_directory() {
    if !skip::is_root() {
        skip::right("there is no file of another user");
        return;
    }
    let (site, page) = page();
    let (mut command, _directory) = unprivileged(&site);
    chown(&page, Some(0), Some(0)).unwrap();
    chown(site.path(), Some(0), Some(0)).unwrap();
    fs::set_permissions(&page, fs::Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(site.path(), fs::Permissions::from_mode(0o1777)).unwrap();
    command
        .args(IN_PLACE.split(' '))
        .args(["--backup", ".orig"]);
    let ran = Ran::of(command.arg(site.path()));
    ran.exits(2).says("page.html: cannot write");
    assert_eq!(files(site.path()), site.old);
}

/// Needs root and a file system that knows such files.
#[test]
fn no_backup_stays_of_a_file_that_may_only_grow() {
    let (site, page) = page();
    if !skip::has_tool("chattr") {
        return;
    }
    if !goes_well("chattr", &["+a".as_ref(), page.as_os_str()]) {
        skip::right("no file may be made one that may only grow");
        return;
    }
    let ran = site.run(&format!("{IN_PLACE} --backup .orig"));
    assert!(goes_well("chattr", &["-a".as_ref(), page.as_os_str()]));
    ran.exits(2).says("page.html: cannot write");
    assert_eq!(files(site.path()), site.old);
}

/// Needs root, for there to be somebody else.
#[test]
fn who_gets_a_file_of_somebody_else_is_told() {
    if !skip::is_root() {
        skip::right("there is no file of another user");
        return;
    }
    // What a group may do that cannot be kept is not for another group.
    for (owner, mode, expected) in [
        (Some(0), 0o666, 0o666),
        (Some(0), 0o646, 0o646),
        (None, 0o640, 0o600),
        (None, 0o664, 0o644),
    ] {
        let site = Site::new(1);
        let (mut command, _directory) = unprivileged(&site);
        let page = site.path().join("0/index.html");
        chown(&page, owner, Some(0)).unwrap();
        fs::set_permissions(&page, fs::Permissions::from_mode(mode)).unwrap();
        let ran = Ran::of(command.args(IN_PLACE.split(' ')).arg(site.path()));
        assert!(ran.code < Some(2), "{ran:?}");
        let lines = ran.stderr.lines();
        let about: Vec<&str> = lines
            .filter(|line| line.contains("now belongs to you"))
            .collect();
        assert!(
            matches!(about[..], [line] if line.contains("0/index.html: ")),
            "{ran:?}"
        );
        let after = page.metadata().unwrap();
        assert!(after.uid() != 0 && after.gid() != 0);
        assert_eq!(after.mode() & 0o777, expected, "{mode:o}");
        assert_eq!(files(site.path()), site.new);
    }
}

/// An editor saves every file once, while the run is at them: `ABSLINK_ROUNDS` times, or a few. It
/// puts new files in their places. One that writes into a file which it opened before the exchange
/// cannot be helped (batch/write/unix/exchange.rs), and happens now and then on a busy machine; what
/// it has written by the last look is tested in `batch::write::tests::moment`.
#[test]
#[ignore = "slow tier: faults"]
fn no_edit_is_lost_to_a_run_at_the_same_time() {
    let rounds = std::env::var("ABSLINK_ROUNDS").map_or(20, |rounds| rounds.parse().unwrap());
    let numbered = (0..200).map(|nth| (format!("{nth:03}.html").into(), b"<a href=x>".to_vec()));
    let site = Site::of(numbered.collect());
    let (mut refused, mut replaced) = (0, 0);
    for round in 0..rounds {
        site.restore();
        let mut run = site.in_place();
        let run = run
            .args(["-j", "1"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Until the run has come to the first of them.
        while fs::read(site.path().join("000.html")).unwrap() == b"<a href=x>" {
            std::thread::yield_now();
        }
        for path in site.old.keys() {
            let saved = site.path().join("saved");
            fs::write(&saved, format!("<a href=x>edit {round}")).unwrap();
            fs::rename(saved, site.path().join(path)).unwrap();
        }
        let ran = Ran::from(&run.wait_with_output().unwrap());
        assert!(matches!(ran.code, Some(0 | 2)), "{ran:?}");
        let said = ran.stderr;
        refused += said.matches("changed by another program").count();
        for (path, bytes) in files(site.path()) {
            let text = String::from_utf8(bytes).unwrap();
            let is_kept = text.ends_with(&format!("edit {round}"));
            assert!(is_kept, "{}: {text}; {said}", path.display());
            replaced += usize::from(text.contains("https://"));
        }
    }
    println!(
        "{rounds} rounds: {refused} files left because of an edit, {replaced} replaced after it"
    );
}

/// `strace` in front of a run, with one document at a time. Calls count where they are about a path
/// of the site; programs do much of the same while they are loaded.
fn traced(site: &Site, injections: &[&str], log: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=file,flock", "-o"]);
    command.arg(log).arg("-P").arg(site.path());
    for injection in injections {
        command.args(["-e", &format!("inject={injection}")]);
    }
    command.arg(abslink().get_program());
    command
        .args(IN_PLACE.split(' '))
        .arg("-j1")
        .arg(site.path());
    command
}

/// The next run, over a page or its directory.
fn again(path: &Path) -> Ran {
    let base = format!("{BASE}page.html");
    Ran::of(abslink().args(["rewrite", "-b", &base, "-i"]).arg(path))
}

/// Before each call that may leave something behind, one after the other; and then the next run
/// leaves nothing, whether the directory is named or the file.
#[test]
#[ignore = "slow tier: faults"]
fn killed_before_each_call() {
    if !may_trace() {
        return;
    }
    let (site, page) = page();
    let log = tempfile::NamedTempFile::new().unwrap();
    let mut leftovers = Vec::new();
    for call in ["openat", "linkat", "renameat2", "newfstatat", "unlinkat"] {
        for nth in 1..100 {
            for by_directory in [true, false] {
                site.restore();
                let kill = format!("{call}:signal=KILL:when={nth}");
                let ended = traced(&site, &[&kill], log.path()).output().unwrap();
                if ended.status.code().is_some() {
                    break;
                }
                let (replaced, others) = site.look();
                leftovers.extend(others.iter().map(|_| (call, replaced)));
                if by_directory {
                    site.finish();
                    continue;
                }
                again(&page).exits(0);
                assert_eq!(files(site.path()), site.new, "{call} {nth}");
            }
        }
    }
    leftovers.dedup();
    // What the file was exchanged for, and then what came out.
    let expected = [("renameat2", 0), ("newfstatat", 1), ("unlinkat", 1)];
    assert_eq!(leftovers, expected);
}

/// Waits until a run is about to exchange a page for a new one.
fn wait_for_stray(site: &Site, run: &mut Child) {
    while !names(site).iter().any(|name| name.ends_with(".old")) {
        assert!(run.try_wait().unwrap().is_none(), "it is still to come");
        std::thread::yield_now();
    }
}

/// Between the last look and the exchange; and when the run is killed before it can put back what
/// came out, the next ones keep it and say where.
#[test]
fn an_edit_in_the_last_moment_is_not_lost() {
    const EDIT: &str = "an edit";
    if !may_trace() {
        return;
    }
    let (site, page) = page();
    let log = tempfile::NamedTempFile::new().unwrap();
    // Long enough for an edit, whatever else the machine does.
    let delay = "renameat2:delay_enter=3000000";
    let edited = |injections: &[&str]| {
        site.restore();
        let mut run = traced(&site, injections, log.path());
        let mut run = run.stderr(Stdio::piped()).spawn().unwrap();
        wait_for_stray(&site, &mut run);
        fs::write(&page, EDIT).unwrap();
        Ran::from(&run.wait_with_output().unwrap())
    };
    let said = "page.html: changed while abslink was running; skipped";
    edited(&[delay]).exits(2).says(said);
    assert_eq!(fs::read_to_string(&page).unwrap(), EDIT);
    assert_eq!(names(&site), ["page.html"]);

    // The look at what came out is the first one at a temporary name.
    let calls = fs::read_to_string(log.path()).unwrap();
    let mut looks = calls.lines().filter(|line| line.contains("newfstatat("));
    let nth = 1 + looks.position(|line| line.contains(".abslink-")).unwrap();
    let kill = format!("newfstatat:signal=KILL:when={nth}");
    edited(&[delay, &kill]);
    assert_ne!(fs::read_to_string(&page).unwrap(), EDIT);
    for path in [site.path(), &page] {
        let ran = again(path);
        ran.exits(0);
        let lines = ran.stderr.lines();
        let notes: Vec<&str> = lines.filter(|line| line.contains(".old")).collect();
        assert_eq!(notes.len(), 1, "{ran:?}");
        ran.says("was left by a killed run");
        let leftover = names(&site).remove(0);
        assert!(notes[0].contains(&leftover), "{ran:?}");
        let kept = fs::read_to_string(site.path().join(leftover));
        assert_eq!(kept.unwrap(), EDIT);
    }
}

/// Two runs that put their documents into one directory at the same time, on a file system that has
/// no files without a name: the second one looks for leftovers between two steps of the first one.
/// They are in containers, so that they have the same process id. Needs root and bindfs.
#[test]
fn runs_without_unnamed_files_do_not_mix_their_contents() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    let [below, mounted] = ["below", "mounted"].map(at);
    for input in ["x", "y"] {
        let page = (
            format!("{input}.html").into(),
            format!("<a href=to-{input}>").into_bytes(),
        );
        write(&at(input), &[page].into());
    }
    fs::create_dir(&mounted).unwrap();
    fs::create_dir(&below).unwrap();
    if !may_trace() || !skip::has_tool("bindfs") || !skip::has_tool("unshare") {
        return;
    }
    if !goes_well("bindfs", &[below.as_os_str(), mounted.as_os_str()]) {
        skip::right("bindfs may not mount here");
        return;
    }
    let _mounted = Mounted(mounted.clone());
    let log = tempfile::NamedTempFile::new().unwrap();
    let run = |input: &str, mut command: Command| {
        command.args(["unshare", "--pid", "--fork", env!("CARGO_BIN_EXE_abslink")]);
        command.args(["rewrite", "-b", BASE, "-q", "-o"]);
        command.args([&mounted, &at(input)]);
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut slow = Command::new("strace");
    // Long enough for another run, whatever else the machine does.
    let delay = "inject=flock:delay_enter=5000000:when=1";
    slow.args(["-f", "-qq", "-e", "trace=flock", "-e", delay, "-o"]);
    slow.arg(log.path());
    let mut slow = run("x", slow);
    while files(&below).is_empty() {
        assert!(slow.try_wait().unwrap().is_none(), "it is still to come");
        std::thread::yield_now();
    }
    let quick = run("y", Command::new("env"));
    for run in [quick, slow] {
        let ran = Ran::from(&run.wait_with_output().unwrap());
        assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    }
    let expected = ["x", "y"].map(|input| {
        let page = format!("<a href={BASE}to-{input}>");
        (format!("{input}.html").into(), page.into_bytes())
    });
    assert_eq!(files(&below), expected.into());
}

/// What containers have for a file system: a file that comes from the image is copied when something
/// about it first changes, and its backup shows another number than it. Needs root.
#[test]
#[ignore = "slow tier: faults"]
fn files_of_an_image_are_replaced() {
    let scratch = tempfile::tempdir().unwrap();
    let [lower, store, mounted] = ["lower", "store", "mounted"].map(|name| {
        let directory = scratch.path().join(name);
        fs::create_dir(&directory).unwrap();
        directory
    });
    for backup in [false, true] {
        fs::write(lower.join(format!("{backup}.html")), "<a href=x>").unwrap();
    }
    // Another file system than that of the image.
    let tmpfs = ["-t", "tmpfs", "tmpfs"].map(AsRef::as_ref);
    if !goes_well("mount", &[&tmpfs[..], &[store.as_os_str()]].concat()) {
        skip::right("mounting a file system is not allowed here");
        return;
    }
    let _store = Mounted(store.clone());
    let [upper, work] = ["upper", "work"].map(|name| store.join(name));
    fs::create_dir(&upper).unwrap();
    fs::create_dir(&work).unwrap();
    let layers = format!(
        "xino=off,lowerdir={},upperdir={},workdir={}",
        lower.display(),
        upper.display(),
        work.display()
    );
    let overlay = ["-t", "overlay", "-o", &layers, "overlay"].map(AsRef::as_ref);
    if !goes_well("mount", &[&overlay[..], &[mounted.as_os_str()]].concat()) {
        skip::right("an overlay cannot be mounted here");
        return;
    }
    let _mounted = Mounted(mounted.clone());
    for backup in [false, true] {
        let options = if backup { " --backup .orig" } else { "" };
        let arguments = format!("{IN_PLACE} --include {backup}.html{options}");
        Ran::of(abslink().args(arguments.split(' ')).arg(&mounted)).exits(0);
    }
    let new = format!("<a href={BASE}x>").into_bytes();
    let expected = [
        ("false.html".into(), new.clone()),
        ("true.html".into(), new),
        ("true.html.orig".into(), b"<a href=x>".to_vec()),
    ];
    assert_eq!(files(&mounted), expected.into());
}

/// A directory that something is mounted on.
struct Mounted(PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}
