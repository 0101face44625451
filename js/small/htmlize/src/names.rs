//! How the table of names is packed. The program in `../tables` has this file too.

use packed::{Chance, Coder, Number};

/// A named character reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    /// Without its ampersand and its semicolon.
    pub(crate) name: Vec<u8>,
    /// Whether it may also be without its semicolon.
    pub(crate) is_bare: bool,
    /// What it stands for; of the second there is often none.
    pub(crate) characters: [u32; 2],
}

/// How many there are.
pub(crate) const COUNT: usize = 2125;

/// All names, in the order of their bytes.
pub(crate) fn names(coder: &mut impl Coder, given: &[Name]) -> Vec<Name> {
    let mut same = Number::default();
    let mut letters = vec![[Chance::default(); 1 << 7]; 1 << 7];
    let mut bare = [Chance::default(); 2];
    let mut characters = [Character::default(), Character::default()];
    let mut names: Vec<Name> = Vec::with_capacity(COUNT);
    let mut before = Name::default();
    for number in 0..COUNT {
        let nothing = Name::default();
        let name = given.get(number).unwrap_or(&nothing);
        let pairs = name.name.iter().zip(&before.name);
        let common = pairs.take_while(|(one, other)| one == other).count();
        let common = coder.number(&mut same, common as u32) as usize;
        let mut read = before.name[..common].to_vec();
        loop {
            let last = read.last().copied().unwrap_or_default();
            let letter = name.name.get(read.len()).copied().unwrap_or_default();
            match coder.small(&mut letters[usize::from(last)], u32::from(letter)) {
                0 => break,
                letter => read.push(letter as u8),
            }
        }
        let is_bare = coder.bit(&mut bare[usize::from(before.is_bare)], name.is_bare);
        let [one, other] = &mut characters;
        let both = [
            one.code(coder, name.characters[0]),
            other.code(coder, name.characters[1]),
        ];
        before = Name {
            name: read,
            is_bare,
            characters: both,
        };
        names.push(before.clone());
    }
    names
}

struct Character {
    high: Vec<Chance>,
    low: Vec<[Chance; 1 << 8]>,
}

impl Default for Character {
    fn default() -> Character {
        Character {
            high: vec![Chance::default(); 1 << 9],
            low: vec![[Chance::default(); 1 << 8]; 1 << 9],
        }
    }
}

impl Character {
    fn code(&mut self, coder: &mut impl Coder, character: u32) -> u32 {
        let high = coder.small(&mut self.high, character >> 8);
        high << 8 | coder.small(&mut self.low[high as usize], character & 255)
    }
}
