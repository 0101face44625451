//! The tables, each unpacked when it is first needed.

use std::sync::OnceLock;

use packed::Unpacker;

use crate::cells::{SETS, set};
use crate::{Encoding, Kind};

/// Tables that are unpacked together.
#[derive(Clone, Copy)]
pub(crate) enum Set {
    Big5,
    EucKr,
    Gb18030,
    Jis,
    Single,
}

static PACKED: [&[u8]; 5] = [
    include_bytes!("packed/big5"),
    include_bytes!("packed/euc-kr"),
    include_bytes!("packed/gb18030"),
    include_bytes!("packed/jis"),
    include_bytes!("packed/single"),
];

impl Set {
    fn tables(self) -> &'static [Vec<u32>] {
        static UNPACKED: [OnceLock<Vec<Vec<u32>>>; 5] = [const { OnceLock::new() }; 5];
        UNPACKED[self as usize].get_or_init(|| {
            let shapes = SETS[self as usize];
            let mut tables = vec![Vec::new(); shapes.len()];
            set(
                &mut Unpacker::new(PACKED[self as usize]),
                shapes,
                &mut tables,
            );
            tables
        })
    }

    /// The character at a place of one of the tables.
    pub(crate) fn get(self, table: usize, at: usize) -> Option<char> {
        let cell = self.tables()[table].get(at)?;
        char::from_u32(*cell).filter(|character| *character != '\0')
    }
}

/// Where a character is in the first table of a set, or in those after it, whose places follow: what an encoding
/// writes, which is a few characters of a document's references. So the tables are searched, and nothing is sorted.
pub(crate) fn place(kind: Kind, character: char) -> Option<usize> {
    let set = match kind {
        Kind::Big5 => Set::Big5,
        Kind::EucKr => Set::EucKr,
        Kind::Gb18030 { .. } => Set::Gb18030,
        _ => Set::Jis,
    };
    let tables = match set {
        Set::Jis => &set.tables()[..1],
        _ => set.tables(),
    };
    let mut cells = tables.iter().flatten().zip(0..);
    let wanted = u32::from(character);
    // Of several places the first one counts.
    let found = cells.find(|&(&cell, at)| cell == wanted && is_written(kind, character, at));
    found.map(|(_, at)| at as usize)
}

/// Whether a place is one that the encoder of the Encoding Standard knows.
fn is_written(kind: Kind, character: char, at: u32) -> bool {
    match kind {
        // Nothing of the supplement for Hong Kong, and of these six the last place.
        Kind::Big5 => match character {
            '═' | '╞' | '╡' | '╪' => at > 0x5f * 157,
            '十' | '卅' => at > 0x22 * 157,
            _ => at >= 0x20 * 157,
        },
        // The rows of NEC, which are those of IBM once more.
        Kind::ShiftJis => !(8272..=8835).contains(&at),
        _ => true,
    }
}

/// The byte of a character in an encoding of one byte.
pub(crate) fn byte(table: usize, character: char) -> Option<u8> {
    let table = Set::Single.tables()[0].chunks_exact(128).nth(table)?;
    let at = table
        .iter()
        .position(|cell| *cell == u32::from(character))?;
    Some(at as u8 | 0x80)
}

impl Encoding {
    /// The table of an encoding of one byte.
    pub(crate) fn single(table: usize, byte: u8) -> Option<char> {
        Set::Single.get(0, table * 128 + usize::from(byte & 0x7f))
    }
}
