//! The PATHs, and what was typed instead of one.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use crate::batch::{self, Input};

use super::wildcards;
use crate::cli::args::DocumentArgs;
use crate::cli::terminal::print::PathLine;

/// Why PATHs, or where they go, are not what was meant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("`-` cannot be combined with other PATHs")]
    StdinNotAlone,
    #[error("{0}: abslink does not download")]
    Url(String),
    #[error("{0}: abslink does not download")]
    Storage(String),
    #[error("{0} is a URL: give the path of the file, {1}")]
    FileUrl(String, String),
    #[error("{}: no file matches", PathLine(.0))]
    NothingMatches(PathBuf),
    #[error("{}: {error}", PathLine(path))]
    Wildcard { path: PathBuf, error: io::Error },
    #[error(
        "-o {path} would make a directory of that name: for one file leave -o out and add `> {path}`, for a \
         directory write -o {path}/",
        path = PathLine(directory)
    )]
    OutputIsPage { directory: PathBuf },
    #[error(
        "-o - would make a directory of that name: without -o the file goes to standard output"
    )]
    OutputIsStdout,
}

impl InputError {
    pub(super) fn hint(&self) -> Option<String> {
        match self {
            InputError::Url(url) => {
                Some(format!("save the page, then abslink rewrite -b {url} FILE"))
            }
            InputError::Storage(_) => Some(
                "copy the files to this computer, or read them with Spark: python/README.md"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// A path that is not there counts as a file: the run reports it and does the others.
pub(super) fn inputs(documents: &DocumentArgs) -> Result<Vec<Input>, InputError> {
    let paths = &documents.paths;
    if let Some(url) = paths.iter().find_map(|path| url(path)) {
        return Err(url);
    }
    let paths = typed(paths)?;
    let inputs = (paths.iter()).map(|path| match path {
        path if path.as_os_str() == "-" => Input::Stdin,
        path if path.is_dir() => Input::Directory(path.clone()),
        path => Input::File(path.clone()),
    });
    let inputs: Vec<Input> = inputs.collect();
    if inputs.len() > 1 && inputs.contains(&Input::Stdin) {
        return Err(InputError::StdinNotAlone);
    }
    Ok(inputs)
}

/// PATHs, on Windows with their wildcards replaced, as shells do elsewhere.
pub(super) fn typed(paths: &[PathBuf]) -> Result<Cow<'_, [PathBuf]>, InputError> {
    if !cfg!(windows) {
        return Ok(paths.into());
    }
    let mut expanded = Vec::with_capacity(paths.len());
    for path in paths {
        let found = wildcards::expanded(path).map_err(|error| InputError::Wildcard {
            path: path.to_owned(),
            error,
        })?;
        if found.is_empty() {
            return Err(InputError::NothingMatches(path.to_owned()));
        }
        expanded.extend(found);
    }
    Ok(expanded.into())
}

/// What is wrong with a path that is a URL. A mirror may have a directory `https:`.
fn url(path: &Path) -> Option<InputError> {
    let text = path.to_str()?;
    let (scheme, rest) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && (scheme.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !is_scheme || path.symlink_metadata().is_ok() {
        return None;
    }
    let url = text.to_owned();
    Some(match &*scheme.to_ascii_lowercase() {
        "file" => {
            let path = rest.strip_prefix("localhost").unwrap_or(rest);
            InputError::FileUrl(url, path.to_owned())
        }
        "http" | "https" | "ftp" => InputError::Url(url),
        _ => InputError::Storage(url),
    })
}

/// Checks that the output directory for one file is not a name that was meant for the new file.
pub(super) fn check_output(directory: &Path, inputs: &[Input]) -> Result<(), InputError> {
    let is_page = matches!(inputs, [Input::File(_)]) && batch::is_page(directory);
    if directory.as_os_str() == "-" {
        return Err(InputError::OutputIsStdout);
    }
    if is_page && directory.symlink_metadata().is_err() {
        Err(InputError::OutputIsPage {
            directory: directory.to_owned(),
        })
    } else {
        Ok(())
    }
}
