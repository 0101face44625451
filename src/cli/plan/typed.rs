//! URLs that were typed, by slips of the finger too.

use abslink_url::typed::{self, TypedUrlError};

use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::OneLine;

/// A URL that is hardly what was meant.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TypedError {
    #[error("no scheme in {option} {}", OneLine(masked(url)))]
    NoScheme {
        option: &'static str,
        url: String,
        meant: Option<String>,
    },
    #[error("{option} {}: {error}", OneLine(masked(url)))]
    Other {
        option: &'static str,
        url: String,
        error: TypedUrlError,
    },
}

impl TypedError {
    pub(crate) fn hint(&self) -> Option<String> {
        let TypedError::NoScheme { option, meant, .. } = self else {
            return None;
        };
        Some(match meant {
            Some(meant) => format!("did you mean {} ?", masked(meant)),
            None => format!("write it in full: {option} https://example.org/docs/"),
        })
    }
}

/// Checks a URL that was typed for an option.
pub(crate) fn check(option: &'static str, url: &str) -> Result<(), TypedError> {
    let given = || url.to_owned();
    typed::check(url).map_err(|error| match error {
        TypedUrlError::NoScheme { meant } => TypedError::NoScheme {
            option,
            url: given(),
            meant,
        },
        error => TypedError::Other {
            option,
            url: given(),
            error,
        },
    })
}
