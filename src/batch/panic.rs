//! Catches panics, and keeps their messages.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does some work; an error is the message of the panic that ended it. Nothing that the work has
/// touched may be used afterwards, except for memory that is cleared first.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let message = panic
            .downcast_ref::<&str>()
            .map(|message| (*message).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        message.unwrap_or_else(|| "no message".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::catch_panic;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        let message = |result: Result<(), String>| result.unwrap_err();
        assert_eq!(message(catch_panic(|| panic!("plain"))), "plain");
        assert_eq!(message(catch_panic(|| panic!("{}", 1 + 1))), "2");
        assert_eq!(
            message(catch_panic(|| std::panic::panic_any(3))),
            "no message"
        );
        assert_eq!(catch_panic(|| 4), Ok(4));
    }
}
