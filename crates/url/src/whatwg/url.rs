//! A URL record: what the URL Standard's parser gives.

/// A URL record (URL Standard §4.1): what [`parse`](super::parse()) gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    pub(super) text: String,
    /// What the crate gives, if the scheme is not `file`. Where the crate refuses the host, this has a
    /// [stand-in](super::host::stand_in).
    pub(super) read: Option<url::Url>,
}

impl Url {
    /// The URL's serialisation.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its scheme, in lower case and without the colon.
    pub fn scheme(&self) -> &str {
        self.read.as_ref().map_or("file", url::Url::scheme)
    }

    /// Whether the standard lists the scheme as special.
    pub fn is_special(&self) -> bool {
        self.read.as_ref().is_none_or(url::Url::is_special)
    }

    /// Whether the path is opaque, so only fragments are relative to it.
    pub fn cannot_be_a_base(&self) -> bool {
        (self.read.as_ref()).is_some_and(url::Url::cannot_be_a_base)
    }
}
