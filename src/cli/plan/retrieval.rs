//! What is known about the documents' retrieval URLs: --base-url, --layout, --url-map.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::batch::{self, Input};
use abslink_html::BaseSource;
use abslink_html::base::retrieval::repo::{Repo, RepoError};
use abslink_html::base::retrieval::tree::Tree;
use abslink_html::base::retrieval::url_map::{MapError, UrlMap};
use abslink_html::base::retrieval::{self, Sources};
use abslink_url::{BaseUrl, pre_step};

use super::Result;
use super::{check_url, inputs, level, none_and_others};
use crate::cli::args::{Fact, LayoutName, LocationArgs, UsageError, usage};
use crate::cli::run::mirror::common_directory;
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{OneLine, PathLine};

/// RFC 1808 §3.3: what is known about the documents' retrieval URLs.
pub(super) fn retrieval(location: &LocationArgs, inputs: &[Input]) -> Result<Sources> {
    if let Some(root) = &location.root {
        if inputs == [Input::Stdin] {
            return Err(usage!(
                "`-` is not below a directory: leave --root out, and give the URL of the document with -b"
            ));
        }
        let wrong = match root.metadata() {
            Ok(metadata) if metadata.is_dir() => None,
            Ok(_) => Some(
                "not a directory; it is the directory that --base-url or --repo stands for"
                    .to_owned(),
            ),
            Err(error) => Some(error.to_string()),
        };
        if let Some(wrong) = wrong {
            let root = PathLine(root);
            return Err(usage!("--root {root}: {wrong}"));
        }
    }
    let index = index(&location.index)?;
    let layout = match &location.repo {
        Some(url) => Some(repo(url)?),
        None => layout(location, inputs, &index)?,
    };
    let found = of_httrack(location, inputs);
    let map = location.url_map.as_deref().or(found.as_deref());
    let map = map.map(url_map).transpose()?;
    let is_found = found.is_some() && layout.is_none();
    let order = match (&location.url_from[..], layout.is_some() || map.is_some()) {
        // What the map does not name may have a comment.
        ([], true) if is_found => {
            let mut order = vec![BaseSource::Map];
            order.extend(Sources::default().order);
            order
        }
        ([], true) => vec![BaseSource::Map, BaseSource::Layout],
        ([], false) => Sources::default().order,
        (given, _) => given.to_vec(),
    };
    let given = !location.url_from.is_empty();
    if given && order.contains(&BaseSource::Map) && map.is_none() {
        return Err(usage!("--url-from map needs --url-map FILE"));
    }
    if given && order.contains(&BaseSource::Layout) && layout.is_none() {
        return Err(usage!("--url-from layout needs --base-url or --layout"));
    }
    let mut sources = Sources::default();
    sources.order = order;
    sources.layout = layout;
    sources.map = map;
    sources.assumptions.scheme = location.scheme.clone();
    sources.assumptions.index = index;
    sources.assumptions.any_host = location.any_host;
    level::check(location, inputs, &sources)?;
    Ok(sources)
}

/// The names of index pages, of which there may be none.
fn index(given: &[String]) -> Result<Vec<String>> {
    let is_none = |name: &String| name == "none";
    match given {
        [only] if is_none(only) => Ok(Vec::new()),
        given if given.iter().any(is_none) => Err(none_and_others("--index")),
        given if given.contains(&String::new()) => {
            Err(usage!("empty name in --index; `none` keeps all names"))
        }
        given => Ok(given.to_vec()),
    }
}

fn repo(url: &str) -> Result<retrieval::Layout> {
    let repo: Result<Repo, RepoError> = url.parse();
    repo.map(|repo| retrieval::Layout::Repo(Arc::new(repo)))
        .map_err(|error| {
            let message = format!("--repo {}: {error}", OneLine(masked(url)));
            match &error {
                RepoError::NoRef(example) => {
                    UsageError::new(message).because(Fact::NoRef, &[example])
                }
                _ => UsageError::new(message).because(Fact::UnknownForge, &[]),
            }
        })
}

/// Where the repository begins that the PATHs are in.
pub(super) fn root(location: &LocationArgs, inputs: &[Input]) -> Result<Option<PathBuf>> {
    if location.root.is_some() || location.repo.is_none() || inputs == [Input::Stdin] {
        return Ok(location.root.clone());
    }
    let directory = common_directory(inputs);
    batch::repository_of(&directory).map(Some).ok_or_else(|| {
        let message = format_args!("--repo: no `.git` above {}", PathLine(&directory)).to_string();
        UsageError::new(message).because(Fact::BelowRoot, &[&directory.to_string_lossy()])
    })
}

/// HTTrack's own map of a mirror, where nothing else tells the URLs.
pub(super) fn of_httrack(location: &LocationArgs, inputs: &[Input]) -> Option<PathBuf> {
    let root = inputs::root(location, inputs)?;
    let is_open =
        location.base_url.is_none() && location.url_map.is_none() && location.repo.is_none();
    let from = &location.url_from;
    let counts = from.is_empty() || from.contains(&BaseSource::Map);
    let map = root.join("hts-cache/new.txt");
    (is_open && counts && map.is_file()).then_some(map)
}

/// How paths spell URLs, if they do.
fn layout(
    location: &LocationArgs,
    inputs: &[Input],
    index: &[String],
) -> Result<Option<retrieval::Layout>> {
    // What cannot be examined may be a directory, and the run says what is wrong with it.
    let is_file = |input: &Input| match input {
        Input::File(path) => path.symlink_metadata().is_ok(),
        Input::Stdin => true,
        Input::Directory(_) => false,
    };
    let has_files = location.root.is_none() && inputs.iter().any(is_file);
    let url = match (location.layout, &location.base_url) {
        (None, None) => return Ok(None),
        (Some(LayoutName::Tree), _) if location.any_host => {
            return Err(usage!(
                "--any-host is for layouts in which the first directory is a host: wget, wget-windows, httrack"
            ));
        }
        (Some(LayoutName::Tree), None) => {
            return Err(usage!(
                "--layout tree needs --base-url, the URL that the tree stands for"
            ));
        }
        (None | Some(LayoutName::Tree), Some(_))
            if location.scheme.is_some() && location.url_from.is_empty() =>
        {
            return Err(usage!(
                "--scheme is for layouts without schemes; --base-url has one"
            ));
        }
        (None | Some(LayoutName::Tree), Some(url)) => pre_step(url),
        (Some(_), Some(_)) => {
            return Err(usage!(
                "--base-url is for --layout tree only: in the other layouts the directories name their \
                 hosts; leave one of the two options out"
            ));
        }
        (Some(_), None) if has_files => {
            return Err(usage!(
                "with this --layout the first directory is a host: give the mirror's directory as PATH, or \
                 add --root DIR for files below it"
            ));
        }
        (Some(LayoutName::Wget), None) => return Ok(Some(retrieval::Layout::Wget)),
        (Some(LayoutName::WgetWindows), None) => return Ok(Some(retrieval::Layout::WgetWindows)),
        (Some(LayoutName::Httrack), None) => return Ok(Some(retrieval::Layout::Httrack)),
        (Some(LayoutName::Wayback), None) => return Ok(Some(retrieval::Layout::Wayback)),
    };
    if url.contains(' ') {
        let shown = OneLine(masked(&url));
        let error = usage!("--base-url {shown}: URLs cannot contain spaces");
        return Err(error.because(Fact::WrongValue, &[&url, &url.replace(' ', "%20")]));
    }
    check_url("--base-url", &url)?;
    let layout = match inputs {
        [Input::File(_) | Input::Stdin] if location.root.is_none() => {
            BaseUrl::parse(&url).map(retrieval::Layout::Document)
        }
        inputs if location.root.is_none() && inputs.len() > 1 => {
            // A word that belongs to an option, as in `--ext html css`, is the likelier slip.
            let missing = inputs.iter().find_map(|input| match input {
                Input::File(path) if path.symlink_metadata().is_err() => Some(PathLine(path)),
                _ => None,
            });
            return Err(match missing {
                Some(path) => usage!("{path}: no such file or directory"),
                None => usage!("several PATHs share one --base-url").because(
                    Fact::BelowRoot,
                    &[&common_directory(inputs).to_string_lossy()],
                ),
            });
        }
        _ => Tree::new(&url, index).map(retrieval::Layout::Tree),
    };
    layout.map(Some).map_err(|reason| {
        let url = OneLine(masked(&url));
        usage!("--base-url {url}: {reason}")
    })
}

/// Why a map is not opened: a named pipe may never get a writer, and a device may have no end.
const NO_FILE: &str = "not a regular file; give one, or the output of a command that runs \
                       meanwhile: --url-map <(COMMAND)";

/// Reads the map. The pipe that a shell passes for the output of a command is open already, and has
/// no name.
fn url_map(path: &Path) -> Result<Arc<UrlMap>> {
    let is_other = |path: &Path| {
        let named = path.canonicalize().and_then(std::fs::metadata);
        named.is_ok_and(|named| !named.is_file() && !named.is_dir())
    };
    let opened = if is_other(path) {
        Err(io::Error::other(NO_FILE))
    } else {
        File::open(path)
    };
    let map = opened
        .map_err(MapError::Read)
        .and_then(|file| UrlMap::read(BufReader::with_capacity(1 << 16, file)));
    let path = PathLine(path);
    map.map(Arc::new).map_err(|error| match error {
        MapError::Line { line, reason } => usage!("{path}:{line}: {reason}"),
        error => usage!("--url-map {path}: {error}"),
    })
}
