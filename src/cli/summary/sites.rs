//! What is said at the end of a run about sites that move, are mirrored, or become relative.

use super::super::finished::Finished;
use super::super::print::{Level, PathLine, counted};
use super::notice::Notice;

pub(super) fn wrapped(finished: &Finished) -> Option<Notice> {
    let text = counted(
        finished.report.tally.wrapped,
        "1 link is that of a web archive (/web/2020…/http://…): --unwrap takes the URL in it",
        "# links are those of a web archive (/web/2020…/http://…): --unwrap takes the URL in them",
    )?;
    Some(Notice {
        level: Level::Warning,
        text,
        hint: None,
    })
}

pub(super) fn error_pages(finished: &Finished) -> Option<Notice> {
    let text = counted(
        finished.report.error_pages,
        "links in 404.html begin at the root (--to root): servers show it for any path",
        "links in # pages 404.html begin at the root (--to root): servers show them for any path",
    )?;
    Some(Notice {
        level: Level::Note,
        text,
        hint: None,
    })
}

pub(super) fn feeds_left(finished: &Finished) -> Option<Notice> {
    let report = &finished.report;
    let first = PathLine(report.feed_left.as_deref()?);
    let text = counted(
        report.feeds_left,
        &format!("1 feed has relative links and no base URL; unchanged: {first}"),
        &format!("# feeds have relative links and no base URL; unchanged: {first}, …"),
    )?;
    Some(Notice {
        level: Level::Note,
        text,
        hint: Some("give one with --base-url".to_owned()),
    })
}
