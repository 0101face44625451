//! How far a run has come, on standard error: files, bytes, rate, time left.

use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::batch::{self, Observer, Output, Plan, Task};
use clap::ValueEnum;
use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print::{self, Count, Number};

/// A run that ends before this needs no total, and is not slowed down by counting it.
const PATIENCE: Duration = Duration::from_millis(300);

/// A log, in which nothing can be drawn over, gets a line this often.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// When progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If standard error is a terminal
    Auto,
    /// Always; in a log, as an occasional line
    Always,
    /// Never
    Never,
}

/// Shows how far a run has come, or does nothing.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Its position is in bytes.
    bar: ProgressBar,
    /// How many files are done.
    done: Arc<AtomicU64>,
    /// How many there are, once that is known.
    total: Arc<OnceLock<u64>>,
}

impl Progress {
    /// Starts to show how far the run of `plan` has come, if that is wanted.
    pub(crate) fn start(when: When, plan: &Plan) -> Progress {
        let terminal = io::stderr().is_terminal();
        let wanted = match when {
            When::Auto => terminal && !(prints(plan) && io::stdout().is_terminal()),
            When::Always => true,
            When::Never => false,
        };
        if !wanted {
            return Progress::of(ProgressDrawTarget::hidden());
        }
        let progress = Progress::of(if terminal {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        });
        progress.bar.set_style(progress.style("{so_far}"));
        progress.bar.enable_steady_tick(Duration::from_millis(200));
        progress.clone().count_total(plan.clone());
        if !terminal {
            progress.clone().log();
        }
        progress
    }

    fn of(target: ProgressDrawTarget) -> Progress {
        Progress {
            bar: ProgressBar::with_draw_target(None, target),
            done: Arc::default(),
            total: Arc::default(),
        }
    }

    /// A document of this many bytes is done.
    pub(crate) fn document_done(&self, bytes: u64) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.bar.inc(bytes);
    }

    /// This many more bytes of a web archive are done.
    pub(crate) fn bytes_done(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Prints while the bar is out of the way.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Counts what there is to do, on a thread of its own: only the time left needs it, so nothing
    /// waits for it, and it ends when the run does.
    fn count_total(self, plan: Plan) {
        spawn(move || {
            sleep(PATIENCE);
            if self.stop_requested() {
                return;
            }
            let extent = batch::extent(&plan, &self);
            // Standard input has no length.
            if self.stop_requested() || extent.files == 0 {
                return;
            }
            self.bar.set_length(extent.bytes_in);
            let _ = self.total.set(extent.files);
            self.bar.set_style(self.style("{wide_bar} {so_far}"));
        });
    }

    /// Adds a line to a log now and then.
    fn log(self) {
        spawn(move || {
            sleep(LOG_INTERVAL);
            while !self.stop_requested() {
                let bar = &self.bar;
                let (files, total) = (self.done.load(Ordering::Relaxed), self.total.get().copied());
                let (rate, left) = (bar.per_sec(), bar.eta());
                print::note(so_far(
                    files,
                    total,
                    bar.position(),
                    bar.length(),
                    rate,
                    left,
                ));
                sleep(LOG_INTERVAL);
            }
        });
    }

    fn style(&self, template: &str) -> ProgressStyle {
        let (done, total) = (self.done.clone(), self.total.clone());
        let style = ProgressStyle::with_template(template)
            // If the template is wrong, indicatif's own bar is shown.
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        style.with_key(
            "so_far",
            move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let (files, total) = (done.load(Ordering::Relaxed), total.get().copied());
                let (rate, left) = (state.per_sec(), state.eta());
                let so_far = so_far(files, total, state.pos(), state.len(), rate, left);
                // Writing to it does not fail.
                let _ = write!(out, "{so_far}");
            },
        )
    }
}

/// How far a run has come that has done this many files, of all of them, and this many bytes.
fn so_far(
    files: u64,
    total: Option<u64>,
    bytes: u64,
    all: Option<u64>,
    rate: f64,
    left: Duration,
) -> String {
    let (bytes, rate) = (DecimalBytes(bytes), DecimalBytes(rate as u64));
    match (total, all) {
        (Some(total), Some(all)) => format!(
            "{} of {}, {bytes} of {}, {rate}/s, {:#} left",
            Number(files),
            Count(total, "file"),
            DecimalBytes(all),
            HumanDuration(left),
        ),
        _ => format!("{}, {bytes}, {rate}/s", Count(files, "file")),
    }
}

/// The count of the total ends with the run.
impl Observer for Progress {
    fn stop_requested(&self) -> bool {
        self.bar.is_finished()
    }
}

/// Whether the run writes to standard output, where a bar on the same terminal would get into it.
fn prints(plan: &Plan) -> bool {
    matches!(
        plan.task,
        Task::Examine | Task::Rewrite(Output::Stdout) | Task::Try { diff: true, .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_a_run_is() {
        let line = |total, all| {
            let left = Duration::from_secs(90);
            so_far(1_200, total, 5_000_000, all, 2_000.0, left)
        };
        assert_eq!(line(None, None), "1,200 files, 5.00 MB, 2.00 kB/s");
        let all = "1,200 of 3,000 files, 5.00 MB of 9.00 MB, 2.00 kB/s, 2m left";
        assert_eq!(line(Some(3_000), Some(9_000_000)), all);
    }

    #[test]
    fn nothing_shown_is_nothing_in_the_way() {
        let progress = Progress::of(ProgressDrawTarget::hidden());
        let mut printed = false;
        progress.document_done(1);
        progress.suspend(|| printed = true);
        progress.finish();
        assert!(printed);
    }

    #[test]
    fn documents_and_bytes_are_counted() {
        let progress = Progress::of(ProgressDrawTarget::hidden());
        progress.document_done(300);
        progress.document_done(4);
        assert_eq!(progress.bar.position(), 304);
        assert_eq!(progress.done.load(Ordering::Relaxed), 2);
        assert!(!progress.stop_requested());
        progress.finish();
        assert!(progress.stop_requested());
    }
}
