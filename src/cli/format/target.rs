//! Where a format goes: standard output, or a file that is replaced as a whole.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use tempfile::SpooledTempFile;

use super::findings::FindingFormat;
use super::findings::github::Github;
use super::findings::gitlab::Gitlab;
use super::findings::junit::Junit;
use super::findings::markdown::Markdown;
use super::findings::place::Roots;
use super::findings::sarif::Sarif;
use super::json::{ItemLines, Summary};
use super::spool::HELD;
use super::text::Text;
use super::{Mode, Printer};
use crate::batch;
use crate::cli::args::{FormatName, FormatTo};
use crate::cli::terminal::color;
use crate::cli::terminal::pipe::Pipe;
use crate::cli::terminal::print::cannot_write;

/// A format, and where it goes.
pub(crate) struct Target {
    pub(crate) name: FormatName,
    pub(crate) sink: Sink,
    /// What writes findings, if the format is for these, and where their paths begin.
    pub(crate) format: Option<(Box<dyn FindingFormat>, Roots)>,
}

/// What writes a format of lines that workers make.
pub(crate) fn printer(to: &FormatTo, command: Mode) -> Option<Box<dyn Printer>> {
    match (to.name, command) {
        (FormatName::Text, _) => Some(Box::new(Text {
            paints: to.file.is_none() && color::on_stdout(),
        })),
        (FormatName::Json, Mode::Check { forms }) => Some(Box::new(ItemLines { forms })),
        (FormatName::Json, Mode::Rewrite { lists }) => Some(Box::new(Summary::new(lists))),
        _ => None,
    }
}

/// What writes a format of findings, in path order.
pub(crate) fn of_findings(name: FormatName) -> Option<(Box<dyn FindingFormat>, Roots)> {
    let (variable, format): (_, Box<dyn FindingFormat>) = match name {
        FormatName::Github => (Some("GITHUB_WORKSPACE"), Box::<Github>::default()),
        FormatName::Sarif => (Some("GITHUB_WORKSPACE"), Box::<Sarif>::default()),
        FormatName::Gitlab => (Some("CI_PROJECT_DIR"), Box::<Gitlab>::default()),
        FormatName::Junit => (Some("CI_PROJECT_DIR"), Box::<Junit>::default()),
        FormatName::Markdown => (None, Box::<Markdown>::default()),
        FormatName::Text | FormatName::Json | FormatName::Html => return None,
    };
    Some((format, Roots::of(variable)))
}

/// Takes what a format writes.
pub(crate) enum Sink {
    /// Standard output.
    Stdout(BufWriter<Pipe<io::Stdout>>),
    /// A file, where that is, and its contents. It is written at the end of the run, so the run never
    /// reads it as input.
    File(PathBuf, PathBuf, BufWriter<SpooledTempFile>),
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
        // As with a redirection, a symbolic link stays one.
        let place = batch::leads_to(path);
        let directory = place.parent().unwrap_or(Path::new("/"));
        if !directory.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let spool = BufWriter::new(SpooledTempFile::new(HELD));
        Ok(Sink::File(path.to_owned(), place, spool))
    }

    /// Puts everything where it belongs.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Sink::Stdout(_) => Ok(()),
            Sink::File(path, place, spool) => {
                replace(place, spool.get_mut()).map_err(|error| cannot_write(path, &error))
            }
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Sink::Stdout(stdout) => stdout,
            Sink::File(_, _, spool) => spool,
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

/// Replaces a file as a whole. Anything there that is not a file, such as `/dev/stderr`, is written
/// to.
fn replace(path: &Path, contents: &mut SpooledTempFile) -> io::Result<()> {
    contents.rewind()?;
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        let mut file = File::options().write(true).open(path)?;
        return io::copy(contents, &mut file).map(drop);
    }
    batch::put(path, contents)
}
