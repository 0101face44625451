//! What is known about a run at its end, for its summary and its exit code.

use std::path::PathBuf;
use std::time::Duration;

use crate::batch::{Input, Plan, Report, Task};
use abslink_html::To;
use abslink_html::base::retrieval::Layout;

use super::exit::{Exit, Remaining};
use super::stop::Signal;
use super::used::UsedSettings;

/// A run that came to its end, or was stopped.
pub(crate) struct RunEnd {
    pub(crate) plan: Plan,
    pub(crate) report: Report,
    pub(crate) elapsed: Duration,
    pub(crate) stopped: Option<Signal>,
    /// No document was found, although there should have been one.
    pub(crate) empty: bool,
    /// The `--attr` that no document had an attribute for.
    pub(crate) unused_attributes: Vec<String>,
    /// No document needed [`RunEnd::base_option`], since each has its own base URL.
    pub(crate) base_unused: bool,
    /// The settings of the project that counted.
    pub(crate) settings: Option<UsedSettings>,
    /// How it compares with its baseline, if it has one.
    pub(crate) baseline: Option<BaselineComparison>,
    /// What was done, in the command's words.
    pub(crate) lead: String,
    pub(crate) exit: Exit,
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

/// How a run and its baseline compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaselineComparison {
    pub(crate) path: PathBuf,
    /// This run writes it.
    pub(crate) is_new: bool,
    /// How many references were found that are in it.
    pub(crate) known: u64,
    /// Entries that were not found where the run has looked; a text for each.
    pub(crate) gone: Vec<String>,
}

/// What the user said about where the documents are from, which was not enough for one that has no
/// base URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BaseOption {
    /// Nothing.
    Nothing,
    /// `--repo`.
    Repo,
    /// `--base-url`.
    Url,
    /// `--url-map` alone.
    Map,
    /// `--layout` with this name, whose first directory is a host.
    Hosts(&'static str),
}

impl BaseOption {
    pub(crate) fn option(self) -> Option<&'static str> {
        match self {
            BaseOption::Nothing => None,
            BaseOption::Url => Some("--base-url"),
            BaseOption::Repo => Some("--repo"),
            BaseOption::Map => Some("--url-map"),
            BaseOption::Hosts(_) => Some("--layout"),
        }
    }
}

/// Its name in `--layout`.
pub(crate) fn name(layout: &Layout) -> &'static str {
    match layout {
        Layout::Document(_) | Layout::Tree(_) | Layout::Repo(_) => "tree",
        Layout::Wget => "wget",
        Layout::WgetWindows => "wget-windows",
        Layout::Httrack => "httrack",
        Layout::Wayback => "wayback",
    }
}

/// Whether a run found no document, not even one that failed. A web archive counts even if it holds
/// none.
pub(crate) fn is_empty(report: &Report) -> bool {
    report.files == 0 && report.files_failed == 0 && report.records == 0
}

impl RunEnd {
    pub(crate) fn base_option(&self) -> BaseOption {
        match (&self.plan.retrieval.layout, &self.plan.retrieval.map) {
            (Some(Layout::Document(_) | Layout::Tree(_)), _) => BaseOption::Url,
            (Some(Layout::Repo(_)), _) => BaseOption::Repo,
            (Some(layout), _) => BaseOption::Hosts(name(layout)),
            (None, Some(_)) => BaseOption::Map,
            (None, None) => BaseOption::Nothing,
        }
    }

    /// The form that references get, if it is not the absolute one alone.
    pub(crate) fn form(&self) -> Option<To> {
        let html = &self.plan.html;
        html.has_forms().then_some(html.to)
    }

    /// `--dry-run` or `--diff`.
    pub(crate) fn tries(&self) -> bool {
        matches!(self.plan.task, Task::Try { .. })
    }

    /// A PATH is a directory.
    pub(crate) fn has_directory(&self) -> bool {
        (self.plan.inputs.iter()).any(|input| matches!(input, Input::Directory(_)))
    }

    /// How many references were found that are in the baseline.
    pub(crate) fn known(&self) -> u64 {
        self.baseline.as_ref().map_or(0, |baseline| baseline.known)
    }

    /// How many of the remaining references make the exit code 1: those in the baseline pass.
    pub(crate) fn new_remaining(&self, remaining: Remaining) -> u64 {
        remaining.count(&self.report).saturating_sub(self.known())
    }

    /// How a command ended for which these references count. With `--strict`, files that look like HTML and
    /// were not taken are an error, and so is what the baseline has and is gone; paths of Windows count as left.
    pub(crate) fn exit_of(&self, remaining: Remaining, strict: bool) -> Exit {
        let report = &self.report;
        let not_taken = report.not_taken + report.feeds_not_taken + report.backups;
        let is_lax = not_taken == 0 && self.gone().is_empty();
        let failed = report.files_failed > 0 || self.empty || (strict && !is_lax);
        match self.stopped {
            Some(signal) => Exit::Stopped(signal),
            None if failed => Exit::Failed,
            None if self.new_remaining(remaining) > 0 => Exit::Left,
            None if strict && report.tally.windows_paths > 0 => Exit::Left,
            None => Exit::Done,
        }
    }

    /// The project has set this option.
    pub(crate) fn is_set(&self, option: &str) -> bool {
        let mut names = self.settings.iter().flat_map(|used| &used.names);
        names.any(|name| name == option)
    }

    pub(crate) fn gone(&self) -> &[String] {
        self.baseline
            .as_ref()
            .map_or(&[], |baseline| &baseline.gone)
    }

    /// A run of this plan that was not stopped, and of which nothing else is known.
    pub(crate) fn new(
        plan: &Plan,
        allow_empty: bool,
        mut report: Report,
        elapsed: Duration,
    ) -> RunEnd {
        if allow_empty {
            report.barren.clear();
        }
        RunEnd {
            plan: plan.clone(),
            elapsed,
            stopped: None,
            empty: is_empty(&report) && !allow_empty,
            unused_attributes: Vec::new(),
            base_unused: false,
            settings: None,
            baseline: None,
            lead: String::new(),
            exit: Exit::Done,
            quiet: false,
            verbose: false,
            report,
        }
    }
}

#[cfg(test)]
impl RunEnd {
    /// A run that did this, for tests.
    pub(crate) fn of(report: Report) -> RunEnd {
        use crate::batch::{Output, Task};
        let output = Output::InPlace { backup: None };
        let plan = Plan::new(vec![Input::Stdin], Task::Rewrite(output));
        RunEnd::new(&plan, true, report, Duration::from_millis(500))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            finished.exit_of(Remaining::Unresolved, true)
        };
        assert_eq!(exit(0, None, 0, false, 0), Exit::Done);
        assert_eq!(exit(0, None, 1, false, 0), Exit::Left);
        assert_eq!(exit(1, None, 1, false, 0), Exit::Failed);
        assert_eq!(exit(0, None, 0, true, 0), Exit::Failed);
        assert_eq!(exit(0, None, 1, false, 1), Exit::Failed);
        let stopped = Exit::Stopped(Signal::Terminate);
        assert_eq!(exit(1, Some(Signal::Terminate), 1, false, 1), stopped);
    }
}
