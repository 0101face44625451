//! A bug is one line among the messages, not a backtrace in the middle of them.

use std::panic;

/// Keeps panics from printing: the code that catches one says what it means for the user. With
/// `RUST_BACKTRACE` the user has asked for more.
pub fn silence() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(|_| {}));
    }
}
