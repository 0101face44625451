//! What is known about a run at its end, for its summary and its exit code.

use std::path::PathBuf;
use std::time::Duration;

use crate::batch::{Input, Output, Plan, Report, Task};
use abslink_html::To;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::base::retrieval::{Layout, Sources};

use super::exit::{Exit, Remaining};
use super::stop::Signal;
use super::used::UsedSettings;

/// A run that came to its end, or was stopped.
pub(crate) struct RunEnd {
    pub(crate) report: Report,
    pub(crate) elapsed: Duration,
    pub(crate) stopped: Option<Signal>,
    /// No document was found, although there should have been one.
    pub(crate) empty: bool,
    pub(crate) base_option: BaseOption,
    /// The `--attr` that no document had an attribute for.
    pub(crate) unused_attributes: Vec<String>,
    /// No PATH is there, as errors have said.
    pub(crate) has_no_path: bool,
    pub(crate) has_directory: bool,
    /// Documents are written: no dry run.
    pub(crate) writes: bool,
    /// `check`, `links` or `base`.
    pub(crate) examines: bool,
    pub(crate) to: To,
    /// The directory whose URL nothing tells, and a directory in it that has the name of a host.
    pub(crate) nameless: Option<(PathBuf, Option<String>)>,
    /// HTTrack's map was found in PATH.
    pub(crate) finds_map: bool,
    /// A `?` in the name of a file is a part of the path, as no option says how the files were named.
    pub(crate) reads_marks: bool,
    /// The document goes to standard output.
    pub(crate) prints: bool,
    pub(crate) gitignore: bool,
    /// `--move-url`.
    pub(crate) moves: bool,
    /// `--exclude-url`.
    pub(crate) excludes: bool,
    /// `--field`.
    pub(crate) has_fields: bool,
    /// The path of the URL of the tree, if that is below the root.
    pub(crate) path_of_tree: Option<String>,
    /// `--unwrap`.
    pub(crate) unwraps: bool,
    /// No document needed that, since each has its own base URL.
    pub(crate) base_unused: bool,
    /// The settings of the project that counted.
    pub(crate) settings: Option<UsedSettings>,
    /// How it compares with its baseline, if it has one.
    pub(crate) baseline: Option<BaselineComparison>,
    /// The URL of a directory that was given by that of a page in it.
    pub(crate) directory_of_page: Option<String>,
    /// What was done, in the command's words.
    pub(crate) lead: String,
    pub(crate) exit: Exit,
    pub(crate) quiet: bool,
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
    /// `--base-url`.
    Url,
    /// `--url-map` alone.
    Map,
    /// `--layout` with this name, whose first directory is a host.
    Hosts(&'static str),
}

impl BaseOption {
    pub(crate) fn of(sources: &Sources) -> BaseOption {
        match (&sources.layout, &sources.map) {
            (Some(Layout::Wget), _) => BaseOption::Hosts("wget"),
            (Some(Layout::WgetWindows), _) => BaseOption::Hosts("wget-windows"),
            (Some(Layout::Httrack), _) => BaseOption::Hosts("httrack"),
            (Some(Layout::Wayback), _) => BaseOption::Hosts("wayback"),
            (Some(Layout::Document(_) | Layout::Tree(_)), _) => BaseOption::Url,
            (None, Some(_)) => BaseOption::Map,
            (None, None) => BaseOption::Nothing,
        }
    }

    pub(crate) fn option(self) -> Option<&'static str> {
        match self {
            BaseOption::Nothing => None,
            BaseOption::Url => Some("--base-url"),
            BaseOption::Map => Some("--url-map"),
            BaseOption::Hosts(_) => Some("--layout"),
        }
    }
}

/// The URL of the directory, of the whole tree or of a part of it, that was given by that of a page.
fn directory_of_page(plan: &Plan) -> Option<String> {
    let parts = plan.parts.iter().map(|part| &part.plan);
    let layouts = [plan].into_iter().chain(parts);
    let mut layouts = layouts.filter_map(|plan| plan.retrieval.layout.as_ref());
    layouts.find_map(|layout| match layout {
        Layout::Tree(tree) if tree.names_page() => Some(tree.directory().to_owned()),
        _ => None,
    })
}

/// Whether a run found no document, not even one that failed. A web archive counts even if it holds
/// none.
pub(crate) fn is_empty(report: &Report) -> bool {
    report.files == 0 && report.files_failed == 0 && report.records == 0
}

fn is_missing(input: &Input) -> bool {
    matches!(input, Input::File(path) if path.symlink_metadata().is_err())
}

impl RunEnd {
    /// How many references were found that are in the baseline.
    pub(crate) fn known(&self) -> u64 {
        self.baseline.as_ref().map_or(0, |baseline| baseline.known)
    }

    /// How many of the remaining references make the exit code 1: those in the baseline pass.
    pub(crate) fn new_remaining(&self, remaining: Remaining) -> u64 {
        remaining.count(&self.report).saturating_sub(self.known())
    }

    /// How a command ended for which these references count. With `--strict`, files that look like HTML and
    /// were not taken are an error, and so is what the baseline has and is gone.
    pub(crate) fn exit_of(&self, remaining: Remaining, strict: bool) -> Exit {
        let report = &self.report;
        let not_taken = report.not_taken + report.feeds_not_taken + report.backups;
        let is_lax = not_taken == 0 && self.gone().is_empty();
        let failed = report.files_failed > 0 || self.empty || (strict && !is_lax);
        match self.stopped {
            Some(signal) => Exit::Stopped(signal),
            None if failed => Exit::Failed,
            None if self.new_remaining(remaining) > 0 => Exit::Left,
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
            elapsed,
            stopped: None,
            empty: is_empty(&report) && !allow_empty,
            base_option: BaseOption::of(&plan.retrieval),
            has_no_path: plan.inputs.iter().all(is_missing),
            has_directory: (plan.inputs.iter()).any(|it| matches!(it, Input::Directory(_))),
            writes: matches!(plan.task, Task::Rewrite(_)),
            examines: matches!(plan.task, Task::Examine),
            to: plan.html.to,
            nameless: nameless(plan),
            finds_map: plan.finds_map,
            reads_marks: reads_marks(plan),
            prints: plan.output() == Some(&Output::Stdout),
            gitignore: plan.selection.gitignore,
            moves: !plan.html.moves.is_empty(),
            excludes: plan.html.exclude.is_some(),
            has_fields: !plan.rows.is_empty(),
            path_of_tree: plan.retrieval.path_of_tree().map(str::to_owned),
            unwraps: plan.html.unwrap,
            unused_attributes: Vec::new(),
            base_unused: false,
            settings: None,
            baseline: None,
            directory_of_page: directory_of_page(plan),
            lead: String::new(),
            exit: Exit::Done,
            quiet: false,
            report,
        }
    }
}

/// The directory of a plan whose URL nothing tells, and the host that its only directory seems to be.
fn nameless(plan: &Plan) -> Option<(PathBuf, Option<String>)> {
    let (Some(_), [Input::Directory(root)]) = (&plan.retrieval.nameless, &plan.inputs[..]) else {
        return None;
    };
    Some((root.clone(), plan.nameless_host.clone()))
}

fn reads_marks(plan: &Plan) -> bool {
    let sources = &plan.retrieval;
    let is_tree = matches!(sources.layout, Some(Layout::Tree(_))) || sources.nameless.is_some();
    is_tree && plan.converted_links == ConvertedLinks::Auto
}

#[cfg(test)]
impl RunEnd {
    /// A run that did this, for tests.
    pub(crate) fn of(report: Report) -> RunEnd {
        let plan = Plan::new(vec![Input::Stdin], Task::Examine);
        RunEnd {
            writes: true,
            examines: false,
            ..RunEnd::new(&plan, true, report, Duration::from_millis(500))
        }
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
