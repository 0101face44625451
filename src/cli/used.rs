//! What a run was given by the settings of a project.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::batch::Globs;

use super::print::PathLine;

/// The settings that counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Used {
    /// Where they are.
    pub(crate) path: PathBuf,
    /// The keys.
    pub(crate) names: Vec<String>,
    /// Whether the URL of the tree is taken for that of the document on standard input.
    pub(crate) is_url_of_stdin: bool,
}

impl Used {
    /// For summaries, and beside errors.
    pub(crate) fn line(&self) -> String {
        let (path, names) = (PathLine(&self.path), self.names.join(", "));
        let url = match self.is_url_of_stdin {
            true => " (`-` is taken to be at base-url; -b says where it is)",
            false => "",
        };
        format!("settings from {path}: {names}{url}")
    }
}

/// The command as it is for a part of the tree: only what is about a document differs.
#[derive(Clone, Debug)]
pub(crate) struct PartOfTree {
    /// Which files it has: patterns for paths below the directory.
    pub(crate) globs: Globs,
    pub(crate) directory: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    /// The settings among them.
    pub(crate) used: Option<Used>,
    /// Whether --as counts for all of its documents.
    pub(crate) has_one_kind: bool,
}
