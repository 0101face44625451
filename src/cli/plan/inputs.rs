//! The PATHs, and what was typed instead of one.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::batch::{self, Input};

use super::Result;
use super::wildcards;
use crate::cli::args::{DocumentArgs, Fact, LocationArgs, UsageError, usage};
use crate::cli::terminal::print::PathLine;

/// A path that is not there counts as a file: the run reports it and does the others.
pub(super) fn inputs(documents: &DocumentArgs) -> Result<Vec<Input>> {
    let paths = &documents.paths;
    if let Some(url) = paths.iter().find_map(|path| url(path)) {
        return Err(url);
    }
    let paths = expanded(paths)?;
    let inputs = (paths.iter()).map(|path| match path {
        path if path.as_os_str() == "-" => Input::Stdin,
        path if path.is_dir() => Input::Directory(path.clone()),
        path => Input::File(path.clone()),
    });
    let inputs: Vec<Input> = inputs.collect();
    if inputs.len() > 1 && inputs.contains(&Input::Stdin) {
        return Err(usage!("`-` cannot be combined with other PATHs"));
    }
    Ok(inputs)
}

/// PATHs, on Windows with their wildcards replaced, as shells do elsewhere.
pub(crate) fn expanded(paths: &[PathBuf]) -> Result<Cow<'_, [PathBuf]>> {
    if !cfg!(windows) {
        return Ok(paths.into());
    }
    let mut expanded = Vec::with_capacity(paths.len());
    for path in paths {
        let found =
            wildcards::expanded(path).map_err(|error| usage!("{}: {error}", PathLine(path)))?;
        if found.is_empty() {
            let path = PathLine(path);
            return Err(usage!("{path}: no file matches"));
        }
        expanded.extend(found);
    }
    Ok(expanded.into())
}

/// What is wrong with a path that is a URL. A mirror may have a directory `https:`.
fn url(path: &Path) -> Option<UsageError> {
    let text = path.to_str()?;
    let (scheme, rest) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && (scheme.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if !is_scheme || path.symlink_metadata().is_ok() {
        return None;
    }
    let not_here = usage!("{text}: abslink does not download");
    Some(match &*scheme.to_ascii_lowercase() {
        "file" => {
            let path = rest.strip_prefix("localhost").unwrap_or(rest);
            usage!("{text} is a URL: give the path of the file, {path}")
        }
        "http" | "https" | "ftp" => {
            let command = Fact::IsUrl.hint_with(&[text]);
            not_here.with_hints(&[&format!("save the page, then {command}")])
        }
        _ => not_here.because(Fact::OnOtherComputer, &[]),
    })
}

/// Checks that the output directory for one file is not a name that was meant for the new file.
pub(super) fn check_output(directory: &Path, inputs: &[Input]) -> Result<()> {
    let is_page = matches!(inputs, [Input::File(_)]) && batch::is_page(directory);
    if directory.as_os_str() == "-" {
        return Err(usage!(
            "-o - would make a directory of that name: without -o the file goes to standard output"
        ));
    }
    if is_page && directory.symlink_metadata().is_err() {
        let path = PathLine(directory);
        Err(usage!(
            "-o {path} would make a directory of that name: for one file leave -o out and add `> {path}`, for a \
             directory write -o {path}/"
        ))
    } else {
        Ok(())
    }
}

/// The directory that paths are counted from, if it is one.
pub(super) fn root<'p>(location: &'p LocationArgs, inputs: &'p [Input]) -> Option<&'p Path> {
    match (&location.root, inputs) {
        (Some(root), _) => Some(root),
        (None, [Input::Directory(root)]) => Some(root),
        _ => None,
    }
}
