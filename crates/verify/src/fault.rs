//! Why the second reader does not agree.

use abslink_html::Disagreement;
use abslink_html::line_column::{Lines, Position};

/// What is wrong with what was made of a document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("text outside links changed")]
    NoReference,
    #[error("not the place of a URL, but changed")]
    NoPlace,
    #[error("not a value, but changed")]
    NoValue,
    #[error("not the first of that name, but changed")]
    NotFirst,
    #[error("its value ends elsewhere")]
    ValueEnds,
    #[error("its instruction ends elsewhere")]
    InstructionEnds,
    #[error("its quotes changed")]
    Quotes,
    #[error("the markup in its text changed")]
    Markup,
    #[error("it has an unescaped `<`")]
    LessThan,
    #[error("it has an unescaped `&`")]
    Ampersand,
    #[error("its base URL changed")]
    Base,
    #[error("a base URL is left that should be gone")]
    BaseStays,
    #[error("what stands around it is read otherwise without it")]
    Neighbours,
    #[error("nested too deep")]
    NestedDocument,
    #[error("no longer JSON")]
    NotJson,
    #[error("no longer base64")]
    NotBase64,
    #[error("its byte order mark changed")]
    ByteOrderMark,
    #[error("not spelled as its encoding requires")]
    Encoding,
    #[error("the number of its URLs changed")]
    UrlCount,
    #[error("`{0}` is not a URL, but its spelling changed")]
    OtherSpelling(String),
    #[error("`{0}` is not a URL, but became `{1}`")]
    NoUrl(String, String),
    #[error("a template placeholder changed")]
    Placeholder,
    #[error("what a template placeholder decides changed")]
    AroundPlaceholder,
    #[error("`{0}` has no base URL, but `{1}` was written")]
    NoBase(String, String),
    #[error("`{0}` does not resolve, but `{1}` was written")]
    Unresolved(String, String),
    #[error("`{old}` means {target}, but `{new}` was written")]
    OtherTarget {
        old: String,
        target: String,
        new: String,
    },
    #[error("lol_html cannot read it: {0}")]
    Unreadable(#[from] lol_html::errors::RewritingError),
    #[error("<{element} {attribute}>: {fault}")]
    InAttribute {
        element: String,
        attribute: String,
        fault: Box<Fault>,
    },
}

/// A fault, and where in the old document.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) at: usize,
    pub(crate) fault: Fault,
}

impl Difference {
    /// The same with its line and column, in a document of which these bytes are held.
    pub(crate) fn told(self, lines: &mut Lines, held: &[u8]) -> Disagreement {
        let Position { line, column, .. } = lines.position(held, self.at);
        let what = self.fault.to_string();
        Disagreement { line, column, what }
    }
}

impl Fault {
    pub(crate) fn at<T>(self, at: usize) -> Result<T, Difference> {
        Err(Difference { at, fault: self })
    }
}
