//! Where the settings of a project are, and what may be read as such.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};
use std::{env, str};

use super::keys::Lines;

/// The name that is looked for.
const NAME: &str = "abslink.toml";

/// How long a file may be: nobody writes more, and a device or a log is not read to its end.
const MOST: u64 = 1 << 20;

/// Why a file holds no settings.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnreadableFile {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("not a regular file")]
    NoFile,
    #[error("larger than {} KiB", MOST >> 10)]
    TooLong,
    #[error("line {0} is not UTF-8")]
    NoText(usize),
    #[error("belongs to another user, and is not in the working directory")]
    Foreign,
}

pub(super) struct SettingsFile {
    /// Its path, as a person would type it.
    pub(super) path: PathBuf,
    /// The directory at which its paths begin.
    pub(super) directory: PathBuf,
    /// The same without symbolic links, where it is there.
    pub(super) real_directory: Option<PathBuf>,
    /// It is in the working directory, or was named by the person.
    is_near: bool,
}

/// The nearest file from the working directory upwards, no further than the root of the repository or the
/// home directory.
pub(super) fn find() -> Option<SettingsFile> {
    let current = env::current_dir().ok()?;
    let home = env::home_dir().and_then(|home| home.canonicalize().ok());
    let mut directory = PathBuf::new();
    for above in current.ancestors() {
        let path = directory.join(NAME);
        match path.symlink_metadata() {
            Ok(_) => {
                let is_near = directory.as_os_str().is_empty();
                return Some(SettingsFile {
                    is_near,
                    ..SettingsFile::named(&path)
                });
            }
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
    /// The file of `--config`.
    pub(super) fn named(path: &Path) -> SettingsFile {
        let directory = path.parent().unwrap_or(Path::new(""));
        SettingsFile {
            path: path.to_owned(),
            real_directory: Path::new(".").join(directory).canonicalize().ok(),
            directory: directory.to_owned(),
            is_near: true,
        }
    }

    pub(super) fn read(&self) -> Result<Lines, UnreadableFile> {
        if !self.is_near && !is_ours(&self.path)? {
            return Err(UnreadableFile::Foreign);
        }
        // A named pipe may never get a writer.
        if !fs::metadata(&self.path)?.is_file() {
            return Err(UnreadableFile::NoFile);
        }
        let mut bytes = Vec::new();
        let file = File::open(&self.path)?;
        if file.take(MOST + 1).read_to_end(&mut bytes)? as u64 > MOST {
            return Err(UnreadableFile::TooLong);
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Lines::of(text)),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let lines = memchr::memchr_iter(b'\n', &error.as_bytes()[..valid]);
                Err(UnreadableFile::NoText(lines.count() + 1))
            }
        }
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
