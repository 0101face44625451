//! What tests share: documents from seeds, tables, the command, and what this machine lacks.

pub(crate) mod chromium;
pub(crate) mod generate;
pub(crate) mod growth;
mod lack;
pub(crate) mod links;
pub(crate) mod pairs;
#[cfg(target_os = "linux")]
pub(crate) mod peak;
pub(crate) mod server;
pub(crate) mod skip;
pub(crate) mod table;
