//! The files that a run writes besides documents: each has a place of its own, and none is a file that
//! the run reads, or writes for another purpose.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::super::args::{FormatTo, Page};
use super::super::format::Report;
use super::super::print::PathLine;
use super::{Input, Output, Plan};
use crate::batch;

/// Why a file cannot be written where it should be.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    #[error("{option} {} is taken: {by}; give it another place", PathLine(path))]
    Taken {
        option: String,
        path: PathBuf,
        by: &'static str,
    },
    #[error(
        "{option} and {other} would both go to {}: give each a file of its own",
        PathLine(path)
    )]
    Meet {
        option: String,
        other: String,
        path: PathBuf,
    },
    #[error("{option} - names no file: without `=FILE` a format goes to standard output")]
    Stream { option: String },
}

/// The files that a run reads and writes besides documents.
pub(super) struct Files<'a> {
    pub(super) page: &'a Page,
    pub(super) formats: &'a [FormatTo],
    /// `--url-map`.
    pub(super) map: Option<&'a Path>,
    /// `--baseline`.
    pub(super) baseline: Option<&'a Path>,
    /// `--write-baseline`.
    pub(super) new_baseline: Option<&'a Path>,
}

/// Registers the files that are written as the run's own, which are not documents, and the baseline.
pub(super) fn add(files: &Files<'_>, plan: &mut Plan) -> Result<(), PlaceError> {
    let of_format =
        |to: &FormatTo| Some((format!("--format {}", to.name.name()), to.file.clone()?));
    let named = |option: &str, path: &Path| (option.to_owned(), path.to_owned());
    let of_page = files.page.report.iter();
    let of_page = of_page.map(|path| named("--report", path));
    let of_baseline = files.new_baseline.into_iter();
    let of_baseline = of_baseline.map(|path| named("--write-baseline", path));
    let written = files.formats.iter().filter_map(of_format).chain(of_page);
    let mut earlier: Vec<(String, PathBuf)> = Vec::new();
    for (option, path) in written.chain(of_baseline) {
        if path.as_os_str() == "-" {
            return Err(PlaceError::Stream { option });
        }
        let place = place(&path);
        if let Some((other, _)) = earlier.iter().find(|(_, taken)| *taken == place) {
            let other = other.clone();
            return Err(PlaceError::Meet {
                option,
                other,
                path,
            });
        }
        if let Some(by) = taken(&place, files, plan) {
            return Err(PlaceError::Taken { option, path, by });
        }
        earlier.push((option, place));
    }
    let own = earlier.into_iter().map(|(_, place)| place);
    plan.selection.own_files = own.chain(files.baseline.map(place)).collect();
    Ok(())
}

/// What the run uses a place for.
fn taken(at: &Path, files: &Files<'_>, plan: &Plan) -> Option<&'static str> {
    let is_input = |input: &Input| matches!(input, Input::File(file) if place(file) == at);
    if plan.inputs.iter().any(is_input) {
        return Some("it is a PATH of the run");
    }
    if files.map.is_some_and(|map| place(map) == at) {
        return Some("it is the map of --url-map");
    }
    if files.baseline.is_some_and(|baseline| place(baseline) == at) {
        return Some("it is the baseline");
    }
    let is_below = |input: &Input| matches!(input, Input::Directory(directory) if at.starts_with(place(directory)));
    if plan.inputs.iter().any(is_below) && is_document(at, plan) {
        return Some("a document is there, not a report of an earlier run");
    }
    let is_written = match plan.output()? {
        Output::Directory { directory, .. } => {
            at.strip_prefix(place(directory)).is_ok_and(|below| {
                plan.inputs.iter().any(|input| match input {
                    Input::File(file) => file.file_name() == Some(below.as_os_str()),
                    Input::Directory(directory) => directory.join(below).is_file(),
                    Input::Stdin => false,
                })
            })
        }
        Output::InPlace { backup } => {
            let original = backup.as_deref().and_then(|suffix| without(at, suffix));
            original.is_some_and(|original| {
                plan.inputs.iter().any(|input| match input {
                    Input::File(file) => place(file) == original,
                    Input::Directory(directory) => {
                        original.is_file() && original.starts_with(place(directory))
                    }
                    Input::Stdin => false,
                })
            })
        }
        Output::Stdout => false,
    };
    is_written.then_some("the run writes a document or a backup there")
}

/// Whether a file in a tree is a document of it. A file that an earlier run wrote there is not.
fn is_document(at: &Path, plan: &Plan) -> bool {
    const HEAD: u64 = 1 << 12;
    let name = at.file_name().unwrap_or_default().as_encoded_bytes();
    let mut head = Vec::new();
    let read = File::open(at).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let has = |mark: &str| memchr::memmem::find(&head, mark.as_bytes()).is_some();
    // JSON, and the headline of markdown.
    let begins = matches!(head.first(), None | Some(b'{' | b'[' | b'#'));
    let is_earlier = begins || has(Report::MARK) || has("<testsuites");
    plan.selection.takes_name(name) && read.is_ok() && !is_earlier
}

/// The path to which adding the suffix gives this one.
fn without(path: &Path, suffix: &OsStr) -> Option<PathBuf> {
    // Such a name belongs to a document, which has to be there.
    let name = path.file_name()?.to_str()?.strip_suffix(suffix.to_str()?)?;
    Some(path.with_file_name(name))
}

/// The same for every spelling of a path, even if nothing is there yet.
fn place(path: &Path) -> PathBuf {
    let place = path.canonicalize().ok();
    let place = place.or_else(|| batch::under_own_name(path));
    place.unwrap_or_else(|| path.to_owned())
}
