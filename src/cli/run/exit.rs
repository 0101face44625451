//! Exit codes: 0 done, 1 relative references are left, 2 an error, 128 + n ended by signal n.

use std::process::ExitCode;

use crate::batch::Report;
use abslink_html::{Outcome, Reference};

use super::end::RunEnd;
use super::stop::Signal;

/// The table for `--help`.
pub(crate) const TABLE: &str = "\
Exit codes:
  0    done, and no relative reference is left that was to be absolute
  1    done, but relative references are left: check found some; rewrite met documents
       without a base URL, or references that do not resolve
  2    usage error, or at least one file could not be processed (every other file was),
       or no document was found at all (--allow-empty makes that 0); with --strict also
       a file that looks like HTML or a feed and was not taken (not a sitemap or OPML),
       or a reference of --baseline that is gone
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

    /// How many of them make the exit code 1: those in the baseline pass.
    pub(crate) fn new_in(self, finished: &RunEnd) -> u64 {
        self.count(&finished.report)
            .saturating_sub(finished.known())
    }
}

/// Whether a reference is one of [`Remaining::Relative`].
pub(crate) fn is_left(reference: &Reference<'_>) -> bool {
    reference.to.is_some() || reference.outcome == Outcome::Unresolved
}

impl Exit {
    /// How a command over documents ended. With `--strict`, files that look like HTML
    /// and were not taken are an error, and so is what the baseline has and is gone.
    pub(crate) fn of(finished: &RunEnd, left: Remaining, strict: bool) -> Exit {
        let report = &finished.report;
        let not_taken = report.not_taken + report.feeds_not_taken + report.backups;
        let is_lax = not_taken == 0 && finished.gone().is_empty();
        let failed = report.files_failed > 0 || finished.empty || (strict && !is_lax);
        match finished.stopped {
            Some(signal) => Exit::Stopped(signal),
            None if failed => Exit::Failed,
            None if left.new_in(finished) > 0 => Exit::Left,
            None => Exit::Done,
        }
    }

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
    fn the_exit_code_is_that_of_the_worst() {
        let exit = |files_failed, stopped, unresolved, empty, not_taken| {
            let mut report = Report {
                files_failed,
                not_taken,
                ..Report::default()
            };
            report.tally.unresolved = unresolved;
            let finished = RunEnd {
                stopped,
                empty,
                ..RunEnd::of(report)
            };
            Exit::of(&finished, Remaining::Unresolved, true)
        };
        assert_eq!(exit(0, None, 0, false, 0), Exit::Done);
        assert_eq!(exit(0, None, 1, false, 0), Exit::Left);
        assert_eq!(exit(1, None, 1, false, 0), Exit::Failed);
        assert_eq!(exit(0, None, 0, true, 0), Exit::Failed);
        assert_eq!(exit(0, None, 1, false, 1), Exit::Failed);
        let stopped = Exit::Stopped(Signal::Terminate);
        assert_eq!(exit(1, Some(Signal::Terminate), 1, false, 1), stopped);
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
