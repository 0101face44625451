//! Why the second reader does not agree.

use std::borrow::Cow;

use abslink_html::Disagreement;
use abslink_html::line_column::{Lines, Position};

/// What is wrong with what was made of a document.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) what: Cow<'static, str>,
    /// Whether the document is the reason, and no error of abslink.
    pub(crate) is_of_document: bool,
}

pub(crate) type Result<T = (), E = Fault> = std::result::Result<T, E>;

/// A fault, and where in the old document.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) at: usize,
    pub(crate) fault: Fault,
}

/// What makes a document hard to read, and where.
pub(crate) type Doubt = (usize, &'static str);

impl Difference {
    /// The same with its line and column, in a document of which these bytes are held. Behind what is hard to read,
    /// that may be the reason.
    pub(crate) fn told(
        self,
        lines: &mut Lines,
        held: &[u8],
        doubt: Option<(Position, &str)>,
    ) -> Disagreement {
        let Position { line, column, .. } = lines.position(held, self.at);
        let what = match doubt {
            Some((Position { line, column, .. }, oddity)) => {
                format!(
                    "{}, but {oddity} at {line}:{column} may mislead it",
                    self.fault.what
                )
            }
            None => self.fault.what.to_string(),
        };
        Disagreement {
            line,
            column,
            what,
            is_bug: doubt.is_none() && !self.fault.is_of_document,
        }
    }
}

impl Fault {
    pub(crate) const BYTE_ORDER_MARK: Fault = Fault::of("its byte order mark changed");
    pub(crate) const ENCODING: Fault = Fault::of("not spelled as its encoding requires");
    pub(crate) const NEIGHBOURS: Fault = Fault::of("what stands around it is read otherwise");
    pub(crate) const NO_PLACE: Fault = Fault::of("not the place of a URL, but changed");
    pub(crate) const OUTSIDE: Fault = Fault::of("text outside links changed");
    pub(crate) const SPELLING: Fault = Fault::of("what is not a URL is spelled otherwise");
    pub(crate) const VALUE_ENDS: Fault = Fault::of("its value ends elsewhere");

    pub(crate) const fn of(what: &'static str) -> Fault {
        Fault {
            what: Cow::Borrowed(what),
            is_of_document: false,
        }
    }

    pub(crate) fn at<T>(self, at: usize) -> Result<T, Difference> {
        Err(Difference { at, fault: self })
    }
}

impl From<String> for Fault {
    fn from(what: String) -> Fault {
        Fault {
            what: Cow::Owned(what),
            is_of_document: false,
        }
    }
}
