//! Rows: one file with documents in its fields, which every core works on.
//!
//! ```text
//! chunks (of rows, in order) -> worker (a chunk -> what comes of it) -> run (in order: output, observer)
//! ```

mod run;
mod sink;
mod worker;

pub(super) use run::run;
pub(super) use worker::RowsResult;
