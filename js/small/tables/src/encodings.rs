//! The tables of character encodings: what the crate encoding_rs makes of every sequence of bytes.

use original_encoding_rs::{self as original, Encoding};
use packed::Packer;

#[path = "../../encoding_rs/src/cells.rs"]
mod cells;
#[path = "../../encoding_rs/src/single.rs"]
mod single;

/// The names of files, and what is in them.
pub(crate) fn packed() -> Vec<(&'static str, Vec<u8>)> {
    let big5 = two(original::BIG5, &[], 0x81, cells::BIG5, |trail| {
        trail + if trail < 0x3f { 0x40 } else { 0x62 }
    });
    let euc_kr = two(original::EUC_KR, &[], 0x81, cells::EUC_KR, |trail| {
        trail + 0x41
    });
    let gb18030 = two(original::GB18030, &[], 0x81, cells::GB18030, |trail| {
        trail + if trail < 0x3f { 0x40 } else { 0x41 }
    });
    let jis0208 = jis0208();
    let jis0212 = two(original::EUC_JP, &[0x8f], 0xa1, cells::JIS0212, |trail| {
        trail + 0xa1
    });
    let single = single::NAMES.iter().flat_map(|name| {
        let encoding = Encoding::for_label(name.as_bytes()).expect("a label");
        (0x80..=0xff).map(|byte| one(encoding, &[byte]))
    });
    let mut sets = [
        vec![big5],
        vec![euc_kr],
        vec![gb18030, long()],
        vec![jis0208, jis0212],
        vec![single.collect()],
    ];
    let packed = sets.iter_mut().zip(cells::SETS).map(|(tables, shapes)| {
        let mut packer = Packer::default();
        cells::set(&mut packer, shapes, tables);
        packer.end()
    });
    ["big5", "euc-kr", "gb18030", "jis", "single"]
        .into_iter()
        .zip(packed)
        .collect()
}

/// The only character that bytes stand for, or 0.
fn one(encoding: &'static Encoding, bytes: &[u8]) -> u32 {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let text = text.unwrap_or_default();
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) => u32::from(character),
        _ => 0,
    }
}

fn two(
    encoding: &'static Encoding,
    before: &[u8],
    lead: usize,
    [rows, columns]: [usize; 2],
    trail: impl Fn(usize) -> usize,
) -> Vec<u32> {
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let cells = cells.map(|(row, column)| {
        let bytes = [before, &[(row + lead) as u8, trail(column) as u8]].concat();
        one(encoding, &bytes)
    });
    cells.collect()
}

/// By Shift_JIS, which has more rows than the others; its rows for private use are no part of the table.
fn jis0208() -> Vec<u32> {
    let [rows, columns] = cells::JIS0208;
    let cells = (0..rows * columns).map(|pointer| {
        let (lead, trail) = (pointer / 188, pointer % 188);
        let lead = lead + if lead < 0x1f { 0x81 } else { 0xc1 };
        let trail = trail + if trail < 0x3f { 0x40 } else { 0x41 };
        one(original::SHIFT_JIS, &[lead as u8, trail as u8])
    });
    let cells = cells.enumerate().map(|(at, cell)| match at {
        8836..=10715 => 0,
        _ => cell,
    });
    cells.collect()
}

/// GB18030 with four bytes.
fn long() -> Vec<u32> {
    let bytes = |pointer: usize| {
        [
            0x81 + pointer / 12_600,
            0x30 + pointer / 1260 % 10,
            0x81 + pointer / 10 % 126,
            0x30 + pointer % 10,
        ]
    };
    let cells = 0..cells::GB18030_LONG[1];
    let cells = cells.map(|pointer| one(original::GB18030, &bytes(pointer).map(|byte| byte as u8)));
    cells.collect()
}
