//! The command line from outside: streams, messages, exit codes.

mod baseline;
mod batch;
#[cfg(target_os = "linux")]
mod bounds;
#[cfg(unix)]
mod color;
pub(crate) mod config;
#[cfg(unix)]
pub(crate) mod crawl;
mod doors;
mod files;
mod forms;
mod gitignore;
mod hints;
mod kinds;
mod list_files;
mod misread;
mod moved;
mod nameless;
mod own_files;
mod passwords;
mod repeats;
mod retrieval;
mod run;
mod site;
mod site_hints;
mod stream;
mod terminal;
mod to_files;
mod trial;
mod usage;
pub(crate) mod verify;
mod wayback;
#[cfg(windows)]
mod windows;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::support::links::abslink;

/// `abslink` in an empty environment and a directory of its own, with two documents in it: `a.html`
/// and `site/index.html`.
pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        sandbox.write("a.html", "<a href=g>");
        sandbox.write("site/index.html", "<a href=sub/g>");
        sandbox
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, content: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Fails if there is such a file, and shows what else there is.
    #[track_caller]
    pub(crate) fn lacks(&self, name: impl AsRef<Path>) {
        let name = name.as_ref();
        let tree = walkdir::WalkDir::new(self.path()).into_iter().flatten();
        let tree: Vec<_> = tree.map(walkdir::DirEntry::into_path).collect();
        assert!(!self.path().join(name).exists(), "{name:?} is in {tree:?}");
    }

    /// The command with arguments that have no spaces in them.
    pub(crate) fn abslink(&self, arguments: &str) -> Command {
        let mut command = Command::from_std(abslink());
        command
            .current_dir(self.path())
            .args(arguments.split_whitespace());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        self.run_with_input(arguments, "")
    }

    pub(crate) fn run_with_input(&self, arguments: &str, input: &str) -> Ran {
        Ran::from(&self.abslink(arguments).write_stdin(input).output().unwrap())
    }
}

/// What a command did.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<&std::process::Output> for Ran {
    fn from(output: &std::process::Output) -> Ran {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }
}
