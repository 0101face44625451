//! Where `rewrite` writes, and how.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::batch::{ArchiveForm, Fsync};
use clap::ValueHint;

use super::values;

/// Where `rewrite` writes.
#[derive(Debug, clap::Args)]
pub(crate) struct DestinationArgs {
    /// Write the new files to DIR
    ///
    /// The contents of one directory PATH go directly into DIR. Each of several PATHs goes there under its own
    /// name. Without --copy-others, only the files that abslink reads are written.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Rewrite files in place
    ///
    /// A file is replaced as a whole. Its other names (hard links) keep the old contents; a symbolic link
    /// given as PATH stays a link.
    #[arg(short, long)]
    pub(crate) in_place: bool,
    /// Keep each original as its name plus SUFFIX, with -i
    ///
    /// An older backup is never overwritten. Where another program's file has that name, the file is
    /// skipped, with exit code 2. Backups are read only if they are given as PATH.
    #[arg(long, value_name = "SUFFIX", value_parser = values::suffix)]
    #[arg(requires = "in_place", conflicts_with = "output")]
    pub(crate) backup: Option<OsString>,
    /// Copy all other files too, with -o
    ///
    /// Backups too, but not what --exclude leaves out. Symbolic links stay links without --follow.
    // clap waives `requires` if the required option conflicts with a given one.
    #[arg(long, requires = "output", conflicts_with = "in_place")]
    pub(crate) copy_others: bool,
    /// Show what would change; write nothing
    #[arg(short = 'n', long, conflicts_with = "diff")]
    pub(crate) dry_run: bool,
    /// Print a diff; write nothing
    #[arg(long)]
    pub(crate) diff: bool,
    /// Check each file with a second parser before writing it
    ///
    /// An independent parser reads the old and the new file: only links may have changed, and each must
    /// lead where it led. Otherwise the file stays as it was, with exit code 2. --dry-run and --diff verify
    /// as well. This takes several times as long.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Choose when to wait for the disk, with -o or -i
    ///
    /// always: for each file; batch: for many files at once, before they take their places; never: a power
    /// failure may leave files empty that were just written. Without WHEN it is `always`. By default it is
    /// `batch` for -i without --backup, else `never`.
    #[arg(long, value_name = "WHEN", value_parser = values::fsync())]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) fsync: Option<Fsync>,
    /// Choose how web archives are written
    ///
    /// The default is `append`. -i does not go with `conversions`, and changes archives in directories only if
    /// --warc-as is given. See docs/archives.md for which programs read what.
    #[arg(long, value_name = "FORM", value_parser = values::archive_form())]
    pub(crate) warc_as: Option<ArchiveForm>,
}
