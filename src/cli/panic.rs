//! A bug is one line among the messages, and no backtrace across them.

use std::panic::{self, AssertUnwindSafe};

use super::Error;

/// Keeps panics from printing: who catches one says what it means for the user. With
/// `RUST_BACKTRACE` somebody has asked for more.
pub(crate) fn silence() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        panic::set_hook(Box::new(|_| {}));
    }
}

/// Catches what no document is to blame for.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Nothing that the work has touched is used afterwards.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = match panic.downcast::<String>() {
            Ok(message) => *message,
            Err(panic) => panic
                .downcast_ref::<&str>()
                .copied()
                .unwrap_or("no message")
                .to_owned(),
        };
        Error::Panicked(message)
    })
}

#[cfg(test)]
mod tests {
    use super::{Error, catch};

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        let message = |result: Result<(), Error>| result.unwrap_err().to_string();
        assert!(message(catch(|| panic!("plain"))).starts_with("abslink failed (plain)"));
        assert!(message(catch(|| panic!("{}", 1 + 1))).contains("(2)"));
        assert!(message(catch(|| std::panic::panic_any(3))).contains("(no message)"));
    }
}
