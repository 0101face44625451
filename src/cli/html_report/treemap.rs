//! Directories as a picture: a rectangle for each, whose area stands for its references.
//!
//! The largest cell is split into the directories in it as long as there are not too many cells.
//! Rectangles are divided as in Bruls, Huizing and van Wijk, *Squarified Treemaps* (2000), which keeps
//! cells close to squares.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::directories::{Counts, DirectoryNode};

pub(super) const WIDTH: f64 = 1200.0;
pub(super) const HEIGHT: f64 = 600.0;
/// How many cells it has at most.
const MOST: usize = 400;
/// Directories with less than a thousandth of all area are shown together with their siblings.
const SMALLEST: u64 = 1000;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TileKind {
    /// A directory with all that is below it.
    Directory,
    /// The documents in a directory, without those in the directories below it.
    Own,
    /// This many small directories in one.
    Others(u64),
}

/// A rectangle, by its edges: cells that touch have the same numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

pub(super) struct Treemap {
    /// The largest first.
    pub(super) cells: Vec<Tile>,
    /// The directory that all cells are in.
    pub(super) base: PathBuf,
    /// The areas of its immediate children, which hold the cells.
    pub(super) groups: Vec<Area>,
}

pub(super) struct Tile {
    pub(super) path: PathBuf,
    pub(super) what: TileKind,
    pub(super) counts: Counts,
    pub(super) area: Area,
}

/// A part of the whole, which may have parts itself.
struct TilePart<'d> {
    path: PathBuf,
    what: TileKind,
    counts: Counts,
    /// What it can be split into.
    directory: Option<&'d DirectoryNode>,
    parts: Vec<usize>,
}

/// The picture of all directories.
pub(super) fn map(top: &DirectoryNode) -> Treemap {
    let mut nodes = vec![TilePart {
        path: PathBuf::new(),
        what: TileKind::Directory,
        counts: top.all(),
        directory: Some(top),
        parts: Vec::new(),
    }];
    if nodes[0].counts.area() == 0 {
        return Treemap {
            cells: Vec::new(),
            base: PathBuf::new(),
            groups: Vec::new(),
        };
    }
    split(&mut nodes);
    let whole = Area {
        left: 0.0,
        top: 0.0,
        right: WIDTH,
        bottom: HEIGHT,
    };
    let mut areas = vec![whole; nodes.len()];
    // Parts come after what they are parts of.
    for node in 0..nodes.len() {
        let parts = &nodes[node].parts;
        let sizes: Vec<u64> = parts
            .iter()
            .map(|&part| nodes[part].counts.area())
            .collect();
        for (&part, area) in parts.iter().zip(squarified(&sizes, areas[node])) {
            areas[part] = area;
        }
    }
    // A directory that only holds one other is no group.
    let mut group = 0;
    while let [part] = nodes[group].parts[..] {
        group = part;
    }
    let groups = nodes[group].parts.iter().map(|&part| areas[part]).collect();
    let base = nodes[group].path.clone();
    let cells = nodes.into_iter().zip(areas);
    let cells = cells.filter(|(node, _)| node.parts.is_empty());
    let mut cells: Vec<Tile> = cells
        .map(|(node, area)| Tile {
            path: node.path,
            what: node.what,
            counts: node.counts,
            area,
        })
        .collect();
    cells.sort_by(|one, other| {
        let key = |cell: &Tile| (Reverse(cell.counts.area()), cell.what.clone());
        key(one)
            .cmp(&key(other))
            .then_with(|| one.path.cmp(&other.path))
    });
    Treemap {
        cells,
        base,
        groups,
    }
}

/// Splits the largest cell, ties by path, as long as there are not too many cells.
fn split(nodes: &mut Vec<TilePart<'_>>) {
    let smallest = nodes[0].counts.area().div_ceil(SMALLEST);
    let mut cells = 1;
    loop {
        let open = (0..nodes.len()).filter(|&node| {
            let directory = nodes[node].directory;
            directory.is_some_and(|it| !it.below.is_empty()) && nodes[node].parts.is_empty()
        });
        let Some(largest) =
            open.max_by_key(|&node| (nodes[node].counts.area(), Reverse(&nodes[node].path)))
        else {
            return;
        };
        let mut parts = parts(&nodes[largest], smallest);
        if cells == 1 {
            // Showing the largest of them is better than one cell that says nothing.
            limit(&mut parts, &nodes[largest].path);
        }
        if cells + parts.len() - 1 > MOST {
            return;
        }
        cells += parts.len() - 1;
        nodes[largest].parts = (nodes.len()..nodes.len() + parts.len()).collect();
        nodes.extend(parts);
    }
}

/// What a directory is split into, the largest first: its subdirectories, its own documents, and
/// whatever is too small for a cell of its own.
fn parts<'d>(node: &TilePart<'d>, smallest: u64) -> Vec<TilePart<'d>> {
    let mut parts = Vec::new();
    let (mut others, mut joined) = (Counts::default(), 0);
    let Some(directory) = node.directory else {
        return parts;
    };
    for (name, below) in &directory.below {
        let counts = below.all();
        if counts.area() < smallest {
            others.add(&counts);
            joined += 1;
        } else {
            parts.push(TilePart {
                path: node.path.join(name),
                what: TileKind::Directory,
                counts,
                directory: Some(below),
                parts: Vec::new(),
            });
        }
    }
    let rest = [
        (TileKind::Own, directory.own),
        (TileKind::Others(joined), others),
    ];
    for (what, counts) in rest {
        if counts.area() > 0 {
            parts.push(TilePart {
                path: node.path.clone(),
                what,
                counts,
                directory: None,
                parts: Vec::new(),
            });
        }
    }
    // The sort is stable, and the directories came sorted by name.
    parts.sort_by_key(|part| Reverse(part.counts.area()));
    parts
}

/// If a directory has too many parts, keeps the largest; the others become one.
fn limit(parts: &mut Vec<TilePart<'_>>, directory: &Path) {
    if parts.len() <= MOST {
        return;
    }
    let (mut others, mut joined) = (Counts::default(), 0);
    for part in parts.split_off(MOST - 1) {
        others.add(&part.counts);
        joined += match part.what {
            TileKind::Others(directories) => directories,
            TileKind::Directory | TileKind::Own => 1,
        };
    }
    parts.push(TilePart {
        path: directory.to_owned(),
        what: TileKind::Others(joined),
        counts: others,
        directory: None,
        parts: Vec::new(),
    });
    parts.sort_by_key(|part| Reverse(part.counts.area()));
}

/// The areas of parts of these sizes, the largest first, which fill `whole`.
fn squarified(sizes: &[u64], whole: Area) -> Vec<Area> {
    let mut areas = Vec::with_capacity(sizes.len());
    let (mut rest, mut free) = (sizes, whole);
    while !rest.is_empty() {
        let total = sum(rest);
        let scale = free.width() * free.height() / total;
        let side = free.width().min(free.height());
        // Parts go into a strip along the shorter side as long as its worst cell gets better.
        let mut strip = 1;
        while strip < rest.len()
            && worst(&rest[..=strip], scale, side) <= worst(&rest[..strip], scale, side)
        {
            strip += 1;
        }
        let (now, later) = rest.split_at(strip);
        let part = if later.is_empty() {
            1.0
        } else {
            sum(now) / total
        };
        let (strip, next) = cut(free, part);
        let (mut before, total) = (0.0, sum(now));
        for (index, &size) in now.iter().enumerate() {
            let from = before / total;
            before += size as f64;
            let to = if index + 1 == now.len() {
                1.0
            } else {
                before / total
            };
            areas.push(along(strip, free, from, to));
        }
        (rest, free) = (later, next);
    }
    areas
}

fn sum(sizes: &[u64]) -> f64 {
    sizes.iter().map(|&size| size as f64).sum()
}

/// The worst ratio of the sides of a cell in a strip along a side of this length.
fn worst(strip: &[u64], scale: f64, side: f64) -> f64 {
    let thickness = sum(strip) * scale / side;
    let ratio = |&size: &u64| {
        let length = size as f64 * scale / thickness;
        (thickness / length).max(length / thickness)
    };
    strip.iter().map(ratio).fold(0.0, f64::max)
}

/// A strip along the shorter side with a part of the area, and what is left.
fn cut(free: Area, part: f64) -> (Area, Area) {
    if free.width() >= free.height() {
        let at = free.left + free.width() * part;
        (Area { right: at, ..free }, Area { left: at, ..free })
    } else {
        let at = free.top + free.height() * part;
        (Area { bottom: at, ..free }, Area { top: at, ..free })
    }
}

/// The part of a strip between two fractions of its length. `free` is what it was cut from.
fn along(strip: Area, free: Area, from: f64, to: f64) -> Area {
    let between = |start: f64, end: f64, at: f64| match at {
        1.0 => end,
        at => start + (end - start) * at,
    };
    if free.width() >= free.height() {
        Area {
            top: between(strip.top, strip.bottom, from),
            bottom: between(strip.top, strip.bottom, to),
            ..strip
        }
    } else {
        Area {
            left: between(strip.left, strip.right, from),
            right: between(strip.left, strip.right, to),
            ..strip
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::directories::Directories;
    use super::*;

    fn tree(files: impl Iterator<Item = (String, u64)>) -> Directories {
        let mut directories = Directories::default();
        for (path, references) in files {
            let counts = Counts {
                documents: 1,
                references,
                ..Counts::default()
            };
            directories.count(Path::new(&path), &counts);
        }
        directories
    }

    /// Cells tile the area: none overlaps another one, and together they fill it.
    fn tiles(cells: &[Tile]) {
        let total: u64 = cells.iter().map(|cell| cell.counts.area()).sum();
        let mut filled = 0.0;
        for (index, cell) in cells.iter().enumerate() {
            let area = cell.area;
            assert!(area.left >= 0.0 && area.right <= WIDTH && area.top >= 0.0);
            assert!(area.bottom <= HEIGHT && area.width() > 0.0 && area.height() > 0.0);
            let size = area.width() * area.height();
            let due = cell.counts.area() as f64 / total as f64 * WIDTH * HEIGHT;
            assert!((size - due).abs() < 1e-6 * WIDTH * HEIGHT, "{size} {due}");
            filled += size;
            for other in &cells[..index] {
                let other = other.area;
                let apart = area.left >= other.right
                    || other.left >= area.right
                    || area.top >= other.bottom
                    || other.top >= area.bottom;
                assert!(apart, "{area:?} {other:?}");
            }
        }
        assert!((filled - WIDTH * HEIGHT).abs() < 1e-3);
    }

    #[test]
    fn cells_fill_the_area() {
        let uneven = (1..40_u64).map(|n| (format!("{:02}/{n}/p.html", n % 7), n * n));
        let Treemap { cells, groups, .. } = map(&tree(uneven).top);
        tiles(&cells);
        assert_eq!((cells.len(), groups.len()), (39, 7));
        assert!(cells.is_sorted_by_key(|cell| Reverse(cell.counts.area())));
    }

    #[test]
    fn there_are_not_too_many_cells() {
        let many = (0..2_000_u64).map(|n| (format!("{}/{n}/p.html", n % 10), 1 + n % 50));
        let Treemap { cells, .. } = map(&tree(many).top);
        assert!(cells.len() <= MOST, "{}", cells.len());
        tiles(&cells);
    }

    #[test]
    fn siblings_are_not_too_many() {
        let flat = (0..900_u64).map(|n| (format!("d/{n:03}/p.html"), 10));
        let Treemap { cells, base, .. } = map(&tree(flat).top);
        tiles(&cells);
        assert_eq!((cells.len(), &*base), (MOST, Path::new("d")));
        assert_eq!(cells[0].what, TileKind::Others(501));
        assert_eq!(
            (&*cells[0].path, &*cells[1].path),
            (Path::new("d"), Path::new("d/000"))
        );
    }

    #[test]
    fn what_is_small_is_shown_together() {
        let files = [
            ("a/p", 10_000),
            ("b/p", 9),
            ("c/d/p", 3),
            ("p", 5),
            ("e/p", 0),
        ];
        let files = files.map(|(path, references)| (path.to_owned(), references));
        let Treemap { cells, .. } = map(&tree(files.into_iter()).top);
        let seen = cells
            .iter()
            .map(|it| (it.path.as_path(), it.what.clone(), it.counts.area()));
        let seen: Vec<_> = seen.collect();
        assert_eq!(
            seen,
            [
                (Path::new("a"), TileKind::Directory, 10_000),
                (Path::new(""), TileKind::Others(3), 12),
                (Path::new(""), TileKind::Own, 5),
            ]
        );
        tiles(&cells);
    }

    #[test]
    fn a_single_way_is_no_group() {
        let files = [("/x/y/a/p", 2), ("/x/y/b/p", 1)];
        let files = files.map(|(path, references)| (path.to_owned(), references));
        let Treemap {
            cells,
            base,
            groups,
        } = map(&tree(files.into_iter()).top);
        assert_eq!((cells.len(), groups.len()), (2, 2));
        assert_eq!(
            (&*base, &*cells[0].path),
            (Path::new("/x/y"), Path::new("/x/y/a"))
        );
        assert_eq!(map(&DirectoryNode::default()).cells.len(), 0);
    }
}
