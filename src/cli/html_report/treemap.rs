//! Directories as a picture: a rectangle for each, whose area stands for its references.
//!
//! The largest cell is split into the directories in it as long as there are not too many cells.
//! Rectangles are divided as in Bruls, Huizing and van Wijk, *Squarified Treemaps* (2000), which keeps
//! cells close to squares.

use std::cmp::Reverse;
use std::ops::Range;
use std::path::PathBuf;

use super::directories::{Counts, DirectoryNode};

/// How many cells it has at most.
const MOST: usize = 400;
/// Directories with less than a thousandth of all area are shown together with their siblings.
const SMALLEST: u64 = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TileKind {
    /// A directory with all that is below it.
    Directory,
    /// The documents in a directory, without those in the directories below it.
    Own,
    /// This many small directories in one.
    Others(u64),
}

/// A rectangle, by its edges from left to right and from top to bottom: cells that touch have the same numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) from: [f64; 2],
    pub(super) to: [f64; 2],
}

impl Area {
    const WHOLE: Area = Area {
        from: [0.0, 0.0],
        to: [1200.0, 600.0],
    };

    fn side(&self, axis: usize) -> f64 {
        self.to[axis] - self.from[axis]
    }

    pub(super) fn width(&self) -> f64 {
        self.side(0)
    }

    pub(super) fn height(&self) -> f64 {
        self.side(1)
    }
}

#[derive(Default)]
pub(super) struct Treemap<'d> {
    /// The largest first.
    pub(super) cells: Vec<Tile<'d>>,
    /// The directory that all cells are in.
    pub(super) base: PathBuf,
    /// The areas of its immediate children, which hold the cells.
    pub(super) groups: Vec<Area>,
}

/// A part of the whole, which may have parts itself.
pub(super) struct Tile<'d> {
    pub(super) path: PathBuf,
    pub(super) what: TileKind,
    pub(super) counts: Counts,
    pub(super) area: Area,
    /// What it can be split into.
    directory: Option<&'d DirectoryNode>,
    /// Where its parts are among all tiles.
    parts: Range<usize>,
}

impl<'d> Tile<'d> {
    /// A tile that has no place yet.
    fn new(
        path: PathBuf,
        what: TileKind,
        counts: Counts,
        directory: Option<&'d DirectoryNode>,
    ) -> Tile<'d> {
        Tile {
            path,
            what,
            counts,
            area: Area::WHOLE,
            directory,
            parts: 0..0,
        }
    }
}

/// The picture of all directories.
pub(super) fn map(top: &DirectoryNode) -> Treemap<'_> {
    let all = Tile::new(PathBuf::new(), TileKind::Directory, top.all(), Some(top));
    if all.counts.area() == 0 {
        return Treemap::default();
    }
    let mut tiles = vec![all];
    split(&mut tiles);
    // Parts come after what they are parts of.
    for tile in 0..tiles.len() {
        let (area, parts) = (tiles[tile].area, tiles[tile].parts.clone());
        let parts = &mut tiles[parts];
        let sizes: Vec<u64> = parts.iter().map(|part| part.counts.area()).collect();
        for (part, area) in parts.iter_mut().zip(squarified(&sizes, area)) {
            part.area = area;
        }
    }
    // A directory that only holds one other is no group.
    let mut group = &tiles[0];
    while group.parts.len() == 1 {
        group = &tiles[group.parts.start];
    }
    let groups = tiles[group.parts.clone()].iter().map(|part| part.area);
    let (groups, base) = (groups.collect(), group.path.clone());
    let mut cells = tiles;
    cells.retain(|tile| tile.parts.is_empty());
    cells.sort_by_cached_key(|cell| (Reverse(cell.counts.area()), cell.what, cell.path.clone()));
    Treemap {
        cells,
        base,
        groups,
    }
}

/// Splits the largest cell, ties by path, as long as there are not too many cells.
fn split(tiles: &mut Vec<Tile<'_>>) {
    let smallest = tiles[0].counts.area().div_ceil(SMALLEST);
    let mut cells = 1;
    loop {
        let open = (0..tiles.len()).filter(|&tile| {
            let directory = tiles[tile].directory;
            directory.is_some_and(|it| !it.below.is_empty()) && tiles[tile].parts.is_empty()
        });
        let Some(largest) =
            open.max_by_key(|&tile| (tiles[tile].counts.area(), Reverse(&tiles[tile].path)))
        else {
            return;
        };
        let parts = parts(&tiles[largest], smallest);
        if cells + parts.len() - 1 > MOST {
            return;
        }
        cells += parts.len() - 1;
        tiles[largest].parts = tiles.len()..tiles.len() + parts.len();
        tiles.extend(parts);
    }
}

/// What a directory is split into, the largest first: its subdirectories, its own documents, and
/// whatever is too small for a cell of its own, or too much.
fn parts<'d>(tile: &Tile<'d>, smallest: u64) -> Vec<Tile<'d>> {
    let Some(directory) = tile.directory else {
        return Vec::new();
    };
    let below = directory.below.iter().map(|(name, below)| {
        let path = tile.path.join(name);
        Tile::new(path, TileKind::Directory, below.all(), Some(below))
    });
    let mut parts: Vec<Tile<'_>> = below.collect();
    // The sorts are stable, and the directories come sorted by name.
    parts.sort_by_key(|part| Reverse(part.counts.area()));
    let mut shown = parts.partition_point(|part| part.counts.area() >= smallest);
    let has_own = usize::from(directory.own.area() > 0);
    if shown + has_own + usize::from(shown < parts.len()) > MOST {
        shown = MOST - 1 - has_own;
    }
    let (mut others, joined) = (Counts::default(), parts.split_off(shown));
    joined.iter().for_each(|part| others.add(&part.counts));
    let rest = [
        (TileKind::Own, directory.own),
        (TileKind::Others(joined.len() as u64), others),
    ];
    let rest = rest.into_iter().filter(|(_, counts)| counts.area() > 0);
    parts.extend(rest.map(|(what, counts)| Tile::new(tile.path.clone(), what, counts, None)));
    parts.sort_by_key(|part| Reverse(part.counts.area()));
    parts
}

/// The areas of parts of these sizes, the largest first, which fill `whole`.
fn squarified(sizes: &[u64], whole: Area) -> Vec<Area> {
    let mut areas = Vec::with_capacity(sizes.len());
    let (mut rest, mut free) = (sizes, whole);
    while !rest.is_empty() {
        let total = sum(rest);
        let scale = free.width() * free.height() / total;
        // Strips are cut off the longer side, and divided along the shorter one.
        let long = usize::from(free.width() < free.height());
        let short = 1 - long;
        let side = free.side(short);
        // Parts go into a strip as long as its worst cell gets better.
        let mut cells = 1;
        while cells < rest.len()
            && worst(&rest[..=cells], scale, side) <= worst(&rest[..cells], scale, side)
        {
            cells += 1;
        }
        let (now, later) = rest.split_at(cells);
        let in_strip = sum(now);
        let mut strip = free;
        strip.to[long] = free.from[long] + free.side(long) * (in_strip / total);
        let (mut cell, mut before) = (strip, 0.0);
        for &size in now {
            before += size as f64;
            cell.to[short] = match before / in_strip {
                1.0 => strip.to[short],
                part => strip.from[short] + side * part,
            };
            areas.push(cell);
            cell.from[short] = cell.to[short];
        }
        free.from[long] = strip.to[long];
        rest = later;
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::directories::Directories;
    use super::*;

    const WIDTH: f64 = Area::WHOLE.to[0];
    const HEIGHT: f64 = Area::WHOLE.to[1];

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
    fn tiles(cells: &[Tile<'_>]) {
        let total: u64 = cells.iter().map(|cell| cell.counts.area()).sum();
        let mut filled = 0.0;
        for (index, cell) in cells.iter().enumerate() {
            let area = cell.area;
            assert!(area.from[0] >= 0.0 && area.to[0] <= WIDTH && area.from[1] >= 0.0);
            assert!(area.to[1] <= HEIGHT && area.width() > 0.0 && area.height() > 0.0);
            let size = area.width() * area.height();
            let due = cell.counts.area() as f64 / total as f64 * WIDTH * HEIGHT;
            assert!((size - due).abs() < 1e-6 * WIDTH * HEIGHT, "{size} {due}");
            filled += size;
            for other in &cells[..index] {
                let other = other.area;
                let is_apart = |axis: usize| {
                    area.from[axis] >= other.to[axis] || other.from[axis] >= area.to[axis]
                };
                assert!(is_apart(0) || is_apart(1), "{area:?} {other:?}");
            }
        }
        assert!((filled - WIDTH * HEIGHT).abs() < 1e-3);
    }

    #[test]
    fn cells_fill_the_area() {
        let uneven = (1..40_u64).map(|n| (format!("{:02}/{n}/p.html", n % 7), n * n));
        let tree = tree(uneven);
        let Treemap { cells, groups, .. } = map(&tree.top);
        tiles(&cells);
        assert_eq!((cells.len(), groups.len()), (39, 7));
        assert!(cells.is_sorted_by_key(|cell| Reverse(cell.counts.area())));
    }

    #[test]
    fn there_are_not_too_many_cells() {
        let many = (0..2_000_u64).map(|n| (format!("{}/{n}/p.html", n % 10), 1 + n % 50));
        let tree = tree(many);
        let Treemap { cells, .. } = map(&tree.top);
        assert!(cells.len() <= MOST, "{}", cells.len());
        tiles(&cells);
    }

    #[test]
    fn siblings_are_not_too_many() {
        let flat = (0..900_u64).map(|n| (format!("d/{n:03}/p.html"), 10));
        let tree = tree(flat);
        let Treemap { cells, base, .. } = map(&tree.top);
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
        let tree = tree(files.into_iter());
        let Treemap { cells, .. } = map(&tree.top);
        let seen = cells
            .iter()
            .map(|it| (it.path.as_path(), it.what, it.counts.area()));
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
        let tree = tree(files.into_iter());
        let Treemap {
            cells,
            base,
            groups,
        } = map(&tree.top);
        assert_eq!((cells.len(), groups.len()), (2, 2));
        assert_eq!(
            (&*base, &*cells[0].path),
            (Path::new("/x/y"), Path::new("/x/y/a"))
        );
        assert_eq!(map(&DirectoryNode::default()).cells.len(), 0);
    }
}
