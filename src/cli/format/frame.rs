//! Frames: what workers append to the output that a run puts in order, if it has more than one
//! reader.

/// A frame's head: one byte for its reader, and four for its length.
const HEAD: usize = 5;

/// Appends a frame to `out`; `fill` appends its content.
pub(crate) fn push(reader: u8, out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend_from_slice(&[reader, 0, 0, 0, 0]);
    fill(out);
    // A reference is never that long: its document is held in memory.
    let length = u32::try_from(out.len() - start - HEAD).unwrap_or(u32::MAX);
    out[start + 1..start + HEAD].copy_from_slice(&length.to_le_bytes());
}

/// The frames of what was appended, and the reader of each.
pub(crate) fn each(shown: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = shown;
    std::iter::from_fn(move || {
        let [reader, a, b, c, d, after @ ..] = rest else {
            return None;
        };
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let (frame, next) = after.split_at_checked(length).unwrap_or((after, &[]));
        rest = next;
        Some((*reader, frame))
    })
}
