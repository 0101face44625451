//! `check --baseline FILE`: what an earlier run has written there with `--write-baseline` passes.
//!
//! FILE has a line of JSON for each [`Entry`], sorted, so that the lines of two branches merge. The line
//! of a reference is not part of it: text that has only moved is not new.
//!
//! ```text
//! reference -> Entry (workers, any order) -> frame -> knows (path order) -> shown if it is new
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use abslink_url::password;
use serde::{Deserialize, Serialize};

use super::findings::place::PathOrigin;
use super::target::Sink;
use super::text::place;
use crate::batch::{Input, Located};
use crate::cli::args::{Fact, UsageError, usage};
use crate::cli::run::end::BaselineComparison;
use crate::cli::terminal::lock;
use crate::cli::terminal::print::{Count, OneLine, PathLine};

/// Another run recognises a reference by this. The order is that of the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Entry {
    /// From the directory of the baseline.
    file: String,
    element: String,
    attribute: String,
    reference: String,
}

#[derive(Serialize, Deserialize)]
struct EntryCount {
    #[serde(flatten)]
    entry: Entry,
    /// How many references are like that.
    count: u64,
}

/// The baseline of a run, read or to be written.
pub(crate) struct Baseline {
    path: PathBuf,
    /// Where it is.
    directory: PathOrigin,
    state: Mutex<BaselineState>,
}

#[derive(Default)]
struct BaselineState {
    /// How many of each there are: in a baseline that was read, those that were not found yet.
    entries: BTreeMap<Entry, u64>,
    /// The files of the entries, and the containers that these are in.
    files: HashMap<String, Coverage>,
    /// How many references were found that are in it.
    known: u64,
    /// Where it goes, if it is to be written.
    sink: Option<Sink>,
}

/// How much of a file the run has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Coverage {
    Nothing,
    All,
    /// It could not be processed.
    Failed,
}

impl Baseline {
    /// Reads one.
    pub(crate) fn read(path: &Path) -> Result<Baseline, UsageError> {
        let failed = |error| {
            let error = usage!("--baseline {}: {error}", PathLine(path));
            error.because(Fact::BaselineGone, &[&path.to_string_lossy()])
        };
        // A named pipe may never get a writer, and a device may have no end.
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(failed(io::Error::other("not a regular file")));
        }
        let file = BufReader::new(File::open(path).map_err(failed)?);
        let mut state = BaselineState::default();
        for (line, text) in (1..).zip(file.lines()) {
            let text = text.map_err(failed)?;
            if text.trim().is_empty() {
                continue;
            }
            // What serde_json says quotes the line, and nobody knows yet what file this is.
            let Ok(EntryCount { entry, count }) = serde_json::from_str(&text) else {
                return Err(usage!(
                    "--baseline {}:{line}: not a line of a baseline, which is a JSON object with file, element, \
                     attribute, reference and count",
                    PathLine(path)
                ));
            };
            for name in [&*entry.file, container(&entry.file)] {
                state.files.insert(name.to_owned(), Coverage::Nothing);
            }
            *state.entries.entry(entry.masked()).or_default() += count;
        }
        Ok(Baseline::new(path, state))
    }

    /// Begins one that is to be written.
    pub(crate) fn write(path: &Path) -> Result<Baseline, UsageError> {
        let sink = Sink::file("--write-baseline ", path)?;
        let state = BaselineState {
            sink: Some(sink),
            ..BaselineState::default()
        };
        Ok(Baseline::new(path, state))
    }

    fn new(path: &Path, state: BaselineState) -> Baseline {
        Baseline {
            path: path.to_owned(),
            directory: PathOrigin::of(path),
            state: Mutex::new(state),
        }
    }

    /// Appends what a reference is recognised by, for [`Baseline::knows`].
    pub(crate) fn push(&self, found: &Located<'_>, out: &mut Vec<u8>) {
        let path = self.directory.seen(found.path);
        let file = match found.row {
            // Rows move as lines do.
            Some(_) => container(&path).to_owned(),
            None => path,
        };
        let reference = found.reference;
        let entry = Entry {
            file,
            element: reference.element.to_owned(),
            attribute: reference.attribute.to_owned(),
            reference: reference.reference.to_owned(),
        };
        // Neither writing to a Vec nor serialising text fails.
        let _ = serde_json::to_writer(out, &entry);
    }

    /// The next reference that was found is in the baseline; in one that is written, each one is.
    pub(crate) fn knows(&self, entry: &[u8]) -> io::Result<bool> {
        let entry: Entry = serde_json::from_slice(entry)?;
        let mut state = lock(&self.state);
        let is_known = if state.sink.is_some() {
            *state.entries.entry(entry).or_default() += 1;
            true
        } else {
            let left = state.entries.get_mut(&entry.masked());
            let left = left.filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        state.known += u64::from(is_known);
        Ok(is_known)
    }

    /// The run has come to a file.
    pub(crate) fn see(&self, path: &Path, seen: Coverage) {
        let mut state = lock(&self.state);
        if state.files.is_empty() {
            return;
        }
        let path = self.directory.seen(path);
        for name in [&*path, container(&path)] {
            if let Some(before) = state.files.get_mut(name) {
                *before = seen.max(*before);
            }
        }
    }

    /// Compares the baseline with a run over `inputs` that came to its end.
    pub(crate) fn compared(&self, inputs: &[Input]) -> BaselineComparison {
        let state = lock(&self.state);
        let is_new = state.sink.is_some();
        let gone = state.entries.iter().filter(|(entry, left)| {
            !is_new && **left > 0 && self.is_gone(&entry.file, &state.files, inputs)
        });
        BaselineComparison {
            path: self.path.clone(),
            is_new,
            known: state.known,
            gone: gone.map(|(entry, left)| entry.text(*left)).collect(),
        }
    }

    /// Whether what was not found in a file is gone: the run has read the file, or would have if it were
    /// still there.
    fn is_gone(&self, file: &str, files: &HashMap<String, Coverage>, inputs: &[Input]) -> bool {
        let names = [file, container(file)];
        let seen = names.map(|name| files.get(name).copied().unwrap_or(Coverage::Nothing));
        match seen.into_iter().max() {
            Some(Coverage::All) => true,
            Some(Coverage::Failed) => false,
            _ => {
                let paths = names.map(|name| self.directory.join(name));
                let is_there = paths.iter().any(|path| path.symlink_metadata().is_ok());
                let is_below = |input: &Input| match input {
                    Input::File(path) | Input::Directory(path) => {
                        let input = self.directory.absolute(path);
                        paths.iter().any(|path| path.starts_with(&input))
                    }
                    Input::Stdin => false,
                };
                !is_there && inputs.iter().any(is_below)
            }
        }
    }

    /// Writes the file, if it is to be written.
    pub(crate) fn end(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        let BaselineState { entries, sink, .. } = &mut *state;
        let Some(sink) = sink else { return Ok(()) };
        for (entry, &count) in &*entries {
            let entry = entry.clone();
            serde_json::to_writer(&mut *sink, &EntryCount { entry, count })?;
            sink.write_all(b"\n")?;
        }
        sink.finish()
    }
}

impl Entry {
    /// With passwords as they are written where `--show-passwords` is not given.
    fn masked(self) -> Entry {
        let reference = password::masked(&self.reference).into_owned();
        Entry { reference, ..self }
    }

    /// An entry that is gone, for people.
    fn text(&self, left: u64) -> String {
        let place = place(&self.element, &self.attribute);
        let many = match left {
            1 => String::new(),
            many => format!(" ({})", Count(many, "time")),
        };
        let (file, reference) = (OneLine(&self.file), OneLine(&self.reference));
        format!("{file}: <{place}> {reference}{many}")
    }
}

/// The file that a document is in: `a.warc.gz` for `a.warc.gz#4711`.
fn container(path: &str) -> &str {
    let is_place = |text: &str| text.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    match path.rsplit_once('#') {
        Some((file, place)) if is_place(place) => file,
        _ => path,
    }
}
