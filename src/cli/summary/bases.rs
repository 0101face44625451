//! What concerns base URLs alone, and so what `base` says.

use super::super::finished::Finished;
use super::super::print::Level;
use super::notice::Notice;

/// Warnings first, then notes.
pub(super) fn notices(finished: &Finished) -> Vec<Notice> {
    page_for_directory(finished).into_iter().collect()
}

/// The URL of a page, where that of a directory was needed.
pub(super) fn page_for_directory(finished: &Finished) -> Option<Notice> {
    let url = finished.directory_of_page.as_ref()?;
    Some(Notice {
        level: Level::Warning,
        text: format!("--base-url names a page; using {url} as the directory's URL"),
        hint: None,
    })
}
