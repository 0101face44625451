//! Packs tables into fewer bytes than gzip would: a binary arithmetic coder, whose chances adapt.
//!
//! A format is one function of a [`Coder`]: the [`Packer`] writes the values that it is given, and the
//! [`Unpacker`] gives those that were written, whatever it is given. So both cannot differ.

/// How likely a bit is 1, by those that came before.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    /// Of 65,536.
    one: u16,
    seen: u8,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance::EVEN
    }
}

impl Chance {
    const EVEN: Chance = Chance {
        one: 1 << 15,
        seen: 0,
    };
    /// After so many bits a chance adapts no more slowly.
    const STEADY: u8 = 60;
    const LEAST: i32 = 16;

    fn learn(&mut self, bit: bool) {
        let one = i32::from(self.one);
        let to = if bit { 65_536 } else { 0 };
        let learnt = one + (to - one) * 5 / (5 * i32::from(self.seen) + 8);
        self.one = learnt.clamp(Chance::LEAST, 65_536 - Chance::LEAST) as u16;
        self.seen = Chance::STEADY.min(self.seen + 1);
    }
}

/// Writes bits or reads them.
pub trait Coder {
    /// One bit.
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool;

    /// A number of as many bits as there are chances for: 2 to the power of that.
    // Once in a module that is downloaded, and not in every place that calls it.
    #[inline(never)]
    fn small(&mut self, chances: &mut [Chance], value: u32) -> u32 {
        let bits = chances.len().ilog2();
        let mut node = 1;
        for at in (0..bits).rev() {
            let bit = self.bit(&mut chances[node], value >> at & 1 == 1);
            node = node << 1 | usize::from(bit);
        }
        node as u32 - (1 << bits)
    }

    /// A number of any size below 65,535; small ones are short.
    #[inline(never)]
    fn number(&mut self, chances: &mut Number, value: u32) -> u32 {
        let value = value + 1;
        let length = self.small(&mut chances.length, value.max(1).ilog2());
        let mut read = 1;
        for at in (0..length).rev() {
            // The first bits tell how the rest is distributed.
            let known = match length - at {
                1..=3 => read as usize,
                _ => 8 + at as usize,
            };
            let chance = &mut chances.bits[length as usize][known];
            read = read << 1 | u32::from(self.bit(chance, value >> at & 1 == 1));
        }
        read - 1
    }
}

/// The chances of numbers.
#[derive(Clone, Debug)]
pub struct Number {
    length: [Chance; 16],
    bits: [[Chance; 24]; 16],
}

// Derived, it would be 400 assignments.
impl Default for Number {
    fn default() -> Number {
        Number {
            length: [Chance::EVEN; 16],
            bits: [[Chance::EVEN; 24]; 16],
        }
    }
}

/// What is left of the interval that all bits so far stand for.
#[derive(Debug)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Interval = Interval {
        low: 0,
        high: u32::MAX,
    };

    /// Where the part for a 1 ends.
    fn middle(&self, chance: &Chance) -> u32 {
        let part = (u64::from(self.high - self.low) * u64::from(chance.one)) >> 16;
        self.low + part as u32
    }

    fn take(&mut self, middle: u32, bit: bool) {
        match bit {
            true => self.high = middle,
            false => self.low = middle + 1,
        }
    }

    /// The next byte, if it is the same in all of the interval; the interval is that of what follows.
    fn byte(&mut self) -> Option<u8> {
        let byte = (self.high >> 24) as u8;
        if (self.low >> 24) as u8 != byte {
            return None;
        }
        self.low <<= 8;
        self.high = self.high << 8 | 255;
        Some(byte)
    }
}

/// Writes bits.
#[derive(Debug)]
pub struct Packer {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Default for Packer {
    fn default() -> Packer {
        Packer {
            interval: Interval::ALL,
            bytes: Vec::new(),
        }
    }
}

impl Packer {
    /// What was written.
    #[must_use]
    pub fn end(mut self) -> Vec<u8> {
        self.bytes.extend(self.interval.high.to_be_bytes());
        self.bytes
    }
}

impl Coder for Packer {
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        let middle = self.interval.middle(chance);
        self.interval.take(middle, bit);
        while let Some(byte) = self.interval.byte() {
            self.bytes.push(byte);
        }
        chance.learn(bit);
        bit
    }
}

/// Reads what a [`Packer`] has written.
#[derive(Debug)]
pub struct Unpacker<'b> {
    interval: Interval,
    /// The next 32 bits.
    next: u32,
    rest: &'b [u8],
}

impl<'b> Unpacker<'b> {
    /// Begins.
    #[must_use]
    pub fn new(packed: &'b [u8]) -> Unpacker<'b> {
        let mut unpacker = Unpacker {
            interval: Interval::ALL,
            next: 0,
            rest: packed,
        };
        for _ in 0..4 {
            unpacker.shift();
        }
        unpacker
    }

    fn shift(&mut self) {
        let byte = self.rest.split_off_first().copied().unwrap_or_default();
        self.next = self.next << 8 | u32::from(byte);
    }
}

impl Coder for Unpacker<'_> {
    #[inline(never)]
    fn bit(&mut self, chance: &mut Chance, _: bool) -> bool {
        let middle = self.interval.middle(chance);
        let bit = self.next <= middle;
        self.interval.take(middle, bit);
        while self.interval.byte().is_some() {
            self.shift();
        }
        chance.learn(bit);
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(coder: &mut impl Coder, values: &[u32]) -> Vec<u32> {
        let (mut number, mut small) = (Number::default(), [Chance::default(); 32]);
        let each = values.iter().map(|&value| {
            let whole = coder.number(&mut number, value);
            whole << 5 | coder.small(&mut small, value & 31)
        });
        each.collect()
    }

    #[test]
    fn what_was_packed_comes_out() {
        let values: Vec<u32> = (0..60_000).map(|n| (n * n % 65_535) >> (n % 16)).collect();
        let mut packer = Packer::default();
        let expected = all(&mut packer, &values);
        let packed = packer.end();
        assert_eq!(
            all(&mut Unpacker::new(&packed), &vec![0; values.len()]),
            expected
        );
        assert_eq!(expected[777] >> 5, values[777]);
    }

    #[test]
    fn what_repeats_is_short() {
        let mut packer = Packer::default();
        all(&mut packer, &[7; 10_000]);
        assert!(packer.end().len() < 50);
    }
}
