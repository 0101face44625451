//! Where `rewrite` writes, and how.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::batch::{ArchiveForm, Fsync};
use clap::ValueHint;

use super::values;

/// Where `rewrite` writes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Where the result goes")]
pub(crate) struct DestinationArgs {
    /// Write the same tree below DIR
    ///
    /// With one directory PATH, its contents go straight below DIR. With several PATHs, each goes
    /// below DIR under its own file name. Only HTML documents are written, unless --copy-others is
    /// given. New directories get the permissions of the directories they are copied from, less the
    /// umask, as with `cp -r`, except that the owner can always write to them.
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    #[arg(conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace each file that changes; no other is touched
    ///
    /// A file is replaced as a whole. Other names of it (hard links) keep the old contents; a
    /// symbolic link given as PATH stays a link.
    #[arg(short, long)]
    pub(crate) in_place: bool,
    /// Write nothing; the summary is the same
    ///
    /// Works with -o, with -i and alone. The directory of -o is not made.
    #[arg(short = 'n', long, conflicts_with = "diff")]
    pub(crate) dry_run: bool,
    /// Write nothing but a unified diff to standard output
    ///
    /// Works with -o, with -i and alone. The directory of -o is not made. The diff is exact, except that
    /// on a terminal control characters are shown as \u{1b} and the like, and so is, in the log of a CI
    /// system, whatever its runner would take for a command.
    #[arg(long)]
    pub(crate) diff: bool,
    /// With -o, also copy the files that are not documents
    ///
    /// Backups are copied too. A symbolic link is copied as a link to the same path; with --follow the file
    /// or directory that it leads to is copied instead.
    // clap waives `requires` if the required option conflicts with a given one.
    #[arg(long, requires = "output", conflicts_with = "in_place")]
    pub(crate) copy_others: bool,
    /// With -i, keep each original as its name plus SUFFIX
    ///
    /// An older backup of abslink's is never overwritten; where another program's has that name, the file is
    /// left, with exit code 2. Backups are not read, unless they are given as PATH.
    #[arg(long, value_name = "SUFFIX", value_parser = values::suffix)]
    #[arg(requires = "in_place", conflicts_with = "output")]
    pub(crate) backup: Option<OsString>,
    /// Write only what a second, independent reader confirms
    ///
    /// A second reader reads each document, finds its tags and values in the new one, and resolves what
    /// has changed with code of its own: only references may change, and each must mean what
    /// it meant. If it finds anything else, the document is left as it is, a message says where, and
    /// the exit code is 2. With -o the document is then copied unchanged; to standard output nothing of
    /// it is written. --dry-run and --diff verify as well. This takes several times as long.
    #[arg(long)]
    pub(crate) verify: bool,
    /// With -o or -i, when to wait until files are on the disk [default: batch, or never]
    ///
    /// The default is `batch` for -i without --backup, where a file that is replaced is the only one
    /// that there is, and `never` for -i with --backup and for -o. Without WHEN it is `always`.
    #[arg(long, value_name = "WHEN", value_parser = values::fsync())]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub(crate) fsync: Option<Fsync>,
    #[command(flatten)]
    pub(crate) archives: ArchiveArgs,
}

/// How web archives are written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Web archives: .warc, .warc.gz, .warc.zst")]
pub(crate) struct ArchiveArgs {
    /// What is written of a web archive
    ///
    /// Copied records stay the same to the byte. -i needs `append` or `response`. See
    /// docs/archives.md for which programs read what.
    #[arg(long, value_name = "FORM", value_parser = values::archive_form())]
    #[arg(default_value = "conversions")]
    pub(crate) warc_as: ArchiveForm,
}
