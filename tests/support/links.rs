//! What `abslink links` says about documents.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

mod link;

pub(crate) use link::Link;

/// The program under test, with nothing of the environment that could colour its answers; only
/// where .ci/coverage wants to have its counts.
pub(crate) fn abslink() -> Command {
    const COUNTS: &str = "LLVM_PROFILE_FILE";
    let mut command = Command::new(env!("CARGO_BIN_EXE_abslink"));
    command.env_clear();
    command.envs(std::env::var_os(COUNTS).map(|path| (COUNTS, path)));
    command
}

/// Commands for `sh` in a directory, where [`abslink`] is in the PATH and no other variable is set.
pub(crate) fn shell(commands: &str, directory: &Path) -> Command {
    let one = abslink();
    let bin = Path::new(one.get_program()).parent().unwrap();
    let counts = one
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", commands]).current_dir(directory);
    shell.env_clear().envs(counts).stdin(Stdio::null());
    shell.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    shell
}

/// Runs `links` with these options and gives the links of one file after the other.
pub(crate) fn links(options: &[&str], path: &Path) -> impl Iterator<Item = (PathBuf, Vec<Link>)> {
    let mut child = abslink()
        .arg("links")
        .args(options)
        .arg(path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(|line| {
            let line = line.unwrap();
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
        })
        .peekable();
    std::iter::from_fn(move || {
        let Some(first) = lines.next() else {
            // Reaped, so that a run over many trees leaves no zombies.
            let _ = child.wait();
            return None;
        };
        let first: Link = first;
        let file = first.file.clone();
        let mut group = vec![first];
        while let Some(link) = lines.next_if(|link: &Link| link.file == file) {
            group.push(link);
        }
        Some((file, group))
    })
}
