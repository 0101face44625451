//! A reference as `abslink links` reports it.

use std::path::PathBuf;

use serde::Deserialize;

/// One line of `links`: the fields that tests ask for.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Link {
    pub(crate) file: PathBuf,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) element: String,
    pub(crate) attribute: String,
    pub(crate) reference: String,
    pub(crate) absolute: Option<String>,
    pub(crate) outcome: String,
    /// Where a browser goes, if elsewhere; empty where it goes nowhere.
    pub(crate) divergent: Option<String>,
}
