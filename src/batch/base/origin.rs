//! The attribute that records a file's URL.

use std::fs::File;

use abslink_html::base::retrieval::Sources;
use abslink_html::base::retrieval::xattr::Origin;

/// Reads it, if that is asked for. If it cannot be read, there is none.
#[cfg(unix)]
pub(crate) fn read(sources: &Sources, file: &File) -> Option<Origin> {
    use abslink_html::BaseSource;
    use abslink_html::base::retrieval::xattr::{OF_CURL, ORIGIN};
    use xattr::FileExt as _;
    if !sources.asks_for(BaseSource::Xattr) || !xattr::SUPPORTED_PLATFORM {
        return None;
    }
    let get = |name: &str| file.get_xattr(name).ok().flatten();
    let url = get(ORIGIN)?;
    let by_curl = OF_CURL.iter().any(|name| get(name).is_some());
    Some(Origin { url, by_curl })
}

/// There are no extended attributes.
#[cfg(not(unix))]
pub(crate) fn read(_: &Sources, _: &File) -> Option<Origin> {
    None
}
