//! Files that were left, though a run could take them.

use std::path::Path;

use crate::batch::Report;

use super::super::print::{PathLine, counted};

/// The files that look like documents and were left, because of their names or as backups.
pub(crate) fn passed_over(report: &Report) -> impl Iterator<Item = String> {
    let not_taken = counted(
        report.not_taken,
        "1 other file looks like HTML; --detect-html takes it",
        "# other files look like HTML; --detect-html takes them",
    );
    let backups = counted(
        report.backups,
        "1 file that looks like HTML was not taken, since its name may be that of a backup; to take \
         it, give it as PATH",
        "# files that look like HTML were not taken, since their names may be those of backups; to \
         take one, give it as PATH",
    );
    let feed = report.feed_not_taken.as_deref().unwrap_or(Path::new(""));
    let feeds = counted(
        report.feeds_not_taken,
        &format!(
            "1 other file is a feed, {}; --detect-feeds takes it",
            PathLine(feed)
        ),
        &format!(
            "# other files are feeds, among them {}; --detect-feeds takes them",
            PathLine(feed)
        ),
    );
    [not_taken, feeds, backups].into_iter().flatten()
}

/// The sitemaps and OPML that were left, which are no error with `--strict`.
pub(crate) fn lists_passed_over(report: &Report) -> Option<String> {
    let list = report.list_not_taken.as_deref().unwrap_or(Path::new(""));
    counted(
        report.lists_not_taken,
        &format!(
            "1 other file is a sitemap or OPML, {}; --detect-feeds takes it",
            PathLine(list)
        ),
        &format!(
            "# other files are sitemaps or OPML, among them {}; --detect-feeds takes them",
            PathLine(list)
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn what_may_be_a_backup_is_counted() {
        let line = |backups| {
            passed_over(&Report {
                backups,
                ..report()
            })
            .next()
        };
        assert_eq!(line(0), None);
        for (number, start) in [(1, "1 file that looks like"), (2, "2 files that look like")] {
            assert!(line(number).is_some_and(|line| line.starts_with(start)));
        }
    }

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
        let one = "1 other file looks like HTML; --detect-html takes it";
        assert_eq!(line(1).as_deref(), Some(one));
        let many = "1,038 other files look like HTML; --detect-html takes them";
        assert_eq!(line(1_038).as_deref(), Some(many));
    }
}
