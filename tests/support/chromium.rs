//! A real browser for tests.

use std::path::Path;
use std::process::Command;

use super::skip;

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

/// A script of this repository that drives Chromium, with that home; `None`, and a line, where it cannot run.
pub(crate) fn puppeteer(script: &str, home: &Path) -> Option<Command> {
    let program = std::env::current_exe().unwrap();
    let mut above = program
        .ancestors()
        .map(|above| above.join("axe/node_modules"));
    let Some(modules) = above.find(|modules| modules.is_dir()) else {
        skip::data("there is no puppeteer-core and no axe-core; .ci/run brings them");
        return None;
    };
    if !skip::has_tool("chromium") || !skip::has_tool("node") {
        return None;
    }
    let mut node = Command::new("node");
    node.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
        .env("NODE_PATH", modules)
        .env("HOME", home);
    Some(node)
}
