//! Where the settings of a project are, and what may be read as such.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use crate::cli::args::{Fact, UsageError, usage};
use crate::cli::terminal::print::PathLine;

/// The name that is looked for.
const NAME: &str = "abslink.toml";

/// How long a file may be: nobody writes more, and a device or a log is not read to its end.
const MOST: u64 = 1 << 20;

pub(super) struct SettingsFile {
    /// Its path, as a person would type it.
    pub(super) path: PathBuf,
    /// The directory at which its paths begin.
    pub(super) directory: PathBuf,
    /// The same without symbolic links, where it is there.
    pub(super) real_directory: Option<PathBuf>,
    pub(super) text: String,
    line_ends: Vec<usize>,
}

/// The nearest file from the working directory upwards, no further than the root of the repository or the
/// home directory.
pub(super) fn find() -> Option<PathBuf> {
    let current = env::current_dir().ok()?;
    let home = env::home_dir().and_then(|home| home.canonicalize().ok());
    let mut directory = PathBuf::new();
    for above in current.ancestors() {
        let path = directory.join(NAME);
        match path.symlink_metadata() {
            Ok(_) => return Some(path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // What is above cannot be looked at either.
            Err(_) => return None,
        }
        let is_root = above.join(".git").symlink_metadata().is_ok();
        if is_root || home.as_deref() == Some(above) {
            return None;
        }
        directory.push("..");
    }
    None
}

impl SettingsFile {
    /// Reads the file that was found, or the one of `--config`.
    pub(super) fn read(path: PathBuf, is_named: bool) -> Result<SettingsFile, UsageError> {
        let text = text(&path, is_named)?;
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok(SettingsFile {
            path,
            real_directory: Path::new(".").join(&directory).canonicalize().ok(),
            directory,
            line_ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect(),
            text,
        })
    }

    /// Whether a path leads to a place below the file's directory: by its name, and by symbolic links, which may have
    /// come with the project. The run may write there, or show what it has read.
    pub(super) fn holds(&self, text: &str) -> bool {
        let is_below = |it| matches!(it, Component::Normal(_) | Component::CurDir);
        let real = self.directory.join(text).canonicalize();
        Path::new(text).components().all(is_below)
            && match (&self.real_directory, real) {
                (Some(directory), Ok(real)) => real.starts_with(directory),
                // What is not there cannot lead anywhere, and the run says so.
                _ => true,
            }
    }

    /// The line of a byte, counted from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.line_ends.partition_point(|end| *end < at) + 1
    }

    /// What is wrong at a byte. What helps follows on a line with `hint: `.
    pub(super) fn error(&self, at: usize, text: &str) -> UsageError {
        let (path, line) = (PathLine(&self.path), self.line(at));
        let before = self.text[..at].rsplit('\n').next().unwrap_or_default();
        let column = before.chars().count() + 1;
        UsageError::split(&format!("{path}:{line}:{column}: {text}"))
    }
}

fn text(path: &Path, is_named: bool) -> Result<String, UsageError> {
    let error = |reason: &str| usage!("{}: {reason}", PathLine(path));
    let wrong = |reason: &str| error(reason).because(Fact::UnreadSettings, &[]);
    let unread = |error: io::Error| wrong(&format!("cannot be read: {error}"));
    let is_here = path.parent() == Some(Path::new(""));
    if !is_named && !is_here && !is_ours(path).map_err(unread)? {
        let reason = "belongs to another user, and is not in the working directory";
        return Err(error(reason).because(Fact::ForeignSettings, &[]));
    }
    // A named pipe may never get a writer.
    if !fs::metadata(path).map_err(unread)?.is_file() {
        return Err(wrong("not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unread)?;
    let read = file.take(MOST + 1).read_to_end(&mut bytes);
    if read.map_err(unread)? as u64 > MOST {
        return Err(wrong(&format!("larger than {} KiB", MOST >> 10)));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let lines = memchr::memchr_iter(b'\n', &error.as_bytes()[..valid]);
        wrong(&format!("line {} is not UTF-8", lines.count() + 1))
    })
}

/// Whether a file belongs to the user, the superuser or the owner of the working directory. Anybody may put
/// one into /tmp.
#[cfg(unix)]
fn is_ours(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;

    let owner = path.symlink_metadata()?.uid();
    let user = rustix::process::geteuid().as_raw();
    Ok([0, user, fs::metadata(".")?.uid()].contains(&owner))
}

/// Elsewhere, nothing tells that of a file.
#[cfg(not(unix))]
fn is_ours(_: &Path) -> io::Result<bool> {
    Ok(true)
}
