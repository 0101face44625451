//! A line of the summary, and what helps.

use crate::cli::args::Fact;
use crate::cli::terminal::print::{self, MessageLevel, counted};

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

    /// An empty hint is none.
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Notice {
        self.hint = Some(hint.into()).filter(|hint| !hint.is_empty());
        self
    }

    /// With what helps where this is so.
    pub(crate) fn with_fact(self, fact: impl Into<Option<Fact>>) -> Notice {
        let hint = fact.into().map(Fact::hint);
        self.with_hint(hint.unwrap_or_default())
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
            print::hint(hint);
        }
    }
}

/// What the table of facts says of a number of things, if there are any.
pub(crate) fn said(number: u64, fact: Fact) -> Option<Notice> {
    said_with(number, fact, true)
}

/// The same, with what helps where it does.
pub(super) fn said_with(number: u64, fact: Fact, helps: bool) -> Option<Notice> {
    let (level, text) = fact.text()?;
    Some(Notice::new(level, counted(number, text)?).with_fact(helps.then_some(fact)))
}
