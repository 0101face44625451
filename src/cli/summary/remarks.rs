//! What a person should know about what was done, and the option that helps.

use super::notice::{Notice, said, said_with};
use crate::batch::{Level, NoHost, Report, Task};

use crate::cli::args::Fact;
use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::run::exit::Remaining;
use crate::cli::run::mirror::{above, common_directory};
use crate::cli::terminal::print::{Count, OneLine, PathLine, counted, list};
use abslink_html::base::retrieval::Layout;

/// What `base` says: what concerns base URLs alone.
pub(super) fn remarks_on_bases(end: &RunEnd) -> Vec<Notice> {
    let without = without_base(end).map(|(text, hint)| Notice::warning(text).with_hint(hint));
    let opaque = opaque_bases(&end.report).map(Notice::warning);
    let all = [
        not_needed(end),
        not_for_archives(end),
        without,
        opaque,
        said_with(end.report.files_on_guess, Fact::GuessedUrls, false),
        said(end.report.mapped_missing, Fact::MapLeadsNowhere),
        page_for_directory(end),
        map_of_httrack(end),
    ];
    all.into_iter().flatten().collect()
}

/// Each names the option that helps.
pub(crate) fn remarks(end: &RunEnd) -> Vec<Notice> {
    let (report, tally) = (&end.report, &end.report.tally);
    let [unresolved, opaque] = unresolved(end);
    let placeholders = counted(
        tally.placeholders,
        "left # [link that begins|links that begin] with a template placeholder unchanged",
    );
    let sample = tally.sample.text();
    let placeholders = placeholders.map(|text| {
        let is_mirror = matches!(end.base_option(), BaseOption::Hosts(_));
        Notice::note(format!("{text} ({sample})"))
            .with_fact(is_mirror.then_some(Fact::PlaceholdersInMirror))
    });
    let all = [
        not_needed(end),
        not_for_archives(end),
        unresolved,
        opaque,
        said(report.files_on_guess, Fact::GuessedUrls),
        said(tally.guesses, Fact::GuessedLinks),
        placeholders,
        said_with(
            tally.windows_paths,
            Fact::WindowsPaths,
            !matches!(end.plan.task, Task::Examine),
        ),
        said_with(
            tally.divergent,
            Fact::BrowsersDiffer,
            tally.divergent > tally.before_base,
        ),
        said(tally.before_base, Fact::BeforeBase),
        said(tally.file_names, Fact::NamesOfFiles).filter(|_| end.base_option() != BaseOption::Url),
        said(report.stale_copies, Fact::StaleCopies),
        copies_left(end),
        said(report.mapped_missing, Fact::MapLeadsNowhere),
    ];
    all.into_iter().flatten().collect()
}

/// What `--move-url` did not reach.
fn copies_left(end: &RunEnd) -> Option<Notice> {
    let copies = &end.report.copies_left;
    let places = copies.places().into_iter().take(3);
    let places = list(places.map(|(path, line)| format!("{}:{line}", PathLine(&path))));
    let text = "left # more cop[y|ies] of the host of --move-url, where no link is";
    let text = format!(
        "{} ({}: {places})",
        counted(copies.number, text)?,
        Count(copies.files(), "file")
    );
    Some(Notice::note(text).with_fact((!end.verbose).then_some(Fact::CopiesLeft)))
}

/// Why references stay as they are, and what else keeps some.
fn unresolved(end: &RunEnd) -> [Option<Notice>; 2] {
    let report = &end.report;
    // References in the baseline pass without a word.
    let passes = end.known() > 0 && end.new_remaining(Remaining::Relative) == 0;
    let text = if matches!(end.plan.task, Task::Examine) {
        "rewrite would leave # link[|s]"
    } else {
        "# link[|s] left relative"
    };
    let Some(left) = counted(report.tally.unresolved, text).filter(|_| !passes) else {
        return [None, None];
    };
    let (without, opaque) = (without_base(end), opaque_bases(report));
    // With a base they would be relative as well, and `check` lists them.
    let is_asked = matches!(end.plan.task, Task::Examine);
    let is_of_pages = report.records_without_base == 0 && opaque.is_none();
    if is_asked && end.base_option() == BaseOption::Nothing && is_of_pages {
        return [None, None];
    }
    let (why, hint, opaque) = match (without, opaque) {
        (Some((without, hint)), opaque) => {
            let hint = match &*hint {
                "" => Fact::GuessedUrls.hint(),
                _ => hint,
            };
            (without, hint, opaque)
        }
        (None, Some(opaque)) => (opaque, Fact::OpaqueBase.hint(), None),
        (None, None) => {
            let why = "unresolvable, or in a part of a message or a custom property that has to stay as it is";
            (why.to_owned(), Fact::Unresolved.hint(), None)
        }
    };
    let left = Notice::warning(format!("{left}: {why}")).with_hint(hint);
    [Some(left), opaque.map(Notice::warning)]
}

/// The option that says where documents are from, if each document does so itself.
fn not_needed(end: &RunEnd) -> Option<Notice> {
    let option = end.base_option().option().filter(|_| end.base_unused)?;
    Some(Notice::note(format!(
        "{option} had no effect: every page has its own <base href>"
    )))
}

/// The option that says where documents are from, beside archives that say so themselves.
fn not_for_archives(end: &RunEnd) -> Option<Notice> {
    let option = match end.base_option() {
        BaseOption::Hosts(_) => return None,
        option => option.option()?,
    };
    // What a project says is about its pages.
    (end.report.records > 0 && !end.plan.has_tree_url).then(|| {
        Notice::note(format!(
            "{option} is not for web archives: each record names its URL"
        ))
    })
}

/// The URL of a page, where that of a directory was needed.
pub(super) fn page_for_directory(end: &RunEnd) -> Option<Notice> {
    let parts = end.plan.parts.iter().map(|part| &part.plan);
    let mut plans = [&end.plan].into_iter().chain(parts);
    let (what, url) = plans.find_map(|plan| match &plan.retrieval.layout {
        Some(Layout::Tree(tree)) => Some((tree.more?, &tree.directory)),
        _ => None,
    })?;
    let text = format!("--base-url {what}; using {url} as the directory's URL");
    Some(Notice::warning(text))
}

/// A map that nobody named.
pub(super) fn map_of_httrack(end: &RunEnd) -> Option<Notice> {
    (end.plan.finds_map).then(|| Notice::note("using hts-cache/new.txt"))
}

/// Which documents have no base URL, why, and what gives them one.
fn without_base(end: &RunEnd) -> Option<(String, String)> {
    let report = &end.report;
    let in_records = report.records_without_base;
    let feeds = report.feeds_without_url;
    let files = report.files_without_base - in_records - feeds;
    let parts = [
        counted(feeds, "no URL for # feed[|s]"),
        counted(files, "no base URL for # page[|s]"),
        counted(in_records, "no usable WARC-Target-URI for # page[|s]"),
    ];
    let text = list(parts.into_iter().flatten());
    if text.is_empty() {
        return None;
    }
    if let Some((why, hint)) = without_host(end) {
        return Some((format!("{text}: {why}"), hint));
    }
    let plan = &end.plan;
    let hint = match (end.base_option(), &plan.map_above, plan.mirror) {
        _ if files == 0 && feeds == 0 => String::new(),
        (BaseOption::Nothing, Some(above), _) => {
            let map = above.join("hts-cache/new.txt");
            let [map, above] = [&map, above].map(|path| path.to_string_lossy());
            Fact::MapAbove.hint_with(&[&map, &above])
        }
        (BaseOption::Nothing, None, Some(layout)) => Fact::IsMirror.hint_with(&[layout]),
        (BaseOption::Nothing, ..) if plan.inputs.len() > 1 => {
            let root = common_directory(&plan.inputs);
            Fact::NoBaseOfSeveral.hint_with(&[&root.to_string_lossy()])
        }
        (BaseOption::Nothing, ..) => Fact::NoBase.hint(),
        (BaseOption::Map, ..) => Fact::NotInMap.hint(),
        (BaseOption::Url | BaseOption::Repo | BaseOption::Hosts(_), ..) => String::new(),
    };
    Some((text, hint))
}

/// Why a layout gives some documents no URL, and what to type.
fn without_host(end: &RunEnd) -> Option<(String, String)> {
    let found: &NoHost = end.report.without_host.as_ref()?;
    let BaseOption::Hosts(layout) = end.base_option() else {
        return None;
    };
    let what = match &found.directory {
        Some(directory) => format!("`{}` does not look like a host", OneLine(directory)),
        None => format!("{} is not in one", PathLine(&found.path)),
    };
    let what = format!("--layout {layout} expects a directory for each host, and {what}");
    let root = &found.root;
    let hint = match (found.level, &found.directory) {
        (Level::Above, _) => Fact::HostAbove.hint_with(&[&above(root).to_string_lossy()]),
        (Level::Below, Some(directory)) => {
            Fact::HostsBelow.hint_with(&[&root.join(directory).to_string_lossy()])
        }
        _ => Fact::NotAHost.hint(),
    };
    Some((what, hint))
}

/// How many documents have a `base` element to which no reference can be relative.
fn opaque_bases(report: &Report) -> Option<String> {
    counted(
        report.files_with_opaque_base,
        "# page[|s] [has|have] a <base> that nothing can be relative to (mailto:, or a template placeholder)",
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    /// The texts, each with its hint.
    fn said(end: &RunEnd) -> Vec<String> {
        let lines = remarks(end).into_iter();
        lines
            .map(|it| format!("{} / {}", it.text, it.hint.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn a_clean_run_says_nothing_more() {
        assert_eq!(said(&RunEnd::of(report())), [""; 0]);
    }

    #[test]
    fn each_line_names_what_helps() {
        let lines = |change: fn(&mut Report)| {
            let mut report = report();
            change(&mut report);
            said(&RunEnd::of(report))
        };
        let no_base = lines(|report| {
            report.tally.unresolved = 1_000;
            report.files_without_base = 2;
        });
        assert_eq!(
            no_base,
            ["1,000 links left relative: no base URL for 2 pages / add --base-url URL"]
        );
        let in_records = lines(|report| {
            report.tally.unresolved = 1_000;
            report.files_without_base = 3;
            report.records_without_base = 1;
        });
        assert_eq!(
            in_records,
            [
                "1,000 links left relative: no base URL for 2 pages, no usable WARC-Target-URI for 1 page / \
              add --base-url URL"
            ]
        );
        let unresolved = lines(|report| report.tally.unresolved = 1);
        assert!(
            unresolved[0].ends_with("see abslink check"),
            "{unresolved:?}"
        );
        let divergent = lines(|report| report.tally.divergent = 1);
        assert!(
            divergent[0].starts_with("browsers resolve 1 link differently / add --resolver"),
            "{divergent:?}"
        );
        let mut end = RunEnd::of(report());
        end.base_unused = true;
        let url = abslink_url::BaseUrl::parse("http://h/").unwrap();
        end.plan.retrieval.layout = Some(Layout::Document(url));
        let useless = said(&end);
        assert!(
            useless[0].starts_with("--base-url had no effect"),
            "{useless:?}"
        );
    }
}
