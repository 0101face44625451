//! Files that were left, though a run could take them.

use std::path::Path;

use super::notice::Notice;
use crate::batch::Report;
use crate::cli::terminal::print::{PathLine, counted};

/// The files that look like documents and were left because of their names.
pub(crate) fn passed_over(report: &Report) -> impl Iterator<Item = Notice> {
    let not_taken = counted(
        report.not_taken,
        "skipped 1 file that looks like HTML",
        "skipped # files that look like HTML",
    );
    let not_taken =
        not_taken.map(|text| Notice::note(text).with_hint("--detect html reads such files"));
    let feed = first(report.feed_not_taken.as_deref());
    let feeds = counted(
        report.feeds_not_taken,
        &format!("skipped 1 feed: {feed}"),
        &format!("skipped # feeds: {feed}, …"),
    );
    let feeds = feeds.map(|text| Notice::note(text).with_hint(DETECT_FEEDS));
    [not_taken, feeds].into_iter().flatten()
}

const DETECT_FEEDS: &str = "--detect feeds reads such files";

fn first(path: Option<&Path>) -> PathLine<'_> {
    PathLine(path.unwrap_or(Path::new("")))
}

/// What may be a backup by its ending may be a page as well: that is not for a CI job to pass over.
pub(crate) fn likely_backups(report: &Report) -> Option<String> {
    counted(
        report.backups,
        "skipped 1 file that looks like a backup by its name",
        "skipped # files that look like backups by their names",
    )
}

/// The sitemaps and OPML that were left, which are no error with `--strict`.
pub(crate) fn lists_passed_over(report: &Report) -> Option<Notice> {
    let list = first(report.list_not_taken.as_deref());
    let text = counted(
        report.lists_not_taken,
        &format!("skipped 1 sitemap or OPML file: {list}"),
        &format!("skipped # sitemaps or OPML files: {list}, …"),
    )?;
    Some(Notice::note(text).with_hint(DETECT_FEEDS))
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn what_was_not_taken_is_counted() {
        let line = |not_taken| {
            passed_over(&Report {
                not_taken,
                ..report()
            })
            .next()
            .map(|notice| notice.text)
        };
        assert_eq!(line(0), None);
        let one = "skipped 1 file that looks like HTML";
        assert_eq!(line(1).as_deref(), Some(one));
        let many = "skipped 1,038 files that look like HTML";
        assert_eq!(line(1_038).as_deref(), Some(many));
    }
}
