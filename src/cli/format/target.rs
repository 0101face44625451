//! Where a format goes: standard output, or a file that is replaced as a whole.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tempfile::SpooledTempFile;

use super::findings::FindingFormat;
use super::findings::github::Github;
use super::findings::gitlab::Gitlab;
use super::findings::junit::Junit;
use super::findings::markdown::Markdown;
use super::findings::place::Roots;
use super::findings::printer::{FindingPrinter, State};
use super::findings::sarif::Sarif;
use super::json::{ItemLines, Summary};
use super::spool::HELD;
use super::text::Text;
use super::{Mode, Printer};
use crate::batch;
use crate::cli::args::{FormatName, FormatTo, UsageError, usage};
use crate::cli::terminal::color;
use crate::cli::terminal::pipe::Pipe;
use crate::cli::terminal::print::{PathLine, cannot_write};

/// What writes a format, but for the page.
pub(crate) fn printer(to: &FormatTo, mode: Mode) -> Option<Box<dyn Printer>> {
    let (variable, format): (_, Box<dyn FindingFormat>) = match (to.name, mode) {
        (FormatName::Text, _) => {
            let paints = to.file.is_none() && color::on_stdout();
            return Some(Box::new(Text { paints }));
        }
        (FormatName::Json, Mode::Check { forms }) => return Some(Box::new(ItemLines { forms })),
        (FormatName::Json, Mode::Rewrite { lists }) => return Some(Box::new(Summary::new(lists))),
        (FormatName::Html, _) => return None,
        (FormatName::Github, _) => (Some("GITHUB_WORKSPACE"), Box::<Github>::default()),
        (FormatName::Sarif, _) => (Some("GITHUB_WORKSPACE"), Box::<Sarif>::default()),
        (FormatName::Gitlab, _) => (Some("CI_PROJECT_DIR"), Box::<Gitlab>::default()),
        (FormatName::Junit, _) => (Some("CI_PROJECT_DIR"), Box::<Junit>::default()),
        (FormatName::Markdown, _) => (None, Box::<Markdown>::default()),
    };
    let state = Mutex::new(State {
        format,
        roots: Roots::of(variable),
        path: None,
        no_base: None,
    });
    let name = to.name;
    Some(Box::new(FindingPrinter { name, mode, state }))
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
    /// If it is clear that the file of an option cannot be written: its directory is missing, or it is a
    /// directory.
    pub(crate) fn file(option: impl Display, path: &Path) -> Result<Sink, UsageError> {
        let shown = PathLine(path);
        Sink::at(path).map_err(|error| usage!("{option}{shown}: cannot be written: {error}"))
    }

    fn at(path: &Path) -> io::Result<Sink> {
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
