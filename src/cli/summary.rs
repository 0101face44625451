//! What a run did, at its end: a few lines for people.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::batch::{Level, NoHost, Report};
use abslink_html::{Tally, To};

use super::exit::Left;
use super::finished::{BaseOption, Compared, Finished};
use super::print::{self, Bytes, Count, Number, OneLine, PathLine};

/// What a command says at its end.
pub(crate) struct Words {
    /// What makes the exit code 1 if it is left.
    pub(crate) left: Left,
    /// What was done.
    pub(crate) lead: String,
    /// Whether there is a line about references that stay as they are.
    pub(crate) others: bool,
    /// What to do about what was found.
    pub(crate) hint: Option<String>,
}

/// Writes the summary for people to standard error, in a command's own words.
pub(crate) fn print(finished: &Finished, words: &Words, strict: bool) {
    let report = &finished.report;
    let pace = pace(report, finished.elapsed);
    print::note(format_args!("{} ({pace})", words.lead));
    if let Some(others) = others(report).filter(|_| words.others) {
        print::note(others);
    }
    if finished.maps {
        let mapped = Count(report.tally.mapped, "reference");
        print::note(format_args!("--map-url: {mapped} mapped"));
    }
    forms(finished).for_each(print::note);
    if report.records > 0 {
        print::note(format_args!(
            "web archives: {} read",
            Count(report.records, "record")
        ));
    }
    if finished.gitignore {
        let ignored = match report.ignored {
            1 => "1 file or directory".to_owned(),
            many => format!("{} files and directories", Number(many)),
        };
        print::note(format_args!("--gitignore: {ignored} left out"));
    }
    if let Some(written) = finished.baseline.as_ref().filter(|it| it.is_new) {
        print::note(format_args!(
            "--write-baseline {}: {}",
            PathLine(&written.path),
            Count(written.known, "reference")
        ));
    }
    print_settings(finished);
    for line in remarks(finished) {
        print::attention(line);
    }
    for line in troubles(finished) {
        print::attention(line);
    }
    if !strict {
        passed_over(report).for_each(print::attention);
        gone(finished, print::attention);
    }
    lists_passed_over(report)
        .into_iter()
        .for_each(print::attention);
    if let Some(hint) = &words.hint {
        print::attention(hint);
    }
}

/// Names the file that has set options which nobody typed.
pub(crate) fn print_settings(finished: &Finished) {
    if let Some(used) = &finished.settings {
        print::note(used.line());
    }
}

/// The `--attr` and the patterns that matched nothing: most often a misspelled name. If a run was stopped,
/// the matches may have been still to come.
pub(crate) fn print_unmet(finished: &Finished) {
    let report = &finished.report;
    let useless = [
        ("--include", &report.useless_includes),
        ("--exclude", &report.useless_excludes),
    ];
    for (option, globs) in useless {
        for glob in globs {
            let glob = OneLine(glob);
            print::attention(format_args!(
                "{option} {glob}: nothing in a directory PATH matches"
            ));
        }
    }
    if finished.stopped.is_none() && !finished.empty {
        for attr in &finished.unmet {
            print::attention(format_args!(
                "--attr {attr}: no document has such an attribute"
            ));
        }
    }
}

/// What `--strict` makes errors. It is printed even if there is no other summary.
pub(crate) fn print_strict(finished: &Finished) {
    passed_over(&finished.report).for_each(print::error);
    gone(finished, print::error);
}

/// Names what is in the baseline and is gone, or the first of it.
fn gone(finished: &Finished, say: impl Fn(String)) {
    const NAMED: usize = 20;
    let Some(Compared { path, gone, .. }) = &finished.baseline else {
        return;
    };
    let (first, path) = (&gone[..gone.len().min(NAMED)], PathLine(path));
    if !gone.is_empty() {
        say(format!(
            "gone from what --baseline {path} has, and --write-baseline {path} takes it out:"
        ));
    }
    first
        .iter()
        .for_each(|line| print::note(format_args!("  {line}")));
    let more = (gone.len() - first.len()) as u64;
    if let Some(more) = counted(more, "  and 1 more", "  and # more") {
        print::note(more);
    }
}

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

/// The text for one thing or for many, in which `#` stands for the number; `None` for zero.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(one.to_owned()),
        _ => Some(many.replacen('#', &Number(number).to_string(), 1)),
    }
}

/// What was moved, which form references have where that is not the absolute one, and what became of `base`
/// elements.
pub(crate) fn forms(finished: &Finished) -> impl Iterator<Item = String> {
    let tally = &finished.report.tally;
    let moved = finished.moves.then(|| {
        let moved = Count(tally.moved, "reference");
        format!("--move-url: {moved} moved")
    });
    let form = (finished.to != To::Absolute).then(|| form(finished.to, tally));
    [moved, form, bases(tally)].into_iter().flatten()
}

fn form(to: To, tally: &Tally) -> String {
    let numbers = [
        (tally.made_relative, "written anew"),
        (
            tally.kept,
            "kept absolute (no reference of this form leads there)",
        ),
        (tally.outside, "outside the tree"),
    ];
    let numbers = numbers.map(|(number, what)| format!("{} {what}", Number(number)));
    let need_server = counted(
        tally.need_server,
        "; 1 element has integrity or crossorigin, and browsers do not load it from a disk",
        "; # elements have integrity or crossorigin, and browsers do not load them from a disk",
    );
    let need_server = need_server.unwrap_or_default();
    format!("--to {}: {}{need_server}", to.name(), numbers.join(", "))
}

/// What became of `base` elements, where they are taken out.
fn bases(tally: &Tally) -> Option<String> {
    if tally.bases_removed + tally.bases_kept == 0 {
        return None;
    }
    let scripts = counted(
        tally.scripted,
        "; 1 of these documents has scripts, which may ask for it",
        "; # of these documents have scripts, which may ask for it",
    );
    let why = tally.base_needed_by.map(|group| {
        format!(
            ", since relative references stay, as in the group {}",
            group.name()
        )
    });
    Some(format!(
        "<base>: {} taken out, {} kept{}{}",
        Number(tally.bases_removed),
        Number(tally.bases_kept),
        why.unwrap_or_default(),
        scripts.unwrap_or_default()
    ))
}

/// How much was read, and how fast.
fn pace(report: &Report, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let mut pace = format!("{} in {seconds:.2} s", Bytes(report.bytes_in));
    // The rate of a run of a few milliseconds means nothing.
    if seconds >= 0.1 {
        let rate = (report.bytes_in as f64 / seconds) as u64;
        pace.push_str(&format!(", {}/s", Bytes(rate)));
    }
    pace
}

/// What was seen and stays as it is.
fn others(report: &Report) -> Option<String> {
    let tally = &report.tally;
    let outcomes = [
        (tally.absolute, "already absolute"),
        (tally.same_document, "to the same document"),
        (tally.excluded, "excluded"),
        (tally.present, "left because the target is in the tree"),
    ];
    let seen = outcomes.iter().filter(|(number, _)| *number > 0);
    let mut others = print::list(seen.map(|(number, what)| format!("{} {what}", Number(*number))));
    if !others.is_empty() {
        others.insert_str(0, "other references: ");
    }
    if report.files_copied > 0 {
        let comma = if others.is_empty() { "" } else { "; " };
        others.push_str(comma);
        others.push_str(&format!(
            "{} copied",
            Count(report.files_copied, "other file")
        ));
    }
    (!others.is_empty()).then_some(others)
}

/// What needs attention, and the option that helps.
pub(crate) fn remarks(finished: &Finished) -> Vec<String> {
    let report = &finished.report;
    let mut lines = Vec::new();
    if let Some(option) = finished.given.option().filter(|_| finished.useless) {
        lines.push(format!(
            "{option} was not needed: each document has a <base> of its own, which abslink base shows"
        ));
    }
    // What the baseline has passes without a word.
    if report.tally.unresolved > 0 && (finished.known() == 0 || Left::Relative.new_in(finished) > 0)
    {
        let unresolved = Count(report.tally.unresolved, "reference");
        let why = match report.files_without_base {
            0 if report.files_with_opaque_base > 0 => opaque_bases(report),
            0 => "the resolver has no result, or they are in a part of a message that stays as it is, or \
                  in a custom property that another style sheet uses; abslink check lists them"
                .to_owned(),
            _ => without_base(report, finished.given),
        };
        lines.push(format!("{unresolved} cannot be made absolute: {why}"));
        if report.files_without_base > 0 && report.files_with_opaque_base > 0 {
            lines.push(opaque_bases(report));
        }
    }
    if let (Some(found), BaseOption::Hosts(layout)) = (&report.without_host, finished.given) {
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
    if report.tally.divergent > 0 {
        let before_base = report.tally.before_base;
        let remedy = match report.tally.divergent > before_base {
            true => ", and --resolver whatwg resolves as browsers do",
            false => "",
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
    }
    let file_names = counted(
        report.tally.file_names,
        "1 reference is the name of a file",
        "# references are names of files",
    );
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
    lines.extend(counted(
        report.mapped_missing,
        "1 line of the url map names a path where there is no file; paths are below PATH, or below \
         --root",
        "# lines of the url map name a path where there is no file; paths are below PATH, or below \
         --root",
    ));
    lines
}

/// What was not done.
fn troubles(finished: &Finished) -> Vec<String> {
    let mut lines = Vec::new();
    let failed = finished.report.files_failed;
    if failed > 0 {
        lines.push(format!(
            "{} could not be processed: see the errors above",
            Count(failed, "file")
        ));
    }
    if finished.stopped.is_some() {
        lines.push(
            "stopped before the end: every file is whole, and the same command does the rest"
                .into(),
        );
    }
    lines
}

/// How many documents have no base URL, and what gives them one.
fn without_base(report: &Report, given: BaseOption) -> String {
    let in_records = report.records_without_base;
    let mut parts = Vec::new();
    let files = report.files_without_base - in_records;
    if files > 0 {
        let gives = what_gives_a_base(given);
        parts.push(format!("{} no base URL; {gives}", have(files, "document")));
    }
    if in_records > 0 {
        parts.push(format!(
            "{} no base URL, since {} no WARC-Target-URI that can be one, and no option gives one; ",
            have(in_records, "document"),
            counted(in_records, "its record has", "their records have").unwrap_or_default(),
        ));
    }
    format!("{}abslink base shows what is known", parts.concat())
}

/// The option that gives a base URL to documents without one, if there is such an option.
fn what_gives_a_base(given: BaseOption) -> &'static str {
    match given {
        BaseOption::Nothing => "--base-url gives one, and ",
        BaseOption::Map => "a line in the url map gives one, and ",
        // The layout has its own line.
        BaseOption::Url | BaseOption::Hosts(_) => "",
    }
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

    use super::super::stop::Signal;
    use super::*;

    fn report() -> Report {
        let mut report = Report {
            files: 1_030,
            files_changed: 1_028,
            files_unchanged: 2,
            files_copied: 12,
            bytes_in: 34_000_000,
            bytes_out: 35_000_000,
            ..Report::default()
        };
        report.tally.references = 1_912;
        report.tally.rewritten = 1_204;
        report.tally.absolute = 700;
        report.tally.same_document = 8;
        report
    }

    #[test]
    fn what_was_done_comes_with_its_pace() {
        let half = Duration::from_millis(500);
        assert_eq!(pace(&report(), half), "34.0 MB in 0.50 s, 68.0 MB/s");
        assert_eq!(pace(&report(), Duration::ZERO), "34.0 MB in 0.00 s");
    }

    #[test]
    fn what_stays_is_counted() {
        let line = "other references: 700 already absolute, 8 to the same document; \
                    12 other files copied";
        assert_eq!(others(&report()).as_deref(), Some(line));
        assert_eq!(others(&Report::default()), None);
        let copied = Report {
            files_copied: 1,
            ..Report::default()
        };
        assert_eq!(others(&copied).as_deref(), Some("1 other file copied"));
    }

    #[test]
    fn a_clean_run_needs_no_attention() {
        assert_eq!(remarks(&Finished::of(report())), [""; 0]);
    }

    #[test]
    fn each_thing_that_needs_attention_names_what_helps() {
        let lines = |change: fn(&mut Report)| {
            let mut report = report();
            change(&mut report);
            let finished = Finished::of(report);
            [remarks(&finished), troubles(&finished)].concat()
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
        let failed = lines(|report| report.files_failed = 3);
        assert_eq!(
            failed,
            ["3 files could not be processed: see the errors above"]
        );
        let useless = remarks(&Finished {
            given: BaseOption::Url,
            useless: true,
            ..Finished::of(report())
        });
        assert!(
            useless[0].starts_with("--base-url was not needed"),
            "{useless:?}"
        );
    }

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

    #[test]
    fn a_stopped_run_says_so() {
        let stopped = Some(Signal::Interrupt);
        let lines = troubles(&Finished {
            stopped,
            ..Finished::of(report())
        });
        assert!(lines[0].starts_with("stopped before the end"), "{lines:?}");
    }
}
