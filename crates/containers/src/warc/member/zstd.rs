//! Zstandard frames (RFC 8878), and the dictionary that may come before them: WARC with zstd puts it
//! into a skippable frame of its own, raw or as a frame itself.

use std::io::{self, Read};

use zstd::stream::raw::{Decoder, Operation};

use super::super::source::Window;
use super::super::{Fault, RecordReason};
use super::Step;

/// RFC 8878 §3.1.1.
pub(super) const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

/// The skippable frame that has the dictionary.
const DICTIONARY: [u8; 4] = 0x184D_2A5D_u32.to_le_bytes();

/// Dictionaries are about 100 KiB; a larger one is none that a tool for archives makes.
const LARGEST_DICTIONARY: usize = 16 << 20;

/// RFC 8878 §3.1.2: sixteen magic numbers, in little-endian order.
pub(super) fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Whether a file begins with a dictionary, as only archives do.
pub(super) fn is_dictionary(head: &[u8]) -> bool {
    head.starts_with(&DICTIONARY)
}

/// The dictionary at the beginning of an archive, if there is one; the window is behind it then.
pub(super) fn dictionary(window: &mut Window<'_>) -> Result<Option<Vec<u8>>, Fault> {
    let [a, b, c, d, size @ ..] = match window.fill_to(8)?.first_chunk::<8>() {
        Some(head) => *head,
        None => return Ok(None),
    };
    if [a, b, c, d] != DICTIONARY {
        return Ok(None);
    }
    let size = usize::try_from(u32::from_le_bytes(size)).unwrap_or(usize::MAX);
    if size > LARGEST_DICTIONARY {
        return Err(RecordReason::Dictionary.into());
    }
    window.consume(8);
    let mut bytes = Vec::new();
    while bytes.len() < size {
        let held = window.fill()?;
        let step = held.len().min(size - bytes.len());
        bytes.extend_from_slice(&held[..step]);
        window.consume(step);
        if step == 0 {
            return Err(RecordReason::Dictionary.into());
        }
    }
    if bytes.starts_with(&MAGIC) {
        bytes = inflated(&bytes).map_err(|_| RecordReason::Dictionary)?;
    }
    Ok(Some(bytes))
}

/// A dictionary that is compressed itself.
fn inflated(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(bytes)?.single_frame();
    decoder
        .take(LARGEST_DICTIONARY as u64 + 1)
        .read_to_end(&mut out)?;
    if out.len() > LARGEST_DICTIONARY {
        Err(io::ErrorKind::InvalidData.into())
    } else {
        Ok(out)
    }
}

pub(crate) struct Unzstd {
    decoder: Decoder<'static>,
    /// Whether the frame is at its end.
    ended: bool,
}

impl Unzstd {
    pub(super) fn new(dictionary: Option<&[u8]>) -> Result<Unzstd, Fault> {
        // It fails on a dictionary that says it is one and is damaged.
        let decoder = Decoder::with_dictionary(dictionary.unwrap_or_default());
        Ok(Unzstd {
            decoder: decoder.map_err(|_| RecordReason::Dictionary)?,
            ended: false,
        })
    }

    /// Passes over skippable frames, up to a frame with data; answers whether there is one.
    pub(super) fn begin(&mut self, window: &mut Window<'_>) -> Result<bool, Fault> {
        self.ended = false;
        self.decoder.reinit().map_err(|_| RecordReason::Inflate)?;
        let start = window.position();
        let found = self.skip(window);
        if found.is_err() {
            // What was passed over was not read: a wrong size must not hide what it leads over.
            window.seek(start);
        }
        found
    }

    fn skip(&self, window: &mut Window<'_>) -> Result<bool, Fault> {
        while is_skippable(window.fill_to(4)?) {
            let size = window
                .fill_to(8)?
                .first_chunk::<8>()
                .ok_or(RecordReason::Cut)?;
            let [_, _, _, _, size @ ..] = *size;
            let last = window.position() + 7 + u64::from(u32::from_le_bytes(size));
            window.seek(last);
            if window.fill()?.is_empty() {
                return Err(RecordReason::Cut.into());
            }
            window.consume(1);
        }
        let head = window.fill_to(4)?;
        if head.starts_with(&MAGIC) {
            Ok(true)
        } else if head.is_empty() {
            Ok(false)
        } else if MAGIC.starts_with(head) {
            Err(RecordReason::Cut.into())
        } else {
            Err(RecordReason::NoMember.into())
        }
    }

    pub(super) fn step(&mut self, window: &mut Window<'_>, out: &mut [u8]) -> Step {
        if self.ended {
            return Ok(None);
        }
        let input = window.fill()?;
        let is_end = input.is_empty();
        let done = self.decoder.run_on_buffers(input, out);
        let done = done.map_err(|_| RecordReason::Inflate)?;
        window.consume(done.bytes_read);
        self.ended = done.remaining == 0;
        if is_end && done.bytes_written == 0 && !self.ended {
            return Err(RecordReason::Cut.into());
        }
        Ok(Some(done.bytes_written))
    }
}
