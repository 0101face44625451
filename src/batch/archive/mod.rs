//! Web archives: one file with many documents, which every core works on.
//!
//! ```text
//! cells (parts of the file) -> part (records, document -> events) -> run (in order: output, observer)
//! ```
//!
//! An archive is cut into `cells` of the same size, wherever that is in it. Who has one looks for the
//! first member that begins there and goes through the records from there on, as a [`part`]; what comes
//! of it, [`event`]s, is taken in order. Where the part before ends says whether it began where a record
//! does: if not, because what looked like a member was in another one's payload, it is done again. So
//! nothing but an offset goes from one part to the next, and the result does not depend on the number
//! of jobs.
//!
//! Nothing is done with an archive before all files before it are done with, so that what is found can
//! be shown at once: what is held is what the cells hold that are done too early.

mod cells;
mod document;
mod event;
mod input;
mod options;
mod outcome;
mod part;
mod run;

pub use options::{ArchiveForm, ArchiveOptions};
pub(super) use outcome::Found;
pub(super) use run::{Job, run};
