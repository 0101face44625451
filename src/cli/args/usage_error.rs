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

    pub(crate) fn with_hints(self, hints: &[&str]) -> UsageError {
        let hints = hints.iter().map(|hint| (*hint).to_owned()).collect();
        UsageError { hints, ..self }
    }
}
