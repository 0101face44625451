//! Exit codes: 0 done, 1 relative references are left, 2 an error, 128 + n ended by signal n.
//! [`RunEnd::exit_of`](super::end::RunEnd::exit_of) decides which a run has.

use std::process::ExitCode;

use crate::batch::Report;
use abslink_html::{Outcome, Reference};

use super::stop::Signal;

/// The table for `--help`.
pub(crate) const TABLE: &str = "\
Exit codes:
  0         done; no relative link is left that should be absolute
  1         done, but relative links are left: check found some, or rewrite could not
            resolve some or had no base URL; restore left a file that was edited since;
            with --strict: a link is a path of Windows
  2         wrong usage; a file could not be processed (all others were); no document was
            found, and no --allow-empty was given; with --strict: a file that looks like
            HTML or a feed was skipped, or a link of --baseline is gone
  130, 143  stopped by Ctrl-C or SIGTERM between two files; every file is whole";

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Remaining {
    /// `rewrite`: those that it could not make absolute.
    Unresolved,
    /// `check`: all that do not have the form that they should, including those that `rewrite` would
    /// change.
    Relative,
    /// `links` and `base`: none, since they were only asked to list references.
    #[default]
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
            Exit::Stopped(signal) => signal as u8,
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
            Exit::Stopped(Signal::Terminate),
        ]
        .map(|exit| exit.code().to_string());
        let heads = TABLE
            .lines()
            .filter_map(|line| Some(line.get(2..12)?.trim()));
        let table: Vec<&str> = heads
            .flat_map(|head| head.split(", "))
            .filter(|it| it.parse::<u8>().is_ok())
            .collect();
        assert_eq!(table, codes);
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
