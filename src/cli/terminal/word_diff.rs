//! Which words differ in two lines of a diff.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Longer lines are not compared: that takes more than linear time, and nobody would find a word in
/// them.
const LONGEST: usize = 4 << 10;

/// The parts of an old and of a new line that the other one lacks, apart from the first byte, which
/// is the diff's mark.
pub(crate) fn differing(old: &[u8], new: &[u8]) -> [Vec<Range<usize>>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    if old.len().max(new.len()) > LONGEST || old.is_empty() || new.is_empty() {
        return parts;
    }
    let words = [words(&old[1..]), words(&new[1..])];
    for change in capture_diff_slices(Algorithm::Myers, &words[0], &words[1]) {
        let (tag, old, new) = change.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        for ((words, range), parts) in words.iter().zip([old, new]).zip(&mut parts) {
            let length = |words: &[&[u8]]| words.iter().map(|word| word.len()).sum::<usize>();
            let start = 1 + length(&words[..range.start]);
            let part = start..start + length(&words[range]);
            if !part.is_empty() {
                parts.push(part);
            }
        }
    }
    parts
}

/// Letters and digits that stand together, and every other character alone.
fn words(line: &[u8]) -> Vec<&[u8]> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    line.chunk_by(|one, next| is_letter(one) && is_letter(next))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_lines() {
        let long = "x".repeat(LONGEST + 1);
        for (old, new, expected) in [
            ("-a", "+a", [&[][..], &[]]),
            ("-a b c", "+a x c", [&[(3, 4)], &[(3, 4)]]),
            (
                "-<a href=g><a href=i>",
                "+<a href=h/g><a href=h/i>",
                [&[], &[(9, 11), (21, 23)]],
            ),
            ("-", "+é", [&[], &[(1, 3)]]),
            ("-a", &long, [&[], &[]]),
        ] {
            let found = differing(old.as_bytes(), new.as_bytes());
            let ends = |part: &Range<usize>| (part.start, part.end);
            let found = found.map(|parts| parts.iter().map(ends).collect::<Vec<_>>());
            assert_eq!(found, expected, "{old}");
        }
    }
}
