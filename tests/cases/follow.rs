//! Hints are followed: each that is a command is run where the command was run that led to it.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::links::shell;

/// What is in a folder before a command.
pub(super) fn copied(folder: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    copy_into(folder, copy.path());
    copy
}

fn copy_into(folder: &Path, copy: &Path) {
    for entry in walkdir::WalkDir::new(folder).min_depth(1) {
        let entry = entry.unwrap();
        let to = copy.join(entry.path().strip_prefix(folder).unwrap());
        match entry.file_type() {
            #[cfg(unix)]
            it if it.is_symlink() => {
                std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), to).unwrap();
            }
            it if it.is_dir() => fs::create_dir_all(to).unwrap(),
            _ => drop(fs::copy(entry.path(), to)),
        }
    }
}

/// Fails if a hint of `command` does not run, or leaves what it is about.
pub(super) fn hints(command: &str, said: &str, folder: &Path) {
    let lines: Vec<&str> = said.lines().collect();
    let mut about = "";
    for line in lines {
        let Some(hint) = line.strip_prefix("hint: ") else {
            about = line;
            continue;
        };
        // A NAME, what came through a pipe, and what a template's engine fills in, only the reader knows.
        let is_open =
            hint.ends_with(" -") || hint.contains(" NAME") || said.contains("template placeholder");
        if !hint.starts_with("abslink ") || is_open || cfg!(windows) {
            continue;
        }
        let hint = hint.replace(" URL", " https://e.org/d/");
        // A hint may write into the directory above.
        let above = tempfile::tempdir().unwrap();
        let own = above.path().join("tree");
        fs::create_dir(&own).unwrap();
        copy_into(folder, &own);
        // In the directory, and behind the pipe, of the command.
        let before = &command[..command.rfind("abslink ").unwrap_or(0)];
        let ran = shell(&format!("{before}{hint}"), &own).output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        let verb = |line: &str| line.split(' ').nth(1).map(str::to_owned);
        let is_same = verb(&command[before.len()..]) == verb(&hint);
        // The errors of other files stay.
        let has_errors = said.contains("error: ");
        assert!(
            has_errors || ran.status.code() < Some(2),
            "{command}\n{hint}\n{error}"
        );
        // Another command shows what this one has found, and `base` only shows.
        if is_same && verb(&hint).as_deref() != Some("base") {
            assert!(
                !error.lines().any(|it| it == about),
                "{command}\n{hint}\n{error}"
            );
        }
    }
}
