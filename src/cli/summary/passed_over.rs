//! Files that were left, though a run could take them.

use std::path::{Path, PathBuf};

use super::notice::{Notice, said};
use crate::batch::{Globs, Input, Report, Selection};
use crate::cli::args::Fact;
use crate::cli::run::end::RunEnd;
use crate::cli::run::mirror::links_to_skipped;
use crate::cli::terminal::print::{PathLine, counted};

/// The files that look like documents and were left because of their names.
pub(crate) fn passed_over(end: &RunEnd) -> impl Iterator<Item = Notice> {
    let report = &end.report;
    let not_taken = said(report.not_taken, Fact::LooksLikeHtml).map(|mut notice| {
        let links = match &end.plan.inputs[..] {
            [Input::Directory(root)] if !has_patterns(&end.plan.selection) => {
                links_to_skipped(root)
            }
            _ => 0,
        };
        let links = counted(links, "; at least # link[ leads|s lead] there");
        notice.text.push_str(&links.unwrap_or_default());
        notice
    });
    let feeds = counted(report.feeds_not_taken, "skipped # feed[|s]");
    let feeds = feeds.map(|text| {
        let text = with_first(&text, report.feeds_not_taken, &report.feed_not_taken);
        Notice::note(text).with_fact(Fact::FeedsSkipped)
    });
    [not_taken, feeds].into_iter().flatten()
}

/// Some files are left for other reasons.
fn has_patterns(selection: &Selection) -> bool {
    let none = Globs::default();
    selection.gitignore || selection.include != none || selection.exclude != none
}

/// A text about some files, and the first of them.
pub(super) fn with_first(text: &str, files: u64, first: &Option<PathBuf>) -> String {
    let first = PathLine(first.as_deref().unwrap_or(Path::new("")));
    let more = if files > 1 { ", …" } else { "" };
    format!("{text}: {first}{more}")
}

/// What may be a backup by its ending may be a page as well: that is not for a CI job to pass over.
pub(crate) fn likely_backups(report: &Report) -> Option<Notice> {
    said(report.backups, Fact::LikelyBackups)
}

/// The sitemaps and OPML that were left, which are no error with `--strict`.
pub(crate) fn lists_passed_over(report: &Report) -> Option<Notice> {
    let lists = report.lists_not_taken;
    let text = counted(
        lists,
        "skipped # [sitemap or OPML file|sitemaps or OPML files]",
    )?;
    let text = with_first(&text, lists, &report.list_not_taken);
    Some(Notice::note(text).with_fact(Fact::FeedsSkipped))
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn what_was_not_taken_is_counted() {
        let line = |not_taken| {
            passed_over(&RunEnd::of(Report {
                not_taken,
                ..report()
            }))
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
