//! Exit codes: 0 done, 1 relative references are left, 2 an error, 128 + n ended by signal n.

use std::process::ExitCode;

use crate::batch::Report;
use abslink_html::{Outcome, Reference};

use super::stop::Signal;

/// The table for `--help`.
pub(crate) const TABLE: &str = "\
Exit codes:
  0    done; no link is left that was to be absolute
  1    done, but relative links are left: check found some, or rewrite met pages without a
       base URL, or links that do not resolve
  2    usage error, or a file could not be processed (all others were), or there was
       nothing to read (unless --allow-empty); with --strict also a file that looks like
       a page and was skipped (not a sitemap or OPML), or a link of --baseline that is gone
  130  ended by Ctrl-C between two files (143: by SIGTERM); every file is whole";

/// How a command ended. A later variant outweighs an earlier one, so [`Ord::max`] merges two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything was done.
    Done,
    /// Everything that could be done was done, but relative references are left.
    Left,
    /// A usage error, or a file could not be processed.
    Failed,
    /// A signal ended the run between two files.
    Stopped(Signal),
}

/// Which references count as left when a command over documents ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remaining {
    /// `rewrite`: those that it could not make absolute.
    Unresolved,
    /// `check`: all that do not have the form that they should, including those that `rewrite` would
    /// change.
    Relative,
    /// `links` and `base`: none, since they were only asked to list references.
    Nothing,
}

impl Remaining {
    /// How many there are.
    pub(crate) fn count(self, report: &Report) -> u64 {
        let tally = &report.tally;
        match self {
            Remaining::Unresolved => tally.unresolved + report.misled_revisits,
            Remaining::Relative => tally.rewritten + tally.unresolved,
            Remaining::Nothing => 0,
        }
    }
}

/// It is one of [`Remaining::Relative`].
pub(crate) fn is_left(reference: &Reference<'_>) -> bool {
    reference.to.is_some() || reference.outcome == Outcome::Unresolved
}

impl Exit {
    /// The number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Left => 1,
            Exit::Failed => 2,
            Exit::Stopped(signal) => signal.code(),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_table() {
        let codes = [
            Exit::Done,
            Exit::Left,
            Exit::Failed,
            Exit::Stopped(Signal::Interrupt),
        ]
        .map(|exit| exit.code().to_string());
        let table: Vec<&str> = TABLE
            .lines()
            .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
            .filter(|code| !code.is_empty())
            .collect();
        assert_eq!(table, codes);
        assert_eq!(Exit::Stopped(Signal::Terminate).code(), 143);
    }

    #[test]
    fn the_worse_outcome_wins() {
        assert_eq!(Exit::Done.max(Exit::Left), Exit::Left);
        assert_eq!(Exit::Failed.max(Exit::Left), Exit::Failed);
        let stopped = Exit::Stopped(Signal::Interrupt);
        assert_eq!(Exit::Failed.max(stopped), stopped);
    }

    #[test]
    fn each_command_has_its_own_measure() {
        let mut report = Report::default();
        report.tally.rewritten = 3;
        let left = [
            Remaining::Unresolved,
            Remaining::Relative,
            Remaining::Nothing,
        ];
        assert_eq!(left.map(|left| left.count(&report)), [0, 3, 0]);
        report.tally.unresolved = 1;
        assert_eq!(left.map(|left| left.count(&report)), [1, 4, 0]);
    }
}
