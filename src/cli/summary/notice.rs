//! A line of the summary, and what helps.

use crate::cli::terminal::print::{self, MessageLevel};

/// A warning, note or hint.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub(crate) level: MessageLevel,
    pub(crate) text: String,
    pub(crate) hint: Option<String>,
}

impl Notice {
    pub(crate) fn new(level: MessageLevel, text: impl Into<String>) -> Notice {
        let (text, hint) = (text.into(), None);
        Notice { level, text, hint }
    }

    pub(crate) fn warning(text: impl Into<String>) -> Notice {
        Notice::new(MessageLevel::Warning, text)
    }

    pub(crate) fn note(text: impl Into<String>) -> Notice {
        Notice::new(MessageLevel::Note, text)
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Notice {
        self.hint = Some(hint.into());
        self
    }

    /// In one line.
    pub(crate) fn sentence(self) -> String {
        match self.hint {
            Some(hint) => format!("{}; {hint}", self.text),
            None => self.text,
        }
    }

    /// Writes it to standard error.
    pub(crate) fn say(self) {
        print::say(self.level, &self.text);
        self.say_hint();
    }

    /// The same as an error, which it is with `--strict`.
    pub(crate) fn say_as_error(self) {
        print::error(format_args!("{} (an error with --strict)", self.text));
        self.say_hint();
    }

    fn say_hint(self) {
        if let Some(hint) = self.hint {
            print::say(MessageLevel::Hint, hint);
        }
    }
}
