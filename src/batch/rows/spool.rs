//! What came of the first rows, until one of them has the field for the URL. If none has, all would have had the wrong base
//! URL, and nothing of it may be seen.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek, Write};

use super::worker::RowsResult;
use crate::batch::report::no_room;
use crate::batch::write::PublishError;

#[derive(Default)]
pub(super) struct HeldRows(Option<BufWriter<File>>);

impl HeldRows {
    pub(super) fn hold(&mut self, done: &RowsResult) -> io::Result<()> {
        let to = match &mut self.0 {
            Some(to) => to,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        for part in [&done.out, &done.diff, &done.shown] {
            to.write_all(&part.len().to_le_bytes())?;
            to.write_all(part)?;
        }
        Ok(())
    }

    /// Passes on what is held, until `pass` has enough. Returns whether to go on.
    pub(super) fn release(
        &mut self,
        mut pass: impl FnMut(&RowsResult) -> io::Result<bool>,
    ) -> Result<bool, PublishError> {
        let Some(file) = self.0.take() else {
            return Ok(true);
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let mut from = BufReader::new(file.map_err(no_room)?);
        from.rewind().map_err(no_room)?;
        while !from.fill_buf().map_err(no_room)?.is_empty() {
            if !pass(&next(&mut from).map_err(no_room)?)? {
                return Ok(false);
            }
        }
        Ok(true)
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
