//! Which form references get: what is in the tree, and what is moved.

use std::borrow::Cow;

use abslink_html::base::retrieval::{self, Sources};
use abslink_html::{MappedPrefix, MappedPrefixError, MappedPrefixes, Settings, Site, To};
use abslink_url::pre_step;

use super::typed::{self, TypedError};
use crate::cli::args::{FormArgs, LinkArgs};
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::OneLine;

/// Why the options that say which form references get cannot be combined.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FormError {
    #[error(transparent)]
    Typed(#[from] TypedError),
    #[error("--site {0}")]
    Site(MappedPrefixError),
    #[error("--site {}: a URL with `//` and a host is needed, as in https://example.org/", OneLine(masked(.0)))]
    SiteWithoutHost(String),
    #[error("--move-url: {0}")]
    Move(MappedPrefixError),
    #[error(
        "--move-url {} and --move-url {}: one moves what the other has moved; give the final URL",
        OneLine(masked(first)),
        OneLine(masked(second))
    )]
    Chained { first: String, second: String },
    #[error("--only-missing does not go with --to {to}")]
    OnlyAbsolute { to: &'static str },
    #[error(
        "--site says what is in the tree for --to relative and --to root: add one of them, or leave it out"
    )]
    SiteWithoutForm,
    #[error("--to keep changes nothing by itself")]
    KeepsAll,
    #[error("--try-ext is for --to files: add it, or leave --try-ext out")]
    EndingWithoutFiles,
    #[error("--try-ext {}: an ending as it follows a path is needed, as in .html", OneLine(.0))]
    Ending(String),
    #[error(
        "--to files needs the tree that the files are in: give its directory as PATH, or add --root DIR"
    )]
    FilesWithoutTree,
    #[error("--to {to} is not for web archives: leave it out to make their links absolute")]
    Archive { to: &'static str },
}

/// Adds what the options say to the settings of a run.
pub(super) fn add(
    reading: &LinkArgs,
    sources: &Sources,
    has_archive: bool,
    is_in_tree: bool,
    settings: &mut Settings,
) -> Result<(), FormError> {
    let FormArgs {
        to,
        try_ext,
        remove_base,
        site,
        move_url,
    } = &reading.forms;
    settings.moves = moves(move_url)?;
    if *to != To::Files && !try_ext.is_empty() {
        return Err(FormError::EndingWithoutFiles);
    }
    let is_ending =
        |ending: &str| !ending.is_empty() && !ending.contains(['/', '?', '#', '%', ' ']);
    if let Some(ending) = try_ext.iter().find(|ending| !is_ending(ending)) {
        return Err(FormError::Ending(ending.clone()));
    }
    settings.try_ext.clone_from(try_ext);
    settings.remove_base = *remove_base;
    settings.to = *to;
    if !to.is_short() && !site.is_empty() {
        return Err(FormError::SiteWithoutForm);
    }
    if *to == To::Absolute {
        return Ok(());
    }
    if *to == To::Keep && settings.moves.is_empty() && !settings.unwrap {
        return Err(FormError::KeepsAll);
    }
    if reading.only_missing {
        return Err(FormError::OnlyAbsolute { to: to.name() });
    }
    if *to == To::Keep {
        return Ok(());
    }
    if has_archive {
        return Err(FormError::Archive { to: to.name() });
    }
    if *to == To::Files && !is_in_tree {
        return Err(FormError::FilesWithoutTree);
    }
    for url in site {
        typed::check("--site", &pre_step(url))?;
    }
    for url in site {
        let site = Site::default().with(url);
        site.map_err(|error| site_error(url, error))?;
    }
    let moved = |url: &'_ String| settings.moves.moved(url).unwrap_or_else(|| url.clone());
    let urls = site.iter().map(moved).map(Cow::Owned);
    settings.site = Site::of(urls).map_err(FormError::Site)?;
    add_tree(sources, is_in_tree, settings)
}

/// Adds the URL of a tree to the site.
pub(super) fn add_tree(
    sources: &Sources,
    is_in_tree: bool,
    settings: &mut Settings,
) -> Result<(), FormError> {
    if !settings.to.is_short() {
        return Ok(());
    }
    let url = match &sources.layout {
        Some(retrieval::Layout::Tree(tree)) => Some(tree.directory()),
        _ => None,
    };
    let moved = url.and_then(|url| settings.moves.moved(url));
    let site = std::mem::take(&mut settings.site);
    // In a mirror each document has a server of its own.
    let site = site.with_own_server(is_in_tree && url.is_none());
    let site = site.with_tree(moved.as_deref().or(url));
    settings.site = site.map_err(|error| site_error(url.unwrap_or_default(), error))?;
    Ok(())
}

fn site_error(url: &str, error: MappedPrefixError) -> FormError {
    match error {
        MappedPrefixError::NotTwo => FormError::SiteWithoutHost(url.to_owned()),
        error => FormError::Site(error),
    }
}

fn moves(given: &[MappedPrefix]) -> Result<MappedPrefixes, FormError> {
    for moved in given {
        // Links with any scheme are moved, but only to one that is known.
        typed::check("--move-url", moved.parts().1)?;
    }
    let moves = MappedPrefixes::of(given.to_vec()).map_err(FormError::Move)?;
    match moves.chained() {
        None => Ok(moves),
        Some(chained) => {
            let [first, second] = chained.map(ToString::to_string);
            Err(FormError::Chained { first, second })
        }
    }
}
