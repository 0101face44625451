//! What became of the references: the bar with its key, and the sentence at the top.

use abslink_html::To;

use super::rows::rounded;
use super::{HtmlReport, Mode};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::{Exit, Remaining};
use crate::cli::terminal::print::Number;

pub(super) struct Share {
    pub(super) paint: &'static str,
    pub(super) name: &'static str,
    pub(super) number: Number,
    pub(super) percent: String,
    pub(super) from: f64,
    pub(super) width: f64,
}

/// A paint, and a sentence.
pub(super) fn verdict(report: &HtmlReport, end: &RunEnd) -> (&'static str, &'static str) {
    let checks = matches!(report.command, Mode::Check { .. });
    let paint = match end.exit {
        Exit::Done => "done",
        Exit::Left => "left",
        Exit::Failed | Exit::Stopped(_) => "failed",
    };
    let sentence = match (end.exit, end.form().is_some(), end.tries()) {
        (Exit::Stopped(_), ..) => "Stopped before the end",
        (Exit::Failed, ..) if end.report.files_failed > 0 => "Some files could not be processed",
        (Exit::Failed, ..) if end.empty => "No page was found",
        (Exit::Failed, ..) => "Some files look like HTML and were skipped",
        (Exit::Left, true, _) if checks => "Some links are to change",
        (Exit::Left, true, true) => "Dry run: links that do not resolve would be left",
        (Exit::Left, true, false) => "Links that do not resolve are left",
        (Exit::Left, false, true) => "Dry run: relative links would be left",
        (Exit::Left, false, false) => "Relative links are left",
        (Exit::Done, true, true) => "Dry run: nothing would be left to change",
        (Exit::Done, true, false) => "Nothing is left to change",
        (Exit::Done, false, true) => "Dry run: no relative links would be left",
        (Exit::Done, false, false) => "No relative links are left",
    };
    (paint, sentence)
}

/// The parts of the bar that are there.
pub(super) fn shares(report: &HtmlReport, end: &RunEnd) -> Vec<Share> {
    let tally = &end.report.tally;
    let all = parts(report, end).into_iter();
    let all: Vec<_> = all.filter(|(.., number)| *number > 0).collect();
    // Small parts must be visible too, and there is a gap between two.
    const LEAST: f64 = 4.0;
    const GAP: f64 = 3.0;
    let free = 1000.0 + GAP - all.len() as f64 * (LEAST + GAP);
    let mut from = 0.0;
    let shares = all.into_iter().map(|(paint, name, number)| {
        let part = number as f64 / tally.references as f64;
        let share = Share {
            paint,
            name,
            number: Number(number),
            percent: percent(part),
            from: rounded(from),
            width: rounded(LEAST + part * free),
        };
        from += share.width + GAP;
        share
    });
    shares.collect()
}

/// Paints, what they stand for, and how many references that is.
fn parts(report: &HtmlReport, end: &RunEnd) -> Vec<(&'static str, &'static str, u64)> {
    let (tally, form) = (&end.report.tally, end.form());
    let relative = tally.rewritten + tally.unresolved;
    let in_full = match tally.moved {
        0 => "become absolute",
        _ => "become absolute, or are moved",
    };
    let new = match form {
        Some(To::Root) => "become paths from the root",
        Some(To::Files) => "become paths of files",
        _ => "become relative",
    };
    let removed = tally.bases_removed;
    let full = (tally.rewritten).saturating_sub(tally.made_relative + removed);
    let mut parts = match (report.left(), form) {
        (Remaining::Relative, None) => vec![("left", "relative", relative)],
        (Remaining::Relative, Some(_)) => vec![("left", "to be changed", relative)],
        (_, None) => vec![
            ("done", "become absolute", tally.rewritten),
            ("left", "cannot be made absolute", tally.unresolved),
        ],
        (_, Some(_)) => vec![
            ("done", new, tally.made_relative),
            ("full", in_full, full),
            ("gone", "of <base> elements, removed", removed),
            ("left", "do not resolve", tally.unresolved),
        ],
    };
    let others = [
        ("same", "to the same page", tally.same_document),
        ("excluded", "excluded", tally.excluded),
        (
            "present",
            "left because their targets are in the tree",
            tally.present,
        ),
        (
            "placeholder",
            "with a placeholder of a template",
            tally.placeholders,
        ),
        ("windows", "paths of Windows", tally.windows_paths),
    ];
    if form.is_some() {
        // What has its form already is in no other count.
        let counted = others.iter().map(|(.., number)| number).sum::<u64>();
        let stays = (tally.references).saturating_sub(relative + tally.absolute + counted);
        parts.push(("stays", "have this form already", stays));
        parts.push(("absolute", "stay absolute", tally.absolute));
    } else {
        parts.push(("absolute", "already absolute", tally.absolute));
    }
    parts.extend(others);
    parts
}

fn percent(part: f64) -> String {
    match part * 100.0 {
        small if small < 0.1 => "under 0.1\u{a0}%".to_owned(),
        large if large > 99.9 && large < 100.0 => "over 99.9\u{a0}%".to_owned(),
        percent => format!("{percent:.1}\u{a0}%"),
    }
}
