//! Signals to a run, and when they have reached it.

use std::process::{Child, Command};

pub(crate) fn send(child: &Child, signal: &str) {
    let kill = format!("kill -{signal} {}", child.id());
    let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert_eq!(status.code(), Some(0));
}

/// Sends SIGINT or SIGTERM and waits until its handler has begun; until that has ended, a second one waits.
pub(crate) fn deliver(child: &Child, signal: &str) {
    send(child, signal);
    #[cfg(target_os = "linux")]
    {
        let number = if signal == "INT" { 2 } else { 15 };
        let pending = || {
            let status = format!("/proc/{}/status", child.id());
            let status = std::fs::read_to_string(status).unwrap();
            let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
            u64::from_str_radix(pending.unwrap().trim(), 16).unwrap() & (1 << (number - 1)) != 0
        };
        while pending() {
            std::thread::yield_now();
        }
    }
    // Nothing else tells there.
    #[cfg(not(target_os = "linux"))]
    std::thread::sleep(std::time::Duration::from_millis(200));
}
