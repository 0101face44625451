//! Warnings and notes at the end of a run, each with the option that helps.

use super::notice::Notice;
use super::{bases, links, sites};
use crate::batch::FirstPaths;
use crate::cli::run::end::RunEnd;
use crate::cli::terminal::print::{self, Count, Number, PathLine, counted};

/// Each function gives at most one. The most serious are said first.
pub(crate) fn notices(end: &RunEnd) -> Vec<Notice> {
    let all: [fn(&RunEnd) -> Option<Notice>; 24] = [
        barren,
        bases::page_for_directory,
        links::above_root,
        links::tree_is_unknown,
        sites::wrapped,
        sites::query_names,
        sites::broken_integrity,
        sites::broken_policies,
        unfollowed,
        fields_without_rows,
        bases::map_of_httrack,
        sites::nameless,
        saved,
        folder,
        backups,
        not_as_named,
        broken_signatures,
        unknown_places,
        sites::error_pages,
        sites::feeds_left,
        links::groups_off,
        sites::names_with_marks,
        sites::other_site,
        sites::built_for_root,
    ];
    all.into_iter().filter_map(|notice| notice(end)).collect()
}

/// What decides whether there is anything to read.
pub(crate) const SELECTED_BY: &str =
    "--ext, --detect, --include and --exclude choose files; --allow-empty accepts none";

/// One wrong PATH among several.
fn barren(end: &RunEnd) -> Option<Notice> {
    let barren = &end.report.barren;
    // If all are so, an error says it.
    (!end.empty && !barren.is_empty()).then(|| {
        let paths = print::list(barren.iter().map(|path| PathLine(path)));
        Notice::warning(format!("no HTML found in {paths}")).with_hint(SELECTED_BY)
    })
}

/// A PATH in which all that might be read is behind symbolic links. If nothing was read at all, an error says
/// so.
fn unfollowed(end: &RunEnd) -> Option<Notice> {
    let links = end.report.links_not_followed;
    let text = links_not_followed(links).filter(|_| !end.empty)?;
    Some(Notice::warning(text).with_hint(FOLLOW))
}

/// The option that takes what is behind symbolic links.
pub(crate) const FOLLOW: &str = "--follow";

pub(crate) fn links_not_followed(links: u64) -> Option<String> {
    let (one, many) = (
        "1 symbolic link was not followed",
        "# symbolic links were not followed",
    );
    counted(links, one, many)
}

/// `--field` had no effect.
fn fields_without_rows(end: &RunEnd) -> Option<Notice> {
    let report = &end.report;
    let is_met = report.files_with_rows > 0 || end.stopped.is_some();
    (end.has_fields && !is_met && report.files > 0).then(|| {
        Notice::warning("--field had no effect: no file with rows was read")
            .with_hint("--ext +csv,jsonl searches directories for such files")
    })
}

/// The links into the folder that a browser has saved with a page.
fn saved(end: &RunEnd) -> Option<Notice> {
    let text = counted(
        end.report.tally.saved,
        "left 1 link to a file saved with the page unchanged",
        "left # links to files saved with the page unchanged",
    )?;
    Some(Notice::note(text).with_hint("--converted-links never makes them absolute"))
}

/// On standard output only the page comes out.
fn folder(end: &RunEnd) -> Option<Notice> {
    let leads = end.prints && end.report.tally.saved > 0;
    leads.then(|| Notice::note("keep the folder that was saved with the page beside the new one"))
}

/// The files that are backups of others, where they would be documents if they were not.
fn backups(end: &RunEnd) -> Option<Notice> {
    let left = &end.report.backups_left;
    (left.number > 0).then(|| {
        Notice::note(format!(
            "left {}: {}",
            Count(left.number, "backup"),
            named(left)
        ))
        .with_hint("give one as PATH to read it")
    })
}

/// Files by whose endings one would take them for style sheets and the like: error pages most often.
fn not_as_named(end: &RunEnd) -> Option<Notice> {
    let left = &end.report.not_as_named;
    let text = counted(
        left.number,
        "left 1 file that cannot be read as its extension says",
        "left # files that cannot be read as their extensions say",
    )?;
    Some(Notice::note(format!("{text}: {}", named(left))))
}

/// The first of some files, and how many more there are.
fn named(files: &FirstPaths) -> String {
    let named = print::list(files.paths.iter().map(|path| PathLine(path)));
    match files.number - files.paths.len() as u64 {
        0 => named,
        more => format!("{named} and {} more", Number(more)),
    }
}

fn broken_signatures(end: &RunEnd) -> Option<Notice> {
    let text = counted(
        end.report.broken_signatures,
        "1 DKIM signature is no longer valid",
        "# DKIM signatures are no longer valid",
    )?;
    Some(Notice::note(text))
}

/// Values in feeds that look like relative links, in elements that abslink does not know.
fn unknown_places(end: &RunEnd) -> Option<Notice> {
    const NAMED: usize = 3;
    let unknown = &end.report.unknown_places;
    let names = unknown.names();
    let text = counted(
        unknown.values,
        "1 value in an unknown element looks like a relative link",
        "# values in unknown elements look like relative links",
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
        .map(|name| format!("--attr '{name}:url'"))
        .collect();
    let takes = match (&options[..], unknown.values) {
        ([_], 1) => "takes it",
        ([_], _) => "takes them",
        _ => "take them",
    };
    let text = format!("{text} ({}{more})", named.join(", "));
    Some(Notice::note(text).with_hint(format!("{} {takes}", options.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Report;
    use abslink_containers::{Context, Settings, feed};

    #[test]
    fn unknown_places_come_with_their_option() {
        let said = |inside: &str| {
            let feed = format!("<rss><channel>{inside}</channel></rss>");
            let (context, settings) = (Context::default(), Settings::default());
            let read = feed::rewrite(feed.as_bytes(), &context, &settings, Default::default());
            let mut report = Report::default();
            report.unknown_places.merge(&read.examined.unknown);
            unknown_places(&RunEnd::of(report))
                .map(|notice| format!("{} / {}", notice.text, notice.hint.unwrap_or_default()))
        };
        assert_eq!(said("<f:a>x y</f:a>"), None);
        assert_eq!(
            said("<f:a>/x</f:a>").unwrap(),
            "1 value in an unknown element looks like a relative link (f:a) / \
             --attr 'f:a:url' takes it"
        );
        assert_eq!(
            said("<f:a>/x</f:a><f:b c='y.png'/><f:b c='z.png'/><g>/d</g><h>/e</h>").unwrap(),
            "5 values in unknown elements look like relative links \
             (f:b@c, f:a, g and 1 more) / --attr 'f:b@c:url' --attr 'f:a:url' --attr 'g:url' take them"
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
            assert_eq!(named(&files), expected);
        }
    }
}
