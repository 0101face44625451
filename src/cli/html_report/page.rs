//! The page: what is held, as words and numbers for the template.

use std::io::{self, Write as _};

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::bases::{Bases, Conflict};
use super::examples::{Change, Divergent, Examples, Relative};
use super::hosts::Hosts;
use super::outcomes::{self, Share};
use super::rows::{Cell, Rectangle, cells, key_of_cells, rounded};
use super::text::{LONGEST, LONGEST_SENTENCE, on_line, shown};
use super::{HtmlReport, Mode, ReportState};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Remaining;
use crate::cli::summary::{self, Notice};
use crate::cli::terminal::passwords;
use crate::cli::terminal::print::{Bytes, Count, Number};

const STYLE: &str = include_str!("report.css");

/// Writes it where it goes.
pub(super) fn write(report: &HtmlReport, state: &mut ReportState, end: &RunEnd) -> io::Result<()> {
    let page = Page::new(report, state, end).render();
    let page = page.map_err(io::Error::other)?;
    writeln!(state.sink, "{page}")
}

/// A colour, and the hatching that tells it apart where colours cannot be seen.
struct Paint {
    name: &'static str,
    colour: &'static str,
    /// The lines in a square of 12 units.
    lines: &'static str,
}

const PAINTS: [Paint; 12] = [
    paint("done", "done", ""),
    paint("divergent", "divergent", "M0 6H12"),
    paint("left", "left", "M-3 3L3 -3M-3 15L15 -3M9 15L15 9"),
    paint("failed", "failed", "M0 0L12 12M12 0L0 12"),
    paint("absolute", "plain", ""),
    paint("full", "plain", "M0 3H12M0 9H12"),
    paint("stays", "plain", "M0 6H12"),
    paint("gone", "plain", "M0 12L12 0"),
    paint("same", "plain", "M6 0V12"),
    paint("excluded", "plain", "M2 3H5M8 9H11"),
    paint("present", "plain", "M0 6H12M6 0V12"),
    paint("placeholder", "plain", "M2 3L10 9M10 3L2 9"),
];

const fn paint(name: &'static str, colour: &'static str, lines: &'static str) -> Paint {
    Paint {
        name,
        colour,
        lines,
    }
}

#[derive(Template)]
#[template(path = "report.html", config = "src/cli/html_report/askama.toml")]
struct Page<'r> {
    style: &'static str,
    style_hash: String,
    version: &'static str,
    paints: &'static [Paint],
    command: &'static str,
    date: Option<String>,
    headline: String,
    /// A paint, and a text.
    verdict: (&'static str, &'static str),
    facts: Vec<(&'static str, String)>,
    remarks: Vec<String>,
    sections: Vec<(&'static str, &'static str)>,
    references: String,
    outcomes: Vec<Share>,
    base: String,
    cells: Vec<Cell>,
    key_of_cells: Vec<(&'static str, &'static str)>,
    caption_of_cells: String,
    groups: Vec<Rectangle>,
    hosts: Vec<Host>,
    caption_of_hosts: String,
    sources: Vec<SourceRow>,
    without: Vec<(&'r str, Count)>,
    caption_of_without: String,
    conflicts: &'r [Conflict],
    caption_of_conflicts: String,
    divergent: Vec<Class<'r>>,
    caption_of_divergent: String,
    troubles: &'r [(String, String)],
    caption_of_troubles: String,
    left: &'r [Relative],
    title_of_left: &'static str,
    caption_of_left: String,
    changes: &'r [Change],
    title_of_changes: &'static str,
    caption_of_changes: &'static str,
    typed: String,
    masks: bool,
}

struct Host {
    name: String,
    note: String,
    number: Number,
    part: f64,
}

struct SourceRow {
    section: &'static str,
    what: &'static str,
    name: &'static str,
    number: Number,
    part: f64,
}

struct Class<'r> {
    name: String,
    /// In pieces, of which some are code.
    explanation: Vec<(bool, String)>,
    number: Number,
    first: &'r [Divergent],
}

impl<'r> Page<'r> {
    fn new(report: &HtmlReport, state: &'r ReportState, end: &RunEnd) -> Page<'r> {
        let run = &end.report;
        let changes = matches!(report.command, Mode::Rewrite { .. });
        let (base, cells, groups) = cells(report, state);
        let (hosts, caption_of_hosts) = hosts(&state.hosts);
        let bases = &state.bases;
        let mut page = Page {
            style: STYLE,
            style_hash: format!("sha256-{}", STANDARD.encode(Sha256::digest(STYLE))),
            version: env!("CARGO_PKG_VERSION"),
            paints: &PAINTS,
            command: report.command.name(),
            date: report.date.as_ref().map(ToString::to_string),
            headline: capital(&end.lead),
            verdict: outcomes::verdict(report, end),
            facts: facts(report, end),
            remarks: remarks(end),
            sections: Vec::new(),
            references: Count(run.tally.references, "link").to_string(),
            outcomes: outcomes::shares(report, end),
            base: shown(&base.to_string_lossy(), LONGEST),
            key_of_cells: key_of_cells(state.directories.top.all(), report, &cells),
            caption_of_cells: format!(
                "{}, the largest first.",
                Count(cells.len() as u64, "rectangle")
            ),
            cells,
            groups,
            hosts,
            caption_of_hosts,
            sources: sources(bases),
            without: (bases.without.iter())
                .map(|(path, number)| (path.as_str(), Count(*number, "link")))
                .collect(),
            caption_of_without: listed(bases.without.len(), bases.lacking, "page"),
            conflicts: &bases.conflicts,
            caption_of_conflicts: listed(bases.conflicts.len(), bases.contested, "page"),
            divergent: classes(&state.examples),
            caption_of_divergent: format!(
                "{} of {}, by the reason; the first of each.",
                Number(run.tally.divergent),
                Count(run.tally.references, "link")
            ),
            troubles: &state.troubles,
            caption_of_troubles: listed(state.troubles.len(), state.failed, "file"),
            left: &state.examples.left,
            title_of_left: match (report.left(), report.tries) {
                (Remaining::Relative, _) if report.form.is_some() => "Links to change",
                (Remaining::Relative, _) => "Relative links",
                (_, true) => "What would be left",
                _ => "What is left",
            },
            caption_of_left: listed(state.examples.left.len(), report.left().count(run), "link"),
            changes: &state.examples.changes,
            title_of_changes: if changes {
                "What changes"
            } else {
                "What rewrite would change"
            },
            caption_of_changes: "The first link of each element and attribute.",
            // Each argument has no password any more; together they may look as if they had.
            typed: on_line(&report.typed, 4096),
            masks: !passwords::are_shown(),
        };
        page.sections = page.sections();
        page
    }

    fn sections(&self) -> Vec<(&'static str, &'static str)> {
        let all = [
            (true, "outcomes", "Links"),
            (!self.cells.is_empty(), "directories", "Directories"),
            (!self.hosts.is_empty(), "hosts", "Hosts"),
            (!self.sources.is_empty(), "bases", "Base URLs"),
            (!self.divergent.is_empty(), "divergent", "Browsers"),
            (!self.left.is_empty(), "left", "Left"),
            (!self.troubles.is_empty(), "troubles", "Troubles"),
            (!self.changes.is_empty(), "changes", "Changes"),
            (true, "command", "Command"),
        ];
        let there = all.into_iter().filter(|(there, ..)| *there);
        there.map(|(_, id, name)| (id, name)).collect()
    }
}

fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

/// Numbers for the whole run. Those that are usually zero are left out when they are.
fn facts(report: &HtmlReport, end: &RunEnd) -> Vec<(&'static str, String)> {
    let run = &end.report;
    let writes = matches!(report.command, Mode::Rewrite { .. });
    let facts = [
        (true, "pages", Number(run.files).to_string()),
        (
            writes,
            "pages changed",
            Number(run.files_changed).to_string(),
        ),
        (true, "links", Number(run.tally.references).to_string()),
        (
            run.records > 0,
            "records of web archives",
            Number(run.records).to_string(),
        ),
        (
            run.files_without_base > 0,
            "pages without a base URL",
            Number(run.files_without_base).to_string(),
        ),
        (
            run.files_failed > 0,
            "files not processed",
            Number(run.files_failed).to_string(),
        ),
        (true, "read", Bytes(run.bytes_in).to_string()),
    ];
    let there = facts.into_iter().filter(|(there, ..)| *there);
    there.map(|(_, label, value)| (label, value)).collect()
}

fn remarks(end: &RunEnd) -> Vec<String> {
    let notices = summary::for_report(end).into_iter();
    summary::forms(end)
        .chain(notices.map(Notice::sentence))
        .map(|remark| capital(&shown(&remark, LONGEST_SENTENCE * 2)))
        .collect()
}

fn hosts(hosts: &Hosts) -> (Vec<Host>, String) {
    let (listed, others, references) = hosts.listed();
    let all = listed.iter().map(|(_, references)| references).sum::<u64>() + references;
    let row = |name: String, note: String, references: u64| Host {
        name,
        note,
        number: Number(references),
        part: share(references, all),
    };
    let named = listed.iter().map(|(name, references)| {
        let note = if name.ends_with(':') { "no host" } else { "" };
        row(shown(name, LONGEST), note.to_owned(), *references)
    });
    let others = match others {
        Some(number) => Count(number as u64, "other host").to_string(),
        None => "all other hosts".to_owned(),
    };
    let rest = (references > 0).then(|| row(String::new(), others, references));
    let rows = named.chain(rest).collect();
    let absolute = Count(all, "link");
    (rows, format!("{absolute} with an absolute form, by host."))
}

fn sources(bases: &Bases) -> Vec<SourceRow> {
    let all = bases.of_sources().map(|(documents, ..)| documents).sum();
    let rows = bases
        .of_sources()
        .map(|(documents, source, section, what)| SourceRow {
            section,
            what,
            name: source.name(),
            number: Number(documents),
            part: share(documents, all),
        });
    rows.collect()
}

/// The length of a bar, out of a hundred.
fn share(part: u64, whole: u64) -> f64 {
    rounded((part as f64 / whole.max(1) as f64 * 100.0).max(0.5))
}

fn classes(examples: &Examples) -> Vec<Class<'_>> {
    let classes = examples.divergent.values();
    let classes = classes.filter_map(|class| {
        let first = class.first.first()?;
        Some(Class {
            name: capital(&first.class),
            explanation: code(&capital(&first.explanation)),
            number: Number(class.references),
            first: &class.first,
        })
    });
    classes.collect()
}

/// A sentence in pieces; code is between backticks.
fn code(sentence: &str) -> Vec<(bool, String)> {
    let pieces = sentence.split('`').enumerate();
    let pieces = pieces.map(|(index, piece)| (index % 2 == 1, piece.to_owned()));
    pieces.collect()
}

/// Says how many are listed, out of how many.
fn listed(listed: usize, all: u64, noun: &'static str) -> String {
    match listed as u64 {
        listed if listed == all => format!("{}.", Count(all, noun)),
        listed => format!(
            "{}, of which the first {} are listed.",
            Count(all, noun),
            Number(listed)
        ),
    }
}
