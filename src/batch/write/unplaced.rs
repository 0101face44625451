//! What is in the output directory besides what a run writes there: for example old versions of
//! pages that are gone from the input.

use std::path::Path;

use walkdir::WalkDir;

use crate::batch::plan::Plan;
use crate::batch::report::Observer;
use crate::batch::{path, temporary};

/// The output directory, if it is in use before the run; called before the directory is made.
pub(crate) fn in_use(plan: &Plan) -> Option<&Path> {
    let directory = plan.output_directory()?;
    let first = directory.read_dir().ok()?.next();
    first.map(|_| directory)
}

/// Counts the files below the directory that are not among the `placed` ones, which all differ.
/// They are counted and not compared, so memory does not grow with their number. 0 if
/// the run is stopped meanwhile.
pub(crate) fn count(directory: &Path, placed: u64, observer: &dyn Observer) -> u64 {
    let mut files: u64 = 0;
    for entry in WalkDir::new(directory).into_iter().flatten() {
        if observer.stop_requested() {
            return 0;
        }
        let is_ours = || temporary::is_temporary(path::name(entry.path()));
        files += u64::from(entry.file_type().is_file() && !is_ours());
    }
    files.saturating_sub(placed)
}
