//! Ctrl-C and SIGTERM end a run between two files; a second one ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A signal that asks a run to end, and the exit code that shells give a command which it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Signal {
    /// SIGINT: Ctrl-C.
    Interrupt = 130,
    /// SIGTERM.
    Terminate = 143,
}

#[derive(Debug, Default)]
pub(crate) struct Stop {
    is_asked: Arc<AtomicBool>,
    /// The last signal.
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Starts to listen.
    pub(crate) fn on_signals() -> Stop {
        let stop = Stop::default();
        // If a handler cannot be installed, the signal keeps its default: it ends the run at once,
        // which damages no file either.
        let _ = stop.listen(SIGINT, Signal::Interrupt);
        let _ = stop.listen(SIGTERM, Signal::Terminate);
        // Without a handler, reaching the limit on file sizes ends the program; with one, only that
        // file cannot be written.
        #[cfg(unix)]
        let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
        stop
    }

    /// Handlers run in the order they were registered: the first sees whether an earlier signal is still being
    /// obeyed, the others note this one.
    fn listen(&self, number: i32, signal: Signal) -> Result<(), std::io::Error> {
        flag::register_conditional_shutdown(number, signal as i32, Arc::clone(&self.is_asked))?;
        flag::register_usize(number, Arc::clone(&self.signal), signal as usize)?;
        flag::register(number, Arc::clone(&self.is_asked))?;
        Ok(())
    }

    pub(crate) fn signal(&self) -> Option<Signal> {
        let signals = [Signal::Interrupt, Signal::Terminate];
        let last = self.signal.load(Ordering::Relaxed);
        signals.into_iter().find(|signal| *signal as usize == last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_noted_once_it_came() {
        let stop = Stop::default();
        assert_eq!(stop.signal(), None);
        stop.signal
            .store(Signal::Terminate as usize, Ordering::Relaxed);
        assert_eq!(stop.signal(), Some(Signal::Terminate));
    }
}
