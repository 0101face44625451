//! The extended attribute in which wget and curl record a file's URL (`--xattr`).

use super::super::url_evidence::{Caveat, UrlEvidence};
use crate::base::BaseSource;

/// The attribute that holds the URL.
pub const ORIGIN: &str = "user.xdg.origin.url";

/// Attributes that curl writes beside it, and wget does not.
pub const OF_CURL: [&str; 2] = ["user.mime_type", "user.creator"];

/// What a file's extended attributes say.
///
/// # Examples
/// ```
/// use abslink_html::retrieval::Origin;
/// let origin = Origin { url: b"http://h/a".to_vec(), by_curl: false };
/// assert_eq!(origin.evidence().says, "http://h/a");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The value of [`ORIGIN`].
    pub url: Vec<u8>,
    /// Whether an attribute of [`OF_CURL`] is there too.
    pub by_curl: bool,
}

impl Origin {
    /// §3.3 asks for "the last URL used": that is what wget writes. Since version 7.86, curl writes
    /// the first one, even if it was redirected.
    pub fn evidence(&self) -> UrlEvidence {
        let url = String::from_utf8_lossy(&self.url);
        let caveat = self.by_curl.then_some(Caveat::Redirect);
        UrlEvidence::plain(BaseSource::Xattr, &url).with(caveat)
    }
}

#[cfg(test)]
mod tests {
    use super::{Caveat, Origin};

    #[test]
    fn what_curl_wrote_is_doubted() {
        let caveats = |by_curl| {
            Origin {
                url: b"http://h/".to_vec(),
                by_curl,
            }
            .evidence()
            .caveats
        };
        assert_eq!(caveats(true), [Caveat::Redirect]);
        assert_eq!(caveats(false), []);
    }

    #[test]
    fn no_url_is_no_base() {
        let origin = Origin {
            url: b"\xff".to_vec(),
            by_curl: false,
        };
        assert!(origin.evidence().url.is_err());
    }
}
