//! What a run was given by the settings of a project.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::cli::terminal::print::PathLine;

/// The settings that counted, if any did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsedSettings {
    pub(crate) path: PathBuf,
    pub(crate) names: Vec<String>,
    /// The keys of `[[files]]`.
    pub(crate) of_parts: BTreeSet<String>,
    /// The URL of the tree is taken for that of the document on standard input.
    pub(crate) is_url_of_stdin: bool,
}

impl UsedSettings {
    /// For summaries, and beside errors; `None` if nothing is set.
    pub(crate) fn line(&self) -> Option<String> {
        if self.names.is_empty() {
            return None;
        }
        let (path, mut names) = (PathLine(&self.path), self.names.join(", "));
        if !self.of_parts.is_empty() {
            let of_parts: Vec<&str> = self.of_parts.iter().map(|name| &**name).collect();
            names.push_str(&format!(" ({})", of_parts.join(", ")));
        }
        let url = if self.is_url_of_stdin {
            " (`-` is taken to be at base-url; -b says where it is)"
        } else {
            ""
        };
        Some(format!("settings from {path}: {names}{url}"))
    }
}
