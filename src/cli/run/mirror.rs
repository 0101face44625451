//! What the first pages of a mirror tell.

use std::fs::File;
use std::path::{Path, PathBuf};

use abslink_html::sniff;
use aho_corasick::{AhoCorasick, MatchKind};
use walkdir::WalkDir;

use crate::batch::{self, Input, is_page};

/// How many files of a directory are looked at.
const MOST: usize = 200;

/// How much of a log or a page is read.
const HEAD: usize = 64 << 10;

/// The first pages below a directory.
pub(crate) fn pages(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    files(directory).filter(|path| is_page(path))
}

pub(crate) fn files(directory: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let files = WalkDir::new(directory)
        .sort_by_file_name()
        .into_iter()
        .take(MOST);
    let files = files.flatten().filter(|entry| entry.file_type().is_file());
    files.map(|file| file.into_path())
}

/// Whether pages call themselves `x/` and have links to `x/index.html`, as wget -k writes them.
pub(crate) fn has_links_to_index(root: &Path) -> bool {
    let (mut is_directory, mut is_linked) = (false, false);
    for page in pages(root) {
        let text = text(&page);
        let path = page.strip_prefix(root).unwrap_or(&page);
        let own = path.with_file_name("");
        let own = own.to_string_lossy();
        is_directory |= path.ends_with("index.html") && text.contains(&format!("://{own}\""));
        is_linked |= text.contains("index.html\"");
    }
    is_directory && is_linked
}

/// How many links of the first pages lead to each of some names, by the ways to spell it.
pub(crate) fn links_to(root: &Path, names: &[[String; 3]]) -> Vec<u64> {
    let mut links = vec![0; names.len()];
    let spellings = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostLongest)
        .build(names.iter().flatten());
    let Ok(spellings) = spellings else {
        return links;
    };
    let texts = pages(root)
        .take_while(|_| !names.is_empty())
        .map(|page| text(&page));
    for text in texts {
        for found in spellings.find_iter(&text) {
            let (before, behind) = (&text[..found.start()], &text[found.end()..]);
            let is_link = before.ends_with(['"', '\'', '=', '/'])
                && behind.starts_with(['"', '\'', '#', '>', ' ']);
            links[found.pattern().as_usize() / 3] += u64::from(is_link);
        }
    }
    links
}

/// How many of them lead to files that look like HTML and have no page's name.
pub(crate) fn links_to_skipped(root: &Path) -> u64 {
    let skipped =
        files(root).filter(|path| !is_page(path) && sniff::is_html(text(path).as_bytes()));
    let names = skipped.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let spelled = |name: String| [name.replace('&', "&amp;"), name.replace('?', "%3F"), name];
    links_to(root, &names.map(spelled).collect::<Vec<_>>())
        .iter()
        .sum()
}

/// The port that all URLs of a host have in its pages: wget2 leaves it out of the directory's name.
pub(crate) fn port(root: &Path, host: &str) -> Option<u16> {
    let ports = |page: PathBuf| -> Vec<Option<u16>> {
        let text = text(&page);
        let digits = |rest: &str| -> String {
            let rest = rest.strip_prefix(':').unwrap_or_default();
            rest.chars().take_while(char::is_ascii_digit).collect()
        };
        let rests = behind_host(&text, "", host);
        rests.map(|rest| digits(rest).parse().ok()).collect()
    };
    let directory = root.join(host);
    let mut ports = pages(&directory).flat_map(ports);
    let first = ports.next()??;
    ports.all(|port| port == Some(first)).then_some(first)
}

/// What follows on each URL of a host in a text.
pub(crate) fn behind_host<'t>(
    text: &'t str,
    scheme: &str,
    host: &str,
) -> impl Iterator<Item = &'t str> {
    let start = format!("{scheme}://{host}");
    let ends: Vec<usize> = text
        .match_indices(&start)
        .map(|(at, _)| at + start.len())
        .collect();
    let rests = ends.into_iter().map(|end| &text[end..]);
    rests.filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || ".-".contains(c)))
}

/// The beginning of a file, if it can be read.
pub(crate) fn text(path: &Path) -> String {
    let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
    let file = File::open(path).ok().filter(|_| is_file);
    let head = file.map_or_else(Vec::new, |file| batch::head(&file, HEAD));
    String::from_utf8_lossy(&head).into_owned()
}

/// The directory that all PATHs are in, or are.
pub(crate) fn common_directory(inputs: &[Input]) -> PathBuf {
    let directories = inputs.iter().filter_map(|input| match input {
        Input::File(path) => path.parent(),
        Input::Directory(path) => Some(path.as_path()),
        Input::Stdin => None,
    });
    let common = directories.map(Path::to_owned).reduce(|common, path| {
        let pairs = common.components().zip(path.components());
        let same = pairs.take_while(|(one, other)| one == other);
        same.map(|(component, _)| component).collect()
    });
    match common {
        Some(common) if !common.as_os_str().is_empty() => common,
        _ => ".".into(),
    }
}

/// The directory that holds another one, as one would type it.
pub(crate) fn above(directory: &Path) -> PathBuf {
    match (directory.file_name(), directory.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => ".".into(),
        (Some(_), Some(parent)) => parent.to_owned(),
        _ if directory == Path::new(".") => "..".into(),
        _ => directory.join(".."),
    }
}
