//! A part of an archive: what becomes of its records.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::ops::Range;
use std::path::Path;

use super::event::Event;
use super::file_range::FileRange;
use crate::batch::order::spooled::SpooledBytes;
use crate::batch::plan::archives::ArchiveForm;
use crate::batch::plan::{Plan, Task};
use crate::batch::report::{FileError, Observer};
use crate::batch::write::PublishError;
use abslink_containers::warc::{
    ArchiveItem, Compression, Fault, Head, Kind, Moment, Record, RecordReason, Records, Role,
    Shape, Writer,
};
use abslink_html::DocumentRewriter;

/// Shared by all threads that work on an archive.
#[derive(Clone, Copy)]
pub(crate) struct Archive<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) observer: &'a dyn Observer,
    /// As the user would name it.
    pub(crate) path: &'a Path,
    pub(crate) input: &'a FileRange,
    /// When the run began.
    pub(crate) date: &'a Moment,
}

/// Works on one part after another.
pub(super) struct RecordWorker<'a> {
    pub(super) archive: Archive<'a>,
    pub(super) shape: &'a Shape,
    pub(super) rewriter: DocumentRewriter,
    pub(super) writer: Writer,
    /// The block of the record read last, if it holds a document.
    pub(super) block: Vec<u8>,
    pub(super) new: Vec<u8>,
}

/// Takes the events of a record or member that begins at an offset. Returns whether to go on; if not,
/// the events of that member do not count.
pub(super) type Emit<'e> = &'e mut dyn FnMut(u64, Event) -> Result<bool, PublishError>;

/// Why a part ends early.
pub(super) enum PartEnd {
    /// Enough is held: a later part begins here.
    Held(u64),
    Error(PublishError),
}

impl From<PublishError> for PartEnd {
    fn from(error: PublishError) -> PartEnd {
        PartEnd::Error(error)
    }
}

impl From<FileError> for PartEnd {
    fn from(error: FileError) -> PartEnd {
        PartEnd::Error(error.into())
    }
}

impl From<io::Error> for PartEnd {
    fn from(error: io::Error) -> PartEnd {
        FileError::Read(error).into()
    }
}

/// Above this, memory is given back after a record.
pub(super) const REUSED: usize = 16 << 20;

impl<'a> RecordWorker<'a> {
    /// Goes through the members that begin in `range`, or the records if there are no members; one
    /// begins at its start. Returns where the next one begins. `ahead`: another thread may have to do
    /// this again, so anything costly is left to it.
    pub(super) fn work(
        &mut self,
        range: Range<u64>,
        ahead: bool,
        emit: Emit<'_>,
    ) -> Result<u64, PublishError> {
        match self.records(range, ahead, emit) {
            Ok(end) | Err(PartEnd::Held(end)) => Ok(end),
            Err(PartEnd::Error(error)) => Err(error),
        }
    }

    fn records(&mut self, range: Range<u64>, ahead: bool, emit: Emit<'_>) -> Result<u64, PartEnd> {
        let input = self.archive.input;
        let records = Records::new(input, self.shape, range.start);
        let mut records = match records {
            Ok(records) => records,
            Err(Fault::Read(error)) => return Err(error.into()),
            Err(Fault::Damage(reason)) => return Err(FileError::Record(reason).into()),
        };
        let mut next = records.advance()?;
        while let Some(found) = next {
            let offset = found.offset();
            if offset >= range.end && found.is_first() {
                return Ok(offset);
            }
            next = match found {
                // The next record may be in the same member.
                ArchiveItem::Damage { .. } if self.copies_members() => {
                    self.apart(offset, &mut records, ahead, emit)?
                }
                ArchiveItem::Damage { reason, .. } => {
                    self.problem(offset, FileError::Record(reason), emit)?;
                    records.advance()?
                }
                ArchiveItem::Record(record) => {
                    // Nothing is inserted into a member that is copied as it is.
                    let member = if record.is_inside && self.copies_members() {
                        Member::AsIs
                    } else {
                        Member::Alone
                    };
                    self.record(record, &mut records, member, ahead, emit)?
                }
            };
        }
        Ok(input.length)
    }

    pub(super) fn emit(&self, offset: u64, event: Event, emit: Emit<'_>) -> Result<(), PartEnd> {
        if emit(offset, event)? {
            Ok(())
        } else {
            Err(PartEnd::Held(offset))
        }
    }

    pub(super) fn problem(
        &self,
        offset: u64,
        error: FileError,
        emit: Emit<'_>,
    ) -> Result<(), PartEnd> {
        self.emit(offset, Event::Problem(error), emit)
    }

    /// The form of the output, if there may be one.
    pub(super) fn form(&self) -> Option<ArchiveForm> {
        let plan = self.archive.plan;
        (plan.task != Task::Examine).then_some(plan.archives.form)
    }

    /// Goes through one record, and returns what follows it.
    fn record(
        &mut self,
        record: Record,
        records: &mut Records<'_>,
        member: Member,
        ahead: bool,
        emit: Emit<'_>,
    ) -> Result<Option<ArchiveItem>, PartEnd> {
        let (offset, head) = (record.offset, &record.head);
        let is_alone = member == Member::Alone;
        let read = match self.read(head, records, member == Member::Split) {
            Ok(read) if read.more && is_alone && self.copies_members() => {
                return self.apart(offset, records, ahead, emit);
            }
            Ok(read) => read,
            Err(Fault::Read(error)) => return Err(error.into()),
            Err(Fault::Damage(_)) if is_alone && self.copies_members() => {
                return self.apart(offset, records, ahead, emit);
            }
            Err(Fault::Damage(reason)) => {
                self.problem(offset, FileError::Record(reason), emit)?;
                return Ok(records.advance()?);
            }
        };
        let end = match member {
            Member::Split => offset,
            Member::Alone | Member::AsIs => records.position(),
        };
        let next = records.advance()?;
        let following = match &next {
            Some(ArchiveItem::Record(record)) if record.head.kind() == Kind::Conversion => {
                Some(&record.head)
            }
            _ => None,
        };
        self.emit(offset, Event::Record(head.kind()), emit)?;
        let new = match read.role {
            // After the member, a second run would not find the conversion, and would add another
            // one.
            Role::Document if member == Member::AsIs => {
                self.problem(offset, FileError::Record(RecordReason::Member), emit)?;
                None
            }
            Role::Document => self.document(offset, head, following, emit)?,
            Role::Segment => {
                self.emit(offset, Event::Segment, emit)?;
                None
            }
            Role::TooLarge => {
                self.problem(offset, FileError::Record(RecordReason::Bomb), emit)?;
                None
            }
            Role::Other => None,
        };
        if self.form() == Some(ArchiveForm::Response) {
            self.refers(offset, head, new.is_some(), emit)?;
        }
        for event in self.placed(offset..end, read.copy, new) {
            self.emit(offset, event, emit)?;
        }
        Ok(next)
    }

    /// Where new records go. `at` is where the record is in the input; an empty range if `copy` stands
    /// for it.
    fn placed(
        &self,
        at: Range<u64>,
        copy: Option<SpooledBytes>,
        new: Option<SpooledBytes>,
    ) -> Vec<Event> {
        let Range { start, end } = at;
        let replaces = new.is_some() && self.form() == Some(ArchiveForm::Response);
        let insert = |at| move |new| Event::Insert { at, new };
        let copy = copy.filter(|_| !replaces).map(insert(start));
        let new = new.map(insert(if replaces { start } else { end }));
        let skip = replaces.then_some(Event::Skip { to: end });
        copy.into_iter().chain(new).chain(skip).collect()
    }

    /// Whether the members of the input are copied as they are.
    fn copies_members(&self) -> bool {
        let is_plain = self.shape.compression == Compression::Plain;
        !is_plain && self.form().is_some_and(ArchiveForm::copies)
    }

    /// Goes through a member that holds many records, or one that is damaged, and returns what follows
    /// it.
    fn apart(
        &mut self,
        start: u64,
        records: &mut Records<'_>,
        ahead: bool,
        emit: Emit<'_>,
    ) -> Result<Option<ArchiveItem>, PartEnd> {
        if ahead {
            return Err(PartEnd::Held(start));
        }
        let wasted = records.wasted();
        records.restart(start, wasted);
        let member = self.look_ahead(start, records)?;
        records.restart(start, wasted);
        let mut next = records.advance()?;
        loop {
            next = match next {
                Some(ArchiveItem::Damage { offset, reason }) if offset == start => {
                    self.problem(offset, FileError::Record(reason), emit)?;
                    records.advance()?
                }
                Some(ArchiveItem::Record(record)) if record.offset == start => {
                    self.record(record, records, member, false, emit)?
                }
                next => {
                    if member == Member::Split {
                        let to = next.as_ref();
                        let to = to.map_or(self.archive.input.length, ArchiveItem::offset);
                        self.emit(start, Event::Skip { to }, emit)?;
                    }
                    return Ok(next);
                }
            };
        }
    }

    /// How a member is written: one record at a time only if it is undamaged throughout, since otherwise
    /// the damaged rest would be lost.
    fn look_ahead(&self, start: u64, records: &mut Records<'_>) -> Result<Member, PartEnd> {
        let mut is_whole = true;
        loop {
            let next = records.advance()?;
            match &next {
                Some(ArchiveItem::Damage { offset, .. }) if *offset == start => is_whole = false,
                Some(ArchiveItem::Record(record)) if record.offset == start => {
                    match records.end() {
                        Ok(_) => {}
                        Err(Fault::Read(error)) => return Err(error.into()),
                        Err(Fault::Damage(_)) => is_whole = false,
                    }
                }
                _ if is_whole => return Ok(Member::Split),
                _ => return Ok(Member::AsIs),
            }
        }
    }

    /// Reads a record to its end, and keeps its block if that holds a document.
    fn read(
        &mut self,
        head: &Head,
        records: &mut Records<'_>,
        copies: bool,
    ) -> Result<Read, Fault> {
        let role = match head.kind() {
            // A rewrite made it.
            Kind::Conversion if self.form().is_some() => Role::Other,
            _ => Role::of(head, records.peek()?),
        };
        if self.block.capacity() > REUSED {
            self.block = Vec::new();
        }
        self.block.clear();
        if role == Role::Document {
            records.read(&mut self.block)?;
        }
        let copy = copies.then(|| self.copy(head, records)).transpose()?;
        let more = records.end()?;
        Ok(Read { role, copy, more })
    }

    /// The record as a member of its own. The part of its block that was read comes first.
    fn copy(&mut self, head: &Head, records: &mut Records<'_>) -> Result<SpooledBytes, Fault> {
        let mut new = SpooledBytes::default();
        let mut damage = None;
        let RecordWorker { writer, block, .. } = self;
        let written = writer.unchanged(head, &mut new, &mut |to| {
            to.write_all(block)?;
            let passed = records.pass(&mut |bytes| to.write_all(bytes));
            passed.map_err(|fault| match fault {
                Fault::Read(error) => error,
                Fault::Damage(reason) => {
                    damage = Some(reason);
                    io::ErrorKind::InvalidData.into()
                }
            })
        });
        match (damage, written) {
            (Some(reason), _) => Err(Fault::Damage(reason)),
            (None, written) => Ok(written.map(|()| new)?),
        }
    }

    /// Reports what shows afterwards which records refer to a changed one, which now has another
    /// id.
    fn refers(
        &self,
        offset: u64,
        head: &Head,
        changed: bool,
        emit: Emit<'_>,
    ) -> Result<(), PartEnd> {
        let target = key(&head.target());
        let at = |url: Option<String>, date: Option<&str>| key(&(url?, date?)).into();
        if changed {
            let keys = [head.id().map(|id| key(&id)), at(head.target(), head.date())];
            return self.emit(offset, Event::Changed { keys, target }, emit);
        }
        let is_revisit = head.kind() == Kind::Revisit;
        let to = head.refers().map(|id| key(&id));
        let to = to.or_else(|| at(head.refers_to_target(), head.refers_to_date()));
        let concurrent = head.concurrent().map(|id| key(&id));
        for (index, key) in to.into_iter().chain(concurrent).enumerate() {
            let revisits = (is_revisit && index == 0).then_some(target);
            self.emit(offset, Event::Refers { key, revisits }, emit)?;
        }
        Ok(())
    }
}

/// How the member of a record is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    /// As it is: it has no other record, or that makes no difference to the output.
    Alone,
    /// As one for each of its records.
    Split,
    /// As it is, since something in or around it is damaged.
    AsIs,
}

/// A record that was read to its end.
struct Read {
    role: Role,
    /// As a member of its own, if that is wanted.
    copy: Option<SpooledBytes>,
    /// Whether another one follows in the same member.
    more: bool,
}

/// A hash by which records are told apart: there may be millions.
fn key(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
