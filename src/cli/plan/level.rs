//! A mirror that is given one level too high: every URL would have a directory in it that no URL has,
//! or no host.

use std::fs;
use std::path::Path;

use super::Input;
use super::Result;
use crate::batch::default_endings;
use crate::cli::args::{Fact, LocationArgs, usage};
use crate::cli::run::end::name;
use crate::cli::run::mirror::text;
use crate::cli::terminal::print::{OneLine, PathLine};
use abslink_html::BaseSource;
use abslink_html::base::retrieval::{Layout, Sources, comment};
use abslink_url::rfc1808::Components;

/// Looks at the directories that paths are counted from.
pub(super) fn check(location: &LocationArgs, inputs: &[Input], sources: &Sources) -> Result<()> {
    let of_inputs = inputs.iter().filter_map(|input| match input {
        Input::Directory(path) => Some(path.as_path()),
        Input::File(_) | Input::Stdin => None,
    });
    let roots: Vec<&Path> = match &location.root {
        Some(root) => vec![root],
        None => of_inputs.collect(),
    };
    // A map comes first, and it may name files anywhere.
    let counts = sources.map.is_none() && sources.order.contains(&BaseSource::Layout);
    let Some(layout) = sources.layout.as_ref().filter(|_| counts) else {
        return Ok(());
    };
    for root in roots {
        match layout {
            Layout::Tree(tree) if location.layout.is_none() => twice(root, &tree.directory)?,
            layout if layout.has_hosts() && !location.any_host => below(root, layout)?,
            _ => {}
        }
    }
    Ok(())
}

/// An error if the only directory in `root` is the host of `url`, the URL that `root` stands for, or one of several hosts.
fn twice(root: &Path, url: &str) -> Result<()> {
    let parts = Components::parse(url);
    let (Some(scheme), Some(net_loc)) = (parts.scheme, parts.net_loc) else {
        return Ok(());
    };
    let host = net_loc.rsplit('@').next().unwrap_or_default();
    let layouts = [Layout::Wget, Layout::WgetWindows, Layout::Httrack];
    let is_host = |layout: &Layout, name: &str| layout.spells_host(name, host);
    let directories = directories_alone(root);
    // One of several is a host only where all are.
    if directories.len() > 1 && !directories.iter().all(|name| name.contains('.')) {
        return Ok(());
    }
    let spelled = directories.iter().filter_map(|directory| {
        // Whether a site calls itself www is soon forgotten.
        let other = match directory.strip_prefix("www.") {
            Some(bare) => bare.to_owned(),
            None => format!("www.{directory}"),
        };
        let is = |layout: &&Layout| is_host(layout, directory) || is_host(layout, &other);
        Some((directory, layouts.iter().find(is)?))
    });
    // One that is spelled as it is comes first.
    let Some((directory, layout)) =
        spelled.max_by_key(|(directory, layout)| is_host(layout, directory))
    else {
        return Ok(());
    };
    let below = root.join(directory);
    // If the host's directory lacks those of the URL, it stands for the URL itself.
    let is_whole = below.join(parts.path.trim_matches('/')).is_dir();
    let map = root.join("hts-cache/new.txt");
    let error = usage!(
        "{} has the directory {}, which is the host of --base-url and would be in URLs twice",
        PathLine(root),
        OneLine(directory)
    );
    Err(if !is_whole {
        error.because(Fact::HostTwiceInPart, &[&below.to_string_lossy()])
    } else if map.is_file() {
        error.because(Fact::HostTwiceWithMap, &[&map.to_string_lossy()])
    } else {
        error.because(Fact::HostTwice, &[name(layout), scheme])
    })
}

/// An error if the only directory in `root` is not a host, and contains one that is.
fn below(root: &Path, layout: &Layout) -> Result<()> {
    let Some(directory) = only_directory(root) else {
        return Ok(());
    };
    // The directory of a scheme, by wget --protocol-directories.
    let is_host = |name: &str| layout.is_host(name) || layout.holds_hosts(name);
    let canonical = root.canonicalize().ok();
    let itself = canonical
        .as_deref()
        .and_then(|path| path.file_name()?.to_str());
    if is_host(&directory) || itself.is_some_and(is_host) {
        return Ok(());
    }
    let mut names = directories(&root.join(&directory));
    match names.find(|name| layout.is_host(name)) {
        Some(host) => Err(usage!(
            "--layout {} finds no host: `{}` is the only directory in {} and does not look like one, but `{}` in it does",
            name(layout),
            OneLine(&directory),
            PathLine(root),
            OneLine(host),
        )
        .because(Fact::HostsBelow, &[&root.join(&directory).to_string_lossy()])),
        None => Ok(()),
    }
}

/// The directory that all documents are in, apart from HTTrack's index page of a mirror.
fn only_directory(root: &Path) -> Option<String> {
    let mut names = directories_alone(root).into_iter();
    names.next().filter(|_| names.next().is_none())
}

/// The directories in `root`, if there is no document beside them.
pub(super) fn directories_alone(root: &Path) -> Vec<String> {
    let is_document = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default();
        default_endings().any(|one| one.eq_ignore_ascii_case(ending))
            && !comment::is_index_of_httrack(text(path).as_bytes())
    };
    let files = fs::read_dir(root).into_iter().flatten().flatten();
    let mut files = files.map(|entry| entry.path());
    if files.any(|path| path.is_file() && is_document(&path)) {
        return Vec::new();
    }
    directories(root).collect()
}

/// The names of the directories in `parent` that a program may have made for a host.
fn directories(parent: &Path) -> impl Iterator<Item = String> + use<> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.path().is_dir());
    let names = directories.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name != "hts-cache" && !name.starts_with('.'))
}
