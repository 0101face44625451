//! What a person should know about what was done, and the option that helps.

use std::path::{Path, PathBuf};

use crate::batch::{Level, NoHost, Report};

use crate::cli::run::end::{BaseOption, RunEnd};
use crate::cli::run::exit::Remaining;
use crate::cli::terminal::print::{Count, OneLine, PathLine, counted};

/// What `base` says: what concerns base URLs alone.
pub(super) fn remarks_on_bases(end: &RunEnd) -> Vec<String> {
    let report = &end.report;
    let mut lines = Vec::new();
    lines.extend(not_needed(end));
    if report.files_without_base > 0 {
        lines.push(without_base(report, end.base_option).join(", and "));
    }
    if report.files_with_opaque_base > 0 {
        let opaque = opaque_bases(report);
        lines.push(
            opaque
                .trim_end_matches("; abslink base shows it")
                .to_owned(),
        );
    }
    if let (Some(found), BaseOption::Hosts(layout)) = (&report.without_host, end.base_option) {
        lines.push(without_host(found, layout));
    }
    if report.files_on_guess > 0 {
        lines.push(format!(
            "{} a URL that may be wrong",
            have(report.files_on_guess, "document"),
        ));
    }
    lines.extend(missing(report));
    lines
}

/// Each names the option that helps.
pub(crate) fn remarks(end: &RunEnd) -> Vec<String> {
    let report = &end.report;
    let mut lines = Vec::new();
    lines.extend(not_needed(end));
    lines.extend(unresolved(end));
    if let (Some(found), BaseOption::Hosts(layout)) = (&report.without_host, end.base_option) {
        lines.push(without_host(found, layout));
    }
    if report.files_on_guess > 0 {
        lines.push(format!(
            "{} a URL that may be wrong; abslink base shows why",
            have(report.files_on_guess, "document"),
        ));
    }
    if report.tally.guesses > 0 {
        lines.push(format!(
            "{} a new URL that may be wrong: the url map has several pages, or none, for the file",
            have(report.tally.guesses, "reference"),
        ));
    }
    let sample = report.tally.sample.text();
    lines.extend(counted(
        report.tally.placeholders,
        &format!("1 reference begins with a template placeholder ({sample}) and stays"),
        &format!("# references begin with a template placeholder ({sample}) and stay"),
    ));
    lines.extend(divergent(report));
    let file_names = counted(
        report.tally.file_names,
        "1 reference is the name of a file",
        "# references are names of files",
    );
    let file_names = file_names.filter(|_| end.base_option != BaseOption::Url);
    lines.extend(file_names.map(|are| {
        format!(
            "{are}, as wget -k writes links; --converted-links always reads all links like that"
        )
    }));
    lines.extend(counted(
        report.stale_copies,
        "1 compressed copy (.gz, .br, .zst) beside a document that changes holds the old one: compress it \
         again",
        "# compressed copies (.gz, .br, .zst) beside documents that change hold the old ones: compress \
         them again",
    ));
    lines.extend(missing(report));
    lines
}

fn unresolved(end: &RunEnd) -> Vec<String> {
    let report = &end.report;
    let mut lines = Vec::new();
    // References in the baseline pass without a word.
    let passes = end.known() > 0 && end.new_remaining(Remaining::Relative) == 0;
    if report.tally.unresolved == 0 || passes {
        return lines;
    }
    let unresolved = Count(report.tally.unresolved, "reference");
    let why = match report.files_without_base {
        0 if report.files_with_opaque_base > 0 => opaque_bases(report),
        0 => "the resolver has no result, or they are in a part of a message that stays as it is, or \
              in a custom property that another style sheet uses; abslink check lists them"
            .to_owned(),
        _ => {
            let without = without_base(report, end.base_option).join(", and ");
            let is_option = report.records_without_base == 0 && without.ends_with(" gives one");
            let and = if is_option { ", and" } else { ";" };
            format!("{without}{and} abslink base shows what is known")
        }
    };
    lines.push(format!("{unresolved} cannot be made absolute: {why}"));
    if report.files_without_base > 0 && report.files_with_opaque_base > 0 {
        lines.push(opaque_bases(report));
    }
    lines
}

fn divergent(report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    if report.tally.divergent == 0 {
        return lines;
    }
    let before_base = report.tally.before_base;
    let remedy = if report.tally.divergent > before_base {
        ", and --resolver whatwg resolves as browsers do"
    } else {
        ""
    };
    lines.push(format!(
        "{} another target in a browser: abslink links shows both{remedy}",
        have(report.tally.divergent, "reference"),
    ));
    let above = counted(
        before_base,
        "1 of these is above the <base> of its document",
        "# of these are above the <base> of their documents",
    );
    lines.extend(above.map(|above| {
        format!(
            "{above}: browsers fetch such references before they read the <base>, while RFC 1808 \
             gives a document one base URL; only the author can move the <base> up"
        )
    }));
    lines
}

/// The option that says where documents are from, if each document does so itself.
fn not_needed(end: &RunEnd) -> Option<String> {
    let option = end.base_option.option().filter(|_| end.base_unused)?;
    Some(format!(
        "{option} was not needed: each document has a <base> of its own, which abslink base shows"
    ))
}

/// The paths of the url map that lead nowhere.
fn missing(report: &Report) -> Option<String> {
    counted(
        report.mapped_missing,
        "1 line of the url map names a path where there is no file; paths are below PATH, or below \
         --root",
        "# lines of the url map name a path where there is no file; paths are below PATH, or below \
         --root",
    )
}

/// How many documents have no base URL, and what gives them one.
fn without_base(report: &Report, base_option: BaseOption) -> Vec<String> {
    let in_records = report.records_without_base;
    let mut parts = Vec::new();
    let feeds = report.feeds_without_url;
    let files = report.files_without_base - in_records - feeds;
    let gives = match base_option {
        BaseOption::Nothing => "; --base-url gives one",
        BaseOption::Map => "; a line in the url map gives one",
        // The layout has its own line.
        BaseOption::Url | BaseOption::Hosts(_) => "",
    };
    if feeds > 0 {
        let gives = if files > 0 { "" } else { gives };
        parts.push(format!("{} no feed URL{gives}", have(feeds, "feed")));
    }
    if files > 0 {
        parts.push(format!("{} no base URL{gives}", have(files, "document")));
    }
    if in_records > 0 {
        parts.push(format!(
            "{} no base URL, since {} no WARC-Target-URI that can be one, and no option gives one",
            have(in_records, "document"),
            counted(in_records, "its record has", "their records have").unwrap_or_default(),
        ));
    }
    parts
}

/// Why a layout gives some documents no URL, and what to type.
fn without_host(found: &NoHost, layout: &str) -> String {
    let documents = Count(found.documents, "document");
    let what = match &found.directory {
        Some(directory) => format!("`{}` does not look like a host", OneLine(directory)),
        None => format!("{} is in no directory", PathLine(&found.path)),
    };
    let root = &found.root;
    let help = match (found.level, &found.directory) {
        (Level::Above, _) => format!(
            "{} itself does: give the directory above it, --layout {layout} {}",
            PathLine(root),
            PathLine(&above(root)),
        ),
        (Level::Below, Some(directory)) => format!(
            "a directory in it does: --layout {layout} {}",
            PathLine(&root.join(directory)),
        ),
        (_, Some(_)) => {
            "give the directory that has a directory for each host, or accept every name \
                         with --any-host"
                .to_owned()
        }
        (_, None) => "give the directory that has a directory for each host".to_owned(),
    };
    format!("--layout {layout} finds no host in the paths of {documents}: {what}; {help}")
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
fn opaque_bases(report: &Report) -> String {
    format!(
        "{} a <base> that nothing can be relative to, such as mailto:, where browsers resolve no \
         reference either, or a template placeholder; abslink base shows it",
        have(report.files_with_opaque_base, "document"),
    )
}

/// `1 document has`, `2 documents have`.
fn have(number: u64, noun: &'static str) -> String {
    let verb = if number == 1 { "has" } else { "have" };
    format!("{} {verb}", Count(number, noun))
}

#[cfg(test)]
mod tests {
    use super::super::tests::report;
    use super::*;

    #[test]
    fn a_clean_run_needs_no_attention() {
        assert_eq!(remarks(&RunEnd::of(report())), [""; 0]);
    }

    #[test]
    fn each_thing_that_needs_attention_names_what_helps() {
        let lines = |change: fn(&mut Report)| {
            let mut report = report();
            change(&mut report);
            remarks(&RunEnd::of(report))
        };
        let no_base = lines(|report| {
            report.tally.unresolved = 1_000;
            report.files_without_base = 2;
        });
        assert_eq!(
            no_base,
            [
                "1,000 references cannot be made absolute: 2 documents have no base URL; \
              --base-url gives one, and abslink base shows what is known"
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
                "1,000 references cannot be made absolute: 2 documents have no base URL; --base-url gives \
              one, and 1 document has no base URL, since its record has no WARC-Target-URI that can be \
              one, and no option gives one; abslink base shows what is known"
            ]
        );
        let unresolved = lines(|report| report.tally.unresolved = 1);
        assert!(
            unresolved[0].contains("abslink check lists them"),
            "{unresolved:?}"
        );
        let divergent = lines(|report| report.tally.divergent = 1);
        assert!(
            divergent[0].starts_with("1 reference has another target"),
            "{divergent:?}"
        );
        let useless = remarks(&RunEnd {
            base_option: BaseOption::Url,
            base_unused: true,
            ..RunEnd::of(report())
        });
        assert!(
            useless[0].starts_with("--base-url was not needed"),
            "{useless:?}"
        );
    }
}
