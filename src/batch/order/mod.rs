//! Work that many threads share, with results in order.
//!
//! For files, [`queue`] hands them out with their numbers, and [`sequence`] passes on what was found in them; a
//! worker reaches it by the ticket of its file, which may [`hold`] the file back. A file with many documents is cut
//! into [`chunks`], and what comes of them waits in memory or is [`spooled`].
//!
//! These are two ways, since they wait for different things. A worker whose file is next writes to the output as it
//! reads, and keeps its folders open, so results do not change threads. The chunks of a file are taken by one thread,
//! which alone may touch the reader's state and the new file.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) mod chunks;
pub(crate) mod hold;
pub(crate) mod queue;
pub(crate) mod sequence;
pub(crate) mod spooled;

/// What a worker that panicked leaves behind is consistent: no change to it takes two steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something when it is dropped, also by a panic.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
