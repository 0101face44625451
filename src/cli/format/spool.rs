//! A list in a summary, which may have as many items as there are files.

use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::sync::Mutex;

use serde::Serialize;
use tempfile::SpooledTempFile;

use crate::cli::terminal::print::cannot_write;
use crate::cli::terminal::{lock, print};

/// At most this many bytes are held in memory until they are written.
pub(super) const HELD: usize = 1 << 20;

/// The items of a list as JSON, a comma before each, or why one is missing. Beyond 1 MiB they are in a
/// temporary file.
pub(crate) struct Spool(Mutex<io::Result<BufWriter<SpooledTempFile>>>);

impl Default for Spool {
    fn default() -> Spool {
        let spool = BufWriter::new(SpooledTempFile::new(HELD));
        Spool(Mutex::new(Ok(spool)))
    }
}

impl Spool {
    pub(crate) fn push(&self, item: &impl Serialize) {
        let mut items = lock(&self.0);
        if let Ok(spool) = &mut *items
            && let Err(error) = (spool.write_all(b",")).and_then(|()| print::json(spool, item))
        {
            *items = Err(error);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let mut items = lock(&self.0);
        (items.as_mut()).is_ok_and(|spool| spool.stream_position().is_ok_and(|end| end == 0))
    }

    /// Writes the items, in brackets.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let lost = |error: &io::Error| cannot_write(&std::env::temp_dir(), error);
        let mut items = lock(&self.0);
        let spool = items.as_mut().map_err(|error| lost(error))?;
        spool
            .seek(SeekFrom::Start(1))
            .map_err(|error| lost(&error))?;
        out.write_all(b"[")?;
        io::copy(spool.get_mut(), out)?;
        out.write_all(b"]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_whole() {
        let spool = Spool::default();
        assert!(spool.is_empty());
        let items: Vec<String> = (0..100_000)
            .map(|number| format!("a\"{number}.html"))
            .collect();
        items.iter().for_each(|item| spool.push(item));
        let mut json = Vec::new();
        spool.write(&mut json).unwrap();
        assert!(json.len() > HELD);
        assert_eq!(serde_json::from_slice::<Vec<String>>(&json).unwrap(), items);
    }
}
