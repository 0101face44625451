//! Web archives: one file with many documents, which every core works on.
//!
//! ```text
//! blocks (parts of the file) -> part (records, document -> events) -> run (in order: output, observer)
//! ```
//!
//! An archive is cut into blocks of equal size, regardless of its records. A worker looks for the first
//! member that begins in its block, and goes through the records from there on, as a [`part`]; the
//! resulting [`event`]s are taken in order. The end of the part before shows whether this part began at
//! a record: if not, because what looked like a member was in another record's payload, it is done
//! again. So only an offset goes from one part to the next, and the result does not depend on the number
//! of jobs.
//!
//! Work on an archive begins only when all files before it are done, so findings can be shown at once:
//! only the blocks that are done too early hold anything.

mod document;
mod event;
mod file_range;
mod notes;
mod part;
mod run;

pub(super) use file_range::FileRange;
pub(super) use part::Archive;
pub(super) use run::run;
