//! A URL record: what the URL Standard's parser gives.

use std::borrow::Cow;

use url::Position;

/// A URL record (URL Standard §4.1): what [`parse`](super::parse()) gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// What the crate gives.
    pub(super) read: url::Url,
    /// The host, if the crate refuses it: then `read` has a [stand-in](super::host::stand_in).
    pub(super) refused_host: Option<String>,
}

impl Url {
    /// The URL's serialisation.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.refused_host {
            None => Cow::Borrowed(self.read.as_str()),
            Some(host) => {
                let (before, after) = (..Position::BeforeHost, Position::AfterHost..);
                Cow::Owned([&self.read[before], host, &self.read[after]].concat())
            }
        }
    }

    /// Its scheme, in lower case and without the colon.
    pub fn scheme(&self) -> &str {
        self.read.scheme()
    }

    /// Whether the standard lists the scheme as special.
    pub fn is_special(&self) -> bool {
        self.read.is_special()
    }

    /// Whether the path is opaque, so only fragments are relative to it.
    pub fn cannot_be_a_base(&self) -> bool {
        self.read.cannot_be_a_base()
    }
}
