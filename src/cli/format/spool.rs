//! A list in a summary, which may have as many items as there are files.

use std::io::{self, BufWriter, Seek as _, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use tempfile::SpooledTempFile;

use crate::cli::terminal::print;
use crate::cli::terminal::print::cannot_write;

/// At most this many bytes are held in memory until they are written.
pub(super) const HELD: usize = 1 << 20;

/// The items of a list as JSON. Beyond 1 MiB they are in a temporary file.
pub(crate) struct Spool(Mutex<Items>);

struct Items {
    spool: BufWriter<SpooledTempFile>,
    is_empty: bool,
    /// Why an item is missing.
    failed: Option<io::Error>,
}

impl Default for Spool {
    fn default() -> Spool {
        Spool(Mutex::new(Items {
            spool: BufWriter::new(SpooledTempFile::new(HELD)),
            is_empty: true,
            failed: None,
        }))
    }
}

impl Spool {
    pub(crate) fn push(&self, item: &impl Serialize) {
        let mut items = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Items {
            spool,
            is_empty,
            failed,
        } = &mut *items;
        let comma: &[u8] = if *is_empty { b"" } else { b"," };
        let written = spool.write_all(comma);
        let written = written.and_then(|()| print::json(spool, item));
        *is_empty = false;
        *failed = failed.take().or(written.err());
    }

    pub(crate) fn is_empty(&self) -> bool {
        let items = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        items.is_empty
    }

    /// Writes the items, in brackets.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut items = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = match items.failed.take() {
            Some(error) => Err(error),
            None => items
                .spool
                .flush()
                .and_then(|()| items.spool.get_mut().rewind()),
        };
        ready.map_err(|error| cannot_write(&std::env::temp_dir(), &error))?;
        out.write_all(b"[")?;
        io::copy(items.spool.get_mut(), out)?;
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
