//! The members of an archive: gzip members (RFC 1952), zstd frames (RFC 8878), or none.
//!
//! WARC 1.1 annex D has one record in each gzip member, and the specification of WARC with zstd one
//! in each frame. Archives with many in one are read as well.

mod gzip;
mod zstd;

use std::io;
use std::sync::Arc;

use memchr::memmem;

use super::Fault;
use super::source::{Source, Window};

/// How an archive is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Plain,
    Gzip,
    Zstd,
}

/// What is known of an archive by its beginning.
#[derive(Clone)]
pub struct Shape {
    pub compression: Compression,
    /// For zstd: all frames share it.
    dictionary: Option<Arc<[u8]>>,
    /// Where its first member begins: behind the dictionary.
    pub start: u64,
}

impl Shape {
    fn compressed(compression: Compression) -> Shape {
        Shape {
            compression,
            dictionary: None,
            start: 0,
        }
    }

    /// Looks at the beginning of an archive.
    ///
    /// # Errors
    /// A dictionary that cannot be read: nothing of the archive can.
    pub fn of(source: &Source<'_>) -> Result<Shape, Fault> {
        let mut window = Window::new(source, 0);
        let head = window.fill_to(8)?;
        let mut shape = Shape::compressed(compression(head));
        let is_known = shape.compression != Compression::Plain || head.starts_with(WARC);
        if !is_known && !head.is_empty() {
            // The first member may be damaged: the next one tells.
            for other in [Compression::Gzip, Compression::Zstd] {
                if find(source, &Shape::compressed(other), 0, SEARCHED)?.is_some() {
                    shape.compression = other;
                    return Ok(shape);
                }
            }
        }
        if shape.compression == Compression::Zstd
            && let Some(found) = zstd::dictionary(&mut window)?
        {
            shape.dictionary = Some(found.into());
            shape.start = window.position();
        }
        Ok(shape)
    }
}

/// So far a member is looked for where an archive does not begin with one.
const SEARCHED: u64 = 16 << 20;

/// How a file is compressed that begins so.
pub(super) fn compression(head: &[u8]) -> Compression {
    if head.starts_with(&gzip::MAGIC) {
        Compression::Gzip
    } else if head.starts_with(&zstd::MAGIC) || zstd::is_skippable(head) {
        Compression::Zstd
    } else {
        Compression::Plain
    }
}

/// Whether a member seems to begin here, or nothing more comes.
pub(super) fn begins_or_ends(window: &mut Window<'_>) -> io::Result<bool> {
    let head = window.fill_to(4)?;
    Ok(head.is_empty() || compression(head) != Compression::Plain)
}

/// How much came out of a member; `None` at its end.
type Step = Result<Option<usize>, Fault>;

/// Undoes the compression of one member after another.
pub(super) enum Inflater {
    Plain,
    Gzip(gzip::Gunzip),
    Zstd(zstd::Unzstd),
}

impl Inflater {
    pub(super) fn new(shape: &Shape) -> Result<Inflater, Fault> {
        Ok(match shape.compression {
            Compression::Plain => Inflater::Plain,
            Compression::Gzip => Inflater::Gzip(gzip::Gunzip::new()),
            Compression::Zstd => Inflater::Zstd(zstd::Unzstd::new(shape.dictionary.as_deref())?),
        })
    }

    /// Begins a member; skippable frames before it are passed over. Answers whether there is one.
    pub(super) fn begin(&mut self, window: &mut Window<'_>) -> Result<bool, Fault> {
        match self {
            Inflater::Plain => Ok(true),
            Inflater::Gzip(gzip) => gzip.begin(window),
            Inflater::Zstd(zstd) => zstd.begin(window),
        }
    }

    /// Undoes the compression of what comes next, as far as there is room, and says how much that was; `None` at the end
    /// of the member.
    pub(super) fn step(&mut self, window: &mut Window<'_>, out: &mut [u8]) -> Step {
        match self {
            Inflater::Plain => {
                let held = window.fill()?;
                let written = held.len().min(out.len());
                out[..written].copy_from_slice(&held[..written]);
                window.consume(written);
                Ok((written > 0).then_some(written))
            }
            Inflater::Gzip(gzip) => gzip.step(window, out),
            Inflater::Zstd(zstd) => zstd.step(window, out),
        }
    }
}

/// Whether a file that begins so is a web archive, of this format or of the one before it.
pub fn is_archive(head: &[u8]) -> bool {
    if zstd::is_dictionary(head) {
        return true;
    }
    let source = &head;
    let begins = |shape: Shape| {
        let mut inflater = Inflater::new(&shape).ok()?;
        let start = begins_with(&mut Window::new(source, 0), &mut inflater).ok()?;
        Some(start.eq_ignore_ascii_case(WARC) || start == ARC)
    };
    Shape::of(source).is_ok_and(|shape| begins(shape) == Some(true))
}

/// An ARC file begins so: with a URL of the scheme `filedesc`.
pub(super) const ARC: &[u8] = b"filed";

/// A record begins so, in any version.
pub(super) const WARC: &[u8] = b"WARC/";

/// Where the next member or record begins, from a position on and before `limit`.
pub fn find(source: &Source<'_>, shape: &Shape, from: u64, limit: u64) -> io::Result<Option<u64>> {
    Finder::new(source, shape).find(from, limit)
}

/// As much of a member is looked at to tell that a record is in it. A member may go on for ever before
/// anything comes out of it, and there may be one at each byte.
const PROBED: usize = 8 << 10;

/// Finds where something looks like the beginning of a member or record, and a record is in it. Somebody who
/// looks again and again keeps it: a dictionary takes long to read.
pub(super) struct Finder<'s> {
    window: Window<'s>,
    pattern: memmem::Finder<'static>,
    /// How much of the pattern stands before the beginning.
    lead: u64,
    /// Nothing without members, and where the dictionary cannot be read.
    probe: Option<(Window<'s>, Inflater)>,
}

impl<'s> Finder<'s> {
    pub(super) fn new(source: &'s Source<'s>, shape: &Shape) -> Finder<'s> {
        let (pattern, lead): (&[u8], u64) = match shape.compression {
            // A record begins behind the two empty lines that end the one before.
            Compression::Plain => (b"\r\n\r\nWARC/", 4),
            Compression::Gzip => (&gzip::MAGIC, 0),
            Compression::Zstd => (&zstd::MAGIC, 0),
        };
        let is_plain = shape.compression == Compression::Plain;
        let inflater = (!is_plain).then(|| Inflater::new(shape).ok()).flatten();
        Finder {
            window: Window::new(source, 0),
            pattern: memmem::Finder::new(pattern),
            lead,
            probe: inflater.map(|inflater| (Window::of(PROBED, source, 0), inflater)),
        }
    }

    /// The first from a position on and before `limit`.
    pub(super) fn find(&mut self, from: u64, limit: u64) -> io::Result<Option<u64>> {
        let is_plain = self.lead > 0;
        if !is_plain && self.probe.is_none() {
            return Ok(None);
        }
        let pattern = self.pattern.needle().len();
        self.window.seek(from.saturating_sub(self.lead));
        loop {
            let held = self.window.fill_to(pattern + 1)?;
            if held.len() < pattern {
                return Ok(None);
            }
            let found = self.pattern.find(held);
            // The beginning of a pattern may stand at the end.
            let passed = found.unwrap_or(held.len() + 1 - pattern);
            self.window.consume(passed);
            let at = self.window.position() + self.lead;
            if at >= limit {
                return Ok(None);
            }
            if found.is_none() {
                continue;
            }
            let is_record = match &mut self.probe {
                // A version begins with a digit.
                None => (self.window.fill_to(pattern + 1)?)
                    .get(pattern)
                    .is_some_and(u8::is_ascii_digit),
                Some((probe, inflater)) => {
                    probe.seek(at);
                    begins_record(probe, inflater)?
                }
            };
            if is_record {
                return Ok(Some(at));
            }
            self.window.consume(1);
        }
    }
}

/// Whether a member begins here that has a record in it.
fn begins_record(window: &mut Window<'_>, inflater: &mut Inflater) -> io::Result<bool> {
    match begins_with(window, inflater) {
        Ok(start) => Ok(start.eq_ignore_ascii_case(WARC)),
        Err(Fault::Read(error)) => Err(error),
        Err(Fault::Damage(_)) => Ok(false),
    }
}

/// What the member that begins here begins with.
fn begins_with(
    window: &mut Window<'_>,
    inflater: &mut Inflater,
) -> Result<[u8; WARC.len()], Fault> {
    let mut start = [0; WARC.len()];
    let mut filled = 0;
    let is_member = inflater.begin(window)?;
    let begun = window.position();
    while is_member && filled < start.len() && window.position() - begun < PROBED as u64 {
        match inflater.step(window, &mut start[filled..])? {
            Some(written) => filled += written,
            None => break,
        }
    }
    Ok(start)
}
