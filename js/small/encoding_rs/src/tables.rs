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

/// From characters to their places in a table, for what an encoding writes.
type Places = Vec<(char, u32)>;

/// Where a character is in the first table of a set, or in those after it, whose places follow.
pub(crate) fn place(kind: Kind, character: char) -> Option<usize> {
    static PLACES: [OnceLock<Places>; 6] = [const { OnceLock::new() }; 6];
    let (number, set) = match kind {
        Kind::Big5 => (0, Set::Big5),
        Kind::EucKr => (1, Set::EucKr),
        Kind::Gb18030 { .. } => (2, Set::Gb18030),
        Kind::ShiftJis => (3, Set::Jis),
        _ => (4, Set::Jis),
    };
    let places = PLACES[number].get_or_init(|| {
        let tables = match set {
            Set::Jis => &set.tables()[..1],
            _ => set.tables(),
        };
        let cells = tables.iter().flatten().zip(0..);
        let cells = cells.filter_map(|(cell, at)| Some((char::from_u32(*cell)?, at)));
        let mut places: Places = cells
            .filter(|(character, at)| *character != '\0' && is_written(kind, *character, *at))
            .collect();
        // Of several places the first one counts.
        places.sort_by_key(|(character, _)| *character);
        places.dedup_by_key(|(character, _)| *character);
        places
    });
    let found = places.binary_search_by_key(&character, |(character, _)| *character);
    found.ok().map(|found| places[found].1 as usize)
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
