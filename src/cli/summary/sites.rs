//! What is said at the end of a run about sites that move, are mirrored, or become relative.

use super::notice::Notice;
use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::terminal::passwords::masked;
use crate::cli::terminal::print::{MessageLevel, OneLine, PathLine, counted};

pub(super) fn wrapped(end: &RunEnd) -> Option<Notice> {
    let text = counted(
        end.report.tally.wrapped,
        "1 link is that of a web archive (/web/2020…/http://…): --unwrap takes the URL in it",
        "# links are those of a web archive (/web/2020…/http://…): --unwrap takes the URL in them",
    )?;
    Some(Notice {
        level: MessageLevel::Warning,
        text,
        hint: None,
    })
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
    Some(Notice {
        level: MessageLevel::Warning,
        text,
        hint: Some("--converted-links always reads names as wget writes them".to_owned()),
    })
}

pub(super) fn error_pages(end: &RunEnd) -> Option<Notice> {
    let text = counted(
        end.report.error_pages,
        "links in 404.html begin at the root (--to root): servers show it for any path",
        "links in # pages 404.html begin at the root (--to root): servers show them for any path",
    )?;
    Some(Notice {
        level: MessageLevel::Note,
        text,
        hint: None,
    })
}

pub(super) fn feeds_left(end: &RunEnd) -> Option<Notice> {
    let report = &end.report;
    let first = PathLine(report.feed_left.as_deref()?);
    let text = counted(
        report.feeds_left,
        &format!("1 feed has relative links and no base URL; unchanged: {first}"),
        &format!("# feeds have relative links and no base URL; unchanged: {first}, …"),
    )?;
    Some(Notice {
        level: MessageLevel::Note,
        text,
        hint: Some("give one with --base-url".to_owned()),
    })
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
            "1 file that pages name with integrity= {changed}, so browsers will not load it: {names}"
        ),
        &format!(
            "# files that pages name with integrity= {changed}, so browsers will not load them: {names}"
        ),
    )?;
    Some(Notice {
        level: MessageLevel::Warning,
        text,
        hint: None,
    })
}

pub(super) fn broken_policies(end: &RunEnd) -> Option<Notice> {
    let changed = if end.writes {
        "changed"
    } else {
        "would change"
    };
    let what = "inline styles or import maps by hash (Content-Security-Policy), and these";
    let text = counted(
        end.report.tally.hashed,
        &format!("1 page allows {what} {changed}, so browsers will not use them"),
        &format!("# pages allow {what} {changed}, so browsers will not use them"),
    )?;
    Some(Notice {
        level: MessageLevel::Warning,
        text,
        hint: None,
    })
}

pub(super) fn names_with_marks(end: &RunEnd) -> Option<Notice> {
    let links = end.report.tally.file_names;
    let text = counted(
        links,
        "1 link to a file with ? in its name became the URL it was saved from; --converted-links never keeps it",
        "# links to files with ? in their names became the URLs they were saved from; --converted-links never keeps them",
    );
    let text = text.filter(|_| end.base_option == BaseOption::Url)?;
    Some(Notice {
        level: MessageLevel::Note,
        text,
        hint: None,
    })
}

pub(super) fn other_site(end: &RunEnd) -> Option<Notice> {
    let (url, links) = (end.report.aliases.iter().rev()).max_by_key(|(_, links)| **links)?;
    let url = OneLine(masked(url));
    let text = counted(
        *links,
        &format!("1 link leads to {url}; --site {url} takes it as this site"),
        &format!("# links lead to {url}; --site {url} takes it as this site"),
    )?;
    Some(Notice {
        level: MessageLevel::Hint,
        text,
        hint: None,
    })
}

pub(super) fn built_for_root(end: &RunEnd) -> Option<Notice> {
    // A site that leads to itself in another way was not built for the root.
    let [in_tree, elsewhere, relative] = end.report.tally.from_root;
    let is_built_so = in_tree > elsewhere && in_tree > relative;
    let path = end.path_of_tree.as_deref().filter(|_| is_built_so)?;
    let text = counted(
        in_tree,
        &format!(
            "1 link from the root leads outside {path}, to a file that is in the tree: see docs/relative.md"
        ),
        &format!(
            "# links from the root lead outside {path}, to files that are in the tree: see docs/relative.md"
        ),
    )?;
    Some(Notice {
        level: MessageLevel::Hint,
        text,
        hint: None,
    })
}

/// What links from the root lead to where no URL is known.
pub(super) fn nameless(end: &RunEnd) -> Option<Notice> {
    let tally = &end.report.tally;
    let (root, host) = end.nameless.as_ref()?;
    let missing = counted(
        tally.nameless_missing,
        " (1 of them leads to no file there and stays)",
        " (# of them lead to no file there and stay)",
    );
    let text = format!(
        "no base URL given: links that begin with / are taken from {}{}",
        PathLine(root),
        missing.unwrap_or_default()
    );
    (tally.nameless > 0).then(|| Notice {
        level: MessageLevel::Note,
        text,
        hint: host.as_ref().map(|_| "--layout wget".to_owned()),
    })
}
