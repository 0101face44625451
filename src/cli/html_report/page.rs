//! The page: what is held, as words and numbers for the template.

use std::io::{self, Write};

use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::rows::{self, Cell, rounded};
use super::text::{LONGEST, LONGEST_SENTENCE, on_line, shown};
use super::treemap::{self, Area};
use super::{HtmlReport, Mode, ReportState, outcomes};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Remaining;
use crate::cli::summary::{self, Notice};
use crate::cli::terminal::passwords;
use crate::cli::terminal::print::{Bytes, Count, Number};

const STYLE: &str = include_str!("report.css");

/// Writes it where it goes.
pub(super) fn write(
    report: &HtmlReport,
    state: &ReportState,
    end: &RunEnd,
    out: &mut dyn Write,
) -> io::Result<()> {
    let map = treemap::map(&state.directories.top);
    let cells = (map.cells.iter()).map(|tile| rows::cell(tile, &map.base, report, end));
    let page = Page {
        style_hash: format!("sha256-{}", STANDARD.encode(Sha256::digest(STYLE))),
        report,
        state,
        end,
        base: shown(&map.base.to_string_lossy(), LONGEST),
        cells: cells.collect(),
        groups: map.groups.iter().map(rows::edges).collect(),
    };
    let page = page.render().map_err(io::Error::other)?;
    writeln!(out, "{page}")
}

/// What the template can see; it also calls functions of this module.
#[derive(Template)]
#[template(path = "report.html", config = "src/cli/html_report/askama.toml")]
struct Page<'r> {
    style_hash: String,
    report: &'r HtmlReport,
    state: &'r ReportState,
    end: &'r RunEnd,
    /// The directory that all cells are in.
    base: String,
    cells: Vec<Cell>,
    groups: Vec<Area>,
}

fn capital(sentence: &str) -> String {
    let mut rest = sentence.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

fn remarks(end: &RunEnd) -> Vec<String> {
    let notices = summary::for_report(end).into_iter();
    summary::forms(end)
        .chain(notices.map(Notice::sentence))
        .map(|remark| capital(&shown(&remark, LONGEST_SENTENCE * 2)))
        .collect()
}

/// The length of a bar, out of a hundred.
fn share(part: &u64, whole: u64) -> f64 {
    rounded((*part as f64 / whole.max(1) as f64 * 100.0).max(0.5))
}

// The template gives references to numbers.
fn bytes(number: &u64) -> Bytes {
    Bytes(*number)
}

fn number(number: &u64) -> Number {
    Number(*number)
}

fn count(number: &u64, noun: &'static str) -> Count {
    Count(*number, noun)
}

/// Says how many are listed, out of how many.
fn listed(listed: usize, all: &u64, noun: &'static str) -> String {
    let listed = listed as u64;
    let some = if listed < *all {
        format!(", of which the first {} are listed", Number(listed))
    } else {
        String::new()
    };
    format!("{}{some}.", Count(*all, noun))
}
