//! The cells of the picture as the page shows them: each with its label, and its row in the table.

use std::path::Path;

use super::HtmlReport;
use super::directories::Counts;
use super::text::{LONGEST, shown};
use super::treemap::{Area, Tile, TileKind};
use crate::cli::run::end::RunEnd;
use crate::cli::run::exit::Remaining;
use crate::cli::terminal::print::{Number, counted, list, numbers};

/// Stands for the path of the directory that all others are in.
const TOP: &str = "(top)";

/// A cell of the picture, and its row in the table.
pub(super) struct Cell {
    pub(super) path: String,
    pub(super) note: String,
    pub(super) counts: Counts,
    pub(super) area: Area,
    /// The label: its path or its name, and its number, as far as there is room.
    pub(super) lines: Vec<String>,
    /// The size of the letters in its first line.
    pub(super) size: f64,
}

/// The size of letters in large cells, as in the style sheet, and in all others.
pub(super) const BIG: f64 = 24.0;
const SMALL: f64 = 18.0;

/// An area with rounded edges, so that cells that touch still do.
pub(super) fn edges(area: &Area) -> Area {
    Area {
        from: area.from.map(rounded),
        to: area.to.map(rounded),
    }
}

/// `base` is the directory that all cells are in.
pub(super) fn cell(tile: &Tile<'_>, base: &Path, report: &HtmlReport, end: &RunEnd) -> Cell {
    let counts = tile.counts;
    let below = tile.path.strip_prefix(base).unwrap_or(&tile.path);
    let mut path = if below.as_os_str().is_empty() {
        TOP.to_owned()
    } else {
        shown(&below.to_string_lossy(), LONGEST)
    };
    let mut name = path.rsplit('/').next().unwrap_or_default().to_owned();
    if let TileKind::Others(_) = tile.what {
        name = "others".to_owned();
        path.push_str(", others");
    }
    let what = match tile.what {
        TileKind::Directory => None,
        TileKind::Own => Some("its own pages".to_owned()),
        TileKind::Others(directories) => counted(directories, "# smaller director[y|ies]"),
    };
    let left = match report.left() {
        Remaining::Relative if end.form().is_some() => "to be changed",
        Remaining::Relative => "relative",
        _ => "left",
    };
    let troubles = numbers(&[
        (counts.failed, "not processed"),
        (counts.left, left),
        (counts.divergent, "divergent"),
    ]);
    let troubles = Some(troubles).filter(|troubles| !troubles.is_empty());
    let note = list(what.into_iter().chain(troubles));
    let area = edges(&tile.area);
    let (width, height) = (rounded(area.width()), rounded(area.height()));
    // About how wide a letter is.
    let (size, letter) = if width > 200.0 && height > 90.0 {
        (BIG, 14.5)
    } else {
        (SMALL, 10.5)
    };
    let room = ((width - 16.0) / letter).max(0.0);
    let name = if letters(&path) <= room { &path } else { &name };
    let label = fitting(name, room).filter(|_| height > size + 12.0);
    let mut lines: Vec<String> = label.into_iter().collect();
    let number = Number(counts.references).to_string();
    if !lines.is_empty() && height > size + 40.0 && number.len() as f64 * 10.5 < width - 16.0 {
        lines.push(number);
    }
    Cell {
        path,
        note,
        counts,
        area,
        lines,
        size,
    }
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
    end: &RunEnd,
    cells: &[Cell],
) -> Vec<(&'static str, &'static str)> {
    let left = match report.left() {
        Remaining::Relative if end.form().is_some() => "links to change",
        Remaining::Relative => "relative links",
        _ if end.form().is_some() => "links that do not resolve",
        _ => "links that stay relative",
    };
    let done = match all.paint() {
        "done" => "no problem",
        _ => "nothing else",
    };
    let all = [
        ("failed", "files that could not be processed"),
        ("left", left),
        ("divergent", "resolved differently by browsers"),
        ("done", done),
    ];
    let is_there = |paint: &str| cells.iter().any(|cell| cell.counts.paint() == paint);
    all.into_iter()
        .filter(|(paint, _)| is_there(paint))
        .collect()
}

/// With two digits.
pub(super) fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
