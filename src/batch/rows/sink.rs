//! Where the results for a file with rows go. What came of the first rows waits until one of them has the field for the
//! URL: if none has, all would have had the wrong base URL, and nothing of it may be seen.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek, Write};

use abslink_containers::rows::Compressor;
use abslink_containers::warc::Compression;

use super::worker::RowsResult;
use crate::batch::order::hold::Ticket;
use crate::batch::report::no_room;
use crate::batch::write::PublishError;

pub(super) struct RowsSink<'t, 's, 'a> {
    ticket: Ticket<'s, 'a>,
    to: Option<&'t mut dyn Write>,
    packing: Compression,
    /// Not before there is something to write: what is begun has an end, too.
    writer: Option<Compressor<&'t mut dyn Write>>,
    held: Option<BufWriter<File>>,
}

impl<'t, 's, 'a> RowsSink<'t, 's, 'a> {
    pub(super) fn new(
        ticket: Ticket<'s, 'a>,
        to: Option<&'t mut dyn Write>,
        packing: Compression,
    ) -> Self {
        RowsSink {
            ticket,
            to,
            packing,
            writer: None,
            held: None,
        }
    }

    fn open(&mut self) -> io::Result<()> {
        if let Some(to) = self.to.take() {
            self.writer = Some(Compressor::new(self.packing, to)?);
        }
        Ok(())
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.open()?;
        (self.writer.as_mut()).map_or(Ok(()), |to| to.write_all(bytes))
    }

    /// Passes on the results of a chunk. Returns whether to go on: not after the output stream failed, which the run reports.
    pub(super) fn pass(&mut self, done: &RowsResult) -> io::Result<bool> {
        self.write(&done.out)?;
        let goes_on = done.diff.is_empty() || self.ticket.write_all(&done.diff).is_ok();
        Ok(goes_on && self.ticket.show(&done.shown))
    }

    pub(super) fn hold(&mut self, done: &RowsResult) -> io::Result<()> {
        let to = match &mut self.held {
            Some(to) => to,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        for part in [&done.out, &done.diff, &done.shown] {
            to.write_all(&part.len().to_le_bytes())?;
            to.write_all(part)?;
        }
        Ok(())
    }

    /// Passes on what is held. Returns whether to go on.
    pub(super) fn release(&mut self) -> Result<bool, PublishError> {
        let Some(file) = self.held.take() else {
            return Ok(true);
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let mut from = BufReader::new(file.map_err(no_room)?);
        from.rewind().map_err(no_room)?;
        while !from.fill_buf().map_err(no_room)?.is_empty() {
            if !self.pass(&next(&mut from).map_err(no_room)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn finish(mut self) -> io::Result<bool> {
        self.open()?;
        (self.writer).map_or(Ok(true), |to| to.finish().map(|()| true))
    }
}

fn next(from: &mut impl Read) -> io::Result<RowsResult> {
    let mut held = RowsResult::default();
    for part in [&mut held.out, &mut held.diff, &mut held.shown] {
        let mut length = [0; size_of::<usize>()];
        from.read_exact(&mut length)?;
        let length = usize::from_le_bytes(length) as u64;
        from.by_ref().take(length).read_to_end(part)?;
    }
    Ok(held)
}
