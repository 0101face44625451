//! How tables are packed. The program in `../tables` has this file too.

use packed::{Chance, Coder, Number};

/// Which characters tables have so far: what is in order often leaves out those that came before.
#[derive(Debug)]
struct Used(Vec<bool>);

impl Used {
    fn new(shapes: &[Shape]) -> Used {
        Used(match shapes {
            // The same characters again and again.
            [(SINGLE, _)] => Vec::new(),
            _ => vec![false; 0x3_0000],
        })
    }

    fn has(&self, character: u32) -> bool {
        self.0.get(character as usize).is_some_and(|used| *used)
    }

    /// The unused character after so many others.
    fn up(&self, from: u32, skipped: u32) -> u32 {
        (from + 1..)
            .filter(|&c| !self.has(c))
            .nth(skipped as usize)
            .unwrap_or_default()
    }

    fn down(&self, from: u32, skipped: u32) -> u32 {
        (0..from)
            .rev()
            .filter(|&c| !self.has(c))
            .nth(skipped as usize)
            .unwrap_or_default()
    }

    /// How many unused ones are between two, of which one is the `next`, if they are no more than `most` apart.
    fn between(&self, low: u32, high: u32, next: u32, most: u32) -> Option<u32> {
        let is_near = low < high && high - low < most && !self.has(next);
        is_near.then(|| (low + 1..high).filter(|&c| !self.has(c)).count() as u32)
    }
}

/// How a cell differs from the one before it.
const NONE: u32 = 0;
const NEXT: u32 = 1;
const UP: u32 = 2;
const DOWN: u32 = 3;
const OTHER: u32 = 4;

/// The characters of the cells in `order`; 0 in a cell is none.
fn cells(
    coder: &mut impl Coder,
    cells: &mut [u32],
    order: &mut dyn Iterator<Item = usize>,
    used: &mut Used,
) {
    let mut kinds = vec![[Chance::default(); 8]; 512];
    let mut ups = vec![Number::default(); 16];
    let mut downs = Number::default();
    let mut highs = vec![Chance::default(); 1 << 10];
    let mut lows = vec![[Chance::default(); 1 << 8]; 16];
    let (mut last, mut kinds_before, mut up_before) = (0, 0, 0);
    for at in order {
        let cell = cells[at];
        let up = used.between(last, cell, cell, 4096).filter(|&up| up < 512);
        let down = used
            .between(cell, last, cell, 600)
            .filter(|&down| down < 64);
        let kind = match (cell, up, down) {
            (0, ..) => NONE,
            (_, Some(0), _) => NEXT,
            (_, Some(_), _) => UP,
            (_, _, Some(_)) => DOWN,
            _ => OTHER,
        };
        let kind = coder.small(&mut kinds[kinds_before], kind);
        kinds_before = (kinds_before << 3 | kind as usize) & 511;
        let cell = match kind {
            NONE => 0,
            NEXT => used.up(last, 0),
            UP => {
                let up = coder.number(&mut ups[up_before], up.unwrap_or_default());
                up_before = (32 - up.leading_zeros()) as usize / 2;
                used.up(last, up)
            }
            DOWN => used.down(last, coder.number(&mut downs, down.unwrap_or_default())),
            _ => {
                let high = coder.small(&mut highs, cell >> 8);
                let lows = &mut lows[high as usize >> 6 & 15];
                high << 8 | coder.small(lows, cell & 255)
            }
        };
        cells[at] = cell;
        if cell != 0 {
            last = cell;
            if let Some(used) = used.0.get_mut(cell as usize) {
                *used = true;
            }
        }
    }
}

/// How many cells two bytes have in Big5, in EUC-KR and in GB18030, by lead and by trail.
pub(crate) const BIG5: [usize; 2] = [126, 157];
pub(crate) const EUC_KR: [usize; 2] = [126, 190];
pub(crate) const GB18030: [usize; 2] = [126, 190];
/// JIS X 0208 with the rows that Shift_JIS has beyond it.
pub(crate) const JIS0208: [usize; 2] = [120, 94];
pub(crate) const JIS0212: [usize; 2] = [94, 94];
/// Characters of four bytes, in the Basic Multilingual Plane.
pub(crate) const GB18030_LONG: [usize; 2] = [1, 39_420];
/// One byte each, from 0x80.
pub(crate) const SINGLE: [usize; 2] = [27, 128];

/// The tables of one set, which are packed together: for each its size, and where the older standard begins in it,
/// which comes first, since the rest has what that left out.
pub(crate) type Shape = ([usize; 2], [usize; 2]);

pub(crate) const SETS: [&[Shape]; 5] = [
    &[(BIG5, [0x20, 0])],
    &[(EUC_KR, [0x20, 0x60])],
    &[(GB18030, [0x20, 0x60]), (GB18030_LONG, [0, 0])],
    &[(JIS0208, [0, 0]), (JIS0212, [0, 0])],
    &[(SINGLE, [0, 0])],
];

/// All tables of a set.
pub(crate) fn set(coder: &mut impl Coder, shapes: &[Shape], tables: &mut [Vec<u32>]) {
    let mut used = Used::new(shapes);
    for (([rows, columns], [row, column]), table) in shapes.iter().zip(tables) {
        table.resize(rows * columns, 0);
        let is_first = |at: &usize| at / columns >= *row && at % columns >= *column;
        let all = 0..rows * columns;
        let mut first = all.clone().filter(is_first);
        cells(coder, table, &mut first, &mut used);
        cells(coder, table, &mut all.filter(|at| !is_first(at)), &mut used);
    }
}
