//! Streams and terminals: how lines for people are written, coloured and masked.

mod by_line;
pub(super) mod ci_log;
pub(super) mod color;
pub(super) mod panic;
pub(super) mod passwords;
pub(super) mod pipe;
pub(super) mod print;
pub(super) mod progress;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a bug in one document has left locked is as good as before.
pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
