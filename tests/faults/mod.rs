//! Faults injected for real: whatever happens, each file is the old one or the new one, whole, and
//! the next run leaves nothing else behind.

mod calls;
mod confinement;
mod disk;
mod kill;
#[cfg(target_os = "linux")]
mod letter_case;
mod limits;
#[cfg(target_os = "linux")]
mod power;
mod replace;
#[cfg(target_os = "linux")]
mod reports;
#[cfg(unix)]
mod restore;
mod streams;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::support::links::abslink;
use crate::support::sandbox::Ran;
use crate::support::skip;

const BASE: &str = "https://docs.example.org/";
const IN_PLACE: &str = "rewrite -b https://docs.example.org/ -i";

/// Files by their path below a directory.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A site in a directory of its own, and what it becomes.
struct Site {
    directory: TempDir,
    old: Files,
    new: Files,
}

impl Site {
    /// Copies of testdata/site.
    fn new(copies: usize) -> Site {
        let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/site");
        let files = files(&testdata.join("in"));
        let copies = (0..copies).map(|copy| PathBuf::from(format!("{copy}")));
        Site::of(
            copies
                .flat_map(|copy| {
                    files
                        .iter()
                        .map(move |(path, bytes)| (copy.join(path), bytes.clone()))
                })
                .collect(),
        )
    }

    fn of(old: Files) -> Site {
        let directory = tempfile::tempdir().unwrap();
        write(directory.path(), &old);
        let site = Site {
            directory,
            new: Files::new(),
            old,
        };
        // The URLs name the copies, which the expected twin of testdata/site does not.
        let output = tempfile::tempdir().unwrap();
        site.run_into(output.path(), "--copy-others").exits(0);
        Site {
            new: files(output.path()),
            ..site
        }
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn restore(&self) {
        write(self.path(), &self.old);
    }

    /// `abslink` with arguments that have no spaces in them, and then this directory.
    fn command(&self, arguments: &str) -> Command {
        let mut command = abslink();
        command.args(arguments.split(' ')).arg(self.path());
        command
    }

    fn run(&self, arguments: &str) -> Ran {
        Ran::of(&mut self.command(arguments))
    }

    /// `abslink rewrite --in-place`.
    fn in_place(&self) -> Command {
        self.command(IN_PLACE)
    }

    /// `abslink rewrite -o`.
    fn run_into(&self, output: &Path, options: &str) -> Ran {
        let mut command = abslink();
        command.args(["rewrite", "-b", BASE, "-o"]).arg(output);
        let options = options.split_whitespace();
        Ran::of(command.args(options).arg(self.path()))
    }

    /// Checks that each file is old or new, and returns how many are new, and what else is there.
    #[track_caller]
    fn look(&self) -> (usize, Vec<PathBuf>) {
        let mut now = files(self.path());
        let mut replaced = 0;
        for (path, old) in &self.old {
            let bytes = now.remove(path).expect("no file is lost");
            let is_new = bytes == self.new[path];
            assert!(is_new || bytes == *old, "{} is torn", path.display());
            replaced += usize::from(is_new && bytes != *old);
        }
        (replaced, now.into_keys().collect())
    }

    /// Checks that a run that nothing gets in the way of does the rest.
    #[track_caller]
    fn finish(&self) {
        self.run(IN_PLACE).exits(0);
        let now = files(self.path());
        for (path, bytes) in &now {
            assert!(
                self.new.get(path) == Some(bytes),
                "{} is leftover",
                path.display()
            );
        }
        assert_eq!(now.len(), self.new.len());
    }
}

/// Every file below a directory, which is not there where a run wrote none.
fn files(directory: &Path) -> Files {
    if !directory.exists() {
        return Files::new();
    }
    let entries = walkdir::WalkDir::new(directory)
        .into_iter()
        .map(Result::unwrap);
    entries
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let name = entry.path().strip_prefix(directory).unwrap();
            (name.to_owned(), fs::read(entry.path()).unwrap_or_default())
        })
        .collect()
}

fn write(directory: &Path, files: &Files) {
    for (path, bytes) in files {
        let path = directory.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Whether strace is there and may trace; says so if not.
fn may_trace() -> bool {
    if !skip::has_tool("strace") {
        return false;
    }
    let mut strace = Command::new("strace");
    let status = strace.args(["-o", "/dev/null", "true"]).status();
    let may_trace = status.is_ok_and(|status| status.success());
    if !may_trace {
        skip::right("strace may not trace here");
    }
    may_trace
}
