//! Where the settings of a project are, and what may be read as such.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::{env, str};

use super::keys::{Setting, SettingError};
use super::{ConfigError, keys, or_here};

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
                    path,
                    directory,
                    is_near,
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
        SettingsFile {
            path: path.to_owned(),
            directory: path.parent().unwrap_or(Path::new("")).to_owned(),
            is_near: true,
        }
    }

    pub(super) fn read(&self) -> Result<String, UnreadableFile> {
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
        String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let text = str::from_utf8(&error.as_bytes()[..valid]).unwrap_or_default();
            UnreadableFile::NoText(keys::line(text, valid))
        })
    }

    /// That each path leads to a place below the file's directory. No name can do otherwise, but a symbolic link can:
    /// it may have come with the project, and the run may write, or show what it has read.
    pub(super) fn holds(&self, counting: &[Setting]) -> Result<(), ConfigError> {
        let real = |path: &Path| path.canonicalize();
        let Ok(directory) = real(or_here(&self.directory)) else {
            return Ok(());
        };
        // What is not there cannot lead anywhere, and the run says so.
        let leads_out = |text: &&String| {
            real(&self.directory.join(text)).is_ok_and(|path| !path.starts_with(&directory))
        };
        let mut outside = counting
            .iter()
            .filter_map(|key| Some((key, key.paths().iter().find(leads_out)?)));
        match outside.next() {
            Some((key, text)) => Err(ConfigError::Line {
                path: self.path.clone(),
                line: key.line,
                wrong: SettingError::Outside(text.clone()),
            }),
            None => Ok(()),
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
