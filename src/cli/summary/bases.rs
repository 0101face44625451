//! What concerns base URLs alone, and so what `base` says.

use super::notice::Notice;
use crate::cli::run::end::RunEnd;

/// Warnings first, then notes.
pub(super) fn notices(end: &RunEnd) -> Vec<Notice> {
    let notices = [page_for_directory(end), map_of_httrack(end)];
    notices.into_iter().flatten().collect()
}

/// A map that nobody named.
pub(super) fn map_of_httrack(end: &RunEnd) -> Option<Notice> {
    end.finds_map
        .then(|| Notice::note("using hts-cache/new.txt"))
}

/// The URL of a page, where that of a directory was needed.
pub(super) fn page_for_directory(end: &RunEnd) -> Option<Notice> {
    let url = end.directory_of_page.as_ref()?;
    Some(Notice::warning(format!(
        "--base-url names a page; using {url} as the directory's URL"
    )))
}
