//! Which form references get: what is in the tree, and what is moved.

use std::borrow::Cow;
use std::path::Path;

use abslink_html::base::retrieval;
use abslink_html::{MappedPrefix, MappedPrefixError, MappedPrefixes, Site, To};
use abslink_url::pre_step;

use super::Result;
use super::{archive, check_url, is_in_tree};
use crate::batch::{Input, Plan};
use crate::cli::args::hints::new_directory;
use crate::cli::args::{Fact, LinkArgs, UsageError, usage};
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::OneLine;

/// Adds what the options say to the settings of a run.
pub(super) fn add(reading: &LinkArgs, plan: &mut Plan) -> Result<()> {
    let LinkArgs {
        to,
        try_ext,
        remove_base,
        site,
        move_url,
        ..
    } = reading;
    let has_archive = archive(plan).is_some();
    let is_in_tree = is_in_tree(plan);
    let settings = &mut plan.html;
    settings.moves = moves(move_url)?;
    let is_for_files = |ending: &String| *to == To::Relative && ending.contains('=');
    if *to != To::Files && !try_ext.iter().all(is_for_files) {
        return Err(usage!(
            "--try-ext goes with --to files, and .md=.html also with --to relative"
        )
        .because(Fact::TryExtAlone, &[]));
    }
    let is_part = |part: &str| !part.is_empty() && !part.contains(['/', '?', '#', '%', ' ', '=']);
    let is_ending = |ending: &str| match ending.split_once('=') {
        Some((source, page)) => is_part(source) && is_part(page),
        None => is_part(ending),
    };
    if let Some(ending) = try_ext.iter().find(|ending| !is_ending(ending)) {
        return Err(usage!(
            "--try-ext {}: an ending as it follows a path is needed, as in .html or .md=.html",
            OneLine(ending)
        ));
    }
    settings.try_ext.clone_from(try_ext);
    settings.remove_base = *remove_base;
    settings.to = *to;
    if !to.is_short() && !site.is_empty() {
        let error = usage!("--site goes with --to relative, --to root and --to files");
        return Err(error.because(Fact::SiteAlone, &[]));
    }
    if *to == To::Absolute {
        return Ok(());
    }
    if *to == To::Keep && settings.moves.is_empty() && !settings.unwrap {
        return Err(usage!("--to keep changes nothing by itself").because(Fact::KeepAlone, &[]));
    }
    let forbidden = |what: &str, option: &str| {
        let error = usage!("--to {} does not go with {what}", to.name());
        Err(error.because(Fact::FormForbidden, &[option]))
    };
    if reading.only_missing {
        return forbidden("--only-missing", "only-missing");
    }
    if *to == To::Keep {
        return Ok(());
    }
    if matches!(plan.retrieval.layout, Some(retrieval::Layout::Repo(_))) {
        return forbidden("--repo, which makes links absolute", "to");
    }
    if has_archive {
        return forbidden("web archives", "to");
    }
    if *to == To::Files && !is_in_tree {
        if !plan.rows.is_empty() {
            return forbidden("rows, which are not files", "to");
        }
        let directory = match &plan.inputs[..] {
            [Input::File(path), ..] => path.parent().filter(|it| !it.as_os_str().is_empty()),
            _ => None,
        };
        let directory = directory.unwrap_or(Path::new(".")).to_string_lossy();
        return Err(usage!("--to files needs the tree that the files are in")
            .because(Fact::FilesWithoutTree, &[&directory]));
    }
    for url in site {
        check_url("--site", &pre_step(url))?;
    }
    for url in site {
        let site = Site::default().with(url);
        site.map_err(|error| site_error(url, error))?;
    }
    let moved = |url: &'_ String| settings.moves.moved(url).unwrap_or_else(|| url.clone());
    let urls = site.iter().map(moved).map(Cow::Owned);
    settings.site = Site::of(urls).map_err(|error| usage!("--site {error}"))?;
    add_tree(plan)
}

/// Refuses to replace files by what a second run could not read: a path from the root may have been written for a
/// link on either server.
pub(super) fn check_in_place(plan: &Plan) -> Result<()> {
    if !plan.is_in_place() || plan.html.to != To::Root {
        return Ok(());
    }
    let own = match &plan.retrieval.layout {
        Some(retrieval::Layout::Tree(tree)) => Some(&*tree.directory),
        Some(retrieval::Layout::Document(url)) => Some(url.as_str()),
        _ => None,
    };
    let is_of_own = |moved: &MappedPrefix| own.is_none_or(|own| moved.moves(own));
    let leads = plan
        .html
        .moves
        .iter()
        .find(|it| it.changes_root() && is_of_own(it));
    let Some(moved) = leads else {
        return Ok(());
    };
    let moved = OneLine(masked(&moved.to_string())).to_string();
    Err(usage!(
        "-i --to root --move-url {moved}: a second run could not tell what a link like /x was relative to, since the \
         paths of FROM and TO differ"
    )
    .because(Fact::RootInPlace, &[&new_directory(&plan.inputs)]))
}

/// Adds the URL of a tree to the site.
pub(super) fn add_tree(plan: &mut Plan) -> Result<()> {
    let is_in_tree = is_in_tree(plan);
    let settings = &mut plan.html;
    if !settings.to.is_short() {
        return Ok(());
    }
    let url = match &plan.retrieval.layout {
        Some(retrieval::Layout::Tree(tree)) => Some(&*tree.directory),
        _ => None,
    };
    let moved = url.and_then(|url| settings.moves.moved(url));
    let mut site = std::mem::take(&mut settings.site);
    // In a mirror each document has a server of its own.
    site.has_own_server = is_in_tree && url.is_none();
    let site = site.with_tree(moved.as_deref().or(url));
    settings.site = site.map_err(|error| site_error(url.unwrap_or_default(), error))?;
    Ok(())
}

fn site_error(url: &str, error: MappedPrefixError) -> UsageError {
    match error {
        MappedPrefixError::NotTwo => usage!(
            "--site {}: a URL with `//` and a host is needed, as in https://example.org/",
            OneLine(masked(url))
        ),
        error => usage!("--site {error}"),
    }
}

fn moves(given: &[MappedPrefix]) -> Result<MappedPrefixes> {
    for moved in given {
        // Links with any scheme are moved, but only to one that is known.
        check_url("--move-url", moved.parts().1)?;
    }
    let moves =
        MappedPrefixes::of(given.to_vec()).map_err(|error| usage!("--move-url: {error}"))?;
    match moves.chained() {
        None => Ok(moves),
        Some(chained) => {
            let [first, second] = chained.map(ToString::to_string);
            Err(usage!(
                "--move-url {} and --move-url {}: one moves what the other has moved; give the final URL",
                OneLine(masked(&first)),
                OneLine(masked(&second))
            ))
        }
    }
}
