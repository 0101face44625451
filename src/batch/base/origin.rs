//! The attribute that records a file's URL.

use std::fs::File;

use crate::batch::read::attributes;
use abslink_html::BaseSource;
use abslink_html::base::retrieval::Sources;
use abslink_html::base::retrieval::xattr::{OF_CURL, ORIGIN, Origin};

/// Reads it, if that is asked for. If it cannot be read, there is none.
pub(crate) fn read(sources: &Sources, file: &File) -> Option<Origin> {
    if !sources.asks_for(BaseSource::Xattr) {
        return None;
    }
    let get = |name: &str| attributes::get(file, name).ok().flatten();
    let url = get(ORIGIN)?;
    let by_curl = OF_CURL.iter().any(|name| get(name).is_some());
    Some(Origin { url, by_curl })
}
