//! The inputs of a plan, with everything about them that is decided once, and what can be wrong
//! with them as a whole.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::batch::path;
use crate::batch::plan::{Input, Output, Plan, PlanError};

/// An input, with where its files go and where their URLs start.
#[derive(Debug)]
pub(crate) struct Source<'p> {
    /// The input as it was given.
    pub(crate) input: &'p Input,
    /// The input with every symbolic link resolved, if it is there and the plan asks for it.
    pub(crate) canonical: Option<PathBuf>,
    /// Where it goes below the output directory: for a file the whole path, for a directory the one
    /// that gets its contents.
    pub(crate) below_output: PathBuf,
    /// Its path below the root, components separated by `/`; empty without a root.
    pub(crate) below_root: Vec<u8>,
    /// A document was found in it.
    pub(crate) has_document: AtomicBool,
}

impl Source<'_> {
    /// The path as it was given.
    pub(crate) fn path(&self) -> &Path {
        path_of(self.input)
    }

    /// Whether a path without symbolic links is that of something in it.
    pub(crate) fn has(&self, path: &Path) -> bool {
        (self.canonical.as_ref()).is_some_and(|root| path.starts_with(root))
    }

    /// Where the file at `relative` (to this input) goes below the output directory.
    pub(crate) fn destination<'a>(&'a self, relative: &'a Path) -> Cow<'a, Path> {
        match self.input {
            Input::Directory(_) if self.below_output.as_os_str().is_empty() => relative.into(),
            Input::Directory(_) => self.below_output.join(relative).into(),
            Input::File(_) | Input::Stdin => (&*self.below_output).into(),
        }
    }

    /// Puts the text from which the URL of the file at `relative` (to this input) is made into
    /// `evidence`.
    pub(crate) fn evidence(&self, relative: &Path, evidence: &mut Vec<u8>) {
        evidence.clear();
        evidence.extend(&self.below_root);
        push_components(evidence, relative);
    }
}

/// Appends the names of a relative path, separated by `/`, in the file system's bytes.
pub(crate) fn push_components(to: &mut Vec<u8>, relative: &Path) {
    if !to.is_empty() && !relative.as_os_str().is_empty() {
        to.push(b'/');
    }
    let names = relative.as_os_str().as_encoded_bytes().iter();
    to.extend(names.map(|byte| if is_separator(byte) { b'/' } else { *byte }));
}

fn is_separator(byte: &u8) -> bool {
    std::path::is_separator(char::from(*byte))
}

/// The path of an input as it was given; `-` for standard input.
fn path_of(input: &Input) -> &Path {
    match input {
        Input::File(path) | Input::Directory(path) => path,
        Input::Stdin => Path::new("-"),
    }
}

impl Plan {
    /// Finds what is wrong with the plan as a whole, before anything is read or written. Paths
    /// are compared with every symbolic link in them resolved.
    ///
    /// # Errors
    /// A [`PlanError`] names the paths that conflict.
    pub fn check(&self) -> Result<(), PlanError> {
        sources(self).map(drop)
    }
}

/// Decides what is decided once for each input, and checks the plan as a whole.
pub(crate) fn sources(plan: &Plan) -> Result<Vec<Source<'_>>, PlanError> {
    check_streams(plan)?;
    let root = (plan.root.as_ref()).map(|root| {
        let (canonical, root) = (root.canonicalize(), root.clone());
        canonical.map_err(|source| PlanError::Root { root, source })
    });
    let root = root.transpose()?;
    let mut sources = Vec::with_capacity(plan.inputs.len());
    for input in &plan.inputs {
        let canonical = canonical(input);
        let below_root = match (&root, &canonical) {
            (Some(root), Some(canonical)) => below_root(input, canonical, root)?,
            _ => Vec::new(),
        };
        sources.push(Source {
            input,
            canonical,
            below_output: PathBuf::new(),
            below_root,
            has_document: AtomicBool::default(),
        });
    }
    match plan.output() {
        Some(Output::Directory { directory, .. }) => {
            check_output(&sources, directory)?;
            name_destinations(&mut sources)?;
        }
        Some(Output::InPlace { .. }) => check_overlap(&sources)?,
        _ => {}
    }
    Ok(sources)
}

/// Checks what has nothing to do with where the inputs are.
fn check_streams(plan: &Plan) -> Result<(), PlanError> {
    if let Some(suffix) = plan.backup_suffix()
        && (suffix.is_empty() || suffix.as_encoded_bytes().iter().any(is_separator))
    {
        return Err(PlanError::BackupSuffix(suffix.clone()));
    }
    match plan.output() {
        Some(Output::Directory { .. } | Output::InPlace { .. })
            if plan.inputs.contains(&Input::Stdin) =>
        {
            Err(PlanError::StdinHasNoName)
        }
        Some(Output::Stdout)
            if plan.inputs.len() > 1 || matches!(plan.inputs[..], [Input::Directory(_)]) =>
        {
            Err(PlanError::StdoutTakesOne)
        }
        _ => Ok(()),
    }
}

/// A path with every symbolic link in its directory resolved; the last name need not exist.
fn under_own_name(path: &Path) -> Option<PathBuf> {
    // It may be empty.
    let directory = Path::new(".").join(path.parent()?).canonicalize().ok()?;
    Some(directory.join(path.file_name()?))
}

/// Where a file is or, once it is made, will be: the same for every spelling of its path, and where links lead,
/// also those that lead to nothing yet.
#[cfg(feature = "cli")]
pub(crate) fn leads_to(path: &Path) -> PathBuf {
    /// As many as Linux follows.
    const LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(real) = place.canonicalize() {
            return real;
        }
        // A pipe or a socket of /proc/self/fd is there, and has no name.
        if place.metadata().is_ok() {
            break;
        }
        let Some(own) = under_own_name(&place) else {
            break;
        };
        match own.read_link() {
            Ok(link) => place = own.parent().unwrap_or(Path::new("/")).join(link),
            Err(_) => return own,
        }
    }
    place
}

/// The input with every symbolic link resolved; `None` if it does not exist, which is reported when
/// it is opened. A file that is itself a link keeps its own name: its URL is made from that.
fn canonical(input: &Input) -> Option<PathBuf> {
    match input {
        Input::Directory(path) => path.canonicalize().ok(),
        Input::File(path) => match path.file_name() {
            Some(_) => under_own_name(path),
            None => path.canonicalize().ok(),
        },
        Input::Stdin => None,
    }
}

/// The path of an input below the root.
fn below_root(input: &Input, canonical: &Path, root: &Path) -> Result<Vec<u8>, PlanError> {
    let relative = canonical
        .strip_prefix(root)
        .map_err(|_| PlanError::OutsideRoot {
            input: path_of(input).to_owned(),
            root: root.to_owned(),
        })?;
    let mut below = Vec::new();
    push_components(&mut below, relative);
    Ok(below)
}

/// Checks that neither an input nor the output directory lies inside the other.
fn check_output(sources: &[Source<'_>], directory: &Path) -> Result<(), PlanError> {
    let output = canonical_or_future(directory).map_err(|source| match source.kind() {
        // A symbolic link leads nowhere.
        io::ErrorKind::NotADirectory | io::ErrorKind::NotFound => {
            PlanError::OutputNotDirectory(directory.to_owned())
        }
        _ => PlanError::Output {
            directory: directory.to_owned(),
            source,
        },
    })?;
    if output.exists() && !output.is_dir() {
        return Err(PlanError::OutputNotDirectory(directory.to_owned()));
    }
    // Of thousands of files, many are in one directory.
    let mut seen = HashSet::new();
    for source in sources {
        let Some(canonical) = &source.canonical else {
            continue;
        };
        let is_directory = !canonical.is_file();
        let parent = canonical.parent().filter(|_| !is_directory);
        let place = parent.unwrap_or(canonical);
        if !seen.insert((place, is_directory)) {
            continue;
        }
        let input = source.path().to_owned();
        let output_directory = directory.to_owned();
        let holds_output = is_directory && path::is_in(&output, place);
        return Err(match (holds_output, path::is_in(place, &output)) {
            (true, true) => PlanError::OutputIsInput(input),
            (true, false) => PlanError::OutputInsideInput {
                output: output_directory,
                input,
            },
            (false, true) => PlanError::InputInsideOutput {
                input,
                output: output_directory,
            },
            (false, false) => continue,
        });
    }
    Ok(())
}

/// Where a directory is, or will be once it is made, with every symbolic link resolved.
pub(crate) fn canonical_or_future(directory: &Path) -> io::Result<PathBuf> {
    let mut existing = std::path::absolute(directory)?;
    let mut missing = Vec::new();
    loop {
        match existing.canonicalize() {
            Ok(mut path) => {
                // A path that does not exist has no links, so `..` leads to the parent.
                for component in missing.iter().rev() {
                    match component {
                        Some(name) => path.push(name),
                        None => drop(path.pop()),
                    }
                }
                return Ok(path);
            }
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && existing.symlink_metadata().is_err() =>
            {
                missing.push(match existing.components().next_back() {
                    Some(Component::Normal(name)) => Some(OsString::from(name)),
                    Some(Component::ParentDir) => None,
                    _ => return Err(error),
                });
                existing.pop();
            }
            Err(error) => return Err(error),
        }
    }
}

/// Decides where each input goes below the output directory: the contents of the one directory
/// straight below it, everything else under its own name.
fn name_destinations(sources: &mut [Source<'_>]) -> Result<(), PlanError> {
    if let [source] = sources
        && matches!(source.input, Input::Directory(_))
    {
        return Ok(());
    }
    let mut taken: HashMap<OsString, &Path> = HashMap::with_capacity(sources.len());
    for source in sources {
        let path = path_of(source.input);
        // That of `.` and `..` is the name of the directory that they stand for.
        let of_directory = || source.canonical.as_deref()?.file_name();
        let name = path.file_name().or_else(of_directory);
        let name = name.ok_or_else(|| PlanError::NoName(path.to_owned()))?;
        // Most file systems of these two do not tell case apart.
        let key = if cfg!(any(windows, target_os = "macos")) {
            name.to_string_lossy().to_lowercase().into()
        } else {
            name.to_owned()
        };
        if let Some(first) = taken.insert(key, path) {
            return Err(PlanError::SameName {
                first: first.to_owned(),
                second: path.to_owned(),
            });
        }
        source.below_output = name.into();
    }
    Ok(())
}

/// Checks that no input contains another.
fn check_overlap(sources: &[Source<'_>]) -> Result<(), PlanError> {
    let mut sorted: Vec<_> = sources
        .iter()
        .filter_map(|source| Some((source.canonical.as_deref()?, source.path())))
        .collect();
    // Paths are compared by component, so what is below a path comes straight after it.
    sorted.sort();
    for pair in sorted.windows(2) {
        if let [(outer, outer_given), (inner, inner_given)] = pair
            && inner.starts_with(outer)
        {
            return Err(PlanError::Overlap {
                outer: outer_given.to_path_buf(),
                inner: inner_given.to_path_buf(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Source, canonical_or_future};
    use crate::batch::plan::Input;

    #[test]
    fn the_future_place_of_a_directory() {
        let temporary = tempfile::tempdir().unwrap();
        let here = temporary.path().canonicalize().unwrap();
        for (given, expected) in [
            ("x", "x"),
            ("x/y", "x/y"),
            ("x/../y", "y"),
            ("x/./y", "x/y"),
        ] {
            assert_eq!(
                canonical_or_future(&here.join(given)).unwrap(),
                here.join(expected),
                "{given}"
            );
        }
    }

    #[test]
    fn evidence_is_counted_from_the_root() {
        let input = Input::Directory(PathBuf::from("d"));
        let mut source = Source {
            input: &input,
            canonical: None,
            below_output: PathBuf::new(),
            below_root: Vec::new(),
            has_document: Default::default(),
        };
        let mut evidence = b"old".to_vec();
        source.evidence(Path::new("a/b.html"), &mut evidence);
        assert_eq!(evidence, b"a/b.html");
        source.below_root = b"x/y".to_vec();
        source.evidence(Path::new("a/b.html"), &mut evidence);
        assert_eq!(evidence, b"x/y/a/b.html");
        source.evidence(Path::new(""), &mut evidence);
        assert_eq!(evidence, b"x/y");
    }
}
