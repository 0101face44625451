//! The files that a run reads and writes besides documents: none that is written is one that the run reads, or
//! writes for another purpose.

use std::ffi::OsStr;
use std::fs::File;
#[cfg(unix)]
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use super::Result;
use super::{Input, Output, Plan};
use crate::batch;
use crate::cli::args::{CommonArgs, FormatTo, usage};
use crate::cli::html_report::HtmlReport;
use crate::cli::terminal::print::PathLine;

/// Registers the files that are written as the run's own, which are not documents, and the baseline.
pub(super) fn add(
    common: &CommonArgs,
    formats: &[FormatTo],
    [baseline, new_baseline]: [Option<&Path>; 2],
    plan: &mut Plan,
) -> Result<()> {
    let is_read = read(common, baseline, plan);
    let mut is_written: Vec<(PathBuf, String)> = Vec::new();
    let mut own = Vec::new();
    let of_format = |to: &FormatTo| {
        let option = format!("--format {}", to.name.name());
        Some((option, to.file.clone()?))
    };
    let new_baseline = new_baseline.map(|path| ("--write-baseline".to_owned(), path.to_owned()));
    for (option, path) in formats.iter().filter_map(of_format).chain(new_baseline) {
        if path.as_os_str() == "-" {
            return Err(usage!(
                "{option} - names no file: without `=FILE` a format goes to standard output"
            ));
        }
        let place = batch::leads_to(&path);
        let identity = identity(&place);
        let path = PathLine(&path);
        let is_it = |taken: &PathBuf| identity.as_ref() == Some(taken);
        if let Some((_, other)) = is_written.iter().find(|(taken, _)| is_it(taken)) {
            return Err(usage!("{option} and {other} would both write to {path}"));
        }
        let is_gits = || is_git(&place) || std::path::absolute(path.0).is_ok_and(|it| is_git(&it));
        let by = match is_read.iter().find(|(taken, _)| is_it(taken)) {
            Some((_, by)) => Some(*by),
            None if is_gits() => Some("git keeps its files there"),
            None => taken(&place, plan),
        };
        if let Some(by) = by {
            return Err(usage!("{option} {path}: {by}; choose another file"));
        }
        is_written.extend(identity.map(|identity| (identity, option)));
        own.push(place);
    }
    plan.selection.own_files = own;
    let baseline = baseline.map(batch::leads_to);
    plan.selection.own_files.extend(baseline);
    Ok(())
}

/// The files that a run reads, and the directory that it writes.
fn read(common: &CommonArgs, baseline: Option<&Path>, plan: &Plan) -> Vec<(PathBuf, &'static str)> {
    let mut uses = Vec::new();
    let mut add = |identity: Option<PathBuf>, what| {
        uses.extend(identity.map(|identity| (identity, what)));
    };
    let of = |path: &Path| identity(&batch::leads_to(path));
    for input in &plan.inputs {
        match input {
            Input::File(path) => add(of(path), "it is a PATH of this run"),
            Input::Stdin => add(stdin(), "it is standard input"),
            Input::Directory(path) if plan.selection.gitignore => {
                let root = batch::leads_to(path);
                for above in root.ancestors() {
                    for name in batch::IGNORE_FILES {
                        add(of(&above.join(name)), IGNORES);
                    }
                }
            }
            Input::Directory(_) => {}
        }
    }
    let settings = common.running.settings.as_ref();
    let settings = settings.map(|used| &*used.path);
    let map = common.location.url_map.as_deref();
    let named = [
        (map, "it is the map of --url-map"),
        (baseline, "it is the baseline"),
        (settings, "it holds the settings of this run"),
        (plan.output_directory(), "it is the directory of -o"),
    ];
    for (path, what) in named {
        add(path.and_then(of), what);
    }
    uses
}

const IGNORES: &str = "--gitignore reads it";

/// What a run that finds its files itself uses a place for.
fn taken(at: &Path, plan: &Plan) -> Option<&'static str> {
    let is_below = |input: &Input| matches!(input, Input::Directory(directory) if below(at, directory).is_some());
    if plan.inputs.iter().any(is_below) {
        let name = at.file_name().unwrap_or_default();
        if plan.selection.gitignore && batch::IGNORE_FILES.iter().any(|it| name == *it) {
            return Some(IGNORES);
        }
        if is_document(at, plan) {
            return Some("the file there is not a report by abslink");
        }
    }
    is_written(at, plan).then_some("this run writes a file or a backup there")
}

/// The run writes a document, a copy or a backup there.
fn is_written(at: &Path, plan: &Plan) -> bool {
    match plan.output() {
        Some(Output::Directory { directory, .. }) => below(at, directory).is_some_and(|below| {
            let is_one = matches!(plan.inputs[..], [Input::Directory(_)]);
            plan.inputs.iter().any(|input| match input {
                Input::File(file) => file.file_name() == Some(below.as_os_str()),
                Input::Directory(directory) if is_one => directory.join(below).is_file(),
                Input::Directory(directory) => {
                    let own = batch::leads_to(directory);
                    let inside = below.strip_prefix(own.file_name().unwrap_or_default());
                    inside.is_ok_and(|inside| directory.join(inside).is_file())
                }
                Input::Stdin => false,
            })
        }),
        Some(Output::InPlace { backup }) => {
            let original = backup.as_deref().and_then(|suffix| without(at, suffix));
            original.is_some_and(|original| {
                plan.inputs.iter().any(|input| match input {
                    Input::File(file) => batch::leads_to(file) == original,
                    Input::Directory(directory) => {
                        original.is_file() && below(&original, directory).is_some()
                    }
                    Input::Stdin => false,
                })
            })
        }
        Some(Output::Stdout) | None => false,
    }
}

/// Whether a file in a tree is a document of it, or is copied. A file that an earlier run wrote there is not.
fn is_document(at: &Path, plan: &Plan) -> bool {
    const HEAD: usize = 1 << 12;
    let name = at.file_name().unwrap_or_default().as_encoded_bytes();
    let Ok(file) = File::open(at) else {
        return false;
    };
    let head = batch::head(&file, HEAD);
    let has = |mark: &str| memchr::memmem::find(&head, mark.as_bytes()).is_some();
    // JSON, the headline of markdown, and the commands of GitHub's log.
    let begins = matches!(head.first(), None | Some(b'{' | b'[' | b'#' | b':'));
    let is_earlier = begins || has(HtmlReport::MARK) || has("<testsuites");
    let selection = &plan.selection;
    let is_taken = selection.takes_name(name)
        || matches!(
            plan.output(),
            Some(Output::Directory {
                copy_others: true,
                ..
            })
        )
        || (selection.detect_html || selection.detect_feeds)
            && head.trim_ascii_start().starts_with(b"<");
    is_taken && !is_earlier
}

/// The path to which adding the suffix gives this one.
fn without(path: &Path, suffix: &OsStr) -> Option<PathBuf> {
    // Such a name belongs to a document, which has to be there.
    let name = path.file_name()?.to_str()?.strip_suffix(suffix.to_str()?)?;
    Some(path.with_file_name(name))
}

/// Whether a path is git's: `.git`, what is in it, or in a directory that git works with under another name.
fn is_git(path: &Path) -> bool {
    path.ancestors().any(|above| {
        let is_named = above
            .file_name()
            .is_some_and(|name| name.eq_ignore_ascii_case(".git"));
        let has = |name: &str| above.join(name).exists();
        is_named || has("HEAD") && has("objects") && has("refs")
    })
}

/// The path below a directory of something that is there or will be.
fn below<'p>(place: &'p Path, directory: &Path) -> Option<&'p Path> {
    let directory = node(directory)?;
    let mut above = place.ancestors().skip(1);
    let root = above.find(|above| node(above).as_ref() == Some(&directory))?;
    place.strip_prefix(root).ok()
}

/// What a file is known by, whatever its path is: its node, or if it is not there yet, that of its directory and its
/// name. The path has no links in it.
fn identity(place: &Path) -> Option<PathBuf> {
    node(place).or_else(|| {
        let name = place.file_name()?;
        let directory = node(place.parent()?)?;
        // Most file systems of these two do not tell case apart.
        Some(if cfg!(any(windows, target_os = "macos")) {
            directory.join(name.to_ascii_lowercase())
        } else {
            directory.join(name)
        })
    })
}

/// What is standard input, if that is read from a file.
#[cfg(unix)]
fn stdin() -> Option<PathBuf> {
    use std::os::fd::AsFd as _;
    let stdin = File::from(std::io::stdin().as_fd().try_clone_to_owned().ok()?);
    let stdin = stdin.metadata().ok().filter(Metadata::is_file)?;
    Some(node_of(&stdin))
}

#[cfg(not(unix))]
fn stdin() -> Option<PathBuf> {
    None
}

/// What all paths of a file or directory have in common: `DEVICE:INODE`, or elsewhere its path without links.
#[cfg(unix)]
fn node(path: &Path) -> Option<PathBuf> {
    path.metadata().ok().as_ref().map(node_of)
}

#[cfg(not(unix))]
fn node(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

#[cfg(unix)]
fn node_of(metadata: &Metadata) -> PathBuf {
    use std::os::unix::fs::MetadataExt as _;
    format!("{}:{}", metadata.dev(), metadata.ino()).into()
}
