//! A URL record: what the URL Standard's parser gives.

use std::borrow::Cow;

use url::Position;

use super::file::FileUrl;

/// A URL record (URL Standard §4.1): what [`parse`](super::parse()) gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url(pub(super) Record);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    File(FileUrl),
    Other(OtherUrl),
}

/// A URL with a scheme other than `file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OtherUrl {
    /// What the crate gives.
    pub(super) read: url::Url,
    /// The host, if the crate refuses it: then `read` has a [stand-in](super::host::stand_in).
    pub(super) refused_host: Option<String>,
}

impl Url {
    /// The URL's serialisation.
    pub fn text(&self) -> Cow<'_, str> {
        let OtherUrl { read, refused_host } = match &self.0 {
            Record::File(url) => return Cow::Borrowed(&url.0),
            Record::Other(url) => url,
        };
        match refused_host {
            None => Cow::Borrowed(read.as_str()),
            Some(host) => {
                let (before, after) = (..Position::BeforeHost, Position::AfterHost..);
                Cow::Owned([&read[before], host, &read[after]].concat())
            }
        }
    }

    /// Its scheme, in lower case and without the colon.
    pub fn scheme(&self) -> &str {
        self.other().map_or("file", url::Url::scheme)
    }

    /// Whether the standard lists the scheme as special.
    pub fn is_special(&self) -> bool {
        self.other().is_none_or(url::Url::is_special)
    }

    /// Whether the path is opaque, so only fragments are relative to it.
    pub fn cannot_be_a_base(&self) -> bool {
        self.other().is_some_and(url::Url::cannot_be_a_base)
    }

    fn other(&self) -> Option<&url::Url> {
        match &self.0 {
            Record::File(_) => None,
            Record::Other(url) => Some(&url.read),
        }
    }
}
