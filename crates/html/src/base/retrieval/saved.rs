//! What a browser saves with a page: the folder beside it (`page_files`), and the frames in that.
//!
//! The links into the folder are the browser's. No server knows them, and the page needs the files where they
//! are, whatever its base URL is.

use std::sync::Arc;

use super::mirror::Files;
use super::path::{is_path_byte, split_name};
use super::target::DocumentPlace;
use abslink_url::percent;
use abslink_url::rfc1808::Components;

/// The endings of pages that browsers save, longer ones first; a page may have none.
pub const ENDINGS: [&str; 6] = [".xhtml", ".shtml", ".html", ".htm", ".xht", ""];

/// The files that a browser has saved with a document.
#[derive(Clone, Debug)]
pub struct SavedFiles {
    place: DocumentPlace,
    files: Arc<dyn Files>,
    /// The folders that the document is in and that were saved with other pages; their paths end with a slash.
    around: Vec<Vec<u8>>,
}

impl SavedFiles {
    /// Those of the document at `path`, which a browser has saved.
    pub fn new(path: &[u8], files: Arc<dyn Files>, around: Vec<Vec<u8>>) -> SavedFiles {
        let place = DocumentPlace {
            path: path.to_owned(),
            ..DocumentPlace::default()
        };
        SavedFiles {
            place,
            files,
            around,
        }
    }

    /// Whether a reference leads to one of them, for a browser that has opened the document's file.
    pub(crate) fn are_led_to(&self, reference: &str) -> bool {
        let reference = Components::parse(reference);
        let Some(path) = self.place.local(&reference, None) else {
            return false;
        };
        let is_around = self.around.iter().any(|folder| path.starts_with(folder));
        (is_around || self.is_beside(&path)) && self.files.is_still_file(&path)
    }

    /// Whether there is a folder that was saved with the document, or that this is in.
    pub(crate) fn have_folder(&self) -> bool {
        let own = &self.place.path;
        let (directory, name) = split_name(own);
        let page = decoded(stem(name));
        let mut beside = self.files.directories(directory).into_iter();
        !self.around.is_empty()
            || beside.any(|folder| page_of(&folder).as_deref() == Some(&page[..]))
    }

    /// Whether a file is in a folder that was saved with the document.
    fn is_beside(&self, path: &[u8]) -> bool {
        let own = &self.place.path;
        let (directory, name) = split_name(own);
        let below = path.strip_prefix(directory);
        let folder = below.and_then(|below| below.split(|&byte| byte == b'/').next());
        below != folder
            && folder.is_some_and(|folder| page_of(folder).as_deref() == Some(&decoded(stem(name))))
            && !self.has_longer(directory, name)
    }

    /// Whether there is a page of the same name with a longer ending, which has the folder then.
    fn has_longer(&self, directory: &[u8], name: &[u8]) -> bool {
        let pages = ENDINGS.map(|ending| [directory, stem(name), ending.as_bytes()].concat());
        let mut longer = pages
            .iter()
            .filter(|page| page.len() > directory.len() + name.len());
        longer.any(|page| self.files.is_still_file(page))
    }
}

/// The name without its ending of the page that a browser saves a folder of this name with, decoded: `a b` for
/// `a%20b_files`. What follows a mark is in the user's language: `-Dateien`, `.files`, `_fichiers`.
///
/// # Examples
/// ```
/// use abslink_html::base::retrieval::saved::page_of;
///
/// assert_eq!(page_of(b"My%20Page_files").as_deref(), Some(&b"My Page"[..]));
/// assert_eq!(page_of(b"docs"), None);
/// assert_eq!(page_of(b"page_2"), None);
/// ```
pub fn page_of(folder: &[u8]) -> Option<Vec<u8>> {
    let folder = String::from_utf8(decoded(folder)).ok()?;
    Some(before_mark(&folder)?.into())
}

/// The names without their endings that the page may have beside a folder of this name.
pub fn pages_of(folder: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let written = std::str::from_utf8(folder).ok().and_then(before_mark);
    let decoded = page_of(folder);
    let encoded = decoded.as_ref().map(|page| {
        let mut encoded = String::new();
        percent::encode(page, is_path_byte, &mut encoded);
        encoded.into_bytes()
    });
    let mut pages: Vec<Vec<u8>> = written.map(Into::into).into_iter().collect();
    pages.extend(decoded);
    pages.extend(encoded);
    pages.dedup();
    pages.into_iter()
}

fn before_mark(folder: &str) -> Option<&str> {
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}');
    let page = folder.trim_end_matches(is_letter);
    let stem = page.strip_suffix(['_', '-', '.'])?;
    (!stem.is_empty() && page.len() < folder.len()).then_some(stem)
}

/// A name without its ending.
pub fn stem(name: &[u8]) -> &[u8] {
    match memchr::memrchr(b'.', name) {
        Some(dot) if dot > 0 => &name[..dot],
        _ => name,
    }
}

/// A name as it is compared.
pub fn decoded(name: &[u8]) -> Vec<u8> {
    std::str::from_utf8(name).map_or_else(|_| name.to_owned(), percent::decode)
}
