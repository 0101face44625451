//! Why the second reader does not agree.

/// What is wrong with what was made of a document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error("it is no reference, and changed")]
    NoReference,
    #[error("it is no place of a URL, and changed")]
    NoPlace,
    #[error("it is no value, and changed")]
    NoValue,
    #[error("it is not the first of that name, and changed")]
    NotFirst,
    #[error("its value ends elsewhere")]
    ValueEnds,
    #[error("its instruction ends elsewhere")]
    InstructionEnds,
    #[error("it is quoted in another way")]
    Quotes,
    #[error("the markup in its text changed")]
    Markup,
    #[error("it has a `<`, which must not stand in a value")]
    LessThan,
    #[error("it has a `&` that begins no reference")]
    Ampersand,
    #[error("its base URL is another one")]
    Base,
    #[error("a base URL stays that should be gone")]
    BaseStays,
    #[error("it is nested too deep")]
    NestedDocument,
    #[error("the style sheet nests too deep")]
    NestedSheet,
    #[error("it was JSON, and is none any more")]
    NotJson,
    #[error("`{0}` is no string of JSON")]
    NotJsonString(String),
    #[error("it is not base64 any more")]
    NotBase64,
    #[error("its byte order mark changed")]
    ByteOrderMark,
    #[error("it is not spelled as its encoding spells it")]
    Encoding,
    #[error("the number of its URLs changed")]
    UrlCount,
    #[error("`{0}` is no URL, and is spelled in another way")]
    OtherSpelling(String),
    #[error("`{old}` is no URL, and became `{new}`")]
    NoUrl { old: String, new: String },
    #[error("a template placeholder changed")]
    Placeholder,
    #[error("what a template placeholder decides changed")]
    AroundPlaceholder,
    #[error("`{old}` has no base URL, and `{new}` was written")]
    NoBase { old: String, new: String },
    #[error("`{old}` does not resolve, and `{new}` was written")]
    Unresolved { old: String, new: String },
    #[error("`{old}` means {target}, and `{new}` was written")]
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

impl Fault {
    pub(crate) fn at<T>(self, at: usize) -> Result<T, Difference> {
        Err(Difference { at, fault: self })
    }
}
