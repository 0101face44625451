//! Where a format goes: standard output, or a file that is replaced as a whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use super::findings::Format;
use super::findings::github::Github;
use super::findings::gitlab::Gitlab;
use super::findings::junit::Junit;
use super::findings::markdown::Markdown;
use super::findings::sarif::Sarif;
use super::json::{Lines, Summary};
use super::text::Text;
use super::{Command, Printer};
use crate::cli::args::{FormatName, FormatTo};
use crate::cli::of_file;
use crate::cli::pipe::Pipe;

/// A format, and where it goes.
pub(crate) struct Target {
    pub(crate) name: FormatName,
    pub(crate) writes: Writes,
    pub(crate) sink: Sink,
}

/// What a target gets.
pub(crate) enum Writes {
    /// Lines that workers make.
    Lines(Box<dyn Printer>),
    /// Findings, in path order.
    Findings(Box<dyn Format>),
}

impl Writes {
    /// What a format gets in a command.
    pub(crate) fn of(to: &FormatTo, command: Command) -> Writes {
        let found: Box<dyn Format> = match (to.name, command) {
            (FormatName::Text, _) => {
                let text = match to.file {
                    None => Text::for_stdout(),
                    Some(_) => Text::default(),
                };
                return Writes::Lines(Box::new(text));
            }
            (FormatName::Json, Command::Check { forms }) => {
                return Writes::Lines(Box::new(Lines { forms }));
            }
            (FormatName::Json, Command::Rewrite { only_missing }) => {
                return Writes::Lines(Box::new(Summary { only_missing }));
            }
            (FormatName::Github, _) => Box::new(Github::new()),
            (FormatName::Sarif, _) => Box::new(Sarif::new()),
            (FormatName::Gitlab, _) => Box::new(Gitlab::new()),
            (FormatName::Junit, _) => Box::new(Junit::new(command.name())),
            (FormatName::Markdown, _) => Box::new(Markdown::new(command.name())),
        };
        Writes::Findings(found)
    }
}

/// At most this many bytes of a file are held in memory until it is written.
const HELD: usize = 1 << 20;

/// Takes what a format writes.
pub(crate) enum Sink {
    /// Standard output.
    Stdout(BufWriter<Pipe<io::Stdout>>),
    /// A file and its contents. It is written at the end of the run, so the run never reads it as
    /// input.
    File(PathBuf, BufWriter<SpooledTempFile>),
}

impl Sink {
    /// `goes_on`: whether to go on when nobody reads it any more.
    pub(crate) fn stdout(goes_on: bool) -> Sink {
        let stdout = Pipe::new(io::stdout(), goes_on);
        Sink::Stdout(BufWriter::with_capacity(1 << 16, stdout))
    }

    /// # Errors
    /// If it is clear that the file cannot be written: its directory is missing, or it is a
    /// directory.
    pub(crate) fn file(path: &Path) -> io::Result<Sink> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let directory = directory(path);
        if !directory.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let spool = BufWriter::new(SpooledTempFile::new(HELD));
        Ok(Sink::File(path.to_owned(), spool))
    }

    /// Puts everything where it belongs.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Sink::Stdout(_) => Ok(()),
            Sink::File(path, spool) => {
                replace(path, spool.get_mut()).map_err(|error| of_file(path, &error))
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Sink::Stdout(stdout) => stdout,
            Sink::File(_, spool) => spool,
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

fn directory(path: &Path) -> &Path {
    match path.parent() {
        None => Path::new("."),
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
    }
}

/// Replaces a file as a whole. Anything there that is not a file, such as `/dev/stderr`, is written
/// to.
fn replace(path: &Path, contents: &mut SpooledTempFile) -> io::Result<()> {
    contents.rewind()?;
    // As with a redirection, a symbolic link stays one.
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut file = File::options().write(true).open(path)?;
        return io::copy(contents, &mut file).map(drop);
    }
    // The umask takes away what it takes from every new file.
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt as _;
        let mut builder = tempfile::Builder::new();
        builder.permissions(fs::Permissions::from_mode(0o666));
        builder
    };
    #[cfg(not(unix))]
    let builder = tempfile::Builder::new();
    let mut new = builder.tempfile_in(directory(path))?;
    io::copy(contents, &mut new)?;
    if let Some(old) = old {
        new.as_file().set_permissions(old.permissions())?;
    }
    new.persist(path)?;
    Ok(())
}
