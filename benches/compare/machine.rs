//! Where the measurement takes place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use tempfile::TempDir;

use crate::Setting;

/// How much room there should be for trees, in bytes.
const ROOM: u64 = 4 << 30;

/// How many threads or processes each program that asks for a number is given.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// A directory for trees: in memory if there is room.
pub(crate) fn scratch(chosen: Option<PathBuf>) -> TempDir {
    let memory = PathBuf::from("/dev/shm");
    let parent = chosen
        .or_else(|| (free(&memory) >= ROOM).then_some(memory))
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
    TempDir::with_prefix_in("abslink-compare-", &parent)
        .unwrap_or_else(|error| panic!("{}: {error}", parent.display()))
}

/// How many bytes can be written to a directory, as `df` sees it; 0 if it cannot tell.
pub(crate) fn free(directory: &Path) -> u64 {
    let told = said(Command::new("df").arg("-Pk").arg(directory));
    let last = told.lines().last().unwrap_or_default();
    let kibibytes = last.split_whitespace().nth(3);
    kibibytes
        .and_then(|number| number.parse::<u64>().ok())
        .map_or(0, |kibibytes| kibibytes << 10)
}

/// What a command prints; empty if it cannot be run.
pub(crate) fn said(command: &mut Command) -> String {
    command
        .output()
        .map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned())
        .unwrap_or_default()
}

/// The head of the results.
pub(crate) fn print(setting: &Setting) {
    let date = said(Command::new("date").args(["-u", "+%F"]));
    let system = said(Command::new("uname").args(["-s", "-r", "-m"]));
    let rust = said(Command::new("rustc").arg("--version"));
    let field = |file: &str, name: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':'))
            .map(|(_, value)| value.trim().to_owned())
    };
    let model = field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".into());
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|value| value.split(' ').next()?.parse::<f64>().ok())
        .map_or("unknown".into(), |kibibytes| {
            format!("{:.0} GB", kibibytes * 1024.0 / 1e9)
        });
    let place = said(
        Command::new("stat")
            .args(["-f", "-c", "%T"])
            .arg(setting.scratch.path()),
    );
    println!(
        "Measured on {date} with {} cores ({model}), {memory} of memory, {system},\n{rust}, \
         trees in {place}; medians of {}.\n",
        cores(),
        setting.runs
    );
}
