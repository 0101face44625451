//! Gzip members (RFC 1952).

use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::super::source::Window;
use super::super::{Fault, RecordReason};
use super::Step;

/// §2.3.1: the two identification bytes, and the one compression method that there is.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// A name or a comment in a header is no longer. Where a member is looked for, each place that could be
/// one is tried, and none of them must take all that follows for a name.
const LONGEST_TEXT: usize = 4 << 10;

/// What comes before the optional fields.
const FIXED: usize = 10;

/// §2.3.1: flags.
const FHCRC: u8 = 1 << 1;
const FEXTRA: u8 = 1 << 2;
const FNAME: u8 = 1 << 3;
const FCOMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

pub(crate) struct Gunzip {
    inflate: Decompress,
    crc: Crc,
    /// Whether the compressed data is at its end, and only the trailer is left.
    at_trailer: bool,
}

impl Gunzip {
    pub(super) fn new() -> Gunzip {
        Gunzip {
            inflate: Decompress::new(false),
            crc: Crc::new(),
            at_trailer: false,
        }
    }

    /// §2.3: the header of a member.
    pub(super) fn begin(&mut self, window: &mut Window<'_>) -> Result<bool, Fault> {
        self.inflate.reset(false);
        self.crc.reset();
        self.at_trailer = false;
        let fixed = window.fill_to(FIXED)?;
        let flags = match fixed.get(..FIXED) {
            Some(fixed) if fixed.starts_with(&MAGIC) && fixed[3] & RESERVED == 0 => fixed[3],
            Some(_) => return Err(RecordReason::NoMember.into()),
            None if MAGIC.starts_with(&fixed[..fixed.len().min(3)]) => {
                return Err(RecordReason::Cut.into());
            }
            None => return Err(RecordReason::NoMember.into()),
        };
        window.consume(FIXED);
        if flags & FEXTRA != 0 {
            let length = window.fill_to(2)?.first_chunk().ok_or(RecordReason::Cut)?;
            let length = usize::from(u16::from_le_bytes(*length));
            window.consume(2);
            pass(window, length)?;
        }
        for _ in 0..(flags & (FNAME | FCOMMENT)).count_ones() {
            pass_text(window)?;
        }
        if flags & FHCRC != 0 {
            pass(window, 2)?;
        }
        Ok(true)
    }

    pub(super) fn step(&mut self, window: &mut Window<'_>, out: &mut [u8]) -> Step {
        if self.at_trailer {
            self.trailer(window)?;
            return Ok(None);
        }
        let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
        let input = window.fill()?;
        let is_end = input.is_empty();
        let status = self.inflate.decompress(input, out, FlushDecompress::None);
        let read = (self.inflate.total_in() - before_in) as usize;
        let written = (self.inflate.total_out() - before_out) as usize;
        window.consume(read);
        self.crc.update(&out[..written]);
        match status {
            Ok(Status::StreamEnd) => self.at_trailer = true,
            Ok(_) if is_end && written == 0 => return Err(RecordReason::Cut.into()),
            Ok(_) => {}
            Err(_) => return Err(RecordReason::Inflate.into()),
        }
        Ok(Some(written))
    }

    /// §2.3.1: CRC32 and ISIZE.
    fn trailer(&mut self, window: &mut Window<'_>) -> Result<(), Fault> {
        let trailer: [u8; 8] = *window.fill_to(8)?.first_chunk().ok_or(RecordReason::Cut)?;
        window.consume(8);
        let [a, b, c, d, e, f, g, h] = trailer;
        let is_right = u32::from_le_bytes([a, b, c, d]) == self.crc.sum()
            && u32::from_le_bytes([e, f, g, h]) == self.crc.amount();
        if is_right {
            Ok(())
        } else {
            Err(RecordReason::Checksum.into())
        }
    }
}

/// Passes over a part of the header.
fn pass(window: &mut Window<'_>, mut length: usize) -> Result<(), Fault> {
    while length > 0 {
        let held = window.fill()?.len();
        if held == 0 {
            return Err(RecordReason::Cut.into());
        }
        let step = held.min(length);
        window.consume(step);
        length -= step;
    }
    Ok(())
}

/// Passes over a text of the header, and the zero at its end.
fn pass_text(window: &mut Window<'_>) -> Result<(), Fault> {
    let held = window.fill_to(LONGEST_TEXT)?;
    let text = &held[..held.len().min(LONGEST_TEXT)];
    match memchr::memchr(0, text) {
        Some(end) => {
            window.consume(end + 1);
            Ok(())
        }
        None if text.len() < LONGEST_TEXT => Err(RecordReason::Cut.into()),
        None => Err(RecordReason::NoMember.into()),
    }
}
