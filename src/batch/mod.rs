//! Many files: finding, reading, rewriting, replacing, reporting.
//!
//! A [`Plan`] goes in; results come out through an [`Observer`], in path order whatever the
//! number of jobs; a [`Report`] is left. Nothing here prints.
//!
//! The folders, from the ground up; each imports only from those before it:
//!
//! | folder | what it does |
//! |---|---|
//! | `report/` | what a run says: counts, notes, errors, and the observer that gets them |
//! | `kind/` | what a file is, by its name and its first bytes |
//! | `plan/` | what a run will do |
//! | `read/` | opens files, and never follows a link that leads elsewhere |
//! | `find/` | the walk: which files there are, and which of them are documents |
//! | `write/` | puts files in their places |
//! | `base/` | which URL a document was retrieved from, and the files around it |
//! | `order/` | shares work among threads and puts the results back in order |
//! | `archive/`, `rows/`, `mbox` | files with many documents, which all threads work on at once |
//! | `process/` | a run, and what happens to each file |
//!
//! The walk is a stream from which the workers take one file each (`order/queue`); `order/sequence`
//! puts their results back in order. So memory does not depend on the size of the tree, only on that of
//! the files being worked on (large ones are read in pieces), and on the number of names in one
//! directory and those above it: these are sorted, and take about 110 bytes each (106 MiB
//! for a million).
//!
//! The crates below do no I/O. What only the disk knows about the mirror around a document they ask
//! through the trait `Files`, which `base/tree` implements; the bytes of an archive reach them through
//! the trait `Source`.
//!
//! Without [`Selection::follow_links`], `read/beneath` opens everything below a directory from that
//! directory, so no link that is put there during the run leads anywhere else.
//!
//! # Examples
//! ```
//! use abslink::batch::{Input, Observer, Output, Plan, Task, run};
//! use abslink::retrieval::{Layout, Tree};
//!
//! struct Silent;
//! impl Observer for Silent {}
//!
//! let site = tempfile::tempdir()?;
//! let page = site.path().join("page.html");
//! std::fs::write(&page, r#"<a href="other.html">"#)?;
//! let inputs = vec![Input::Directory(site.path().into())];
//! let mut plan = Plan::new(inputs, Task::Rewrite(Output::InPlace { backup: None }));
//! let tree = Tree::new("https://example.org/", &["index.html".into()])?;
//! plan.retrieval = Layout::Tree(tree).into();
//! let report = run(&plan, &Silent, &mut std::io::stdout())?;
//! assert_eq!(report.files_changed, 1);
//! assert_eq!(std::fs::read(&page)?, br#"<a href="https://example.org/other.html">"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod archive;
mod base;
mod find;
mod kind;
mod mbox;
mod order;
mod panic;
mod path;
mod plan;
mod process;
mod read;
mod report;
mod rows;
mod temporary;
mod write;

#[cfg(feature = "cli")]
pub(crate) use self::{
    find::{ignored::FILES as IGNORE_FILES, source::leads_to},
    kind::format::{FORMED_ENDINGS, default_endings, is_archive, is_page},
    panic::catch_panic,
    path::quoted,
    plan::Part,
    read::head,
    report::FirstPaths,
    write::put,
};
pub use abslink_containers::rows::{Fields as RowFields, Holds as RowHolds};
pub use abslink_containers::warc::{Moment, NoMoment, RecordReason};
pub use abslink_html::Engine;
#[cfg(feature = "cli")]
pub(crate) use base::checkout::root_of as repository_of;
pub use kind::format::{Format, Kind};
pub use plan::archives::{ArchiveForm, ArchiveOptions};
pub use plan::glob::{GlobError, Globs};
pub use plan::select::Selection;
pub use plan::{Findings, Fsync, Input, Output, Plan, PlanError, Task};
pub use process::run::{RunError, extent, run};
pub use report::{
    FileDone, FileError, Level, Located, NoHost, NotRead, Note, NoteKind, Observer, Problem, Report,
};
pub use write::restore::{Restore, Restored, restore};
