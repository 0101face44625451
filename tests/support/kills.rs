//! Kills at moments spread over the length of a run.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// How often a test kills: `ABSLINK_KILLS` times, or as often as it says itself.
pub(crate) fn how_many(few: u32) -> u32 {
    std::env::var("ABSLINK_KILLS").map_or(few, |kills| kills.parse().unwrap())
}

/// Until how many kills a test goes on that has not seen enough of what it looks for.
pub(crate) const TRIALS: u32 = 20;

/// The length of a run. What else a machine has to do changes it, so each kill that comes behind its end, or
/// before it although it should not, corrects it.
pub(crate) struct Length(Duration);

impl Length {
    /// That of a whole run.
    pub(crate) fn of(mut command: Command) -> Length {
        let started = Instant::now();
        command.output().unwrap();
        Length(started.elapsed())
    }

    /// Starts a run, kills it, and tells whether it had not ended by itself. The moments of the first, the second…
    /// are spread evenly however many there are: the golden ratio never falls into step. A few are behind the end.
    pub(crate) fn kill(&mut self, mut command: Command, nth: u32) -> bool {
        let part = (f64::from(nth) * 0.618_034).fract() * 1.1;
        let mut child = command.spawn().unwrap();
        thread::sleep(self.0.mul_f64(part));
        child.kill().unwrap();
        let killed = child.wait().unwrap().code().is_none();
        match killed {
            true if part > 1.0 => self.0 = self.0.mul_f64(1.25),
            false if part < 1.0 => self.0 = self.0.mul_f64(0.9),
            _ => {}
        }
        killed
    }
}
