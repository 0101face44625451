//! A real browser for tests.

use std::path::Path;
use std::process::Command;

/// Chromium without a window, with a profile in that directory, which goes to no network by itself.
pub(crate) fn chromium(profile: &Path) -> Command {
    let mut chromium = Command::new("chromium");
    chromium.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ]);
    chromium.arg(format!("--user-data-dir={}", profile.display()));
    chromium
}
