//! The cells of the picture as the page shows them: each with its label, and its row in the table.

use std::path::{Path, PathBuf};

use super::directories::{Counts, WorstOutcome};
use super::text::{LONGEST, shown};
use super::treemap::{self, Area, TileKind};
use super::{HtmlReport, ReportState};
use crate::cli::run::exit::Remaining;
use crate::cli::terminal::print::{Count, Number};

/// Stands for the path of the directory that all others are in.
const TOP: &str = "(top)";

impl WorstOutcome {
    fn paint(self) -> &'static str {
        match self {
            WorstOutcome::Done => "done",
            WorstOutcome::Divergent => "divergent",
            WorstOutcome::Left => "left",
            WorstOutcome::Failed => "failed",
        }
    }
}

/// A cell of the picture, and its row in the table.
pub(super) struct Cell {
    pub(super) id: String,
    pub(super) paint: &'static str,
    pub(super) about: String,
    pub(super) path: String,
    pub(super) note: String,
    pub(super) references: Number,
    pub(super) documents: Number,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) lines: Vec<LabelLine>,
}

pub(super) struct LabelLine {
    pub(super) is_big: bool,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) text: String,
}

/// Where a rectangle begins, and its width and height.
pub(super) type Rectangle = (f64, f64, f64, f64);

/// The directory that all cells are in, the cells, and the areas of groups.
pub(super) fn cells(
    report: &HtmlReport,
    state: &ReportState,
) -> (PathBuf, Vec<Cell>, Vec<Rectangle>) {
    let map = treemap::map(&state.directories.top);
    let cells = map.cells.iter().zip(1..);
    let cells = cells
        .map(|(cell, number)| row(cell, number, &map.base, report))
        .collect();
    let groups = map.groups.iter().map(edges).collect();
    (map.base, cells, groups)
}

/// Where a rectangle is, and how large. Edges are rounded, so that cells that touch still do.
fn edges(area: &Area) -> Rectangle {
    let [left, top, right, bottom] = [area.left, area.top, area.right, area.bottom].map(rounded);
    (left, top, rounded(right - left), rounded(bottom - top))
}

fn row(cell: &treemap::Tile, number: usize, base: &Path, report: &HtmlReport) -> Cell {
    let counts = &cell.counts;
    let below = cell.path.strip_prefix(base).unwrap_or(&cell.path);
    let mut path = if below.as_os_str().is_empty() {
        TOP.to_owned()
    } else {
        shown(&below.to_string_lossy(), LONGEST)
    };
    let mut name = path.rsplit('/').next().unwrap_or_default().to_owned();
    if let TileKind::Others(_) = cell.what {
        name = "others".to_owned();
        path.push_str(", others");
    }
    let what = match cell.what {
        TileKind::Directory => None,
        TileKind::Own => Some("its own pages".to_owned()),
        TileKind::Others(1) => Some("1 smaller directory".to_owned()),
        TileKind::Others(directories) => {
            Some(format!("{} smaller directories", Number(directories)))
        }
    };
    let left = match report.left() {
        Remaining::Relative if report.form.is_some() => "to be changed",
        Remaining::Relative => "relative",
        _ => "left",
    };
    let troubles = [
        (counts.failed, "not processed"),
        (counts.left, left),
        (counts.divergent, "divergent"),
    ];
    let troubles = troubles.into_iter().filter(|(number, _)| *number > 0);
    let troubles = troubles.map(|(number, what)| format!("{} {what}", Number(number)));
    let note = what
        .into_iter()
        .chain(troubles)
        .collect::<Vec<_>>()
        .join(", ");
    let (references, documents) = (Number(counts.references), Number(counts.documents));
    let comma = if note.is_empty() { "" } else { ", " };
    let (x, y, width, height) = edges(&cell.area);
    Cell {
        id: format!("d{number}"),
        paint: counts.outcome().paint(),
        about: format!(
            "{path} {} in {}{comma}{note}",
            Count(counts.references, "link"),
            Count(counts.documents, "page")
        ),
        lines: lines(cell, &path, &name),
        path,
        note,
        references,
        documents,
        x,
        y,
        width,
        height,
    }
}

/// The label of a cell, if there is room: its path or its name, and its number.
fn lines(cell: &treemap::Tile, path: &str, name: &str) -> Vec<LabelLine> {
    let (x, y, width, height) = edges(&cell.area);
    let is_big = width > 200.0 && height > 90.0;
    // The sizes of the style sheet, and about how wide a letter is.
    let (size, letter) = if is_big { (24.0, 14.5) } else { (18.0, 10.5) };
    let room = ((width - 16.0) / letter).max(0.0);
    let name = if letters(path) <= room { path } else { name };
    let mut lines = Vec::new();
    if let Some(text) = fitting(name, room)
        && height > size + 12.0
    {
        lines.push(LabelLine {
            is_big,
            x: rounded(x + 9.0),
            y: rounded(y + size + 5.0),
            text,
        });
        let number = Number(cell.counts.references).to_string();
        if height > size + 40.0 && number.len() as f64 * 10.5 < width - 16.0 {
            lines.push(LabelLine {
                is_big: false,
                x: rounded(x + 9.0),
                y: rounded(y + size + 29.0),
                text: number,
            });
        }
    }
    lines
}

/// As much of a name as fits into room for this many letters; nothing if too little is left of it.
fn fitting(name: &str, room: f64) -> Option<String> {
    if letters(name) <= room {
        return Some(name.to_owned());
    }
    let mut left = room - 1.5;
    let fits = |letter: &char| {
        left -= width(*letter);
        left >= 0.0
    };
    let cut: String = name.chars().take_while(fits).collect();
    (cut.chars().count() >= 4).then(|| cut + "…")
}

/// How wide a text is, in Latin letters: those of many scripts are as wide as two.
fn letters(text: &str) -> f64 {
    text.chars().map(width).sum()
}

fn width(letter: char) -> f64 {
    if letter.is_ascii() { 1.0 } else { 2.0 }
}

/// What the colours that occur mean.
pub(super) fn key_of_cells(
    all: Counts,
    report: &HtmlReport,
    cells: &[Cell],
) -> Vec<(&'static str, &'static str)> {
    let left = match report.left() {
        Remaining::Relative if report.form.is_some() => "links to change",
        Remaining::Relative => "relative links",
        _ if report.form.is_some() => "links that do not resolve",
        _ => "links that stay relative",
    };
    let done = match all.outcome() {
        WorstOutcome::Done => "no problem",
        _ => "nothing else",
    };
    let all = [
        ("failed", "files that could not be processed"),
        ("left", left),
        ("divergent", "resolved differently by browsers"),
        ("done", done),
    ];
    let is_there = |paint: &str| cells.iter().any(|cell| cell.paint == paint);
    all.into_iter()
        .filter(|(paint, _)| is_there(paint))
        .collect()
}

/// With two digits.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
