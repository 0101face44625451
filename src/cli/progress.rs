//! How far a run is, on standard error: files, bytes, rate, time left.

use std::io::{self, IsTerminal as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::batch::{self, Observer, Output, Plan, Task};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

use super::args::{Running, When};
use super::print::{self, Count, Number};

/// A run that ends before this needs no total, and is not slowed down by counting it.
const PATIENCE: Duration = Duration::from_millis(300);

/// A log gets no more than a line in this time.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Shows how far a run is, or does nothing.
#[derive(Debug)]
pub(crate) struct Progress(Option<Shown>);

#[derive(Clone, Debug)]
struct Shown {
    /// Its position is in bytes.
    bar: ProgressBar,
    files: Arc<AtomicU64>,
}

impl Progress {
    /// Starts to show how far the run of `plan` is, if it is to be shown.
    pub(crate) fn start(running: &Running, plan: &Plan) -> Progress {
        let terminal = io::stderr().is_terminal();
        let wanted = match running.progress {
            When::Auto => terminal && !(prints(plan) && io::stdout().is_terminal()),
            When::Always => true,
            When::Never => false,
        };
        if !wanted || running.quiet {
            return Progress(None);
        }
        let (target, bar) = if terminal {
            (ProgressDrawTarget::stderr(), "{wide_bar} ")
        } else {
            let log = Log::new(LOG_INTERVAL);
            (ProgressDrawTarget::term_like(Box::new(log)), "")
        };
        let shown = Shown {
            bar: ProgressBar::with_draw_target(None, target),
            files: Arc::default(),
        };
        shown
            .bar
            .set_style(shown.style("{files}, {decimal_bytes}, {decimal_bytes_per_sec}", None));
        shown.bar.enable_steady_tick(Duration::from_millis(200));
        shown.clone().count_total(plan.clone(), bar);
        Progress(Some(shown))
    }

    /// A document of so many bytes is done.
    pub(crate) fn document_done(&self, bytes: u64) {
        if let Some(shown) = &self.0 {
            shown.files.fetch_add(1, Ordering::Relaxed);
            shown.bar.inc(bytes);
        }
    }

    /// Prints with the bar out of the way.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        match &self.0 {
            Some(shown) => shown.bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(shown) = &self.0 {
            shown.bar.finish_and_clear();
        }
    }
}

impl Shown {
    /// Counts what there is to do, on a thread of its own: only the time left needs it, so nothing
    /// waits for it, and it ends when the run does.
    fn count_total(self, plan: Plan, bar: &'static str) {
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            if self.stop_requested() {
                return;
            }
            let extent = batch::extent(&plan, &self);
            // Standard input has no length.
            if self.stop_requested() || extent.files == 0 {
                return;
            }
            let template = "{files}, {decimal_bytes} of {decimal_total_bytes}, \
                            {decimal_bytes_per_sec}, {eta} left";
            let template = format!("{bar}{template}");
            self.bar
                .set_style(self.style(&template, Some(extent.files)));
            self.bar.set_length(extent.bytes);
        });
    }

    fn style(&self, template: &str, total: Option<u64>) -> ProgressStyle {
        let files = Arc::clone(&self.files);
        let style = ProgressStyle::with_template(template)
            // A template that is wrong shows as indicatif's own bar.
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        style.with_key(
            "files",
            move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                let done = files.load(Ordering::Relaxed);
                // What it is written to does not fail.
                let _ = match total {
                    Some(total) => {
                        write!(out, "{} of {}", Number(done), Count(total, "document"))
                    }
                    None => write!(out, "{}", Count(done, "document")),
                };
            },
        )
    }
}

/// The count of the total ends with the run.
impl Observer for Shown {
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

/// Standard error that is no terminal: nothing can be drawn over, so that a line is added now and
/// then.
#[derive(Debug)]
struct Log {
    interval: Duration,
    last: Mutex<Instant>,
}

impl Log {
    fn new(interval: Duration) -> Log {
        Log {
            interval,
            last: Mutex::new(Instant::now()),
        }
    }

    /// Whether a line is due.
    fn is_due(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(|error| error.into_inner());
        let due = last.elapsed() >= self.interval;
        if due {
            *last = Instant::now();
        }
        due
    }
}

impl TermLike for Log {
    fn width(&self) -> u16 {
        100
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, line: &str) -> io::Result<()> {
        self.write_str(line)
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let text = text.trim();
        if !text.is_empty() && self.is_due() {
            print::note(text);
        }
        Ok(())
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_gets_a_line_now_and_then() {
        assert!(Log::new(Duration::ZERO).is_due());
        assert!(!Log::new(Duration::from_secs(3600)).is_due());
    }

    #[test]
    fn nothing_shown_is_nothing_in_the_way() {
        let progress = Progress(None);
        let mut printed = false;
        progress.document_done(1);
        progress.suspend(|| printed = true);
        progress.finish();
        assert!(printed);
    }

    #[test]
    fn documents_and_bytes_are_counted() {
        let shown = Shown {
            bar: ProgressBar::hidden(),
            files: Arc::default(),
        };
        let progress = Progress(Some(shown.clone()));
        progress.document_done(300);
        progress.document_done(4);
        assert_eq!(shown.bar.position(), 304);
        assert_eq!(shown.files.load(Ordering::Relaxed), 2);
        assert!(!shown.stop_requested());
        progress.finish();
        assert!(shown.stop_requested());
    }
}
