//! Hints are followed: each that is a command is run where the command was run that led to it.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::links::shell;

/// What is in a folder before a command.
pub(crate) fn copied(folder: &Path) -> TempDir {
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
            it if it.is_file() => drop(fs::copy(entry.path(), to)),
            // A named pipe, or a socket, has nothing to copy.
            _ => {}
        }
    }
}

/// The command in a hint.
fn command_of(hint: &str) -> Option<String> {
    let command = &hint[hint.find("abslink ")?..];
    let is_whole = command.len() == hint.len() || hint.contains(": abslink ");
    // What nobody but the reader knows: a page to save, a NAME, what came through a pipe.
    let is_open = [" FILE", " NAME", " VALUE"]
        .iter()
        .any(|it| command.contains(it));
    (is_whole && !is_open && !command.ends_with(" -"))
        .then(|| command.replace(" URL", " https://e.org/d/"))
}

/// Fails if a hint of `command` does not run, or leaves what it is about.
#[track_caller]
pub(crate) fn hints(command: &str, said: &str, folder: &Path) {
    let mut about = "";
    for line in said.lines() {
        let Some(hint) = line.strip_prefix("hint: ") else {
            about = line;
            continue;
        };
        // What a template's engine fills in, only its author knows.
        let is_template = said.contains("template placeholder");
        let Some(hint) = command_of(hint).filter(|_| !is_template && !cfg!(windows)) else {
            continue;
        };
        // A hint may write into the directory above.
        let above = tempfile::tempdir().unwrap();
        let own = above.path().join("tree");
        fs::create_dir(&own).unwrap();
        copy_into(folder, &own);
        let hint = hint.replace(&*folder.to_string_lossy(), &own.to_string_lossy());
        // In the directory, and behind the pipe, of the command.
        let before = &command[..command.rfind("abslink ").unwrap_or(0)];
        let ran = shell(&format!("{before}{hint}"), &own).output().unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        let verb = |line: &str| line.split(' ').nth(1).map(str::to_owned);
        let is_same = verb(&command[before.len()..]) == verb(&hint);
        // The errors of other files stay. What a usage error was about need not be there.
        let may_stay = [
            "o such file",
            "no backups found",
            "no PATH given",
            "no --base-url given",
            "an error with --strict",
            // `check` reads what is damaged, or in a WACZ, and only counts it.
            "record unchanged",
            "rewrite cannot change a WACZ",
        ];
        let is_known = |it: &str| {
            said.lines().any(|line| line == it) || may_stay.iter().any(|part| it.contains(part))
        };
        let new: Vec<&str> = error
            .lines()
            .filter(|it| it.starts_with("error: ") && !is_known(it))
            .collect();
        assert!(new.is_empty(), "{command}\n{hint}\n{error}");
        // Another command shows what this one has found, and `base` only shows.
        if is_same && verb(&hint).as_deref() != Some("base") {
            assert!(
                !error.lines().any(|it| it == about),
                "{command}\n{hint}\n{error}"
            );
        }
    }
}
