//! The folders that browsers save with pages: they go where the page goes.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::batch::path;
use crate::batch::plan::{Input, Output, Plan};
use crate::batch::read;
use abslink_html::base::retrieval::comment;
use abslink_html::base::retrieval::mirror::ConvertedLinks;
use abslink_html::base::retrieval::saved::{ENDINGS, decoded, page_of, pages_of, stem};

/// Whether a run copies the files of such folders, although it copies no others.
pub(crate) fn are_copied(plan: &Plan) -> bool {
    matches!(plan.output(), Some(Output::Directory { .. }))
        && !plan.copies_others()
        && plan.converted_links != ConvertedLinks::Never
}

/// Whether a browser has saved the page beside a directory, and the directory with it.
pub(crate) fn is_folder(directory: &Path) -> bool {
    let directory = match directory.file_name() {
        Some(_) => Some(directory.to_owned()),
        // `.` and the like have another name.
        None => Path::new(".").join(directory).canonicalize().ok(),
    };
    let Some(directory) = directory else {
        return false;
    };
    let folder = path::name(&directory);
    let names = pages_of(folder)
        .flat_map(|page| ENDINGS.map(|ending| [&page[..], ending.as_bytes()].concat()));
    let mut pages = names.filter_map(|name| Some(directory.with_file_name(path::native(&name)?)));
    pages.any(|page| is_page(&page))
}

/// Whether a browser has saved a file.
fn is_page(path: &Path) -> bool {
    let is_file = |path: &Path| path.symlink_metadata().is_ok_and(|it| it.is_file());
    is_file(path)
        && File::open(path)
            .is_ok_and(|file| comment::is_by_browser(&read::head(&file, comment::HEAD)))
}

/// The folders beside a file PATH, if a browser has saved them with it.
pub(crate) fn folders_of(input: &Input) -> Vec<PathBuf> {
    let Input::File(page) = input else {
        return Vec::new();
    };
    let (Some((directory, name)), true) = (path::split(page), is_page(page)) else {
        return Vec::new();
    };
    let own = decoded(stem(name.as_encoded_bytes()));
    let is_own = |name: &OsStr| page_of(name.as_encoded_bytes()).as_deref() == Some(&own[..]);
    let entries = fs::read_dir(path::or_here(directory))
        .into_iter()
        .flatten()
        .flatten();
    let folders = entries.filter(|entry| {
        let is_directory = entry.file_type().is_ok_and(|it| it.is_dir());
        is_directory && is_own(&entry.file_name())
    });
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}
