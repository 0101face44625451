//! What a tree tells about the program that mirrored it, where nobody said so.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use abslink_html::base::retrieval::{Layout, Sources, comment};
use walkdir::WalkDir;

use super::level::{directories_alone, name};
use crate::batch::{Input, Plan, is_page};
use crate::cli::args::LocationArgs;

/// The layouts that a name tells, and the port that each writes behind a host's name.
const LAYOUTS: [(Layout, char); 3] = [
    (Layout::Wget, ':'),
    (Layout::WgetWindows, '+'),
    (Layout::Httrack, '_'),
];

/// How many files of a directory are looked at.
const MOST: usize = 200;

/// How much of a log or a page is read.
const HEAD: u64 = 64 << 10;

/// For what helps where pages have no base URL.
pub(super) fn describe(location: &LocationArgs, plan: &mut Plan) {
    let is_known = plan.retrieval.layout.is_some() || plan.retrieval.map.is_some();
    let [Input::Directory(root)] = &plan.inputs[..] else {
        return;
    };
    if is_known || location.root.is_some() || !plan.hints {
        return;
    }
    plan.mirror = layout(root);
    let above = Path::new(".").join(root).join("../hts-cache/new.txt");
    plan.map_above = above.is_file().then(|| parent(root));
}

/// The directory that holds another one, as one would type it.
fn parent(directory: &Path) -> PathBuf {
    match (directory.file_name(), directory.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => ".".into(),
        (Some(_), Some(parent)) => parent.to_owned(),
        _ => directory.join(".."),
    }
}

/// The layout by which each directory that has pages is a host.
fn layout(root: &Path) -> Option<&'static str> {
    let mut hosts = directories_alone(root);
    // Most trees are no mirrors, and are not walked for that.
    let may_be_host = |host: &String| LAYOUTS.iter().any(|(layout, _)| layout.is_host(host));
    if !hosts.iter().any(may_be_host) {
        return None;
    }
    hosts.retain(|directory| has_page(&root.join(directory)));
    let is_mirror = !hosts.is_empty() && !hosts.iter().any(|host| is_package(host));
    let is_layout = |(layout, _): &&(Layout, char)| hosts.iter().all(|host| layout.is_host(host));
    let of_port = |(_, mark): &&(Layout, char)| {
        let ends_so = |host: &String| {
            host.rsplit_once(*mark)
                .is_some_and(|(_, port)| port.parse::<u16>().is_ok())
        };
        hosts.iter().any(ends_so)
    };
    let known = LAYOUTS.iter().filter(is_layout);
    let known = known.clone().find(of_port).or_else(|| known.clone().next());
    known.filter(|_| is_mirror).map(|(layout, _)| name(layout))
}

fn has_page(directory: &Path) -> bool {
    pages(directory).next().is_some()
}

/// The first pages below a directory.
fn pages(directory: &Path) -> impl Iterator<Item = PathBuf> {
    let files = WalkDir::new(directory)
        .sort_by_file_name()
        .into_iter()
        .take(MOST);
    let files = files.flatten().filter(|entry| entry.file_type().is_file());
    files
        .map(|file| file.into_path())
        .filter(|path| is_page(path))
}

/// `socket.io` is more often a package than a host.
fn is_package(directory: &str) -> bool {
    let (word, ending) = directory.split_once('.').unwrap_or_default();
    !word.is_empty() && ["js", "io", "net"].contains(&ending)
}

/// The schemes of hosts, by what names their URLs in full: robots.txt, sitemaps, wget's log, the pages themselves.
pub(super) fn find_schemes(location: &LocationArgs, inputs: &[Input], sources: &mut Sources) {
    let layout = sources.layout.as_ref().filter(|layout| layout.has_hosts());
    let root = match (&location.root, inputs) {
        (Some(root), _) => root,
        (None, [Input::Directory(root)]) => root,
        _ => return,
    };
    let (Some(layout), None) = (layout, &location.scheme) else {
        return;
    };
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let logs: Vec<String> = ["wget.log", "wget-log", "hts-log.txt"]
        .map(|log| text(&root.join(log)))
        .into();
    let mut found = Vec::new();
    for directory in names.filter(|name| layout.is_host(name)) {
        let Some(host) = layout.host(&directory) else {
            continue;
        };
        let below = root.join(&directory);
        let own = ["robots.txt", "sitemap.xml"].map(|file| text(&below.join(file)));
        let listed = own
            .iter()
            .chain(&logs)
            .find_map(|text| in_text(text, &host));
        let by_page =
            || pages(&below).find_map(|page| comment::own_scheme(text(&page).as_bytes(), &host));
        found.extend(listed.or_else(by_page).map(|scheme| (host, scheme)));
    }
    sources.assumptions.schemes = found;
}

/// The scheme with which a text names a host last: a server may have sent wget from http to https.
fn in_text(text: &str, host: &str) -> Option<&'static str> {
    let last = |scheme: &str| {
        let start = format!("{scheme}://{host}");
        let mut found = text.rmatch_indices(&start);
        found
            .find(|(at, _)| {
                !text[at + start.len()..]
                    .starts_with(|c: char| c.is_alphanumeric() || ".:-".contains(c))
            })
            .map(|(at, _)| at)
    };
    match (last("http"), last("https")) {
        (None, None) => None,
        (http, https) => Some(if http > https { "http" } else { "https" }),
    }
}

/// The beginning of a file, if it can be read.
fn text(path: &Path) -> String {
    let mut head = Vec::new();
    let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
    if is_file && let Ok(file) = File::open(path) {
        // What was read before it failed may tell.
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    String::from_utf8_lossy(&head).into_owned()
}
