//! How much memory a command takes.

use std::fs;
use std::process::{Command, ExitStatus};
use std::time::Duration;

/// The most memory that a process was seen to have resident, in bytes; nothing once it has ended.
///
/// What `wait4` says afterwards would not do: it counts what the test program had, too, from which the
/// command was started.
pub(crate) fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let held = line?.trim().strip_suffix(" kB")?;
    Some(held.parse::<u64>().unwrap() << 10)
}

/// Runs a command; says how it ended, and how much memory it was seen to have at most, in bytes.
pub(crate) fn run(command: &mut Command) -> (ExitStatus, u64) {
    let mut child = command.spawn().unwrap();
    let mut peak = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        peak = resident(child.id()).unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(2));
    };
    assert!(peak > 1 << 20, "it was not seen");
    (ended, peak)
}
