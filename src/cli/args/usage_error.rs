//! What is wrong with arguments.

use std::fmt::Display;

use super::Fact;

/// Why arguments or settings, each well-formed, cannot be combined or do not fit this file system.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct UsageError {
    message: String,
    /// What to type instead, one for each choice.
    pub(crate) hints: Vec<String>,
}

/// A [`UsageError`] with a message as for [`format!`].
macro_rules! usage {
    ($($message:tt)*) => {
        $crate::cli::args::UsageError::new(format_args!($($message)*))
    };
}

pub(crate) use usage;

impl UsageError {
    pub(crate) fn new(message: impl Display) -> UsageError {
        UsageError {
            message: message.to_string(),
            hints: Vec::new(),
        }
    }

    pub(crate) fn because(self, fact: Fact, values: &[&str]) -> UsageError {
        let hints = fact.hints(values);
        UsageError { hints, ..self }
    }

    pub(crate) fn with_hints(self, hints: impl IntoIterator<Item: AsRef<str>>) -> UsageError {
        let hints = hints.into_iter().map(|hint| hint.as_ref().to_owned());
        UsageError {
            hints: hints.collect(),
            ..self
        }
    }

    /// What helps may follow on a line that begins with `hint: `.
    pub(crate) fn split(text: &str) -> UsageError {
        match text.rsplit_once("\nhint: ") {
            Some((message, hint)) => UsageError::new(message).with_hints([hint]),
            None => UsageError::new(text),
        }
    }
}
