//! Output that nobody takes.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::*;

#[track_caller]
fn ends(mut child: Child) -> Option<i32> {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
#[ignore = "slow tier: faults"]
fn nobody_reads_the_messages() {
    let site = Site::new(20);
    let mut child = site
        .in_place()
        .args(["-v", "--progress", "always"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(ends(child), Some(0));
    assert_eq!(files(site.path()), site.new);
}

#[test]
#[ignore = "slow tier: faults"]
fn nobody_reads_the_list() {
    let site = Site::new(20);
    let mut child = abslink()
        .args(["links", "-b", BASE])
        .arg(site.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(ends(child), Some(0));
}

#[test]
fn streams_are_closed_from_the_start() {
    let site = Site::new(1);
    let script = "exec \"$0\" \"$@\" <&- >&- 2>&-";
    let status = Command::new("sh")
        .args([
            "-c",
            script,
            env!("CARGO_BIN_EXE_abslink"),
            "rewrite",
            "-v",
            "-b",
            BASE,
            "-i",
        ])
        .arg(site.path())
        .output()
        .unwrap()
        .status;
    assert_eq!(status.code(), Some(0), "{status}");
    assert_eq!(files(site.path()), site.new);
}

/// A terminal: what it shows is read from the first, and a command writes to the second.
fn terminal() -> (std::os::fd::OwnedFd, fs::File) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    // Other systems take no such flag here.
    #[cfg(target_os = "linux")]
    let flags = flags | OpenptFlags::CLOEXEC;
    let ours = openpt(flags).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
    let theirs = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(name)
        .unwrap();
    (ours, theirs)
}

/// Nothing binary goes to a terminal, as gzip and curl have it; to a pipe it does.
#[test]
fn binary_output_to_a_terminal() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str, to: &str| {
        fs::copy(testdata.join(name), folder.path().join(to)).unwrap();
    };
    copy("warc/crawl.warc.gz", "crawl.warc.gz");
    copy("warc/crawl.warc.gz", "download");
    copy("warc/plain.warc", "plain.warc");
    fs::write(folder.path().join("page.html"), "<a href=x>").unwrap();
    for (file, is_binary) in [
        ("crawl.warc.gz", true),
        ("download", true),
        ("plain.warc", true),
        ("page.html", false),
    ] {
        let run = |more: &[&str], out: Stdio| {
            let mut command = abslink();
            command
                .current_dir(&folder)
                .arg("rewrite")
                .args(more)
                .arg(file);
            command.stdout(out).stderr(Stdio::piped()).spawn().unwrap()
        };
        let (ours, theirs) = terminal();
        let child = run(&[], theirs.into());
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        let told =
            format!("error: {file}: not written: binary output to a terminal\nhint: -o DIR ");
        assert_eq!(said.contains(&told), is_binary, "{said}");
        assert_eq!(
            done.status.code(),
            Some(if is_binary { 2 } else { 1 }),
            "{said}"
        );
        // What is only counted or shown is text.
        let child = run(&["--dry-run"], terminal().1.into());
        assert_ne!(child.wait_with_output().unwrap().status.code(), Some(2));
        drop(ours);
        let done = run(&[], Stdio::piped()).wait_with_output().unwrap();
        assert!(!done.stdout.is_empty());
    }
}

/// The window is closed while a bar is drawn and lines are printed.
#[test]
#[ignore = "slow tier: faults"]
fn the_terminal_goes_away() {
    let site = Site::new(60);
    let (ours, theirs) = terminal();
    let child = site
        .in_place()
        .args(["-v", "--progress", "always"])
        .env("TERM", "xterm")
        .stderr(theirs)
        .spawn()
        .unwrap();
    let mut ours = BufReader::new(fs::File::from(ours));
    ours.read_line(&mut String::new()).unwrap();
    drop(ours);
    assert_eq!(ends(child), Some(0));
    assert_eq!(files(site.path()), site.new);
}
