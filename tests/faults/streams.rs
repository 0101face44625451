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
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0), "{status}");
    assert_eq!(files(site.path()), site.new);
}

/// The window is closed while a bar is drawn and lines are printed.
#[test]
#[ignore = "slow tier: faults"]
fn the_terminal_goes_away() {
    let site = Site::new(60);
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
