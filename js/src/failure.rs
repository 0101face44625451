//! Why something was not done.

use std::fmt::Display;

use abslink_containers::feed::Examined;
use abslink_html::{OUTGROWN, RewriteError};
use abslink_url::password;
use wasm_bindgen::JsValue;

/// Why something was not done: the code of an `AbslinkError`, or `usage` for a `TypeError`, and a message.
#[derive(Debug)]
pub(crate) struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    fn new(code: &'static str, message: impl Display) -> Failure {
        let message = message.to_string();
        let message = password::masked_line(&message).into_owned();
        Failure { code, message }
    }

    /// An option has a value that it cannot have, or options cannot be combined.
    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::new("usage", message)
    }

    /// What was given as base URL cannot be one.
    pub(crate) fn base(url: &str, reason: &dyn Display) -> Failure {
        let url = password::masked_url(url);
        let message = format_args!("cannot use {url} as a base URL: {reason}");
        Failure::new("base", message)
    }

    /// The resolver has no result.
    pub(crate) fn unresolved(reference: &str, reason: &dyn Display) -> Failure {
        let message = format_args!("cannot resolve {reference:?}: {reason}");
        Failure::new("unresolved", message)
    }

    /// The character encoding of a document cannot be handled, or it is not in it.
    pub(crate) fn encoding(reason: &str) -> Failure {
        Failure::new("encoding", reason)
    }

    /// What kept a document from being read, if anything did.
    pub(crate) fn of(examined: &Examined) -> Result<(), Failure> {
        if let Some(damage) = &examined.damage {
            return Err(Failure::new("damaged", damage));
        }
        match examined.left {
            Some(OUTGROWN) => return Err(Failure::new("outgrown", OUTGROWN)),
            Some(reason) => return Err(Failure::encoding(reason)),
            None => {}
        }
        match examined.refusals.first() {
            Some(refusal) => Err(Failure::new("damaged", refusal)),
            None => Ok(()),
        }
    }
}

impl From<RewriteError> for Failure {
    fn from(error: RewriteError) -> Failure {
        let code = match &error {
            RewriteError::Base(_) => "base",
            RewriteError::Late { .. } => "late",
            RewriteError::Left(OUTGROWN) => "outgrown",
            _ => "encoding",
        };
        Failure::new(code, error)
    }
}

/// As it is thrown.
impl From<Failure> for JsValue {
    fn from(failure: Failure) -> JsValue {
        format!("{}\n{}", failure.code, failure.message).into()
    }
}
