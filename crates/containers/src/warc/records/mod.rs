//! One record after another, with a bounded part of the archive in memory, and what is done about
//! damage: the record is left, and the next one is looked for.

use std::io;

use memchr::memmem;

use super::head::Head;
use super::member::{self, ARC, Compression, Finder, Inflater, Shape, WARC};
use super::source::{Source, Window};
use super::{Fault, RecordReason};

/// So much of a member is inflated at a time.
const DECODED: usize = 64 << 10;

/// As much of a block can be looked at before it is read.
pub(super) const PEEK: usize = 32 << 10;

/// As much is reserved for a block before it is there, whatever its head says.
const TRUSTED: usize = 16 << 20;

/// A longer head is none.
const LARGEST_HEAD: usize = 1 << 20;

/// What ends a block.
const TERMINATOR: &[u8] = b"\r\n\r\n";

/// Members that turn out to be damaged are gone through twice, as long as those before did not come to
/// more than this: an archive could be made of members in members.
const LARGEST_WASTE: u64 = 64 << 20;

/// Inflating so many bytes takes as long as reading one does.
const INFLATED: u64 = 4;

/// What comes next in an archive.
#[derive(Debug)]
pub enum ArchiveItem {
    Record(Record),
    /// Something that is no whole record.
    Damage {
        offset: u64,
        reason: RecordReason,
    },
}

/// A record, up to its block.
#[derive(Debug)]
pub struct Record {
    /// Where its member begins; in an archive without members, where it begins itself.
    pub offset: u64,
    /// Whether it is the first in its member.
    pub is_first: bool,
    /// Whether its member lies in one that is whole but for its checksum: so does an archive in an archive.
    pub is_inside: bool,
    pub head: Head,
}

impl ArchiveItem {
    /// Where it is.
    pub fn offset(&self) -> u64 {
        match self {
            ArchiveItem::Record(record) => record.offset,
            ArchiveItem::Damage { offset, .. } => *offset,
        }
    }

    /// Whether nothing before it belongs to the same member.
    pub fn is_first(&self) -> bool {
        match self {
            ArchiveItem::Record(record) => record.is_first,
            ArchiveItem::Damage { .. } => true,
        }
    }
}

/// Where the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Between members, or between records where there are none.
    Boundary,
    /// Between the records of one member.
    Inside,
    /// In a record's block.
    Block,
    /// In a record that is damaged; its member, as far as is known, is not.
    DamagedRecord,
    /// In a member that is damaged, or in what is no member.
    DamagedMember,
    End,
}

/// Reads the records of an archive, from a position on.
pub struct Records<'s> {
    source: &'s Source<'s>,
    shape: &'s Shape,
    window: Window<'s>,
    inflater: Inflater,
    /// Of the member, where there are any.
    decoded: Vec<u8>,
    start: usize,
    end: usize,
    member_ended: bool,
    /// How much of it was inflated.
    inflated: u64,
    at: Place,
    /// Where the member began, or the record where there are none.
    offset: u64,
    /// How much of the block is left.
    left: u64,
    wasted: u64,
    /// Finds the next member after damage, once there was some.
    finder: Option<Finder<'s>>,
    /// Where the last member ended that is whole but for its checksum.
    closed: u64,
}

impl<'s> Records<'s> {
    pub fn new(
        source: &'s Source<'s>,
        shape: &'s Shape,
        position: u64,
    ) -> Result<Records<'s>, Fault> {
        let is_plain = shape.compression == Compression::Plain;
        Ok(Records {
            source,
            shape,
            window: Window::new(source, position),
            inflater: Inflater::new(shape)?,
            decoded: vec![0; if is_plain { 0 } else { DECODED }],
            start: 0,
            end: 0,
            member_ended: false,
            inflated: 0,
            at: Place::Boundary,
            offset: position,
            left: 0,
            wasted: 0,
            finder: None,
            closed: 0,
        })
    }

    /// Where what comes after the last record begins; after the last member, where there are any.
    pub fn position(&self) -> u64 {
        self.window.position()
    }

    /// How much was gone through twice for the sake of damage.
    pub fn wasted(&self) -> u64 {
        self.wasted
    }

    /// Goes back to the beginning of a member, before which so much was wasted.
    pub fn restart(&mut self, member: u64, wasted: u64) {
        self.window.seek(member);
        self.at = Place::Boundary;
        self.wasted = wasted;
    }

    /// The next record. The one before has to be at its [end](Records::end).
    pub fn advance(&mut self) -> io::Result<Option<ArchiveItem>> {
        loop {
            let found = match self.at {
                Place::End => return Ok(None),
                Place::Block => self.end().map(|_| None),
                Place::Boundary => self.member(),
                Place::Inside => self.record(false).map(Some),
                Place::DamagedRecord => match self.find_in_member() {
                    // One word about it is enough.
                    Err(Fault::Damage(_)) => Ok(None),
                    found => found.map(|()| None),
                },
                Place::DamagedMember => {
                    self.find_member()?;
                    continue;
                }
            };
            match found {
                Ok(None) => {}
                Ok(Some(record)) => return Ok(Some(ArchiveItem::Record(record))),
                Err(Fault::Read(error)) => return Err(error),
                Err(Fault::Damage(reason)) => {
                    let offset = self.offset;
                    return Ok(Some(ArchiveItem::Damage { offset, reason }));
                }
            }
        }
    }

    /// The beginning of a member, and the first record in it.
    fn member(&mut self) -> Result<Option<Record>, Fault> {
        (self.start, self.end) = (0, 0);
        self.member_ended = false;
        self.inflated = 0;
        self.offset = self.window.position();
        if self.window.fill()?.is_empty() {
            self.at = Place::End;
            return Ok(None);
        }
        self.at = Place::DamagedMember;
        if !self.inflater.begin(&mut self.window)? {
            self.at = Place::End;
            return Ok(None);
        }
        // A member with nothing in it says nothing, and some programs end files with one.
        if self.shape.compression != Compression::Plain && self.fill(1)?.is_empty() {
            self.at = Place::Boundary;
            return Ok(None);
        }
        self.record(true).map(Some)
    }

    /// The head of a record.
    fn record(&mut self, is_first: bool) -> Result<Record, Fault> {
        self.at = Place::DamagedRecord;
        let mut bytes = Vec::with_capacity(1024);
        let offset = self.offset;
        let start = self.fill(WARC.len())?;
        if !start
            .get(..WARC.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(WARC))
        {
            let is_arc = offset == 0 && start.starts_with(ARC);
            return Err(Fault::Damage(if is_arc {
                RecordReason::Arc
            } else {
                RecordReason::NoRecord
            }));
        }
        while !(bytes.ends_with(b"\n\r\n") || bytes.ends_with(b"\n\n")) {
            let held = self.fill(1)?;
            let line = memchr::memchr(b'\n', held).map_or(held.len(), |end| end + 1);
            if line == 0 || bytes.len() > LARGEST_HEAD {
                return Err(RecordReason::Head.into());
            }
            bytes.extend_from_slice(&held[..line]);
            self.consume(line);
        }
        let head = Head::parse(bytes).ok_or(RecordReason::Head)?;
        self.left = head.length;
        self.at = Place::Block;
        Ok(Record {
            offset,
            is_first,
            is_inside: offset < self.closed,
            head,
        })
    }

    /// The beginning of the block, at most [`PEEK`] bytes, and all of a shorter one.
    pub fn peek(&mut self) -> Result<&[u8], Fault> {
        let wanted = usize::try_from(self.left).map_or(PEEK, |left| left.min(PEEK));
        let held = self.fill(wanted)?.len();
        if held < wanted {
            return Err(self.too_long());
        }
        Ok(&self.held()[..wanted])
    }

    /// Appends the rest of the block to `into`.
    pub fn read(&mut self, into: &mut Vec<u8>) -> Result<(), Fault> {
        self.check_length()?;
        let length = usize::try_from(self.left).unwrap_or(usize::MAX);
        into.reserve_exact(length.min(TRUSTED));
        self.pass(&mut |bytes| {
            into.extend_from_slice(bytes);
            Ok(())
        })
    }

    /// Hands the rest of the block to `each`, which may fail.
    pub fn pass(&mut self, each: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<(), Fault> {
        while self.left > 0 {
            let left = usize::try_from(self.left).unwrap_or(usize::MAX);
            let held = self.fill(1)?;
            let length = left.min(held.len());
            if length == 0 {
                return Err(self.too_long());
            }
            each(&held[..length])?;
            self.consume(length);
            self.left -= length as u64;
        }
        Ok(())
    }

    /// Without members, a block that is not what its head says need not be read to know that.
    fn check_length(&mut self) -> Result<(), Fault> {
        if self.shape.compression != Compression::Plain
            || self.left < self.window.held().len() as u64
        {
            return Ok(());
        }
        let position = self.window.position();
        self.window.seek(position.saturating_add(self.left));
        let is_right = self
            .window
            .fill_to(TERMINATOR.len())?
            .starts_with(TERMINATOR);
        self.window.seek(position);
        if is_right {
            Ok(())
        } else {
            Err(self.too_long())
        }
    }

    /// The block is longer than what is there.
    fn too_long(&mut self) -> Fault {
        self.at = Place::DamagedRecord;
        Fault::Damage(RecordReason::Length)
    }

    /// Passes over the rest of the block and what ends it. Answers whether another record follows in
    /// the same member.
    pub fn end(&mut self) -> Result<bool, Fault> {
        match self.shape.compression {
            Compression::Plain => {
                let behind = self.window.position().saturating_add(self.left);
                self.window.seek(behind);
            }
            _ => self.pass(&mut |_| Ok(()))?,
        }
        self.at = Place::DamagedRecord;
        let has_members = self.shape.compression != Compression::Plain;
        let held = self.fill(TERMINATOR.len() + WARC.len())?;
        let is_ended = held.len() < TERMINATOR.len() && TERMINATOR.starts_with(held);
        if is_ended && has_members {
            // Its member is whole, and ends with the block: some programs write no more.
            let rest = held.len();
            self.consume(rest);
            self.at = Place::Boundary;
            return Ok(false);
        }
        if !held.starts_with(TERMINATOR) {
            // What ends the block may be all that is damaged, or a part of it may be missing.
            let blank = held.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
            let ends = [TERMINATOR.len(), blank.count()];
            let follows = |end: &usize| held.get(*end..).is_some_and(|next| next.starts_with(WARC));
            if let Some(end) = ends.into_iter().find(follows) {
                self.consume(end);
                self.at = self.between();
            }
            return Err(RecordReason::Length.into());
        }
        // More empty lines are found in the wild.
        loop {
            let held = self.fill(1)?;
            let blank = held
                .iter()
                .take_while(|byte| matches!(byte, b'\r' | b'\n'))
                .count();
            let is_all = blank == held.len();
            let is_end = held.is_empty();
            self.consume(blank);
            if is_end || !is_all {
                self.at = if is_end {
                    Place::Boundary
                } else {
                    self.between()
                };
                return Ok(self.at == Place::Inside);
            }
        }
    }

    /// Where the reader is when another record follows.
    fn between(&self) -> Place {
        match self.shape.compression {
            Compression::Plain => Place::Boundary,
            _ => Place::Inside,
        }
    }

    /// After a damaged record: the next one in the same member, or the end of that.
    fn find_in_member(&mut self) -> Result<(), Fault> {
        self.at = Place::DamagedMember;
        if self.shape.compression == Compression::Plain {
            return Ok(());
        }
        let mut pattern = TERMINATOR.to_vec();
        pattern.extend(WARC);
        loop {
            let held = self.fill(pattern.len() + 1)?;
            match memmem::find(held, &pattern) {
                Some(found) => {
                    self.consume(found + TERMINATOR.len());
                    if self
                        .fill(WARC.len() + 1)?
                        .get(WARC.len())
                        .is_some_and(u8::is_ascii_digit)
                    {
                        self.at = Place::Inside;
                        return Ok(());
                    }
                }
                None if held.len() <= pattern.len() => {
                    let rest = held.len();
                    self.consume(rest);
                    self.at = Place::Boundary;
                    return Ok(());
                }
                None => {
                    let passed = held.len() - pattern.len();
                    self.consume(passed);
                }
            }
        }
    }

    /// After damage: the next member, or record where there are none.
    fn find_member(&mut self) -> io::Result<()> {
        // Without members no record is read twice, and the reader may stand where a wrong length has led it.
        let reached = match self.shape.compression {
            Compression::Plain => self.offset,
            _ => self.window.position(),
        };
        let from = if self.wasted > LARGEST_WASTE {
            reached.max(self.offset + 1)
        } else {
            self.offset + 1
        };
        let read = reached.saturating_sub(self.offset);
        self.wasted = (self.wasted).saturating_add(read.max(self.inflated / INFLATED));
        let finder = || Finder::new(self.source, self.shape);
        match self
            .finder
            .get_or_insert_with(finder)
            .find(from, u64::MAX)?
        {
            Some(next) => {
                self.window.seek(next);
                self.at = Place::Boundary;
            }
            None => self.at = Place::End,
        }
        Ok(())
    }

    /// What is held of the record.
    fn held(&self) -> &[u8] {
        match self.shape.compression {
            Compression::Plain => self.window.held(),
            _ => &self.decoded[self.start..self.end],
        }
    }

    fn consume(&mut self, length: usize) {
        match self.shape.compression {
            Compression::Plain => self.window.consume(length),
            _ => self.start += length,
        }
    }

    /// Holds at least `length` bytes of the member, at most half of what can be held, unless the member
    /// ends first.
    fn fill(&mut self, length: usize) -> Result<&[u8], Fault> {
        if self.shape.compression == Compression::Plain {
            return Ok(self.window.fill_to(length)?);
        }
        while self.end - self.start < length && !self.member_ended {
            if self.start > DECODED / 2 || self.start == self.end {
                self.decoded.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            let step = self
                .inflater
                .step(&mut self.window, &mut self.decoded[self.end..]);
            let step = match step {
                Ok(step) => step,
                Err(fault) => {
                    self.at = Place::DamagedMember;
                    // What was cut off may seem to end inside of a later member.
                    if matches!(fault, Fault::Damage(RecordReason::Checksum))
                        && member::begins_or_ends(&mut self.window)?
                    {
                        self.closed = self.window.position();
                    }
                    return Err(fault);
                }
            };
            self.member_ended = step.is_none();
            let written = step.unwrap_or_default();
            self.end += written;
            self.inflated += written as u64;
        }
        Ok(self.held())
    }
}

#[cfg(test)]
mod tests;
