//! Rows: one file with documents in its fields, which every core works on.
//!
//! ```text
//! queue (chunks of rows, in order) -> worker (a chunk -> what comes of it) -> run (in order: output, observer)
//! ```
//!
//! A worker takes the next chunk from the file, which another one cannot read meanwhile, and works on it while
//! others take theirs. What is ready too early waits, and while much waits, no further chunk is begun: memory
//! depends on the rows in flight, not on the file.

mod queue;
mod run;
mod worker;

pub use abslink_containers::rows::{Fields as RowFields, Holds as RowHolds};
pub(super) use run::{Job, RowsOutcome, run};
