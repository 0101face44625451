//! What came of the first rows, until one of them has the field for the URL. If none has, all would have had the wrong base
//! URL, and nothing of it may be seen.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};

/// The results for rows: the new rows, a diff, and the output of the observer.
pub(super) type Parts = [Vec<u8>; 3];

#[derive(Default)]
pub(super) struct HeldRows(Option<BufWriter<File>>);

impl HeldRows {
    pub(super) fn hold(&mut self, parts: &Parts) -> io::Result<()> {
        let to = match &mut self.0 {
            Some(to) => to,
            none => none.insert(BufWriter::new(tempfile::tempfile()?)),
        };
        for part in parts {
            to.write_all(&part.len().to_le_bytes())?;
            to.write_all(part)?;
        }
        Ok(())
    }

    pub(super) fn release(&mut self) -> io::Result<HeldRowsReader> {
        let Some(file) = self.0.take() else {
            return Ok(HeldRowsReader(None));
        };
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(HeldRowsReader(Some(io::BufReader::new(file))))
    }
}

pub(super) struct HeldRowsReader(Option<io::BufReader<File>>);

impl HeldRowsReader {
    /// `None` after the last.
    pub(super) fn next(&mut self) -> io::Result<Option<Parts>> {
        use io::BufRead as _;
        let Some(from) = &mut self.0 else {
            return Ok(None);
        };
        if from.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut parts = Parts::default();
        for part in &mut parts {
            let mut length = [0; size_of::<usize>()];
            from.read_exact(&mut length)?;
            let length = usize::from_le_bytes(length) as u64;
            from.by_ref().take(length).read_to_end(part)?;
        }
        Ok(Some(parts))
    }
}
