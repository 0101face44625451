//! What is said at the end of a run about sites that move, are mirrored, or become relative.

use super::notice::Notice;
use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{MessageLevel, OneLine, PathLine, counted};

pub(super) fn wrapped(end: &RunEnd) -> Option<Notice> {
    let text = counted(
        end.report.tally.wrapped,
        "1 link leads into a web archive (/web/2020…/http://…)",
        "# links lead into a web archive (/web/2020…/http://…)",
    )?;
    Some(Notice::warning(text).with_hint("--unwrap replaces such links with the original URLs"))
}

/// Names by wget -nH, where nobody has said so.
pub(super) fn query_names(end: &RunEnd) -> Option<Notice> {
    let links = end.report.tally.query_names;
    let text = counted(
        links,
        "1 link may be wrong: ? in file names was read as %3F, not as the start of a query",
        "# links may be wrong: ? in file names was read as %3F, not as the start of a query",
    );
    let text = text.filter(|_| end.reads_marks)?;
    let hint = "--converted-links always reads names as wget writes them";
    Some(Notice::warning(text).with_hint(hint))
}

pub(super) fn error_pages(end: &RunEnd) -> Option<Notice> {
    let text = counted(
        end.report.error_pages,
        "links in 404.html begin at the root (as --to root writes them): servers show it for any path",
        "links in # pages named 404.html begin at the root (as --to root writes them): servers show them for any path",
    )?;
    Some(Notice::note(text))
}

pub(super) fn feeds_left(end: &RunEnd) -> Option<Notice> {
    let report = &end.report;
    let first = PathLine(report.feed_left.as_deref()?);
    let text = counted(
        report.feeds_left,
        &format!("left 1 feed unchanged: relative links, but no base URL: {first}"),
        &format!("left # feeds unchanged: relative links, but no base URL: {first}, …"),
    )?;
    Some(Notice::note(text).with_hint("give one with --base-url"))
}

pub(super) fn broken_integrity(end: &RunEnd) -> Option<Notice> {
    let (named, files) = &end.report.broken_pins;
    let mut names: Vec<String> = named
        .iter()
        .map(|path| PathLine(path).to_string())
        .collect();
    if *files > named.len() as u64 {
        names.push("…".to_owned());
    }
    let names = names.join(", ");
    let changed = if end.writes {
        "changed"
    } else {
        "would change"
    };
    let text = counted(
        *files,
        &format!(
            "1 file {changed} that pages check with integrity=; browsers will not load it: {names}"
        ),
        &format!(
            "# files {changed} that pages check with integrity=; browsers will not load them: {names}"
        ),
    )?;
    Some(Notice::warning(text))
}

pub(super) fn broken_policies(end: &RunEnd) -> Option<Notice> {
    let changed = if end.writes {
        "changed"
    } else {
        "would change"
    };
    let what =
        "an inline style or import map that its page allows by hash (Content-Security-Policy)";
    let text = counted(
        end.report.tally.hashed,
        &format!("{what} {changed} in 1 page; browsers will not use it"),
        &format!("{what} {changed} in # pages; browsers will not use it"),
    )?;
    Some(Notice::warning(text))
}

pub(super) fn names_with_marks(end: &RunEnd) -> Option<Notice> {
    let links = end.report.tally.file_names;
    let text = counted(
        links,
        "1 link to a file with ? in its name became the URL that the file was saved from",
        "# links to files with ? in their names became the URLs that the files were saved from",
    );
    let text = text.filter(|_| end.base_option == BaseOption::Url)?;
    Some(Notice::note(text).with_hint("--converted-links never keeps the file name"))
}

pub(super) fn other_site(end: &RunEnd) -> Option<Notice> {
    let (url, links) = (end.report.aliases.iter().rev()).max_by_key(|(_, links)| **links)?;
    let url = OneLine(masked(url));
    let text = counted(
        *links,
        &format!("--site {url} treats 1 link to {url} as a link within this site"),
        &format!("--site {url} treats # links to {url} as links within this site"),
    )?;
    Some(Notice::new(MessageLevel::Hint, text))
}

pub(super) fn built_for_root(end: &RunEnd) -> Option<Notice> {
    // A site that leads to itself in another way was not built for the root.
    let [in_tree, elsewhere, relative] = end.report.tally.from_root;
    let is_built_so = in_tree > elsewhere && in_tree > relative;
    let path = end.path_of_tree.as_deref().filter(|_| is_built_so)?;
    let text = counted(
        in_tree,
        &format!(
            "1 link from the root leads outside {path}, to a file of this tree; see docs/relative.md"
        ),
        &format!(
            "# links from the root lead outside {path}, to files of this tree; see docs/relative.md"
        ),
    )?;
    Some(Notice::new(MessageLevel::Hint, text))
}

/// What links from the root lead to where no URL is known.
pub(super) fn nameless(end: &RunEnd) -> Option<Notice> {
    let tally = &end.report.tally;
    let (root, host) = end.nameless.as_ref()?;
    let missing = counted(
        tally.nameless_missing,
        "; left 1 of them unchanged: no such file there",
        "; left # of them unchanged: no such files there",
    );
    let text = format!(
        "no base URL given: links that begin with / start at {}{}",
        PathLine(root),
        missing.unwrap_or_default()
    );
    let notice = match host {
        Some(_) => Notice::note(text).with_hint("--layout wget"),
        None => Notice::note(text),
    };
    (tally.nameless > 0).then_some(notice)
}
