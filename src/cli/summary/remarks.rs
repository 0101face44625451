//! What a person should know about what was done, and the option that helps.

use std::path::{Path, PathBuf};

use super::notice::Notice;
use crate::batch::{Level, NoHost, Report};

use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::run::exit::Remaining;
use crate::cli::terminal::print::{OneLine, PathLine, counted};

/// What `base` says: what concerns base URLs alone.
pub(super) fn remarks_on_bases(end: &RunEnd) -> Vec<Notice> {
    let report = &end.report;
    let without = without_base(end).map(|(text, hint)| Notice {
        hint,
        ..Notice::warning(text)
    });
    let opaque = opaque_bases(report).map(Notice::warning);
    let mut lines: Vec<Notice> = [not_needed(end), without, opaque]
        .into_iter()
        .flatten()
        .collect();
    lines.extend(guessed(report).map(Notice::warning));
    lines.extend(missing(report));
    lines
}

/// Each names the option that helps.
pub(crate) fn remarks(end: &RunEnd) -> Vec<Notice> {
    let report = &end.report;
    let mut lines = Vec::new();
    lines.extend(not_needed(end));
    lines.extend(unresolved(end));
    let guessed = guessed(report).map(Notice::warning);
    lines.extend(guessed.map(|notice| notice.with_hint("abslink base shows why")));
    let by_map = counted(
        report.tally.guesses,
        "1 link may have a wrong URL now: the URL map has several pages, or none, for its file",
        "# links may have wrong URLs now: the URL map has several pages, or none, for their files",
    );
    lines.extend(by_map.map(Notice::warning));
    let sample = report.tally.sample.text();
    let placeholders = counted(
        report.tally.placeholders,
        &format!("left 1 link that begins with a template placeholder unchanged ({sample})"),
        &format!("left # links that begin with a template placeholder unchanged ({sample})"),
    );
    lines.extend(placeholders.map(Notice::note));
    lines.extend(divergent(report));
    let file_names = counted(
        report.tally.file_names,
        "1 link looks like the name of a file, as wget -k writes links",
        "# links look like names of files, as wget -k writes links",
    );
    let file_names = file_names.filter(|_| end.base_option != BaseOption::Url);
    lines.extend(file_names.map(|text| {
        Notice::warning(text).with_hint("--converted-links always reads all links like that")
    }));
    let stale = counted(
        report.stale_copies,
        "1 compressed copy (.gz, .br, .zst) is now out of date",
        "# compressed copies (.gz, .br, .zst) are now out of date",
    );
    lines.extend(stale.map(Notice::warning));
    lines.extend(missing(report));
    lines
}

fn guessed(report: &Report) -> Option<String> {
    counted(
        report.files_on_guess,
        "guessed the URL of 1 page",
        "guessed the URLs of # pages",
    )
}

fn unresolved(end: &RunEnd) -> Vec<Notice> {
    let report = &end.report;
    // References in the baseline pass without a word.
    let passes = end.known() > 0 && end.new_remaining(Remaining::Relative) == 0;
    let (one, many) = if end.examines {
        ("rewrite would leave 1 link", "rewrite would leave # links")
    } else {
        ("1 link left relative", "# links left relative")
    };
    let left = counted(report.tally.unresolved, one, many);
    let Some(left) = left.filter(|_| !passes) else {
        return Vec::new();
    };
    let opaque = opaque_bases(report);
    let Some((without, hint)) = without_base(end) else {
        return vec![match opaque {
            Some(opaque) => {
                Notice::warning(format!("{left}: {opaque}")).with_hint("abslink base shows it")
            }
            None => Notice::warning(format!(
                "{left}: unresolvable, or in a part of a message or a custom property that has to stay as it is"
            ))
            .with_hint("abslink check lists them"),
        }];
    };
    let hint = match hint {
        Some(hint) if end.report.without_host.is_some() => hint,
        Some(hint) => format!("{hint}; {SHOWN}"),
        None => SHOWN.to_owned(),
    };
    let mut lines = vec![Notice::warning(format!("{left}: {without}")).with_hint(hint)];
    lines.extend(opaque.map(Notice::warning));
    lines
}

fn divergent(report: &Report) -> Vec<Notice> {
    let mut lines = Vec::new();
    let divergent = counted(
        report.tally.divergent,
        "browsers resolve 1 link differently",
        "browsers resolve # links differently",
    );
    let Some(divergent) = divergent else {
        return lines;
    };
    let before_base = report.tally.before_base;
    let hint = if report.tally.divergent > before_base {
        "--resolver whatwg resolves as browsers do; abslink links shows both"
    } else {
        "abslink links shows both"
    };
    lines.push(Notice::warning(divergent).with_hint(hint));
    let above = counted(
        before_base,
        "1 of these is above the <base> of its page",
        "# of these are above the <base> of their pages",
    );
    lines.extend(above.map(|above| {
        let why = "browsers fetch such links before they read the <base>";
        Notice::warning(format!("{above}: {why}"))
            .with_hint("only the author can move the <base> up")
    }));
    lines
}

/// The option that says where documents are from, if each document does so itself.
fn not_needed(end: &RunEnd) -> Option<Notice> {
    let option = end.base_option.option().filter(|_| end.base_unused)?;
    Some(Notice::note(format!(
        "{option} had no effect: every page has its own <base href>"
    )))
}

/// The paths of the url map that lead nowhere.
fn missing(report: &Report) -> Option<Notice> {
    let text = counted(
        report.mapped_missing,
        "the URL map names 1 file that does not exist",
        "the URL map names # files that do not exist",
    )?;
    Some(Notice::warning(text).with_hint("its paths start at PATH, or at --root"))
}

const SHOWN: &str = "abslink base shows what is known";

/// Which documents have no base URL, why, and what gives them one.
fn without_base(end: &RunEnd) -> Option<(String, Option<String>)> {
    let report = &end.report;
    let in_records = report.records_without_base;
    let feeds = report.feeds_without_url;
    let files = report.files_without_base - in_records - feeds;
    let parts = [
        counted(feeds, "no URL for 1 feed", "no URL for # feeds"),
        counted(files, "no base URL for 1 page", "no base URL for # pages"),
        counted(
            in_records,
            "no usable WARC-Target-URI for 1 page",
            "no usable WARC-Target-URI for # pages",
        ),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return None;
    }
    let text = parts.join(", ");
    Some(match without_host(end) {
        Some((why, hint)) => (format!("{text}: {why}"), Some(hint)),
        None => (text, gives(end.base_option).map(str::to_owned)),
    })
}

/// What gives them one.
fn gives(base_option: BaseOption) -> Option<&'static str> {
    match base_option {
        BaseOption::Nothing => Some("give one with --base-url"),
        BaseOption::Map => Some("add a line to the URL map"),
        BaseOption::Url | BaseOption::Hosts(_) => None,
    }
}

/// Why a layout gives some documents no URL, and what to type.
fn without_host(end: &RunEnd) -> Option<(String, String)> {
    let found: &NoHost = end.report.without_host.as_ref()?;
    let BaseOption::Hosts(layout) = end.base_option else {
        return None;
    };
    let what = match &found.directory {
        Some(directory) => format!(
            "--layout {layout} expects a directory for each host, and `{}` does not look like a host",
            OneLine(directory)
        ),
        None => format!(
            "--layout {layout} expects a directory for each host, and {} is not in one",
            PathLine(&found.path)
        ),
    };
    let root = &found.root;
    let hint = match (found.level, &found.directory) {
        (Level::Above, _) => format!(
            "{} does, so give its parent: --layout {layout} {}",
            PathLine(root),
            PathLine(&above(root)),
        ),
        (Level::Below, Some(directory)) => format!(
            "a directory in it does, so give that: --layout {layout} {}",
            PathLine(&root.join(directory)),
        ),
        (_, Some(directory)) => format!(
            "for the pages of one site give its URL: -b URL; --any-host if `{}` is a host",
            OneLine(directory)
        ),
        (_, None) => "for the pages of one site give its URL: -b URL".to_owned(),
    };
    Some((what, hint))
}

/// The directory that holds another one, as one would type it.
fn above(directory: &Path) -> PathBuf {
    match (directory.file_name(), directory.parent()) {
        (Some(_), Some(parent)) if parent.as_os_str().is_empty() => ".".into(),
        (Some(_), Some(parent)) => parent.to_owned(),
        _ if directory == Path::new(".") => "..".into(),
        _ => directory.join(".."),
    }
}

/// How many documents have a `base` element to which no reference can be relative.
fn opaque_bases(report: &Report) -> Option<String> {
    counted(
        report.files_with_opaque_base,
        "1 page has a <base> that nothing can be relative to (mailto:, or a template placeholder)",
        "# pages have a <base> that nothing can be relative to (mailto:, or a template placeholder)",
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
            [
                "1,000 links left relative: no base URL for 2 pages / give one with --base-url; \
              abslink base shows what is known"
            ]
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
              give one with --base-url; abslink base shows what is known"
            ]
        );
        let unresolved = lines(|report| report.tally.unresolved = 1);
        assert!(
            unresolved[0].contains("abslink check lists them"),
            "{unresolved:?}"
        );
        let divergent = lines(|report| report.tally.divergent = 1);
        assert!(
            divergent[0].starts_with("browsers resolve 1 link differently / --resolver"),
            "{divergent:?}"
        );
        let useless = said(&RunEnd {
            base_option: BaseOption::Url,
            base_unused: true,
            ..RunEnd::of(report())
        });
        assert!(
            useless[0].starts_with("--base-url had no effect"),
            "{useless:?}"
        );
    }
}
