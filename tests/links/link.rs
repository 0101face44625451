//! A reference as `abslink links` reports it.

use std::path::PathBuf;

use serde::Deserialize;

/// One line of `links`: the fields that tests ask for.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Link {
    pub(crate) file: PathBuf,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) reference: String,
    pub(crate) absolute: Option<String>,
    pub(crate) outcome: String,
    pub(crate) divergent: Option<serde_json::Value>,
}
