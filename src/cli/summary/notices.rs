//! Warnings and notes at the end of a run, each with the option that helps.

use super::notice::{Notice, said, said_with};
use super::{links, remarks, sites};
use crate::batch::{Output, Plan, Report};
use crate::cli::args::Fact;
use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::terminal::print::{self, Count, PathLine, counted};
use abslink_html::base::retrieval::Layout;
use abslink_html::base::retrieval::mirror::ConvertedLinks;

/// The most serious are said first, and otherwise in this order.
pub(crate) fn notices(end: &RunEnd) -> Vec<Notice> {
    let (report, tally) = (&end.report, &end.report.tally);
    let all = [
        barren(end),
        remarks::page_for_directory(end),
        links::above_root(end),
        links::tree_is_unknown(end),
        said(
            tally.wrapped,
            match end.plan.html.unwrap {
                true => Fact::ArchivesOwn,
                false => Fact::InWebArchive,
            },
        ),
        // Names by wget -nH, where nobody has said so.
        said(tally.query_names, Fact::QueryNames).filter(|_| reads_marks(&end.plan)),
        sites::broken_integrity(end),
        sites::broken_policies(end),
        // A PATH in which all that might be read is behind symbolic links. If nothing was read at all, an
        // error says so.
        (links_not_followed(report.links_not_followed).filter(|_| !end.empty))
            .map(|text| Notice::warning(text).with_fact(Fact::LinksNotFollowed)),
        fields_without_rows(end),
        remarks::map_of_httrack(end),
        sites::nameless(end),
        sites::assumed_scheme(end),
        sites::links_to_index(end),
        sites::not_copied(end),
        said(tally.misnamed, Fact::Misnamed),
        // The links into the folder that a browser has saved with a page.
        said(tally.saved, Fact::SavedFolder),
        folder(end),
        backups(end),
        not_as_named(end),
        said(report.broken_signatures, Fact::BrokenSignatures),
        unknown_places(end),
        said_with(
            tally.in_values[0],
            Fact::StringsInValues,
            !end.plan.rows.is_empty(),
        ),
        said(tally.in_values[1], Fact::OddObjects),
        said(tally.in_values[2], Fact::CdataInHtml),
        said(report.error_pages, Fact::ErrorPages),
        sites::feeds_left(end),
        links::groups_off(end),
        said(tally.file_names, Fact::Converted).filter(|_| end.base_option() == BaseOption::Url),
        sites::other_site(end),
        sites::built_for_root(end),
    ];
    all.into_iter().flatten().collect()
}

/// One wrong PATH among several.
fn barren(end: &RunEnd) -> Option<Notice> {
    let barren = &end.report.barren;
    // If all are so, an error says it.
    (!end.empty && !barren.is_empty()).then(|| {
        let paths = print::list(barren.iter().map(|path| PathLine(path)));
        Notice::warning(format!("no HTML found in {paths}")).with_fact(of_barren(&end.report))
    })
}

/// What helps where there was nothing to read.
pub(crate) fn of_barren(report: &Report) -> Fact {
    match (report.not_taken, report.markdown_not_taken) {
        (0, 1..) => Fact::MarkdownSkipped,
        _ => Fact::Barren,
    }
}

pub(crate) fn links_not_followed(links: u64) -> Option<String> {
    counted(links, "# symbolic link[|s] [was|were] not followed")
}

/// A `?` in the name of a file is a part of the path, as no option says how the files were named.
fn reads_marks(plan: &Plan) -> bool {
    let sources = &plan.retrieval;
    let is_tree = matches!(sources.layout, Some(Layout::Tree(_))) || sources.nameless.is_some();
    is_tree && plan.converted_links == ConvertedLinks::Auto
}

/// `--field` had no effect.
fn fields_without_rows(end: &RunEnd) -> Option<Notice> {
    let report = &end.report;
    let is_met = report.files_with_rows > 0 || end.stopped.is_some();
    (!end.plan.rows.is_empty() && !is_met && report.files > 0).then(|| {
        Notice::warning("--field had no effect: no file with rows was read")
            .with_fact(end.has_directory().then_some(Fact::NoRows))
    })
}

/// On standard output only the page comes out.
fn folder(end: &RunEnd) -> Option<Notice> {
    let is_printed = end.plan.output() == Some(&Output::Stdout);
    let leads = is_printed && end.report.tally.saved > 0;
    leads.then(|| Notice::note("keep the folder that was saved with the page beside the new one"))
}

/// The files that are backups of others, where they would be documents if they were not.
fn backups(end: &RunEnd) -> Option<Notice> {
    let left = &end.report.backups_left;
    (left.number > 0).then(|| {
        Notice::note(format!(
            "left {}: {}",
            Count(left.number, "backup"),
            print::first(left)
        ))
        .with_fact(Fact::BackupsLeft)
    })
}

/// Files by whose endings one would take them for style sheets and the like: error pages most often.
fn not_as_named(end: &RunEnd) -> Option<Notice> {
    let left = &end.report.not_as_named;
    let text = counted(
        left.number,
        "left # file[|s] that cannot be read as [its extension says|their extensions say]",
    )?;
    Some(Notice::note(format!("{text}: {}", print::first(left))))
}

/// Values in feeds that look like relative links, in elements that abslink does not know.
fn unknown_places(end: &RunEnd) -> Option<Notice> {
    const NAMED: usize = 3;
    let unknown = &end.report.unknown_places;
    let names = unknown.names();
    let text = counted(
        unknown.values,
        "# [value in an unknown element looks like a relative link|values in unknown elements look like \
         relative links]",
    )?;
    let named = &names[..names.len().min(NAMED)];
    if named.is_empty() {
        return Some(Notice::note(text));
    }
    let more = match names.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let options: Vec<String> = named
        .iter()
        .map(|name| format!("{name}:{}", unknown.kind(name)))
        .collect();
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let text = format!("{text} ({}{more})", named.join(", "));
    Some(Notice::note(text).with_hint(Fact::UnknownElement.hint_with(&options)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::FirstPaths;
    use abslink_containers::{Context, Settings, feed};
    use abslink_html::shared::Merge as _;

    #[test]
    fn unknown_places_come_with_their_option() {
        let said = |inside: &str| {
            let feed = format!("<rss><channel>{inside}</channel></rss>");
            let (context, settings) = (Context::default(), Settings::default());
            let read = feed::rewrite(feed.as_bytes(), &context, &settings, Default::default());
            let mut report = Report::default();
            report.unknown_places.add_up(&read.examined.unknown);
            unknown_places(&RunEnd::of(report))
                .map(|notice| format!("{} / {}", notice.text, notice.hint.unwrap_or_default()))
        };
        assert_eq!(said("<f:a>x y</f:a>"), None);
        assert_eq!(
            said("<f:a>/x</f:a>").unwrap(),
            "1 value in an unknown element looks like a relative link (f:a) / \
             add --attr f:a:url"
        );
        assert_eq!(
            said("<f:a>/x</f:a><f:b c='y.png'/><f:b c='z.png'/><g>/d</g><h>/e</h>").unwrap(),
            "5 values in unknown elements look like relative links \
             (f:b@c, f:a, g and 1 more) / add --attr f:b@c:url, add --attr f:a:url, add --attr g:url"
        );
    }
    #[test]
    fn some_files_are_named_and_the_others_counted() {
        let mut files = FirstPaths::default();
        for (path, expected) in [
            ("c", "c"),
            ("a", "a, c"),
            ("d", "a, c, d"),
            ("b", "a, b, c and 1 more"),
            ("e", "a, b, c and 2 more"),
        ] {
            files.count(path.as_ref());
            assert_eq!(print::first(&files), expected);
        }
    }
}
