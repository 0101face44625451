//! Files that were left, though a run could take them.

use std::path::Path;

use crate::batch::Report;

use crate::cli::terminal::print::{PathLine, counted};

/// The files that look like documents and were left because of their names.
pub(crate) fn passed_over(report: &Report) -> impl Iterator<Item = String> {
    let not_taken = counted(
        report.not_taken,
        "1 other file looks like HTML; --detect html takes it",
        "# other files look like HTML; --detect html takes them",
    );
    let feed = report.feed_not_taken.as_deref().unwrap_or(Path::new(""));
    let feeds = counted(
        report.feeds_not_taken,
        &format!(
            "1 other file is a feed, {}; --detect feeds takes it",
            PathLine(feed)
        ),
        &format!(
            "# other files are feeds, among them {}; --detect feeds takes them",
            PathLine(feed)
        ),
    );
    [not_taken, feeds].into_iter().flatten()
}

/// What may be a backup by its ending may be a page as well: that is not for a CI job to pass over.
pub(crate) fn likely_backups(report: &Report) -> Option<String> {
    counted(
        report.backups,
        "1 file was left since its ending is that of a backup",
        "# files were left since their endings are those of backups",
    )
}

/// The sitemaps and OPML that were left, which are no error with `--strict`.
pub(crate) fn lists_passed_over(report: &Report) -> Option<String> {
    let list = report.list_not_taken.as_deref().unwrap_or(Path::new(""));
    counted(
        report.lists_not_taken,
        &format!(
            "1 other file is a sitemap or OPML, {}; --detect feeds takes it",
            PathLine(list)
        ),
        &format!(
            "# other files are sitemaps or OPML, among them {}; --detect feeds takes them",
            PathLine(list)
        ),
    )
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
        };
        assert_eq!(line(0), None);
        let one = "1 other file looks like HTML; --detect html takes it";
        assert_eq!(line(1).as_deref(), Some(one));
        let many = "1,038 other files look like HTML; --detect html takes them";
        assert_eq!(line(1_038).as_deref(), Some(many));
    }
}
