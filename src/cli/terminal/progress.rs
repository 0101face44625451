//! How far a run has come, on standard error: files, bytes, rate, time left.

use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::batch::{self, Observer, Output, Plan, Task};
use clap::ValueEnum;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::print::{self, Bytes, Count, Number};

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

/// Shows how far a run has come; nobody sees it where that is not wanted.
#[derive(Clone, Debug)]
pub(crate) struct Progress {
    /// Its position is in bytes.
    bar: ProgressBar,
    files: FileCounts,
}

#[derive(Clone, Debug, Default)]
struct FileCounts {
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
        let target = if terminal && wanted {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let progress = Progress {
            bar: ProgressBar::with_draw_target(None, target),
            files: FileCounts::default(),
        };
        if wanted {
            progress.bar.set_style(progress.style("{so_far}"));
            progress.bar.enable_steady_tick(Duration::from_millis(200));
            progress.clone().count_total(plan.clone());
        }
        if wanted && !terminal {
            progress.clone().log();
        }
        progress
    }

    /// A document of this many bytes is done.
    pub(crate) fn document_done(&self, bytes: u64) {
        self.files.done.fetch_add(1, Ordering::Relaxed);
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
            let _ = self.files.total.set(extent.files);
            self.bar.set_style(self.style("{wide_bar} {so_far}"));
        });
    }

    /// Adds a line to a log now and then.
    fn log(self) {
        spawn(move || {
            sleep(LOG_INTERVAL);
            while !self.stop_requested() {
                let bar = &self.bar;
                let (rate, left) = (bar.per_sec(), bar.eta());
                print::note((self.files).so_far(bar.position(), bar.length(), rate, left));
                sleep(LOG_INTERVAL);
            }
        });
    }

    fn style(&self, template: &str) -> ProgressStyle {
        let files = self.files.clone();
        let style = ProgressStyle::with_template(template)
            // If the template is wrong, indicatif's own bar is shown.
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        style.with_key(
            "so_far",
            move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let (rate, left) = (state.per_sec(), state.eta());
                let so_far = files.so_far(state.pos(), state.len(), rate, left);
                // Writing to it does not fail.
                let _ = write!(out, "{so_far}");
            },
        )
    }
}

impl FileCounts {
    /// How far a run has come that has done this many bytes.
    fn so_far(&self, bytes: u64, all: Option<u64>, rate: f64, left: Duration) -> impl Display {
        let (files, bytes) = (self.done.load(Ordering::Relaxed), Bytes(bytes));
        // The first bytes take their time, and tell nothing about the others.
        let (rate, left) = match rate as u64 {
            0 => (String::new(), "time left unknown".to_owned()),
            rate => (
                format!(", {}/s", Bytes(rate)),
                format!("{:#} left", HumanDuration(left)),
            ),
        };
        match (self.total.get(), all) {
            (Some(&total), Some(all)) => format!(
                "{} of {}, {bytes} of {}{rate}, {left}",
                Number(files),
                Count(total, "file"),
                Bytes(all),
            ),
            _ => format!("{}, {bytes}{rate}", Count(files, "file")),
        }
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
        let files = FileCounts::default();
        files.done.store(1_200, Ordering::Relaxed);
        let line = |all, rate| {
            let left = Duration::from_secs(90);
            files.so_far(5_000_000, all, rate, left).to_string()
        };
        assert_eq!(line(None, 2_000.0), "1,200 files, 5.0 MB, 2.0 kB/s");
        files.total.set(3_000).unwrap();
        let all = "1,200 of 3,000 files, 5.0 MB of 9.0 MB, 2.0 kB/s, 2m left";
        assert_eq!(line(Some(9_000_000), 2_000.0), all);
        let start = "1,200 of 3,000 files, 5.0 MB of 9.0 MB, time left unknown";
        assert_eq!(line(Some(9_000_000), 0.0), start);
    }

    #[test]
    fn documents_and_bytes_are_counted() {
        let progress = Progress {
            bar: ProgressBar::hidden(),
            files: FileCounts::default(),
        };
        progress.document_done(300);
        progress.document_done(4);
        assert_eq!(progress.bar.position(), 304);
        assert_eq!(progress.files.done.load(Ordering::Relaxed), 2);
        assert!(!progress.stop_requested());
        let mut printed = false;
        progress.suspend(|| printed = true);
        assert!(printed);
        progress.finish();
        assert!(progress.stop_requested());
    }
}
