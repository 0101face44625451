//! What keeps other programs from a mailbox while it is rewritten in place.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::cli::{Ran, Sandbox};
use crate::support::links::abslink;
use crate::support::skip;

const OLD: &str = "From a\nContent-Type: text/html\n\n<a href=x>\n";
const NEW: &str = "From a\nContent-Type: text/html\n\n<a href=http://h/x>\n";

fn mailbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("in.mbox", OLD);
    sandbox
}

fn in_place(sandbox: &Sandbox) -> Ran {
    sandbox.run("rewrite -i --root . -b http://h/ in.mbox a.html")
}

fn read(sandbox: &Sandbox) -> String {
    sandbox.read("in.mbox")
}

#[test]
fn a_lock_file_keeps_abslink_out() {
    // A process that is gone here may live on the machine that is named.
    let gone = format!("{}:another-machine\n", gone());
    for text in ["", "1\n", "something else", &gone] {
        let sandbox = mailbox();
        sandbox.write("in.mbox.lock", text);
        let ran = in_place(&sandbox);
        ran.exits(2);
        let told = "error: in.mbox: skipped: locked by another program (in.mbox.lock)\n\
                    hint: remove that file if no program is using the mailbox\n";
        ran.says(told);
        assert_eq!(read(&sandbox), OLD);
        assert!(sandbox.path().join("in.mbox.lock").exists());
        // The others are done.
        let other = sandbox.read("a.html");
        assert_eq!(other, "<a href=http://h/g>");
        // Reading needs no lock, and a trial says what would be done.
        for command in [
            "rewrite -o out -b http://h/ in.mbox",
            "rewrite -i --dry-run -b http://h/ in.mbox",
        ] {
            sandbox.run(command).exits(0);
        }
    }
}

/// The number of a process that has ended.
fn gone() -> u32 {
    let mut ended = abslink()
        .arg("--version")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    ended.wait().unwrap();
    ended.id()
}

#[test]
fn a_lock_file_of_a_process_that_is_gone_is_removed() {
    let sandbox = mailbox();
    let machine = rustix::system::uname();
    let machine = machine.nodename().to_string_lossy();
    sandbox.write("in.mbox.lock", format!("{}:{machine}\n", gone()));
    let ran = in_place(&sandbox);
    ran.exits(0);
    let told = "in.mbox: removed in.mbox.lock, left by a run that ended early";
    ran.says(told);
    assert_eq!(read(&sandbox), NEW);
    sandbox.lacks("in.mbox.lock");
}

/// As Python, mutt and Dovecot lock it.
#[test]
#[ignore = "slow tier: another program"]
fn a_lock_by_fcntl_keeps_abslink_out() {
    if !skip::has_tool("python3") {
        return;
    }
    for kind in ["LOCK_EX", "LOCK_SH"] {
        let sandbox = mailbox();
        let mut holder = Command::new("python3")
            .current_dir(sandbox.path())
            .args([
                "-c",
                &format!(
                    "import fcntl, sys; f = open('in.mbox', 'r+'); fcntl.lockf(f, fcntl.{kind}); \
                     print('locked', flush=True); sys.stdin.read()"
                ),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(holder.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        assert_eq!(line, "locked\n");
        let ran = in_place(&sandbox);
        drop(holder.stdin.take());
        holder.wait().unwrap();
        ran.exits(2)
            .says("error: in.mbox: skipped: locked by another program\n");
        assert_eq!(read(&sandbox), OLD);
        sandbox.lacks("in.mbox.lock");
        in_place(&sandbox).exits(0);
    }
}

/// A mailbox that takes a while.
fn large(sandbox: &Sandbox) -> String {
    let one = OLD.to_owned() + &"<a href=x>\n".repeat(1000) + "\n";
    let old = one.repeat(2000);
    sandbox.write("in.mbox", &old);
    old
}

#[test]
#[ignore = "slow tier: another program"]
fn others_are_kept_out_until_the_end() {
    if !skip::has_tool("python3") {
        return;
    }
    let sandbox = Sandbox::new();
    let old = large(&sandbox);
    let mut run = abslink();
    run.current_dir(sandbox.path())
        .args(["rewrite", "-qi", "-b", "http://h/", "in.mbox"]);
    // As long as the file is the old one, nobody else gets a lock; the second question is whether it was.
    let watcher = "
import fcntl, os, subprocess, sys
run = subprocess.Popen(sys.argv[1:])
old = os.stat('in.mbox').st_ino
seen = 0
while run.poll() is None:
    if os.path.exists('in.mbox.lock'):
        f = open('in.mbox', 'r+')
        try:
            fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            seen += 1
        else:
            fcntl.lockf(f, fcntl.LOCK_UN)
            if os.fstat(f.fileno()).st_ino == old and os.stat('in.mbox').st_ino == old and os.path.exists('in.mbox.lock') and seen:
                sys.exit('not locked')
        f.close()
print(seen, run.returncode)
";
    let output = Command::new("python3")
        .current_dir(sandbox.path())
        .arg("-c")
        .arg(watcher)
        .arg(run.get_program())
        .args(run.get_args())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && told.ends_with(" 0\n"),
        "{told:?}"
    );
    assert!(!told.starts_with("0 "), "it was never seen locked");
    assert_eq!(read(&sandbox), old.replace("=x>", "=http://h/x>"));
    sandbox.lacks("in.mbox.lock");
}

#[test]
#[ignore = "slow tier: faults"]
fn what_a_killed_run_leaves_is_removed_by_the_next() {
    let sandbox = Sandbox::new();
    let old = large(&sandbox);
    let lock = sandbox.path().join("in.mbox.lock");
    let mut run = abslink()
        .current_dir(sandbox.path())
        .args(["rewrite", "-i", "-b", "http://h/", "in.mbox"])
        .spawn()
        .unwrap();
    let began = Instant::now();
    while fs::read(&lock).map_or(true, |text| text.is_empty()) {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it was never locked"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(lock.exists(), "{}", lock.display());
    assert_eq!(read(&sandbox), old);
    let ran = sandbox.run("rewrite -i -b http://h/ in.mbox");
    ran.exits(0);
    let told = "in.mbox: removed in.mbox.lock, left by a run that ended early";
    ran.says(told);
    assert!(!lock.exists(), "{}", lock.display());
    assert_eq!(read(&sandbox), old.replace("=x>", "=http://h/x>"));
}

/// Only the lock goes that this run has made.
#[test]
fn a_run_that_is_stopped_takes_its_lock_along() {
    let sandbox = Sandbox::new();
    let old = large(&sandbox);
    let lock = sandbox.path().join("in.mbox.lock");
    let mut run = abslink()
        .current_dir(sandbox.path())
        .args(["rewrite", "-i", "-b", "http://h/", "in.mbox"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !lock.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let process = rustix::process::Pid::from_raw(run.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    run.wait().unwrap();
    assert!(!lock.exists(), "{}", lock.display());
    let now = read(&sandbox);
    assert!(now == old || now == old.replace("=x>", "=http://h/x>"));
    std::io::stderr().flush().unwrap();
}
