//! What a run did, at its end: a few lines for people. Each command words the first one itself (`lead` in
//! `commands/`).
//!
//! | file | lines about |
//! |---|---|
//! | `remarks` | links that stay relative or that browsers resolve differently, pages without a base URL |
//! | `links` | links above the root, and those of groups that are off |
//! | `sites` | sites that move, are mirrored, or become relative |
//! | `passed_over` | files that look like documents and were skipped |
//! | `notices` | everything else, and the order of all |

mod links;
pub(crate) mod notice;
mod notices;
mod passed_over;
mod remarks;
mod sites;

pub(crate) use notice::Notice;
pub(crate) use notices::{links_not_followed, of_barren};
use passed_over::{likely_backups, lists_passed_over, passed_over};

use std::time::Duration;

use crate::batch::Report;
use abslink_html::{Tally, To};

use crate::cli::args::Fact;
use crate::cli::run::end::{BaselineComparison, RunEnd};
use crate::cli::run::exit::Remaining;
use crate::cli::run::used::UsedSettings;
use crate::cli::terminal::print::{
    self, Bytes, Count, Number, OneLine, PathLine, counted, numbers,
};

#[derive(Default)]
pub(crate) struct CommandSummary {
    /// These make the exit code 1.
    pub(crate) left: Remaining,
    pub(crate) lead: String,
    /// It says only what concerns base URLs.
    pub(crate) on_bases: bool,
    /// What to do about what the lead says.
    pub(crate) hint: Option<String>,
    /// What is said after all.
    pub(crate) last: Option<Notice>,
}

/// Writes the summary for people to standard error, in a command's own words.
pub(crate) fn print(end: &RunEnd, words: &CommandSummary, strict: bool) {
    let report = &end.report;
    if end.stopped.is_some() {
        let done = documents(report);
        Notice::warning(format!("interrupted: {done} done"))
            .with_fact(Fact::Interrupted)
            .say();
    }
    // Errors above have said why there is nothing to tell of.
    let is_nothing = end.empty || (report.files == 0 && report.files_failed > 0);
    if !is_nothing {
        let pace = pace(report, end.elapsed);
        print::note(format_args!("{} ({pace})", words.lead));
        if let Some(hint) = &words.hint {
            print::hint(hint);
        }
    }
    if !words.on_bases {
        let others = others(report).into_iter();
        others.chain(forms(end)).for_each(print::note);
    }
    if report.records > 0 {
        print::note(format_args!(
            "web archives: {} read",
            Count(report.records, "record")
        ));
    }
    if end.plan.selection.gitignore {
        let ignored = match report.ignored {
            1 => "1 file or directory".to_owned(),
            many => format!("{} files and directories", Number(many)),
        };
        print::note(format_args!("--gitignore: skipped {ignored}"));
    }
    if let Some(written) = end.baseline.as_ref().filter(|it| it.is_new) {
        print::note(format_args!(
            "--write-baseline {}: {}",
            PathLine(&written.path),
            Count(written.known, "link")
        ));
    }
    print_settings(end);
    let failed = failed(report).filter(|_| !is_nothing);
    let mut lines: Vec<Notice> = failed.map(Notice::warning).collect();
    lines.extend(if words.on_bases {
        remarks::remarks_on_bases(end)
    } else {
        remarks(end)
    });
    if !strict {
        lines.extend(passed_over(end));
    }
    lines.extend(lists_passed_over(report));
    lines.extend(words.last.clone());
    // The most serious first.
    lines.sort_by_key(|line| line.level);
    lines.into_iter().for_each(Notice::say);
    if !strict {
        gone(end, print::warning);
    }
}

/// What a person should know about what was done, with what helps.
fn remarks(end: &RunEnd) -> Vec<Notice> {
    let mut lines = remarks::remarks(end);
    lines.extend(notices::notices(end));
    lines
}

/// All that a report says below its headline, the most serious first.
pub(crate) fn for_report(end: &RunEnd) -> Vec<Notice> {
    let mut lines = remarks(end);
    lines.extend(passed_over(end));
    lines.extend(lists_passed_over(&end.report));
    lines.sort_by_key(|line| line.level);
    lines
}

/// Names the file that has set options which nobody typed.
pub(crate) fn print_settings(end: &RunEnd) {
    let settings = end.settings.iter();
    settings
        .filter_map(UsedSettings::line)
        .for_each(print::note);
}

/// The `--attr` and the patterns that matched nothing: most often a misspelled name. If a run was stopped,
/// the matches may have been still to come.
pub(crate) fn print_unused(end: &RunEnd) {
    let (report, tally) = (&end.report, &end.report.tally);
    let warn = |text: String| print::warning(text);
    // What a project says about its directories does not matter to files that are named.
    let matters = |option| end.has_directory() || !end.is_set(option);
    let mut is_warned = false;
    for (option, globs) in [
        ("include", &report.useless_includes),
        ("exclude", &report.useless_excludes),
    ] {
        for glob in globs.iter().filter(|_| matters(option)) {
            warn(format!("--{option} '{}' matched nothing", OneLine(glob)));
            is_warned = true;
        }
    }
    if is_warned && !end.has_directory() {
        print::hint(Fact::NoDirectory.hint());
    }
    let is_whole = end.stopped.is_none() && report.files > 0;
    for (option, is_given, met) in [
        (
            "exclude-url",
            end.plan.html.exclude.is_some(),
            tally.excluded,
        ),
        ("move-url", !end.plan.html.moves.is_empty(), tally.moved),
    ] {
        if is_whole && is_given && met == 0 && matters(option) {
            warn(format!("--{option} matched no link"));
        }
    }
    if end.stopped.is_none() && !end.empty {
        for attr in &end.unused_attributes {
            let is_attribute = attr.contains('@');
            let what = if is_attribute { "attribute" } else { "element" };
            warn(format!("--attr {attr}: no file has this {what}"));
            if !is_attribute {
                let hint = Fact::WrongValue.hint_with(&[attr, &format!("@{attr}")]);
                print::hint(hint);
            }
        }
    }
}

/// What `--strict` makes errors. It is printed even if there is no other summary.
pub(crate) fn print_strict(end: &RunEnd) {
    passed_over(end).for_each(Notice::say_as_error);
    let backups = likely_backups(&end.report).into_iter();
    backups.for_each(Notice::say_as_error);
    gone(end, print::error);
}

/// Names what is in the baseline and is gone, or the first of it.
fn gone(end: &RunEnd, say: impl Fn(String)) {
    const NAMED: usize = 20;
    let baseline = end.baseline.as_ref();
    let Some(BaselineComparison { path, gone, .. }) = baseline.filter(|it| !it.gone.is_empty())
    else {
        return;
    };
    let (first, path) = (&gone[..gone.len().min(NAMED)], PathLine(path));
    say(format!("no longer there, but in --baseline {path}:"));
    first
        .iter()
        .for_each(|line| print::note(format_args!("  {line}")));
    let more = (gone.len() - first.len()) as u64;
    let more = counted(more, "  and # more");
    more.into_iter().for_each(print::note);
    let hint = Fact::BaselineGone.hint_with(&[&path.to_string()]);
    print::hint(hint);
}

/// What was moved, which form references have where that is not the absolute one, and what became of `base`
/// elements.
pub(crate) fn forms(end: &RunEnd) -> impl Iterator<Item = String> {
    let tally = &end.report.tally;
    let moved = counted(tally.moved, "--move-url: # link[|s] moved");
    let unwrapped = end.plan.html.unwrap.then(|| {
        let unwrapped = Count(tally.unwrapped, "link");
        format!("--unwrap: {unwrapped} changed")
    });
    let form = form(end.plan.html.to, tally);
    [unwrapped, moved, form, bases(&end.report)]
        .into_iter()
        .flatten()
}

/// Which links have another form than the others; nothing where the lead says all.
fn form(to: To, tally: &Tally) -> Option<String> {
    if !to.is_short() || tally.kept + tally.outside + tally.need_server == 0 {
        return None;
    }
    let kept = match to {
        To::Files => "absolute because no file is there",
        To::Root => "absolute because no link from the root leads there",
        _ => "absolute because no relative link leads there",
    };
    let numbers = numbers(&[
        (tally.made_relative, "written this way"),
        (tally.kept, kept),
        (tally.outside, "outside the tree"),
    ]);
    let need_server = counted(
        tally.need_server,
        "; # [is a module or has|are modules or have] integrity or crossorigin: browsers do not load \
         [it|them] from a disk",
    );
    let need_server = need_server.unwrap_or_default();
    Some(format!("--to {}: {numbers}{need_server}", to.name()))
}

/// `--remove-base`: how many `base` elements are gone.
fn bases(report: &Report) -> Option<String> {
    let tally = &report.tally;
    if tally.bases_removed + tally.bases_left == 0 {
        return None;
    }
    let scripts = counted(
        tally.scripted,
        "; # of these pages [has|have] scripts, which may need it",
    );
    let why = report
        .base_left
        .as_ref()
        .map(|(_, group)| format!(" for links left relative, as in the group {}", group.name()));
    Some(format!(
        "<base>: {} removed, {} kept{}{}",
        Number(tally.bases_removed),
        Number(tally.bases_left),
        why.unwrap_or_default(),
        scripts.unwrap_or_default()
    ))
}

/// How many documents were read: files, unless some have several.
pub(crate) fn documents(report: &Report) -> Count {
    let noun = if report.enclosed == 0 {
        "file"
    } else {
        "document"
    };
    Count(report.files, noun)
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

/// References that stay as they are, and copied files.
fn others(report: &Report) -> Option<String> {
    let tally = &report.tally;
    let mut others = numbers(&[
        (tally.absolute, "already absolute"),
        (tally.same_document, "to the same page"),
        (
            tally.excluded - report.not_meant.iter().sum::<u64>(),
            "excluded",
        ),
        (report.not_meant[0], "in original records"),
        (report.not_meant[1], "on HTTrack's own index pages"),
        (report.not_meant[2], "in feeds left unchanged"),
        (tally.present, "left because their targets are in the tree"),
    ]);
    if !others.is_empty() {
        others.insert_str(0, "other links: ");
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

/// What could not be processed: files, and parts of others.
fn failed(report: &Report) -> impl Iterator<Item = String> {
    let [rows, values, records, messages] = report.parts_failed;
    let files = report.files_failed - rows - values - records - messages;
    let of_rows = format!(
        "# of {} could not be read; the others were done",
        Count(report.rows, "row")
    );
    let texts = [
        (
            files,
            "# file[|s] could not be processed; see the errors above",
        ),
        (rows, &*of_rows),
        (
            values,
            "# value[|s] in rows could not be read; the others were done",
        ),
        (
            records,
            "# record[|s] could not be processed; the others were done",
        ),
        (
            messages,
            "# message[|s] could not be processed; the others were done",
        ),
    ];
    let texts = texts.map(|(number, text)| counted(number, text));
    texts.into_iter().flatten()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn report() -> Report {
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
        let line = "other links: 700 already absolute, 8 to the same page; \
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
    fn what_failed_is_counted() {
        let report = Report {
            files_failed: 3,
            ..report()
        };
        let line = failed(&report);
        let text = "3 files could not be processed; see the errors above";
        assert!(line.eq([text]));
    }
}
