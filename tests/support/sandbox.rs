//! The one way to run the command: a directory with files, a line of arguments, and what came of it. What fails shows
//! the command to run by hand, both streams and the files.

use std::ffi::OsStr;
use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::{fs, iter, process};

use assert_cmd::Command;
use tempfile::TempDir;

use super::follow;
use super::links::abslink;

/// `abslink` with nothing of the environment, in a directory of its own.
pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    /// With two documents in it: `a.html` and `site/index.html`.
    pub(crate) fn new() -> Sandbox {
        Sandbox::of(&[
            ("a.html", "<a href=g>"),
            ("site/index.html", "<a href=sub/g>"),
        ])
    }

    /// With these files: `("a/b.html", "contents")`.
    pub(crate) fn of(files: &[(&str, &str)]) -> Sandbox {
        let sandbox = Sandbox(tempfile::tempdir().unwrap());
        for (name, content) in files {
            sandbox.write(name, content);
        }
        sandbox
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// A copy of a file of testdata/.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata");
        self.write(to, fs::read(testdata.join(from)).unwrap());
    }

    #[track_caller]
    pub(crate) fn read(&self, name: impl AsRef<Path>) -> String {
        let path = self.path().join(name);
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", path.display(), tree(self.path())))
    }

    /// Fails if there is such a file, and shows what else there is.
    #[track_caller]
    pub(crate) fn lacks(&self, name: impl AsRef<Path>) {
        let name = name.as_ref();
        let tree = tree(self.path());
        assert!(!self.path().join(name).exists(), "{name:?} is in\n{tree}");
    }

    /// The command with arguments that have no spaces in them.
    pub(crate) fn abslink(&self, arguments: &str) -> Command {
        command(self.path(), arguments)
    }

    /// Runs the command, and what its hints say.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &str) -> Ran {
        let changes = ["-i ", "--in-place", "restore"]
            .iter()
            .any(|it| arguments.contains(it));
        let before = changes.then(|| follow::copied(self.path()));
        let ran = Ran::by(&mut self.abslink(arguments));
        if ran.stderr.contains("hint: ") {
            let folder = before.as_ref().map_or(self.path(), TempDir::path);
            follow::hints(&format!("abslink {arguments}"), &ran.stderr, folder);
        }
        ran
    }

    /// Runs a command with a fault planted in what it makes of a file, which the second reader has to find. The file
    /// stays. Without the fault it is done.
    #[cfg(debug_assertions)]
    #[track_caller]
    pub(crate) fn finds_fault(&self, file: &str, content: &str, base: &str, fault: &str) {
        self.write(file, content);
        let mut command = self.abslink(&format!("rewrite --verify -b {base} -i {file}"));
        let ran = Ran::by(command.env("ABSLINK_TEST_FAULT", fault));
        ran.exits(2).says("the second reader disagrees");
        assert_eq!(self.read(file), content, "{fault}");
        Ran::by(command.env_remove("ABSLINK_TEST_FAULT")).exits(0);
    }

    pub(crate) fn run_with_input(&self, arguments: &str, input: impl AsRef<[u8]>) -> Ran {
        Ran::by(self.abslink(arguments).write_stdin(input.as_ref()))
    }
}

/// The command in a directory, with arguments that have no spaces in them.
pub(crate) fn command(directory: &Path, arguments: &str) -> Command {
    let mut command = Command::from_std(abslink());
    let arguments = arguments.split_whitespace();
    command.current_dir(directory).args(arguments);
    command
}

/// What a command did.
pub(crate) struct Ran {
    line: String,
    directory: Option<PathBuf>,
    pub(crate) code: Option<i32>,
    /// Standard output, which need not be text.
    pub(crate) bytes: Vec<u8>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Runs a command.
    pub(crate) fn by(command: &mut Command) -> Ran {
        let output = command.output().unwrap();
        let words = iter::once(command.get_program()).chain(command.get_args());
        Ran::told(words, command.get_current_dir(), &output)
    }

    /// Runs a command that need not be `abslink` itself: what starts it, or another program.
    pub(crate) fn of(command: &mut process::Command) -> Ran {
        let output = command.output().unwrap();
        let words = iter::once(command.get_program()).chain(command.get_args());
        Ran::told(words, command.get_current_dir(), &output)
    }

    fn told<'w>(
        words: impl Iterator<Item = &'w OsStr>,
        directory: Option<&Path>,
        output: &process::Output,
    ) -> Ran {
        let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
        let mut line = shlex::try_join(words.iter().map(|word| &**word)).unwrap();
        if line.len() > 2_000 {
            line = format!("(a command of {} bytes)", line.len());
        }
        Ran {
            line,
            directory: directory.map(Path::to_owned),
            ..Ran::from(output)
        }
    }

    /// Fails unless it exits with this code.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Ran {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Fails unless standard error has this text.
    #[track_caller]
    pub(crate) fn says(&self, text: impl AsRef<str>) -> &Ran {
        let text = text.as_ref();
        assert!(self.stderr.contains(text), "no {text:?} in\n{self:?}");
        self
    }

    /// Fails unless standard error begins with this text.
    #[track_caller]
    pub(crate) fn begins(&self, text: impl AsRef<str>) -> &Ran {
        let text = text.as_ref();
        assert!(
            self.stderr.starts_with(text),
            "not {text:?} at the beginning of\n{self:?}"
        );
        self
    }

    /// Fails if standard error has this text.
    #[track_caller]
    pub(crate) fn never_says(&self, text: impl AsRef<str>) -> &Ran {
        let text = text.as_ref();
        assert!(!self.stderr.contains(text), "{text:?} in\n{self:?}");
        self
    }

    /// Fails unless this is what is on standard output.
    #[track_caller]
    pub(crate) fn prints(&self, text: impl AsRef<str>) -> &Ran {
        assert_eq!(self.stdout, text.as_ref(), "{self:?}");
        self
    }

    /// Fails unless standard output has this text.
    #[track_caller]
    pub(crate) fn shows(&self, text: impl AsRef<str>) -> &Ran {
        let text = text.as_ref();
        assert!(self.stdout.contains(text), "no {text:?} in\n{self:?}");
        self
    }
}

impl From<&process::Output> for Ran {
    fn from(output: &process::Output) -> Ran {
        Ran {
            line: String::new(),
            directory: None,
            code: output.status.code(),
            bytes: output.stdout.clone(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }
}

impl Debug for Ran {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Ran {
            line,
            directory,
            code,
            bytes: _,
            stdout,
            stderr,
        } = self;
        if let Some(directory) = directory {
            write!(f, "cd {} && ", directory.display())?;
        }
        writeln!(f, "{line}\nexit code {code:?}")?;
        writeln!(f, "standard output:\n{stdout}\nstandard error:\n{stderr}")?;
        match directory {
            Some(directory) => write!(f, "files:\n{}", tree(directory)),
            None => Ok(()),
        }
    }
}

/// The first files below a directory, a line for each, with the first line of each.
fn tree(directory: &Path) -> String {
    let files = walkdir::WalkDir::new(directory)
        .sort_by_file_name()
        .into_iter()
        .flatten();
    let files = files.filter(|entry| !entry.file_type().is_dir()).take(40);
    let line = |entry: walkdir::DirEntry| {
        let text = fs::read(entry.path()).unwrap_or_default();
        let first = String::from_utf8_lossy(&text[..text.len().min(80)]).into_owned();
        format!(
            "  {}: {}\n",
            entry.path().display(),
            first.lines().next().unwrap_or_default()
        )
    };
    files.map(line).collect()
}
